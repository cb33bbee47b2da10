/* SPDX-License-Identifier: BSD-3-Clause */

#include <rte_ether.h>

#include "gso_private.h"

#define ETHER_TYPE_OFF 12
#define VLAN_HDR 4
#define MPLS_LABEL 4
#define PPPOE_HDR 8
#define PPP_IPV4 0x0021
#define PPP_IPV6 0x0057
#define PPP_MPLS 0x0281
#define MAX_802_3_LEN 1500
#define SNAP_HDR 8
#define SNAP_TYPE 6

uint16_t
gso_ip_type(const struct csum_gso_iter *it, uint32_t off)
{
	switch (it->hdr[off] >> 4) {
	case 4:
		return RTE_ETHER_TYPE_IPV4;
	case 6:
		return RTE_ETHER_TYPE_IPV6;
	default:
		return 0;
	}
}

/*
 * Read an EtherType. One that an LLC header with SNAP follows is a length, whatever it says: that
 * of a super-packet reads as an EtherType.
 */
static void
type_walk(struct csum_gso_iter *it, struct gso_walk *w)
{
	static const uint8_t snap[SNAP_TYPE] = { 0xaa, 0xaa, 0x03, 0, 0, 0 };
	const uint8_t *hdr = it->hdr + w->at;

	w->at += 2;
	w->type = 0;
	if (w->at > w->end)
		return;
	if (w->at + SNAP_HDR <= w->end && memcmp(hdr + 2, snap, sizeof(snap)) == 0) {
		gso_len_add(it, w->at - 2, w->at);
		w->type = get_be16(hdr + 2 + SNAP_TYPE);
		w->at += SNAP_HDR;
	} else if (get_be16(hdr) > MAX_802_3_LEN) {
		w->type = get_be16(hdr);
	}
}

/* Labels do not name what follows; its version does. */
static void
mpls_walk(const struct csum_gso_iter *it, struct gso_walk *w)
{
	bool bottom = false;

	w->type = 0;
	while (!bottom) {
		if (w->at + MPLS_LABEL > w->end)
			return;
		bottom = (it->hdr[w->at + 2] & 1) != 0;
		w->at += MPLS_LABEL;
	}
	w->type = gso_ip_type(it, w->at);
}

static void
pppoe_walk(struct csum_gso_iter *it, struct gso_walk *w)
{
	const uint8_t *hdr = it->hdr + w->at;

	w->type = 0;
	if (w->at + PPPOE_HDR > w->end)
		return;
	gso_len_add(it, w->at + 4, w->at + 6);
	w->at += PPPOE_HDR;
	switch (get_be16(hdr + 6)) {
	case PPP_IPV4:
		w->type = RTE_ETHER_TYPE_IPV4;
		break;
	case PPP_IPV6:
		w->type = RTE_ETHER_TYPE_IPV6;
		break;
	case PPP_MPLS:
		w->type = RTE_ETHER_TYPE_MPLS;
		break;
	}
}

void
gso_link_walk(struct csum_gso_iter *it, struct gso_walk *w)
{
	uint8_t nb_lens = it->nb_lens;

	while (w->at <= w->end && it->nb_lens <= nb_lens + 1) {
		switch (w->type) {
		case RTE_ETHER_TYPE_IPV4:
		case RTE_ETHER_TYPE_IPV6:
			return;
		case RTE_ETHER_TYPE_TEB:
			w->at += ETHER_TYPE_OFF;
			type_walk(it, w);
			break;
		case RTE_ETHER_TYPE_VLAN:
		case RTE_ETHER_TYPE_QINQ:
		case RTE_ETHER_TYPE_QINQ1:
			w->at += VLAN_HDR - 2;
			type_walk(it, w);
			break;
		case RTE_ETHER_TYPE_MPLS:
		case RTE_ETHER_TYPE_MPLSM:
			mpls_walk(it, w);
			break;
		case RTE_ETHER_TYPE_PPPOE_SESSION:
			pppoe_walk(it, w);
			break;
		default:
			it->nb_lens = nb_lens;
			w->type = 0;
			return;
		}
	}
	it->nb_lens = nb_lens;
	w->type = 0;
}
