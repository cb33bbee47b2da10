/* SPDX-License-Identifier: BSD-3-Clause */

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_ether.h>

#include "capture.h"

#define NULL_HDR_LEN   4
#define SLL_HDR_LEN    16
#define SLL2_HDR_LEN   20

#define ARPHRD_NETLINK 824    /* then the protocol is a netlink family */
#define SLL_PROTO_LLC  0x0004 /* an 802.2 LLC header follows */
#define ETHER_TYPE_MIN 0x0600 /* smaller is no EtherType */

static uint16_t
be16_at(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static void
start_ether(const struct capture_record *rec, struct capture_start *start)
{
	start->link = CSUM_LINK_ETHER;
}

static void
start_ip(const struct capture_record *rec, struct capture_start *start)
{
	start->link = CSUM_LINK_IP;
}

static void
start_ipv4(const struct capture_record *rec, struct capture_start *start)
{
	start->ether_type = RTE_ETHER_TYPE_IPV4;
}

static void
start_ipv6(const struct capture_record *rec, struct capture_start *start)
{
	start->ether_type = RTE_ETHER_TYPE_IPV6;
}

/*
 * A protocol family in the byte order of the machine that captured, or of the network (LOOP).
 * Some systems put a 16-bit family and an EtherType there instead.
 */
static void
start_null(const struct capture_record *rec, struct capture_start *start)
{
	uint32_t family;

	if (rec->caplen < NULL_HDR_LEN)
		return;
	start->off = NULL_HDR_LEN;
	family = (uint32_t)be16_at(rec->data) << 16 | be16_at(rec->data + 2);
	if (family > UINT16_MAX)
		family = rte_bswap32(family);

	/* IPv6 goes by another number on each system. */
	switch (family) {
	case 2:
		start->ether_type = RTE_ETHER_TYPE_IPV4;
		break;
	case 10: /* Linux */
	case 24: /* NetBSD, OpenBSD */
	case 28: /* FreeBSD */
	case 30: /* macOS */
		start->ether_type = RTE_ETHER_TYPE_IPV6;
		break;
	default:
		if (rec->data[0] != 0)
			start->ether_type = be16_at(rec->data + 2);
	}
}

static void
start_cooked(uint16_t hardware, uint16_t proto, struct capture_start *start)
{
	if (hardware == ARPHRD_NETLINK)
		return;
	/* Below the EtherTypes stand Linux's own numbers, of which only LLC leads to IP. */
	if (proto >= ETHER_TYPE_MIN || proto == SLL_PROTO_LLC)
		start->ether_type = proto;
}

static void
start_sll(const struct capture_record *rec, struct capture_start *start)
{
	if (rec->caplen < SLL_HDR_LEN)
		return;
	start->off = SLL_HDR_LEN;
	start_cooked(be16_at(rec->data + 2), be16_at(rec->data + 14), start);
}

static void
start_sll2(const struct capture_record *rec, struct capture_start *start)
{
	if (rec->caplen < SLL2_HDR_LEN)
		return;
	start->off = SLL2_HDR_LEN;
	start_cooked(be16_at(rec->data + 8), be16_at(rec->data), start);
}

static const struct {
	int link_type;
	void (*start)(const struct capture_record *rec, struct capture_start *start);
} links[] = {
	{ DLT_EN10MB, start_ether },
	{ DLT_RAW, start_ip },
	{ DLT_IPV4, start_ipv4 },
	{ DLT_IPV6, start_ipv6 },
	{ DLT_NULL, start_null },
	{ DLT_LOOP, start_null },
	{ DLT_LINUX_SLL, start_sll },
	{ DLT_LINUX_SLL2, start_sll2 },
};

const char *
capture_link_name(int link_type)
{
	const char *name = pcap_datalink_val_to_name(link_type);

	return name != NULL ? name : "unknown";
}

int
capture_link_at(unsigned int i)
{
	return i < RTE_DIM(links) ? links[i].link_type : -1;
}

bool
capture_link_is_known(int link_type)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(links); i++)
		if (links[i].link_type == link_type)
			return true;
	return false;
}

void
capture_start_of(const struct capture_record *rec, struct capture_start *start)
{
	unsigned int i;

	start->off = 0;
	start->link = CSUM_LINK_TYPE;
	start->ether_type = 0;
	for (i = 0; i < RTE_DIM(links); i++)
		if (links[i].link_type == rec->link_type)
			links[i].start(rec, start);
}
