/* SPDX-License-Identifier: BSD-3-Clause */

#include <netinet/in.h>

#include "pkt_parse_private.h"

#define EXT_UNIT          8     /* extension headers come in these, and are one at least */
#define AH_UNIT           4
#define AH_MIN_LEN        12    /* RFC 4302 section 2 */
#define IPPROTO_HIP       139
#define IPPROTO_SHIM6     140
#define OPT_PAD1          0
#define OPT_JUMBO         0xc2
#define OPT_JUMBO_LEN     4
#define OPT_HOME          0xc9
#define OPT_HDR_LEN       2
#define FRAG_MORE         0x0001
#define FRAG_OFFSET       0xfff8
#define ROUTING_SOURCE    0     /* RFC 2460, deprecated */
#define ROUTING_MOBILE    2     /* RFC 6275 */
#define ROUTING_RPL       3     /* RFC 6554 */
#define ROUTING_SEGMENT   4     /* RFC 8754 */
#define ROUTING_ADDRS     8     /* offset of the first address */
#define IPV6_ADDR_LEN     16

/* Where the data of an option of that type and length is; 0 if there is none (RFC 8200, 4.2). */
static uint32_t
find_option(struct pkt_parse *p, uint32_t off, uint32_t end, uint8_t type, uint8_t len)
{
	while (off + OPT_HDR_LEN <= end) {
		const uint8_t *opt = pkt_parse_peek(p, off, OPT_HDR_LEN);

		if (opt == NULL)
			break;
		if (opt[0] == OPT_PAD1) {
			off++;
			continue;
		}
		off += OPT_HDR_LEN;
		if (opt[0] == type && opt[1] == len)
			return off + len <= end ? off : 0;
		off += opt[1];
	}
	return 0;
}

/* The jumbo payload option among hop-by-hop options (RFC 2675). */
static uint32_t
find_jumbo(struct pkt_parse *p, uint32_t off, uint32_t end)
{
	uint32_t at = find_option(p, off, end, OPT_JUMBO, OPT_JUMBO_LEN);
	const uint8_t *len = at != 0 ? pkt_parse_peek(p, at, OPT_JUMBO_LEN) : NULL;

	return len != NULL ? pkt_be32(len) : 0;
}

/*
 * The last of the compressed addresses of RFC 6554: without its first bytes, which are those of
 * the destination in the IPv6 header. All others have another length.
 */
static void
find_compressed_dst(const uint8_t *hdr, uint32_t off, uint32_t len, struct pkt_ext *ext)
{
	uint32_t other_len = IPV6_ADDR_LEN - (hdr[4] >> 4);
	uint32_t last_len = IPV6_ADDR_LEN - (hdr[4] & 0xf);
	uint32_t there = len - ROUTING_ADDRS, pad = hdr[5] >> 4;
	uint32_t others;

	if (there < last_len + pad)
		return;
	others = there - last_len - pad;
	if (others % other_len != 0 || hdr[3] > others / other_len + 1)
		return;
	ext->final_dst = off + ROUTING_ADDRS + others;
	ext->elided = hdr[4] & 0xf;
}

/*
 * Where a routing header holds the final destination, unless the packet is on its last leg, so that
 * the IPv6 header has it.
 */
static void
find_final_dst(const uint8_t *hdr, uint32_t off, uint32_t len, struct pkt_ext *ext)
{
	uint32_t nb_addrs = (len - ROUTING_ADDRS) / IPV6_ADDR_LEN;
	uint8_t segments_left = hdr[3];

	if (segments_left == 0)
		return;
	if (hdr[2] == ROUTING_RPL) {
		find_compressed_dst(hdr, off, len, ext);
		return;
	}
	if (segments_left > nb_addrs)
		return;
	if (hdr[2] == ROUTING_SOURCE || hdr[2] == ROUTING_MOBILE)
		ext->final_dst = off + ROUTING_ADDRS + (nb_addrs - 1) * IPV6_ADDR_LEN;
	else if (hdr[2] == ROUTING_SEGMENT)
		/* The segment list is in reverse order. */
		ext->final_dst = off + ROUTING_ADDRS;
	else
		return;
	ext->elided = 0;
}

/* The home address among destination options (RFC 6275 section 6.3). */
static void
find_home(struct pkt_parse *p, uint32_t off, uint32_t end, struct pkt_ext *ext)
{
	uint32_t home = find_option(p, off, end, OPT_HOME, IPV6_ADDR_LEN);

	if (home != 0)
		ext->home = home;
}

static uint8_t
fragment_flags(const uint8_t *hdr)
{
	uint16_t field = pkt_be16(hdr + 2);
	uint8_t flags = 0;

	if (field & (FRAG_OFFSET | FRAG_MORE))
		flags |= CSUM_LAYER_F_FRAGMENT;
	if (field & FRAG_OFFSET)
		flags |= CSUM_LAYER_F_LATER;
	return flags;
}

/* Length of the extension header of a kind, 0 if it is none, or makes no sense. */
static uint32_t
ext_len(bool ipv6, uint8_t proto, const uint8_t *hdr)
{
	uint32_t ah_len = (hdr[1] + 2u) * AH_UNIT;

	if (proto == IPPROTO_AH)
		return ah_len >= AH_MIN_LEN ? ah_len : 0;
	if (!ipv6)
		return 0;

	switch (proto) {
	case IPPROTO_FRAGMENT:
		return EXT_UNIT;
	case IPPROTO_HOPOPTS:
	case IPPROTO_ROUTING:
	case IPPROTO_DSTOPTS:
	case IPPROTO_MH:
	case IPPROTO_HIP:
	case IPPROTO_SHIM6:
		return (hdr[1] + 1u) * EXT_UNIT;
	default:
		return 0;
	}
}

void
pkt_parse_ext(struct pkt_parse *p, bool ipv6, struct pkt_ext *ext)
{
	const uint8_t *hdr;
	uint32_t off, len;
	uint8_t proto;

	while ((hdr = pkt_parse_peek(p, ext->off, EXT_UNIT)) != NULL) {
		len = ext_len(ipv6, ext->next, hdr);
		if (len == 0 || len > pkt_parse_avail(p, ext->off))
			break;

		proto = ext->next;
		off = ext->off;
		ext->next = hdr[0];
		ext->off += len;
		switch (proto) {
		case IPPROTO_HOPOPTS:
			ext->jumbo = find_jumbo(p, off + OPT_HDR_LEN, ext->off);
			break;
		case IPPROTO_ROUTING:
			find_final_dst(hdr, off, len, ext);
			break;
		case IPPROTO_DSTOPTS:
			find_home(p, off + OPT_HDR_LEN, ext->off, ext);
			break;
		case IPPROTO_FRAGMENT:
			ext->flags |= fragment_flags(hdr);
			break;
		case IPPROTO_AH:
			ext->flags |= CSUM_LAYER_F_AH;
			break;
		}
		if (ext->flags & CSUM_LAYER_F_LATER)
			break;
	}
}
