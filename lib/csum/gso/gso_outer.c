/* SPDX-License-Identifier: BSD-3-Clause */

#include <netinet/in.h>

#include <rte_ether.h>

#include "gso_private.h"

#define ETHER_TYPE_OFF 12
#define ETHER_HDR 14
#define VLAN_HDR 4
#define MPLS_LABEL 4
#define PPPOE_HDR 8
#define PPP_IPV4 0x0021
#define PPP_IPV6 0x0057
#define MAX_802_3_LEN 1500
#define SNAP_HDR 8

#define VXLAN_HDR 8
#define GPE_NEXT_GIVEN 0x04
#define GENEVE_HDR 8

#define GRE_CHECK 0x8000
#define GRE_ROUTING 0x4000
#define GRE_KEY 0x2000
#define GRE_SEQ 0x1000
#define GRE_VERSION 0x0007

/* The EtherType at *at, or behind a length that stands in its place; 0 if not known. */
static uint16_t
type_read(struct csum_gso_iter *it, uint32_t *at, uint32_t end)
{
	static const uint8_t snap[6] = { 0xaa, 0xaa, 0x03, 0, 0, 0 };
	uint16_t type;

	if (*at + 2 > end)
		return 0;
	type = get_be16(it->hdr + *at);
	*at += 2;
	if (type > MAX_802_3_LEN)
		return type;
	if (*at + SNAP_HDR > end || memcmp(it->hdr + *at, snap, sizeof(snap)) != 0)
		return 0;
	gso_len_add(it, *at - 2, *at);
	*at += SNAP_HDR;
	return get_be16(it->hdr + *at - 2);
}

static uint16_t
mpls_walk(const struct csum_gso_iter *it, uint32_t *at, uint32_t end)
{
	bool bottom = false;

	while (!bottom) {
		if (*at + MPLS_LABEL > end)
			return 0;
		bottom = (it->hdr[*at + 2] & 1) != 0;
		*at += MPLS_LABEL;
	}
	/* Labels do not name what follows. Its version does, and end is within the headers. */
	switch (it->hdr[*at] >> 4) {
	case 4:
		return RTE_ETHER_TYPE_IPV4;
	case 6:
		return RTE_ETHER_TYPE_IPV6;
	default:
		return 0;
	}
}

static uint16_t
pppoe_walk(struct csum_gso_iter *it, uint32_t *at, uint32_t end)
{
	const uint8_t *hdr = it->hdr + *at;

	if (*at + PPPOE_HDR > end)
		return 0;
	gso_len_add(it, *at + 4, *at + 6);
	*at += PPPOE_HDR;
	switch (get_be16(hdr + 6)) {
	case PPP_IPV4:
		return RTE_ETHER_TYPE_IPV4;
	case PPP_IPV6:
		return RTE_ETHER_TYPE_IPV6;
	default:
		return 0;
	}
}

/*
 * Walk link-layer headers from *at, where something of an EtherType begins (TEB: an Ethernet
 * header), to the first IP header, and register their length field: one at most, so that
 * CSUM_GSO_MAX_LENS holds. Returns the EtherType of IP and where it begins; 0 when something
 * unknown is in the way or end comes first: then no length is registered.
 */
static uint16_t
link_walk(struct csum_gso_iter *it, uint32_t *at, uint32_t end, uint16_t type)
{
	uint8_t nb_lens = it->nb_lens;

	while (type != 0 && *at <= end && it->nb_lens <= nb_lens + 1) {
		switch (type) {
		case RTE_ETHER_TYPE_IPV4:
		case RTE_ETHER_TYPE_IPV6:
			return type;
		case RTE_ETHER_TYPE_TEB:
			*at += ETHER_TYPE_OFF;
			type = type_read(it, at, end);
			break;
		case RTE_ETHER_TYPE_VLAN:
		case RTE_ETHER_TYPE_QINQ:
		case RTE_ETHER_TYPE_QINQ1:
			*at += VLAN_HDR - 2;
			type = type_read(it, at, end);
			break;
		case RTE_ETHER_TYPE_MPLS:
		case RTE_ETHER_TYPE_MPLSM:
			type = mpls_walk(it, at, end);
			break;
		case RTE_ETHER_TYPE_PPPOE_SESSION:
			type = pppoe_walk(it, at, end);
			break;
		default:
			type = 0;
		}
	}
	it->nb_lens = nb_lens;
	return 0;
}

