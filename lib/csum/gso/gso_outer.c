/* SPDX-License-Identifier: BSD-3-Clause */

#include <rte_ether.h>

#include "gso_private.h"

/*
 * Places are counted from the end of the headers: what lies before them may become shorter by a
 * jumbo header, which changes no such place.
 */

static uint32_t
inner_ip_place(const struct csum_gso_iter *it, const struct csum_gso_req *req)
{
	return it->hdr_len - it->l4_len - req->l3_len;
}

static uint32_t
tunnel_place(const struct csum_gso_iter *it, const struct csum_gso_req *req)
{
	return inner_ip_place(it, req) - req->l2_len;
}

/* Of DPDK's two conventions the first gives the outer lengths; in the second l2_len holds all. */
static bool
is_flat(const struct csum_gso_req *req)
{
	return req->outer_l2_len == 0 && req->outer_l3_len == 0;
}

/*
 * Without a tunnel only the link layer is there, and whatever it is made of, it is opaque but for
 * a length in it.
 */
static void
link_read(struct csum_gso_iter *it, uint32_t l3)
{
	struct gso_walk w = { .end = l3, .type = RTE_ETHER_TYPE_TEB };
	uint8_t nb_lens = it->nb_lens;

	gso_link_walk(it, &w);
	if (w.type == 0 || w.at != l3)
		it->nb_lens = nb_lens;
}

/* An IP header of a tunnel. */
static enum csum_refusal
outer_ip_read(struct csum_gso_iter *it, struct gso_walk *w)
{
	enum csum_refusal refusal;

	/* One is left for the innermost. */
	if (it->nb_ip == CSUM_GSO_MAX_IP - 1)
		return CSUM_REFUSAL_TUNNEL;
	w->end -= gso_jumbo_remove(it, w->at, w->end);
	refusal = gso_ip_read(it, w->at, w->end);
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	if (w->type != 0 && w->type != gso_ip_type(it, w->at))
		return CSUM_REFUSAL_HEADER;
	w->at += gso_inner_ip(it)->len;
	return CSUM_REFUSAL_NONE;
}

/* A tunnel that no flag names, from its IP header to the next one, which must be at w->end. */
static enum csum_refusal
unnamed_read(struct csum_gso_iter *it, struct gso_walk *w)
{
	enum csum_refusal refusal = outer_ip_read(it, w);

	if (refusal == CSUM_REFUSAL_NONE)
		refusal = gso_tunnel_read(it, 0, false, w);
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	gso_link_walk(it, w);
	return w->type != 0 && w->at == w->end ? CSUM_REFUSAL_NONE : CSUM_REFUSAL_TUNNEL;
}

/* What precedes the IP header of the tunnel that the flags name: there may be one around it. */
static enum csum_refusal
before_read(struct csum_gso_iter *it, const struct csum_gso_req *req, struct gso_walk *w)
{
	w->at = 0;
	w->end = is_flat(req) ? inner_ip_place(it, req) : req->outer_l2_len;
	w->type = RTE_ETHER_TYPE_TEB;
	gso_link_walk(it, w);
	if (is_flat(req))
		return w->type != 0 ? CSUM_REFUSAL_NONE : CSUM_REFUSAL_HEADER;
	if (w->type != 0 && w->at != w->end)
		return unnamed_read(it, w);
	w->at = w->end;
	return CSUM_REFUSAL_NONE;
}

/* The tunnel that the flags name, to the next IP header. */
static enum csum_refusal
named_read(struct csum_gso_iter *it, const struct csum_gso_req *req, struct gso_walk *w)
{
	bool checked = (req->ol_flags & RTE_MBUF_F_TX_OUTER_UDP_CKSUM) != 0;
	enum csum_refusal refusal;

	w->end = is_flat(req) ? inner_ip_place(it, req) : tunnel_place(it, req);
	refusal = outer_ip_read(it, w);
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	if (!is_flat(req) && w->at != w->end)
		return CSUM_REFUSAL_HEADER;
	if ((req->ol_flags & (gso_inner_ip(it)->v6 ? RTE_MBUF_F_TX_OUTER_IPV4 :
			      RTE_MBUF_F_TX_OUTER_IPV6)) != 0)
		return CSUM_REFUSAL_HEADER;
	w->end = inner_ip_place(it, req);
	refusal = gso_tunnel_read(it, req->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK, checked, w);
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	gso_link_walk(it, w);
	return w->type != 0 ? CSUM_REFUSAL_NONE : CSUM_REFUSAL_TUNNEL;
}

static enum csum_refusal
tunnels_read(struct csum_gso_iter *it, const struct csum_gso_req *req, struct gso_walk *w)
{
	enum csum_refusal refusal = before_read(it, req, w);

	if (refusal == CSUM_REFUSAL_NONE)
		refusal = named_read(it, req, w);
	if (refusal == CSUM_REFUSAL_NONE && w->at != w->end)
		refusal = unnamed_read(it, w);
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	return (w->type == RTE_ETHER_TYPE_IPV6) == ((req->ol_flags & RTE_MBUF_F_TX_IPV6) != 0) ?
		CSUM_REFUSAL_NONE : CSUM_REFUSAL_HEADER;
}

enum csum_refusal
gso_outer_read(struct csum_gso_iter *it, const struct csum_gso_req *req, uint32_t *l3)
{
	enum csum_refusal refusal = CSUM_REFUSAL_NONE;
	struct gso_walk w;

	if ((req->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK) == 0)
		link_read(it, req->l2_len);
	else
		refusal = tunnels_read(it, req, &w);
	*l3 = inner_ip_place(it, req);
	return refusal;
}
