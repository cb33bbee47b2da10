/* SPDX-License-Identifier: BSD-3-Clause */

#include <netinet/in.h>

#include "pkt_parse_private.h"

#define IPV4_MIN_LEN      20
#define IPV4_MF           0x2000
#define IPV4_OFFSET       0x1fff
#define IPV6_LEN          40
#define IPV6_SRC          8     /* offset of the source address */
#define IPV6_DST          24    /* offset of the destination address */
#define SUPER_IP_LEN      1500  /* an IP packet above this is a super-packet */
#define PLAIN_FRAME_LEN   1514  /* a frame up to this has no length to infer */

/* An IP header begins inside what came before, which may be IP too. */
static void
enter_ip(struct pkt_parse *p, struct csum_layer *layer)
{
	if (p->in_ip)
		p->flags |= CSUM_LAYER_F_IN_TUNNEL;
	p->ip = p->pkt->nb_layers - 1;
	layer->ip = p->ip;
	layer->flags |= p->flags & CSUM_LAYER_F_IN_TUNNEL;
}

/* Set an IP packet's length, and note whether it makes a super-packet. */
static void
set_ip_len(struct pkt_parse *p, struct csum_layer *layer, uint32_t field_len)
{
	pkt_parse_set_len(p, layer, field_len);
	if (!p->in_ip && p->end - layer->off > SUPER_IP_LEN)
		p->pkt->flags |= CSUM_PKT_F_SUPER;
	if (layer->flags & (CSUM_LAYER_F_ZERO_LEN | CSUM_LAYER_F_JUMBO))
		p->pkt->flags |= CSUM_PKT_F_SUPER;
	p->in_ip = true;
}

/* Behind the last IP header. */
static enum pkt_step
after_ip(struct pkt_parse *p, struct csum_layer *layer, const struct pkt_ext *ext)
{
	layer->proto = ext->next;
	layer->flags |= ext->flags;
	if (!pkt_parse_pass(p, layer, ext->off - layer->off))
		return PKT_STEP_END;

	p->flags |= ext->flags & CSUM_LAYER_F_FRAGMENT;
	if ((ext->flags & CSUM_LAYER_F_LATER) == 0)
		return pkt_step_of_ip_proto(ext->next);
	pkt_parse_add(p, pkt_layer_of_ip_proto(ext->next))->flags |= p->flags;
	return PKT_STEP_END;
}

enum pkt_step
pkt_parse_ipv4(struct pkt_parse *p)
{
	const uint8_t *hdr = pkt_parse_peek(p, p->off, 1);
	struct pkt_ext ext = {0};
	struct csum_layer *layer;
	uint16_t len, frag;
	uint32_t hdr_len;

	if (hdr != NULL && hdr[0] >> 4 != 4)
		return PKT_STEP_PAYLOAD;
	hdr = pkt_parse_header(p, CSUM_LAYER_IPV4, IPV4_MIN_LEN, &layer);
	enter_ip(p, layer);
	if (hdr == NULL)
		return PKT_STEP_END;

	hdr_len = (hdr[0] & 0xf) * 4;
	len = pkt_be16(hdr + 2);
	frag = pkt_be16(hdr + 6);
	ext.next = hdr[9];
	if (frag & (IPV4_MF | IPV4_OFFSET))
		ext.flags |= CSUM_LAYER_F_FRAGMENT;
	if (frag & IPV4_OFFSET)
		ext.flags |= CSUM_LAYER_F_LATER;

	/* No length of such a header can be right, so nothing is known of what follows. */
	if (hdr_len < IPV4_MIN_LEN)
		return PKT_STEP_END;
	if (hdr_len > layer->len)
		return pkt_parse_cut(layer);
	if (len == 0) {
		layer->flags |= CSUM_LAYER_F_ZERO_LEN;
		set_ip_len(p, layer, p->end - p->off);
	} else {
		/* The header is judged whatever the length says of it: keep it inside. */
		set_ip_len(p, layer, RTE_MAX(len, hdr_len));
	}

	ext.off = layer->off + hdr_len;
	if ((ext.flags & CSUM_LAYER_F_LATER) == 0)
		pkt_parse_ext(p, false, &ext);
	return after_ip(p, layer, &ext);
}

/* The length that an IPv6 payload length of 0 stands for; p->end is the end of what holds it. */
static uint32_t
infer_ipv6_len(struct pkt_parse *p, struct csum_layer *layer, const struct pkt_ext *ext)
{
	uint32_t follow = p->end - layer->off - IPV6_LEN;

	if (ext->jumbo != 0) {
		layer->flags |= CSUM_LAYER_F_JUMBO;
		return RTE_MIN(ext->jumbo, UINT32_MAX - IPV6_LEN) + IPV6_LEN;
	}
	if (follow > UINT16_MAX || (ext->next == IPPROTO_TCP && p->frame_len > PLAIN_FRAME_LEN)) {
		layer->flags |= CSUM_LAYER_F_ZERO_LEN;
		return follow + IPV6_LEN;
	}
	return IPV6_LEN;
}

enum pkt_step
pkt_parse_ipv6(struct pkt_parse *p)
{
	const uint8_t *hdr = pkt_parse_peek(p, p->off, 1);
	struct csum_layer *layer;
	struct pkt_ext first = {0}, ext;
	uint16_t len;

	if (hdr != NULL && hdr[0] >> 4 != 6)
		return PKT_STEP_PAYLOAD;
	hdr = pkt_parse_header(p, CSUM_LAYER_IPV6, IPV6_LEN, &layer);
	enter_ip(p, layer);
	if (hdr == NULL)
		return PKT_STEP_END;

	len = pkt_be16(hdr + 4);
	first.next = hdr[6];
	first.off = p->off + IPV6_LEN;
	ext = first;
	if (len != 0) {
		set_ip_len(p, layer, IPV6_LEN + len);
		pkt_parse_ext(p, true, &ext);
	} else {
		pkt_parse_ext(p, true, &ext);
		set_ip_len(p, layer, infer_ipv6_len(p, layer, &ext));
		/* Nothing follows a length that is really 0. */
		if (layer->field_len == IPV6_LEN)
			ext = first;
	}
	layer->src_off = ext.home != 0 ? ext.home : layer->off + IPV6_SRC;
	layer->dst_off = ext.final_dst != 0 ? ext.final_dst : layer->off + IPV6_DST;
	layer->dst_elided = ext.elided;
	return after_ip(p, layer, &ext);
}

enum pkt_step
pkt_parse_ip(struct pkt_parse *p)
{
	const uint8_t *hdr = pkt_parse_peek(p, p->off, 1);

	if (hdr != NULL && hdr[0] >> 4 == 4)
		return pkt_parse_ipv4(p);
	if (hdr != NULL && hdr[0] >> 4 == 6)
		return pkt_parse_ipv6(p);
	return PKT_STEP_PAYLOAD;
}
