/* SPDX-License-Identifier: BSD-3-Clause */

#include <netinet/in.h>

#include "pkt_layout.h"
#include "pkt_parse_private.h"

#define IPV4_MIN_LEN   20
#define IPV4_FRAGMENT  0x3fff /* more fragments, or an offset */
#define IPV4_ADDRS     12
#define IPV6_LEN       40
#define IPV6_SRC       8
#define IPV6_DST       24
#define IPV6_ADDR_LEN  16
#define UDP_MIN_LEN    8
#define UDP_LEN        4

const struct pkt_l4_rule pkt_l4_udp = { IPPROTO_UDP, UDP_MIN_LEN, 6 };
static const struct pkt_l4_rule l4_tcp = { IPPROTO_TCP, 20, 16 };
static const struct pkt_l4_rule l4_sctp = { IPPROTO_SCTP, 12, 8 };

const struct pkt_l4_rule *
pkt_l4_rule_of(uint64_t want)
{
	switch (want & RTE_MBUF_F_TX_L4_MASK) {
	case RTE_MBUF_F_TX_TCP_CKSUM:
		return &l4_tcp;
	case RTE_MBUF_F_TX_UDP_CKSUM:
		return &pkt_l4_udp;
	case RTE_MBUF_F_TX_SCTP_CKSUM:
		return &l4_sctp;
	}
	return NULL;
}

enum csum_refusal
pkt_flags_check(uint64_t ol_flags)
{
	uint64_t family = ol_flags & PKT_TX_FAMILY_MASK;
	uint64_t outer = ol_flags & PKT_TX_OUTER_FAMILY_MASK;

	if (family == PKT_TX_FAMILY_MASK || outer == PKT_TX_OUTER_FAMILY_MASK)
		return CSUM_REFUSAL_FLAGS;
	if (family == 0 && (ol_flags & RTE_MBUF_F_TX_L4_MASK) != 0)
		return CSUM_REFUSAL_FLAGS;
	if (likely((ol_flags & PKT_TX_OUTER_MASK) == 0))
		return CSUM_REFUSAL_NONE;
	if ((ol_flags & RTE_MBUF_F_TX_OUTER_IP_CKSUM) != 0 && outer != RTE_MBUF_F_TX_OUTER_IPV4)
		return CSUM_REFUSAL_FLAGS;
	if ((ol_flags & RTE_MBUF_F_TX_OUTER_UDP_CKSUM) != 0 && outer == 0)
		return CSUM_REFUSAL_FLAGS;
	return CSUM_REFUSAL_NONE;
}

static uint32_t
bytes_there(const struct rte_mbuf *m)
{
	const struct rte_mbuf *seg;
	uint64_t len = m->data_len;

	for (seg = m->next; seg != NULL; seg = seg->next)
		len += seg->data_len;
	return (uint32_t)RTE_MIN(len, m->pkt_len);
}

/*
 * Have the first @p len bytes lie together at layout->hdr, and @p l4_len more as far as they are
 * there: a fragment may hold less than an L4 header.
 */
static enum csum_refusal
headers_flatten(struct pkt_layout *layout, const struct rte_mbuf *m, uint32_t len, uint32_t l4_len)
{
	layout->len = bytes_there(m);
	if (len > layout->len)
		return CSUM_REFUSAL_LENGTHS;
	len = RTE_MIN(len + l4_len, layout->len);
	if (likely(len <= m->data_len)) {
		layout->hdr = rte_pktmbuf_mtod(m, const uint8_t *);
		return CSUM_REFUSAL_NONE;
	}
	layout->hdr = layout->buf;
	if (len > sizeof(layout->buf) || csum_mbuf_read(m, 0, layout->buf, len) != 0)
		return CSUM_REFUSAL_LENGTHS;
	return CSUM_REFUSAL_NONE;
}

/*
 * Where an IP packet ends. A length of 0 is no length if more follows than the field could say,
 * as in BIG TCP.
 */
static uint32_t
ip_end(const struct pkt_layout *layout, uint32_t from, uint16_t len)
{
	uint32_t there = layout->len - from;

	if (unlikely(len == 0 && there > UINT16_MAX))
		return layout->len;
	return from + RTE_MIN(len, there);
}

static enum csum_refusal
ipv4_read(const struct pkt_layout *layout, struct pkt_ip *ip)
{
	const uint8_t *hdr = layout->hdr + ip->off;

	if ((hdr[0] & 0xfu) * 4 != ip->l4 - ip->off)
		return CSUM_REFUSAL_HEADER;
	ip->end = ip_end(layout, ip->off, pkt_be16(hdr + 2));
	ip->proto = hdr[9];
	ip->fragment = (pkt_be16(hdr + 6) & IPV4_FRAGMENT) != 0;
	return CSUM_REFUSAL_NONE;
}

