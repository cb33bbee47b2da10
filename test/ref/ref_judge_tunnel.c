/* SPDX-License-Identifier: BSD-3-Clause */

#include "ref_judge_walk.h"

#define PORT_GTPU 2152
#define PORT_VXLAN 4789
#define PORT_VXLAN_GPE 4790
#define PORT_GENEVE 6081
#define PORT_MPLS 6635

#define TYPE_TEB 0x6558 /* transparent Ethernet bridging: an Ethernet header follows */

#define TYPE_ERSPAN 0x88be
#define TYPE_ERSPAN_III 0x22eb

#define GTPU_T_PDU 255 /* a user's packet */

void
ref_walk_encapsulated(struct ref_walk *w, uint64_t hdr_len, uint16_t type)
{
	if (!ref_has(w, hdr_len))
		return;
	w->off += hdr_len;
	w->type = type;
	if (type == TYPE_TEB)
		w->next = REF_NEXT_ETHER;
	else if (type > REF_TYPE_MAX_LENGTH)
		w->next = REF_NEXT_TYPE;
}

/*
 * draft-foschiano-erspan: a mirrored frame behind a header of 8 bytes, or of none in type I, which
 * has no sequence number; type III has 12, and 8 more where the last bit says so, and its frame
 * type must be Ethernet.
 */
void
ref_walk_gre_payload(struct ref_walk *w, uint64_t hdr_len, uint16_t type, bool sequenced)
{
	const uint8_t *erspan = w->data + w->off + hdr_len;

	if (type == TYPE_ERSPAN) {
		ref_walk_encapsulated(w, hdr_len + (sequenced ? 8 : 0), TYPE_TEB);
	} else if (type == TYPE_ERSPAN_III) {
		if (ref_has(w, hdr_len + 12) && (erspan[10] & 0x7c) == 0)
			ref_walk_encapsulated(w, hdr_len + ((erspan[11] & 0x01) != 0 ? 20 : 12),
					      TYPE_TEB);
	} else {
		ref_walk_encapsulated(w, hdr_len, type);
	}
}

/* RFC 7348 section 5: the I flag must be set. */
static bool
walk_vxlan(struct ref_walk *w)
{
	if ((w->data[w->off] & 0x08) == 0)
		return false;
	ref_walk_encapsulated(w, 8, TYPE_TEB);
	return true;
}

/* draft-ietf-nvo3-vxlan-gpe: version 0, the I flag must be set; without the P flag it is VXLAN. */
static bool
walk_vxlan_gpe(struct ref_walk *w)
{
	static const uint16_t types[] = { 0, 0x0800, 0x86dd, TYPE_TEB, 0, 0x8847 };
	const uint8_t *gpe = w->data + w->off;

	if ((gpe[0] & 0x30) != 0 || (gpe[0] & 0x08) == 0)
		return false;
	if ((gpe[0] & 0x04) == 0)
		return walk_vxlan(w);
	if (gpe[3] < sizeof(types) / sizeof(types[0]))
		ref_walk_encapsulated(w, 8, types[gpe[3]]);
	return true;
}

/* RFC 8926 section 3.4: version 0, options in 32-bit words. */
static bool
walk_geneve(struct ref_walk *w)
{
	const uint8_t *geneve = w->data + w->off;

	if ((geneve[0] & 0xc0) != 0)
		return false;
	ref_walk_encapsulated(w, 8 + (geneve[0] & 0x3f) * 4, ref_be16(geneve + 2));
	return true;
}

/* RFC 7510: a label stack behind the UDP header. */
static bool
walk_mpls(struct ref_walk *w)
{
	w->next = REF_NEXT_MPLS;
	return true;
}

/*
 * 3GPP TS 29.281 section 5.1: version 1, protocol type 1, message type, the length of what follows
 * the first 8 bytes, 0 where it cannot be told. Any of the flags E, S and PN adds 4, the last of
 * which names the first extension header; each of those begins with its length in 32-bit words and
 * ends with the next one's name.
 */
static bool
walk_gtpu(struct ref_walk *w)
{
	const uint8_t *gtp = w->data + w->off;
	uint64_t len = 8;
	uint8_t next = 0;

	if ((gtp[0] & 0xf0) != 0x30)
		return false;
	if (gtp[1] != GTPU_T_PDU)
		return true;
	if (ref_be16(gtp + 2) != 0)
		ref_enter(w, w->off + 8 + ref_be16(gtp + 2));
	if ((gtp[0] & 0x07) != 0) {
		len += 4;
		if (!ref_has(w, len))
			return true;
		next = (gtp[0] & 0x04) != 0 ? gtp[len - 1] : 0;
	}
	while (next != 0) {
		if (!ref_has(w, len + 1) || gtp[len] == 0 || !ref_has(w, len + gtp[len] * 4))
			return true;
		len += gtp[len] * 4;
		next = gtp[len - 1];
	}
	w->off += len;
	w->next = REF_NEXT_IP;
	return true;
}

bool
ref_walk_udp_tunnel(struct ref_walk *w, const uint8_t *udp)
{
	static const struct {
		uint16_t port;
		bool either; /* the source port counts too */
		uint64_t hdr_len;
		bool (*walk)(struct ref_walk *w);
	} tunnels[] = {
		{ PORT_VXLAN, false, 8, walk_vxlan },
		{ PORT_VXLAN_GPE, false, 8, walk_vxlan_gpe },
		{ PORT_GENEVE, false, 8, walk_geneve },
		{ PORT_MPLS, false, 4, walk_mpls },
		{ PORT_GTPU, true, 8, walk_gtpu },
	};
	uint16_t from = ref_be16(udp), to = ref_be16(udp + 2);
	unsigned int i;

	for (i = 0; i < sizeof(tunnels) / sizeof(tunnels[0]); i++) {
		if (to != tunnels[i].port && !(tunnels[i].either && from == tunnels[i].port))
			continue;
		if (ref_has(w, tunnels[i].hdr_len))
			return tunnels[i].walk(w);
		/* Its header is not there, but there is room for it: the port must do. */
		return w->end - w->off >= tunnels[i].hdr_len;
	}
	return false;
}
