/* SPDX-License-Identifier: BSD-3-Clause */

/* Partial checksums completed from a start and an offset alone. */

#include <errno.h>
#include <string.h>

#include <ref_csum.h>
#include <ref_judge.h>

#include "virtio_util.h"

static struct frame f;
static struct harness_rng rng;

/* Every cut into two, and many into more: just the field changes, and the reference is content. */
static void
packet(uint32_t ip, uint32_t l4, uint32_t offset)
{
	static uint8_t want[FRAME_MAX_LEN];
	uint16_t lens[40];
	unsigned int i, nb;

	virtio_seed(&f, ip, l4);
	memcpy(want, f.data, f.len);
	harness_put_be16(want + l4 + offset, ref_check(f.data + l4, f.len - l4));
	virtio_assert_good(want, f.len, REF_LINK_ETHER);
	for (i = 0; i < f.len + 50; i++) {
		struct rte_mbuf *m;

		nb = 1;
		lens[0] = i;
		if (i > f.len)
			nb = harness_rand_lens(&rng, f.len, lens, RTE_DIM(lens));
		m = harness_chain_kind(virtio_pool, HARNESS_EXTERNAL, f.data, f.len, lens, nb);
		assert_int_equal(csum_pkt_complete(m, l4, offset), 0);
		harness_assert_chain(m, want, f.len);
		rte_pktmbuf_free(m);
	}
}

static void
tcp_and_udp(void **state)
{
	uint32_t (*const ip[])(struct frame *f) = { frame_i4, frame_i6 };
	uint32_t l3, len;
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(ip); i++)
		for (len = 0; len < 4; len++) {
			frame_init(&f);
			frame_ether(&f);
			l3 = ip[i](&f);
			frame_tcp(&f, 0x10, NULL, 0);
			frame_payload(&f, 40 + len);
			frame_finish(&f);
			packet(l3, frame_off(&f, FRAME_TCP, 0), 16);
			frame_init(&f);
			frame_ether(&f);
			l3 = ip[i](&f);
			frame_udp(&f, 7, 9);
			frame_payload(&f, len);
			frame_finish(&f);
			packet(l3, frame_off(&f, FRAME_UDP, 0), 6);
		}
}

/* The parser need not know what it is: here a field of 0 and any bytes, at an odd start too. */
static void
any_start_and_offset(void **state)
{
	uint8_t bytes[64];
	unsigned int start, offset;

	(void)state;
	harness_rand_bytes(&rng, bytes, sizeof(bytes));
	for (start = 0; start < sizeof(bytes); start++)
		for (offset = 0; start + offset + 2 <= sizeof(bytes); offset += 2) {
			uint8_t *field = bytes + start + offset;
			struct rte_mbuf *m = harness_chain(virtio_pool, bytes, sizeof(bytes),
							   (uint16_t[]){ 5, 0, 12, 1 }, 4);
			uint16_t check = ref_check(bytes + start, sizeof(bytes) - start);

			assert_int_equal(csum_pkt_complete(m, start, offset), 0);
			harness_put_be16(field, check != 0 ? check : 0xffff);
			harness_assert_chain(m, bytes, sizeof(bytes));
			rte_pktmbuf_free(m);
		}
}

/* 0 would switch off UDP's checksum; for all others 0xffff is its equal. */
static void
zero_becomes_ffff(void **state)
{
	uint8_t bytes[] = { 0xff, 0xf0, 0x00, 0x0f }, want[] = { 0xff, 0xf0, 0xff, 0xff };
	struct rte_mbuf *m = harness_chain(virtio_pool, bytes, sizeof(bytes), NULL, 0);

	(void)state;
	assert_int_equal(csum_pkt_complete(m, 0, 2), 0);
	harness_assert_chain(m, want, sizeof(want));
	rte_pktmbuf_free(m);
}

static void
outside_the_packet(void **state)
{
	static const uint32_t pairs[][2] = {
		{ 0, 100 }, { 100, 0 }, { 99, 0 }, { 0, 1 }, { 2, 97 }, { 2, UINT32_MAX - 1 },
		{ UINT32_MAX, 2 }, { UINT32_MAX, UINT32_MAX - 1 }, { 0x80000000, 0x80000000 },
		{ UINT32_MAX - 3, 4 }, { 50, 50 },
	};
	struct rte_mbuf *m;
	uint8_t bytes[100];
	unsigned int i;

	(void)state;
	harness_pattern(bytes, sizeof(bytes));
	m = harness_chain_kind(virtio_pool, HARNESS_EXTERNAL, bytes, sizeof(bytes),
			       (uint16_t[]){ 33 }, 1);
	for (i = 0; i < RTE_DIM(pairs); i++)
		assert_int_equal(csum_pkt_complete(m, pairs[i][0], pairs[i][1]), -EINVAL);
	harness_assert_chain(m, bytes, sizeof(bytes));
	/* A chain shorter than it says. */
	m->pkt_len = 101;
	assert_int_equal(csum_pkt_complete(m, 0, 0), -EINVAL);
	assert_int_equal(csum_pkt_complete(m, 97, 2), -EINVAL);
	m->pkt_len = 100;
	harness_assert_chain(m, bytes, sizeof(bytes));
	rte_pktmbuf_free(m);
}

/* Who holds a clone sees no change; payload that is shared behind the field does not matter. */
static void
shared_data(void **state)
{
	struct rte_mbuf *m, *clone;
	uint8_t bytes[100];

	(void)state;
	harness_pattern(bytes, sizeof(bytes));
	m = harness_chain(virtio_pool, bytes, sizeof(bytes), (uint16_t[]){ 40 }, 1);
	clone = rte_pktmbuf_clone(m, virtio_pool);
	assert_non_null(clone);
	assert_int_equal(csum_pkt_complete(m, 34, 4), -EBUSY);
	assert_int_equal(csum_pkt_complete(clone, 34, 4), -EBUSY);
	harness_assert_chain(m, bytes, sizeof(bytes));
	rte_pktmbuf_free(clone);
	assert_int_equal(csum_pkt_complete(m, 34, 4), 0);
	rte_pktmbuf_free(m);

	m = harness_chain(virtio_pool, bytes, sizeof(bytes), (uint16_t[]){ 40 }, 1);
	rte_mbuf_refcnt_update(m->next, 1);
	assert_int_equal(csum_pkt_complete(m, 34, 6), -EBUSY);
	assert_int_equal(csum_pkt_complete(m, 34, 4), 0);
	harness_put_be16(bytes + 38, ref_check(bytes + 34, sizeof(bytes) - 34));
	harness_assert_chain(m, bytes, sizeof(bytes));
	rte_mbuf_refcnt_update(m->next, -1);
	rte_pktmbuf_free(m);
}

#define T(name) cmocka_unit_test_teardown(name, virtio_pool_is_whole)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(tcp_and_udp),
		T(any_start_and_offset),
		T(zero_becomes_ffff),
		T(outside_the_packet),
		T(shared_data),
	};

	virtio_start("complete");
	harness_rng_init(&rng);
	return harness_finish(cmocka_run_group_tests_name("complete", tests, NULL, NULL));
}
