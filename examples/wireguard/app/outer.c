/* SPDX-License-Identifier: BSD-3-Clause */

#include <netinet/in.h>
#include <string.h>

#include <rte_ethdev.h>
#include <rte_ip.h>
#include <rte_udp.h>

#include <csum_pkt.h>

#include "outer.h"

#define TTL 64

static void
enqueue(void *arg, struct rte_mbuf *m)
{
	struct outer *outer = arg;

	bool full = outer->nb_tx == OUTER_BACKLOG;

	if (full || (outer->tx_offloads != 0 &&
		     rte_eth_tx_prepare(outer->port_id, 0, &m, 1) != 1)) {
		count(outer->counters, full ? COUNT_PORT_FULL : COUNT_PORT_REFUSED, 1);
		rte_pktmbuf_free(m);
		return;
	}
	outer->tx[outer->nb_tx++] = m;
}

void
outer_open(struct outer *outer, struct rte_mempool *pool)
{
	struct neighbours *nbs = &outer->nbs;

	rte_eth_macaddr_get(outer->port_id, &nbs->mac);
	nbs->ours[0] = outer->net[0].address.addr;
	nbs->ours[1] = outer->net[1].address.addr;
	nbs->pool = pool;
	nbs->out = (struct neighbour_out) { .send = enqueue, .arg = outer };
	nbs->counters = outer->counters;
}

void
outer_close(struct outer *outer)
{
	neighbour_close(&outer->nbs);
	rte_pktmbuf_free_bulk(outer->tx, outer->nb_tx);
	outer->nb_tx = 0;
}

/* ---- sending */

static bool
is_on_link(const struct wg_prefix *net, const struct wg_addr *addr)
{
	unsigned int bytes = net->bits / 8, rest = net->bits % 8;
	uint8_t differ = net->addr.bytes[bytes % 16] ^ addr->bytes[bytes % 16];

	return memcmp(net->addr.bytes, addr->bytes, bytes) == 0 &&
	       (rest == 0 || differ >> (8 - rest) == 0);
}

static void
make_ipv4_headers(struct outer_path *path, const struct wg_addr *from)
{
	struct rte_ether_hdr *ether = (struct rte_ether_hdr *)path->headers;
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(ether + 1);

	ether->ether_type = RTE_BE16(RTE_ETHER_TYPE_IPV4);
	*ip = (struct rte_ipv4_hdr) {
		.version_ihl = RTE_IPV4_VHL_DEF,
		.time_to_live = TTL,
		.next_proto_id = IPPROTO_UDP,
	};
	memcpy(&ip->src_addr, from->bytes, sizeof(ip->src_addr));
	memcpy(&ip->dst_addr, path->to.addr.bytes, sizeof(ip->dst_addr));
	path->headers_len = sizeof(*ether) + sizeof(*ip) + sizeof(struct rte_udp_hdr);
	path->tx_offload = rte_mbuf_tx_offload(sizeof(*ether), sizeof(*ip), 0, 0, 0, 0, 0);
}

static void
make_ipv6_headers(struct outer_path *path, const struct wg_addr *from)
{
	struct rte_ether_hdr *ether = (struct rte_ether_hdr *)path->headers;
	struct rte_ipv6_hdr *ip = (struct rte_ipv6_hdr *)(ether + 1);

	ether->ether_type = RTE_BE16(RTE_ETHER_TYPE_IPV6);
	*ip = (struct rte_ipv6_hdr) {
		.vtc_flow = RTE_BE32(6u << 28),
		.proto = IPPROTO_UDP,
		.hop_limits = TTL,
	};
	memcpy(ip->src_addr, from->bytes, sizeof(ip->src_addr));
	memcpy(ip->dst_addr, path->to.addr.bytes, sizeof(ip->dst_addr));
	path->headers_len = sizeof(*ether) + sizeof(*ip) + sizeof(struct rte_udp_hdr);
	path->tx_offload = rte_mbuf_tx_offload(sizeof(*ether), sizeof(*ip), 0, 0, 0, 0, 0);
}

/*
 * A UDP checksum would be a pass of its own over data whose every bit the tag vouches for. IPv4
 * lets it be 0 (RFC 768); over IPv6 a receiver need not accept that (RFC 8200 section 8.1). A port
 * that makes checksums is asked for them anyway.
 */
static void
choose_checksums(const struct outer *outer, struct outer_path *path)
{
	bool v6 = path->to.addr.len == 16;
	bool udp = v6 || (outer->tx_offloads & RTE_ETH_TX_OFFLOAD_UDP_CKSUM) != 0;

	path->ol_flags = (v6 ? RTE_MBUF_F_TX_IPV6 : RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM) |
			 (udp ? RTE_MBUF_F_TX_UDP_CKSUM : 0);
	path->todo = CSUM_PKT_TX_CKSUM_MASK;
	if ((outer->tx_offloads & RTE_ETH_TX_OFFLOAD_IPV4_CKSUM) != 0)
		path->todo &= ~RTE_MBUF_F_TX_IP_CKSUM;
	if ((outer->tx_offloads & RTE_ETH_TX_OFFLOAD_UDP_CKSUM) != 0)
		path->todo &= ~RTE_MBUF_F_TX_L4_MASK;
}

