/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <string.h>

#include "prepare_util.h"

/* What is particular to filling a copy; random packets are copied in test_prepare_random.c. */

#define TCP_CHECK (14 + 20 + 16)

static struct frame f;

/* A chain of @p len zero bytes, in pieces of 17. */
static struct rte_mbuf *
zeros(uint32_t len)
{
	static const uint8_t bytes[4096];
	uint16_t lens[64];
	unsigned int i, nb = RTE_MIN(len / 17, RTE_DIM(lens));

	for (i = 0; i < nb; i++)
		lens[i] = 17;
	return harness_chain(prepare_pool, bytes, len, lens, nb);
}

static struct rte_mbuf *
packet(uint64_t flags)
{
	static const uint16_t lens[] = { 3, 40, 0, 19 };
	struct rte_mbuf *m;

	prepare_build(&f, false, false, NULL, 301);
	m = frame_mbuf(&f, prepare_pool, lens, RTE_DIM(lens));
	m->ol_flags |= flags;
	return m;
}

static void
assert_refused(struct rte_mbuf *m, struct rte_mbuf *copy, enum csum_refusal want)
{
	static const uint8_t bytes[4096];
	enum csum_refusal why = CSUM_REFUSAL_NONE;

	assert_int_equal(csum_pkt_prepare_copy(copy, m, UINT64_MAX, &why),
			 csum_refusal_errno(want));
	assert_int_equal(why, want);
	harness_assert_chain(copy, bytes, copy->pkt_len);
	rte_pktmbuf_free(copy);
	rte_pktmbuf_free(m);
}

static void
value_of_the_fault_list(void **state)
{
	struct rte_mbuf *m, *copy;

	prepare_build(&f, false, false, NULL, 2500);
	m = frame_mbuf(&f, prepare_pool, NULL, 0);
	m->ol_flags |= TX_TCP4;
	copy = zeros(f.len);
	assert_int_equal(csum_pkt_prepare_copy(copy, m, UINT64_MAX, NULL), 0);
	harness_assert_chain(m, f.data, f.len);
	harness_put_be16(f.data + 14 + 10, 0x4d0a);
	harness_put_be16(f.data + TCP_CHECK, 0xfda6);
	harness_assert_chain(copy, f.data, f.len);
	rte_pktmbuf_free(copy);
	rte_pktmbuf_free(m);
}

/* Nothing to do, by the caller's wish or since segmentation does it: a plain copy. */
static void
nothing_to_do_is_a_copy(void **state)
{
	static const struct {
		uint64_t flags, todo;
	} cases[] = {
		{ 0, UINT64_MAX }, { TX_TCP4, 0 }, { TX_TCP4 | TX(TCP_SEG), UINT64_MAX },
	};
	struct rte_mbuf *m, *copy;
	unsigned int i;

	for (i = 0; i < RTE_DIM(cases); i++) {
		m = packet(cases[i].flags);
		copy = zeros(f.len);
		assert_int_equal(csum_pkt_prepare_copy(copy, m, cases[i].todo, NULL), 0);
		harness_assert_chain(copy, f.data, f.len);
		assert_int_equal(copy->ol_flags, 0);
		rte_pktmbuf_free(copy);
		rte_pktmbuf_free(m);
	}
}

static void
chain_without_room_is_refused(void **state)
{
	struct rte_mbuf *m = packet(TX_TCP4);

	assert_refused(m, zeros(f.len - 1), CSUM_REFUSAL_LENGTHS);
}

static void
packet_shorter_than_it_says_is_refused(void **state)
{
	struct rte_mbuf *m = packet(0);

	m->pkt_len++;
	assert_refused(m, zeros(f.len + 1), CSUM_REFUSAL_LENGTHS);
}

static void
packet_that_cannot_be_filled_is_not_copied(void **state)
{
	struct rte_mbuf *m = packet(TX_TCP4);

	m->l3_len = 24;
	assert_refused(m, zeros(f.len), CSUM_REFUSAL_HEADER);
}

#define CASE(name) cmocka_unit_test_teardown(name, prepare_pool_is_whole)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(value_of_the_fault_list),
		CASE(nothing_to_do_is_a_copy),
		CASE(chain_without_room_is_refused),
		CASE(packet_shorter_than_it_says_is_refused),
		CASE(packet_that_cannot_be_filled_is_not_copied),
	};

	prepare_start("prepare_copy");
	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
