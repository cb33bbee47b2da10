/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _REF_JUDGE_WALK_H_
#define _REF_JUDGE_WALK_H_

/**
 * @file
 * Private to the judge: a walk from header to header, one function a header. Each function looks
 * at the header at w->off, records its verdict, moves w->off behind it and says what comes next.
 */

#include <stdbool.h>
#include <stdint.h>

#include "ref_judge.h"

/** IEEE 802.3: an EtherType up to this is a length, and an LLC header follows. */
#define REF_TYPE_MAX_LENGTH 1500

/** What lies at w->off. */
enum ref_next {
	REF_NEXT_NONE,   /**< nothing that can be judged: the walk ends */
	REF_NEXT_ETHER,
	REF_NEXT_TYPE,   /**< what the EtherType in w->type says */
	REF_NEXT_LLC,
	REF_NEXT_MPLS,
	REF_NEXT_IP,     /**< IPv4 or IPv6, by the version in the first byte */
	REF_NEXT_PROTO,  /**< what the IP protocol number in w->proto says */
};

struct ref_walk {
	const uint8_t *data;
	uint64_t off;        /**< first byte of the next header */
	uint64_t there;      /**< end of the bytes that are there and belong to the packet */
	uint64_t end;        /**< end of the packet by the innermost length, there or not */
	uint64_t frame_len;
	enum ref_next next;
	uint16_t type;
	uint8_t proto;
	bool fragment;       /**< some IP header so far was that of a fragment */
	bool later;          /**< its offset was not 0: no header follows */
	bool super;          /**< some IP header so far was that of a super-packet */
	bool ip6;            /**< version of the innermost IP header */
	const uint8_t *src;  /**< its addresses, 4 or 16 bytes: a home address is the source, */
	const uint8_t *dst;  /**< and the destination is the final one */
	uint8_t unpacked[16]; /**< that, where the packet has only a part of it */
	struct ref_report *report;
};

static inline uint16_t
ref_be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

/** Tell whether @p len bytes are there at w->off. */
static inline bool
ref_has(const struct ref_walk *w, uint64_t len)
{
	return w->off + len <= w->there;
}

/** From now on, w->off belongs to a packet that ends at @p end. */
static inline void
ref_enter(struct ref_walk *w, uint64_t end)
{
	w->end = end;
	if (w->there > end)
		w->there = end;
}

/** Bytes from @p start to the end of the packet or the frame: what a length of 0 can mean. */
static inline uint64_t
ref_to_the_end(const struct ref_walk *w, uint64_t start)
{
	return (w->end < w->frame_len ? w->end : w->frame_len) - start;
}

static inline void
ref_add(struct ref_walk *w, enum ref_column column, enum ref_verdict verdict)
{
	w->report->list[column][w->report->count[column]++] = verdict;
}

/** ref_judge_ip.c: the header of an IP packet of that version, extension headers included. */
void ref_walk_ip(struct ref_walk *w, unsigned int version);

/** ref_judge_l4.c: the header of an IP protocol, tunnel headers behind it included. */
void ref_walk_proto(struct ref_walk *w);

/**
 * ref_judge_tunnel.c: go on behind a tunnel header of @p hdr_len bytes at w->off with what the
 * EtherType @p type says.
 */
void ref_walk_encapsulated(struct ref_walk *w, uint64_t hdr_len, uint16_t type);

/**
 * ref_judge_tunnel.c: go on behind a GRE header of @p hdr_len bytes, with or without a sequence
 * number, with what its protocol type says.
 */
void ref_walk_gre_payload(struct ref_walk *w, uint64_t hdr_len, uint16_t type, bool sequenced);

/**
 * ref_judge_tunnel.c: the tunnel header at w->off, behind the UDP header @p udp. Returns whether
 * the ports, and the header as far as it is there, are those of a tunnel.
 */
bool ref_walk_udp_tunnel(struct ref_walk *w, const uint8_t *udp);

#endif /* _REF_JUDGE_WALK_H_ */
