/* SPDX-License-Identifier: BSD-3-Clause */

#include <netinet/in.h>

#include "gso_private.h"

#define EXT_UNIT 8 /* extension headers come in these */
#define OPT_PAD1 0
#define OPT_PADN 1
#define OPT_JUMBO 0xc2
#define OPT_JUMBO_LEN 4
#define OPT_HOME 0xc9
#define OPT_HDR_LEN 2

#define ROUTING_TYPE0 0
#define ROUTING_MOBILE 2
#define ROUTING_SEGMENT 4
#define ROUTING_FIXED_LEN 8
#define IPV6_ADDR_LEN 16

static enum csum_refusal
ipv4_read(struct csum_gso_iter *it, struct csum_gso_ip *ip, uint32_t end)
{
	uint8_t *hdr = it->hdr + ip->off;
	uint16_t frag;

	if (end - ip->off < IPV4_MIN)
		return CSUM_REFUSAL_HEADER;
	ip->len = (hdr[0] & 0xf) * 4;
	if (ip->len < IPV4_MIN || ip->off + ip->len > end)
		return CSUM_REFUSAL_HEADER;
	frag = get_be16(hdr + IPV4_FRAG);
	if ((frag & (IPV4_MF | IPV4_OFFSET)) != 0)
		return CSUM_REFUSAL_FRAGMENT;
	ip->proto = hdr[IPV4_PROTO];
	ip->id = get_be16(hdr + IPV4_ID);
	put16(hdr + IPV4_ID, 0);
	put16(hdr + IPV4_CHECK, 0);
	gso_len_add(it, ip->off + IPV4_LEN, ip->off);
	return CSUM_REFUSAL_NONE;
}

/*
 * With segments left, the pseudo header has the last address of the route (RFC 8200 section 8.1).
 * A segment routing header lists it first (RFC 8754 section 2), the others list it last.
 */
static enum csum_refusal
routing_read(const uint8_t *hdr, uint32_t off, uint32_t len, struct csum_gso_ip *ip)
{
	uint32_t nb_addrs = (len - ROUTING_FIXED_LEN) / IPV6_ADDR_LEN;
	uint8_t type = hdr[off + 2], left = hdr[off + 3];

	if (left == 0)
		return CSUM_REFUSAL_NONE;
	if (left > nb_addrs)
		return CSUM_REFUSAL_HEADER;
	switch (type) {
	case ROUTING_TYPE0:
	case ROUTING_MOBILE:
		ip->dst = off + ROUTING_FIXED_LEN + (nb_addrs - 1) * IPV6_ADDR_LEN;
		return CSUM_REFUSAL_NONE;
	case ROUTING_SEGMENT:
		ip->dst = off + ROUTING_FIXED_LEN;
		return CSUM_REFUSAL_NONE;
	default:
		return CSUM_REFUSAL_PROTOCOL;
	}
}

/* A home address among destination options stands for the source (RFC 6275 section 6.3). */
static bool
home_read(const uint8_t *hdr, uint32_t off, uint32_t len, struct csum_gso_ip *ip)
{
	uint32_t at = off + OPT_HDR_LEN, end = off + len;

	while (at + OPT_HDR_LEN <= end) {
		uint32_t opt_len = hdr[at] == OPT_PAD1 ? 1 : OPT_HDR_LEN + hdr[at + 1];

		if (hdr[at] == OPT_HOME && opt_len == OPT_HDR_LEN + IPV6_ADDR_LEN &&
		    at + opt_len <= end) {
			ip->src = at + OPT_HDR_LEN;
			return true;
		}
		at += opt_len;
	}
	return false;
}

/*
 * A fragment header that says "the whole" (RFC 6946) may stay. More headers behind it do not move
 * the place where a packet may be split.
 */
static enum csum_refusal
fragment_read(const uint8_t *hdr, uint32_t off, uint32_t next_off, struct csum_gso_ip *ip)
{
	if (ip->atomic || (get_be16(hdr + off + 2) & (IPV6_OFFSET | IPV6_MORE)) != 0)
		return CSUM_REFUSAL_FRAGMENT;
	ip->atomic = true;
	ip->split = off;
	ip->split_next = next_off;
	return CSUM_REFUSAL_NONE;
}

static bool
is_ext(uint8_t kind)
{
	return kind == IPPROTO_HOPOPTS || kind == IPPROTO_ROUTING || kind == IPPROTO_FRAGMENT ||
		kind == IPPROTO_DSTOPTS;
}

