/* SPDX-License-Identifier: BSD-3-Clause */

#include <rte_ether.h>

#include "pkt_parse_private.h"

#define GRE_MIN_LEN       4
#define GRE_CHECKSUM      0x8000
#define GRE_ROUTING       0x4000
#define GRE_KEY           0x2000
#define GRE_SEQUENCE      0x1000
#define GRE_VERSION       0x0007
#define GRE_ERSPAN        0x88be /* type I without, type II with a sequence number */
#define GRE_ERSPAN_III    0x22eb
#define ERSPAN_II_LEN     8
#define ERSPAN_III_LEN    12
#define ERSPAN_III_TYPE   0x7c   /* in its last byte but one: 0 is an Ethernet frame */
#define ERSPAN_III_OPT    0x01   /* in its last byte: 8 more bytes follow */

#define VXLAN_LEN         8
#define VXLAN_VNI         0x08   /* the VNI is valid */
#define GPE_NEXT          0x04   /* the next protocol field is valid */
#define GPE_VERSION       0x30
#define GENEVE_LEN        8
#define GENEVE_VERSION    0xc0
#define GENEVE_OPT_WORDS  0x3f
#define GTPU_LEN          8
#define GTPU_OPT_LEN      4      /* sequence number, N-PDU number, next extension */
#define GTPU_KIND         0xf0   /* version and protocol type */
#define GTPU_KIND_1       0x30   /* version 1, GTP */
#define GTPU_OPT          0x07   /* E, S or PN: the optional fields are there */
#define GTPU_EXT          0x04
#define GTPU_T_PDU        255

/* A GRE payload that is a mirrored frame behind a header of its own. */
static enum pkt_step
after_erspan(struct pkt_parse *p, struct csum_layer *layer, uint16_t flags, uint16_t type)
{
	uint32_t len = p->off - layer->off;
	const uint8_t *hdr;

	if (type == GRE_ERSPAN) {
		if (flags & GRE_SEQUENCE)
			len += ERSPAN_II_LEN;
	} else {
		hdr = pkt_parse_peek(p, p->off, ERSPAN_III_LEN);
		if (hdr == NULL || (hdr[ERSPAN_III_LEN - 2] & ERSPAN_III_TYPE) != 0)
			return PKT_STEP_PAYLOAD;
		len += ERSPAN_III_LEN;
		if (hdr[ERSPAN_III_LEN - 1] & ERSPAN_III_OPT)
			len += 8;
	}
	return pkt_parse_pass(p, layer, len) ? PKT_STEP_ETHER : PKT_STEP_END;
}

enum pkt_step
pkt_parse_gre(struct pkt_parse *p)
{
	const uint8_t *hdr = pkt_parse_peek(p, p->off, GRE_MIN_LEN);
	uint32_t len = GRE_MIN_LEN;
	struct csum_layer *layer;
	uint16_t flags, type;

	if (hdr != NULL && (pkt_be16(hdr) & GRE_VERSION) != 0)
		return PKT_STEP_PAYLOAD;
	hdr = pkt_parse_l4_header(p, CSUM_LAYER_GRE, GRE_MIN_LEN, &layer);
	if (hdr == NULL)
		return PKT_STEP_END;

	flags = pkt_be16(hdr);
	type = pkt_be16(hdr + 2);
	if (flags & GRE_CHECKSUM)
		len += 4;
	if (!pkt_parse_pass(p, layer, len))
		return PKT_STEP_END;
	/* The checksum can be judged without the fields behind it. */
	if (flags & GRE_KEY)
		len += 4;
	if (flags & GRE_SEQUENCE)
		len += 4;
	if (len > layer->len)
		return PKT_STEP_END;
	pkt_parse_pass(p, layer, len);
	/* A routing field (RFC 1701) is of any length. */
	if (flags & GRE_ROUTING)
		return PKT_STEP_PAYLOAD;
	if (type == GRE_ERSPAN || type == GRE_ERSPAN_III)
		return after_erspan(p, layer, flags, type);
	return pkt_step_of_ether_type(type);
}

/* The tunnels over UDP: a header that makes no sense is that of something else on the port. */

static enum pkt_step
parse_vxlan(struct pkt_parse *p, enum csum_layer_type type, enum pkt_step next)
{
	struct csum_layer *layer = pkt_parse_add(p, type);

	return pkt_parse_pass(p, layer, VXLAN_LEN) ? next : PKT_STEP_END;
}

