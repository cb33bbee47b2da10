/* SPDX-License-Identifier: BSD-3-Clause */

#include <netinet/in.h>

#include <rte_ether.h>

#include "gso_private.h"

#define PROTO_ETHERNET 143 /* RFC 8986 section 4.9 */

#define VXLAN_HDR 8
#define GPE_NEXT_GIVEN 0x04
#define GENEVE_HDR 8
#define GENEVE_VERSION 0xc0
#define GENEVE_OPT_WORDS 0x3f

#define GTPU_HDR 8
#define GTPU_OPT 4 /* sequence number, N-PDU number, type of the first extension header */
#define GTPU_KIND 0xf0
#define GTPU_KIND_1 0x30 /* version 1, GTP and not GTP' */
#define GTPU_HAS_OPT 0x07
#define GTPU_HAS_EXT 0x04
#define GTPU_HAS_SEQ 0x02
#define GTPU_G_PDU 255

#define GRE_HDR 4
#define GRE_CHECK 0x8000
#define GRE_ROUTING 0x4000
#define GRE_KEY 0x2000
#define GRE_SEQ 0x1000
#define GRE_VERSION 0x0007

static inline struct csum_gso_tunnel *
tunnel_of(struct csum_gso_iter *it)
{
	return &it->tunnel[it->nb_ip - 1];
}

/* Register the sequence number at @p off. */
static void
seq_read(struct csum_gso_iter *it, uint32_t off, uint8_t len)
{
	struct csum_gso_tunnel *tunnel = tunnel_of(it);
	uint8_t *seq = it->hdr + off;

	tunnel->seq_off = off;
	tunnel->seq_len = len;
	tunnel->seq = len == 2 ? get_be16(seq) : rte_be_to_cpu_32(get32(seq));
	memset(seq, 0, len);
}

static enum csum_refusal
udp_read(struct csum_gso_iter *it, bool checked, struct gso_walk *w)
{
	const struct csum_gso_ip *ip = gso_inner_ip(it);
	struct csum_gso_tunnel *tunnel = tunnel_of(it);
	uint8_t *udp = it->hdr + w->at;
	bool zero;

	if (ip->proto != IPPROTO_UDP || w->at + UDP_MIN > w->end)
		return CSUM_REFUSAL_HEADER;
	/* An absent checksum stays absent where that is legal; one asked for is made anew. */
	zero = !checked && get16(udp + UDP_CHECK) == 0 &&
		(!ip->v6 || (it->conf->flags & CSUM_GSO_F_UDP6_ZERO) != 0);
	tunnel->udp = true;
	tunnel->check = zero ? 0 : w->at + UDP_CHECK;
	put16(udp + UDP_CHECK, 0);
	gso_len_add(it, w->at + UDP_LEN, w->at);
	w->at += UDP_MIN;
	return CSUM_REFUSAL_NONE;
}

static enum csum_refusal
gpe_read(const struct csum_gso_iter *it, struct gso_walk *w)
{
	static const uint16_t types[] = {
		0, RTE_ETHER_TYPE_IPV4, RTE_ETHER_TYPE_IPV6, RTE_ETHER_TYPE_TEB, 0,
		RTE_ETHER_TYPE_MPLS,
	};
	const uint8_t *hdr = it->hdr + w->at;

	if (w->at + VXLAN_HDR > w->end)
		return CSUM_REFUSAL_HEADER;
	w->at += VXLAN_HDR;
	w->type = RTE_ETHER_TYPE_TEB;
	if ((hdr[0] & GPE_NEXT_GIVEN) != 0)
		w->type = hdr[3] < RTE_DIM(types) ? types[hdr[3]] : 0;
	return CSUM_REFUSAL_NONE;
}

static enum csum_refusal
geneve_read(const struct csum_gso_iter *it, struct gso_walk *w)
{
	const uint8_t *hdr = it->hdr + w->at;

	if (w->at + GENEVE_HDR > w->end)
		return CSUM_REFUSAL_HEADER;
	w->at += GENEVE_HDR + (hdr[0] & GENEVE_OPT_WORDS) * 4;
	w->type = (hdr[0] & GENEVE_VERSION) == 0 ? get_be16(hdr + 2) : 0;
	return CSUM_REFUSAL_NONE;
}

