/* SPDX-License-Identifier: BSD-3-Clause */

#include <inttypes.h>
#include <stdio.h>

#include <rte_byteorder.h>
#include <rte_ether.h>
#include <rte_mbuf_dyn.h>
#include <rte_mbuf_ptype.h>
#include <rte_net.h>

#include <csum_mbuf.h>

#include "dump.h"

#define NAMES_LEN 512

static void
print_ptype(const char *label, uint32_t ptype)
{
	char names[NAMES_LEN] = "";

	rte_get_ptype_name(ptype, names, sizeof(names));
	printf(" - %s ptype: %s", label, names);
}

static void
print_header_lengths(const struct rte_mbuf *m)
{
	struct rte_net_hdr_lens lens = { 0 };
	uint32_t ptype = rte_net_get_ptype(m, &lens, RTE_PTYPE_ALL_MASK);
	const struct {
		const char *name;
		uint32_t mask;
		unsigned int len;
	} layers[] = {
		{ "l2_len", RTE_PTYPE_L2_MASK, lens.l2_len },
		{ "l3_len", RTE_PTYPE_L3_MASK, lens.l3_len },
		{ "l4_len", RTE_PTYPE_L4_MASK, lens.l4_len },
		{ "tunnel_len", RTE_PTYPE_TUNNEL_MASK, lens.tunnel_len },
		{ "inner_l2_len", RTE_PTYPE_INNER_L2_MASK, lens.inner_l2_len },
		{ "inner_l3_len", RTE_PTYPE_INNER_L3_MASK, lens.inner_l3_len },
		{ "inner_l4_len", RTE_PTYPE_INNER_L4_MASK, lens.inner_l4_len },
	};
	unsigned int i;

	print_ptype("sw", ptype);
	for (i = 0; i < RTE_DIM(layers); i++) {
		if ((ptype & layers[i].mask) != 0)
			printf(" - %s=%u", layers[i].name, layers[i].len);
	}
}

/* When the port received it, where it tells. */
static void
print_timestamp(const struct rte_mbuf *m)
{
	int flag = rte_mbuf_dynflag_lookup(RTE_MBUF_DYNFLAG_RX_TIMESTAMP_NAME, NULL);
	int field = rte_mbuf_dynfield_lookup(RTE_MBUF_DYNFIELD_TIMESTAMP_NAME, NULL);

	if (flag >= 0 && field >= 0 && (m->ol_flags & RTE_BIT64(flag)) != 0)
		printf(" - timestamp %" PRIu64 " ",
		       *RTE_MBUF_DYNFIELD(m, field, const rte_mbuf_timestamp_t *));
}

static void
print_packet(const struct rte_mbuf *m, uint16_t queue)
{
	char src[RTE_ETHER_ADDR_FMT_SIZE], dst[RTE_ETHER_ADDR_FMT_SIZE];
	struct rte_ether_hdr eth = { 0 };

	/* Of a frame that is shorter all is shown as 0. */
	(void)csum_mbuf_read(m, 0, &eth, sizeof(eth));
	rte_ether_format_addr(src, sizeof(src), &eth.src_addr);
	rte_ether_format_addr(dst, sizeof(dst), &eth.dst_addr);
	printf("  src=%s - dst=%s - pool=%s - type=0x%04x - length=%u - nb_segs=%u", src, dst,
	       m->pool->name, rte_be_to_cpu_16(eth.ether_type), m->pkt_len, m->nb_segs);
	if ((m->ol_flags & RTE_MBUF_F_RX_RSS_HASH) != 0)
		printf(" - RSS hash=0x%x - RSS queue=0x%x", m->hash.rss, queue);
	print_timestamp(m);
	if ((m->ol_flags & RTE_MBUF_F_RX_QINQ) != 0)
		printf(" - QinQ VLAN tci=0x%x, VLAN tci outer=0x%x", m->vlan_tci,
		       m->vlan_tci_outer);
	else if ((m->ol_flags & RTE_MBUF_F_RX_VLAN) != 0)
		printf(" - VLAN tci=0x%x", m->vlan_tci);
	if (m->packet_type != 0)
		print_ptype("hw", m->packet_type);
	print_header_lengths(m);
}

/* Lcores print at the same time: a burst's lines stay together. */
static void
print_burst(uint16_t port, uint16_t queue, struct rte_mbuf **pkts, uint16_t nb_pkts, bool rx)
{
	int (*list_flags)(uint64_t, char *, size_t) = rx ? rte_get_rx_ol_flag_list :
							   rte_get_tx_ol_flag_list;
	char flags[NAMES_LEN];
	uint16_t i;

	flockfile(stdout);
	printf("port %u/queue %u: %s %u packets\n", port, queue, rx ? "received" : "sent", nb_pkts);
	for (i = 0; i < nb_pkts; i++) {
		print_packet(pkts[i], queue);
		list_flags(pkts[i]->ol_flags, flags, sizeof(flags));
		printf(" - %s queue=0x%x\n  ol_flags: %s\n", rx ? "Receive" : "Send", queue,
		       flags);
	}
	funlockfile(stdout);
}

void
dump_received(uint16_t port, uint16_t queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	print_burst(port, queue, pkts, nb_pkts, true);
}

void
dump_sent(uint16_t port, uint16_t queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	print_burst(port, queue, pkts, nb_pkts, false);
}
