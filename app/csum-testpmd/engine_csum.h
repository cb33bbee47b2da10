/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _ENGINE_CSUM_H_
#define _ENGINE_CSUM_H_

/**
 * @file
 * Within the csum engine: the headers that it treats, what it does with them, their display.
 */

#include <stdbool.h>
#include <stdint.h>

#include <csum_gso.h>
#include <csum_pkt.h>

#include "engines.h"

/** The headers of a packet that metadata can describe: those of one tunnel at most. */
struct csum_headers {
	const struct csum_layer *outer; /**< IP header of the tunnel; NULL: there is none */
	const struct csum_layer *ip;    /**< IP header of the packet, the inner one in a tunnel */
	const struct csum_layer *l4;    /**< TCP, UDP or SCTP header, whole; NULL: there is none */
	uint64_t tunnel;                /**< one of RTE_MBUF_F_TX_TUNNEL_*; 0: there is none */
};

/** Offset of the checksum in a UDP header. */
#define UDP_CHECK_OFF 6

/** How one packet is treated: what is asked of the port, and what is done here. */
struct csum_plan {
	struct csum_gso_req req;
	uint32_t fill;       /**< bit i: layer i's checksum is made here */
	bool zero_outer_udp; /**< the tunnel's UDP header goes without checksum */
};

/**
 * Find the headers to treat.
 *
 * @param parse_tunnel
 *   Whether to look into a tunnel.
 * @return
 *   False when there is no IP header, or not a whole one.
 */
bool csum_headers_find(const struct csum_pkt *pkt, bool parse_tunnel, struct csum_headers *h);

/**
 * Decide how a packet is treated.
 *
 * @param port
 *   The port it leaves by.
 * @param enabled
 *   Tx offloads that may be asked of that port.
 */
void csum_plan_make(const struct rte_mbuf *m, const struct csum_pkt *pkt,
		    const struct csum_headers *h, const struct port *port, uint64_t enabled,
		    struct csum_plan *plan);

/**
 * Print a packet as it came and as it goes.
 *
 * @param rx_flags
 *   Its offload flags when it was received.
 * @param h
 *   NULL when it has no IP header.
 */
void engine_csum_dump(const struct fwd_stream *stream, const struct rte_mbuf *m,
		      uint64_t rx_flags, const struct csum_headers *h);

#endif /* _ENGINE_CSUM_H_ */
