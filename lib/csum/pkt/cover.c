/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include <rte_byteorder.h>

#include "pkt_parse_private.h"

#define IPV4_ADDRS        12
#define IPV4_MIN_LEN      20
#define IPV6_DST          24
#define IPV6_ADDR_LEN     16
#define UDP_LEN           8
#define GRE_MIN_LEN       4
#define GRE_CHECKSUM      0x80 /* in its first byte */
#define DCCP_MIN_LEN      12
#define SCTP_FIELD_LEN    4

/* Where the checksum field lies, and the protocol number in the pseudo header, if there is one. */
static const struct {
	uint8_t field;
	uint8_t pseudo_proto;
} rules[] = {
	[CSUM_LAYER_IPV4] = { 10, 0 },
	[CSUM_LAYER_TCP] = { 16, 6 },
	[CSUM_LAYER_UDP] = { 6, 17 },
	[CSUM_LAYER_UDPLITE] = { 6, 136 },
	[CSUM_LAYER_ICMP] = { 2, 0 },
	[CSUM_LAYER_ICMPV6] = { 2, 58 },
	[CSUM_LAYER_IGMP] = { 2, 0 },
	[CSUM_LAYER_SCTP] = { 8, 0 },
	[CSUM_LAYER_DCCP] = { 6, 33 },
	[CSUM_LAYER_GRE] = { 4, 0 },
	[CSUM_LAYER_PAYLOAD] = { 0, 0 },
};

uint32_t
pkt_cover_field(const struct csum_layer *layer)
{
	return rules[layer->type].field;
}

static enum csum_verdict
cover_ipv4(const struct rte_mbuf *m, const struct csum_layer *layer, struct pkt_cover *cover)
{
	uint8_t first;

	if (layer->flags & CSUM_LAYER_F_HDR_CUT ||
	    csum_mbuf_read(m, layer->off, &first, sizeof(first)) != 0)
		return CSUM_VERDICT_TRUNCATED;
	/* hdr_len would include an authentication header. */
	cover->len = (first & 0xf) * 4;
	return cover->len < IPV4_MIN_LEN ? CSUM_VERDICT_BAD : CSUM_VERDICT_GOOD;
}

/* RFC 3828 section 3.1: 0 is all, 1 to 7 is illegal, and so is more than there is. */
static bool
set_udplite_coverage(const uint8_t *hdr, const struct csum_layer *layer, struct pkt_cover *cover)
{
	uint16_t coverage = pkt_be16(hdr + 4);

	if (coverage != 0)
		cover->len = coverage;
	return cover->len >= UDP_LEN && cover->len <= layer->field_len;
}

/* RFC 4340 section 9.2: coverage 0 is all, n is the header and n - 1 words of data. */
static bool
set_dccp_coverage(const uint8_t *hdr, const struct csum_layer *layer, struct pkt_cover *cover)
{
	uint32_t hdr_len = hdr[4] * 4u, coverage = hdr[5] & 0xf;

	if (coverage == 0)
		return true;
	cover->len = hdr_len + (coverage - 1) * 4;
	return hdr_len >= DCCP_MIN_LEN && cover->len <= layer->field_len;
}

/* How much a header says that its checksum covers; false if what it says is illegal. */
static bool
set_coverage(const uint8_t *hdr, const struct csum_layer *layer, struct pkt_cover *cover)
{
	cover->len = layer->field_len;
	cover->pseudo_len = layer->field_len;
	switch (layer->type) {
	case CSUM_LAYER_UDP:
		return cover->len >= UDP_LEN;
	case CSUM_LAYER_UDPLITE:
		return set_udplite_coverage(hdr, layer, cover);
	case CSUM_LAYER_DCCP:
		return set_dccp_coverage(hdr, layer, cover);
	default:
		return true;
	}
}

/* False where nobody can tell: a later fragment has no header, a cut one does not say. */
static bool
gre_lacks_checksum(const struct rte_mbuf *m, const struct csum_layer *ip,
		   const struct csum_layer *layer)
{
	uint8_t first;

	return (ip->flags & CSUM_LAYER_F_LATER) == 0 && layer->len >= GRE_MIN_LEN &&
	       csum_mbuf_read(m, layer->off, &first, sizeof(first)) == 0 &&
	       (first & GRE_CHECKSUM) == 0;
}

