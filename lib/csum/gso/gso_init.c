/* SPDX-License-Identifier: BSD-3-Clause */

#include "gso_private.h"

void
csum_gso_req_from_mbuf(struct csum_gso_req *req, const struct rte_mbuf *m)
{
	req->ol_flags = m->ol_flags;
	req->outer_l2_len = m->outer_l2_len;
	req->outer_l3_len = m->outer_l3_len;
	req->l2_len = m->l2_len;
	req->l3_len = m->l3_len;
	req->l4_len = m->l4_len;
	req->segsz = m->tso_segsz;
}

static enum csum_refusal
flags_check(uint64_t flags)
{
	uint64_t seg = flags & (RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_UDP_SEG);
	uint64_t family = flags & (RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6);
	uint64_t outer = flags & (RTE_MBUF_F_TX_OUTER_IPV4 | RTE_MBUF_F_TX_OUTER_IPV6);
	uint64_t l4 = flags & RTE_MBUF_F_TX_L4_MASK;

	if (seg != RTE_MBUF_F_TX_TCP_SEG && seg != RTE_MBUF_F_TX_UDP_SEG)
		return CSUM_REFUSAL_FLAGS;
	if (family != RTE_MBUF_F_TX_IPV4 && family != RTE_MBUF_F_TX_IPV6)
		return CSUM_REFUSAL_FLAGS;
	/* Segmentation implies its checksum; another one contradicts it. */
	if (l4 != 0 && l4 != (seg == RTE_MBUF_F_TX_TCP_SEG ? RTE_MBUF_F_TX_TCP_CKSUM :
			      RTE_MBUF_F_TX_UDP_CKSUM))
		return CSUM_REFUSAL_FLAGS;
	if (outer == (RTE_MBUF_F_TX_OUTER_IPV4 | RTE_MBUF_F_TX_OUTER_IPV6))
		return CSUM_REFUSAL_FLAGS;
	if (outer != 0 && (flags & RTE_MBUF_F_TX_TUNNEL_MASK) == 0)
		return CSUM_REFUSAL_TUNNEL;
	return CSUM_REFUSAL_NONE;
}

/* Read the headers, as long as the request says they are, and find the payload behind them. */
static enum csum_refusal
headers_load(struct csum_gso_iter *it, const struct csum_gso_req *req)
{
	uint32_t len = req->l2_len + req->l3_len + it->l4_len;
	const struct rte_mbuf *m = it->m;
	struct csum_mbuf_pos end;

	if ((req->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK) != 0)
		len += req->outer_l2_len + req->outer_l3_len;
	if (req->l3_len == 0 || it->l4_len == 0)
		return CSUM_REFUSAL_LENGTHS;
	if (len > m->pkt_len)
		return CSUM_REFUSAL_LENGTHS;
	if (len > CSUM_GSO_MAX_HDR)
		return CSUM_REFUSAL_TOO_BIG;
	/* The chain is measured here, so that no segment comes out before it is found too short. */
	if (csum_mbuf_read(m, 0, it->hdr, len) < 0 || csum_mbuf_seek(m, len, &it->pos) < 0 ||
	    csum_mbuf_seek(m, m->pkt_len, &end) < 0)
		return CSUM_REFUSAL_LENGTHS;
	it->hdr_len = len;
	it->payload_left = m->pkt_len - len;
	return CSUM_REFUSAL_NONE;
}

static enum csum_refusal
headers_read(struct csum_gso_iter *it, const struct csum_gso_req *req)
{
	bool v6 = (req->ol_flags & RTE_MBUF_F_TX_IPV6) != 0;
	enum csum_refusal refusal;
	uint32_t l3;

	refusal = gso_outer_read(it, req, &l3);
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	gso_jumbo_remove(it, l3, it->hdr_len - it->l4_len);
	it->l4 = it->hdr_len - it->l4_len;
	refusal = gso_ip_read(it, l3, it->l4);
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	if (gso_inner_ip(it)->v6 != v6 || l3 + gso_inner_ip(it)->len != it->l4)
		return CSUM_REFUSAL_HEADER;
	return CSUM_REFUSAL_NONE;
}

/* The output's mbufs must have room for headers; then they have room for some payload too. */
static enum csum_refusal
room_init(struct csum_gso_iter *it)
{
	uint32_t hdr_len = it->hdr_len + it->first_len;
	uint32_t room = rte_pktmbuf_data_room_size(it->conf->pool);

	if (it->conf->headroom + hdr_len + it->conf->tailroom > room)
		return CSUM_REFUSAL_LENGTHS;
	it->room = room - it->conf->tailroom;
	return CSUM_REFUSAL_NONE;
}

static enum csum_refusal
iter_init(struct csum_gso_iter *it, const struct csum_gso_req *req)
{
	enum csum_refusal refusal;

	refusal = flags_check(req->ol_flags);
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	if (req->segsz == 0)
		return CSUM_REFUSAL_SEGSZ;
	it->segsz = req->segsz;
	it->unit = req->segsz;
	it->l4_len = req->l4_len;
	if (it->l4_len == 0 && (req->ol_flags & RTE_MBUF_F_TX_UDP_SEG) != 0)
		it->l4_len = UDP_MIN;
	refusal = headers_load(it, req);
	if (refusal == CSUM_REFUSAL_NONE)
		refusal = headers_read(it, req);
	if (refusal == CSUM_REFUSAL_NONE)
		refusal = gso_template_init(it, req);
	if (refusal == CSUM_REFUSAL_NONE)
		refusal = room_init(it);
	if (refusal == CSUM_REFUSAL_NONE && gso_is_attaching(it))
		refusal = gso_attach_init(it);
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	gso_lower_init(it, req);
	if (!gso_template_size(it, csum_gso_iter_left(it) > 1 ? it->unit : it->payload_left))
		return CSUM_REFUSAL_TOO_BIG;
	gso_meta_init(it);
	gso_alike_init(it);
	return CSUM_REFUSAL_NONE;
}

int
csum_gso_iter_init(struct csum_gso_iter *it, const struct rte_mbuf *m,
		   const struct csum_gso_req *req, const struct csum_gso_conf *conf,
		   enum csum_refusal *why)
{
	enum csum_refusal refusal;

	/* All but hdr, of which only what is read counts. */
	memset(it, 0, offsetof(struct csum_gso_iter, hdr));
	it->conf = conf;
	it->variant = csum_variant_current();
	it->m = m;
	refusal = iter_init(it, req);
	if (why != NULL)
		*why = refusal;
	return csum_refusal_errno(refusal);
}