/* Pass over extension headers, the first of the type given: the next type is in their last byte. */
static enum csum_refusal
gtpu_ext_read(const struct csum_gso_iter *it, uint8_t type, struct gso_walk *w)
{
	uint32_t len;

	while (type != 0) {
		len = w->at < w->end ? it->hdr[w->at] * 4 : 0;
		if (len == 0 || w->at + len > w->end)
			return CSUM_REFUSAL_HEADER;
		w->at += len;
		type = it->hdr[w->at - 1];
	}
	return CSUM_REFUSAL_NONE;
}

/* GTP-U (3GPP TS 29.281 section 5.1). */
static enum csum_refusal
gtpu_read(struct csum_gso_iter *it, struct gso_walk *w)
{
	const uint8_t *hdr = it->hdr + w->at;
	enum csum_refusal refusal;

	if (w->at + GTPU_HDR > w->end)
		return CSUM_REFUSAL_HEADER;
	/* Other messages carry no user's packet. */
	if ((hdr[0] & GTPU_KIND) != GTPU_KIND_1 || hdr[1] != GTPU_G_PDU)
		return CSUM_REFUSAL_TUNNEL;
	gso_len_add(it, w->at + 2, w->at + GTPU_HDR);
	w->at += GTPU_HDR;
	if ((hdr[0] & GTPU_HAS_OPT) != 0) {
		if (w->at + GTPU_OPT > w->end)
			return CSUM_REFUSAL_HEADER;
		if ((hdr[0] & GTPU_HAS_SEQ) != 0)
			seq_read(it, w->at, 2);
		w->at += GTPU_OPT;
	}
	if ((hdr[0] & GTPU_HAS_EXT) != 0) {
		refusal = gtpu_ext_read(it, it->hdr[w->at - 1], w);
		if (refusal != CSUM_REFUSAL_NONE)
			return refusal;
	}
	w->type = gso_ip_type(it, w->at);
	return CSUM_REFUSAL_NONE;
}

static enum csum_refusal
gre_read(struct csum_gso_iter *it, struct gso_walk *w)
{
	struct csum_gso_tunnel *tunnel = tunnel_of(it);
	const uint8_t *gre = it->hdr + w->at;
	uint32_t seq_off = 0;
	uint16_t flags;

	if (gso_inner_ip(it)->proto != IPPROTO_GRE || w->at + GRE_HDR > w->end)
		return CSUM_REFUSAL_HEADER;
	flags = get_be16(gre);
	if ((flags & (GRE_ROUTING | GRE_VERSION)) != 0)
		return CSUM_REFUSAL_TUNNEL;
	w->at += GRE_HDR;
	if ((flags & GRE_CHECK) != 0) {
		tunnel->check = w->at;
		w->at += 4;
	}
	if ((flags & GRE_KEY) != 0)
		w->at += 4;
	if ((flags & GRE_SEQ) != 0) {
		seq_off = w->at;
		w->at += 4;
	}
	if (w->at > w->end)
		return CSUM_REFUSAL_HEADER;
	if (tunnel->check != 0)
		put16(it->hdr + tunnel->check, 0);
	if (seq_off != 0)
		seq_read(it, seq_off, 4);
	w->type = get_be16(gre + 2);
	return CSUM_REFUSAL_NONE;
}

/* A header that nothing is known of but where it ends. */
static enum csum_refusal
opaque_read(const struct csum_gso_iter *it, struct gso_walk *w)
{
	w->at = w->end;
	w->type = gso_ip_type(it, w->at);
	return CSUM_REFUSAL_NONE;
}

/* What IP says it carries, without a header of its own. */
static uint16_t
type_of_proto(uint8_t proto)
{
	switch (proto) {
	case IPPROTO_IPIP:
		return RTE_ETHER_TYPE_IPV4;
	case IPPROTO_IPV6:
		return RTE_ETHER_TYPE_IPV6;
	case IPPROTO_MPLS:
		return RTE_ETHER_TYPE_MPLS;
	case PROTO_ETHERNET:
		return RTE_ETHER_TYPE_TEB;
	default:
		return 0;
	}
}

/* Any tunnel right behind IP: those whose header changes are known by their protocol number. */
static enum csum_refusal
over_ip_read(struct csum_gso_iter *it, struct gso_walk *w)
{
	uint8_t proto = gso_inner_ip(it)->proto;

	switch (proto) {
	case IPPROTO_GRE:
		return gre_read(it, w);
	case IPPROTO_UDP:
		return CSUM_REFUSAL_HEADER;
	case IPPROTO_TCP:
	case IPPROTO_ESP:
	case IPPROTO_AH:
		return CSUM_REFUSAL_TUNNEL;
	}
	w->type = type_of_proto(proto);
	return w->type != 0 ? CSUM_REFUSAL_NONE : opaque_read(it, w);
}

