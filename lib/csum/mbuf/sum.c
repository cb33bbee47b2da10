/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdbool.h>

#include <csum_mbuf.h>

/* One body for both: the compiler makes two of it, for a constant copy. */
static inline int
walk(const bool copy, uint8_t *dst, struct csum_mbuf_pos *pos, uint32_t len, uint32_t *sum)
{
	const struct rte_mbuf *seg = pos->seg;
	uint32_t off = pos->off, done = 0, total = *sum, block, n;
	const void *src;

	if (seg == NULL)
		return len == 0 ? 0 : -EINVAL;
	for (;;) {
		n = RTE_MIN(seg->data_len - off, len - done);
		src = rte_pktmbuf_mtod_offset(seg, const void *, off);
		block = copy ? csum_partial_copy(dst + done, src, n, 0) : csum_partial(src, n, 0);
		total = csum_sum_combine(total, block, done);
		off += n;
		done += n;
		if (done == len)
			break;
		seg = seg->next;
		if (seg == NULL)
			return -EINVAL;
		off = 0;
	}
	pos->seg = seg;
	pos->off = off;
	*sum = total;
	return 0;
}

/* The usual case, all bytes in one segment, without the loop and its bookkeeping. */
static inline bool
fits(const struct csum_mbuf_pos *pos, uint32_t len)
{
	return likely(pos->seg != NULL && len <= pos->seg->data_len - pos->off);
}

int
csum_mbuf_sum(struct csum_mbuf_pos *pos, uint32_t len, uint32_t *sum)
{
	if (!fits(pos, len))
		return walk(false, NULL, pos, len, sum);
	*sum = csum_partial(rte_pktmbuf_mtod_offset(pos->seg, const void *, pos->off), len, *sum);
	pos->off += len;
	return 0;
}

int
csum_mbuf_sum_copy(void *dst, struct csum_mbuf_pos *pos, uint32_t len, uint32_t *sum)
{
	if (!fits(pos, len))
		return walk(true, dst, pos, len, sum);
	*sum = csum_partial_copy(dst, rte_pktmbuf_mtod_offset(pos->seg, const void *, pos->off),
				 len, *sum);
	pos->off += len;
	return 0;
}

int
csum_mbuf_partial(const struct rte_mbuf *m, uint32_t off, uint32_t len, uint32_t *sum)
{
	struct csum_mbuf_pos pos;

	if (likely(m != NULL && (uint64_t)off + len <= m->data_len)) {
		*sum = csum_partial(rte_pktmbuf_mtod_offset(m, const void *, off), len, *sum);
		return 0;
	}
	if (csum_mbuf_seek(m, off, &pos) != 0)
		return -EINVAL;
	return csum_mbuf_sum(&pos, len, sum);
}
