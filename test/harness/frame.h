/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _FRAME_H_
#define _FRAME_H_

/**
 * @file
 * Packets for tests, built header by header in flat memory, in the manner of scapy. What a header
 * says of the next one (EtherType, protocol, next header) is set when the next one is added;
 * lengths are set by frame_finish(); checksum fields stay 0. Each function returns the
 * offset of what it added, so that a test can poke what it wants, before frame_finish() or after.
 *
 * Defaults, where a function has no argument for it: Ethernet 02:00:00:00:00:01 to
 * 02:00:00:00:00:02, IPv4 DF and TOS 0, TTL and hop limit 64, TCP ports 1024 to 80, sequence number
 * 1000, acknowledgement 2000, window 8192.
 */

#include <stdint.h>

#include "harness.h"

#define FRAME_MAX_LEN    (128 * 1024)
#define FRAME_MAX_LAYERS 32

/** What a layer is. IPv6 extension headers are layers of their own here. */
enum frame_type {
	FRAME_ETHER, FRAME_VLAN, FRAME_MPLS, FRAME_PPPOE, FRAME_IPV4, FRAME_IPV6, FRAME_IPV6_EXT,
	FRAME_TCP, FRAME_UDP, FRAME_UDPLITE, FRAME_ICMP, FRAME_ICMPV6, FRAME_SCTP, FRAME_GRE,
	FRAME_VXLAN, FRAME_GENEVE, FRAME_GTPU, FRAME_SNAP, FRAME_PAYLOAD,
};

/** How a layer names the one behind it. */
enum frame_next {
	FRAME_NEXT_NONE,  /**< not at all */
	FRAME_NEXT_ETHER, /**< 16-bit EtherType */
	FRAME_NEXT_PPP,   /**< 16-bit PPP protocol */
	FRAME_NEXT_IP,    /**< 8-bit protocol number */
};

struct frame_layer {
	enum frame_type type;
	enum frame_next next;
	uint32_t next_off; /**< where it names the next one */
	uint32_t off;
	uint32_t hdr_len;
	uint8_t proto;     /**< its own protocol number, if it follows IP */
};

struct frame {
	uint32_t len;
	unsigned int nb_layers;
	struct frame_layer layer[FRAME_MAX_LAYERS];
	uint8_t data[FRAME_MAX_LEN];
};

/** Begin an empty frame. */
void frame_init(struct frame *f);

/** Add a header of given bytes (NULL: zeros). The functions below are made of this one. */
uint32_t frame_add(struct frame *f, enum frame_type type, const void *hdr, uint32_t len);

/* Link layer (frame_l2.c). */
uint32_t frame_ether(struct frame *f);
/** The Ethernet header in a tunnel: 02:00:00:00:01:01 to 02:00:00:00:01:02. */
uint32_t frame_ether_inner(struct frame *f);
uint32_t frame_vlan(struct frame *f, uint16_t tpid, uint16_t tci);
uint32_t frame_mpls(struct frame *f, uint32_t label, int bottom);
uint32_t frame_pppoe(struct frame *f, uint16_t session);

/** LLC with SNAP, so that the type in front becomes a length, which frame_finish() sets. */
uint32_t frame_snap(struct frame *f);

/* Network layer (frame_l3.c). Addresses as text. */
uint32_t frame_ipv4(struct frame *f, const char *src, const char *dst, uint16_t id);
/** With options; their length is a multiple of 4. */
uint32_t frame_ipv4_opts(struct frame *f, const char *src, const char *dst, uint16_t id,
			 const void *opts, uint32_t len);
uint32_t frame_ipv6(struct frame *f, const char *src, const char *dst);
/**
 * An IPv6 extension header (0 hop-by-hop, 43 routing, 44 fragment, 60 destination).
 *
 * @param body
 *   What follows its first 2 bytes; NULL for 6 bytes of padding option.
 * @param len
 *   Bytes of that; 2 + len is a multiple of 8.
 */
