/* SPDX-License-Identifier: BSD-3-Clause */

#include "ref_csum.h"
#include "ref_judge_walk.h"

#define PROTO_HOP_BY_HOP 0
#define PROTO_TCP 6
#define PROTO_ROUTING 43
#define PROTO_FRAGMENT 44
#define PROTO_AH 51
#define PROTO_DEST_OPTS 60
#define PROTO_MOBILITY 135
#define PROTO_HIP 139
#define PROTO_SHIM6 140

/* A packet longer than the Internet's usual MTU has not been on a wire as it is. */
#define SUPER_ABOVE 1500
/* An Ethernet frame of that MTU. */
#define SUPER_FRAME_ABOVE 1514

/*
 * An IP packet of @p len bytes begins at @p start. The first one's length is the report's; any of
 * them can make it a super-packet, but not by a length that the frame did not have.
 */
static void
note_length(struct ref_walk *w, uint64_t start, uint64_t len, bool zero)
{
	if (w->report->ip_len == 0)
		w->report->ip_len = len;
	if (zero)
		w->report->zero_len = true;
	if (zero || (len > SUPER_ABOVE && ref_to_the_end(w, start) > SUPER_ABOVE))
		w->super = true;
}

/* RFC 4302 section 2.2: the length is in 32-bit words, less two. Without an ICV it is 12 bytes. */
#define AH_SHORTEST 12

static uint64_t
ah_len(const uint8_t *ah)
{
	return (ah[1] + 2) * 4;
}

static void
walk_ipv4(struct ref_walk *w)
{
	const uint8_t *ip = w->data + w->off;
	uint64_t start = w->off, hdr_len, len;
	uint16_t frag;

	if (!ref_has(w, 20)) {
		ref_add(w, REF_IP, REF_TRUNCATED);
		return;
	}
	hdr_len = (ip[0] & 0x0f) * 4;
	if (hdr_len < 20) {
		/* No length of header can be summed rightly. */
		ref_add(w, REF_IP, REF_BAD);
		return;
	}
	if (!ref_has(w, hdr_len)) {
		ref_add(w, REF_IP, REF_TRUNCATED);
		return;
	}
	ref_add(w, REF_IP, ref_raw(ip, hdr_len) == 0xffff ? REF_GOOD : REF_BAD);

	len = ref_be16(ip + 2);
	if (len == 0) {
		len = ref_to_the_end(w, start);
		note_length(w, start, len, true);
	} else {
		note_length(w, start, len, false);
	}
	frag = ref_be16(ip + 6);
	if ((frag & 0x3fff) != 0)
		w->fragment = true;
	w->later = (frag & 0x1fff) != 0;
	w->ip6 = false;
	w->src = ip + 12;
	w->dst = ip + 16;
	w->proto = ip[9];
	w->off += hdr_len;
	/* A length below the header's own leaves no payload. */
	ref_enter(w, len > hdr_len ? start + len : w->off);
	if (w->proto == PROTO_AH && !w->later) {
		if (!ref_has(w, AH_SHORTEST) || ah_len(w->data + w->off) < AH_SHORTEST ||
		    !ref_has(w, ah_len(w->data + w->off)))
			return;
		w->proto = w->data[w->off];
		w->off += ah_len(w->data + w->off);
	}
	w->next = REF_NEXT_PROTO;
}

/* What the extension headers of an IPv6 packet say. */
struct ipv6_chain {
	uint64_t off;       /* first byte behind them */
	uint8_t proto;      /* the last next header */
	bool cut;           /* they go beyond what is there */
	bool fragment;
	bool later;
	uint64_t jumbo;     /* length from a jumbo payload option, 0 when there is none */
	const uint8_t *src; /* home address, NULL when the IPv6 header's source counts */
	const uint8_t *dst; /* final destination, NULL when the IPv6 header has it */
	unsigned int elided; /* bytes that precede dst and are as in the IPv6 header */
};

/* RFC 2675 section 2, among the options of RFC 8200 section 4.2. */
static uint64_t
jumbo_length(const uint8_t *hdr, uint64_t len)
{
	uint64_t i = 2;

	while (i < len) {
		if (hdr[i] == 0) { /* Pad1 has no length */
			i++;
			continue;
		}
		if (i + 2 > len || i + 2 + hdr[i + 1] > len)
			return 0;
		if (hdr[i] == 0xc2 && hdr[i + 1] == 4)
			return (uint64_t)ref_be16(hdr + i + 2) << 16 | ref_be16(hdr + i + 4);
		i += 2 + hdr[i + 1];
	}
	return 0;
}

/*
 * The final destination by a routing header; NULL when the IPv6 header has it. Types 0 (RFC 5095)
 * and 2 (RFC 6275) list addresses in the order of travel, type 4 (RFC 8754) in the reverse one.
 */
static const uint8_t *
routing_dst(const uint8_t *hdr, uint64_t len)
{
	uint64_t nb = (len - 8) / 16;
	uint8_t left = hdr[3];

	if (left == 0 || left > nb)
		return NULL;
	switch (hdr[2]) {
	case 0:
	case 2:
		return hdr + 8 + (nb - 1) * 16;
	case 4:
		return hdr + 8;
	}
	return NULL;
}

/*
 * RFC 6554 section 3: n addresses, of which the last lacks CmprE bytes at its front, and others
 * CmprI, those that the destination in the IPv6 header has too. Pad bytes follow.
 */
