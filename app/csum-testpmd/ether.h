/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _ETHER_H_
#define _ETHER_H_

/**
 * @file
 * New Ethernet addresses for packets that are forwarded.
 *
 * A port puts the Ethernet header into the first mbuf. A frame that is shorter than one is not
 * told apart: what is written behind its end stays within the mbuf's room.
 */

#include <rte_ether.h>
#include <rte_mbuf.h>

#include "engines.h"

/** Nothing is asked of the port; what the flags say of memory stays. */
static inline void
clear_requests(struct rte_mbuf *m)
{
	m->ol_flags &= RTE_MBUF_F_INDIRECT | RTE_MBUF_F_EXTERNAL;
}

/** From the Tx port to its neighbour. */
static inline void
write_addresses(struct rte_mbuf *m, const struct fwd_stream *stream)
{
	struct rte_ether_hdr *eth = rte_pktmbuf_mtod(m, struct rte_ether_hdr *);

	eth->dst_addr = stream->peer;
	eth->src_addr = stream->tx->addr;
}

/** Back to where it came from. */
static inline void
swap_addresses(struct rte_mbuf *m)
{
	struct rte_ether_hdr *eth = rte_pktmbuf_mtod(m, struct rte_ether_hdr *);
	struct rte_ether_addr addr = eth->dst_addr;

	eth->dst_addr = eth->src_addr;
	eth->src_addr = addr;
}

#endif /* _ETHER_H_ */