static enum csum_verdict
cover_l4(const struct rte_mbuf *m, const struct csum_layer *ip, const struct csum_layer *layer,
	 struct pkt_cover *cover)
{
	uint8_t hdr[UDP_LEN] = {0};

	if (layer->type == CSUM_LAYER_GRE && gre_lacks_checksum(m, ip, layer))
		return CSUM_VERDICT_NONE;
	if (layer->flags & CSUM_LAYER_F_FRAGMENT)
		return CSUM_VERDICT_FRAGMENT;
	if (layer->flags & CSUM_LAYER_F_HDR_CUT ||
	    csum_mbuf_read(m, layer->off, hdr, RTE_MIN(sizeof(hdr), layer->len)) != 0)
		return CSUM_VERDICT_TRUNCATED;

	if (!set_coverage(hdr, layer, cover))
		return CSUM_VERDICT_BAD;
	return cover->len > layer->len ? CSUM_VERDICT_TRUNCATED : CSUM_VERDICT_GOOD;
}

enum csum_verdict
pkt_cover_find(const struct rte_mbuf *m, const struct csum_pkt *pkt, unsigned int i,
	       struct pkt_cover *cover)
{
	const struct csum_layer *layer = &pkt->layer[i];

	if (pkt_cover_field(layer) == 0)
		return CSUM_VERDICT_NONE;
	memset(cover, 0, sizeof(*cover));
	cover->off = layer->off;
	cover->field = layer->off + rules[layer->type].field;
	cover->pseudo_proto = rules[layer->type].pseudo_proto;
	if (layer->type == CSUM_LAYER_IPV4)
		return cover_ipv4(m, layer, cover);
	return cover_l4(m, &pkt->layer[layer->ip], layer, cover);
}

uint32_t
pkt_cover_pseudo(const struct rte_mbuf *m, const struct csum_pkt *pkt, unsigned int i,
		 const struct pkt_cover *cover, uint32_t len)
{
	const struct csum_layer *ip = &pkt->layer[pkt->layer[i].ip];
	uint8_t addrs[2 * IPV6_ADDR_LEN];
	uint8_t *dst = addrs + IPV6_ADDR_LEN;

	if (cover->pseudo_proto == 0)
		return 0;
	/* The parser has seen the addresses, so that reading them cannot fail. */
	if (ip->type == CSUM_LAYER_IPV4) {
		csum_mbuf_read(m, ip->off + IPV4_ADDRS, addrs, 8);
		return csum_pseudo_ipv4(addrs, cover->pseudo_proto, len);
	}
	csum_mbuf_read(m, ip->src_off, addrs, IPV6_ADDR_LEN);
	csum_mbuf_read(m, ip->off + IPV6_DST, dst, ip->dst_elided);
	csum_mbuf_read(m, ip->dst_off, dst + ip->dst_elided, IPV6_ADDR_LEN - ip->dst_elided);
	return csum_pseudo_ipv6(addrs, dst, cover->pseudo_proto, len);
}

/* CRC32c of bytes of a chain that are there. */
static uint32_t
crc32c_chain(struct csum_mbuf_pos *pos, uint32_t len, uint32_t crc)
{
	while (len != 0) {
		uint32_t part = RTE_MIN(len, pos->seg->data_len - pos->off);

		crc = csum_crc32c(rte_pktmbuf_mtod_offset(pos->seg, const uint8_t *, pos->off),
				  part, crc);
		len -= part;
		pos->off = 0;
		pos->seg = pos->seg->next;
	}
	return crc;
}

uint32_t
pkt_cover_crc32c(const struct rte_mbuf *m, const struct pkt_cover *cover)
{
	static const uint8_t zero[SCTP_FIELD_LEN];
	uint32_t before = cover->field - cover->off;
	uint32_t after = before + SCTP_FIELD_LEN;
	struct csum_mbuf_pos pos;
	uint32_t crc = UINT32_MAX;

	csum_mbuf_seek(m, cover->off, &pos);
	crc = crc32c_chain(&pos, before, crc);
	crc = csum_crc32c(zero, sizeof(zero), crc);
	csum_mbuf_seek(m, cover->off + after, &pos);
	crc = crc32c_chain(&pos, cover->len - after, crc);
	/* The least significant byte goes first (RFC 9260 appendix A). */
	return rte_cpu_to_le_32(~crc);
}
