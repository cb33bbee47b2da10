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
#define OPT_HDR_LEN       2
#define FRAG_MORE         0x0001
#define FRAG_OFFSET       0xfff8
#define ROUTING_SOURCE    0     /* RFC 2460, deprecated */
#define ROUTING_MOBILE    2     /* RFC 6275 */
#define ROUTING_SEGMENT   4     /* RFC 8754 */
#define ROUTING_ADDRS     8     /* offset of the first address */
#define IPV6_ADDR_LEN     16

/* The jumbo payload option among hop-by-hop options (RFC 2675). */
static uint32_t
find_jumbo(struct pkt_parse *p, uint32_t off, uint32_t end)
{
	while (off + OPT_HDR_LEN <= end) {
		const uint8_t *opt = pkt_parse_peek(p, off, OPT_HDR_LEN);

		if (opt == NULL)
			break;
		if (opt[0] == OPT_PAD1) {
			off++;
			continue;
		}
		if (opt[0] == OPT_JUMBO && opt[1] == OPT_JUMBO_LEN) {
			opt = pkt_parse_peek(p, off + OPT_HDR_LEN, OPT_JUMBO_LEN);
			return opt != NULL ? pkt_be32(opt) : 0;
		}
		off += OPT_HDR_LEN + opt[1];
	}
	return 0;
}

/*
 * Where a routing header holds the final destination; 0 if the packet is on its last leg, so that
 * the IPv6 header has it. Compressed addresses (RFC 6554) are none that one could point at.
 */
static uint32_t
find_final_dst(const uint8_t *hdr, uint32_t off, uint32_t len)
{
	uint32_t nb_addrs = (len - ROUTING_ADDRS) / IPV6_ADDR_LEN;
	uint8_t segments_left = hdr[3];

	if (segments_left == 0 || segments_left > nb_addrs)
		return 0;
	switch (hdr[2]) {
	case ROUTING_SOURCE:
	case ROUTING_MOBILE:
		return off + ROUTING_ADDRS + (nb_addrs - 1) * IPV6_ADDR_LEN;
	case ROUTING_SEGMENT:
		/* The segment list is in reverse order. */
		return off + ROUTING_ADDRS;
	default:
		return 0;
	}
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
			ext->final_dst = find_final_dst(hdr, off, len);
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
