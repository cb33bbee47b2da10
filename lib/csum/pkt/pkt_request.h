/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PKT_REQUEST_H_
#define _PKT_REQUEST_H_

/**
 * @file
 * From the layers of a packet to the Tx requests of its mbuf, for packets of which nobody has told
 * the lengths. A request is made apart, and stored when nothing can fail any more.
 */

#include <csum_pkt.h>

/** All flags that requests for checksums and segmentation are made of. */
#define PKT_REQUEST_MASK \
	(CSUM_PKT_TX_CKSUM_MASK | RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_UDP_SEG | \
	 RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_OUTER_IPV4 | \
	 RTE_MBUF_F_TX_OUTER_IPV6 | RTE_MBUF_F_TX_TUNNEL_MASK)

struct pkt_request {
	uint64_t flags;  /**< of PKT_REQUEST_MASK */
	uint32_t l2_len; /**< all that precedes the IP header */
	uint32_t l3_len;
	uint32_t l4_len;
	uint16_t segsz;
};

/** Ask for nothing but the IP version, by an IP layer. */
enum csum_refusal pkt_request_ip(struct pkt_request *req, const struct csum_pkt *pkt,
				 unsigned int ip);

/** Ask for an L4 layer's checksum. @p i is any layer: one without such a request is refused. */
enum csum_refusal pkt_request_l4(struct pkt_request *req, const struct csum_pkt *pkt,
				 unsigned int i);

/**
 * Ask for an L4 layer to be cut, and not for its checksum, which that includes.
 *
 * @param req
 *   Made by pkt_request_l4() of the same layer.
 * @param segsz
 *   As in tso_segsz.
 */
enum csum_refusal pkt_request_segment(struct pkt_request *req, const struct rte_mbuf *m,
				      const struct csum_pkt *pkt, unsigned int i, uint32_t segsz);

/** Put a request in place of those that the mbuf has. */
void pkt_request_store(const struct pkt_request *req, struct rte_mbuf *m);

#endif /* _PKT_REQUEST_H_ */
