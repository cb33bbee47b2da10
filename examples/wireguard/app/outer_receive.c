/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include <rte_ip.h>
#include <rte_udp.h>

#include <csum_mbuf.h>
#include <csum_pkt.h>

#include "outer.h"

/* Layers of a frame for us; the parser may see more behind them. */
enum { ETHER, IP, L4 };

static bool
good(const struct rte_mbuf *m, const struct csum_pkt *pkt, unsigned int layer)
{
	enum csum_verdict verdict = csum_pkt_verify(m, pkt, layer);

	return verdict == CSUM_VERDICT_GOOD || verdict == CSUM_VERDICT_NONE ||
	       verdict == CSUM_VERDICT_ZERO;
}

/* What the port has found to be good is not looked at again. */
static bool
checksums_are_good(const struct rte_mbuf *m, const struct csum_pkt *pkt)
{
	bool ip_known = (m->ol_flags & RTE_MBUF_F_RX_IP_CKSUM_MASK) == RTE_MBUF_F_RX_IP_CKSUM_GOOD;
	bool l4_known = (m->ol_flags & RTE_MBUF_F_RX_L4_CKSUM_MASK) == RTE_MBUF_F_RX_L4_CKSUM_GOOD;

	return (ip_known || good(m, pkt, IP)) && (l4_known || good(m, pkt, L4));
}

/* Fills in where it comes from. */
static bool
is_for_us(const struct outer *outer, const struct rte_mbuf *m, const struct csum_pkt *pkt,
	  struct wg_endpoint *from)
{
	bool v6 = pkt->layer[IP].type == CSUM_LAYER_IPV6;
	const struct wg_addr *ours = &outer->net[v6].address.addr;
	uint32_t src = v6 ? offsetof(struct rte_ipv6_hdr, src_addr) :
			    offsetof(struct rte_ipv4_hdr, src_addr);
	uint8_t len = v6 ? 16 : 4, addrs[32];
	struct rte_udp_hdr udp;

	if (csum_mbuf_read(m, pkt->layer[IP].off + src, addrs, 2 * len) != 0 ||
	    csum_mbuf_read(m, pkt->layer[L4].off, &udp, sizeof(udp)) != 0)
		return false;
	*from = (struct wg_endpoint) {
		.addr.len = len,
		.port = rte_be_to_cpu_16(udp.src_port),
	};
	memcpy(from->addr.bytes, addrs, len);
	return ours->len == len && memcmp(ours->bytes, addrs + len, len) == 0 &&
	       udp.dst_port == rte_cpu_to_be_16(outer->listen_port);
}

/* As far as headers go: no fragment, nothing missing. Counts what is not. */
static bool
is_whole(const struct outer *outer, const struct csum_pkt *pkt)
{
	uint8_t flags = pkt->layer[IP].flags | pkt->layer[L4].flags;

	if ((flags & (CSUM_LAYER_F_TRUNCATED | CSUM_LAYER_F_HDR_CUT)) != 0)
		count(outer->counters, COUNT_TRUNCATED, 1);
	else if ((flags & CSUM_LAYER_F_FRAGMENT) != 0)
		count(outer->counters, COUNT_NOT_OURS, 1);
	else
		return true;
	return false;
}

static bool
is_layer(const struct csum_pkt *pkt, unsigned int i, enum csum_layer_type type)
{
	return i < pkt->nb_layers && pkt->layer[i].type == type;
}

bool
outer_receive(struct outer *outer, struct rte_mbuf *m, struct outer_datagram *datagram,
	      uint64_t now)
{
	const uint32_t type_off = offsetof(struct rte_ether_hdr, ether_type);
	struct csum_pkt pkt;
	uint16_t type;
	bool ip6, udp;

	count(outer->counters, COUNT_PORT_RECEIVED, 1);
	count(outer->counters, COUNT_PORT_RECEIVED_BYTES, m->pkt_len);
	if (csum_mbuf_read(m, type_off, &type, sizeof(type)) == 0 &&
	    type == RTE_BE16(RTE_ETHER_TYPE_ARP)) {
		neighbour_arp(&outer->nbs, m, now);
		return false;
	}
	csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, &pkt);
	ip6 = is_layer(&pkt, IP, CSUM_LAYER_IPV6);
	udp = (ip6 || is_layer(&pkt, IP, CSUM_LAYER_IPV4)) && is_layer(&pkt, L4, CSUM_LAYER_UDP);
	if (ip6 && is_layer(&pkt, L4, CSUM_LAYER_ICMPV6)) {
		neighbour_icmpv6(&outer->nbs, m, &pkt, now);
		return false;
	}
	if (!udp || !is_for_us(outer, m, &pkt, &datagram->from)) {
		count(outer->counters, COUNT_NOT_OURS, 1);
		return false;
	}
	if (!is_whole(outer, &pkt))
		return false;
	if (!checksums_are_good(m, &pkt)) {
		count(outer->counters, COUNT_OUTER_CSUM, 1);
		return false;
	}
	/* What comes next works on flat memory. */
	if (rte_pktmbuf_linearize(m) != 0) {
		count(outer->counters, COUNT_NO_MBUF, 1);
		return false;
	}
	datagram->data = rte_pktmbuf_mtod_offset(m, uint8_t *,
		pkt.layer[L4].off + sizeof(struct rte_udp_hdr));
	datagram->len = pkt.layer[L4].len - sizeof(struct rte_udp_hdr);
	return true;
}
