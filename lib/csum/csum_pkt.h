/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _CSUM_PKT_H_
#define _CSUM_PKT_H_

/**
 * @file
 * Packet headers and their checksums: parse, verify, fill, and prepare for transmission.
 *
 * Numbers named sum, raw or check are in memory byte order (csum.h); lengths, offsets, ports and
 * protocol numbers are in CPU byte order. Offsets are bytes from the first byte of the packet.
 *
 * Functions on different mbufs may run at the same time in different threads. Nothing here trusts
 * a packet: every length is checked against the bytes that are there.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

#include <csum.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a layer is. */
enum csum_layer_type {
	CSUM_LAYER_ETHER,     /**< Ethernet II or 802.3 with its LLC/SNAP header */
	CSUM_LAYER_VLAN,      /**< one 802.1Q or 802.1ad tag (types 8100, 88a8, 9100) */
	CSUM_LAYER_MPLS,      /**< one label stack, all labels */
	CSUM_LAYER_PPPOE,     /**< PPPoE session header and PPP protocol field (RFC 2516) */
	CSUM_LAYER_IPV4,      /**< RFC 791, options included */
	CSUM_LAYER_IPV6,      /**< RFC 8200, extension headers included */
	CSUM_LAYER_TCP,       /**< RFC 9293 */
	CSUM_LAYER_UDP,       /**< RFC 768 */
	CSUM_LAYER_UDPLITE,   /**< RFC 3828 */
	CSUM_LAYER_ICMP,      /**< RFC 792 */
	CSUM_LAYER_ICMPV6,    /**< RFC 4443 */
	CSUM_LAYER_IGMP,      /**< RFC 2236, RFC 3376 */
	CSUM_LAYER_SCTP,      /**< RFC 9260; its checksum is a CRC32c */
	CSUM_LAYER_DCCP,      /**< RFC 4340 */
	CSUM_LAYER_GRE,       /**< RFC 2784, RFC 2890; version 0 only, NVGRE included */
	CSUM_LAYER_VXLAN,     /**< RFC 7348 */
	CSUM_LAYER_VXLAN_GPE, /**< draft-ietf-nvo3-vxlan-gpe */
	CSUM_LAYER_GENEVE,    /**< RFC 8926, options included */
	CSUM_LAYER_GTPU,      /**< 3GPP TS 29.281, extension headers included */
	CSUM_LAYER_PAYLOAD,   /**< anything else: the parser stopped here */
};

/** Flags of a layer. */
#define CSUM_LAYER_F_FRAGMENT   0x01 /**< IP: an offset or more fragments. L4: lies in one */
#define CSUM_LAYER_F_LATER      0x02 /**< IP: the offset is not 0, so what follows has no header */
#define CSUM_LAYER_F_TRUNCATED  0x04 /**< its length, by its own fields, goes beyond the frame */
#define CSUM_LAYER_F_HDR_CUT    0x08 /**< not even its fixed header is there; hdr_len is 0 */
#define CSUM_LAYER_F_ZERO_LEN   0x10 /**< its length field is 0 and means "to the end" */
#define CSUM_LAYER_F_JUMBO      0x20 /**< IPv6: length from a jumbo payload option (RFC 2675) */
#define CSUM_LAYER_F_IN_TUNNEL  0x40 /**< a tunnel header or another IP precedes its own IP */
#define CSUM_LAYER_F_AH         0x80 /**< IP: hdr_len includes an authentication header */

/** One header in a packet. */
struct csum_layer {
	uint32_t off;       /**< its first byte */
	uint32_t hdr_len;   /**< bytes up to the next layer's first */
	uint32_t len;       /**< header and payload by its fields, capped by what holds it */
	uint32_t field_len; /**< the same, not capped */
	uint32_t src_off;   /**< IPv6: the source address, in a home address option perhaps */
	uint32_t dst_off;   /**< IPv6: the final destination address, in a routing header perhaps */
	uint8_t dst_elided; /**< IPv6: first bytes of that which are those of the IPv6 header's */
	uint8_t type;       /**< enum csum_layer_type */
	uint8_t flags;      /**< CSUM_LAYER_F_* */
	uint8_t ip;         /**< L4: index of the IP layer it belongs to */
	uint8_t proto;      /**< IP: the protocol (IPv6: the last next header) of its payload */
};

