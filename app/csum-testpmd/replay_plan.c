/* SPDX-License-Identifier: BSD-3-Clause */

#include <rte_byteorder.h>
#include <rte_common.h>

#include <csum_mbuf.h>

#include "replay_plan.h"

#define IPV4_LEN_OFF 2
#define IPV6_LEN_OFF 4
#define IPV6_HDR_LEN 40
#define UDP_LEN_OFF 4

const char *
replay_refusal_name(unsigned int refusal)
{
	switch (refusal) {
	case REPLAY_REFUSAL_SNAPPED:
		return "snapped";
	case REPLAY_REFUSAL_TRUNCATED:
		return "truncated";
	case REPLAY_REFUSAL_PORT:
		return "port";
	case REPLAY_REFUSAL_LINK_TYPE:
		return "link_type";
	case REPLAY_REFUSAL_TOO_LONG:
		return "too_long";
	default:
		return csum_refusal_name(refusal);
	}
}

static void
refuse(struct replay_plan *plan, unsigned int refusal)
{
	plan->verb = REPLAY_REFUSE;
	plan->refusal = refusal;
}

static bool
is_ip(const struct csum_layer *layer)
{
	return layer->type == CSUM_LAYER_IPV4 || layer->type == CSUM_LAYER_IPV6;
}

/* The first IP header, NULL if there is none. */
static const struct csum_layer *
outermost_ip(const struct csum_pkt *pkt)
{
	unsigned int i;

	for (i = 0; i < pkt->nb_layers; i++) {
		if (is_ip(&pkt->layer[i]))
			return &pkt->layer[i];
	}
	return NULL;
}

/* The innermost header that has a length of its own: IP, or UDP on it. */
static const struct csum_layer *
innermost(const struct csum_pkt *pkt)
{
	const struct csum_layer *last = NULL;
	unsigned int i;

	for (i = 0; i < pkt->nb_layers; i++) {
		if (is_ip(&pkt->layer[i]) || pkt->layer[i].type == CSUM_LAYER_UDP)
			last = &pkt->layer[i];
	}
	return last;
}

static bool
any_has(const struct csum_pkt *pkt, uint8_t flags)
{
	unsigned int i;

	for (i = 0; i < pkt->nb_layers; i++) {
		if ((pkt->layer[i].flags & flags) != 0)
			return true;
	}
	return false;
}

/* The TCP header, NULL if there is none. Nothing is looked for inside, so it is the last layer. */
static const struct csum_layer *
find_tcp(const struct csum_pkt *pkt)
{
	const struct csum_layer *last = &pkt->layer[pkt->nb_layers - 1];

	return last->type == CSUM_LAYER_TCP ? last : NULL;
}

/* Whether a packet cannot leave in one piece. It has an IP header. */
static bool
must_be_cut(const struct csum_pkt *pkt, const struct request_sizes *sizes)
{
	const struct csum_layer *ip = outermost_ip(pkt);
	const struct csum_layer *tcp = find_tcp(pkt);

	if (any_has(pkt, CSUM_LAYER_F_JUMBO))
		return true;
	if (sizes->segsz == 0 || tcp == NULL)
		return ip->field_len > sizes->mtu;
	/* The size of segments counts, not the MTU; but lengths of 0 have to fit their fields. */
	return tcp->len > tcp->hdr_len + sizes->segsz ||
		(any_has(pkt, CSUM_LAYER_F_ZERO_LEN) && ip->field_len > UINT16_MAX);
}

static bool
is_super(const struct csum_pkt *pkt, const struct request_sizes *sizes)
{
	const struct csum_layer *ip = outermost_ip(pkt);

	return ip != NULL && (any_has(pkt, CSUM_LAYER_F_ZERO_LEN) ||
			      ip->field_len > sizes->mtu || must_be_cut(pkt, sizes));
}

/* Drop what follows the first `len` bytes. */
static void
shorten(struct rte_mbuf *m, uint32_t len)
{
	struct rte_mbuf *seg = m;
	uint16_t nb_segs = 1;
	uint32_t left = len;

	if (len >= m->pkt_len)
		return;
	while (left > seg->data_len) {
		left -= seg->data_len;
		seg = seg->next;
		nb_segs++;
	}
	seg->data_len = left;
	rte_pktmbuf_free(seg->next);
	seg->next = NULL;
	m->nb_segs = nb_segs;
	m->pkt_len = len;
}

/*
 * The port gives every UDP header over IPv6 a checksum. Where a tunnel's has none, which RFC 6935
 * allows, only the library can be told to leave it so.
 */