/* Take note of an extension header at @p off, which the field at @p next_off names. */
static enum csum_refusal
ext_read(const uint8_t *hdr, uint32_t off, uint32_t len, uint32_t next_off, struct csum_gso_ip *ip)
{
	uint8_t kind = hdr[next_off];

	if (kind == IPPROTO_FRAGMENT)
		return fragment_read(hdr, off, next_off, ip);
	/* Of destination options only a home address belongs in each fragment. */
	if ((kind != IPPROTO_DSTOPTS || home_read(hdr, off, len, ip)) && !ip->atomic) {
		ip->split = off + len;
		ip->split_next = off;
	}
	return kind == IPPROTO_ROUTING ? routing_read(hdr, off, len, ip) : CSUM_REFUSAL_NONE;
}

static enum csum_refusal
ipv6_read(struct csum_gso_iter *it, struct csum_gso_ip *ip, uint32_t end)
{
	const uint8_t *hdr = it->hdr;
	uint32_t at = ip->off + IPV6_MIN, next_off = ip->off + IPV6_NEXT, len;
	enum csum_refusal refusal;

	if (at > end)
		return CSUM_REFUSAL_HEADER;
	gso_len_add(it, ip->off + IPV6_LEN, at);
	ip->src = ip->off + IPV6_SRC;
	ip->dst = ip->off + IPV6_DST;
	ip->split = at;
	ip->split_next = next_off;
	while (is_ext(hdr[next_off])) {
		if (at + EXT_UNIT > end)
			return CSUM_REFUSAL_HEADER;
		/* A fragment header has no length: the byte is reserved. */
		len = hdr[next_off] == IPPROTO_FRAGMENT ? EXT_UNIT : (hdr[at + 1] + 1) * EXT_UNIT;
		if (at + len > end)
			return CSUM_REFUSAL_HEADER;
		refusal = ext_read(hdr, at, len, next_off, ip);
		if (refusal != CSUM_REFUSAL_NONE)
			return refusal;
		next_off = at;
		at += len;
	}
	ip->proto = hdr[next_off];
	ip->len = at - ip->off;
	return CSUM_REFUSAL_NONE;
}

enum csum_refusal
gso_ip_read(struct csum_gso_iter *it, uint32_t off, uint32_t end)
{
	struct csum_gso_ip *ip = &it->ip[it->nb_ip];
	enum csum_refusal refusal;

	if (off >= end)
		return CSUM_REFUSAL_HEADER;
	memset(ip, 0, sizeof(*ip));
	ip->off = off;
	switch (it->hdr[off] >> 4) {
	case 4:
		refusal = ipv4_read(it, ip, end);
		break;
	case 6:
		ip->v6 = true;
		refusal = ipv6_read(it, ip, end);
		break;
	default:
		refusal = CSUM_REFUSAL_HEADER;
	}
	if (refusal == CSUM_REFUSAL_NONE)
		it->nb_ip++;
	return refusal;
}

/* Where the jumbo option lies in hop-by-hop options, 0 if nowhere. */
static uint32_t
jumbo_find(const uint8_t *opts, uint32_t len, bool *alone)
{
	uint32_t at = 2, found = 0;

	*alone = true;
	while (at < len) {
		if (opts[at] == OPT_PAD1) {
			at++;
			continue;
		}
		if (at + 2 > len || at + 2 + opts[at + 1] > len)
			return 0;
		if (opts[at] == OPT_JUMBO && opts[at + 1] == OPT_JUMBO_LEN)
			found = at;
		else if (opts[at] != OPT_PADN)
			*alone = false;
		at += 2 + opts[at + 1];
	}
	return found;
}

uint32_t
gso_jumbo_remove(struct csum_gso_iter *it, uint32_t off, uint32_t end)
{
	uint32_t at = off + IPV6_MIN, len, jumbo;
	uint8_t *hdr = it->hdr;
	bool alone;

	if (at + 8 > end || hdr[off] >> 4 != 6 || hdr[off + IPV6_NEXT] != IPPROTO_HOPOPTS)
		return 0;
	len = (hdr[at + 1] + 1) * 8;
	if (at + len > end)
		return 0;
	jumbo = jumbo_find(hdr + at, len, &alone);
	if (jumbo == 0)
		return 0;
	if (!alone) {
		hdr[at + jumbo] = OPT_PADN;
		memset(hdr + at + jumbo + 2, 0, OPT_JUMBO_LEN);
		return 0;
	}
	hdr[off + IPV6_NEXT] = hdr[at];
	it->hdr_len -= len;
	memmove(hdr + at, hdr + at + len, it->hdr_len - at);
	return len;
}

uint32_t
gso_pseudo(const struct csum_gso_iter *it, const struct csum_gso_ip *ip, uint8_t proto,
	   uint32_t len)
{
	if (ip->v6)
		return csum_pseudo_ipv6(it->hdr + ip->src, it->hdr + ip->dst, proto, len);
	return csum_pseudo_ipv4(it->hdr + ip->off + IPV4_SRC, proto, len);
}
