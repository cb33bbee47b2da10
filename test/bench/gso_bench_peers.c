/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What segmentation is compared with. Compiled once for each set of flags, with PEERS as the name
 * of what comes out. All of it is as good as DPDK's functions allow: mbufs are allocated in bulk,
 * headers come from the first bytes of the super-packet, fields are stored once.
 */

#include <string.h>

#include <rte_byteorder.h>
#include <rte_ethdev.h>
#include <rte_gso.h>
#include <rte_ip.h>
#include <rte_memcpy.h>
#include <rte_tcp.h>
#include <rte_udp.h>

#include "gso_bench.h"

#define OUTER_IP 14
#define OUTER_UDP 34

static unsigned int
count(const struct gso_bench_packet *packet, const struct rte_mbuf *m)
{
	return (m->pkt_len - packet->hdr_len + packet->req.segsz - 1) / packet->req.segsz;
}

/* Payload bytes of a segment that begins @p done bytes into the payload. */
static inline uint32_t
size(const struct gso_bench_packet *packet, const struct rte_mbuf *m, uint32_t done)
{
	return RTE_MIN((uint32_t)packet->req.segsz, m->pkt_len - packet->hdr_len - done);
}

static int
alloc(const struct gso_bench_packet *packet, struct rte_mbuf *m, struct rte_mbuf **segs)
{
	unsigned int nb = count(packet, m);

	return rte_pktmbuf_alloc_bulk(packet->pool, segs, nb) == 0 ? (int)nb : -1;
}

static int
take_only(const struct gso_bench_packet *packet, struct rte_mbuf *m, struct rte_mbuf **segs)
{
	unsigned int nb = count(packet, m);

	return rte_mempool_get_bulk(packet->pool, (void **)segs, nb) == 0 ? (int)nb : -1;
}

/* One segment without fields and sums; returns its first byte. */
static inline uint8_t *
copy(const struct gso_bench_packet *packet, const uint8_t *src, uint32_t done, uint32_t n,
	struct rte_mbuf *seg)
{
	uint8_t *dst = rte_pktmbuf_mtod(seg, uint8_t *);

	rte_memcpy(dst, src, packet->hdr_len);
	rte_memcpy(dst + packet->hdr_len, src + packet->hdr_len + done, n);
	seg->data_len = (uint16_t)(packet->hdr_len + n);
	seg->pkt_len = packet->hdr_len + n;
	return dst;
}

/* What the library does when it is asked to fetch ahead. */
static inline void
prefetch(const struct gso_bench_packet *packet, const uint8_t *src, struct rte_mbuf *const segs[],
	 int i, int nb)
{
	uint16_t ahead = packet->prefetch, segsz = packet->req.segsz, off;

	if (ahead == 0 || i + ahead >= nb)
		return;
	for (off = 0; off < segsz; off += RTE_CACHE_LINE_SIZE) {
		rte_prefetch0(rte_pktmbuf_mtod_offset(segs[i + ahead], const uint8_t *, off));
		rte_prefetch0(src + ahead * segsz + off);
	}
}

static int
copy_limit(const struct gso_bench_packet *packet, struct rte_mbuf *m, struct rte_mbuf **segs)
{
	const uint8_t *src = rte_pktmbuf_mtod(m, const uint8_t *);
	int nb = alloc(packet, m, segs), i;
	uint32_t done = 0, n;

	for (i = 0; i < nb; i++, done += n) {
		n = size(packet, m, done);
		prefetch(packet, src + done, segs, i, nb);
		copy(packet, src, done, n, segs[i]);
	}
	return nb;
}

static void
fill_ipv4(uint8_t *at, uint32_t len, int i)
{
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)at;

	ip->total_length = rte_cpu_to_be_16((uint16_t)len);
	ip->packet_id = rte_cpu_to_be_16((uint16_t)(rte_be_to_cpu_16(ip->packet_id) + i));
	ip->hdr_checksum = 0;
	ip->hdr_checksum = rte_ipv4_cksum(ip);
}

static void
fill_l3(const struct gso_bench_packet *packet, uint8_t *seg, uint32_t len, int i)
{
	struct rte_ipv6_hdr *ip6 = (struct rte_ipv6_hdr *)(seg + packet->l3);

	if (packet->v6)
		ip6->payload_len = rte_cpu_to_be_16((uint16_t)(len - packet->l4));
	else
		fill_ipv4(seg + packet->l3, len - packet->l3, i);
}

static uint16_t
sum_l4(const struct gso_bench_packet *packet, const uint8_t *seg)
{
	return packet->v6 ? rte_ipv6_udptcp_cksum((const void *)(seg + packet->l3),
						  seg + packet->l4) :
		rte_ipv4_udptcp_cksum((const void *)(seg + packet->l3), seg + packet->l4);
}

