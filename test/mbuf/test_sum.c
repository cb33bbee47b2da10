/* SPDX-License-Identifier: BSD-3-Clause */

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <csum_mbuf.h>

#include "guard.h"
#include "harness.h"
#include "ref_csum.h"

#define NB_KINDS 3

static struct rte_mempool *pool;
static struct harness_rng rng;

static uint16_t
raw(uint32_t sum)
{
	return ntohs(csum_sum_fold(sum));
}

static uint16_t
chain_raw(const struct rte_mbuf *m, uint32_t off, uint32_t len)
{
	uint32_t sum = 0;

	assert_int_equal(csum_mbuf_partial(m, off, len, &sum), 0);
	return raw(sum);
}

/* The same range by every function that sums: each must find this raw sum. */
static void
assert_raw(const struct rte_mbuf *m, uint32_t off, uint32_t len, uint16_t want)
{
	struct csum_mbuf_pos pos, copy_pos;
	uint8_t *dst = malloc(len);
	uint32_t sum = 0;

	assert_int_equal(chain_raw(m, off, len), want);
	assert_int_equal(csum_mbuf_seek(m, off, &pos), 0);
	copy_pos = pos;
	assert_int_equal(csum_mbuf_sum(&pos, len, &sum), 0);
	assert_int_equal(raw(sum), want);
	sum = 0;
	assert_int_equal(csum_mbuf_sum_copy(dst, &copy_pos, len, &sum), 0);
	assert_int_equal(raw(sum), want);
	assert_int_equal(ref_raw(dst, len), want);
	assert_ptr_equal(pos.seg, copy_pos.seg);
	assert_int_equal(pos.off, copy_pos.off);
	free(dst);
}

static void
b01_carries_behind_an_odd_segment(void **state)
{
	static const uint8_t head[] = {
		0x00, 0x16, 0x3e, 0x0b, 0x6b, 0xd2, 0xee, 0xff, 0xff, 0xff, 0xff, 0xff, 0x08, 0x00,
		0x45, 0x00, 0x00, 0xa5, 0x0d, 0x7a, 0x40, 0x00, 0x40, 0x06, 0xb9, 0x4b, 0xc0, 0xa8,
		0xf9, 0x1d, 0xc0, 0xa8, 0xf9, 0x1e, 0xd5, 0xd2, 0x14, 0x51, 0x46, 0xf9, 0xd9, 0x90,
		0xe1, 0x0d, 0x6a, 0x2d, 0x80, 0x10, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x01,
		0x08, 0x0a, 0x95, 0xac, 0x86, 0xba, 0x09, 0x11, 0x45, 0xd3,
	};
	static const uint16_t lens[] = { 66, 61, 52 };
	static const uint8_t small[] = { 0x00, 0xff, 0xff, 0xff, 0xff };
	static const uint16_t small_lens[] = { 1, 4 };
	uint8_t data[179];
	struct rte_mbuf *m;
	uint32_t sum;
	int kind;

	memcpy(data, head, sizeof(head));
	memset(data + sizeof(head), 0xff, sizeof(data) - sizeof(head));
	for (kind = 0; kind < NB_KINDS; kind++) {
		m = harness_chain_kind(pool, kind, data, sizeof(data), lens, RTE_DIM(lens));
		/* Addresses, protocol 6 and length 145: the pseudo header. */
		sum = csum_partial(data + 26, 8, 0);
		sum = csum_sum_add(sum, htons(6));
		sum = csum_sum_add(sum, htons(145));
		assert_int_equal(csum_mbuf_partial(m, 34, 145, &sum), 0);
		assert_int_equal(ntohs(csum_sum_check(sum)), 0x4089);
		rte_pktmbuf_free(m);

		m = harness_chain_kind(pool, kind, small, sizeof(small), small_lens, 2);
		assert_raw(m, 0, 5, 0xffff);
		rte_pktmbuf_free(m);
	}
}

/* Lengths of the pieces when bytes are cut where a mask has a bit; an empty piece behind each. */
static unsigned int
cut_by_mask(unsigned int mask, uint16_t lens[], uint32_t len)
{
	unsigned int nb = 0, at, from = 0;

	lens[nb++] = 0;
	for (at = 1; at <= len; at++) {
		if (at == len || (mask & (1 << (at - 1))) != 0) {
			lens[nb++] = (uint16_t)(at - from);
			lens[nb++] = 0;
			from = at;
		}
	}
	return nb;
}

