/* SPDX-License-Identifier: BSD-3-Clause */

/* Every variant over data and initial sums that carry the most, and over lengths without limit. */

#include <string.h>

#include <ref_csum.h>

#include "core_test.h"

/* Beyond every threshold of the kernels: short, few vectors, aligned. */
#define LEN_WALKED 2200

/* Beyond what the accumulators of any variant take at a time. */
#define LEN_LONG (16u << 20)

static struct guard src_guard;
static struct guard dst_guard;

static void
map(size_t size)
{
	guard_init(&src_guard, size);
	guard_init(&dst_guard, size);
}

static size_t
room(const struct guard *guard)
{
	return (size_t)(guard->end - guard->begin);
}

static void
unmap(void)
{
	guard_fini(&src_guard);
	guard_fini(&dst_guard);
}

static const uint32_t initial_sums[] = {
	0, 1, 0xfffe, 0xffff, 0x10000, 0x1ffff, 0x7fffffff, 0x80000000, 0xfffeffff, 0xffff0000,
	0xffff0001, 0xfffffffe, 0xffffffff,
};

#define NB_INITIAL_SUMS (sizeof(initial_sums) / sizeof(initial_sums[0]))

/* Bytes that repeat every 8, so that each lane of each variant sees the same word. */
static const uint8_t patterns[][8] = {
	{ 0 },
	{ 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
	{ 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80 },
	{ 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0 },
	{ 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff },
	{ 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff },
	{ 0, 0, 0, 0, 0, 0, 0, 1 },
	{ 1, 0, 0, 0, 0, 0, 0, 0 },
	{ 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
	{ 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f },
};

#define NB_PATTERNS (sizeof(patterns) / sizeof(patterns[0]))

/* The pattern behind the last one is a ramp. */
static void
fill_pattern(uint8_t *buf, size_t len, size_t p)
{
	size_t i;

	if (p == NB_PATTERNS)
		core_ramp(buf, len);
	else
		for (i = 0; i < len; i++)
			buf[i] = patterns[p][i % 8];
}

static void
data_and_initial_sums_at_carry_edges(const struct csum_variant *variant)
{
	size_t p, i, len;

	map(4096);
	for (p = 0; p <= NB_PATTERNS; p++) {
		fill_pattern(src_guard.begin, room(&src_guard), p);
		for (len = 0; len < LEN_WALKED; len += len < 600 ? 1 : 7) {
			const uint8_t *src = guard_low(&src_guard, p % 2 * 8);
			uint8_t *dst = guard_low(&dst_guard, len % 32);
			uint16_t raw = ref_raw(src, len);

			if (!core_picked())
				continue;
			for (i = 0; i < NB_INITIAL_SUMS; i++)
				core_check_both(variant, &dst_guard, dst, src, len,
					initial_sums[i], ref_raw_combine(raw,
						core_raw(initial_sums[i]), 0));
		}
	}
	unmap();
}

/* All ones and then a single bit, which sets off a carry through the whole of a lane. */
static void
ones_and_a_bit_in_every_lane(const struct csum_variant *variant)
{
	size_t len, at;

	map(4096);
	for (len = 16; len <= 1280; len += len < 160 ? 8 : 56) {
		uint8_t *src = guard_high(&src_guard, len, len % 3);
		uint8_t *dst = guard_high(&dst_guard, len, len % 5);

		memset(src, 0xff, len);
		for (at = 0; at + 8 <= len; at += 8) {
			memset(src + at, 0, 8);
			src[at + 7 * (at / 8 % 2)] = 1;
			core_check_both(variant, &dst_guard, dst, src, len, 0,
				ref_raw(src, len));
			memset(src + at, 0xff, 8);
		}
	}
	unmap();
}

static void
lengths_without_limit(const struct csum_variant *variant)
{
	static const size_t lens[] = {
		9000, 65535, 65536, 131072, 131073, 131074, 131076, 262143, 1u << 20, 2097153,
		LEN_LONG - 1, LEN_LONG,
	};
	size_t i;

	map(LEN_LONG + 64);
	memset(src_guard.begin, 0xff, room(&src_guard));
	for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		const uint8_t *src = guard_high(&src_guard, lens[i], i);
		uint8_t *dst = guard_high(&dst_guard, lens[i], i * 3);

		/* Any number of words of all ones is one such word; an odd byte is 0xff00. */
		core_check_both(variant, &dst_guard, dst, src, lens[i], 0,
			lens[i] % 2 == 0 ? 0xffff : 0xff00);
	}
	unmap();
}

/* Wherever a variant cuts, bytes on either side of it have their places. */
static void
random_data_without_limit(const struct csum_variant *variant)
{
	size_t i, len;

	map(LEN_LONG + 64);
	core_random(src_guard.begin, room(&src_guard));
	for (i = 0; i < 4; i++) {
		uint8_t *src = src_guard.begin + core_random_below(64);
		uint8_t *dst = dst_guard.begin + core_random_below(64);

		len = i == 0 ? LEN_LONG : 65535 + core_random_below(LEN_LONG / 2);
		core_check_both(variant, &dst_guard, dst, src, len, 1,
			ref_raw_from(core_raw(1), src, len));
	}
	unmap();
}

/* Lanes that are summed up too late wrap: those of 32 bits within 4 MB. */
static void
ones_at_lengths_on_the_way_to_a_limit(const struct csum_variant *variant)
{
	size_t max = 4u << 20, len;

	map(max);
	memset(src_guard.begin, 0xff, max);
	for (len = max; len > 400000; len -= len / 16 & ~(size_t)1)
		core_check_both(variant, &dst_guard, dst_guard.begin, src_guard.begin, len, 0,
			0xffff);
	unmap();
}

/*
 * The upper words of vectors that make averages of averages err the most, of four or of eight: 1/2
 * upwards at each step in the rows that rise, not at all in the one of zeros, whose other words
 * then err the other way by being left out.
 */
static void
accumulators_at_their_limit(const struct csum_variant *variant)
{
	static const struct {
		uint8_t upper[8];
		uint8_t others;
	} rows[] = {
		{ { 0, 1, 1, 2, 0, 1, 1, 2 }, 0x00 },
		{ { 0, 1, 1, 2, 1, 2, 2, 3 }, 0x00 },
		{ { 0 }, 0xff },
		{ { 0, 1, 1, 2, 0, 1, 1, 2 }, 0xff },
		{ { 0, 1, 1, 2, 1, 2, 2, 3 }, 0xff },
	};
	size_t vec = variant->bits / 8, len = 4u << 20, row, off;

	map(len);
	for (row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
		memset(src_guard.begin, rows[row].others, len);
		for (off = 0; off < len; off += 8) {
			/* The upper word of little-endian lanes: of CPUs that take averages. */
			src_guard.begin[off + 6] = rows[row].upper[off / vec % 8];
			src_guard.begin[off + 7] = 0;
		}
		core_check_both(variant, &dst_guard, dst_guard.begin, src_guard.begin, len, 0,
			ref_raw(src_guard.begin, len));
	}
	unmap();
}

int
main(void)
{
	static const struct core_check checks[] = {
		{ "data and initial sums at carry edges", data_and_initial_sums_at_carry_edges },
		{ "ones and a bit in every lane", ones_and_a_bit_in_every_lane },
		{ "lengths without limit", lengths_without_limit },
		{ "random data without limit", random_data_without_limit },
		{ "ones at lengths on the way to a limit", ones_at_lengths_on_the_way_to_a_limit },
		{ "accumulators at their limit", accumulators_at_their_limit },
	};

	return core_run("core edges", checks, sizeof(checks) / sizeof(checks[0]));
}
