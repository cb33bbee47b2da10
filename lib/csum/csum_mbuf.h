/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _CSUM_MBUF_H_
#define _CSUM_MBUF_H_

/**
 * @file
 * Checksums and fused copies over mbuf chains.
 *
 * Segments may be of any length, zero and odd ones included; where one begins does not change
 * the sum. No function reads beyond a segment's data_len, takes or drops a reference, or changes
 * an mbuf, except where it says so. Numbers are those of csum.h: memory byte order.
 *
 * Functions on different mbufs may run at the same time in different threads.
 */

#include <stdint.h>

#include <rte_mbuf.h>

#include <csum.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A place in a chain. It reaches the next bytes without walking the chain from its head again.
 * Valid while the chain lives and its segments keep their lengths.
 */
struct csum_mbuf_pos {
	const struct rte_mbuf *seg; /**< segment; NULL only behind the end of an empty chain */
	uint32_t off;               /**< bytes into that segment, at most its data_len */
};

/**
 * Find an offset in a chain.
 *
 * @param m
 *   First segment of the chain.
 * @param off
 *   Bytes from the chain's first.
 * @param pos
 *   Set to the place; untouched on error.
 * @return
 *   - 0: found; the end of the chain counts as a place.
 *   - -EINVAL: the chain is shorter than @p off.
 */
int csum_mbuf_seek(const struct rte_mbuf *m, uint32_t off, struct csum_mbuf_pos *pos);

/**
 * Sum bytes of a chain.
 *
 * @param pos
 *   Where they begin; moved behind them. Untouched on error.
 * @param len
 *   Bytes to sum.
 * @param sum
 *   In: partial sum of an even number of bytes before, 0 to begin. Out: that of both. Untouched on
 *   error.
 * @return
 *   - 0: done.
 *   - -EINVAL: fewer than @p len bytes follow.
 */
int csum_mbuf_sum(struct csum_mbuf_pos *pos, uint32_t len, uint32_t *sum);

/**
 * Copy bytes of a chain to flat memory and sum what is stored, in one pass
 * (csum_partial_copy()).
 *
 * @param dst
 *   Writes exactly @p len bytes here; must not overlap the chain's data. On error it may have
 *   been written in part.
 * @param pos
 *   Where they begin; moved behind them. Untouched on error.
 * @param len
 *   Bytes to copy.
 * @param sum
 *   As in csum_mbuf_sum().
 * @return
 *   - 0: done.
 *   - -EINVAL: fewer than @p len bytes follow.
 */
int csum_mbuf_sum_copy(void *dst, struct csum_mbuf_pos *pos, uint32_t len, uint32_t *sum);

/**
 * Sum @p len bytes of a chain from offset @p off: csum_mbuf_seek() and csum_mbuf_sum() in one.
 *
 * @return
 *   - 0: *sum holds the partial sum, begun from what it held.
 *   - -EINVAL: the chain is shorter than @p off + @p len; *sum is untouched.
 */
int csum_mbuf_partial(const struct rte_mbuf *m, uint32_t off, uint32_t len, uint32_t *sum);

/**
 * Copy bytes out of a chain, without a sum.
 *
 * @return
 *   - 0: exactly @p len bytes from offset @p off are at @p dst.
 *   - -EINVAL: the chain is shorter than @p off + @p len; @p dst is untouched.
 */
int csum_mbuf_read(const struct rte_mbuf *m, uint32_t off, void *dst, uint32_t len);

/**
 * Store bytes into a chain, across segments where need be.
 *
 * The caller owns the chain: no segment written may be shared, indirect or external and shared.
 *
 * @return
 *   - 0: exactly @p len bytes at offset @p off are those at @p src.
 *   - -EINVAL: the chain is shorter than @p off + @p len; nothing has been written.
 */
int csum_mbuf_write(struct rte_mbuf *m, uint32_t off, const void *src, uint32_t len);

/**
 * Tell whether the first @p len bytes of a chain may be written: no segment that holds one of
 * them is shared (refcnt above 1), indirect, or attached to a shared external buffer.
 *
 * @return
 *   1 or 0.
 */
int csum_mbuf_is_writable(const struct rte_mbuf *m, uint32_t len);

#ifdef __cplusplus
}
#endif

#endif /* _CSUM_MBUF_H_ */
