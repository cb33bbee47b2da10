/* SPDX-License-Identifier: BSD-3-Clause */

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_debug.h>

#include "gso_bench.h"
#include "harness.h"

#define POOL_CACHE 512

#define LINK_LEN 14
#define IPV4_LEN 20
#define IPV6_LEN 40
#define TCP_LEN 32
#define UDP_LEN 8
#define VXLAN_LEN 8

/* Bytes of sources and segments together, in the order of enum gso_bench_residency. */
static const size_t footprints[] = { 0, 4 << 20, 96 << 20 };

const char *const gso_bench_residencies[] = { "hot", "l3", "dram" };
const char *const gso_bench_protos[] = { "tcp4", "tcp6", "uso4", "vxlan-tcp4", NULL };

static uint32_t
put(uint8_t *buf, uint32_t off, const void *bytes, uint32_t len)
{
	memcpy(buf + off, bytes, len);
	return off + len;
}

static uint32_t
put_link(uint8_t *buf, uint32_t off, bool v6)
{
	static const uint8_t link[LINK_LEN] = { 2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0 };

	off = put(buf, off, link, sizeof(link));
	if (v6)
		harness_put_be16(buf + off - 2, 0x86dd);
	return off;
}

static uint32_t
put_ip(uint8_t *buf, uint32_t off, bool v6, uint8_t proto)
{
	static const uint8_t ipv4[IPV4_LEN] = {
		0x45, 0, 0, 0, 0x10, 0, 0, 0, 64, 0, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2,
	};
	static const uint8_t ipv6[IPV6_LEN] = {
		0x60, [7] = 64, 0xfd, [23] = 1, 0xfd, [39] = 2,
	};

	if (v6) {
		put(buf, off, ipv6, sizeof(ipv6));
		buf[off + 6] = proto;
		return off + IPV6_LEN;
	}
	put(buf, off, ipv4, sizeof(ipv4));
	buf[off + 9] = proto;
	return off + IPV4_LEN;
}

/* Lengths and checksums are 0: nobody needs them. Fills in the request's lengths. */
static void
put_headers(uint8_t *buf, struct gso_bench_packet *packet)
{
	static const uint8_t udp_vxlan[UDP_LEN + VXLAN_LEN] = { 0xc3, 0x50, 0x12, 0xb5, [8] = 8 };
	static const uint8_t udp[UDP_LEN] = { 4, 0, 16, 0 };
	static const uint8_t tcp[TCP_LEN] = {
		4, 0, 0, 80, 0, 0, 3, 0xe8, 0, 0, 7, 0xd0, 0x80, 0x18, 0x20, 0, [20] = 1, 1, 8, 10,
	};
	struct csum_gso_req *req = &packet->req;
	uint32_t off = 0;

	if (packet->tunnel) {
		off = put_link(buf, off, false);
		off = put_ip(buf, off, false, IPPROTO_UDP);
		req->outer_l2_len = LINK_LEN;
		req->outer_l3_len = IPV4_LEN;
		off = put(buf, off, udp_vxlan, sizeof(udp_vxlan));
	}
	off = put_link(buf, off, packet->v6);
	packet->l3 = (uint16_t)off;
	off = put_ip(buf, off, packet->v6, packet->udp ? IPPROTO_UDP : IPPROTO_TCP);
	packet->l4 = (uint16_t)off;
	if (packet->udp)
		off = put(buf, off, udp, sizeof(udp));
	else
		off = put(buf, off, tcp, sizeof(tcp));
	packet->hdr_len = (uint16_t)off;
	req->l2_len = packet->l3 - req->outer_l2_len - req->outer_l3_len;
	req->l3_len = packet->l4 - packet->l3;
	req->l4_len = packet->hdr_len - packet->l4;
}

static void
packet_init(struct gso_bench_packet *packet, const char *proto, uint16_t segsz)
{
	memset(packet, 0, sizeof(*packet));
	packet->v6 = strcmp(proto, "tcp6") == 0;
	packet->udp = strcmp(proto, "uso4") == 0;
	packet->tunnel = strcmp(proto, "vxlan-tcp4") == 0;
	packet->req.segsz = segsz;
	packet->req.ol_flags = packet->v6 ? RTE_MBUF_F_TX_IPV6 :
		RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM;
	packet->req.ol_flags |= packet->udp ? RTE_MBUF_F_TX_UDP_SEG : RTE_MBUF_F_TX_TCP_SEG;
	if (packet->tunnel)
		packet->req.ol_flags |= RTE_MBUF_F_TX_TUNNEL_VXLAN | RTE_MBUF_F_TX_OUTER_IPV4 |
			RTE_MBUF_F_TX_OUTER_UDP_CKSUM;
}

static struct rte_mempool *
make_pool(unsigned int nb, uint16_t room)
{
	static unsigned int nb_pools;
	unsigned int cache = nb >= 2 * POOL_CACHE ? POOL_CACHE : 0;
	struct rte_mempool *pool;
	char name[16];

	snprintf(name, sizeof(name), "bench%u", nb_pools++);
	pool = rte_pktmbuf_pool_create(name, nb, cache, 0, room, SOCKET_ID_ANY);
	if (pool == NULL)
		rte_exit(EXIT_FAILURE, "no pool of %u mbufs\n", nb);
	return pool;
}