uint32_t frame_ipv6_ext(struct frame *f, uint8_t type, const void *body, uint32_t len);
/** IPv4 10.0.0.1 to 10.0.0.2, ID 0x1000. */
uint32_t frame_i4(struct frame *f);
/** IPv6 2001:db8::1 to 2001:db8::2. */
uint32_t frame_i6(struct frame *f);
/** Outer IPv4 192.0.2.1 to 192.0.2.2, ID 0x2000. */
uint32_t frame_outer4(struct frame *f);
/** Outer IPv6 2001:db8::a to 2001:db8::b. */
uint32_t frame_outer6(struct frame *f);

/* Transport and tunnels (frame_l4.c). */
/** TCP; @p flags as in byte 13 of the header, options a multiple of 4 bytes. */
uint32_t frame_tcp(struct frame *f, uint8_t flags, const void *opts, uint32_t len);
uint32_t frame_udp(struct frame *f, uint16_t sport, uint16_t dport);
/** Coverage 0 means all. */
uint32_t frame_udplite(struct frame *f, uint16_t sport, uint16_t dport, uint16_t coverage);
/** Echo requests. */
uint32_t frame_icmp(struct frame *f);
uint32_t frame_icmpv6(struct frame *f);
uint32_t frame_sctp(struct frame *f, uint16_t sport, uint16_t dport, uint32_t tag);
/** One whole SCTP DATA chunk. */
uint32_t frame_sctp_data(struct frame *f, uint32_t tsn, const void *data, uint32_t len);
uint32_t frame_vxlan(struct frame *f, uint32_t vni);
/** Options a multiple of 4 bytes. */
uint32_t frame_geneve(struct frame *f, uint32_t vni, const void *opts, uint32_t len);
/** @p flags: 0x8000 checksum, 0x2000 key, 0x1000 sequence number. */
uint32_t frame_gre(struct frame *f, uint16_t flags, uint32_t key, uint32_t seq);
/**
 * GTP-U with a user's packet.
 *
 * @param flags
 *   4 extension headers, 2 sequence number, 1 N-PDU number.
 * @param opt
 *   What these flags say is there: sequence number, N-PDU number, next type, extension headers.
 */
uint32_t frame_gtpu(struct frame *f, uint8_t flags, const void *opt, uint32_t len);

/** Payload of given bytes, and payload P(n). */
uint32_t frame_bytes(struct frame *f, const void *data, uint32_t len);
uint32_t frame_payload(struct frame *f, uint32_t n);

/**
 * Set the IPv4, IPv6, UDP, PPPoE, SNAP, GTP-U lengths to reach to the end of the frame; one that
 * does not fit 16 bits becomes 0, as in BIG TCP. Bytes added afterwards are a trailer.
 */
void frame_finish(struct frame *f);

/** Offset of the @p nth layer (from 0) of a type; fails when there is none. */
uint32_t frame_off(const struct frame *f, enum frame_type type, unsigned int nth);

/**
 * The frame as a chain; l2_len, l3_len, l4_len and, in front of a tunnel, outer_l2_len and
 * outer_l3_len are set from its layers. Flags are left to the test.
 */
struct rte_mbuf *frame_mbuf(const struct frame *f, struct rte_mempool *pool,
			    const uint16_t lens[], unsigned int nb);

/** frame_mbuf() of a kind. */
struct rte_mbuf *frame_mbuf_kind(const struct frame *f, struct rte_mempool *pool,
				 enum harness_kind kind, const uint16_t lens[], unsigned int nb);

/** Set an mbuf's Tx lengths from the frame's layers. */
void frame_tx_lens(const struct frame *f, struct rte_mbuf *m);

/** Change to DPDK's other tunnel convention: outer lengths 0, all of it in l2_len. */
void frame_tx_lens_flat(struct rte_mbuf *m);

#endif /* _FRAME_H_ */
