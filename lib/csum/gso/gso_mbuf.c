/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdatomic.h>

#include <rte_mbuf_dyn.h>

#include "gso_private.h"

/* Requests that segmentation carries out. */
#define DONE_FLAGS \
	(CSUM_PKT_TX_CKSUM_MASK | RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_UDP_SEG)

/* Flags that only explain those requests: some ports refuse them where they know no tunnels. */
#define HINT_FLAGS \
	(RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_OUTER_IPV4 | \
	 RTE_MBUF_F_TX_OUTER_IPV6 | RTE_MBUF_F_TX_TUNNEL_MASK)

/* Flags that tell where the input's own bytes are. */
#define BUFFER_FLAGS (RTE_MBUF_F_INDIRECT | RTE_MBUF_F_EXTERNAL)

/* FIRST_FREE is the lowest bit that dynamic flags may take, LAST_FREE the highest. */
#define DYN_FLAGS (RTE_MBUF_F_LAST_FREE * 2 - RTE_MBUF_F_FIRST_FREE)

/*
 * Of the dynamic flags given, that which sends a packet at a time (0: not among them). A look-up
 * takes a lock, but what a bit means never changes once somebody sets it: each is looked up once.
 */
static uint64_t
timestamp_flag(uint64_t flags)
{
	static _Atomic uint64_t known, timestamp;
	int bit;

	flags &= DYN_FLAGS;
	if ((flags & ~atomic_load_explicit(&known, memory_order_acquire)) != 0) {
		bit = rte_mbuf_dynflag_lookup(RTE_MBUF_DYNFLAG_TX_TIMESTAMP_NAME, NULL);
		if (bit >= 0)
			atomic_store_explicit(&timestamp, RTE_BIT64(bit), memory_order_relaxed);
		atomic_fetch_or_explicit(&known, flags, memory_order_release);
	}
	return flags & atomic_load_explicit(&timestamp, memory_order_relaxed);
}

/* A finished segment is described as its outermost headers are, what they carry being payload. */
static void
lens_init(struct csum_gso_iter *it)
{
	const struct csum_gso_ip *ip = &it->ip[0];
	uint32_t l4_len = 0;

	if (ip->off >= 1 << RTE_MBUF_L2_LEN_BITS || ip->len >= 1 << RTE_MBUF_L3_LEN_BITS)
		return;
	if (it->nb_ip > 1)
		l4_len = it->tunnel[0].udp ? UDP_MIN : 0;
	else if (!gso_is_fragmenting(it))
		l4_len = it->l4_len;
	it->tx_offload = rte_mbuf_tx_offload(ip->off, ip->len, l4_len, 0, 0, 0, 0);
	it->ol_flags |= ip->v6 ? RTE_MBUF_F_TX_IPV6 : RTE_MBUF_F_TX_IPV4;
}

void
gso_meta_init(struct csum_gso_iter *it)
{
	uint64_t flags = it->m->ol_flags & ~(DONE_FLAGS | HINT_FLAGS | BUFFER_FLAGS);

	it->first_flags = timestamp_flag(flags);
	it->last_flags = flags & RTE_MBUF_F_TX_IEEE1588_TMST;
	it->ol_flags = flags & ~(it->first_flags | it->last_flags);
	/* Segments come as the pool keeps them: their flags are set, and this one must stay. */
	if ((rte_pktmbuf_priv_flags(it->conf->pool) & RTE_PKTMBUF_POOL_F_PINNED_EXT_BUF) != 0)
		it->ol_flags |= RTE_MBUF_F_EXTERNAL;
	if (it->lower_flags != 0)
		it->ol_flags |= it->lower_flags;
	else
		lens_init(it);
}

/* Append to a segment what does not fit its first mbuf, with tailroom in each. */
static bool
chain_extend(const struct csum_gso_iter *it, struct rte_mbuf *seg, uint32_t len)
{
	struct rte_mbuf *tail = seg, *m;

	while (len > 0) {
		m = rte_pktmbuf_alloc(it->conf->pool);
		if (m == NULL)
			return false;
		m->data_off = 0;
		m->data_len = (uint16_t)RTE_MIN(len, it->room);
		len -= m->data_len;
		tail->next = m;
		tail = m;
		seg->nb_segs++;
	}
	return true;
}

/* What a segment came to for which a pool had too few mbufs: it is freed by this length. */
static uint32_t
chain_len(const struct rte_mbuf *seg)
{
	uint32_t len = 0;

	for (; seg != NULL; seg = seg->next)
		len += seg->data_len;
	return len;
}

bool
gso_seg_init(const struct csum_gso_iter *it, struct rte_mbuf *seg, uint32_t hdr_len, uint32_t len,
	     bool last)
{
	bool attach = gso_is_attaching(it);
	uint32_t total = hdr_len + len + gso_padding(it, hdr_len + len);
	uint32_t first = attach ? hdr_len : RTE_MIN(total, (uint32_t)it->room - it->conf->headroom);
	uint64_t ol_flags = it->ol_flags;
	bool whole;

	if (it->index == 0)
		ol_flags |= it->first_flags;
	if (last)
		ol_flags |= it->last_flags;
	seg->data_off = it->conf->headroom;
	seg->data_len = (uint16_t)first;
	seg->pkt_len = total;
	gso_meta_put(it, seg, ol_flags);
	if (likely(first == total))
		return true;
	whole = attach ? gso_attach(it, seg, len) : chain_extend(it, seg, total - first);
	if (unlikely(!whole))
		seg->pkt_len = chain_len(seg);
	return whole;
}