/*
 * Without a tunnel only the link layer is there, and whatever it is made of, it is opaque but for
 * a length in it.
 */
static void
link_read(struct csum_gso_iter *it, uint32_t l3)
{
	uint8_t nb_lens = it->nb_lens;
	uint32_t at = 0;

	if (link_walk(it, &at, l3, RTE_ETHER_TYPE_TEB) == 0 || at != l3)
		it->nb_lens = nb_lens;
}

/* What a tunnel header over UDP at @p off says that follows, and where. */
static uint16_t
udp_tunnel_next(const struct csum_gso_iter *it, uint64_t tunnel, uint32_t off, uint32_t *next)
{
	const uint8_t *hdr = it->hdr + off;

	*next = off + VXLAN_HDR;
	if (tunnel == RTE_MBUF_F_TX_TUNNEL_GENEVE) {
		*next = off + GENEVE_HDR + (hdr[0] & 0x3f) * 4;
		return hdr[0] >> 6 == 0 ? get_be16(hdr + 2) : 0;
	}
	if (tunnel == RTE_MBUF_F_TX_TUNNEL_VXLAN_GPE && (hdr[0] & GPE_NEXT_GIVEN) != 0) {
		static const uint16_t next_protocols[] = {
			0, RTE_ETHER_TYPE_IPV4, RTE_ETHER_TYPE_IPV6, RTE_ETHER_TYPE_TEB,
		};

		return hdr[3] < RTE_DIM(next_protocols) ? next_protocols[hdr[3]] : 0;
	}
	return RTE_ETHER_TYPE_TEB;
}

static enum csum_refusal
udp_tunnel_read(struct csum_gso_iter *it, const struct csum_gso_req *req, uint32_t off,
		uint32_t end, uint32_t *next, uint16_t *type)
{
	struct csum_gso_tunnel *tunnel = &it->tunnel;
	uint8_t *udp = it->hdr + off;
	bool zero;

	if (it->ip[0].proto != IPPROTO_UDP || off + UDP_MIN + VXLAN_HDR > end)
		return CSUM_REFUSAL_HEADER;
	/* An absent checksum stays absent where that is legal; one asked for is made anew. */
	zero = get16(udp + UDP_CHECK) == 0 &&
		(req->ol_flags & RTE_MBUF_F_TX_OUTER_UDP_CKSUM) == 0 &&
		(!it->ip[0].v6 || (it->conf->flags & CSUM_GSO_F_UDP6_ZERO) != 0);
	tunnel->udp = true;
	tunnel->off = off;
	tunnel->check = zero ? 0 : off + UDP_CHECK;
	put16(udp + UDP_CHECK, 0);
	gso_len_add(it, off + UDP_LEN, off);
	*type = udp_tunnel_next(it, req->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK, off + UDP_MIN, next);
	return CSUM_REFUSAL_NONE;
}

static enum csum_refusal
gre_read(struct csum_gso_iter *it, uint32_t off, uint32_t end, uint32_t *next, uint16_t *type)
{
	struct csum_gso_tunnel *tunnel = &it->tunnel;
	uint8_t *gre = it->hdr + off;
	uint32_t len = 4;
	uint16_t flags;

	if (it->ip[0].proto != IPPROTO_GRE || off + len > end)
		return CSUM_REFUSAL_HEADER;
	flags = get_be16(gre);
	if ((flags & (GRE_ROUTING | GRE_VERSION)) != 0)
		return CSUM_REFUSAL_TUNNEL;
	tunnel->off = off;
	if ((flags & GRE_CHECK) != 0) {
		tunnel->check = off + len;
		len += 4;
	}
	if ((flags & GRE_KEY) != 0)
		len += 4;
	if ((flags & GRE_SEQ) != 0) {
		tunnel->seq_off = off + len;
		len += 4;
	}
	if (off + len > end)
		return CSUM_REFUSAL_HEADER;
	if (tunnel->check != 0)
		put16(it->hdr + tunnel->check, 0);
	if (tunnel->seq_off != 0) {
		tunnel->seq = rte_be_to_cpu_32(get32(it->hdr + tunnel->seq_off));
		put32(it->hdr + tunnel->seq_off, 0);
	}
	*next = off + len;
	*type = get_be16(gre + 2);
	return CSUM_REFUSAL_NONE;
}

