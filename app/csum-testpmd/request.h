/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _REQUEST_H_
#define _REQUEST_H_

/**
 * @file
 * From parsed headers to Tx requests: offload flags, header lengths and segment size, as an
 * application gives them to a port. Metadata describes one tunnel at most; another one around it
 * counts to the outer link layer.
 */

#include <stdint.h>

#include <csum_gso.h>
#include <csum_pkt.h>

/** What decides the size of the pieces. */
struct request_sizes {
	uint32_t mtu;   /**< bytes of the outermost IP packet */
	uint32_t segsz; /**< TCP payload bytes a segment; 0: as the MTU allows */
	uint32_t uso;   /**< payload bytes a datagram; 0: IP fragments as the MTU allows */
};

/**
 * The kind of a tunnel, by the layers between its IP header and the inner one.
 *
 * @param outer, inner
 *   Indices of the two IP layers.
 * @return
 *   One of RTE_MBUF_F_TX_TUNNEL_*, or 0 when it is none of them.
 */
uint64_t request_tunnel_kind(const struct csum_pkt *pkt, unsigned int outer, unsigned int inner);

/**
 * Ask for a super-packet to be cut: TCP into segments, UDP into datagrams or fragments.
 *
 * @param m
 *   The packet, ending where its innermost datagram or segment ends. Read only.
 * @param pkt
 *   Parsed from @p m.
 * @param req
 *   Set to the request; untouched on error.
 * @param why
 *   Set to the reason on error.
 * @return
 *   - 0: asked.
 *   - -ENOTSUP: it is not TCP or UDP, or in too many tunnels, or headers leave no room for
 *     payload.
 */
int request_cut(const struct rte_mbuf *m, const struct csum_pkt *pkt,
		const struct request_sizes *sizes, struct csum_gso_req *req,
		enum csum_refusal *why);

/**
 * Ask for checksums to be filled.
 *
 * @param pkt
 *   A parsed packet.
 * @param layers
 *   The layers meant: bit i is layer i.
 * @param req
 *   Set to the request; segsz is 0.
 * @return
 *   Those of the layers that the request covers. Flags know IPv4, TCP, UDP and SCTP, and
 *   the outer IPv4 and UDP of one tunnel.
 */
uint32_t request_fill(const struct csum_pkt *pkt, uint32_t layers, struct csum_gso_req *req);

/**
 * Give an mbuf a request as its Tx metadata.
 *
 * @return
 *   - 0: done.
 *   - -ENOSPC: a length does not fit its bit field; the mbuf is as it was.
 */
int request_to_mbuf(const struct csum_gso_req *req, struct rte_mbuf *m);

#endif /* _REQUEST_H_ */
