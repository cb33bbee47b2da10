/* SPDX-License-Identifier: BSD-3-Clause */

/* Every variant over lengths and alignments, against the reference. */

#include <string.h>

#include <ref_csum.h>

#include "core_test.h"

/* Lengths whose sixteen alignments of either buffer are tried in full product. */
#define LEN_FULL 2200

#define LEN_MAX 9000

static struct guard src_guard;
static struct guard dst_guard;

/* What is summed and copied, wherever it lies, and the raw sums of its first bytes. */
static uint8_t content[LEN_MAX];
static uint16_t raws[LEN_MAX + 1];

static void
make_content(void)
{
	struct ref_sum sum = { 0 };
	size_t len;

	core_random(content, sizeof(content));
	for (len = 0; len < LEN_MAX; len++) {
		raws[len] = sum.raw;
		ref_sum_add(&sum, content + len, 1);
	}
	raws[len] = sum.raw;
}

static void
check_at(const struct csum_variant *variant, uint8_t *dst, uint8_t *src, size_t len)
{
	memcpy(src, content, len);
	core_check_both(variant, &dst_guard, dst, src, len, 0, raws[len]);
}

/* With source and destination at these alignments modulo 64. */
static void
check_aligned(const struct csum_variant *variant, size_t len, size_t src_align, size_t dst_align)
{
	check_at(variant, guard_high_aligned(&dst_guard, len, dst_align),
		guard_high_aligned(&src_guard, len, src_align), len);
}

/* That is each threshold of each kernel, wherever it may be. */
static void
every_length_at_16_by_16_alignments(const struct csum_variant *variant)
{
	size_t len, pair;

	for (len = 0; len < LEN_FULL; len++)
		for (pair = 0; pair < 16 * 16; pair++)
			if (core_picked())
				check_aligned(variant, len, pair / 16, pair % 16);
}

static void
short_lengths_at_64_by_64_alignments(const struct csum_variant *variant)
{
	size_t len, pair;

	for (len = 0; len <= 64; len++)
		for (pair = 0; pair < 64 * 64; pair++)
			if (core_picked())
				check_aligned(variant, len, pair / 64, pair % 64);
}

/* The step has no divisor in common with 64 * 64: each pair comes up thirty times. */
static void
every_length_at_some_of_64_by_64_alignments(const struct csum_variant *variant)
{
	size_t len, i, pair = 0;

	for (len = 65; len <= LEN_MAX; len++)
		for (i = 0; i < 14; i++) {
			pair = (pair + 1013) % (64 * 64);
			if (core_picked())
				check_aligned(variant, len, pair / 64, pair % 64);
		}
}

/* No alignment of choice, but neither a byte before nor one behind may be touched. */
static void
every_length_between_fences(const struct csum_variant *variant)
{
	size_t len;

	for (len = 0; len <= LEN_MAX; len++) {
		uint8_t *low = guard_low(&src_guard, 0), *high = guard_high(&src_guard, len, 0);
		uint8_t *dst_low = guard_low(&dst_guard, 0);
		uint8_t *dst_high = guard_high(&dst_guard, len, 0);

		if (!core_picked() && len > LEN_FULL)
			continue;
		check_at(variant, dst_low, low, len);
		check_at(variant, dst_high, low, len);
		check_at(variant, dst_low, high, len);
		check_at(variant, dst_high, high, len);
	}
}

/* Both fences touch the buffers at once. */
static void
whole_pages_between_fences(const struct csum_variant *variant)
{
	struct guard src, dst;
	size_t pages;

	for (pages = 1; pages <= 2; pages++) {
		size_t len;

		guard_init(&src, pages * 4096);
		guard_init(&dst, pages * 4096);
		len = (size_t)(src.end - src.begin);
		core_random(src.begin, len);
		core_check_both(variant, &dst, dst.begin, src.begin, len, 0,
			ref_raw(src.begin, len));
		guard_fini(&src);
		guard_fini(&dst);
	}
}

/* Nowhere, or at fences. */
static void
zero_length_touches_nothing(const struct csum_variant *variant)
{
	const uint8_t *const srcs[] = { NULL, src_guard.end, src_guard.begin - 1 };
	uint8_t *const dsts[] = { NULL, dst_guard.begin - 1, dst_guard.end };
	static const uint32_t sums[] = { 0, 1, 0xffff, 0x10000, 0xffff0000, 0xffffffff };
	size_t i, j;

	for (i = 0; i < sizeof(sums) / sizeof(sums[0]); i++)
		for (j = 0; j < 3 * 3; j++) {
			uint16_t raw = core_raw(sums[i]);

			assert_int_equal(core_raw(variant->partial(srcs[j / 3], 0, sums[i])), raw);
			assert_int_equal(core_raw(variant->partial_copy(dsts[j % 3], srcs[j / 3], 0,
				sums[i])), raw);
		}
}

int
main(void)
{
	static const struct core_check checks[] = {
		{ "every length at 16 by 16 alignments", every_length_at_16_by_16_alignments },
		{ "short lengths at 64 by 64 alignments", short_lengths_at_64_by_64_alignments },
		{ "every length at some of 64 by 64 alignments",
			every_length_at_some_of_64_by_64_alignments },
		{ "every length between fences", every_length_between_fences },
		{ "whole pages between fences", whole_pages_between_fences },
		{ "zero length touches nothing", zero_length_touches_nothing },
	};
	int status;

	guard_init(&src_guard, LEN_MAX + 64);
	guard_init(&dst_guard, LEN_MAX + 64);
	make_content();
	status = core_run("core walk", checks, sizeof(checks) / sizeof(checks[0]));
	guard_fini(&src_guard);
	guard_fini(&dst_guard);
	return status;
}
