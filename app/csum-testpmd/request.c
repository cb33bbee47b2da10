/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <rte_common.h>

#include <csum_mbuf.h>

#include "request.h"

#define UDP_CHECK_OFF 6
#define IPV6_HDR_LEN 40
#define IPV6_EXT_UNIT 8
#define OPT_PAD1 0
#define OPT_PADN 1
#define OPT_JUMBO 0xc2

/* The headers that metadata can describe. */
struct headers {
	const struct csum_layer *outermost; /* first IP header */
	const struct csum_layer *outer;     /* IP header of the tunnel; NULL: there is none */
	const struct csum_layer *ip;        /* innermost IP header */
	const struct csum_layer *l4;        /* what it carries; NULL: nothing known */
	uint64_t tunnel;                    /* one of RTE_MBUF_F_TX_TUNNEL_*; 0: none of them */
};

static bool
is_ip(const struct csum_layer *layer)
{
	return layer->type == CSUM_LAYER_IPV4 || layer->type == CSUM_LAYER_IPV6;
}

static bool
is_tcp_or_udp(const struct csum_layer *layer)
{
	return layer->type == CSUM_LAYER_TCP || layer->type == CSUM_LAYER_UDP;
}

uint64_t
request_tunnel_kind(const struct csum_pkt *pkt, unsigned int outer, unsigned int inner)
{
	static const uint64_t over_udp[] = {
		[CSUM_LAYER_MPLS] = RTE_MBUF_F_TX_TUNNEL_MPLSINUDP,
		[CSUM_LAYER_VXLAN] = RTE_MBUF_F_TX_TUNNEL_VXLAN,
		[CSUM_LAYER_VXLAN_GPE] = RTE_MBUF_F_TX_TUNNEL_VXLAN_GPE,
		[CSUM_LAYER_GENEVE] = RTE_MBUF_F_TX_TUNNEL_GENEVE,
		[CSUM_LAYER_GTPU] = RTE_MBUF_F_TX_TUNNEL_GTP,
		[CSUM_LAYER_PAYLOAD] = 0,
	};
	const struct csum_layer *next = &pkt->layer[outer + 1];

	if (outer + 1 == inner)
		return RTE_MBUF_F_TX_TUNNEL_IPIP;
	if (next->type == CSUM_LAYER_GRE)
		return RTE_MBUF_F_TX_TUNNEL_GRE;
	if (next->type == CSUM_LAYER_UDP)
		return over_udp[next[1].type];
	return 0;
}

/* The same with tunnels right behind IP, which the forwarding engine does not parse. */
static uint64_t
any_tunnel_kind(const struct csum_pkt *pkt, unsigned int outer, unsigned int inner)
{
	const struct csum_layer *next = &pkt->layer[outer + 1];

	if (next->type == CSUM_LAYER_MPLS || next->type == CSUM_LAYER_ETHER)
		return RTE_MBUF_F_TX_TUNNEL_IP;
	return request_tunnel_kind(pkt, outer, inner);
}

/* Returns the number of IP headers; without one, nothing is set. */
static unsigned int
find_headers(const struct csum_pkt *pkt, struct headers *h)
{
	unsigned int outer = 0, inner = 0, nb_ip = 0;
	unsigned int i;

	for (i = 0; i < pkt->nb_layers; i++) {
		if (!is_ip(&pkt->layer[i]))
			continue;
		if (nb_ip++ == 0)
			h->outermost = &pkt->layer[i];
		outer = inner;
		inner = i;
	}
	if (nb_ip == 0)
		return 0;
	h->ip = &pkt->layer[inner];
	h->l4 = inner + 1 < pkt->nb_layers ? &pkt->layer[inner + 1] : NULL;
	h->outer = nb_ip > 1 ? &pkt->layer[outer] : NULL;
	h->tunnel = nb_ip > 1 ? any_tunnel_kind(pkt, outer, inner) : 0;
	return nb_ip;
}

