/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PKT_PARSE_PRIVATE_H_
#define _PKT_PARSE_PRIVATE_H_

/**
 * @file
 * The parser: a walk from header to header, one function a header. Each looks at the header at
 * p->off, adds its layer, moves p->off behind it and says what comes next. Each adds one layer at
 * most, so the number of layers bounds the walk.
 *
 * And what a layer's checksum covers, which verification and filling share.
 */

#include <rte_common.h>

#include <csum_mbuf.h>
#include <csum_pkt.h>

/** What lies at p->off. */
enum pkt_step {
	PKT_STEP_END,     /**< nothing that the parser wants to know */
	PKT_STEP_PAYLOAD, /**< something that it does not know */
	PKT_STEP_ETHER,
	PKT_STEP_LLC,
	PKT_STEP_VLAN,
	PKT_STEP_MPLS,
	PKT_STEP_PPPOE,
	PKT_STEP_IP,      /**< IPv4 or IPv6, by the version nibble */
	PKT_STEP_IPV4,
	PKT_STEP_IPV6,
	PKT_STEP_TCP,
	PKT_STEP_UDP,
	PKT_STEP_UDPLITE,
	PKT_STEP_ICMP,
	PKT_STEP_ICMPV6,
	PKT_STEP_IGMP,
	PKT_STEP_SCTP,
	PKT_STEP_DCCP,
	PKT_STEP_GRE,
	PKT_STEP_VXLAN,
	PKT_STEP_VXLAN_GPE,
	PKT_STEP_GENEVE,
	PKT_STEP_GTPU,
	PKT_STEP_MAX
};

/** Most bytes that pkt_parse_peek() is asked for. */
#define PKT_PEEK_MAX 64

struct pkt_parse {
	struct csum_pkt *pkt;
	const struct rte_mbuf *m;
	const struct rte_mbuf *seg;  /**< segment of the last peek */
	uint32_t seg_off;            /**< offset of that segment's first byte */
	uint32_t frame_len;          /**< bytes of the frame on the wire */
	uint32_t there;              /**< bytes of it that are there */
	uint32_t off;                /**< next header */
	uint32_t end;                /**< its packet's end by all lengths so far, <= frame_len */
	uint8_t ip;                  /**< index of the innermost IP layer */
	bool in_ip;                  /**< there is one */
	uint8_t flags;               /**< CSUM_LAYER_F_FRAGMENT, _IN_TUNNEL: what L4 lies in */
	uint8_t buf[PKT_PEEK_MAX];   /**< a header that is spread over segments */
};

static inline uint16_t
pkt_be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t
pkt_be32(const uint8_t *p)
{
	return (uint32_t)pkt_be16(p) << 16 | pkt_be16(p + 2);
}

/** Bytes from @p off that are there and belong to the packet. */
static inline uint32_t
pkt_parse_avail(const struct pkt_parse *p, uint32_t off)
{
	uint32_t end = RTE_MIN(p->end, p->there);

	return off < end ? end - off : 0;
}

/**
 * Look at bytes of the packet.
 *
 * @return
 *   @p len bytes from offset @p off, valid until the next call; NULL when they are not all there
 *   or do not belong to the packet.
 */
const uint8_t *pkt_parse_peek(struct pkt_parse *p, uint32_t off, uint32_t len);

/** Add a layer at p->off that reaches to the packet's end. */
struct csum_layer *pkt_parse_add(struct pkt_parse *p, enum csum_layer_type type);

/**
 * Add a layer and look at its fixed header.
 *
 * @return
 *   The header; NULL when it is cut, which the layer says then.
 */
const uint8_t *pkt_parse_header(struct pkt_parse *p, enum csum_layer_type type, uint32_t len,
				struct csum_layer **layer);

/** The same for a layer that takes all of the IP packet's payload. */
const uint8_t *pkt_parse_l4_header(struct pkt_parse *p, enum csum_layer_type type, uint32_t len,
				   struct csum_layer **layer);

/** Mark a layer as one whose header is cut. */
static inline enum pkt_step
pkt_parse_cut(struct csum_layer *layer)
{
	layer->flags |= CSUM_LAYER_F_HDR_CUT;
	layer->hdr_len = 0;
	return PKT_STEP_END;
}

/** Set a layer's length, by its own fields, and end the packet there if that is sooner. */
void pkt_parse_set_len(struct pkt_parse *p, struct csum_layer *layer, uint32_t field_len);

/** Pass over a header; false, with the layer marked, when it is cut. */
bool pkt_parse_pass(struct pkt_parse *p, struct csum_layer *layer, uint32_t hdr_len);