static enum csum_refusal
ipv6_read(const struct pkt_layout *layout, const struct rte_mbuf *m, struct pkt_ip *ip)
{
	const uint8_t *hdr = layout->hdr + ip->off;
	struct pkt_ext ext = { .off = ip->off + IPV6_LEN, .next = hdr[6] };

	ip->end = ip_end(layout, ext.off, pkt_be16(hdr + 4));
	if (unlikely(ext.off != ip->l4)) {
		struct pkt_parse walk = { .m = m, .seg = m, .there = layout->len, .end = ip->l4 };

		pkt_parse_ext(&walk, true, &ext);
		if (ext.off != ip->l4)
			return CSUM_REFUSAL_HEADER;
	}
	ip->proto = ext.next;
	ip->src = ext.home != 0 ? ext.home : ip->off + IPV6_SRC;
	ip->elided = ext.elided;
	ip->dst = ext.final_dst != 0 ? ext.final_dst : ip->off + IPV6_DST;
	ip->fragment = (ext.flags & CSUM_LAYER_F_FRAGMENT) != 0;
	return CSUM_REFUSAL_NONE;
}

/* @p len bytes of IP header are at @p off in layout->hdr. @p version 0: whichever it is. */
static enum csum_refusal
ip_read(const struct pkt_layout *layout, const struct rte_mbuf *m, struct pkt_ip *ip, uint32_t off,
	uint32_t len, uint8_t version)
{
	if (len < (version == 6 ? IPV6_LEN : IPV4_MIN_LEN))
		return CSUM_REFUSAL_LENGTHS;
	ip->version = layout->hdr[off] >> 4;
	if (version != 0 && ip->version != version)
		return CSUM_REFUSAL_HEADER;
	ip->off = off;
	ip->l4 = off + len;
	if (ip->version == 4)
		return ipv4_read(layout, ip);
	if (ip->version == 6 && len >= IPV6_LEN)
		return ipv6_read(layout, m, ip);
	return CSUM_REFUSAL_HEADER;
}

/* Outer headers that l2_len hides are those that the packet begins with. */
static enum csum_refusal
outer_parse(const struct rte_mbuf *m, uint32_t end, uint32_t *off, uint32_t *len)
{
	struct csum_pkt pkt;
	unsigned int i;

	if (csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, &pkt) != 0)
		return CSUM_REFUSAL_LENGTHS;
	for (i = 0; i < pkt.nb_layers; i++) {
		const struct csum_layer *layer = &pkt.layer[i];

		if (layer->type != CSUM_LAYER_IPV4 && layer->type != CSUM_LAYER_IPV6)
			continue;
		*off = layer->off;
		*len = layer->hdr_len;
		return *len != 0 && *off + *len <= end ? CSUM_REFUSAL_NONE : CSUM_REFUSAL_HEADER;
	}
	return CSUM_REFUSAL_HEADER;
}

static uint8_t
ip_version(uint64_t ol_flags, uint64_t v4, uint64_t v6)
{
	if ((ol_flags & v4) != 0)
		return 4;
	return (ol_flags & v6) != 0 ? 6 : 0;
}

/* The outer IP header, which ends at @p end at the latest, as does the UDP header behind it. */
static enum csum_refusal
outer_read(struct pkt_layout *layout, const struct rte_mbuf *m, uint64_t ol_flags, uint64_t want,
	   uint32_t end)
{
	uint8_t version = ip_version(ol_flags, RTE_MBUF_F_TX_OUTER_IPV4, RTE_MBUF_F_TX_OUTER_IPV6);
	uint32_t off = m->outer_l2_len, len = m->outer_l3_len;
	enum csum_refusal refusal;

	if (off == 0 && len == 0) {
		refusal = outer_parse(m, end, &off, &len);
		if (refusal != CSUM_REFUSAL_NONE)
			return refusal;
	}
	if ((want & RTE_MBUF_F_TX_OUTER_UDP_CKSUM) != 0 && off + len + UDP_MIN_LEN > end)
		return CSUM_REFUSAL_LENGTHS;
	return ip_read(layout, m, &layout->outer, off, len, version);
}

static uint32_t
l4_min_len(const struct pkt_layout *layout)
{
	return layout->rule != NULL ? layout->rule->min_len : 0;
}