static struct rte_mbuf *
make_source(struct gso_bench_set *set)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(set->sources);
	struct csum_gso_req *req = &set->packet.req;
	uint8_t headers[GSO_BENCH_MAX_HDR];
	uint8_t *data;
	uint32_t i;

	if (m == NULL)
		rte_exit(EXIT_FAILURE, "no mbuf for a super-packet\n");
	put_headers(headers, &set->packet);
	data = (uint8_t *)rte_pktmbuf_append(m, set->packet.hdr_len + GSO_BENCH_PAYLOAD);
	memcpy(data, headers, set->packet.hdr_len);
	for (i = 0; i < GSO_BENCH_PAYLOAD; i++)
		data[set->packet.hdr_len + i] = (uint8_t)(i * i % 251);
	m->ol_flags |= req->ol_flags;
	m->tx_offload = rte_mbuf_tx_offload(req->l2_len, req->l3_len, req->l4_len, req->segsz,
					    req->outer_l3_len, req->outer_l2_len, 0);
	return m;
}

struct gso_bench_set *
gso_bench_set_make(const char *proto, uint16_t segsz, enum gso_bench_residency residency)
{
	uint16_t room = (uint16_t)RTE_MAX(RTE_MBUF_DEFAULT_BUF_SIZE,
					  RTE_PKTMBUF_HEADROOM + GSO_BENCH_MAX_HDR + segsz);
	unsigned int nb_segs = GSO_BENCH_PAYLOAD / segsz + 1, nb, i;
	struct gso_bench_set *set = malloc(sizeof(*set));

	if (set == NULL)
		rte_exit(EXIT_FAILURE, "no memory\n");
	packet_init(&set->packet, proto, segsz);
	set->proto = proto;
	set->residency = residency;
	set->packet.prefetch = residency == GSO_BENCH_DRAM ? 2 : 0;
	set->next = 0;
	set->nb_slots = (unsigned int)(footprints[residency] /
				       (UINT16_MAX + (size_t)nb_segs * room)) + 1;
	set->slots = calloc(set->nb_slots, sizeof(*set->slots));
	if (set->slots == NULL)
		rte_exit(EXIT_FAILURE, "no memory\n");
	/* What the caches hold cannot be had by others. */
	nb = set->nb_slots * nb_segs + 4 * POOL_CACHE;
	set->packet.pool = make_pool(nb, room);
	set->packet.indirect = make_pool(nb, 0);
	set->sources = make_pool(set->nb_slots, UINT16_MAX);
	for (i = 0; i < set->nb_slots; i++)
		set->slots[i].source = make_source(set);
	return set;
}

void
gso_bench_drain(struct gso_bench_set *set)
{
	unsigned int i;

	for (i = 0; i < set->nb_slots; i++) {
		rte_pktmbuf_free_bulk(set->slots[i].segs, (unsigned int)set->slots[i].nb_segs);
		set->slots[i].nb_segs = 0;
	}
}

void
gso_bench_set_free(struct gso_bench_set *set)
{
	unsigned int i;

	gso_bench_drain(set);
	for (i = 0; i < set->nb_slots; i++)
		rte_pktmbuf_free(set->slots[i].source);
	rte_mempool_free(set->sources);
	rte_mempool_free(set->packet.indirect);
	rte_mempool_free(set->packet.pool);
	free(set->slots);
	free(set);
}

int
gso_bench_step(struct gso_bench_set *set, gso_bench_cut cut)
{
	unsigned int i = set->next;
	int nb;

	set->next = i + 1 < set->nb_slots ? i + 1 : 0;
	rte_pktmbuf_free_bulk(set->slots[i].segs, (unsigned int)set->slots[i].nb_segs);
	nb = cut(&set->packet, set->slots[i].source, set->slots[i].segs);
	if (nb <= 0)
		rte_exit(EXIT_FAILURE, "%s is not cut: %d\n", set->proto, nb);
	set->slots[i].nb_segs = nb;
	return nb;
}

void
gso_bench_compare(struct gso_bench_set *set, const char *name, gso_bench_cut cut,
		  gso_bench_cut other)
{
	static uint8_t a[UINT16_MAX], b[UINT16_MAX];
	struct rte_mbuf *segs[GSO_BENCH_MAX_SEGS], *others[GSO_BENCH_MAX_SEGS];
	struct rte_mbuf *source = set->slots[0].source;
	int nb = cut(&set->packet, source, segs), i;
	uint32_t len;

	if (nb <= 0 || other(&set->packet, source, others) != nb)
		rte_exit(EXIT_FAILURE, "%s: number of segments differs\n", name);
	for (i = 0; i < nb; i++) {
		len = harness_flatten(segs[i], a, sizeof(a));
		if (harness_flatten(others[i], b, sizeof(b)) != len || memcmp(a, b, len) != 0)
			rte_exit(EXIT_FAILURE, "%s: segment %d of %s differs\n", name, i,
				 set->proto);
	}
	rte_pktmbuf_free_bulk(segs, (unsigned int)nb);
	rte_pktmbuf_free_bulk(others, (unsigned int)nb);
}
