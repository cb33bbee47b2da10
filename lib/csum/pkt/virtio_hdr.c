/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include <csum_virtio.h>

#include "pkt_parse_private.h"
#include "pkt_request.h"

#define IPV6_FRAG_LEN 8

static uint16_t
field_get(const uint8_t *p, enum csum_virtio_order order)
{
	uint16_t field;

	memcpy(&field, p, sizeof(field));
	return order == CSUM_VIRTIO_LITTLE ? rte_le_to_cpu_16(field) : field;
}

static void
field_put(uint8_t *p, enum csum_virtio_order order, uint16_t field)
{
	if (order == CSUM_VIRTIO_LITTLE)
		field = rte_cpu_to_le_16(field);
	memcpy(p, &field, sizeof(field));
}

int
csum_virtio_hdr_read(struct csum_virtio_hdr *hdr, const void *buf, uint32_t len,
		     enum csum_virtio_order order)
{
	const uint8_t *p = buf;

	if (len != CSUM_VIRTIO_HDR_LEN && len != CSUM_VIRTIO_MRG_HDR_LEN)
		return -EINVAL;
	hdr->flags = p[0];
	hdr->gso_type = p[1];
	hdr->hdr_len = field_get(p + 2, order);
	hdr->gso_size = field_get(p + 4, order);
	hdr->csum_start = field_get(p + 6, order);
	hdr->csum_offset = field_get(p + 8, order);
	hdr->num_buffers = len == CSUM_VIRTIO_MRG_HDR_LEN ? field_get(p + 10, order) : 0;
	return 0;
}

int
csum_virtio_hdr_write(void *buf, uint32_t len, enum csum_virtio_order order,
		      const struct csum_virtio_hdr *hdr)
{
	uint8_t *p = buf;

	if (len != CSUM_VIRTIO_HDR_LEN && len != CSUM_VIRTIO_MRG_HDR_LEN)
		return -EINVAL;
	p[0] = hdr->flags;
	p[1] = hdr->gso_type;
	field_put(p + 2, order, hdr->hdr_len);
	field_put(p + 4, order, hdr->gso_size);
	field_put(p + 6, order, hdr->csum_start);
	field_put(p + 8, order, hdr->csum_offset);
	if (len == CSUM_VIRTIO_MRG_HDR_LEN)
		field_put(p + 10, order, hdr->num_buffers);
	return 0;
}

/* Values that are wrong whatever the packet is. */
static enum csum_refusal
values_check(const struct csum_virtio_hdr *hdr, uint32_t pkt_len)
{
	bool ecn = (hdr->gso_type & CSUM_VIRTIO_GSO_ECN) != 0;

	if ((hdr->flags & ~(CSUM_VIRTIO_NEEDS_CSUM | CSUM_VIRTIO_DATA_VALID)) != 0)
		return CSUM_REFUSAL_PROTOCOL;
	/* Two numbers of 16 bits: what they add up to does not overflow an int. */
	if ((hdr->flags & CSUM_VIRTIO_NEEDS_CSUM) != 0 &&
	    (uint32_t)hdr->csum_start + hdr->csum_offset + sizeof(uint16_t) > pkt_len)
		return CSUM_REFUSAL_LENGTHS;
	switch (hdr->gso_type & ~CSUM_VIRTIO_GSO_ECN) {
	case CSUM_VIRTIO_GSO_NONE:
		return ecn ? CSUM_REFUSAL_FLAGS : CSUM_REFUSAL_NONE;
	case CSUM_VIRTIO_GSO_TCPV4:
	case CSUM_VIRTIO_GSO_TCPV6:
		break;
	case CSUM_VIRTIO_GSO_UDP:
	case CSUM_VIRTIO_GSO_UDP_L4:
		if (ecn)
			return CSUM_REFUSAL_FLAGS;
		break;
	default:
		return CSUM_REFUSAL_PROTOCOL;
	}
	return hdr->gso_size == 0 ? CSUM_REFUSAL_SEGSZ : CSUM_REFUSAL_NONE;
}

static bool
is_tcp_or_udp(const struct csum_layer *layer)
{
	return layer->type == CSUM_LAYER_TCP || layer->type == CSUM_LAYER_UDP;
}

/* The layer that a header speaks of: where csum_start says, or else the outermost. */
static enum csum_refusal
layer_find(const struct csum_virtio_hdr *hdr, const struct csum_pkt *pkt, unsigned int *found)
{
	bool named = (hdr->flags & CSUM_VIRTIO_NEEDS_CSUM) != 0;
	unsigned int i;

	for (i = 0; i < pkt->nb_layers; i++) {
		const struct csum_layer *layer = &pkt->layer[i];

		if (!is_tcp_or_udp(layer) || (named && layer->off != hdr->csum_start))
			continue;
		*found = i;
		return !named || hdr->csum_offset == pkt_cover_field(layer) ?
			CSUM_REFUSAL_NONE : CSUM_REFUSAL_HEADER;
	}
	return CSUM_REFUSAL_PROTOCOL;
}