static bool
keeps_udp6_zero(const struct csum_pkt *pkt, const struct csum_gso_req *req)
{
	uint64_t tunnel = req->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK;
	const struct csum_layer *ip = outermost_ip(pkt);

	/* Of a tunnel around the one that they name the flags say nothing. */
	if (tunnel != 0 && ip->type == CSUM_LAYER_IPV6 && ip->off != req->outer_l2_len)
		return true;
	return (req->ol_flags & RTE_MBUF_F_TX_OUTER_IPV6) != 0 &&
		(req->ol_flags & RTE_MBUF_F_TX_OUTER_UDP_CKSUM) == 0 &&
		tunnel != RTE_MBUF_F_TX_TUNNEL_GRE && tunnel != RTE_MBUF_F_TX_TUNNEL_IPIP &&
		tunnel != RTE_MBUF_F_TX_TUNNEL_IP;
}

static void
plan_cut(struct rte_mbuf *m, const struct request_sizes *sizes,
	 const struct csum_gso_conf *conf, struct csum_gso_iter *it, struct replay_plan *plan)
{
	const struct csum_layer *last = innermost(&plan->pkt);
	enum csum_refusal why;

	shorten(m, last->off + last->len);
	if (request_cut(m, &plan->pkt, sizes, &plan->req, &why) != 0 ||
	    csum_gso_iter_init(it, m, &plan->req, conf, &why) != 0) {
		refuse(plan, why);
		return;
	}
	plan->nb_pieces = csum_gso_iter_left(it);
	plan->verb = REPLAY_SEND;
	if (keeps_udp6_zero(&plan->pkt, &plan->req) || request_to_mbuf(&plan->req, m) != 0)
		plan->verb = REPLAY_CUT;
}

/* Write the lengths that were left 0. The packet need not be cut, so they fit their fields. */
static void
fill_lengths(struct rte_mbuf *m, const struct csum_pkt *pkt)
{
	const struct csum_layer *layer;
	uint32_t off, len;
	unsigned int i;
	uint16_t field;

	for (i = 0; i < pkt->nb_layers; i++) {
		layer = &pkt->layer[i];
		if ((layer->flags & CSUM_LAYER_F_ZERO_LEN) == 0)
			continue;
		off = layer->off + UDP_LEN_OFF;
		len = layer->len;
		if (layer->type == CSUM_LAYER_IPV4) {
			off = layer->off + IPV4_LEN_OFF;
		} else if (layer->type == CSUM_LAYER_IPV6) {
			off = layer->off + IPV6_LEN_OFF;
			len -= IPV6_HDR_LEN;
		}
		field = rte_cpu_to_be_16(len);
		csum_mbuf_write(m, off, &field, sizeof(field));
	}
}

/*
 * Which checksums are to be filled; false if some cannot be. What encloses a layer that is filled
 * does not stay right.
 */
static bool
find_wrong(const struct rte_mbuf *m, const struct csum_pkt *pkt, bool keep_bad, uint32_t *wrong)
{
	bool encloses;
	unsigned int i;

	*wrong = 0;
	for (i = pkt->nb_layers; i-- > 0;) {
		encloses = *wrong != 0 && (pkt->layer[i].type == CSUM_LAYER_UDP ||
					   pkt->layer[i].type == CSUM_LAYER_GRE);
		switch (csum_pkt_verify(m, pkt, i)) {
		case CSUM_VERDICT_TRUNCATED:
			return false;
		case CSUM_VERDICT_BAD:
			*wrong |= keep_bad ? 0 : RTE_BIT32(i);
			break;
		case CSUM_VERDICT_PARTIAL:
			*wrong |= RTE_BIT32(i);
			break;
		case CSUM_VERDICT_GOOD:
			*wrong |= encloses ? RTE_BIT32(i) : 0;
			break;
		default:
			break;
		}
	}
	return true;
}

static int
fill_here(struct rte_mbuf *m, const struct csum_pkt *pkt, uint32_t layers)
{
	unsigned int i;
	int ret = 0;

	for (i = pkt->nb_layers; i-- > 0 && ret == 0;) {
		if ((layers & RTE_BIT32(i)) != 0)
			ret = csum_pkt_fill(m, pkt, i);
	}
	return ret;
}

/* The outermost of these layers that sums up what it encloses, as an index; nb_layers if none. */
static unsigned int
outermost_encloser(const struct csum_pkt *pkt, uint32_t layers)
{
	unsigned int i;

	for (i = 0; i < pkt->nb_layers; i++) {
		if ((layers & RTE_BIT32(i)) != 0 && pkt->layer[i].type != CSUM_LAYER_IPV4)
			break;
	}
	return i;
}