/* Lengths and the flags that say what the headers are. */
static void
describe(const struct headers *h, struct csum_gso_req *req)
{
	uint32_t begin = 0;

	*req = (struct csum_gso_req){
		.ol_flags = h->tunnel,
		.l3_len = h->ip->hdr_len,
	};
	if (h->l4 != NULL && is_tcp_or_udp(h->l4))
		req->l4_len = h->l4->hdr_len;
	if (h->outer != NULL) {
		req->outer_l2_len = h->outer->off;
		req->outer_l3_len = h->outer->hdr_len;
		req->ol_flags |= h->outer->type == CSUM_LAYER_IPV4 ?
			RTE_MBUF_F_TX_OUTER_IPV4 : RTE_MBUF_F_TX_OUTER_IPV6;
		begin = h->outer->off + h->outer->hdr_len;
	}
	req->l2_len = h->ip->off - begin;
	req->ol_flags |= h->ip->type == CSUM_LAYER_IPV4 ?
		RTE_MBUF_F_TX_IPV4 : RTE_MBUF_F_TX_IPV6;
}

/* A tunnel's UDP header may do without a checksum, and then goes on doing so. */
static bool
has_outer_udp_check(const struct rte_mbuf *m, const struct headers *h)
{
	const struct csum_layer *udp = h->outer + 1;
	uint16_t check;

	return udp->type == CSUM_LAYER_UDP &&
		csum_mbuf_read(m, udp->off + UDP_CHECK_OFF, &check, sizeof(check)) == 0 &&
		check != 0;
}

/* Whether hop-by-hop options are the jumbo payload option and padding (RFC 8200 section 4.2). */
static bool
is_jumbo_alone(const uint8_t *hdr, uint32_t len)
{
	uint32_t at = 2;

	while (at + 1 < len) {
		if (hdr[at] == OPT_PAD1) {
			at++;
			continue;
		}
		if (hdr[at] != OPT_PADN && hdr[at] != OPT_JUMBO)
			return false;
		at += 2 + hdr[at + 1];
	}
	return true;
}

/*
 * Bytes of a hop-by-hop header that pieces do without: they are shorter than 64 KB, so a header
 * goes that holds the jumbo payload option alone (RFC 2675 section 2).
 */
static uint32_t
jumbo_len(const struct rte_mbuf *m, const struct csum_layer *ip)
{
	uint8_t hdr[CSUM_GSO_MAX_HDR];
	uint32_t off, len;

	if (ip == NULL || (ip->flags & CSUM_LAYER_F_JUMBO) == 0)
		return 0;
	off = ip->off + IPV6_HDR_LEN;
	if (csum_mbuf_read(m, off, hdr, IPV6_EXT_UNIT) != 0)
		return 0;
	len = (hdr[1] + 1) * IPV6_EXT_UNIT;
	if (len > sizeof(hdr) || csum_mbuf_read(m, off, hdr, len) != 0)
		return 0;
	return is_jumbo_alone(hdr, len) ? len : 0;
}

/* Bytes that the MTU leaves a piece behind its headers up to and including `last`. */
static uint32_t
mtu_room(const struct rte_mbuf *m, const struct headers *h, const struct csum_layer *last,
	 uint32_t mtu)
{
	uint32_t used = last->off + last->hdr_len - h->outermost->off;

	used -= jumbo_len(m, h->ip) + jumbo_len(m, h->outer);
	if (h->outermost != h->ip && h->outermost != h->outer)
		used -= jumbo_len(m, h->outermost);
	return mtu > used ? mtu - used : 0;
}

/* A size that was asked for is one that the pieces' length fields can say, too. */
static uint32_t
piece_size(const struct rte_mbuf *m, const struct headers *h, const struct request_sizes *sizes)
{
	bool tcp = h->l4->type == CSUM_LAYER_TCP;
	uint32_t asked = tcp ? sizes->segsz : sizes->uso;

	if (asked != 0)
		return RTE_MIN(asked, mtu_room(m, h, h->l4, UINT16_MAX));
	return mtu_room(m, h, tcp ? h->l4 : h->ip, sizes->mtu);
}

