/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PKT_LAYOUT_H_
#define _PKT_LAYOUT_H_

/**
 * @file
 * From an mbuf's Tx flags and lengths to places in the packet, with the header bytes checked
 * against both. Each flag, length and header field is read once.
 */

#include <csum_pkt.h>

/**
 * Most bytes of headers that an mbuf's bit fields can name (rte_mbuf_core.h): two link layers of
 * 127, two IP headers of 511, and the largest of the fixed L4 headers.
 */
#define PKT_LAYOUT_MAX_HDR (2 * 127 + 2 * 511 + 20)

#define PKT_TX_FAMILY_MASK (RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6)
#define PKT_TX_OUTER_FAMILY_MASK (RTE_MBUF_F_TX_OUTER_IPV4 | RTE_MBUF_F_TX_OUTER_IPV6)
#define PKT_TX_OUTER_MASK  (RTE_MBUF_F_TX_OUTER_IP_CKSUM | RTE_MBUF_F_TX_OUTER_UDP_CKSUM)
#define PKT_TX_TUNNEL_MASK (RTE_MBUF_F_TX_TUNNEL_MASK | PKT_TX_OUTER_FAMILY_MASK)

/** An L4 protocol that has a Tx checksum flag. */
struct pkt_l4_rule {
	uint8_t proto;   /**< IP protocol number */
	uint8_t min_len; /**< bytes of its fixed header */
	uint8_t field;   /**< offset of the checksum in it */
};

extern const struct pkt_l4_rule pkt_l4_udp;

/** The rule of the L4 checksum among requests; NULL when there is none. */
const struct pkt_l4_rule *pkt_l4_rule_of(uint64_t want);

/** An IP header. Offsets count from the packet's first byte. */
struct pkt_ip {
	uint32_t off;
	uint32_t l4;     /**< behind it and its extension headers */
	uint32_t end;    /**< behind its last byte by its length, capped by the packet */
	uint32_t src;    /**< IPv6: the source or home address */
	uint32_t dst;    /**< IPv6: the final destination address */
	uint8_t elided;  /**< IPv6: first bytes of that which are those of the header's */
	uint8_t version;
	uint8_t proto;   /**< of what lies at l4 */
	bool fragment;
};

/** What an L4 checksum covers. */
struct pkt_l4 {
	uint32_t off;
	uint32_t len;
	uint32_t pseudo; /**< partial sum of the pseudo header */
	uint8_t proto;
	uint8_t field;   /**< offset of the checksum from off */
};

struct pkt_layout {
	const uint8_t *hdr;    /**< all headers, flat: in the mbuf if they lie together, else buf */
	const struct pkt_l4_rule *rule; /**< of the L4 checksum wanted; else NULL */
	uint32_t len;          /**< bytes of the packet that are there */
	struct pkt_ip outer;   /**< set only where it was asked for */
	struct pkt_ip inner;   /**< set only where it was asked for */
	uint8_t buf[PKT_LAYOUT_MAX_HDR];
};

/**
 * The checksums that flags ask for. Segmentation makes its own, and only IPv4 has one in its
 * header.
 */
static inline uint64_t
pkt_cksum_requests(uint64_t ol_flags)
{
	if ((ol_flags & (RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_UDP_SEG)) != 0)
		return 0;
	if ((ol_flags & RTE_MBUF_F_TX_IPV6) != 0)
		ol_flags &= ~RTE_MBUF_F_TX_IP_CKSUM;
	return ol_flags & CSUM_PKT_TX_CKSUM_MASK;
}

/** Refuse flags that contradict each other. */
enum csum_refusal pkt_flags_check(uint64_t ol_flags);

/**
 * Find the headers that requests speak of.
 *
 * @param ol_flags
 *   Flags of @p m, which pkt_flags_check() has passed.
 * @param want
 *   Requests among them whose headers matter. Those of the others are not looked at.
 */
enum csum_refusal pkt_layout_read(struct pkt_layout *layout, const struct rte_mbuf *m,
				  uint64_t ol_flags, uint64_t want);

/**
 * Find what an L4 checksum under an IP header covers: by the IP header's length, and by its own
 * for UDP.
 */
enum csum_refusal pkt_l4_find(struct pkt_l4 *l4, const struct pkt_layout *layout,
			      const struct pkt_ip *ip, const struct pkt_l4_rule *rule);

/** Partial sum of the pseudo header of so many bytes of L4 under an IP header. */
uint32_t pkt_l4_pseudo(const struct pkt_layout *layout, const struct pkt_ip *ip, uint32_t len);

/** csum_pkt_prepare() and csum_pkt_check() of any packet. */
int pkt_plan_fill(struct rte_mbuf *m, uint64_t todo, enum csum_refusal *why);
int pkt_plan_check(const struct rte_mbuf *m, enum csum_refusal *why);

#endif /* _PKT_LAYOUT_H_ */
