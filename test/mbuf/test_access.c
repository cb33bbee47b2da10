/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <string.h>

#include <csum_mbuf.h>

#include "harness.h"

#define NB_KINDS 3

static struct rte_mempool *pool;

static const uint16_t spread[] = { 0, 3, 0, 5, 1, 0, 0, 2 };

static struct rte_mbuf *
spread_chain(int kind, uint8_t data[16])
{
	harness_pattern(data, 16);
	return harness_chain_kind(pool, kind, data, 16, spread, RTE_DIM(spread));
}

static void
seek_finds_every_offset(void **state)
{
	struct csum_mbuf_pos pos;
	struct rte_mbuf *m;
	uint8_t data[16];
	uint32_t off;

	m = spread_chain(HARNESS_DIRECT, data);
	for (off = 0; off <= 16; off++) {
		assert_int_equal(csum_mbuf_seek(m, off, &pos), 0);
		assert_in_range(pos.off, 0, pos.seg->data_len);
		while (pos.off == pos.seg->data_len && pos.seg->next != NULL) {
			pos.seg = pos.seg->next;
			pos.off = 0;
		}
		if (off < 16)
			assert_int_equal(*rte_pktmbuf_mtod_offset(pos.seg, uint8_t *, pos.off),
					 data[off]);
		else
			assert_int_equal(pos.off, pos.seg->data_len);
	}
	pos.off = 77;
	assert_int_equal(csum_mbuf_seek(m, 17, &pos), -EINVAL);
	assert_int_equal(pos.off, 77);
	assert_int_equal(csum_mbuf_seek(NULL, 1, &pos), -EINVAL);
	assert_int_equal(csum_mbuf_seek(NULL, 0, &pos), 0);
	assert_null(pos.seg);
	rte_pktmbuf_free(m);
}

static void
read_takes_just_the_bytes_asked_for(void **state)
{
	uint8_t data[16], got[18], untouched[18];
	struct rte_mbuf *m;
	uint32_t off, len;
	int kind;

	memset(untouched, 0xee, sizeof(untouched));
	for (kind = 0; kind < NB_KINDS; kind++) {
		m = spread_chain(kind, data);
		for (off = 0; off <= 17; off++) {
			for (len = 0; len <= 17; len++) {
				memset(got, 0xee, sizeof(got));
				if (off + len > 16) {
					assert_int_equal(csum_mbuf_read(m, off, got, len), -EINVAL);
					harness_assert_bytes(got, untouched, sizeof(got));
					continue;
				}
				assert_int_equal(csum_mbuf_read(m, off, got, len), 0);
				harness_assert_bytes(got, data + off, len);
				harness_assert_bytes(got + len, untouched, sizeof(got) - len);
			}
		}
		rte_pktmbuf_free(m);
	}
	assert_int_equal(csum_mbuf_read(NULL, 0, got, 1), -EINVAL);
	assert_int_equal(csum_mbuf_read(NULL, 0, got, 0), 0);
}

static void
b32_write_crosses_segments_and_touches_no_other_byte(void **state)
{
	static const uint8_t src[] = { 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7,
				       0xa8, 0xa9, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf, 0xb0 };
	uint8_t data[16], want[16];
	struct rte_mbuf *m;
	uint32_t off, len;

	for (off = 0; off <= 17; off++) {
		for (len = 0; len <= 17; len++) {
			m = spread_chain(HARNESS_EXTERNAL, data);
			memcpy(want, data, sizeof(want));
			if (off + len > 16) {
				assert_int_equal(csum_mbuf_write(m, off, src, len), -EINVAL);
			} else {
				assert_int_equal(csum_mbuf_write(m, off, src, len), 0);
				memcpy(want + off, src, len);
			}
			harness_assert_chain(m, want, sizeof(want));
			rte_pktmbuf_free(m);
		}
	}
}

