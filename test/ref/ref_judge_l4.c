/* SPDX-License-Identifier: BSD-3-Clause */

#include <stddef.h>

#include "ref_csum.h"
#include "ref_judge_walk.h"

#define PROTO_ICMP 1
#define PROTO_IGMP 2
#define PROTO_IPV4 4
#define PROTO_TCP 6
#define PROTO_UDP 17
#define PROTO_DCCP 33
#define PROTO_IPV6 41
#define PROTO_GRE 47
#define PROTO_ICMPV6 58
#define PROTO_SCTP 132
#define PROTO_UDPLITE 136
#define PROTO_MPLS 137 /* RFC 4023 */
#define PROTO_ETHERNET 143 /* RFC 8986 section 10.1 */

/*
 * Raw sum of the pseudo header (RFC 9293 section 3.1, RFC 8200 section 8.1). The field is 16 bits
 * wide for IPv4 and 32 for IPv6; the high half of a length that fits in 16 bits adds nothing.
 */
static uint16_t
pseudo_sum(const struct ref_walk *w, uint64_t len)
{
	struct ref_sum sum = { 0 };
	size_t addr_len = w->ip6 ? 16 : 4;

	ref_sum_add(&sum, w->src, addr_len);
	ref_sum_add(&sum, w->dst, addr_len);
	ref_sum_add16(&sum, w->proto);
	ref_sum_add16(&sum, (uint16_t)(len >> 16));
	ref_sum_add16(&sum, (uint16_t)len);
	return sum.raw;
}

/* Judge a sum over @p covered bytes at w->off without a pseudo header. */
static enum ref_verdict
judge_plain(const struct ref_walk *w, uint64_t covered)
{
	return ref_raw(w->data + w->off, covered) == 0xffff ? REF_GOOD : REF_BAD;
}

/*
 * Judge a sum over a pseudo header with the length @p len and @p covered bytes at w->off, the
 * field in them at @p field.
 */
static enum ref_verdict
judge_pseudo(const struct ref_walk *w, uint64_t field, uint64_t len, uint64_t covered)
{
	const uint8_t *hdr = w->data + w->off;
	uint16_t value = ref_be16(hdr + field);

	if (ref_raw_from(pseudo_sum(w, len), hdr, covered) == 0xffff)
		return REF_GOOD;
	if (value == pseudo_sum(w, len) || value == pseudo_sum(w, 0))
		return REF_PARTIAL;
	return REF_BAD;
}

/* Tell whether the sum can be judged: it lies in no fragment and @p covered bytes are there. */
static bool
can_judge(const struct ref_walk *w, uint64_t covered)
{
	return !w->fragment && ref_has(w, covered);
}

/* The verdict where it cannot. */
static enum ref_verdict
unjudged(const struct ref_walk *w)
{
	return w->fragment ? REF_FRAGMENT : REF_TRUNCATED;
}

/* Bytes of the IP payload, by the IP header. */
static uint64_t
payload_len(const struct ref_walk *w)
{
	return w->end - w->off;
}

/* What a checksum over the whole IP payload needs, with a header of @p hdr_len bytes. */
static uint64_t
whole(const struct ref_walk *w, uint64_t hdr_len)
{
	return payload_len(w) > hdr_len ? payload_len(w) : hdr_len;
}

/* A header whose checksum covers the whole IP payload and no pseudo header. */
static void
walk_plain(struct ref_walk *w, enum ref_column column, uint64_t hdr_len)
{
	ref_add(w, column, can_judge(w, whole(w, hdr_len)) ? judge_plain(w, payload_len(w)) :
							     unjudged(w));
}

/* A header whose checksum, at @p field, covers the whole IP payload and a pseudo header. */
static void
walk_pseudo(struct ref_walk *w, enum ref_column column, uint64_t hdr_len, uint64_t field)
{
	uint64_t len = payload_len(w);

	ref_add(w, column, can_judge(w, whole(w, hdr_len)) ? judge_pseudo(w, field, len, len) :
							     unjudged(w));
}

static void
walk_icmp(struct ref_walk *w)
{
	walk_plain(w, REF_ICMP, 4);
}

static void
walk_igmp(struct ref_walk *w)
{
	walk_plain(w, REF_IGMP, 8);
}

static void
walk_tcp(struct ref_walk *w)
{
	walk_pseudo(w, REF_TCP, 20, 16);
}

static void
walk_icmpv6(struct ref_walk *w)
{
	walk_pseudo(w, REF_ICMPV6, 4, 2);
}

/* RFC 9260 section 6.8: a CRC32c with the field as zeros, least significant byte first. */
static enum ref_verdict
judge_sctp(const struct ref_walk *w)
{
	static const uint8_t zeros[4];
	const uint8_t *sctp = w->data + w->off;
	uint32_t crc, value;

	if (!can_judge(w, whole(w, 12)))
		return unjudged(w);
	crc = ref_crc32c(0, sctp, 8);
	crc = ref_crc32c(crc, zeros, 4);
	crc = ref_crc32c(crc, sctp + 12, payload_len(w) - 12);
	value = (uint32_t)sctp[11] << 24 | (uint32_t)sctp[10] << 16 | (uint32_t)sctp[9] << 8 |
		sctp[8];
	return crc == value ? REF_GOOD : REF_BAD;
}

static void
walk_sctp(struct ref_walk *w)
{
	ref_add(w, REF_SCTP, judge_sctp(w));
}

/*
 * A checksum at byte 6 that covers the first @p covered bytes of the payload, as its header says;
 * more than the payload is illegal.
 */
static enum ref_verdict
judge_covered(const struct ref_walk *w, uint64_t covered)
{
	if (covered > payload_len(w))
		return REF_BAD;
	return can_judge(w, covered) ? judge_pseudo(w, 6, payload_len(w), covered) : unjudged(w);
}