static void
fill_l4(const struct gso_bench_packet *packet, uint8_t *seg, uint32_t done, uint32_t n, bool last)
{
	struct rte_tcp_hdr *tcp = (struct rte_tcp_hdr *)(seg + packet->l4);
	struct rte_udp_hdr *udp = (struct rte_udp_hdr *)(seg + packet->l4);

	if (packet->udp) {
		udp->dgram_len = rte_cpu_to_be_16((uint16_t)(sizeof(*udp) + n));
		udp->dgram_cksum = 0;
		udp->dgram_cksum = sum_l4(packet, seg);
		return;
	}
	tcp->sent_seq = rte_cpu_to_be_32(rte_be_to_cpu_32(tcp->sent_seq) + done);
	if (!last)
		tcp->tcp_flags &= (uint8_t)~(RTE_TCP_PSH_FLAG | RTE_TCP_FIN_FLAG);
	tcp->cksum = 0;
	tcp->cksum = sum_l4(packet, seg);
}

static void
fill_tunnel(uint8_t *seg, uint32_t len, int i)
{
	struct rte_udp_hdr *udp = (struct rte_udp_hdr *)(seg + OUTER_UDP);

	fill_ipv4(seg + OUTER_IP, len - OUTER_IP, i);
	udp->dgram_len = rte_cpu_to_be_16((uint16_t)(len - OUTER_UDP));
	udp->dgram_cksum = 0;
	udp->dgram_cksum = rte_ipv4_udptcp_cksum((const void *)(seg + OUTER_IP), udp);
}

static int
two_pass(const struct gso_bench_packet *packet, struct rte_mbuf *m, struct rte_mbuf **segs)
{
	const uint8_t *src = rte_pktmbuf_mtod(m, const uint8_t *);
	int nb = alloc(packet, m, segs), i;
	uint32_t done = 0, n, len;
	uint8_t *seg;

	for (i = 0; i < nb; i++, done += n) {
		n = size(packet, m, done);
		len = packet->hdr_len + n;
		seg = copy(packet, src, done, n, segs[i]);
		fill_l3(packet, seg, len, i);
		fill_l4(packet, seg, done, n, i == nb - 1);
		if (packet->tunnel)
			fill_tunnel(seg, len, i);
	}
	return nb;
}

/* The checksums that rte_gso_segment() leaves out; IPv4 and TCP are what it knows. */
static void
fill_sums(const struct gso_bench_packet *packet, struct rte_mbuf *seg)
{
	uint8_t *data = rte_pktmbuf_mtod(seg, uint8_t *);
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(data + packet->l3);
	struct rte_tcp_hdr *tcp = (struct rte_tcp_hdr *)(data + packet->l4);
	struct rte_ipv4_hdr *outer = (struct rte_ipv4_hdr *)(data + OUTER_IP);
	struct rte_udp_hdr *udp = (struct rte_udp_hdr *)(data + OUTER_UDP);

	ip->hdr_checksum = 0;
	ip->hdr_checksum = rte_ipv4_cksum(ip);
	tcp->cksum = 0;
	tcp->cksum = rte_ipv4_udptcp_cksum_mbuf(seg, ip, packet->l4);
	if (!packet->tunnel)
		return;
	outer->hdr_checksum = 0;
	outer->hdr_checksum = rte_ipv4_cksum(outer);
	udp->dgram_cksum = 0;
	udp->dgram_cksum = rte_ipv4_udptcp_cksum_mbuf(seg, outer, OUTER_UDP);
}

static int
rte_gso(const struct gso_bench_packet *packet, struct rte_mbuf *m, struct rte_mbuf **segs)
{
	const struct rte_gso_ctx ctx = {
		.direct_pool = packet->pool, .indirect_pool = packet->indirect,
		.gso_types = RTE_ETH_TX_OFFLOAD_TCP_TSO | RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO,
		.gso_size = (uint16_t)(packet->hdr_len + packet->req.segsz),
	};
	uint64_t ol_flags = m->ol_flags;
	int nb, i;

	nb = rte_gso_segment(m, &ctx, segs, GSO_BENCH_MAX_SEGS);
	m->ol_flags = ol_flags;
	for (i = 0; i < nb; i++)
		fill_sums(packet, segs[i]);
	return nb;
}

const struct gso_bench_peers PEERS = {
	.copy_limit = copy_limit,
	.two_pass = two_pass,
	.rte_gso = rte_gso,
	.take_only = take_only,
};