/* pkt_len and nb_segs are the caller's word; the chain is what there is. */
static void
a_lying_head_is_not_believed(void **state)
{
	uint8_t data[16], got[17];
	struct rte_mbuf *m;

	m = spread_chain(HARNESS_EXTERNAL, data);
	m->pkt_len = 100;
	m->nb_segs = 50;
	assert_int_equal(csum_mbuf_read(m, 0, got, 17), -EINVAL);
	assert_int_equal(csum_mbuf_write(m, 0, got, 17), -EINVAL);
	m->pkt_len = 1;
	m->nb_segs = 1;
	assert_int_equal(csum_mbuf_read(m, 0, got, 16), 0);
	harness_assert_bytes(got, data, 16);
	m->nb_segs = RTE_DIM(spread) + 1;
	rte_pktmbuf_free(m);
}

static void
b33_shared_segments_are_not_writable(void **state)
{
	static const uint16_t lens[] = { 4, 4 };
	struct rte_mbuf *m, *clone, *tail;
	uint8_t data[16];

	harness_pattern(data, sizeof(data));
	m = harness_chain(pool, data, sizeof(data), lens, RTE_DIM(lens));
	assert_int_equal(csum_mbuf_is_writable(m, 16), 1);
	assert_int_equal(csum_mbuf_is_writable(NULL, 16), 1);

	clone = rte_pktmbuf_clone(m, pool);
	assert_non_null(clone);
	assert_int_equal(csum_mbuf_is_writable(clone, 1), 0);
	assert_int_equal(csum_mbuf_is_writable(m, 1), 0);
	assert_int_equal(csum_mbuf_is_writable(m, 0), 1);
	rte_pktmbuf_free(clone);
	assert_int_equal(csum_mbuf_is_writable(m, 16), 1);

	/* Only what lies in the first len bytes counts. */
	tail = m->next;
	rte_mbuf_refcnt_update(tail, 1);
	assert_int_equal(csum_mbuf_is_writable(m, 4), 1);
	assert_int_equal(csum_mbuf_is_writable(m, 5), 0);
	rte_mbuf_refcnt_update(tail, -1);
	rte_pktmbuf_free(m);
}

static void
b33_indirect_and_shared_external_data_is_not_writable(void **state)
{
	static const uint16_t empty_first[] = { 0, 4 };
	struct rte_mbuf *m, *clone;
	uint8_t data[16];

	harness_pattern(data, sizeof(data));
	m = harness_chain_kind(pool, HARNESS_INDIRECT, data, sizeof(data), NULL, 0);
	assert_int_equal(csum_mbuf_is_writable(m, 1), 0);
	rte_pktmbuf_free(m);

	m = harness_chain_kind(pool, HARNESS_EXTERNAL, data, sizeof(data), NULL, 0);
	assert_int_equal(csum_mbuf_is_writable(m, 16), 1);
	clone = rte_pktmbuf_clone(m, pool);
	assert_non_null(clone);
	assert_int_equal(csum_mbuf_is_writable(m, 1), 0);
	assert_int_equal(csum_mbuf_is_writable(clone, 1), 0);
	rte_pktmbuf_free(m);
	assert_int_equal(csum_mbuf_is_writable(clone, 1), 1);
	rte_pktmbuf_free(clone);

	/* A shared segment that holds nothing is in nobody's way. */
	m = harness_chain(pool, data, sizeof(data), empty_first, RTE_DIM(empty_first));
	rte_mbuf_refcnt_update(m, 1);
	assert_int_equal(csum_mbuf_is_writable(m, 16), 1);
	rte_mbuf_refcnt_update(m, -1);
	rte_pktmbuf_free(m);
}

static int
pool_is_whole(void **state)
{
	return harness_in_use(pool) == 0 ? 0 : -1;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(seek_finds_every_offset, pool_is_whole),
		cmocka_unit_test_teardown(read_takes_just_the_bytes_asked_for, pool_is_whole),
		cmocka_unit_test_teardown(b32_write_crosses_segments_and_touches_no_other_byte,
					  pool_is_whole),
		cmocka_unit_test_teardown(a_lying_head_is_not_believed, pool_is_whole),
		cmocka_unit_test_teardown(b33_shared_segments_are_not_writable, pool_is_whole),
		cmocka_unit_test_teardown(b33_indirect_and_shared_external_data_is_not_writable,
					  pool_is_whole),
	};

	harness_start(0, NULL);
	pool = harness_pool("mbuf_access", 256, 2048);
	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
