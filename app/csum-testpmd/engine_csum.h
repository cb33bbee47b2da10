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

/** What there is to work with. */
struct csum_means {
	uint64_t offloads; /**< Tx offloads that may be asked of the port */
	uint16_t gso_size; /**< longer frames are cut here; 0: they are not */
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
 */
void csum_plan_make(const struct rte_mbuf *m, const struct csum_pkt *pkt,
		    const struct csum_headers *h, const struct port *port,
		    const struct csum_means *means, struct csum_plan *plan);

/**
 * Give a packet its addresses and checksums, and ask for what is left to others.
 *
 * @param gso_size
 *   Of what is longer, TCP_SEG or UDP_SEG asks for frames of this many bytes, to be cut by
 *   csum_cut(); 0: the port is asked to segment, if it is set to.
 */
void csum_treat(struct fwd_stream *stream, struct rte_mbuf *m, uint16_t gso_size);

/** Send packets that have been treated, if the port agrees to each. */
void csum_send(struct fwd_stream *stream, struct rte_mbuf **pkts, uint16_t nb_pkts);

/** Send packets that have been treated, cut as asked for. The stream has GSO. */
void csum_cut(struct fwd_stream *stream, struct rte_mbuf **pkts, uint16_t nb_pkts);

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
