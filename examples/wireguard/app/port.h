/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PORT_H_
#define _PORT_H_

/**
 * @file
 * Start and stop of the DPDK port.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_mempool.h>

/** What a port turned out to have. */
struct port {
	uint16_t id;
	uint64_t tx_offloads; /**< checksums, RTE_ETH_TX_OFFLOAD_* */
	bool interrupts;      /**< wakes who sleeps in rte_epoll_wait() */
};

/**
 * Start a port with one queue in each direction.
 *
 * @return
 *   0 or a negative errno.
 */
int port_start(struct port *port, struct rte_mempool *pool);

void port_stop(const struct port *port);

#endif /* _PORT_H_ */
