/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _EXAMPLE_H_
#define _EXAMPLE_H_

/* What the examples have in common and is not about checksums. */

#include <rte_mbuf.h>

#define EXAMPLE_L2_LEN 14
#define EXAMPLE_L3_LEN 20
#define EXAMPLE_L4_LEN 20
#define EXAMPLE_HDR_LEN (EXAMPLE_L2_LEN + EXAMPLE_L3_LEN + EXAMPLE_L4_LEN)

/* Start the EAL and make a pool; ends the program where that fails. */
struct rte_mempool *example_start(int argc, char **argv);

/*
 * A TCP packet over IPv4 and Ethernet, as a stack hands it to a port with TSO: no checksum is
 * right. Headers and payload lie in a chain of as many mbufs as it takes.
 */
struct rte_mbuf *example_packet(struct rte_mempool *pool, uint32_t payload_len);

#endif /* _EXAMPLE_H_ */
