/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _COALESCE_H_
#define _COALESCE_H_

/**
 * @file
 * TCP segments that follow one another become super-packets again, so that the kernel's stack is
 * gone through once for many of them.
 */

#include <rte_mbuf.h>

/**
 * Coalesce a burst.
 *
 * TCP segments with payload get a verdict on their checksum (RX_L4_CKSUM_GOOD), which their bytes
 * are read for; one that is wrong remains alone, and without a verdict, for the stack to count.
 * Those that agree in all but what follows from their order become a chain with the Tx requests
 * of a super-packet. Nothing is copied, and order within a connection is kept, but that
 * fragments may be overtaken.
 *
 * @param pkts
 *   IP packets, each in one mbuf, exact in length; set to what there is instead.
 * @return
 *   How many there are.
 */
unsigned int coalesce(struct rte_mbuf **pkts, unsigned int nb);

#endif /* _COALESCE_H_ */
