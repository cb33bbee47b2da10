/* SPDX-License-Identifier: BSD-3-Clause */

/* Verdicts on the checksums of received packets. */

#include "soft_csum.h"

/* With any of these, headers inside a tunnel and outside of it are told apart. */
#define VERIFY_OUTER (RTE_ETH_RX_OFFLOAD_OUTER_IPV4_CKSUM | RTE_ETH_RX_OFFLOAD_OUTER_UDP_CKSUM)

/* Verdict flags of one checksum. */
struct verdict_flags {
	uint64_t mask;
	uint64_t good;
	uint64_t bad;
	enum soft_csum_rx_stat bad_stat;
};

static const struct verdict_flags ip_flags = {
	RTE_MBUF_F_RX_IP_CKSUM_MASK, RTE_MBUF_F_RX_IP_CKSUM_GOOD, RTE_MBUF_F_RX_IP_CKSUM_BAD,
	SOFT_CSUM_RX_BAD_IP,
}, l4_flags = {
	RTE_MBUF_F_RX_L4_CKSUM_MASK, RTE_MBUF_F_RX_L4_CKSUM_GOOD, RTE_MBUF_F_RX_L4_CKSUM_BAD,
	SOFT_CSUM_RX_BAD_L4,
}, outer_ip_flags = {
	/* There is no flag that says good. */
	RTE_MBUF_F_RX_OUTER_IP_CKSUM_BAD, 0, RTE_MBUF_F_RX_OUTER_IP_CKSUM_BAD,
	SOFT_CSUM_RX_BAD_OUTER_IP,
}, outer_l4_flags = {
	RTE_MBUF_F_RX_OUTER_L4_CKSUM_MASK, RTE_MBUF_F_RX_OUTER_L4_CKSUM_GOOD,
	RTE_MBUF_F_RX_OUTER_L4_CKSUM_BAD, SOFT_CSUM_RX_BAD_OUTER_L4,
};

/* A packet whose headers are known. */
struct view {
	struct soft_csum_rxq *rxq;
	struct rte_mbuf *m;
	struct csum_pkt pkt;
};

static void
judge(struct view *view, unsigned int layer, const struct verdict_flags *flags)
{
	uint64_t verdict = 0;

	switch (csum_pkt_verify(view->m, &view->pkt, layer)) {
	case CSUM_VERDICT_GOOD:
	case CSUM_VERDICT_ZERO:
		verdict = flags->good;
		break;
	case CSUM_VERDICT_BAD:
	case CSUM_VERDICT_PARTIAL:
		verdict = flags->bad;
		soft_csum_count(&view->rxq->stat[flags->bad_stat], 1);
		break;
	case CSUM_VERDICT_NONE:
	case CSUM_VERDICT_FRAGMENT:
	case CSUM_VERDICT_TRUNCATED:
		break;
	}
	view->m->ol_flags = (view->m->ol_flags & ~flags->mask) | verdict;
}

/* The offload that is about an L4 layer, 0 if none is. */
static uint64_t
offload_of(const struct csum_layer *layer)
{
	switch (layer->type) {
	case CSUM_LAYER_TCP:
		return RTE_ETH_RX_OFFLOAD_TCP_CKSUM;
	case CSUM_LAYER_UDP:
		return RTE_ETH_RX_OFFLOAD_UDP_CKSUM;
	case CSUM_LAYER_SCTP:
		return RTE_ETH_RX_OFFLOAD_SCTP_CKSUM;
	default:
		return 0;
	}
}

static bool
is_ip(const struct csum_layer *layer)
{
	return layer->type == CSUM_LAYER_IPV4 || layer->type == CSUM_LAYER_IPV6;
}

/* Judge the layers [first, last) that belong to one IP header and lie in front of a next one. */
static void
judge_plain(struct view *view, unsigned int first, unsigned int last)
{
	uint64_t verify = view->rxq->verify;
	unsigned int i;

	if ((verify & RTE_ETH_RX_OFFLOAD_IPV4_CKSUM) != 0 &&
			view->pkt.layer[first].type == CSUM_LAYER_IPV4)
		judge(view, first, &ip_flags);
	for (i = first + 1; i < last; i++)
		if ((verify & offload_of(&view->pkt.layer[i])) != 0)
			judge(view, i, &l4_flags);
}

static void
judge_outer(struct view *view, unsigned int first, unsigned int last)
{
	uint64_t verify = view->rxq->verify;
	unsigned int i;

	if ((verify & RTE_ETH_RX_OFFLOAD_OUTER_IPV4_CKSUM) != 0 &&
			view->pkt.layer[first].type == CSUM_LAYER_IPV4)
		judge(view, first, &outer_ip_flags);
	for (i = first + 1; i < last; i++)
		if ((verify & RTE_ETH_RX_OFFLOAD_OUTER_UDP_CKSUM) != 0 &&
				view->pkt.layer[i].type == CSUM_LAYER_UDP)
			judge(view, i, &outer_l4_flags);
}

/* The next IP header from layer @p i on; the number of layers if there is none. */
static unsigned int
next_ip(const struct csum_pkt *pkt, unsigned int i)
{
	while (i < pkt->nb_layers && !is_ip(&pkt->layer[i]))
		i++;
	return i;
}

void
soft_csum_rx_verify(struct soft_csum_rxq *rxq, struct rte_mbuf *m)
{
	struct view view = { .rxq = rxq, .m = m };
	unsigned int first, second, end;

	m->ol_flags &= ~rxq->stale;
	if (csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, &view.pkt) != 0)
		return;
	if (m->packet_type == RTE_PTYPE_UNKNOWN)
		m->packet_type = soft_csum_ptype(&view.pkt);
	end = view.pkt.nb_layers;
	first = next_ip(&view.pkt, 0);
	if (first == end)
		return;
	second = next_ip(&view.pkt, first + 1);
	if (second < end && (rxq->verify & VERIFY_OUTER) != 0) {
		judge_outer(&view, first, second);
		judge_plain(&view, second, next_ip(&view.pkt, second + 1));
	} else {
		judge_plain(&view, first, second);
	}
	soft_csum_count(&rxq->stat[SOFT_CSUM_RX_VERIFIED], 1);
}

void
soft_csum_rxq_masks(struct soft_csum_rxq *rxq, uint64_t verify)
{
	const uint64_t l4 = RTE_ETH_RX_OFFLOAD_TCP_CKSUM | RTE_ETH_RX_OFFLOAD_UDP_CKSUM |
		RTE_ETH_RX_OFFLOAD_SCTP_CKSUM;

	rxq->verify = verify;
	rxq->stale = 0;
	if (verify & RTE_ETH_RX_OFFLOAD_IPV4_CKSUM)
		rxq->stale |= ip_flags.mask;
	if ((verify & l4) == l4)
		rxq->stale |= l4_flags.mask;
	if (verify & RTE_ETH_RX_OFFLOAD_OUTER_IPV4_CKSUM)
		rxq->stale |= outer_ip_flags.mask;
	if (verify & RTE_ETH_RX_OFFLOAD_OUTER_UDP_CKSUM)
		rxq->stale |= outer_l4_flags.mask;
}
