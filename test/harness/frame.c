/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include "frame_private.h"

/* What the layer in front calls a type. 0: no such name. */
struct names {
	uint16_t ether_type;
	uint16_t ppp;
	uint8_t proto;
};

static const struct names names[] = {
	[FRAME_ETHER] = { 0x6558, 0, 143 },
	[FRAME_MPLS] = { 0x8847, 0x0281, 137 },
	[FRAME_PPPOE] = { 0x8864, 0, 0 },
	[FRAME_IPV4] = { 0x0800, 0x0021, 4 },
	[FRAME_IPV6] = { 0x86dd, 0x0057, 41 },
	[FRAME_TCP] = { 0, 0, 6 },
	[FRAME_UDP] = { 0, 0, 17 },
	[FRAME_UDPLITE] = { 0, 0, 136 },
	[FRAME_ICMP] = { 0, 0, 1 },
	[FRAME_ICMPV6] = { 0, 0, 58 },
	[FRAME_SCTP] = { 0, 0, 132 },
	[FRAME_GRE] = { 0, 0, 47 },
	[FRAME_PAYLOAD] = { 0, 0, 0 },
};

void
frame_init(struct frame *f)
{
	f->len = 0;
	f->nb_layers = 0;
}

/* VLAN tags and extension headers have several names, which their own functions set. */
void
frame_name_next(struct frame *f, uint16_t ether_type, uint16_t ppp, uint8_t proto)
{
	const struct frame_layer *prev;

	if (f->nb_layers == 0)
		return;
	prev = &f->layer[f->nb_layers - 1];
	if (prev->next == FRAME_NEXT_ETHER && ether_type != 0)
		harness_put_be16(f->data + prev->next_off, ether_type);
	else if (prev->next == FRAME_NEXT_PPP && ppp != 0)
		harness_put_be16(f->data + prev->next_off, ppp);
	else if (prev->next == FRAME_NEXT_IP && proto != 0)
		f->data[prev->next_off] = proto;
}

void
frame_set_next(struct frame *f, enum frame_next next, uint32_t off)
{
	struct frame_layer *last = &f->layer[f->nb_layers - 1];

	last->next = next;
	last->next_off = last->off + off;
}

uint32_t
frame_add(struct frame *f, enum frame_type type, const void *hdr, uint32_t len)
{
	uint32_t off = f->len;

	if (f->nb_layers == FRAME_MAX_LAYERS || len > FRAME_MAX_LEN - off)
		fail_msg("the frame is full");
	frame_name_next(f, names[type].ether_type, names[type].ppp, names[type].proto);
	f->layer[f->nb_layers++] = (struct frame_layer){
		.type = type, .off = off, .hdr_len = len,
	};
	if (hdr != NULL)
		memcpy(f->data + off, hdr, len);
	else
		memset(f->data + off, 0, len);
	f->len += len;
	return off;
}

uint32_t
frame_bytes(struct frame *f, const void *data, uint32_t len)
{
	return frame_add(f, FRAME_PAYLOAD, data, len);
}

uint32_t
frame_payload(struct frame *f, uint32_t n)
{
	uint32_t off = frame_add(f, FRAME_PAYLOAD, NULL, n);

	harness_pattern(f->data + off, n);
	return off;
}

void
frame_finish(struct frame *f)
{
	const struct frame_layer *layer;
	uint32_t at, len;
	unsigned int i;

	for (i = 0; i < f->nb_layers; i++) {
		layer = &f->layer[i];
		len = f->len - layer->off;
		switch (layer->type) {
		case FRAME_IPV4:
			at = 2;
			break;
		case FRAME_IPV6:
			at = 4;
			len -= layer->hdr_len;
			break;
		case FRAME_UDP:
			at = 4;
			break;
		case FRAME_PPPOE:
			/* Its PPP protocol field belongs to what it counts. */
			at = 4;
			len -= layer->hdr_len - 2;
			break;
		case FRAME_GTPU:
			at = 2;
			len -= 8;
			break;
		case FRAME_SNAP:
			harness_put_be16(f->data + layer->off - 2, (uint16_t)len);
			continue;
		default:
			continue;
		}
		harness_put_be16(f->data + layer->off + at, len <= UINT16_MAX ? (uint16_t)len : 0);
	}
}

uint32_t
frame_off(const struct frame *f, enum frame_type type, unsigned int nth)
{
	unsigned int i;

	for (i = 0; i < f->nb_layers; i++)
		if (f->layer[i].type == type && nth-- == 0)
			return f->layer[i].off;
	fail_msg("no such layer in the frame");
	return 0;
}

struct rte_mbuf *
frame_mbuf_kind(const struct frame *f, struct rte_mempool *pool, enum harness_kind kind,
		const uint16_t lens[], unsigned int nb)
{
	struct rte_mbuf *m = harness_chain_kind(pool, kind, f->data, f->len, lens, nb);

	frame_tx_lens(f, m);
	return m;
}

struct rte_mbuf *
frame_mbuf(const struct frame *f, struct rte_mempool *pool, const uint16_t lens[], unsigned int nb)
{
	return frame_mbuf_kind(f, pool, HARNESS_DIRECT, lens, nb);
}

static uint32_t
ip_hdr_len(const struct frame *f, unsigned int i)
{
	uint32_t len = f->layer[i].hdr_len;

	while (++i < f->nb_layers && f->layer[i].type == FRAME_IPV6_EXT)
		len += f->layer[i].hdr_len;
	return len;
}

static uint8_t
l4_hdr_len(const struct frame_layer *layer)
{
	return layer->type == FRAME_TCP || layer->type == FRAME_UDP ||
		layer->type == FRAME_UDPLITE || layer->type == FRAME_SCTP ? layer->hdr_len : 0;
}

void
frame_tx_lens(const struct frame *f, struct rte_mbuf *m)
{
	uint32_t begin = 0, ip = 0;
	unsigned int i, nb_ip = 0;

	for (i = 0; i < f->nb_layers; i++) {
		if (f->layer[i].type == FRAME_IPV4 || f->layer[i].type == FRAME_IPV6) {
			if (nb_ip++ > 0) {
				m->outer_l2_len = ip;
				m->outer_l3_len = m->l3_len;
			}
			ip = f->layer[i].off;
			m->l2_len = f->layer[i].off - begin;
			m->l3_len = ip_hdr_len(f, i);
			m->l4_len = 0;
			begin = f->layer[i].off + m->l3_len;
		} else if (l4_hdr_len(&f->layer[i]) != 0) {
			m->l4_len = l4_hdr_len(&f->layer[i]);
		}
	}
}

void
frame_tx_lens_flat(struct rte_mbuf *m)
{
	m->l2_len += m->outer_l2_len + m->outer_l3_len;
	m->outer_l2_len = 0;
	m->outer_l3_len = 0;
}