static void
b06_all_128_splits_of_8_bytes(void **state)
{
	static const uint8_t data[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	uint32_t mask, off, len;
	uint16_t lens[17];
	struct rte_mbuf *m;
	unsigned int nb;

	for (mask = 0; mask < 128; mask++) {
		nb = cut_by_mask(mask, lens, sizeof(data));
		m = harness_chain_kind(pool, mask % NB_KINDS, data, sizeof(data), lens, nb);
		assert_raw(m, 0, 8, 0x1014);
		for (off = 0; off <= 8; off++)
			for (len = 0; len <= 8 - off; len++)
				assert_raw(m, off, len, ref_raw(data + off, len));
		rte_pktmbuf_free(m);
	}
}

/* Odd pieces one after another from one place: each begins with an even count of its own. */
static void
b25_parity_does_not_leak_into_the_next_piece(void **state)
{
	static const uint16_t lens[] = { 1, 112, 0, 113, 3 };
	static const uint32_t pieces[] = { 113, 113, 74 };
	struct csum_mbuf_pos pos;
	uint8_t data[300], dst[113];
	uint32_t sum, off = 0;
	struct rte_mbuf *m;
	unsigned int i;

	harness_pattern(data, sizeof(data));
	m = harness_chain_kind(pool, HARNESS_EXTERNAL, data, sizeof(data), lens, RTE_DIM(lens));
	assert_int_equal(csum_mbuf_seek(m, 0, &pos), 0);
	for (i = 0; i < RTE_DIM(pieces); i++) {
		sum = 0;
		assert_int_equal(csum_mbuf_sum_copy(dst, &pos, pieces[i], &sum), 0);
		assert_int_equal(raw(sum), ref_raw(data + off, pieces[i]));
		harness_assert_bytes(dst, data + off, pieces[i]);
		off += pieces[i];
	}
	sum = 0;
	assert_int_equal(csum_mbuf_sum(&pos, 1, &sum), -EINVAL);
	rte_pktmbuf_free(m);
}

static void
r13_empty_chunk_behind_an_odd_one(void **state)
{
	static const uint8_t data[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	static const uint16_t lens[] = { 3, 0, 5 };
	struct csum_mbuf_pos pos;
	struct guard guard;
	struct rte_mbuf *m;
	uint32_t sum = 0;
	uint8_t *dst;

	guard_init(&guard, 64);
	dst = guard_high(&guard, sizeof(data), 0);
	guard_canaries_set(&guard, dst, sizeof(data));
	m = harness_chain_kind(pool, HARNESS_EXTERNAL, data, sizeof(data), lens, RTE_DIM(lens));
	assert_int_equal(csum_mbuf_seek(m, 0, &pos), 0);
	assert_int_equal(csum_mbuf_sum_copy(dst, &pos, sizeof(data), &sum), 0);
	assert_int_equal(raw(sum), 0x1014);
	harness_assert_bytes(dst, data, sizeof(data));
	assert_true(guard_canaries_ok(&guard, dst, sizeof(data)));
	rte_pktmbuf_free(m);
	guard_fini(&guard);
}

/* 131,076 bytes of ff: a 32-bit sum of 16-bit words would overflow. */
static void
r01_more_than_65537_words(void **state)
{
	const uint32_t len = 65538 * 2;
	uint8_t *data = malloc(len);
	struct rte_mbuf *m;

	memset(data, 0xff, len);
	m = harness_chain_kind(pool, HARNESS_EXTERNAL, data, len, NULL, 0);
	assert_int_equal(m->nb_segs, 3);
	assert_raw(m, 0, len, 0xffff);
	rte_pktmbuf_free(m);
	free(data);
}

static void
random_chains_sum_as_the_reference_does(void **state)
{
	uint8_t data[4000];
	uint16_t lens[40];
	uint32_t len, off, n;
	struct rte_mbuf *m;
	unsigned int i, nb;

	harness_rng_init(&rng);
	for (i = 0; i < 2000; i++) {
		len = harness_rand_below(&rng, i % 2 == 0 ? 100 : sizeof(data)) + 1;
		harness_rand_bytes(&rng, data, len);
		nb = harness_rand_lens(&rng, len, lens, RTE_DIM(lens));
		m = harness_chain_kind(pool, i % NB_KINDS, data, len, lens, nb);
		off = harness_rand_below(&rng, len + 1);
		n = harness_rand_below(&rng, len - off + 1);
		assert_raw(m, off, n, ref_raw(data + off, n));
		assert_raw(m, off, len - off, ref_raw(data + off, len - off));
		harness_assert_chain(m, data, len);
		rte_pktmbuf_free(m);
	}
}

static void
the_sum_goes_on_from_what_it_held(void **state)
{
	static const uint16_t lens[] = { 5, 0, 1, 20 };
	uint8_t data[61];
	struct rte_mbuf *m;
	uint32_t sum;

	harness_pattern(data, sizeof(data));
	m = harness_chain(pool, data, sizeof(data), lens, RTE_DIM(lens));
	sum = csum_partial(data, 2, 0);
	assert_int_equal(csum_mbuf_partial(m, 2, 2, &sum), 0);
	assert_int_equal(csum_mbuf_partial(m, 4, 57, &sum), 0);
	assert_int_equal(raw(sum), ref_raw(data, sizeof(data)));
	rte_pktmbuf_free(m);
}

/* Move a segment's bytes to where a page that may not be read begins behind or ends before them. */
static void
fence(struct rte_mbuf *seg, struct guard *guard, bool behind)
{
	uint8_t *p;

	guard_init(guard, seg->data_len + 1u);
	p = behind ? guard_high(guard, seg->data_len, 0) : guard_low(guard, 0);
	memcpy(p, rte_pktmbuf_mtod(seg, uint8_t *), seg->data_len);
	seg->buf_addr = p - seg->data_off;
}

static void
no_byte_is_read_outside_the_segments(void **state)
{
	static const uint16_t lens[] = { 1, 33, 0, 64, 127, 7, 1448 };
	struct guard guards[RTE_DIM(lens)];
	void *own[RTE_DIM(lens)];
	struct rte_mbuf *m, *seg;
	uint8_t data[1680];
	unsigned int i;

	harness_pattern(data, sizeof(data));
	m = harness_chain(pool, data, sizeof(data), lens, RTE_DIM(lens));
	assert_int_equal(m->nb_segs, RTE_DIM(lens));
	for (i = 0, seg = m; seg != NULL; seg = seg->next, i++) {
		own[i] = seg->buf_addr;
		fence(seg, &guards[i], i % 2 == 0);
	}
	assert_raw(m, 0, sizeof(data), ref_raw(data, sizeof(data)));
	for (i = 0, seg = m; seg != NULL; seg = seg->next, i++) {
		seg->buf_addr = own[i];
		guard_fini(&guards[i]);
	}
	rte_pktmbuf_free(m);
}

static void
too_short_a_chain_changes_nothing(void **state)
{
	static const uint16_t lens[] = { 3, 0, 5 };
	struct csum_mbuf_pos pos, before;
	uint32_t sum = 0x1234;
	uint8_t data[8], dst[9];
	struct rte_mbuf *m;

	harness_pattern(data, sizeof(data));
	m = harness_chain(pool, data, sizeof(data), lens, RTE_DIM(lens));
	/* What the head says of the chain must not matter. */
	m->pkt_len = 1000;
	m->nb_segs = 1000;
	assert_int_equal(csum_mbuf_partial(m, 0, 9, &sum), -EINVAL);
	assert_int_equal(csum_mbuf_partial(m, 9, 0, &sum), -EINVAL);
	assert_int_equal(csum_mbuf_partial(m, UINT32_MAX, UINT32_MAX, &sum), -EINVAL);
	assert_int_equal(csum_mbuf_partial(m, 8, UINT32_MAX, &sum), -EINVAL);
	assert_int_equal(csum_mbuf_partial(m, 3, UINT32_MAX - 2, &sum), -EINVAL);
	assert_int_equal(csum_mbuf_partial(NULL, 0, 1, &sum), -EINVAL);
	assert_int_equal(csum_mbuf_seek(m, 2, &pos), 0);
	before = pos;
	assert_int_equal(csum_mbuf_sum(&pos, 7, &sum), -EINVAL);
	assert_int_equal(csum_mbuf_sum_copy(dst, &pos, 7, &sum), -EINVAL);
	assert_int_equal(sum, 0x1234);
	assert_ptr_equal(pos.seg, before.seg);
	assert_int_equal(pos.off, before.off);
	assert_int_equal(csum_mbuf_partial(m, 8, 0, &sum), 0);
	assert_int_equal(csum_mbuf_partial(NULL, 0, 0, &sum), 0);
	assert_int_equal(sum, 0x1234);
	m->pkt_len = 0;
	m->nb_segs = 1;
	sum = 0;
	assert_raw(m, 0, 8, ref_raw(data, 8));
	m->nb_segs = 3;
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
		cmocka_unit_test_teardown(b01_carries_behind_an_odd_segment, pool_is_whole),
		cmocka_unit_test_teardown(b06_all_128_splits_of_8_bytes, pool_is_whole),
		cmocka_unit_test_teardown(b25_parity_does_not_leak_into_the_next_piece,
					  pool_is_whole),
		cmocka_unit_test_teardown(r13_empty_chunk_behind_an_odd_one, pool_is_whole),
		cmocka_unit_test_teardown(r01_more_than_65537_words, pool_is_whole),
		cmocka_unit_test_teardown(random_chains_sum_as_the_reference_does, pool_is_whole),
		cmocka_unit_test_teardown(the_sum_goes_on_from_what_it_held, pool_is_whole),
		cmocka_unit_test_teardown(no_byte_is_read_outside_the_segments, pool_is_whole),
		cmocka_unit_test_teardown(too_short_a_chain_changes_nothing, pool_is_whole),
	};

	harness_start(0, NULL);
	pool = harness_pool("mbuf_sum", 256, 2048);
	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
