/* SPDX-License-Identifier: BSD-3-Clause */

/* Faults that other software has had: small inputs, and the right output as a constant. */

#include <arpa/inet.h>
#include <endian.h>
#include <string.h>

#include "core_test.h"

/* The buffers of one check; room for everything below. */
static struct guard src_guard;
static struct guard dst_guard;

static void
map(void)
{
	guard_init(&src_guard, 4096);
	guard_init(&dst_guard, 4096);
}

static void
unmap(void)
{
	guard_fini(&src_guard);
	guard_fini(&dst_guard);
}

/* Put bytes flush against the upper fence and expect their raw sum from the copy and the sum. */
static void
expect_raw(const struct csum_variant *variant, const void *bytes, size_t len, uint16_t raw)
{
	uint8_t *src;

	map();
	src = guard_high(&src_guard, len, 0);
	memcpy(src, bytes, len);
	core_check_both(variant, &dst_guard, guard_high(&dst_guard, len, 0), src, len, 0, raw);
	unmap();
}

static void
b01_odd_block_before_a_long_sum(const struct csum_variant *variant)
{
	static const uint8_t blocks[] = { 0x00, 0xff, 0xff, 0xff, 0xff };
	uint32_t sum = variant->partial(blocks, 1, 0);

	sum = csum_sum_combine(sum, variant->partial(blocks + 1, 4, 0), 1);
	assert_int_equal(core_raw(sum), 0xffff);
}

static void
b02_odd_last_byte_is_the_high_one(const struct csum_variant *variant)
{
	uint8_t ramp[1501];

	core_ramp(ramp, sizeof(ramp));
	expect_raw(variant, "\x42", 1, 0x4200);
	assert_int_equal(ntohs(csum_sum_check(variant->partial("\x42", 1, 0))), 0xbdff);
	expect_raw(variant, ramp, sizeof(ramp), 0x2b34);
	assert_int_equal(ntohs(csum_sum_check(variant->partial(ramp, sizeof(ramp), 0))), 0xd4cb);
}

static void
b03_any_pair_of_addresses(const struct csum_variant *variant)
{
	size_t pair;

	map();
	for (pair = 0; pair < 64 * 64; pair++) {
		uint8_t *src = guard_high_aligned(&src_guard, 1501, pair / 64);
		uint8_t *dst = guard_high_aligned(&dst_guard, 1501, pair % 64);

		core_ramp(src, 1501);
		core_check_both(variant, &dst_guard, dst, src, 1501, 0, 0x2b34);
	}
	unmap();
}

/* Copy bytes in the chunks that @p cuts tells: bit i set ends one behind byte i. */
static uint32_t
copy_in_chunks(const struct csum_variant *variant, uint8_t *dst, const uint8_t *src, size_t len,
	unsigned int cuts)
{
	size_t from = 0, to;
	uint32_t sum = 0;

	for (to = 1; to <= len; to++)
		if (to == len || (cuts >> (to - 1) & 1) != 0) {
			sum = csum_sum_combine(sum, variant->partial_copy(dst + from, src + from,
				to - from, 0), from);
			from = to;
		}
	return sum;
}

/* Also R5 (a): the byte behind an odd chunk must be the one copied. */
static void
b06_every_way_to_split(const struct csum_variant *variant)
{
	static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	uint8_t copy[sizeof(bytes)];
	unsigned int cuts;

	for (cuts = 0; cuts < 128; cuts++) {
		memset(copy, 0, sizeof(copy));
		assert_int_equal(core_raw(copy_in_chunks(variant, copy, bytes, 8, cuts)), 0x1014);
		assert_memory_equal(copy, bytes, sizeof(bytes));
	}
}

static void
b07_carry_through_a_whole_lane(const struct csum_variant *variant)
{
	static const uint8_t pair[16] = {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 1,
	};
	uint8_t bytes[512] = { 0 };
	size_t at;

	expect_raw(variant, pair, sizeof(pair), 0x0001);
	for (at = 0; at + sizeof(pair) <= sizeof(bytes); at += 8) {
		memset(bytes, 0, sizeof(bytes));
		memcpy(bytes + at, pair, sizeof(pair));
		expect_raw(variant, bytes, sizeof(bytes), 0x0001);
	}
}

static void
b08_header_whose_check_is_zero(const struct csum_variant *variant)
{
	static const uint8_t header[20] = {
		0x45, 0x00, 0x00, 0x28, 0x66, 0xce, 0x00, 0x00, 0x40, 0x06, 0x00, 0x00,
		0x0a, 0x00, 0x00, 0x01, 0x0a, 0x00, 0x00, 0x02,
	};

	expect_raw(variant, header, sizeof(header), 0xffff);
	assert_int_equal(csum_sum_check(variant->partial(header, sizeof(header), 0)), 0x0000);
}

/* Both zeros are good on receipt: the sum with the field in place is what counts. */
static void
b16_b17_either_zero_verifies(const struct csum_variant *variant)
{
	static const uint8_t header[20] = {
		0x45, 0x00, 0x00, 0x28, 0x66, 0xce, 0x00, 0x00, 0x40, 0x06, 0xff, 0xff,
		0x0a, 0x00, 0x00, 0x01, 0x0a, 0x00, 0x00, 0x02,
	};

	expect_raw(variant, header, sizeof(header), 0xffff);
}

static void
b09_fold_until_no_carry_is_left(const struct csum_variant *variant)
{
	expect_raw(variant, "\xff\xff\xff\xff\x00\x01", 6, 0x0001);
	assert_int_equal(ntohs(csum_sum_check(
		variant->partial("\xff\xff\xff\xff\x00\x01", 6, 0))), 0xfffe);
}

