/* SPDX-License-Identifier: BSD-3-Clause */

#include <arpa/inet.h>
#include <stdio.h>

#include <rte_byteorder.h>

#include "engine_icmpecho.h"

static const char *
op_name(uint16_t op)
{
	switch (op) {
	case RTE_ARP_OP_REQUEST:
		return "ARP Request";
	case RTE_ARP_OP_REPLY:
		return "ARP Reply";
	case RTE_ARP_OP_REVREQUEST:
		return "Reverse ARP Request";
	case RTE_ARP_OP_REVREPLY:
		return "Reverse ARP Reply";
	case RTE_ARP_OP_INVREQUEST:
		return "Peer Identify Request";
	case RTE_ARP_OP_INVREPLY:
		return "Peer Identify Reply";
	default:
		return "Unknown ARP op";
	}
}

/* The protocols that are met; there is no need for IANA's whole list. */
static const char *
protocol_name(uint8_t proto)
{
	switch (proto) {
	case IPPROTO_ICMP:
		return "ICMP";
	case IPPROTO_IGMP:
		return "IGMP";
	case IPPROTO_IPIP:
		return "IPv4";
	case IPPROTO_TCP:
		return "TCP";
	case IPPROTO_UDP:
		return "UDP";
	case IPPROTO_GRE:
		return "GRE";
	case IPPROTO_ESP:
		return "ESP";
	case IPPROTO_SCTP:
		return "SCTP";
	default:
		return "other";
	}
}

static void
print_ether(const char *label, const struct rte_ether_addr *addr)
{
	char text[RTE_ETHER_ADDR_FMT_SIZE];

	rte_ether_format_addr(text, sizeof(text), addr);
	printf("%s%s", label, text);
}

static void
print_ipv4(const char *label, rte_be32_t addr)
{
	char text[INET_ADDRSTRLEN];

	printf("%s%s", label, inet_ntop(AF_INET, &addr, text, sizeof(text)));
}

static void
print_arp(const struct rte_arp_hdr *arp)
{
	const struct rte_arp_ipv4 *data = &arp->arp_data;
	uint16_t op = rte_be_to_cpu_16(arp->arp_opcode);

	printf("  ARP:  hrd=%u proto=0x%04x hln=%u pln=%u op=%u (%s)\n",
	       rte_be_to_cpu_16(arp->arp_hardware), rte_be_to_cpu_16(arp->arp_protocol),
	       arp->arp_hlen, arp->arp_plen, op, op_name(op));
	print_ether("        sha=", &data->arp_sha);
	print_ipv4(" sip=", data->arp_sip);
	print_ether("\n        tha=", &data->arp_tha);
	print_ipv4(" tip=", data->arp_tip);
	printf("\n");
}

void
icmpecho_dump(const struct fwd_stream *stream, const struct rte_mbuf *m,
	      const struct echo_headers *h)
{
	flockfile(stdout);
	printf("\nPort %u pkt-len=%u nb-segs=%u\n", stream->rx_port, m->pkt_len, m->nb_segs);
	if (h->eth != NULL) {
		print_ether("  ETH:  src=", &h->eth->src_addr);
		print_ether(" dst=", &h->eth->dst_addr);
		if (h->vlan_tci != NULL)
			printf(" [vlan id=%u]", rte_be_to_cpu_16(*h->vlan_tci) & 0xfff);
		printf(" type=0x%04x\n", h->type);
	}
	if (h->arp != NULL)
		print_arp(h->arp);
	if (h->ip != NULL) {
		print_ipv4("  IPV4: src=", h->ip->src_addr);
		print_ipv4(" dst=", h->ip->dst_addr);
		printf(" proto=%u (%s)\n", h->ip->next_proto_id,
		       protocol_name(h->ip->next_proto_id));
	}
	if (h->icmp != NULL && h->icmp->icmp_type == RTE_IP_ICMP_ECHO_REQUEST)
		printf("  ICMP: echo request seq id=%u\n", rte_be_to_cpu_16(h->icmp->icmp_seq_nb));
	funlockfile(stdout);
}