/* RFC 3828 section 3.1: a coverage of 0 is all, below 8 is illegal; so is a checksum of 0. */
static enum ref_verdict
judge_udplite(const struct ref_walk *w)
{
	const uint8_t *udp = w->data + w->off;
	uint16_t covered;

	if (!can_judge(w, 8))
		return unjudged(w);
	covered = ref_be16(udp + 4);
	if (ref_be16(udp + 6) == 0 || (covered > 0 && covered < 8))
		return REF_BAD;
	return judge_covered(w, covered != 0 ? covered : payload_len(w));
}

static void
walk_udplite(struct ref_walk *w)
{
	ref_add(w, REF_UDPLITE, judge_udplite(w));
}

/* RFC 4340 section 9.2: CsCov 0 covers all, n covers the header and n - 1 words of data. */
static enum ref_verdict
judge_dccp(const struct ref_walk *w)
{
	const uint8_t *dccp = w->data + w->off;
	unsigned int cscov;

	if (!can_judge(w, 12))
		return unjudged(w);
	cscov = dccp[5] & 0x0f;
	if (cscov == 0)
		return judge_covered(w, payload_len(w));
	/* The data offset, in words, cannot be less than the shortest header. */
	if (dccp[4] < 3)
		return REF_BAD;
	return judge_covered(w, (dccp[4] + (uint64_t)cscov - 1) * 4);
}

static void
walk_dccp(struct ref_walk *w)
{
	ref_add(w, REF_DCCP, judge_dccp(w));
}

/*
 * RFC 2784 and RFC 2890: the checksum covers header and payload. Version 1 (PPTP) has none, and
 * its payload is PPP. Behind RFC 1701's routing field nothing is known.
 */
static void
walk_gre(struct ref_walk *w)
{
	const uint8_t *gre = w->data + w->off;
	uint64_t hdr_len = 4;

	if (!ref_has(w, 4)) {
		ref_add(w, REF_GRE, unjudged(w));
		return;
	}
	if ((gre[1] & 0x07) != 0)
		return;
	if ((gre[0] & 0x80) != 0) {
		walk_plain(w, REF_GRE, 8);
		hdr_len += 4;
	}
	hdr_len += (gre[0] & 0x20) != 0 ? 4 : 0; /* key */
	hdr_len += (gre[0] & 0x10) != 0 ? 4 : 0; /* sequence number */
	if ((gre[0] & 0x40) != 0)
		return;
	ref_walk_gre_payload(w, hdr_len, ref_be16(gre + 2), (gre[0] & 0x10) != 0);
}

/* RFC 768; @p len is the header's own length, or what a length of 0 means. */
static enum ref_verdict
judge_udp(const struct ref_walk *w, uint64_t len, bool tunnel)
{
	/* RFC 8200 section 8.1 requires a checksum, RFC 6935 lets tunnels do without. */
	if (ref_be16(w->data + w->off + 6) == 0)
		return !w->ip6 || tunnel ? REF_ZERO : REF_BAD;
	if (w->fragment)
		return REF_FRAGMENT;
	if (len < 8)
		return REF_BAD;
	return can_judge(w, len) ? judge_pseudo(w, 6, len, len) : unjudged(w);
}

static void
walk_udp(struct ref_walk *w)
{
	const uint8_t *udp = w->data + w->off;
	struct ref_walk inner;
	uint64_t len;
	bool tunnel;

	if (!ref_has(w, 8)) {
		ref_add(w, REF_UDP, unjudged(w));
		return;
	}
	len = ref_be16(udp + 4);
	if (len == 0 && w->super)
		len = payload_len(w);
	inner = *w;
	inner.off += 8;
	if (len < payload_len(w))
		ref_enter(&inner, len > 8 ? w->off + len : inner.off);
	tunnel = ref_walk_udp_tunnel(&inner, udp);
	ref_add(w, REF_UDP, judge_udp(w, len, tunnel));
	*w = inner;
}

void
ref_walk_proto(struct ref_walk *w)
{
	static const struct {
		uint8_t proto;
		enum ref_column column;
		void (*walk)(struct ref_walk *w);
	} protos[] = {
		{ PROTO_ICMP, REF_ICMP, walk_icmp },
		{ PROTO_IGMP, REF_IGMP, walk_igmp },
		{ PROTO_TCP, REF_TCP, walk_tcp },
		{ PROTO_UDP, REF_UDP, walk_udp },
		{ PROTO_DCCP, REF_DCCP, walk_dccp },
		{ PROTO_GRE, REF_GRE, walk_gre },
		{ PROTO_ICMPV6, REF_ICMPV6, walk_icmpv6 },
		{ PROTO_SCTP, REF_SCTP, walk_sctp },
		{ PROTO_UDPLITE, REF_UDPLITE, walk_udplite },
	};
	size_t i;

	if (!w->later && (w->proto == PROTO_IPV4 || w->proto == PROTO_IPV6)) {
		ref_walk_ip(w, w->proto == PROTO_IPV4 ? 4 : 6);
		return;
	}
	if (!w->later && (w->proto == PROTO_ETHERNET || w->proto == PROTO_MPLS)) {
		w->next = w->proto == PROTO_MPLS ? REF_NEXT_MPLS : REF_NEXT_ETHER;
		return;
	}
	for (i = 0; i < sizeof(protos) / sizeof(protos[0]); i++) {
		if (protos[i].proto != w->proto)
			continue;
		if (w->later)
			ref_add(w, protos[i].column, REF_FRAGMENT);
		else
			protos[i].walk(w);
		return;
	}
}