static void
b11_each_block_once(const struct csum_variant *variant)
{
	uint8_t bytes[512] = { 0 };
	size_t i, block;

	for (block = 0; block < sizeof(bytes); block += 64) {
		memset(bytes, 0, sizeof(bytes));
		for (i = 1; i < 64; i += 2)
			bytes[block + i] = 1;
		expect_raw(variant, bytes, sizeof(bytes), 0x0020);
	}
}

static void
b12_destination_at_odd_address(const struct csum_variant *variant)
{
	uint8_t *src, *dst;

	map();
	src = guard_low(&src_guard, 1);
	dst = guard_low(&dst_guard, 64 + 3);
	core_ramp(src, 77);
	core_check_both(variant, &dst_guard, dst, src, 77, 0, 0xcfa9);
	unmap();
}

static void
b13_no_byte_beyond_either_end(const struct csum_variant *variant)
{
	static const struct {
		size_t len;
		uint16_t raw;
	} rows[] = {
		{ 0, 0x0000 }, { 1, 0x0000 }, { 2, 0x0001 }, { 31, 0xf0e1 }, { 32, 0xf100 },
		{ 33, 0x1101 }, { 63, 0xe3c4 }, { 64, 0xe403 }, { 65, 0x2404 }, { 127, 0xcf90 },
		{ 128, 0xd00f }, { 255, 0xc748 }, { 256, 0xc74c },
	};
	uint8_t ramp[256];
	size_t i;

	core_ramp(ramp, sizeof(ramp));
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		expect_raw(variant, ramp, rows[i].len, rows[i].raw);
		map();
		core_ramp(guard_low(&src_guard, 0), rows[i].len);
		core_check_both(variant, &dst_guard, guard_low(&dst_guard, 0),
			guard_low(&src_guard, 0), rows[i].len, 0, rows[i].raw);
		unmap();
	}
}

static void
r1_more_words_than_32_bits_hold(const struct csum_variant *variant)
{
	struct guard src, dst;
	size_t len = 65538 * 2;

	guard_init(&src, len);
	guard_init(&dst, len);
	memset(guard_high(&src, len, 0), 0xff, len);
	core_check_both(variant, &dst, guard_high(&dst, len, 0), guard_high(&src, len, 0), len, 0,
		0xffff);
	guard_fini(&src);
	guard_fini(&dst);
}

static void
r5_destination_moves_with_the_source(const struct csum_variant *variant)
{
	uint8_t ramp[1448], copy[8];

	core_ramp(ramp, sizeof(ramp));
	expect_raw(variant, ramp, sizeof(ramp), 0xfbde);
	assert_int_equal(core_raw(copy_in_chunks(variant, copy, ramp, 8, 1u << 2)), 0x0c10);
	assert_memory_equal(copy, ramp, sizeof(copy));
}

/* And a source at an aligned address lets the destination be at any. */
static void
r12_odd_source_leaves_the_initial_sum_alone(const struct csum_variant *variant)
{
	/* The seed and the sums of this fault are little-endian numbers. */
	uint32_t seed = htole16(0x1234);
	uint8_t *src;
	size_t i;

	map();
	src = guard_low(&src_guard, 1);
	for (i = 0; i < 1448; i++)
		src[i] = (uint8_t)((i + 1) % 251);
	assert_int_equal(le16toh(csum_sum_fold(variant->partial(src, 1448, 0))), 0xbcdf);
	assert_int_equal(le16toh(csum_sum_fold(variant->partial(src, 1448, seed))), 0xcf13);
	core_ramp(src - 1, 1448);
	core_check_both(variant, &dst_guard, guard_low(&dst_guard, 1), src - 1, 1448, 0, 0xfbde);
	unmap();
}

static void
r13_empty_chunk_behind_an_odd_one(const struct csum_variant *variant)
{
	static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	uint32_t sum;
	uint8_t *dst;

	map();
	dst = guard_low(&dst_guard, 64);
	guard_canaries_set(&dst_guard, dst, 8);
	sum = variant->partial_copy(dst, bytes, 3, 0);
	sum = csum_sum_combine(sum, variant->partial_copy(dst + 3, bytes + 3, 0, 0), 3);
	sum = csum_sum_combine(sum, variant->partial_copy(dst + 3, bytes + 3, 5, 0), 3);
	assert_int_equal(core_raw(sum), 0x1014);
	assert_memory_equal(dst, bytes, 8);
	assert_true(guard_canaries_ok(&dst_guard, dst, 8));
	unmap();
}

int
main(void)
{
	static const struct core_check checks[] = {
		{ "b01 odd block before a long sum", b01_odd_block_before_a_long_sum },
		{ "b02 odd last byte is the high one", b02_odd_last_byte_is_the_high_one },
		{ "b03 any pair of addresses", b03_any_pair_of_addresses },
		{ "b06 every way to split", b06_every_way_to_split },
		{ "b07 carry through a whole lane", b07_carry_through_a_whole_lane },
		{ "b08 header whose check is zero", b08_header_whose_check_is_zero },
		{ "b09 fold until no carry is left", b09_fold_until_no_carry_is_left },
		{ "b11 each block once", b11_each_block_once },
		{ "b12 destination at odd address", b12_destination_at_odd_address },
		{ "b13 no byte beyond either end", b13_no_byte_beyond_either_end },
		{ "b16 b17 either zero verifies", b16_b17_either_zero_verifies },
		{ "r1 more words than 32 bits hold", r1_more_words_than_32_bits_hold },
		{ "r5 destination moves with the source", r5_destination_moves_with_the_source },
		{ "r12 odd source leaves the initial sum alone",
			r12_odd_source_leaves_the_initial_sum_alone },
		{ "r13 empty chunk behind an odd one", r13_empty_chunk_behind_an_odd_one },
	};

	return core_run("core faults", checks, sizeof(checks) / sizeof(checks[0]));
}
