/* SPDX-License-Identifier: BSD-3-Clause */

#include <csum_virtio.h>

#include "pkt_parse_private.h"
#include "pkt_request.h"

/* Where the layers that Rx flags may speak of are. */
struct found {
	unsigned int nb_ip;
	unsigned int nb_l4;
	unsigned int ip; /* the last */
	unsigned int l4; /* the one to finish */
};

/* Whether a checksum field holds the sum of its pseudo header. */
static bool
is_partial(const struct rte_mbuf *m, const struct csum_pkt *pkt, unsigned int i)
{
	struct pkt_cover cover;
	uint16_t field;

	if (pkt_cover_find(m, pkt, i, &cover) != CSUM_VERDICT_GOOD || cover.pseudo_proto == 0 ||
	    csum_mbuf_read(m, cover.field, &field, sizeof(field)) != 0)
		return false;
	return field == csum_sum_fold(pkt_cover_pseudo(m, pkt, i, &cover, cover.pseudo_len));
}

static bool
has_request(const struct csum_layer *layer)
{
	return layer->type == CSUM_LAYER_TCP || layer->type == CSUM_LAYER_UDP ||
	       layer->type == CSUM_LAYER_SCTP;
}

/* Of several L4 layers, the one that is partial. */
static enum csum_refusal
choose(struct found *found, const struct rte_mbuf *m, const struct csum_pkt *pkt)
{
	unsigned int nb = 0, i;

	for (i = 0; i < pkt->nb_layers; i++)
		if (has_request(&pkt->layer[i]) && is_partial(m, pkt, i)) {
			found->l4 = i;
			nb++;
		}
	return nb == 1 ? CSUM_REFUSAL_NONE : CSUM_REFUSAL_TUNNEL;
}

static enum csum_refusal
find(struct found *found, const struct rte_mbuf *m, const struct csum_pkt *pkt)
{
	unsigned int i;

	*found = (struct found) { .nb_ip = 0 };
	for (i = 0; i < pkt->nb_layers; i++) {
		const struct csum_layer *layer = &pkt->layer[i];

		if (layer->type == CSUM_LAYER_IPV4 || layer->type == CSUM_LAYER_IPV6) {
			found->nb_ip++;
			found->ip = i;
		} else if (has_request(layer)) {
			found->nb_l4++;
			found->l4 = i;
		}
	}
	return found->nb_l4 > 1 ? choose(found, m, pkt) : CSUM_REFUSAL_NONE;
}

/* The L4 requests: a cut, if there is enough to cut, or else a checksum that is not there. */
static enum csum_refusal
l4_request(struct pkt_request *req, const struct rte_mbuf *m, const struct csum_pkt *pkt,
	   const struct found *found)
{
	const struct csum_layer *l4 = &pkt->layer[found->l4];
	struct pkt_request cut;
	enum csum_refusal refusal;

	if (found->nb_l4 == 0)
		return CSUM_REFUSAL_PROTOCOL;
	refusal = pkt_request_l4(req, pkt, found->l4);
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	if ((m->ol_flags & RTE_MBUF_F_RX_LRO) != 0) {
		if (found->nb_ip > 1)
			return CSUM_REFUSAL_TUNNEL;
		cut = *req;
		refusal = pkt_request_segment(&cut, m, pkt, found->l4, m->tso_segsz);
		if (refusal == CSUM_REFUSAL_NONE &&
		    pkt->len > l4->off + l4->hdr_len + m->tso_segsz)
			*req = cut;
	}
	if (req->segsz == 0 &&
	    (m->ol_flags & RTE_MBUF_F_RX_L4_CKSUM_MASK) != RTE_MBUF_F_RX_L4_CKSUM_NONE)
		req->flags &= ~RTE_MBUF_F_TX_L4_MASK;
	return refusal;
}

/* An IPv4 header without its checksum; in a tunnel nobody can tell which. */
static enum csum_refusal
ip_request(struct pkt_request *req, const struct csum_pkt *pkt, const struct found *found)
{
	enum csum_refusal refusal;

	if (found->nb_ip != 1)
		return found->nb_ip == 0 ? CSUM_REFUSAL_PROTOCOL : CSUM_REFUSAL_TUNNEL;
	if (req->flags == 0) {
		refusal = pkt_request_ip(req, pkt, found->ip);
		if (refusal != CSUM_REFUSAL_NONE)
			return refusal;
	}
	if ((req->flags & RTE_MBUF_F_TX_IPV4) != 0)
		req->flags |= RTE_MBUF_F_TX_IP_CKSUM;
	return CSUM_REFUSAL_NONE;
}

static enum csum_refusal
request_make(struct pkt_request *req, const struct rte_mbuf *m, enum csum_link link, bool ip,
	     bool l4)
{
	enum csum_refusal refusal;
	struct found found;
	struct csum_pkt pkt;

	if (csum_pkt_parse(m, 0, link, 0, &pkt) != 0 || pkt.len < m->pkt_len)
		return CSUM_REFUSAL_LENGTHS;
	refusal = find(&found, m, &pkt);
	if (refusal == CSUM_REFUSAL_NONE && l4)
		refusal = l4_request(req, m, &pkt, &found);
	if (refusal == CSUM_REFUSAL_NONE && ip)
		refusal = ip_request(req, &pkt, &found);
	return refusal;
}

int
csum_pkt_rx_to_tx(struct rte_mbuf *m, enum csum_link link, enum csum_refusal *why)
{
	uint64_t flags = m->ol_flags;
	bool ip = (flags & RTE_MBUF_F_RX_IP_CKSUM_MASK) == RTE_MBUF_F_RX_IP_CKSUM_NONE;
	bool l4 = (flags & RTE_MBUF_F_RX_L4_CKSUM_MASK) == RTE_MBUF_F_RX_L4_CKSUM_NONE ||
		  (flags & RTE_MBUF_F_RX_LRO) != 0;
	struct pkt_request req = { .flags = 0 };
	enum csum_refusal refusal = CSUM_REFUSAL_NONE;

	if (ip || l4)
		refusal = request_make(&req, m, link, ip, l4);
	if (why != NULL)
		*why = refusal;
	if (refusal != CSUM_REFUSAL_NONE)
		return csum_refusal_errno(refusal);
	if (ip || l4)
		pkt_request_store(&req, m);
	return 0;
}