#define CSUM_PKT_MAX_LAYERS 32

/** A parsed packet. Refers to the mbuf it was parsed from only by offsets. */
struct csum_pkt {
	uint32_t len;        /**< bytes of the frame that are there */
	uint16_t nb_layers;
	uint16_t flags;      /**< CSUM_PKT_F_* */
	struct csum_layer layer[CSUM_PKT_MAX_LAYERS];
};

#define CSUM_PKT_F_SUPER     0x01 /**< outermost IP above 1500, or an IP length 0 "to the end" */
#define CSUM_PKT_F_TOO_DEEP  0x02 /**< more layers than CSUM_PKT_MAX_LAYERS: the rest is payload */

/** What the first byte of a packet begins. */
enum csum_link {
	CSUM_LINK_ETHER, /**< an Ethernet header */
	CSUM_LINK_IP,    /**< an IPv4 or IPv6 header, by its version nibble */
	CSUM_LINK_TYPE,  /**< what the EtherType given says */
};

/** EtherType that stands for an 802.2 LLC header, as in Linux cooked captures. */
#define CSUM_ETHER_TYPE_LLC 0x0004

/**
 * Parse a packet's headers, across segments. Tunnels over UDP are known by their IANA ports
 * (destination 4789, 4790, 6081, 6635; either side 2152) and a header that makes sense; headers
 * quoted inside ICMP errors are not parsed. What follows a later fragment, ESP or an unknown
 * protocol is payload.
 *
 * Lengths: an IPv4 total length of 0 is the frame's length; an IPv6 payload length of 0 is that of
 * a jumbo option, else the frame's when more than 65,535 bytes follow or when TCP follows in
 * a frame above 1,514 bytes, else 0. Inside a super-packet a UDP length of 0 is "to the end".
 *
 * @param m
 *   Packet. Reads headers only, never beyond a segment's data_len; writes nothing. A pkt_len above
 *   the sum of the data_len is that of a frame whose end was not captured: it is the frame's
 *   length, but its bytes end where the segments do.
 * @param off
 *   Where the first header begins.
 * @param link
 *   What it is.
 * @param ether_type
 *   For CSUM_LINK_TYPE: the EtherType, or CSUM_ETHER_TYPE_LLC.
 * @param pkt
 *   Set to the layers, outermost first; always at least one.
 * @return
 *   - 0: parsed; a packet that is cut or malformed has layers that say so.
 *   - -EINVAL: @p off is beyond the packet; @p pkt is untouched.
 */
int csum_pkt_parse(const struct rte_mbuf *m, uint32_t off, enum csum_link link,
		   uint16_t ether_type, struct csum_pkt *pkt);

/** Judgement on one layer's checksum. */
enum csum_verdict {
	CSUM_VERDICT_NONE,      /**< the layer has no checksum */
	CSUM_VERDICT_GOOD,
	CSUM_VERDICT_BAD,
	CSUM_VERDICT_PARTIAL,   /**< the field holds a pseudo-header sum, with or without length */
	CSUM_VERDICT_ZERO,      /**< UDP without checksum where that is legal (RFC 768, RFC 6935) */
	CSUM_VERDICT_FRAGMENT,  /**< lies in a fragment */
	CSUM_VERDICT_TRUNCATED, /**< what it covers is not all there */
};

