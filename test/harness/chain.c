/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static unsigned int external_freed;

struct rte_mempool *
harness_pool(const char *name, unsigned int nb, uint16_t room)
{
	struct rte_mempool *pool;

	pool = rte_pktmbuf_pool_create(name, nb, 0, 0, (uint16_t)(RTE_PKTMBUF_HEADROOM + room),
				       SOCKET_ID_ANY);
	if (pool == NULL) {
		fprintf(stderr, "harness: no pool of %u mbufs\n", nb);
		exit(EXIT_FAILURE);
	}
	return pool;
}

unsigned int
harness_in_use(const struct rte_mempool *pool)
{
	return rte_mempool_in_use_count(pool);
}

unsigned int
harness_external_freed(void)
{
	return external_freed;
}

static struct rte_mbuf *
seg_alloc(struct rte_mempool *pool)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool);

	if (m == NULL)
		fail_msg("pool %s is empty", pool->name);
	return m;
}

static struct rte_mbuf *
seg_direct(struct rte_mempool *pool, const uint8_t *data, uint16_t len)
{
	struct rte_mbuf *m = seg_alloc(pool);

	if (len > rte_pktmbuf_tailroom(m))
		fail_msg("a segment of %u bytes does not fit pool %s", len, pool->name);
	memcpy(rte_pktmbuf_append(m, len), data, len);
	return m;
}

static void
external_free(void *buf, void *shinfo)
{
	external_freed++;
	free(buf);
	free(shinfo);
}

static struct rte_mbuf *
seg_external(struct rte_mempool *pool, const uint8_t *data, uint16_t len)
{
	struct rte_mbuf *m = seg_alloc(pool);
	struct rte_mbuf_ext_shared_info *shinfo = malloc(sizeof(*shinfo));
	void *buf = malloc(len);

	if (shinfo == NULL || (buf == NULL && len != 0))
		fail_msg("no memory");
	memcpy(buf, data, len);
	shinfo->free_cb = external_free;
	shinfo->fcb_opaque = shinfo;
	rte_mbuf_ext_refcnt_set(shinfo, 1);
	rte_pktmbuf_attach_extbuf(m, buf, RTE_BAD_IOVA, len, shinfo);
	m->data_len = len;
	m->pkt_len = len;
	return m;
}

static struct rte_mbuf *
seg_indirect(struct rte_mempool *pool, const uint8_t *data, uint16_t len)
{
	struct rte_mbuf *direct = seg_direct(pool, data, len);
	struct rte_mbuf *m = seg_alloc(pool);

	rte_pktmbuf_attach(m, direct);
	rte_pktmbuf_free(direct);
	return m;
}

static struct rte_mbuf *
seg_make(struct rte_mempool *pool, enum harness_kind kind, const uint8_t *data, uint16_t len)
{
	switch (kind) {
	case HARNESS_EXTERNAL:
		return seg_external(pool, data, len);
	case HARNESS_INDIRECT:
		return seg_indirect(pool, data, len);
	default:
		return seg_direct(pool, data, len);
	}
}

struct rte_mbuf *
harness_chain_kind(struct rte_mempool *pool, enum harness_kind kind, const void *data,
		   uint32_t len, const uint16_t lens[], unsigned int nb)
{
	uint32_t room = rte_pktmbuf_data_room_size(pool) - RTE_PKTMBUF_HEADROOM;
	struct rte_mbuf *head = NULL, **link = &head;
	const uint8_t *p = data;
	uint32_t done = 0, nb_segs = 0, n;

	if (kind == HARNESS_EXTERNAL)
		room = UINT16_MAX;
	while (nb_segs < nb || done < len || head == NULL) {
		n = nb_segs < nb ? lens[nb_segs] : RTE_MIN(room, len - done);
		if (n > len - done)
			fail_msg("the segments are longer than the %u bytes", len);
		*link = seg_make(pool, kind, p + done, (uint16_t)n);
		link = &(*link)->next;
		done += n;
		nb_segs++;
	}
	head->pkt_len = len;
	head->nb_segs = (uint16_t)nb_segs;
	return head;
}

struct rte_mbuf *
harness_chain(struct rte_mempool *pool, const void *data, uint32_t len, const uint16_t lens[],
	      unsigned int nb)
{
	return harness_chain_kind(pool, HARNESS_DIRECT, data, len, lens, nb);
}

uint32_t
harness_flatten(const struct rte_mbuf *m, void *buf, uint32_t room)
{
	uint8_t *p = buf;
	uint32_t len = 0;

	for (; m != NULL; m = m->next) {
		if (m->data_len > room - len)
			fail_msg("the chain is longer than %u bytes", room);
		memcpy(p + len, rte_pktmbuf_mtod(m, const uint8_t *), m->data_len);
		len += m->data_len;
	}
	return len;
}

void
harness_assert_chain_at(const struct rte_mbuf *m, const void *want, uint32_t len, const char *file,
			int line)
{
	const struct rte_mbuf *seg;
	const uint8_t *p = want;
	uint32_t done = 0, nb_segs = 0;

	for (seg = m; seg != NULL; seg = seg->next, nb_segs++) {
		_assert_in_range(seg->data_len, 0, len - done, file, line);
		harness_assert_bytes_at(rte_pktmbuf_mtod(seg, const uint8_t *), p + done,
					seg->data_len, file, line);
		done += seg->data_len;
	}
	_assert_int_equal(done, len, file, line);
	_assert_int_equal(m->pkt_len, len, file, line);
	_assert_int_equal(m->nb_segs, nb_segs, file, line);
}
