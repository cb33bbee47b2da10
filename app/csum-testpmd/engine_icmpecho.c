/* SPDX-License-Identifier: BSD-3-Clause */

#include <csum.h>
#include <csum_mbuf.h>
#include <csum_pkt.h>

#include "engine_icmpecho.h"
#include "ether.h"

#define MULTICAST 0xe /* the upper 4 bits of the address (RFC 5771 section 3) */

/* A header at an offset, NULL when it is not all in the first mbuf. */
static void *
header_at(struct rte_mbuf *m, uint32_t off, size_t len)
{
	return off + len <= m->data_len ? rte_pktmbuf_mtod_offset(m, void *, off) : NULL;
}

static struct rte_arp_hdr *
find_arp(struct rte_mbuf *m, uint32_t off)
{
	struct rte_arp_hdr *arp = header_at(m, off, sizeof(*arp));

	if (arp != NULL && arp->arp_hardware == RTE_BE16(RTE_ARP_HRD_ETHER) &&
	    arp->arp_protocol == RTE_BE16(RTE_ETHER_TYPE_IPV4) &&
	    arp->arp_hlen == sizeof(arp->arp_data.arp_sha) &&
	    arp->arp_plen == sizeof(arp->arp_data.arp_sip))
		return arp;
	return NULL;
}

/* Finds the headers that there are. */
static void
find_headers(struct rte_mbuf *m, struct echo_headers *h)
{
	const uint8_t cut = CSUM_LAYER_F_FRAGMENT | CSUM_LAYER_F_TRUNCATED | CSUM_LAYER_F_HDR_CUT;
	const struct csum_layer *layer;
	struct csum_pkt pkt;
	unsigned int i = 1;
	rte_be16_t type;

	*h = (struct echo_headers){ .eth = header_at(m, 0, sizeof(*h->eth)) };
	if (h->eth == NULL || csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, &pkt) != 0)
		return;
	while (i < pkt.nb_layers && pkt.layer[i].type == CSUM_LAYER_VLAN)
		h->vlan_tci = header_at(m, pkt.layer[i++].off, sizeof(*h->vlan_tci));
	if (i == pkt.nb_layers ||
	    csum_mbuf_read(m, pkt.layer[i].off - sizeof(type), &type, sizeof(type)) != 0)
		return;
	layer = &pkt.layer[i];
	h->type = rte_be_to_cpu_16(type);
	if (h->type == RTE_ETHER_TYPE_ARP)
		h->arp = find_arp(m, layer->off);
	if (layer->type != CSUM_LAYER_IPV4 || (layer->flags & CSUM_LAYER_F_HDR_CUT) != 0)
		return;
	h->ip = header_at(m, layer->off, sizeof(*h->ip));
	layer++;
	if (i + 1 < pkt.nb_layers && layer->type == CSUM_LAYER_ICMP && (layer->flags & cut) == 0)
		h->icmp = header_at(m, layer->off, sizeof(*h->icmp));
}

/* Whoever is asked for: this port has it. */
static void
answer_arp(const struct echo_headers *h, const struct rte_ether_addr *addr)
{
	struct rte_arp_ipv4 *data = &h->arp->arp_data;
	rte_be32_t asked = data->arp_tip;

	h->eth->dst_addr = h->eth->src_addr;
	h->eth->src_addr = *addr;
	h->arp->arp_opcode = RTE_BE16(RTE_ARP_OP_REPLY);
	data->arp_tha = data->arp_sha;
	data->arp_tip = data->arp_sip;
	data->arp_sha = *addr;
	data->arp_sip = asked;
}

/* A multicast address answers nobody: in its place comes one beside the asker's. */
static void
answer_multicast(struct rte_ipv4_hdr *ip)
{
	uint32_t asker = rte_be_to_cpu_32(ip->src_addr);
	rte_be32_t group = ip->dst_addr;
	rte_be32_t src = rte_cpu_to_be_32((asker & ~3u) | ((asker & 3) == 1 ? 2 : 1));

	ip->dst_addr = ip->src_addr;
	ip->src_addr = src;
	ip->hdr_checksum = csum_check_update32(ip->hdr_checksum, group, src);
}

/* The ICMP checksum is corrected, not made anew: one that is wrong stays wrong. */
static void
answer_echo(struct rte_mbuf *m, const struct echo_headers *h)
{
	const rte_be16_t request = RTE_BE16(RTE_IP_ICMP_ECHO_REQUEST << 8);
	const rte_be16_t reply = RTE_BE16(RTE_IP_ICMP_ECHO_REPLY << 8);
	rte_be32_t asker = h->ip->src_addr;

	swap_addresses(m);
	if (rte_be_to_cpu_32(h->ip->dst_addr) >> 28 == MULTICAST) {
		answer_multicast(h->ip);
	} else {
		h->ip->src_addr = h->ip->dst_addr;
		h->ip->dst_addr = asker;
	}
	h->icmp->icmp_type = RTE_IP_ICMP_ECHO_REPLY;
	h->icmp->icmp_cksum = csum_check_update16(h->icmp->icmp_cksum, request, reply);
}

/* Makes an answer of a request. Returns false when it is no request. */
static bool
answer(struct fwd_stream *stream, struct rte_mbuf *m)
{
	struct echo_headers h;

	find_headers(m, &h);
	if (unlikely(atomic_load_explicit(stream->verbose, memory_order_relaxed) != 0))
		icmpecho_dump(stream, m, &h);
	if (h.arp != NULL && h.arp->arp_opcode == RTE_BE16(RTE_ARP_OP_REQUEST))
		answer_arp(&h, &stream->tx->addr);
	else if (h.icmp != NULL && h.icmp->icmp_type == RTE_IP_ICMP_ECHO_REQUEST &&
		 h.icmp->icmp_code == 0)
		answer_echo(m, &h);
	else
		return false;
	clear_requests(m);
	return true;
}

static void
forward(struct fwd_stream *stream)
{
	struct rte_mbuf *pkts[APP_MAX_BURST];
	uint16_t nb_answers = 0, nb, i;

	nb = stream_receive(stream, pkts);
	for (i = 0; i < nb; i++) {
		if (answer(stream, pkts[i]))
			pkts[nb_answers++] = pkts[i];
		else
			rte_pktmbuf_free(pkts[i]);
	}
	if (nb_answers != 0)
		stream_send(stream, pkts, nb_answers);
}

const struct fwd_engine engine_icmpecho = {
	.name = "icmpecho",
	.echo = true,
	.forward = forward,
};