int
request_cut(const struct rte_mbuf *m, const struct csum_pkt *pkt,
	    const struct request_sizes *sizes, struct csum_gso_req *req, enum csum_refusal *why)
{
	unsigned int nb_ip;
	struct headers h;
	uint32_t segsz;

	nb_ip = find_headers(pkt, &h);
	if (nb_ip == 0 || h.l4 == NULL || !is_tcp_or_udp(h.l4)) {
		*why = CSUM_REFUSAL_PROTOCOL;
		return -ENOTSUP;
	}
	if (nb_ip > CSUM_GSO_MAX_IP || (nb_ip > 1 && h.tunnel == 0)) {
		*why = CSUM_REFUSAL_TUNNEL;
		return -ENOTSUP;
	}
	segsz = piece_size(m, &h, sizes);
	if (segsz == 0 || segsz > UINT16_MAX) {
		*why = CSUM_REFUSAL_SEGSZ;
		return -ENOTSUP;
	}
	describe(&h, req);
	req->segsz = segsz;
	req->ol_flags |= h.l4->type == CSUM_LAYER_TCP ?
		RTE_MBUF_F_TX_TCP_SEG : RTE_MBUF_F_TX_UDP_SEG;
	if (h.ip->type == CSUM_LAYER_IPV4)
		req->ol_flags |= RTE_MBUF_F_TX_IP_CKSUM;
	if (h.outer != NULL && h.outer->type == CSUM_LAYER_IPV4)
		req->ol_flags |= RTE_MBUF_F_TX_OUTER_IP_CKSUM;
	if (h.outer != NULL && has_outer_udp_check(m, &h))
		req->ol_flags |= RTE_MBUF_F_TX_OUTER_UDP_CKSUM;
	return 0;
}

/* The flag that asks for one layer's checksum; 0: there is none. */
static uint64_t
fill_flag(const struct headers *h, const struct csum_layer *layer)
{
	if (layer == h->ip)
		return layer->type == CSUM_LAYER_IPV4 ? RTE_MBUF_F_TX_IP_CKSUM : 0;
	if (layer == h->outer)
		return layer->type == CSUM_LAYER_IPV4 ? RTE_MBUF_F_TX_OUTER_IP_CKSUM : 0;
	if (h->outer != NULL && layer == h->outer + 1)
		return layer->type == CSUM_LAYER_UDP ? RTE_MBUF_F_TX_OUTER_UDP_CKSUM : 0;
	if (layer != h->l4)
		return 0;
	switch (layer->type) {
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

uint32_t
request_fill(const struct csum_pkt *pkt, uint32_t layers, struct csum_gso_req *req)
{
	unsigned int nb_ip, i;
	uint32_t covered = 0;
	struct headers h;
	uint64_t flag;

	memset(req, 0, sizeof(*req));
	nb_ip = find_headers(pkt, &h);
	if (nb_ip == 0 || nb_ip > 2 || (nb_ip == 2 && h.tunnel == 0))
		return 0;
	describe(&h, req);
	for (i = 0; i < pkt->nb_layers; i++) {
		flag = (layers & RTE_BIT32(i)) != 0 ? fill_flag(&h, &pkt->layer[i]) : 0;
		if (flag != 0)
			covered |= RTE_BIT32(i);
		req->ol_flags |= flag;
	}
	return covered;
}

int
request_to_mbuf(const struct csum_gso_req *req, struct rte_mbuf *m)
{
	const uint64_t tx_offload = m->tx_offload;

	m->outer_l2_len = req->outer_l2_len;
	m->outer_l3_len = req->outer_l3_len;
	m->l2_len = req->l2_len;
	m->l3_len = req->l3_len;
	m->l4_len = req->l4_len;
	m->tso_segsz = req->segsz;
	if (m->outer_l2_len != req->outer_l2_len || m->outer_l3_len != req->outer_l3_len ||
	    m->l2_len != req->l2_len || m->l3_len != req->l3_len || m->l4_len != req->l4_len) {
		m->tx_offload = tx_offload;
		return -ENOSPC;
	}
	m->ol_flags |= req->ol_flags;
	return 0;
}
