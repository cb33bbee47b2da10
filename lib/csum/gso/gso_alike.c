/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The segments between the first and the last, which differ in IDs, sequence numbers and L4
 * checksums alone, made without a look at anything that cannot happen to them. What they have in
 * common lies in variables, because to a compiler any byte stored may change what a pointer leads
 * to.
 */

#include <netinet/in.h>

#include <rte_branch_prediction.h>
#include <rte_prefetch.h>
#include <rte_tcp.h>

#include "gso_private.h"

/* How far ahead mbufs are fetched: two lines each, which hardly cost anything where they are. */
#define MBUFS_AHEAD 4

/* An IPv4 header of the next segment. */
struct ipv4 {
	uint32_t sum;
	uint16_t off;
	uint16_t id, id_step;
	bool is_there;
};

void
gso_alike_init(struct csum_gso_iter *it)
{
	uint32_t room = it->room - it->conf->headroom;

	it->alike = !gso_is_attaching(it) && !gso_is_fragmenting(it) && !it->tunnel_varies &&
		it->nb_ip <= 2 && (it->tcp_flags & RTE_TCP_URG_FLAG) == 0 &&
		it->hdr_len + it->unit <= room && it->lower_flags == 0 && it->conf->pad_to <= 1;
}

static struct ipv4
ipv4_next(const struct csum_gso_iter *it, uint32_t i)
{
	const struct csum_gso_ip *ip = &it->ip[i];

	return (struct ipv4){
		.sum = ip->sum,
		.off = ip->off,
		.id = (uint16_t)(ip->id + it->index * ip->id_step),
		.id_step = ip->id_step,
		.is_there = i < it->nb_ip && !ip->v6,
	};
}

static inline void
ipv4_put(uint8_t *seg, struct ipv4 *ip)
{
	if (!ip->is_there)
		return;
	gso_ipv4_put(seg + ip->off, ip->sum, ip->id);
	ip->id += ip->id_step;
}

/* Fetch what a later segment is made of: its payload and where that goes. */
static inline void
data_prefetch(const struct rte_mbuf *seg, uint16_t headroom, const uint8_t *src, uint32_t len)
{
	const uint8_t *dst = (const uint8_t *)seg->buf_addr + headroom;
	uint32_t off;

	for (off = 0; off < len; off += RTE_CACHE_LINE_SIZE) {
		rte_prefetch0(dst + off);
		rte_prefetch0(src + off);
	}
}

uint32_t
gso_alike_make(struct csum_gso_iter *it, struct rte_mbuf **segs, uint32_t nb)
{
	uint32_t hdr_len = it->hdr_len, unit = it->unit, left = it->payload_left;
	uint32_t avail = it->pos.seg->data_len - it->pos.off, l4 = it->l4, i, sum;
	uint32_t (*copy)(void *, const void *, size_t, uint32_t) = it->variant->partial_copy;
	const uint8_t *src = rte_pktmbuf_mtod_offset(it->pos.seg, uint8_t *, it->pos.off);
	uint8_t tcp_flags = gso_tcp_flags(it, false);
	uint32_t tcp_sum = csum_sum_add(it->l4_sum, rte_cpu_to_be_16(tcp_flags));
	uint32_t udp_sum = it->l4_sum, seq = it->seq + it->payload_done;
	bool tcp = it->ip[it->nb_ip - 1].proto == IPPROTO_TCP;
	struct ipv4 outer = ipv4_next(it, 0), inner = ipv4_next(it, 1);
	uint16_t headroom = it->conf->headroom, ahead = it->conf->prefetch;
	uint8_t *dst;

	for (i = 0; i < nb && left > unit && avail >= unit; i++) {
		struct rte_mbuf *seg = segs[i];

		if (i + MBUFS_AHEAD < nb) {
			rte_prefetch0(segs[i + MBUFS_AHEAD]);
			rte_mbuf_prefetch_part2(segs[i + MBUFS_AHEAD]);
		}
		/* Beyond avail it is no payload, and does no harm. */
		if (unlikely(ahead != 0) && i + ahead < nb)
			data_prefetch(segs[i + ahead], headroom, src + ahead * unit, unit);
		seg->data_off = headroom;
		seg->data_len = (uint16_t)(hdr_len + unit);
		seg->pkt_len = hdr_len + unit;
		gso_meta_put(it, seg, it->ol_flags);
		dst = (uint8_t *)seg->buf_addr + headroom;
		gso_hdr_copy(dst, it->hdr, hdr_len, unit);
		ipv4_put(dst, &outer);
		ipv4_put(dst, &inner);
		sum = copy(dst + hdr_len, src, unit, 0);
		if (tcp)
			gso_tcp_put(dst + l4, tcp_sum, seq, tcp_flags, sum);
		else
			gso_udp_put(dst + l4, udp_sum, sum);
		seq += unit;
		src += unit;
		left -= unit;
		avail -= unit;
	}
	it->index += i;
	it->payload_done += i * unit;
	it->payload_left = left;
	it->pos.off += i * unit;
	return i;
}
