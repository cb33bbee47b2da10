/* SPDX-License-Identifier: BSD-3-Clause */

#include <rte_branch_prediction.h>

#include "gso_private.h"

/* Most references to one mbuf: half of what a count of 16 bits tells leaves room for others'. */
#define MAX_REFERENCES (UINT16_MAX / 2)

enum csum_refusal
gso_attach_init(const struct csum_gso_iter *it)
{
	struct rte_mempool *pool = gso_attach_pool(it);

	/* Padding would be an mbuf more. Tunnels that want it write on the payload anyway. */
	if (it->conf->pad_to > 1)
		return CSUM_REFUSAL_FLAGS;
	/* An mbuf that can only have one buffer cannot be attached to another. */
	if ((rte_pktmbuf_priv_flags(pool) & RTE_PKTMBUF_POOL_F_PINNED_EXT_BUF) != 0)
		return CSUM_REFUSAL_FLAGS;
	/* Each segment, and each mbuf of the input, begins at most one reference to a buffer. */
	if (csum_gso_iter_left(it) + it->m->nb_segs > MAX_REFERENCES)
		return CSUM_REFUSAL_TOO_BIG;
	return CSUM_REFUSAL_NONE;
}

/* A reference to @p len bytes at a place. */
static struct rte_mbuf *
reference(struct rte_mempool *pool, const struct csum_mbuf_pos *pos, uint32_t len)
{
	struct rte_mbuf *ref = rte_mbuf_raw_alloc(pool);

	if (unlikely(ref == NULL))
		return NULL;
	/* What is const about the input does not include its reference count. */
	rte_pktmbuf_attach(ref, (struct rte_mbuf *)(uintptr_t)pos->seg);
	ref->ol_flags &= RTE_MBUF_F_INDIRECT | RTE_MBUF_F_EXTERNAL;
	ref->data_off = (uint16_t)(pos->seg->data_off + pos->off);
	ref->data_len = (uint16_t)len;
	return ref;
}

bool
gso_attach(const struct csum_gso_iter *it, struct rte_mbuf *seg, uint32_t len)
{
	struct rte_mempool *pool = gso_attach_pool(it);
	struct csum_mbuf_pos pos = it->pos;
	struct rte_mbuf *tail = seg;
	uint32_t n;

	while (len > 0) {
		n = RTE_MIN(pos.seg->data_len - pos.off, len);
		if (n > 0) {
			tail->next = reference(pool, &pos, n);
			if (unlikely(tail->next == NULL))
				return false;
			tail = tail->next;
			seg->nb_segs++;
		}
		len -= n;
		pos.seg = pos.seg->next;
		pos.off = 0;
	}
	return true;
}
