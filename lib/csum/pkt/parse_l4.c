/* SPDX-License-Identifier: BSD-3-Clause */

#include "pkt_parse_private.h"

#define TCP_MIN_LEN      20
#define TCP_DATA_OFF     12
#define UDP_LEN          8
#define ICMP_LEN         4 /* as much as has the checksum: the rest is the message's */
#define ICMPV6_LEN       4
#define IGMP_LEN         8
#define SCTP_LEN         12
#define DCCP_MIN_LEN     12
#define DCCP_DATA_OFF    4

const uint8_t *
pkt_parse_l4_header(struct pkt_parse *p, enum csum_layer_type type, uint32_t len,
		    struct csum_layer **layer)
{
	const uint8_t *hdr = pkt_parse_header(p, type, len, layer);
	const struct csum_layer *ip = &p->pkt->layer[p->ip];

	(*layer)->flags |= p->flags;
	pkt_parse_set_len(p, *layer, ip->field_len - (p->off - ip->off));
	return hdr;
}

/* An L4 header inside which the parser looks for nothing. */
static enum pkt_step
parse_l4(struct pkt_parse *p, enum csum_layer_type type, uint32_t hdr_len)
{
	struct csum_layer *layer;

	if (pkt_parse_l4_header(p, type, hdr_len, &layer) != NULL)
		layer->hdr_len = hdr_len;
	return PKT_STEP_END;
}

/*
 * The same, with a header length in words. One that makes no sense leaves the fixed header: the
 * checksum covers the same bytes in any case.
 */
static enum pkt_step
parse_l4_words(struct pkt_parse *p, enum csum_layer_type type, uint32_t min_len,
	       uint32_t data_off, unsigned int shift)
{
	struct csum_layer *layer;
	const uint8_t *hdr;

	hdr = pkt_parse_l4_header(p, type, min_len, &layer);
	if (hdr != NULL) {
		uint32_t hdr_len = (hdr[data_off] >> shift) * 4u;

		layer->hdr_len = hdr_len >= min_len && hdr_len <= layer->len ? hdr_len : min_len;
	}
	return PKT_STEP_END;
}

enum pkt_step
pkt_parse_tcp(struct pkt_parse *p)
{
	return parse_l4_words(p, CSUM_LAYER_TCP, TCP_MIN_LEN, TCP_DATA_OFF, 4);
}

enum pkt_step
pkt_parse_dccp(struct pkt_parse *p)
{
	return parse_l4_words(p, CSUM_LAYER_DCCP, DCCP_MIN_LEN, DCCP_DATA_OFF, 0);
}

/* Bytes behind a UDP header by the length fields, whether they are there or not. */
static uint32_t
udp_room(const struct pkt_parse *p, const struct csum_layer *udp)
{
	const struct csum_layer *ip = &p->pkt->layer[p->ip];
	uint32_t ip_room = ip->field_len - (udp->off - ip->off);

	return RTE_MIN(udp->field_len, ip_room) - UDP_LEN;
}

enum pkt_step
pkt_parse_udp(struct pkt_parse *p)
{
	struct csum_layer *layer;
	uint16_t src, dst, len;
	const uint8_t *hdr;

	hdr = pkt_parse_l4_header(p, CSUM_LAYER_UDP, UDP_LEN, &layer);
	if (hdr == NULL)
		return PKT_STEP_END;
	src = pkt_be16(hdr);
	dst = pkt_be16(hdr + 2);
	len = pkt_be16(hdr + 4);

	if (len == 0 && (p->pkt->flags & CSUM_PKT_F_SUPER) != 0) {
		layer->flags |= CSUM_LAYER_F_ZERO_LEN;
	} else {
		layer->flags &= ~CSUM_LAYER_F_TRUNCATED;
		pkt_parse_set_len(p, layer, len);
		if (len < UDP_LEN)
			return PKT_STEP_END;
	}
	pkt_parse_pass(p, layer, UDP_LEN);
	return pkt_step_of_udp_ports(src, dst, udp_room(p, layer));
}

enum pkt_step
pkt_parse_udplite(struct pkt_parse *p)
{
	return parse_l4(p, CSUM_LAYER_UDPLITE, UDP_LEN);
}

enum pkt_step
pkt_parse_icmp(struct pkt_parse *p)
{
	return parse_l4(p, CSUM_LAYER_ICMP, ICMP_LEN);
}

enum pkt_step
pkt_parse_icmpv6(struct pkt_parse *p)
{
	return parse_l4(p, CSUM_LAYER_ICMPV6, ICMPV6_LEN);
}

enum pkt_step
pkt_parse_igmp(struct pkt_parse *p)
{
	return parse_l4(p, CSUM_LAYER_IGMP, IGMP_LEN);
}

enum pkt_step
pkt_parse_sctp(struct pkt_parse *p)
{
	return parse_l4(p, CSUM_LAYER_SCTP, SCTP_LEN);
}
