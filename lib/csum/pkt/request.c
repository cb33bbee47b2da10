/* SPDX-License-Identifier: BSD-3-Clause */

#include "pkt_parse_private.h"
#include "pkt_request.h"

/* What the bit fields of an mbuf hold (rte_mbuf_core.h); l4_len holds any TCP header. */
#define L2_LEN_MAX   127
#define L3_LEN_MAX   511
#define TCP_DATA_OFF 12

enum csum_refusal
pkt_request_ip(struct pkt_request *req, const struct csum_pkt *pkt, unsigned int ip)
{
	const struct csum_layer *layer = &pkt->layer[ip];

	if ((layer->flags & CSUM_LAYER_F_HDR_CUT) != 0 || layer->hdr_len == 0)
		return CSUM_REFUSAL_HEADER;
	/* No l3_len says where the IPv4 header ends and L4 begins, both. */
	if (layer->type == CSUM_LAYER_IPV4 && (layer->flags & CSUM_LAYER_F_AH) != 0)
		return CSUM_REFUSAL_PROTOCOL;
	if (layer->off > L2_LEN_MAX || layer->hdr_len > L3_LEN_MAX)
		return CSUM_REFUSAL_TOO_BIG;
	*req = (struct pkt_request) {
		.flags = layer->type == CSUM_LAYER_IPV4 ? RTE_MBUF_F_TX_IPV4 : RTE_MBUF_F_TX_IPV6,
		.l2_len = layer->off,
		.l3_len = layer->hdr_len,
	};
	return CSUM_REFUSAL_NONE;
}

static uint64_t
cksum_flag(uint8_t type)
{
	switch (type) {
	case CSUM_LAYER_TCP:
		return RTE_MBUF_F_TX_TCP_CKSUM;
	case CSUM_LAYER_UDP:
		return RTE_MBUF_F_TX_UDP_CKSUM;
	case CSUM_LAYER_SCTP:
		return RTE_MBUF_F_TX_SCTP_CKSUM;
	default:
		return 0;
	}
}

enum csum_refusal
pkt_request_l4(struct pkt_request *req, const struct csum_pkt *pkt, unsigned int i)
{
	const struct csum_layer *layer = &pkt->layer[i];
	uint64_t flag = cksum_flag(layer->type);
	enum csum_refusal refusal;

	if (flag == 0)
		return CSUM_REFUSAL_PROTOCOL;
	if ((layer->flags & CSUM_LAYER_F_FRAGMENT) != 0)
		return CSUM_REFUSAL_FRAGMENT;
	if ((layer->flags & CSUM_LAYER_F_HDR_CUT) != 0)
		return CSUM_REFUSAL_HEADER;
	refusal = pkt_request_ip(req, pkt, layer->ip);
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	req->flags |= flag;
	req->l4_len = layer->hdr_len;
	return CSUM_REFUSAL_NONE;
}

/* The parser takes a data offset that makes no sense for the least one. */
static bool
tcp_offset_is(const struct rte_mbuf *m, const struct csum_layer *tcp)
{
	uint8_t data_off = 0;

	csum_mbuf_read(m, tcp->off + TCP_DATA_OFF, &data_off, sizeof(data_off));
	return (data_off >> 4) * 4u == tcp->hdr_len;
}

enum csum_refusal
pkt_request_segment(struct pkt_request *req, const struct rte_mbuf *m, const struct csum_pkt *pkt,
		    unsigned int i, uint32_t segsz)
{
	const struct csum_layer *layer = &pkt->layer[i];

	if ((layer->flags & CSUM_LAYER_F_IN_TUNNEL) != 0)
		return CSUM_REFUSAL_TUNNEL;
	/* What authenticates the whole does not authenticate its parts. */
	if ((pkt->layer[layer->ip].flags & CSUM_LAYER_F_AH) != 0)
		return CSUM_REFUSAL_PROTOCOL;
	if (segsz == 0 || segsz > UINT16_MAX)
		return CSUM_REFUSAL_SEGSZ;
	switch (layer->type) {
	case CSUM_LAYER_TCP:
		if (!tcp_offset_is(m, layer))
			return CSUM_REFUSAL_HEADER;
		req->flags |= RTE_MBUF_F_TX_TCP_SEG;
		break;
	case CSUM_LAYER_UDP:
		req->flags |= RTE_MBUF_F_TX_UDP_SEG;
		break;
	default:
		return CSUM_REFUSAL_PROTOCOL;
	}
	req->flags &= ~RTE_MBUF_F_TX_L4_MASK;
	/* DPDK's ports expect it of TSO over IPv4: each segment has a length of its own. */
	if ((req->flags & RTE_MBUF_F_TX_IPV4) != 0)
		req->flags |= RTE_MBUF_F_TX_IP_CKSUM;
	req->segsz = (uint16_t)segsz;
	return CSUM_REFUSAL_NONE;
}

void
pkt_request_store(const struct pkt_request *req, struct rte_mbuf *m)
{
	m->ol_flags = (m->ol_flags & ~PKT_REQUEST_MASK) | req->flags;
	m->tx_offload = 0;
	m->l2_len = req->l2_len;
	m->l3_len = req->l3_len;
	m->l4_len = req->l4_len;
	m->tso_segsz = req->segsz;
}
