/* SPDX-License-Identifier: BSD-3-Clause */

/* What the public functions do besides calling a variant. */

#include <string.h>

#include <ref_csum.h>

#include "core_test.h"

static int
prefetch_no_more(void **state)
{
	csum_prefetch_ahead(0);
	csum_variant_limit(~0u);
	return 0;
}

static void
inline_sums_are_those_of_the_reference(void **state)
{
	static const uint8_t fills[] = { 0, 0xff, 0x80, 0x01 };
	static const uint32_t sums[] = { 0, 1, 0xffff, 0x10000, 0xfffffffe, 0xffffffff };
	uint8_t bytes[1 + 40];
	size_t len, i, j, off;

	for (len = 0; len <= 40; len += 4)
		for (i = 0; i < 100; i++) {
			core_random(bytes, sizeof(bytes));
			if (i < sizeof(fills))
				memset(bytes, fills[i], sizeof(bytes));
			off = i % 2;
			for (j = 0; j < sizeof(sums) / sizeof(sums[0]); j++) {
				uint32_t sum = csum_partial_inline(bytes + off, len, sums[j]);
				uint8_t whole[40 + 4];

				memcpy(whole, bytes + off, len);
				memcpy(whole + len, &sums[j], sizeof(sums[j]));
				assert_int_equal(core_raw(sum), ref_raw(whole, len + 4));
			}
		}
}

/* The source ends at a fence, so that all that is fetched lies behind one. */
static void
prefetching_changes_no_sum_and_touches_nothing(void **state)
{
	static const size_t distances[] = { 1, 63, 64, 2 * 1448, 1 << 20, SIZE_MAX / 2, SIZE_MAX };
	const struct csum_variant *variant;
	struct guard guard;
	uint8_t copy[1500];
	size_t i, len;
	unsigned int j;

	guard_init(&guard, sizeof(copy));
	for (i = 0; i < sizeof(distances) / sizeof(distances[0]); i++) {
		csum_prefetch_ahead(distances[i]);
		for (j = 0; (variant = csum_variant_get(j)) != NULL; j++) {
			if (csum_variant_use(variant) != 0)
				continue;
			assert_ptr_equal(csum_variant_current(), variant);
			for (len = 0; len <= sizeof(copy); len += 1 + len / 3) {
				uint8_t *src = guard_high(&guard, len, 0);

				core_random(src, len);
				memset(copy, 0, sizeof(copy));
				assert_int_equal(core_raw(csum_partial(src, len, 0)),
					ref_raw(src, len));
				assert_int_equal(core_raw(csum_partial_copy(copy, src, len, 0)),
					ref_raw(src, len));
				assert_memory_equal(copy, src, len);
			}
		}
	}
	guard_fini(&guard);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(inline_sums_are_those_of_the_reference),
		cmocka_unit_test_teardown(prefetching_changes_no_sum_and_touches_nothing,
			prefetch_no_more),
	};

	return cmocka_run_group_tests_name("core calls", tests, NULL, NULL);
}