static enum csum_refusal
inner_read(struct pkt_layout *layout, const struct rte_mbuf *m, uint64_t ol_flags, uint32_t l3,
	   uint32_t len)
{
	uint8_t version = (ol_flags & RTE_MBUF_F_TX_IPV6) != 0 ? 6 : 4;
	enum csum_refusal refusal = ip_read(layout, m, &layout->inner, l3, len, version);

	if (refusal == CSUM_REFUSAL_NONE && !layout->inner.fragment &&
	    l3 + len + l4_min_len(layout) > layout->len)
		return CSUM_REFUSAL_LENGTHS;
	return refusal;
}

static enum csum_refusal
tunnel_read(struct pkt_layout *layout, const struct rte_mbuf *m, uint64_t ol_flags, uint64_t want)
{
	bool inner = layout->rule != NULL || (want & RTE_MBUF_F_TX_IP_CKSUM) != 0;
	bool outer = (want & PKT_TX_OUTER_MASK) != 0;
	uint32_t l3 = m->outer_l2_len + m->outer_l3_len + m->l2_len, outer_end = l3;
	uint32_t l3_len = m->l3_len;
	enum csum_refusal refusal;

	/* Who wants outer checksums alone need not say in l2_len that there is a UDP header. */
	if (!inner && m->l2_len == 0 && (want & RTE_MBUF_F_TX_OUTER_UDP_CKSUM) != 0)
		outer_end += UDP_MIN_LEN;
	refusal = headers_flatten(layout, m, outer_end + (inner ? l3_len : 0), l4_min_len(layout));
	if (refusal == CSUM_REFUSAL_NONE && inner)
		refusal = inner_read(layout, m, ol_flags, l3, l3_len);
	if (refusal == CSUM_REFUSAL_NONE && outer)
		refusal = outer_read(layout, m, ol_flags, want, outer_end);
	return refusal;
}

enum csum_refusal
pkt_layout_read(struct pkt_layout *layout, const struct rte_mbuf *m, uint64_t ol_flags,
		uint64_t want)
{
	uint32_t l3 = m->l2_len, l3_len = m->l3_len;
	enum csum_refusal refusal;

	layout->rule = pkt_l4_rule_of(want);
	if (unlikely((ol_flags & PKT_TX_TUNNEL_MASK) != 0))
		return tunnel_read(layout, m, ol_flags, want);
	refusal = headers_flatten(layout, m, l3 + l3_len, l4_min_len(layout));
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	return inner_read(layout, m, ol_flags, l3, l3_len);
}

uint32_t
pkt_l4_pseudo(const struct pkt_layout *layout, const struct pkt_ip *ip, uint32_t len)
{
	const uint8_t *hdr = layout->hdr;
	uint8_t dst[IPV6_ADDR_LEN];

	if (ip->version == 4)
		return csum_pseudo_ipv4(hdr + ip->off + IPV4_ADDRS, ip->proto, len);
	if (likely(ip->elided == 0))
		return csum_pseudo_ipv6(hdr + ip->src, hdr + ip->dst, ip->proto, len);
	memcpy(dst, hdr + ip->off + IPV6_DST, ip->elided);
	memcpy(dst + ip->elided, hdr + ip->dst, IPV6_ADDR_LEN - ip->elided);
	return csum_pseudo_ipv6(hdr + ip->src, dst, ip->proto, len);
}

/* The length of a UDP packet in so many bytes; 0 when its header makes no sense. */
static uint32_t
udp_len(const uint8_t *hdr, uint32_t there)
{
	uint32_t len = pkt_be16(hdr + UDP_LEN);

	if (unlikely(len == 0 && there > UINT16_MAX))
		return there;
	return len >= UDP_MIN_LEN && len <= there ? len : 0;
}

enum csum_refusal
pkt_l4_find(struct pkt_l4 *l4, const struct pkt_layout *layout, const struct pkt_ip *ip,
	    const struct pkt_l4_rule *rule)
{
	if (ip->fragment)
		return CSUM_REFUSAL_FRAGMENT;
	if (ip->proto != rule->proto)
		return CSUM_REFUSAL_HEADER;
	if (ip->end < ip->l4 + rule->min_len)
		return CSUM_REFUSAL_IP_LENGTH;
	l4->off = ip->l4;
	l4->len = ip->end - ip->l4;
	if (rule->proto == IPPROTO_UDP) {
		l4->len = udp_len(layout->hdr + l4->off, l4->len);
		if (l4->len == 0)
			return CSUM_REFUSAL_HEADER;
	}
	l4->proto = rule->proto;
	l4->field = rule->field;
	l4->pseudo = pkt_l4_pseudo(layout, ip, l4->len);
	return CSUM_REFUSAL_NONE;
}
