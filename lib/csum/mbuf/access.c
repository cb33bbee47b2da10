/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <csum_mbuf.h>

int
csum_mbuf_seek(const struct rte_mbuf *m, uint32_t off, struct csum_mbuf_pos *pos)
{
	if (m == NULL) {
		if (off != 0)
			return -EINVAL;
	} else {
		while (off > m->data_len) {
			off -= m->data_len;
			m = m->next;
			if (m == NULL)
				return -EINVAL;
		}
	}
	pos->seg = m;
	pos->off = off;
	return 0;
}

/* Whether @p len bytes follow a place. */
static bool
follows(const struct csum_mbuf_pos *pos, uint32_t len)
{
	const struct rte_mbuf *seg = pos->seg;
	uint32_t avail;

	if (seg == NULL)
		return len == 0;
	avail = seg->data_len - pos->off;
	while (len > avail) {
		len -= avail;
		seg = seg->next;
		if (seg == NULL)
			return false;
		avail = seg->data_len;
	}
	return true;
}

/* Exactly one of dst and src is not NULL. The bytes have been found to be there. */
static inline void
transfer(struct csum_mbuf_pos pos, uint8_t *dst, const uint8_t *src, uint32_t len)
{
	uint32_t done = 0, n;
	uint8_t *p;

	while (done < len) {
		n = RTE_MIN(pos.seg->data_len - pos.off, len - done);
		p = rte_pktmbuf_mtod_offset(pos.seg, uint8_t *, pos.off);
		if (dst != NULL)
			memcpy(dst + done, p, n);
		else
			memcpy(p, src + done, n);
		done += n;
		pos.seg = pos.seg->next;
		pos.off = 0;
	}
}

int
csum_mbuf_read(const struct rte_mbuf *m, uint32_t off, void *dst, uint32_t len)
{
	struct csum_mbuf_pos pos;

	if (csum_mbuf_seek(m, off, &pos) != 0 || !follows(&pos, len))
		return -EINVAL;
	transfer(pos, dst, NULL, len);
	return 0;
}

int
csum_mbuf_write(struct rte_mbuf *m, uint32_t off, const void *src, uint32_t len)
{
	struct csum_mbuf_pos pos;

	if (csum_mbuf_seek(m, off, &pos) != 0 || !follows(&pos, len))
		return -EINVAL;
	transfer(pos, NULL, src, len);
	return 0;
}

static bool
seg_is_shared(const struct rte_mbuf *m)
{
	if (rte_mbuf_refcnt_read(m) > 1 || RTE_MBUF_CLONED(m))
		return true;
	return RTE_MBUF_HAS_EXTBUF(m) && rte_mbuf_ext_refcnt_read(m->shinfo) > 1;
}

int
csum_mbuf_is_writable(const struct rte_mbuf *m, uint32_t len)
{
	for (; m != NULL && len != 0; m = m->next) {
		if (m->data_len != 0 && seg_is_shared(m))
			return 0;
		len -= RTE_MIN(len, m->data_len);
	}
	return 1;
}
