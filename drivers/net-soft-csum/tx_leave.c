/* SPDX-License-Identifier: BSD-3-Clause */

/* What of a packet's requests is left to the lower port. */

#include <stddef.h>

#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_udp.h>

#include "tx.h"

#define UDP_CHECK_OFF offsetof(struct rte_udp_hdr, dgram_cksum)

/* First two bytes of a GRE header: what changes from segment to segment. */
#define GRE_CHECKSUM 0x80
#define GRE_SEQUENCE 0x10

bool
soft_csum_lens_hold_tags(const struct soft_csum_txq *txq, const struct rte_mbuf *m)
{
	unsigned int len = soft_csum_nb_tags(txq, m->ol_flags) * RTE_VLAN_HLEN;

	return soft_csum_link_len(m) + len <= SOFT_CSUM_L2_LEN_MAX;
}

/*
 * A port that does plain checksums need not know tunnels. One that does knows them by the
 * outer lengths, which in DPDK's other convention are part of l2_len.
 */
static bool
knows_headers(const struct soft_csum_txq *txq, const struct rte_mbuf *m)
{
	if ((m->ol_flags & SOFT_CSUM_TX_OUTER_MASK) == 0)
		return true;
	return (txq->left_tunnels & soft_csum_tunnel_bit(m->ol_flags)) != 0 &&
		soft_csum_has_outer_lens(m);
}

/*
 * Ports make the pseudo header of what the IPv6 header says. With a routing header or a home
 * address behind it that is not where the packet comes from or goes to (RFC 8200 section 8.1).
 */
static bool
has_extensions(const struct rte_mbuf *m)
{
	return (m->ol_flags & RTE_MBUF_F_TX_IPV6) != 0 && m->l3_len > sizeof(struct rte_ipv6_hdr);
}

static bool
has_pseudo_header(uint64_t l4)
{
	return l4 == RTE_MBUF_F_TX_TCP_CKSUM || l4 == RTE_MBUF_F_TX_UDP_CKSUM;
}

uint64_t
soft_csum_todo(const struct soft_csum_txq *txq, const struct rte_mbuf *m)
{
	uint64_t ol_flags = m->ol_flags, todo = CSUM_PKT_TX_CKSUM_MASK;

	if (knows_headers(txq, m) && soft_csum_lens_hold_tags(txq, m)) {
		todo &= ~txq->left.flags;
		/* Asked of IPv6 it means nothing, and no port below shall see it. */
		if (ol_flags & RTE_MBUF_F_TX_IPV6)
			todo |= RTE_MBUF_F_TX_IP_CKSUM;
		if ((txq->left.l4 & soft_csum_l4_bit(ol_flags)) != 0 && !has_extensions(m))
			todo &= ~RTE_MBUF_F_TX_L4_MASK;
	}
	/* An outer UDP checksum that covers the inner ones as they are comes after them. */
	if ((todo & ol_flags & RTE_MBUF_F_TX_OUTER_UDP_CKSUM) != 0 &&
	    !has_pseudo_header(ol_flags & RTE_MBUF_F_TX_L4_MASK))
		todo |= RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK;
	if ((ol_flags & RTE_MBUF_F_TX_L4_MASK) == 0)
		todo &= ~RTE_MBUF_F_TX_L4_MASK;
	return todo & (ol_flags | RTE_MBUF_F_TX_L4_MASK);
}

/* Bytes of all headers. */
static uint32_t
headers_len(const struct rte_mbuf *m)
{
	uint32_t len = m->l2_len + m->l3_len + m->l4_len;

	if (m->ol_flags & SOFT_CSUM_TX_OUTER_MASK)
		len += m->outer_l2_len + m->outer_l3_len;
	return len;
}

/*
 * Tell whether a tunnel has nothing that ports do not care for when they cut: a checksum over
 * the payload, or a number of its own in each packet.
 */
static bool
tunnel_is_plain(const struct rte_mbuf *m)
{
	const uint8_t *hdr = rte_pktmbuf_mtod_offset(m, const uint8_t *,
		m->outer_l2_len + m->outer_l3_len);

	switch (m->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK) {
	case RTE_MBUF_F_TX_TUNNEL_VXLAN:
	case RTE_MBUF_F_TX_TUNNEL_GENEVE:
		return (m->ol_flags & RTE_MBUF_F_TX_OUTER_UDP_CKSUM) != 0 ||
			(hdr[UDP_CHECK_OFF] | hdr[UDP_CHECK_OFF + 1]) == 0;
	case RTE_MBUF_F_TX_TUNNEL_GRE:
		return (hdr[0] & (GRE_CHECKSUM | GRE_SEQUENCE)) == 0;
	default:
		return true;
	}
}

/* Tell whether the outer headers of a super-packet are such that the lower port gets them right. */
static bool
leaves_outer(const struct soft_csum_txq *txq, const struct rte_mbuf *m)
{
	const uint64_t outer_ipv4 = RTE_MBUF_F_TX_OUTER_IPV4 | RTE_MBUF_F_TX_OUTER_IP_CKSUM;
	uint64_t requests = m->ol_flags &
		(RTE_MBUF_F_TX_OUTER_IP_CKSUM | RTE_MBUF_F_TX_OUTER_UDP_CKSUM);
	uint64_t outer = m->ol_flags & (outer_ipv4 | RTE_MBUF_F_TX_OUTER_IPV6);

	if ((m->ol_flags & SOFT_CSUM_TX_OUTER_MASK) == 0)
		return true;
	if ((m->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK) == 0 || !soft_csum_has_outer_lens(m))
		return false;
	return (requests & ~txq->left.flags) == 0 && (outer == outer_ipv4 ||
		outer == RTE_MBUF_F_TX_OUTER_IPV6) && tunnel_is_plain(m);
}

bool
soft_csum_leaves_super(const struct soft_csum_txq *txq, const struct rte_mbuf *m)
{
	uint64_t family = m->ol_flags & (RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6);
	uint32_t hdr_len = headers_len(m);
	unsigned int nb_tags;

	if ((m->ol_flags & SOFT_CSUM_TX_SEG_MASK) != RTE_MBUF_F_TX_TCP_SEG ||
			(txq->left_seg & soft_csum_tunnel_bit(m->ol_flags)) == 0 ||
			has_extensions(m))
		return false;
	if (m->l3_len == 0 || m->l4_len == 0 || hdr_len > m->data_len ||
			(family != RTE_MBUF_F_TX_IPV4 && family != RTE_MBUF_F_TX_IPV6))
		return false;
	/* What is not to be cut after all, and what no length field can say, is done here. */
	if (m->tso_segsz == 0 || m->pkt_len <= hdr_len + m->tso_segsz || m->pkt_len > UINT16_MAX)
		return false;
	nb_tags = soft_csum_nb_tags(txq, m->ol_flags);
	return m->nb_segs <= txq->max_super_segs && leaves_outer(txq, m) &&
		csum_mbuf_is_writable(m, hdr_len) &&
		(nb_tags == 0 || (soft_csum_tags_fit(m, nb_tags) &&
			soft_csum_lens_hold_tags(txq, m)));
}