enum pkt_step
pkt_parse_vxlan(struct pkt_parse *p)
{
	const uint8_t *hdr = pkt_parse_peek(p, p->off, VXLAN_LEN);

	if (hdr != NULL && (hdr[0] & VXLAN_VNI) == 0)
		return PKT_STEP_END;
	return parse_vxlan(p, CSUM_LAYER_VXLAN, PKT_STEP_ETHER);
}

enum pkt_step
pkt_parse_vxlan_gpe(struct pkt_parse *p)
{
	static const uint8_t next[] = {
		[1] = PKT_STEP_IPV4,
		[2] = PKT_STEP_IPV6,
		[3] = PKT_STEP_ETHER,
		[5] = PKT_STEP_MPLS,
	};
	const uint8_t *hdr = pkt_parse_peek(p, p->off, VXLAN_LEN);
	enum pkt_step step = PKT_STEP_ETHER;

	if (hdr != NULL) {
		if ((hdr[0] & VXLAN_VNI) == 0 || (hdr[0] & GPE_VERSION) != 0)
			return PKT_STEP_END;
		if (hdr[0] & GPE_NEXT)
			step = hdr[3] < RTE_DIM(next) && next[hdr[3]] != 0 ? next[hdr[3]] :
									     PKT_STEP_PAYLOAD;
	}
	return parse_vxlan(p, CSUM_LAYER_VXLAN_GPE, step);
}

enum pkt_step
pkt_parse_geneve(struct pkt_parse *p)
{
	const uint8_t *hdr = pkt_parse_peek(p, p->off, GENEVE_LEN);
	struct csum_layer *layer;

	if (hdr != NULL && (hdr[0] & GENEVE_VERSION) != 0)
		return PKT_STEP_END;
	hdr = pkt_parse_header(p, CSUM_LAYER_GENEVE, GENEVE_LEN, &layer);
	if (hdr == NULL)
		return PKT_STEP_END;
	if (!pkt_parse_pass(p, layer, GENEVE_LEN + (hdr[0] & GENEVE_OPT_WORDS) * 4u))
		return PKT_STEP_END;
	return pkt_step_of_ether_type(pkt_be16(hdr + 2));
}

/* Bytes of GTP-U extension headers from an offset on, the first of the kind given. */
static uint32_t
gtpu_ext_len(struct pkt_parse *p, uint32_t off, uint8_t kind)
{
	uint32_t len = 0;

	while (kind != 0) {
		const uint8_t *ext = pkt_parse_peek(p, off + len, 4);
		uint8_t words = ext != NULL ? ext[0] : 0;

		/* The next kind is an extension's last byte. */
		if (words == 0)
			return UINT32_MAX;
		len += words * 4u;
		ext = pkt_parse_peek(p, off + len - 1, 1);
		if (ext == NULL)
			return UINT32_MAX;
		kind = ext[0];
	}
	return len;
}

enum pkt_step
pkt_parse_gtpu(struct pkt_parse *p)
{
	const uint8_t *hdr = pkt_parse_peek(p, p->off, GTPU_LEN);
	uint32_t len = GTPU_LEN, ext_len;
	struct csum_layer *layer;
	uint16_t field_len;
	uint8_t message;
	bool opt, ext;

	if (hdr != NULL && (hdr[0] & GTPU_KIND) != GTPU_KIND_1)
		return PKT_STEP_END;
	hdr = pkt_parse_header(p, CSUM_LAYER_GTPU, GTPU_LEN, &layer);
	if (hdr == NULL)
		return PKT_STEP_END;
	opt = (hdr[0] & GTPU_OPT) != 0;
	ext = (hdr[0] & GTPU_EXT) != 0;
	message = hdr[1];
	field_len = pkt_be16(hdr + 2);
	/* 0 is what a super-packet has that 16 bits do not hold. */
	if (field_len != 0)
		pkt_parse_set_len(p, layer, GTPU_LEN + field_len);

	if (opt) {
		hdr = pkt_parse_peek(p, p->off + len, GTPU_OPT_LEN);
		if (hdr == NULL)
			return pkt_parse_cut(layer);
		len += GTPU_OPT_LEN;
		ext_len = ext ? gtpu_ext_len(p, p->off + len, hdr[GTPU_OPT_LEN - 1]) : 0;
		if (ext_len == UINT32_MAX)
			return pkt_parse_cut(layer);
		len += ext_len;
	}
	if (!pkt_parse_pass(p, layer, len))
		return PKT_STEP_END;
	return message == GTPU_T_PDU ? PKT_STEP_IP : PKT_STEP_PAYLOAD;
}