/* What comes next, by what a header says of it. */
enum pkt_step pkt_step_of_ether_type(uint16_t type);
enum pkt_step pkt_step_of_ip_proto(uint8_t proto);
/** A tunnel over UDP, if @p room bytes of payload hold its header. */
enum pkt_step pkt_step_of_udp_ports(uint16_t src, uint16_t dst, uint32_t room);

/** The layer that an IP protocol number means; CSUM_LAYER_PAYLOAD if it has no checksum. */
enum csum_layer_type pkt_layer_of_ip_proto(uint8_t proto);

/* parse_link.c */
enum pkt_step pkt_parse_ether(struct pkt_parse *p);
enum pkt_step pkt_parse_llc(struct pkt_parse *p);
enum pkt_step pkt_parse_vlan(struct pkt_parse *p);
enum pkt_step pkt_parse_mpls(struct pkt_parse *p);
enum pkt_step pkt_parse_pppoe(struct pkt_parse *p);

/* parse_ip.c */
enum pkt_step pkt_parse_ip(struct pkt_parse *p);
enum pkt_step pkt_parse_ipv4(struct pkt_parse *p);
enum pkt_step pkt_parse_ipv6(struct pkt_parse *p);

/* parse_l4.c */
enum pkt_step pkt_parse_tcp(struct pkt_parse *p);
enum pkt_step pkt_parse_udp(struct pkt_parse *p);
enum pkt_step pkt_parse_udplite(struct pkt_parse *p);
enum pkt_step pkt_parse_icmp(struct pkt_parse *p);
enum pkt_step pkt_parse_icmpv6(struct pkt_parse *p);
enum pkt_step pkt_parse_igmp(struct pkt_parse *p);
enum pkt_step pkt_parse_sctp(struct pkt_parse *p);
enum pkt_step pkt_parse_dccp(struct pkt_parse *p);

/* parse_tunnel.c */
enum pkt_step pkt_parse_gre(struct pkt_parse *p);
enum pkt_step pkt_parse_vxlan(struct pkt_parse *p);
enum pkt_step pkt_parse_vxlan_gpe(struct pkt_parse *p);
enum pkt_step pkt_parse_geneve(struct pkt_parse *p);
enum pkt_step pkt_parse_gtpu(struct pkt_parse *p);

/** IPv6 extension headers, and the authentication header of IPv4, between IP and L4. */
struct pkt_ext {
	uint32_t off;       /**< in: the first of them; out: what follows the last */
	uint8_t next;       /**< in: what is at off; out: what follows the last */
	uint8_t flags;      /**< out: CSUM_LAYER_F_FRAGMENT, _LATER, _AH */
	uint32_t home;      /**< out: offset of the home address; 0: none */
	uint32_t final_dst; /**< out: offset of the final destination; 0: that of the IP header */
	uint8_t elided;     /**< out: bytes that precede those, and are as in the IP header's */
	uint32_t jumbo;     /**< out: the jumbo payload option's length; 0: there is none */
};

/** Walk them as far as they are there. For IPv4, only an authentication header is one. */
void pkt_parse_ext(struct pkt_parse *p, bool ipv6, struct pkt_ext *ext);

/** What a layer's checksum covers. */
struct pkt_cover {
	uint32_t off;         /**< first byte */
	uint32_t len;         /**< bytes */
	uint32_t field;       /**< offset of the checksum field; even from off */
	uint32_t pseudo_len;  /**< upper-layer length in the pseudo header */
	uint8_t pseudo_proto; /**< 0: there is no pseudo header */
};

/**
 * Find what a layer's checksum covers.
 *
 * @return
 *   - CSUM_VERDICT_GOOD: found.
 *   - CSUM_VERDICT_NONE, _FRAGMENT, _TRUNCATED: there is none, or it is not all there.
 *   - CSUM_VERDICT_BAD: the header contradicts itself.
 */
enum csum_verdict pkt_cover_find(const struct rte_mbuf *m, const struct csum_pkt *pkt,
				 unsigned int i, struct pkt_cover *cover);

/** Offset of a layer's checksum field from its first byte; 0 for a layer that has none. */
uint32_t pkt_cover_field(const struct csum_layer *layer);

/** Partial sum of a layer's pseudo header, 0 if it has none; with a length of 0 without length. */
uint32_t pkt_cover_pseudo(const struct rte_mbuf *m, const struct csum_pkt *pkt, unsigned int i,
			  const struct pkt_cover *cover, uint32_t len);

/** CRC32c of an SCTP packet with its checksum field taken as 0, as the field holds it. */
uint32_t pkt_cover_crc32c(const struct rte_mbuf *m, const struct pkt_cover *cover);

#endif /* _PKT_PARSE_PRIVATE_H_ */