static void
read_compressed_route(struct ipv6_chain *chain, const uint8_t *hdr, uint64_t len)
{
	int cmpr_i = hdr[4] >> 4, cmpr_e = hdr[4] & 15, pad = hdr[5] >> 4;
	int octets = (int)len - 8 - pad - (16 - cmpr_e);
	int n = octets / (16 - cmpr_i) + 1;

	if (octets < 0 || octets % (16 - cmpr_i) != 0 || hdr[3] == 0 || hdr[3] > n)
		return;
	chain->dst = hdr + 8 + (n - 1) * (16 - cmpr_i);
	chain->elided = cmpr_e;
}

/* RFC 6275 section 6.3: the option has type 201 and 16 bytes. */
static const uint8_t *
home_address(const uint8_t *hdr, uint64_t len)
{
	uint64_t i = 2;

	while (i + 2 <= len) {
		if (hdr[i] == 0) {
			i++;
			continue;
		}
		if (hdr[i] == 201 && hdr[i + 1] == 16)
			return i + 18 <= len ? hdr + i + 2 : NULL;
		i += 2 + hdr[i + 1];
	}
	return NULL;
}

/* IANA's list of IPv6 extension headers, without ESP, which hides what follows. */
static bool
is_extension(uint8_t proto)
{
	switch (proto) {
	case PROTO_HOP_BY_HOP:
	case PROTO_ROUTING:
	case PROTO_FRAGMENT:
	case PROTO_AH:
	case PROTO_DEST_OPTS:
	case PROTO_MOBILITY:
	case PROTO_HIP:
	case PROTO_SHIM6:
		return true;
	}
	return false;
}

static uint64_t
extension_len(uint8_t proto, const uint8_t *hdr)
{
	if (proto == PROTO_FRAGMENT)
		return 8;
	if (proto == PROTO_AH)
		return ah_len(hdr);
	return (hdr[1] + 1) * 8;
}

/* One extension header of @p len bytes at @p hdr. */
static void
read_extension(struct ipv6_chain *chain, const uint8_t *hdr, uint64_t len)
{
	const uint8_t *src, *dst;
	uint16_t frag;

	switch (chain->proto) {
	case PROTO_HOP_BY_HOP:
		chain->jumbo = jumbo_length(hdr, len);
		break;
	case PROTO_ROUTING:
		if (hdr[2] == 3)
			read_compressed_route(chain, hdr, len);
		dst = routing_dst(hdr, len);
		if (dst != NULL) {
			chain->dst = dst;
			chain->elided = 0;
		}
		break;
	case PROTO_DEST_OPTS:
		src = home_address(hdr, len);
		if (src != NULL)
			chain->src = src;
		break;
	case PROTO_FRAGMENT:
		/* Offset 0 and no more: an atomic fragment, a whole packet (RFC 6946). */
		frag = ref_be16(hdr + 2);
		chain->later = (frag & 0xfff8) != 0;
		if (chain->later || (frag & 1) != 0)
			chain->fragment = true;
		break;
	}
}

/* Read the chain from chain->off, which must not go beyond @p end. */
static void
read_chain(struct ipv6_chain *chain, const uint8_t *data, uint64_t end)
{
	const uint8_t *hdr;
	uint64_t len;

	while (is_extension(chain->proto) && !chain->later) {
		hdr = data + chain->off;
		if (chain->off + 8 > end || chain->off + extension_len(chain->proto, hdr) > end) {
			chain->cut = true;
			return;
		}
		len = extension_len(chain->proto, hdr);
		if (chain->proto == PROTO_AH && len < AH_SHORTEST) {
			chain->cut = true;
			return;
		}
		read_extension(chain, hdr, len);
		chain->proto = hdr[0];
		chain->off += len;
	}
}

/* Put together what a route elides. */
static const uint8_t *
final_dst(struct ref_walk *w, const uint8_t *dst, const struct ipv6_chain *chain)
{
	unsigned int i;

	if (chain->dst == NULL)
		return dst;
	for (i = 0; i < 16; i++)
		w->unpacked[i] = i < chain->elided ? dst[i] : chain->dst[i - chain->elided];
	return w->unpacked;
}

static void
walk_ipv6(struct ref_walk *w)
{
	const uint8_t *ip = w->data + w->off;
	struct ipv6_chain chain;
	uint64_t start = w->off + 40, len, follow;
	bool zero = false;

	if (!ref_has(w, 40))
		return;
	len = ref_be16(ip + 4);
	chain = (struct ipv6_chain){ .off = start, .proto = ip[6] };
	read_chain(&chain, w->data, len != 0 && start + len < w->there ? start + len : w->there);

	if (len == 0) {
		follow = ref_to_the_end(w, start);
		if (chain.jumbo != 0) {
			len = chain.jumbo;
			zero = true;
		} else if (follow > UINT16_MAX ||
			   (chain.proto == PROTO_TCP && w->frame_len > SUPER_FRAME_ABOVE)) {
			len = follow;
			zero = true;
		}
	}
	note_length(w, start - 40, 40 + len, zero);
	ref_enter(w, start + len);
	/* Where a payload length of 0 means 0, the extension headers were none. */
	if (chain.cut || chain.off > w->end)
		return;
	if (chain.fragment)
		w->fragment = true;
	w->later = chain.later;
	w->ip6 = true;
	w->src = chain.src != NULL ? chain.src : ip + 8;
	w->dst = final_dst(w, ip + 24, &chain);
	w->proto = chain.proto;
	w->off = chain.off;
	w->next = REF_NEXT_PROTO;
}

void
ref_walk_ip(struct ref_walk *w, unsigned int version)
{
	/* An EtherType and a version that contradict each other: not an IP packet. */
	if (ref_has(w, 1) && w->data[w->off] >> 4 != version)
		return;
	if (version == 4)
		walk_ipv4(w);
	else if (version == 6)
		walk_ipv6(w);
}