static enum csum_refusal
ipip_read(const struct csum_gso_iter *it, struct gso_walk *w)
{
	w->type = type_of_proto(it->ip[it->nb_ip - 1].proto);
	return w->type == RTE_ETHER_TYPE_IPV4 || w->type == RTE_ETHER_TYPE_IPV6 ?
		CSUM_REFUSAL_NONE : CSUM_REFUSAL_HEADER;
}

static enum csum_refusal
over_udp_read(struct csum_gso_iter *it, uint64_t kind, struct gso_walk *w)
{
	switch (kind) {
	case RTE_MBUF_F_TX_TUNNEL_VXLAN:
		w->at += VXLAN_HDR;
		w->type = RTE_ETHER_TYPE_TEB;
		return CSUM_REFUSAL_NONE;
	case RTE_MBUF_F_TX_TUNNEL_VXLAN_GPE:
		return gpe_read(it, w);
	case RTE_MBUF_F_TX_TUNNEL_GENEVE:
		return geneve_read(it, w);
	case RTE_MBUF_F_TX_TUNNEL_GTP:
		return gtpu_read(it, w);
	case RTE_MBUF_F_TX_TUNNEL_MPLSINUDP:
		w->type = RTE_ETHER_TYPE_MPLS;
		return CSUM_REFUSAL_NONE;
	default:
		return opaque_read(it, w);
	}
}

/* The kind of a tunnel that no flag names, by IP protocol and UDP ports; 0: not known. */
static uint64_t
kind_guess(const struct csum_gso_iter *it, const struct gso_walk *w)
{
	uint8_t proto = it->ip[it->nb_ip - 1].proto;
	const uint8_t *udp = it->hdr + w->at;

	if (proto == IPPROTO_GRE || type_of_proto(proto) != 0)
		return RTE_MBUF_F_TX_TUNNEL_IP;
	if (proto != IPPROTO_UDP || w->at + UDP_MIN > w->end)
		return 0;
	switch (get_be16(udp + UDP_DST)) {
	case 4789:
		return RTE_MBUF_F_TX_TUNNEL_VXLAN;
	case 4790:
		return RTE_MBUF_F_TX_TUNNEL_VXLAN_GPE;
	case 6081:
		return RTE_MBUF_F_TX_TUNNEL_GENEVE;
	case 6635:
		return RTE_MBUF_F_TX_TUNNEL_MPLSINUDP;
	case 2152:
		return RTE_MBUF_F_TX_TUNNEL_GTP;
	default:
		return 0;
	}
}

enum csum_refusal
gso_tunnel_read(struct csum_gso_iter *it, uint64_t kind, bool checked, struct gso_walk *w)
{
	enum csum_refusal refusal;

	if (kind == 0)
		kind = kind_guess(it, w);
	tunnel_of(it)->off = w->at;
	switch (kind) {
	case RTE_MBUF_F_TX_TUNNEL_VXLAN:
	case RTE_MBUF_F_TX_TUNNEL_VXLAN_GPE:
	case RTE_MBUF_F_TX_TUNNEL_GENEVE:
	case RTE_MBUF_F_TX_TUNNEL_GTP:
	case RTE_MBUF_F_TX_TUNNEL_MPLSINUDP:
	case RTE_MBUF_F_TX_TUNNEL_UDP:
		refusal = udp_read(it, checked, w);
		if (refusal == CSUM_REFUSAL_NONE)
			refusal = over_udp_read(it, kind, w);
		break;
	case RTE_MBUF_F_TX_TUNNEL_GRE:
		refusal = gre_read(it, w);
		break;
	case RTE_MBUF_F_TX_TUNNEL_IPIP:
		refusal = ipip_read(it, w);
		break;
	case RTE_MBUF_F_TX_TUNNEL_IP:
		refusal = over_ip_read(it, w);
		break;
	default:
		refusal = CSUM_REFUSAL_TUNNEL;
	}
	if (refusal == CSUM_REFUSAL_NONE && w->at > w->end)
		refusal = CSUM_REFUSAL_HEADER;
	return refusal;
}