/**
 * Judge one layer's checksum: the sum with the field in place must be 0xffff, so both zeros are
 * good (RFC 1071 section 1 (3)); for SCTP the CRC32c must be equal.
 *
 * @param m
 *   The mbuf that @p pkt was parsed from. Reads what the checksum covers; writes nothing.
 * @param pkt
 *   Its layers, by csum_pkt_parse().
 * @param i
 *   Index of the layer.
 */
enum csum_verdict csum_pkt_verify(const struct rte_mbuf *m, const struct csum_pkt *pkt,
				  unsigned int i);

/**
 * Compute one layer's checksum and store it. What the field held before does not matter. Layers
 * inside must have been filled before.
 *
 * @param m
 *   The mbuf that @p pkt was parsed from, writable. Reads what the checksum covers; writes the
 *   field's 2 bytes (SCTP: 4).
 * @param pkt
 *   Its layers, by csum_pkt_parse().
 * @param i
 *   Index of the layer.
 * @return
 *   - 0: stored.
 *   - -ENOTSUP: the layer has no checksum, or lies in a fragment.
 *   - -EBADMSG: what the checksum covers is not all there. Nothing has been written.
 */
int csum_pkt_fill(struct rte_mbuf *m, const struct csum_pkt *pkt, unsigned int i);

/**
 * Partial sum of an IPv4 pseudo header (RFC 9293 section 3.1).
 *
 * @param addrs
 *   8 bytes, source then destination address; any alignment.
 * @param proto
 *   Protocol number.
 * @param len
 *   Upper-layer length in bytes, CPU order; 0 leaves the length out.
 */
uint32_t csum_pseudo_ipv4(const void *addrs, uint8_t proto, uint32_t len);

/**
 * Partial sum of an IPv6 pseudo header (RFC 8200 section 8.1).
 *
 * @param src
 *   16 bytes, any alignment: the home address where there is an option with one (RFC 6275 section
 *   6.3).
 * @param dst
 *   16 bytes, any alignment: the final destination where there is a routing header (of type 0, 2,
 *   3 or 4: RFC 5095, RFC 6275, RFC 6554, RFC 8754).
 * @param proto
 *   Upper-layer protocol number, not that of an extension header.
 * @param len
 *   Upper-layer length in bytes, CPU order; 0 leaves the length out.
 */
uint32_t csum_pseudo_ipv6(const void *src, const void *dst, uint8_t proto, uint32_t len);

/**
 * CRC32c (RFC 9260 appendix A) of a flat buffer, to chain: begin with 0xffffffff, and complement
 * the last result; SCTP stores it least significant byte first.
 */
uint32_t csum_crc32c(const void *buf, size_t len, uint32_t crc);

/**
 * Why a packet's requests cannot be carried out. Counters are kept by these.
 */
enum csum_refusal {
	CSUM_REFUSAL_NONE,
	CSUM_REFUSAL_FLAGS,     /**< requests that contradict each other */
	CSUM_REFUSAL_LENGTHS,   /**< header lengths are 0, or go beyond the packet */
	CSUM_REFUSAL_HEADER,    /**< the header bytes contradict the flags or lengths */
	CSUM_REFUSAL_IP_LENGTH, /**< the IP header's length is below its own size */
	CSUM_REFUSAL_FRAGMENT,  /**< an L4 checksum or segmentation of a fragment */
	CSUM_REFUSAL_SEGSZ,     /**< tso_segsz is 0 */
	CSUM_REFUSAL_PROTOCOL,  /**< segmentation of what cannot be segmented */
	CSUM_REFUSAL_TCP_FLAGS, /**< segmentation of SYN or RST with payload */
	CSUM_REFUSAL_DF,        /**< IP fragmentation of a datagram that forbids it */
	CSUM_REFUSAL_TUNNEL,    /**< a tunnel that is not known, or nested too deep */
	CSUM_REFUSAL_TOO_BIG,   /**< headers beyond CSUM_GSO_MAX_HDR, or too much data */
	CSUM_REFUSAL_MAX
};

