/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _DUMP_H_
#define _DUMP_H_

/**
 * @file
 * Print packets as they come and go: `set verbose`. Level 1 is about those received, 2 about those
 * sent, more about both. Any level above 0 also makes engines print what they find.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

static inline bool
dump_wants_rx(unsigned int level)
{
	return level == 1 || level > 2;
}

static inline bool
dump_wants_tx(unsigned int level)
{
	return level > 1;
}

/** Print packets just received, or about to be sent: above 0. */
void dump_received(uint16_t port, uint16_t queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
void dump_sent(uint16_t port, uint16_t queue, struct rte_mbuf **pkts, uint16_t nb_pkts);

#endif /* _DUMP_H_ */