static void
path_make(const struct outer *outer, struct outer_path *path)
{
	bool v6 = path->to.addr.len == 16;
	const struct outer_net *net = &outer->net[v6];
	struct rte_ether_hdr *ether = (struct rte_ether_hdr *)path->headers;
	struct rte_udp_hdr udp = {
		.src_port = rte_cpu_to_be_16(outer->listen_port),
		.dst_port = rte_cpu_to_be_16(path->to.port),
	};

	path->next_hop = (struct wg_addr) { 0 };
	if (net->address.addr.len != 0)
		path->next_hop = is_on_link(&net->address, &path->to.addr) ? path->to.addr :
									     net->gateway;
	if (path->next_hop.len == 0)
		return;
	ether->src_addr = outer->nbs.mac;
	if (v6)
		make_ipv6_headers(path, &net->address.addr);
	else
		make_ipv4_headers(path, &net->address.addr);
	memcpy(path->headers + path->headers_len - sizeof(udp), &udp, sizeof(udp));
	choose_checksums(outer, path);
}

static bool
same_endpoint(const struct wg_endpoint *a, const struct wg_endpoint *b)
{
	return a->port == b->port && memcmp(&a->addr, &b->addr, sizeof(a->addr)) == 0;
}

void
outer_path_set(const struct outer *outer, struct outer_path *path, const struct wg_endpoint *to)
{
	if (same_endpoint(&path->to, to))
		return;
	path->to = *to;
	path_make(outer, path);
}

static void
set_lengths(struct outer *outer, uint8_t *headers, const struct outer_path *path, uint16_t len)
{
	struct rte_ether_hdr *ether = (struct rte_ether_hdr *)headers;
	struct rte_ipv6_hdr *ip6 = (struct rte_ipv6_hdr *)(ether + 1);
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(ether + 1);
	struct rte_udp_hdr *udp = (struct rte_udp_hdr *)(headers + path->headers_len) - 1;

	len += sizeof(*udp);
	udp->dgram_len = rte_cpu_to_be_16(len);
	if (path->to.addr.len == 16) {
		ip6->payload_len = rte_cpu_to_be_16(len);
	} else {
		ip->total_length = rte_cpu_to_be_16((uint16_t)(len + sizeof(*ip)));
		ip->packet_id = rte_cpu_to_be_16(outer->ip_id++);
	}
}

void
outer_send(struct outer *outer, struct outer_path *path, struct rte_mbuf *m, uint64_t now)
{
	uint16_t len = m->data_len;
	uint8_t *headers;

	if (path->next_hop.len == 0) {
		count(outer->counters, COUNT_NO_ROUTE, 1);
		rte_pktmbuf_free(m);
		return;
	}
	headers = (uint8_t *)rte_pktmbuf_prepend(m, path->headers_len);
	memcpy(headers, path->headers, path->headers_len);
	set_lengths(outer, headers, path, len);
	m->ol_flags = path->ol_flags;
	m->tx_offload = path->tx_offload;
	csum_pkt_prepare(m, path->todo, NULL);
	m->ol_flags &= ~path->todo;
	neighbour_send(&outer->nbs, &path->next_hop, &path->hint, m, now);
}

void
outer_send_message(struct outer *outer, const struct wg_message *message, uint64_t now)
{
	struct outer_path path = { 0 };
	struct rte_mbuf *m = rte_pktmbuf_alloc(outer->nbs.pool);

	if (m == NULL) {
		count(outer->counters, COUNT_NO_MBUF, 1);
		return;
	}
	memcpy(rte_pktmbuf_append(m, (uint16_t)message->len), message->bytes, message->len);
	outer_path_set(outer, &path, &message->to);
	outer_send(outer, &path, m, now);
}

uint16_t
outer_flush(struct outer *outer)
{
	uint16_t nb = outer->nb_tx, done = 0, sent, i;
	uint64_t begin = work_begin(), bytes = 0;

	if (nb == 0)
		return 0;
	for (i = 0; i < nb; i++)
		bytes += outer->tx[i]->pkt_len;
	do {
		sent = rte_eth_tx_burst(outer->port_id, 0, outer->tx + done, nb - done);
		done += sent;
	} while (sent > 0 && done < nb);
	for (i = done; i < nb; i++)
		bytes -= outer->tx[i]->pkt_len;
	count(outer->counters, COUNT_PORT_SENT, done);
	count(outer->counters, COUNT_PORT_SENT_BYTES, bytes);
	outer->nb_tx = nb - done;
	memmove(outer->tx, outer->tx + done, outer->nb_tx * sizeof(outer->tx[0]));
	work_end(outer->counters, WORK_PORT_SEND, begin);
	return outer->nb_tx;
}