/** A short name for a reason, as counters and messages show it: "flags", "lengths", ... */
const char *csum_refusal_name(enum csum_refusal refusal);

/** The result that goes with a reason, one a cause: 0, -EINVAL, -EBADMSG or -ENOTSUP. */
int csum_refusal_errno(enum csum_refusal refusal);

/** The Tx flags that csum_pkt_prepare() carries out. */
#define CSUM_PKT_TX_CKSUM_MASK \
	(RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK | RTE_MBUF_F_TX_OUTER_IP_CKSUM | \
	 RTE_MBUF_F_TX_OUTER_UDP_CKSUM)

/**
 * Fill in the checksums that an mbuf's Tx flags ask for, innermost first, from its l2_len, l3_len
 * and, for tunnels, outer lengths (either of DPDK's conventions: all in l2_len counts too).
 *
 * The L4 length is the IP header's, capped by the packet; a UDP header's own length counts for
 * UDP. Ethernet padding is never summed. l4_len is not needed. An outer UDP checksum is made from
 * headers alone where the inner L4 checksum is filled here too (its sum is then known).
 * IP_CKSUM on IPv6 is ignored. With TCP_SEG or UDP_SEG there is nothing to do here: segmentation
 * fills all checksums.
 *
 * @param m
 *   Writable as far as its headers go (csum_mbuf_is_writable()). Reads what the checksums cover,
 *   writes just the checksum fields asked for; its metadata is not changed. Filling twice is
 *   harmless.
 * @param todo
 *   Which of the CSUM_PKT_TX_CKSUM_MASK requests to carry out; the others are left to the port.
 *   RTE_MBUF_F_TX_L4_MASK as a whole or not at all. An outer UDP checksum over an inner packet
 *   without a TCP or UDP request covers the inner checksums as they are: then the inner requests
 *   are carried out before it in any case, and the port must not be left with them.
 * @param why
 *   Set to the reason when the result is not 0; NULL when it does not matter.
 * @return
 *   - 0: done; nothing to do counts.
 *   - -EINVAL: the flags or lengths are wrong.
 *   - -EBADMSG: the packet's bytes are wrong.
 *   - -ENOTSUP: an L4 checksum of a fragment, however little of it is there, or an outer UDP
 *     checksum that would cover one as it will be. Without the L4 request the outer one can be
 *     made. On error nothing has been written.
 */
int csum_pkt_prepare(struct rte_mbuf *m, uint64_t todo, enum csum_refusal *why);

/**
 * Copy a packet, and fill in the copy's checksums as csum_pkt_prepare() would. What a TCP or UDP
 * checksum covers is summed while it is copied (csum_partial_copy()), not afterwards.
 *
 * @param dst
 *   Chain that takes the bytes: the data_len of its segments says where they go. Writable, in
 *   memory apart from that of @p m. Writes m->pkt_len bytes from its first on; its metadata
 *   is neither read, but for lengths and buffers, nor changed.
 * @param m
 *   Packet, whose flags and lengths count. Nothing of it is changed.
 * @param todo
 *   As for csum_pkt_prepare(). 0 copies and does nothing else.
 * @param why
 *   As for csum_pkt_prepare().
 * @return
 *   As csum_pkt_prepare(), and -EINVAL where either chain holds fewer than m->pkt_len bytes. On
 *   error nothing has been written.
 */
int csum_pkt_prepare_copy(struct rte_mbuf *dst, const struct rte_mbuf *m, uint64_t todo,
			  enum csum_refusal *why);

/**
 * Check what csum_pkt_prepare() would refuse, without touching the packet: what a driver's
 * tx_pkt_prepare needs. What segmentation would refuse csum_gso_iter_init() tells.
 *
 * @return
 *   As csum_pkt_prepare() would for all that the flags ask for.
 */
int csum_pkt_check(const struct rte_mbuf *m, enum csum_refusal *why);

#ifdef __cplusplus
}
#endif

#endif /* _CSUM_PKT_H_ */