/*
 * The layers that the port is to fill. It does so last: nothing that is filled here may enclose
 * them.
 */
static uint32_t
left_to_port(struct rte_mbuf *m, const struct csum_pkt *pkt, uint32_t wrong)
{
	struct csum_gso_req req;
	uint32_t flagged = request_fill(pkt, wrong, &req);
	unsigned int encloser = outermost_encloser(pkt, wrong & ~flagged);

	/* Metadata knows no length but the headers'. */
	if (any_has(pkt, CSUM_LAYER_F_ZERO_LEN | CSUM_LAYER_F_JUMBO))
		return 0;
	if (flagged == 0 || (encloser < pkt->nb_layers && flagged >> encloser != 0))
		return 0;
	if (request_to_mbuf(&req, m) != 0)
		return 0;
	if (csum_pkt_check(m, NULL) == 0)
		return flagged;
	m->ol_flags = 0;
	m->tx_offload = 0;
	return 0;
}

static void
plan_fill(struct rte_mbuf *m, bool keep_bad, struct replay_plan *plan)
{
	uint32_t wrong;

	if (!find_wrong(m, &plan->pkt, keep_bad, &wrong)) {
		refuse(plan, REPLAY_REFUSAL_TRUNCATED);
		return;
	}
	plan->verb = REPLAY_SEND;
	plan->nb_pieces = 1;
	plan->filled = wrong;
	wrong &= ~left_to_port(m, &plan->pkt, wrong);
	if (fill_here(m, &plan->pkt, wrong) != 0)
		refuse(plan, CSUM_REFUSAL_HEADER);
}

/* What makes it impossible to take a super-packet apart; CSUM_REFUSAL_NONE if nothing does. */
static unsigned int
super_refusal(const struct csum_pkt *pkt)
{
	if (any_has(pkt, CSUM_LAYER_F_TRUNCATED | CSUM_LAYER_F_HDR_CUT))
		return REPLAY_REFUSAL_TRUNCATED;
	if (any_has(pkt, CSUM_LAYER_F_FRAGMENT))
		return CSUM_REFUSAL_FRAGMENT;
	return CSUM_REFUSAL_NONE;
}

/* A super-packet that is to stay in one piece: give it its lengths, where they fit. */
static void
keep_whole(struct rte_mbuf *m, struct csum_pkt *pkt)
{
	if (outermost_ip(pkt)->field_len > UINT16_MAX)
		return;
	fill_lengths(m, pkt);
	csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, pkt);
}

/* Returns whether there is nothing more to plan. */
static bool
plan_super(struct rte_mbuf *m, const struct replay_how *how, const struct csum_gso_conf *conf,
	   struct csum_gso_iter *it, struct replay_plan *plan)
{
	const struct csum_layer *ip = outermost_ip(&plan->pkt);
	unsigned int refusal = super_refusal(&plan->pkt);

	if (refusal != CSUM_REFUSAL_NONE) {
		refuse(plan, refusal);
		return true;
	}
	if (must_be_cut(&plan->pkt, &how->sizes)) {
		plan_cut(m, &how->sizes, conf, it, plan);
		return true;
	}
	shorten(m, ip->off + ip->len);
	keep_whole(m, &plan->pkt);
	return false;
}

bool
replay_plan_is_idle(const struct rte_mbuf *m, const struct csum_pkt *pkt,
		    const struct replay_how *how)
{
	uint32_t wrong;

	return (pkt->flags & CSUM_PKT_F_TOO_DEEP) == 0 && !is_super(pkt, &how->sizes) &&
	       find_wrong(m, pkt, how->keep_bad, &wrong) && wrong == 0;
}

void
replay_plan(struct rte_mbuf *m, bool snapped, const struct replay_how *how,
	    const struct csum_gso_conf *conf, struct csum_gso_iter *it, struct replay_plan *plan)
{
	*plan = (struct replay_plan){ .verb = REPLAY_SEND };
	csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, &plan->pkt);
	plan->super = is_super(&plan->pkt, &how->sizes);
	if (snapped) {
		refuse(plan, REPLAY_REFUSAL_SNAPPED);
		return;
	}
	/* What lies deeper than the library parses may be wrong. */
	if ((plan->pkt.flags & CSUM_PKT_F_TOO_DEEP) != 0) {
		refuse(plan, CSUM_REFUSAL_TUNNEL);
		return;
	}
	if (plan->super && how->fix_only)
		keep_whole(m, &plan->pkt);
	else if (plan->super && plan_super(m, how, conf, it, plan))
		return;
	plan_fill(m, how->keep_bad, plan);
}