/* Read the tunnel header at @p off; what it carries must lead to an IP header at @p end. */
static enum csum_refusal
tunnel_read(struct csum_gso_iter *it, const struct csum_gso_req *req, uint32_t off, uint32_t end)
{
	enum csum_refusal refusal = CSUM_REFUSAL_NONE;
	uint32_t next = off;
	uint16_t type = 0;

	switch (req->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK) {
	case RTE_MBUF_F_TX_TUNNEL_VXLAN:
	case RTE_MBUF_F_TX_TUNNEL_VXLAN_GPE:
	case RTE_MBUF_F_TX_TUNNEL_GENEVE:
		refusal = udp_tunnel_read(it, req, off, end, &next, &type);
		break;
	case RTE_MBUF_F_TX_TUNNEL_GRE:
		refusal = gre_read(it, off, end, &next, &type);
		break;
	case RTE_MBUF_F_TX_TUNNEL_IPIP:
		if (it->ip[0].proto == IPPROTO_IPIP)
			type = RTE_ETHER_TYPE_IPV4;
		else if (it->ip[0].proto == IPPROTO_IPV6)
			type = RTE_ETHER_TYPE_IPV6;
		else
			refusal = CSUM_REFUSAL_HEADER;
		break;
	default:
		refusal = CSUM_REFUSAL_TUNNEL;
	}
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	if (next > end)
		return CSUM_REFUSAL_HEADER;
	type = link_walk(it, &next, end, type);
	if (type == 0 || next != end)
		return CSUM_REFUSAL_TUNNEL;
	return (type == RTE_ETHER_TYPE_IPV6) == ((req->ol_flags & RTE_MBUF_F_TX_IPV6) != 0) ?
		CSUM_REFUSAL_NONE : CSUM_REFUSAL_HEADER;
}

/*
 * Read the outer IP header. Of DPDK's two conventions the first gives its place; in the second the
 * whole is in l2_len, and begins with an Ethernet header.
 */
static enum csum_refusal
outer_ip_read(struct csum_gso_iter *it, const struct csum_gso_req *req, uint32_t *l3)
{
	bool in_l2 = req->outer_l2_len == 0 && req->outer_l3_len == 0;
	uint32_t off = 0, end = in_l2 ? *l3 : req->outer_l2_len + req->outer_l3_len;
	enum csum_refusal refusal;
	uint32_t removed;
	uint16_t type;

	type = link_walk(it, &off, in_l2 ? end : req->outer_l2_len, RTE_ETHER_TYPE_TEB);
	if (in_l2) {
		if (type == 0)
			return CSUM_REFUSAL_HEADER;
	} else {
		/* Another tunnel around this one? */
		if (type != 0 && off != req->outer_l2_len)
			return CSUM_REFUSAL_TUNNEL;
		off = req->outer_l2_len;
	}
	removed = gso_jumbo_remove(it, off, end);
	*l3 -= removed;
	end -= removed;
	refusal = gso_ip_read(it, off, end);
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	if (!in_l2 && off + it->ip[0].len != end)
		return CSUM_REFUSAL_HEADER;
	return (req->ol_flags & (it->ip[0].v6 ? RTE_MBUF_F_TX_OUTER_IPV4 :
				 RTE_MBUF_F_TX_OUTER_IPV6)) == 0 ?
		CSUM_REFUSAL_NONE : CSUM_REFUSAL_HEADER;
}

enum csum_refusal
gso_outer_read(struct csum_gso_iter *it, const struct csum_gso_req *req, uint32_t *l3)
{
	enum csum_refusal refusal;

	if ((req->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK) == 0) {
		*l3 = req->l2_len;
		link_read(it, *l3);
		return CSUM_REFUSAL_NONE;
	}
	*l3 = req->outer_l2_len + req->outer_l3_len + req->l2_len;
	refusal = outer_ip_read(it, req, l3);
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	return tunnel_read(it, req, it->ip[0].off + it->ip[0].len, *l3);
}
