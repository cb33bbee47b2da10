/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <string.h>

#include "ref_judge.h"
#include "ref_judge_walk.h"

#define TYPE_IPV4 0x0800
#define TYPE_VLAN 0x8100
#define TYPE_IPV6 0x86dd
#define TYPE_MPLS 0x8847
#define TYPE_MPLS_MULTICAST 0x8848
#define TYPE_PPPOE 0x8864
#define TYPE_QINQ 0x88a8
#define TYPE_QINQ_OLD 0x9100

#define SLL_PROTO_802_2 4
#define PPP_IPV4 0x0021
#define PPP_IPV6 0x0057
#define MPLS_LAST 0x01 /* in the third byte of a label stack entry */

const char *
ref_column_name(enum ref_column column)
{
	static const char *const names[REF_NB_COLUMNS] = {
		[REF_IP] = "ip", [REF_UDP] = "udp", [REF_UDPLITE] = "udplite", [REF_TCP] = "tcp",
		[REF_ICMP] = "icmp", [REF_ICMPV6] = "icmpv6", [REF_IGMP] = "igmp",
		[REF_SCTP] = "sctp", [REF_DCCP] = "dccp", [REF_GRE] = "gre",
	};

	return names[column];
}

const char *
ref_verdict_name(enum ref_verdict verdict)
{
	static const char *const names[REF_NB_VERDICTS] = {
		[REF_GOOD] = "good", [REF_BAD] = "bad", [REF_PARTIAL] = "partial",
		[REF_ZERO] = "zero", [REF_FRAGMENT] = "fragment", [REF_TRUNCATED] = "truncated",
	};

	return names[verdict];
}

static void
walk_ether(struct ref_walk *w)
{
	if (!ref_has(w, 14))
		return;
	w->type = ref_be16(w->data + w->off + 12);
	w->off += 14;
	w->next = REF_NEXT_TYPE;
}

static void
walk_vlan(struct ref_walk *w)
{
	if (!ref_has(w, 4))
		return;
	w->type = ref_be16(w->data + w->off + 2);
	w->off += 4;
	w->next = REF_NEXT_TYPE;
}

/* IEEE 802.2 with SNAP, organisation 0: the last two bytes are an EtherType (RFC 1042). */
static void
walk_llc(struct ref_walk *w)
{
	static const uint8_t snap[6] = { 0xaa, 0xaa, 0x03, 0, 0, 0 };

	if (!ref_has(w, 8) || memcmp(w->data + w->off, snap, sizeof(snap)) != 0)
		return;
	w->type = ref_be16(w->data + w->off + 6);
	w->off += 8;
	if (w->type > REF_TYPE_MAX_LENGTH)
		w->next = REF_NEXT_TYPE;
}

/*
 * RFC 2516 section 4: version and type 1, code 0 for a session, the length of what follows; then
 * PPP's protocol field. Who cannot tell the length of a super-packet writes 0.
 */
static void
walk_pppoe(struct ref_walk *w)
{
	const uint8_t *p = w->data + w->off;

	if (!ref_has(w, 8) || p[0] != 0x11 || p[1] != 0)
		return;
	if (ref_be16(p + 6) != PPP_IPV4 && ref_be16(p + 6) != PPP_IPV6)
		return;
	if (ref_be16(p + 4) != 0)
		ref_enter(w, w->off + 6 + ref_be16(p + 4));
	if (!ref_has(w, 8))
		return;
	w->type = ref_be16(p + 6) == PPP_IPV4 ? TYPE_IPV4 : TYPE_IPV6;
	w->off += 8;
	w->next = REF_NEXT_TYPE;
}

/* RFC 3032. What lies under the last label is not said; only IP can be told from its version. */
static void
walk_mpls(struct ref_walk *w)
{
	bool last;

	do {
		if (!ref_has(w, 4))
			return;
		last = (w->data[w->off + 2] & MPLS_LAST) != 0;
		w->off += 4;
	} while (!last);
	w->next = REF_NEXT_IP;
}

static void
walk_type(struct ref_walk *w)
{
	if (w->type <= REF_TYPE_MAX_LENGTH) {
		ref_enter(w, w->off + w->type);
		w->next = REF_NEXT_LLC;
		return;
	}
	switch (w->type) {
	case TYPE_IPV4:
		ref_walk_ip(w, 4);
		break;
	case TYPE_IPV6:
		ref_walk_ip(w, 6);
		break;
	case TYPE_VLAN:
	case TYPE_QINQ:
	case TYPE_QINQ_OLD:
		walk_vlan(w);
		break;
	case TYPE_MPLS:
	case TYPE_MPLS_MULTICAST:
		walk_mpls(w);
		break;
	case TYPE_PPPOE:
		walk_pppoe(w);
		break;
	}
}