static bool
gso_type_fits(uint8_t gso_type, uint8_t l4, uint8_t ip)
{
	switch (gso_type & ~CSUM_VIRTIO_GSO_ECN) {
	case CSUM_VIRTIO_GSO_TCPV4:
		return l4 == CSUM_LAYER_TCP && ip == CSUM_LAYER_IPV4;
	case CSUM_VIRTIO_GSO_TCPV6:
		return l4 == CSUM_LAYER_TCP && ip == CSUM_LAYER_IPV6;
	default:
		return l4 == CSUM_LAYER_UDP;
	}
}

/* Ask for a cut instead of a checksum, if there is enough to cut. */
static enum csum_refusal
gso_request(struct pkt_request *req, const struct csum_virtio_hdr *hdr, const struct rte_mbuf *m,
	    const struct csum_pkt *pkt, unsigned int i)
{
	const struct csum_layer *l4 = &pkt->layer[i], *ip = &pkt->layer[l4->ip];
	bool ufo = hdr->gso_type == CSUM_VIRTIO_GSO_UDP;
	uint32_t begin = l4->off + (ufo ? 0 : l4->hdr_len);
	uint32_t segsz = hdr->gso_size;
	struct pkt_request cut = *req;
	enum csum_refusal refusal;

	if (!gso_type_fits(hdr->gso_type, l4->type, ip->type))
		return CSUM_REFUSAL_HEADER;
	/* tso_segsz counts the fragment header too, gso_size does not. Smaller fragments do. */
	if (ufo && ip->type == CSUM_LAYER_IPV6)
		segsz = RTE_MIN(segsz + IPV6_FRAG_LEN, (uint32_t)UINT16_MAX);
	refusal = pkt_request_segment(&cut, m, pkt, i, segsz);
	if (refusal == CSUM_REFUSAL_NONE && pkt->len > begin + hdr->gso_size)
		*req = cut;
	return refusal;
}

static enum csum_refusal
request_make(struct pkt_request *req, const struct csum_virtio_hdr *hdr, const struct rte_mbuf *m,
	     enum csum_link link)
{
	struct csum_pkt pkt;
	enum csum_refusal refusal;
	unsigned int i;

	if (csum_pkt_parse(m, 0, link, 0, &pkt) != 0 || pkt.len < m->pkt_len)
		return CSUM_REFUSAL_LENGTHS;
	refusal = layer_find(hdr, &pkt, &i);
	if (refusal == CSUM_REFUSAL_NONE)
		refusal = pkt_request_l4(req, &pkt, i);
	if (refusal == CSUM_REFUSAL_NONE && hdr->gso_type != CSUM_VIRTIO_GSO_NONE)
		refusal = gso_request(req, hdr, m, &pkt, i);
	/* A checksum that nobody has asked for, and that no cut makes anew, is final. */
	if (req->segsz == 0 && (hdr->flags & CSUM_VIRTIO_NEEDS_CSUM) == 0)
		req->flags = 0;
	return refusal;
}

static uint64_t
rx_verdict(uint8_t flags)
{
	if ((flags & CSUM_VIRTIO_NEEDS_CSUM) != 0)
		return RTE_MBUF_F_RX_L4_CKSUM_NONE;
	return (flags & CSUM_VIRTIO_DATA_VALID) != 0 ? RTE_MBUF_F_RX_L4_CKSUM_GOOD :
		RTE_MBUF_F_RX_L4_CKSUM_UNKNOWN;
}

int
csum_virtio_to_mbuf(struct rte_mbuf *m, const struct csum_virtio_hdr *hdr, enum csum_link link,
		    enum csum_refusal *why)
{
	struct pkt_request req = { .flags = 0 };
	enum csum_refusal refusal;

	refusal = values_check(hdr, m->pkt_len);
	if (refusal == CSUM_REFUSAL_NONE && ((hdr->flags & CSUM_VIRTIO_NEEDS_CSUM) != 0 ||
					     hdr->gso_type != CSUM_VIRTIO_GSO_NONE))
		refusal = request_make(&req, hdr, m, link);
	if (why != NULL)
		*why = refusal;
	if (refusal != CSUM_REFUSAL_NONE)
		return csum_refusal_errno(refusal);
	pkt_request_store(&req, m);
	m->ol_flags = (m->ol_flags & ~RTE_MBUF_F_RX_L4_CKSUM_MASK) | rx_verdict(hdr->flags);
	return 0;
}
