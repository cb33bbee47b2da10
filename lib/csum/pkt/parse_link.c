/* SPDX-License-Identifier: BSD-3-Clause */

#include <rte_ether.h>

#include "pkt_parse_private.h"

#define MAX_802_3_LEN    1500   /* a type field up to this is a length (IEEE 802.3) */
#define LLC_SNAP_LEN     8
#define LLC_UI_LEN       3
#define LLC_SAP_IP       0x06
#define LLC_SAP_SNAP     0xaa
#define LLC_UI           0x03
#define VLAN_HDR_LEN     4
#define MPLS_LABEL_LEN   4
#define MPLS_BOTTOM      0x01   /* in a label's third byte */
#define PPPOE_HDR_LEN    6
#define PPP_PROTO_LEN    2
#define PPP_IPV4         0x0021
#define PPP_IPV6         0x0057
#define PPP_MPLS         0x0281

/* Pass over an LLC header, which counts to the layer before it. */
static enum pkt_step
pass_llc(struct pkt_parse *p, struct csum_layer *layer)
{
	const uint8_t *llc = pkt_parse_peek(p, p->off, LLC_UI_LEN);
	uint32_t len = p->off - layer->off;

	if (llc == NULL || llc[2] != LLC_UI || llc[0] != llc[1])
		return PKT_STEP_PAYLOAD;
	if (llc[0] == LLC_SAP_IP) {
		pkt_parse_pass(p, layer, len + LLC_UI_LEN);
		return PKT_STEP_IPV4;
	}

	llc = pkt_parse_peek(p, p->off, LLC_SNAP_LEN);
	if (llc == NULL || llc[0] != LLC_SAP_SNAP)
		return PKT_STEP_PAYLOAD;
	/* Only under these two organisation codes does an EtherType follow. */
	if (llc[3] != 0 || llc[4] != 0 || (llc[5] != 0 && llc[5] != 0xf8))
		return PKT_STEP_PAYLOAD;
	pkt_parse_pass(p, layer, len + LLC_SNAP_LEN);
	return pkt_step_of_ether_type(pkt_be16(llc + 6));
}

/* Behind a header that ends with an EtherType, which may be an 802.3 length instead. */
static enum pkt_step
after_type(struct pkt_parse *p, struct csum_layer *layer, uint16_t type)
{
	if (type > MAX_802_3_LEN)
		return pkt_step_of_ether_type(type);
	p->end = p->off + RTE_MIN(type, p->end - p->off);
	return pass_llc(p, layer);
}

enum pkt_step
pkt_parse_ether(struct pkt_parse *p)
{
	struct csum_layer *layer;
	const uint8_t *hdr;

	hdr = pkt_parse_header(p, CSUM_LAYER_ETHER, RTE_ETHER_HDR_LEN, &layer);
	if (hdr == NULL)
		return PKT_STEP_END;
	pkt_parse_pass(p, layer, RTE_ETHER_HDR_LEN);
	return after_type(p, layer, pkt_be16(hdr + 2 * RTE_ETHER_ADDR_LEN));
}

enum pkt_step
pkt_parse_llc(struct pkt_parse *p)
{
	return pass_llc(p, pkt_parse_add(p, CSUM_LAYER_ETHER));
}

enum pkt_step
pkt_parse_vlan(struct pkt_parse *p)
{
	struct csum_layer *layer;
	const uint8_t *hdr;

	hdr = pkt_parse_header(p, CSUM_LAYER_VLAN, VLAN_HDR_LEN, &layer);
	if (hdr == NULL)
		return PKT_STEP_END;
	pkt_parse_pass(p, layer, VLAN_HDR_LEN);
	return after_type(p, layer, pkt_be16(hdr + 2));
}

/* What lies under the labels nobody says: an IP version in the first nibble tells. */
enum pkt_step
pkt_parse_mpls(struct pkt_parse *p)
{
	struct csum_layer *layer = pkt_parse_add(p, CSUM_LAYER_MPLS);
	const uint8_t *label;
	uint32_t len = 0;

	do {
		label = pkt_parse_peek(p, p->off + len, MPLS_LABEL_LEN);
		if (label == NULL)
			return pkt_parse_cut(layer);
		len += MPLS_LABEL_LEN;
	} while ((label[2] & MPLS_BOTTOM) == 0);
	pkt_parse_pass(p, layer, len);
	return PKT_STEP_IP;
}

enum pkt_step
pkt_parse_pppoe(struct pkt_parse *p)
{
	struct csum_layer *layer;
	const uint8_t *hdr;
	uint16_t len, proto;

	hdr = pkt_parse_header(p, CSUM_LAYER_PPPOE, PPPOE_HDR_LEN + PPP_PROTO_LEN, &layer);
	if (hdr == NULL)
		return PKT_STEP_END;
	/* Version 1, type 1, code 0: session data (RFC 2516 section 4). */
	if (hdr[0] != 0x11 || hdr[1] != 0)
		return PKT_STEP_END;
	len = pkt_be16(hdr + 4);
	/* 0 is what a super-packet has that 16 bits do not hold. */
	if (len != 0)
		pkt_parse_set_len(p, layer, PPPOE_HDR_LEN + len);
	proto = pkt_be16(hdr + PPPOE_HDR_LEN);
	if (!pkt_parse_pass(p, layer, PPPOE_HDR_LEN + PPP_PROTO_LEN))
		return PKT_STEP_END;

	switch (proto) {
	case PPP_IPV4:
		return PKT_STEP_IPV4;
	case PPP_IPV6:
		return PKT_STEP_IPV6;
	case PPP_MPLS:
		return PKT_STEP_MPLS;
	default:
		return PKT_STEP_PAYLOAD;
	}
}
