/* SPDX-License-Identifier: BSD-3-Clause */

#include "pkt_parse_private.h"

/* A tunnel over UDP follows: IPv6 allows it to go without a checksum (RFC 6935). */
static bool
is_udp_tunnel(const struct csum_pkt *pkt, unsigned int i)
{
	if (i + 1 == pkt->nb_layers)
		return false;
	switch (pkt->layer[i + 1].type) {
	case CSUM_LAYER_VXLAN:
	case CSUM_LAYER_VXLAN_GPE:
	case CSUM_LAYER_GENEVE:
	case CSUM_LAYER_GTPU:
	case CSUM_LAYER_MPLS:
		return true;
	default:
		return false;
	}
}

/* A UDP or UDP-Lite header that says it has no checksum, which UDP-Lite always must have. */
static bool
is_zero(const struct rte_mbuf *m, const struct csum_pkt *pkt, unsigned int i)
{
	const struct csum_layer *layer = &pkt->layer[i];
	uint16_t field;

	switch (layer->type) {
	case CSUM_LAYER_UDP:
		if (pkt->layer[layer->ip].flags & CSUM_LAYER_F_LATER)
			return false;
		break;
	case CSUM_LAYER_UDPLITE:
		if (layer->flags & CSUM_LAYER_F_FRAGMENT)
			return false;
		break;
	default:
		return false;
	}
	if (layer->flags & CSUM_LAYER_F_HDR_CUT)
		return false;
	return csum_mbuf_read(m, layer->off + pkt_cover_field(layer), &field,
			      sizeof(field)) == 0 && field == 0;
}

static enum csum_verdict
judge_zero(const struct csum_pkt *pkt, unsigned int i)
{
	const struct csum_layer *layer = &pkt->layer[i];

	if (layer->type == CSUM_LAYER_UDP &&
	    (pkt->layer[layer->ip].type == CSUM_LAYER_IPV4 || is_udp_tunnel(pkt, i)))
		return CSUM_VERDICT_ZERO;
	return CSUM_VERDICT_BAD;
}

static enum csum_verdict
judge_crc32c(const struct rte_mbuf *m, const struct pkt_cover *cover)
{
	uint32_t field;

	csum_mbuf_read(m, cover->field, &field, sizeof(field));
	return field == pkt_cover_crc32c(m, cover) ? CSUM_VERDICT_GOOD : CSUM_VERDICT_BAD;
}

static enum csum_verdict
judge_sum(const struct rte_mbuf *m, const struct csum_pkt *pkt, unsigned int i,
	  const struct pkt_cover *cover)
{
	uint32_t seed = pkt_cover_pseudo(m, pkt, i, cover, cover->pseudo_len), sum = seed;
	uint16_t field;

	if (csum_mbuf_partial(m, cover->off, cover->len, &sum) != 0)
		return CSUM_VERDICT_TRUNCATED;
	if (csum_sum_fold(sum) == 0xffff)
		return CSUM_VERDICT_GOOD;
	if (cover->pseudo_proto == 0)
		return CSUM_VERDICT_BAD;

	csum_mbuf_read(m, cover->field, &field, sizeof(field));
	if (field == csum_sum_fold(seed) ||
	    field == csum_sum_fold(pkt_cover_pseudo(m, pkt, i, cover, 0)))
		return CSUM_VERDICT_PARTIAL;
	return CSUM_VERDICT_BAD;
}

enum csum_verdict
csum_pkt_verify(const struct rte_mbuf *m, const struct csum_pkt *pkt, unsigned int i)
{
	struct pkt_cover cover;
	enum csum_verdict verdict;

	/* What a field of zero means does not depend on whether the data is there. */
	if (is_zero(m, pkt, i))
		return judge_zero(pkt, i);
	verdict = pkt_cover_find(m, pkt, i, &cover);
	if (verdict != CSUM_VERDICT_GOOD)
		return verdict;
	if (pkt->layer[i].type == CSUM_LAYER_SCTP)
		return judge_crc32c(m, &cover);
	return judge_sum(m, pkt, i, &cover);
}