static void
walk_ip_by_version(struct ref_walk *w)
{
	if (ref_has(w, 1))
		ref_walk_ip(w, w->data[w->off] >> 4);
}

/* The EtherType for an address family, 0 when it is not IP. IPv6's number depends on the system. */
static uint16_t
family_type(uint8_t family)
{
	switch (family) {
	case 2:
		return TYPE_IPV4;
	case 10: /* Linux */
	case 24: /* NetBSD, OpenBSD */
	case 28: /* FreeBSD */
	case 30: /* Darwin */
		return TYPE_IPV6;
	}
	return 0;
}

/*
 * BSD's loopback: an address family in 32 bits, in the byte order of the host that captured. All
 * families are below 256, so it is the first byte or the last. Some little-endian systems write 16
 * bits of family and an EtherType.
 */
static void
link_null(struct ref_walk *w)
{
	const uint8_t *p = w->data;

	if (!ref_has(w, 4))
		return;
	if (p[0] != 0 && ref_be16(p + 2) > REF_TYPE_MAX_LENGTH)
		w->type = ref_be16(p + 2);
	else if (p[1] == 0 && p[2] == 0 && (p[0] == 0 || p[3] == 0))
		w->type = family_type(p[0] | p[3]);
	w->off = 4;
	if (w->type > REF_TYPE_MAX_LENGTH)
		w->next = REF_NEXT_TYPE;
}

/* Linux cooked captures: a header of @p len bytes with the protocol at @p type_off. */
static void
link_sll(struct ref_walk *w, uint64_t len, uint64_t type_off)
{
	if (!ref_has(w, len))
		return;
	w->type = ref_be16(w->data + type_off);
	w->off = len;
	if (w->type == SLL_PROTO_802_2)
		w->next = REF_NEXT_LLC;
	else if (w->type > REF_TYPE_MAX_LENGTH)
		w->next = REF_NEXT_TYPE;
}

static int
walk_link(struct ref_walk *w, int link_type)
{
	switch (link_type) {
	case REF_LINK_ETHER:
		w->next = REF_NEXT_ETHER;
		break;
	case REF_LINK_RAW:
	case REF_LINK_RAW_BSD:
		w->next = REF_NEXT_IP;
		break;
	case REF_LINK_IPV4:
		w->type = TYPE_IPV4;
		w->next = REF_NEXT_TYPE;
		break;
	case REF_LINK_IPV6:
		w->type = TYPE_IPV6;
		w->next = REF_NEXT_TYPE;
		break;
	case REF_LINK_NULL:
	case REF_LINK_LOOP:
		link_null(w);
		break;
	case REF_LINK_SLL:
		link_sll(w, 16, 14);
		break;
	case REF_LINK_SLL2:
		link_sll(w, 20, 0);
		break;
	default:
		return -ENOTSUP;
	}
	return 0;
}

int
ref_judge(const uint8_t *data, uint32_t caplen, uint32_t len, int link_type,
	  struct ref_report *report)
{
	static void (*const steps[])(struct ref_walk *w) = {
		[REF_NEXT_ETHER] = walk_ether,
		[REF_NEXT_TYPE] = walk_type,
		[REF_NEXT_LLC] = walk_llc,
		[REF_NEXT_MPLS] = walk_mpls,
		[REF_NEXT_IP] = walk_ip_by_version,
		[REF_NEXT_PROTO] = ref_walk_proto,
	};
	struct ref_walk w = {
		.data = data, .there = caplen, .end = len > caplen ? len : caplen, .report = report,
	};
	enum ref_next next;
	unsigned int i;

	w.frame_len = w.end;
	if (walk_link(&w, link_type) != 0)
		return -ENOTSUP;
	memset(report, 0, sizeof(*report));
	/* A step records one verdict a column at most, so that the lists cannot overflow. */
	for (i = 0; i < REF_MAX_HEADERS && w.next != REF_NEXT_NONE; i++) {
		next = w.next;
		w.next = REF_NEXT_NONE;
		steps[next](&w);
	}
	return 0;
}
