/* SPDX-License-Identifier: BSD-3-Clause */

/* Listing, finding, choosing and limiting variants. */

#include <errno.h>
#include <string.h>

#include <ref_csum.h>

#include "core_test.h"

static int
use_best_again(void **state)
{
	csum_variant_limit(~0u);
	return 0;
}

static void
list_begins_with_generic_and_widens(void **state)
{
	const struct csum_variant *variant;
	unsigned int i, bits = 0;

	assert_string_equal(csum_variant_get(0)->name, "generic");
	assert_int_equal(csum_variant_runs(csum_variant_get(0)), 1);
	for (i = 0; (variant = csum_variant_get(i)) != NULL; i++) {
		assert_true(variant->bits >= bits);
		bits = variant->bits;
	}
	assert_null(csum_variant_get(i + 1));
	assert_null(csum_variant_get(~0u));
}

static void
every_variant_is_found_by_its_name(void **state)
{
	const struct csum_variant *variant;
	unsigned int i;

	for (i = 0; (variant = csum_variant_get(i)) != NULL; i++)
		assert_ptr_equal(csum_variant_find(variant->name), variant);
	assert_null(csum_variant_find("avx1024"));
	assert_null(csum_variant_find(""));
	assert_null(csum_variant_find("gener"));
}

/* The best one within a limit, found from the list alone. */
static const struct csum_variant *
best_within(unsigned int bits)
{
	const struct csum_variant *best = csum_variant_get(0), *variant;
	unsigned int i;

	for (i = 0; (variant = csum_variant_get(i)) != NULL; i++)
		if (variant->bits <= bits && csum_variant_runs(variant) == 1)
			best = variant;
	return best;
}

/* Runs first: nothing has been chosen yet but by the constructor. */
static void
best_variant_of_256_bits_is_in_use_at_load(void **state)
{
	assert_ptr_equal(csum_variant_current(), best_within(256));
}

static void
limit_takes_the_best_that_is_no_wider(void **state)
{
	static const unsigned int limits[] = {
		0, 1, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 1024, ~0u,
	};
	size_t i;

	for (i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		const struct csum_variant *best = best_within(limits[i]);

		assert_ptr_equal(csum_variant_limit(limits[i]), best);
		assert_ptr_equal(csum_variant_current(), best);
	}
}

static void
limit_can_be_lifted_again(void **state)
{
	assert_string_equal(csum_variant_limit(0)->name, "generic");
	assert_ptr_equal(csum_variant_limit(~0u), best_within(~0u));
}

/* Under an emulator of a lesser CPU some of them are refused. */
static void
variant_that_runs_is_used_and_another_refused(void **state)
{
	const struct csum_variant *variant, *before;
	unsigned int i;

	for (i = 0; (variant = csum_variant_get(i)) != NULL; i++) {
		before = csum_variant_current();
		if (csum_variant_runs(variant) == 1) {
			assert_int_equal(csum_variant_use(variant), 0);
			assert_ptr_equal(csum_variant_current(), variant);
		} else {
			assert_int_equal(csum_variant_use(variant), -ENOTSUP);
			assert_ptr_equal(csum_variant_current(), before);
		}
	}
}

static void
what_is_no_variant_is_refused(void **state)
{
	const struct csum_variant *before = csum_variant_current();
	const struct csum_variant stranger = *before;

	assert_int_equal(csum_variant_use(NULL), -EINVAL);
	assert_int_equal(csum_variant_runs(NULL), 0);
	assert_int_equal(csum_variant_runs(&stranger), 0);
	assert_int_equal(csum_variant_use(&stranger), -ENOTSUP);
	assert_ptr_equal(csum_variant_current(), before);
}

static void
public_functions_go_by_the_variant_in_use(void **state)
{
	const struct csum_variant *variant;
	uint8_t bytes[333], copy[333];
	unsigned int i;

	core_random(bytes, sizeof(bytes));
	for (i = 0; (variant = csum_variant_get(i)) != NULL; i++) {
		if (csum_variant_use(variant) != 0)
			continue;
		assert_int_equal(csum_partial(bytes, sizeof(bytes), 7),
			variant->partial(bytes, sizeof(bytes), 7));
		memset(copy, 0, sizeof(copy));
		assert_int_equal(core_raw(csum_partial_copy(copy, bytes, sizeof(bytes), 0)),
			ref_raw(bytes, sizeof(bytes)));
		assert_memory_equal(copy, bytes, sizeof(bytes));
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(best_variant_of_256_bits_is_in_use_at_load),
		cmocka_unit_test(list_begins_with_generic_and_widens),
		cmocka_unit_test(every_variant_is_found_by_its_name),
		cmocka_unit_test_teardown(limit_takes_the_best_that_is_no_wider, use_best_again),
		cmocka_unit_test(limit_can_be_lifted_again),
		cmocka_unit_test_teardown(variant_that_runs_is_used_and_another_refused,
			use_best_again),
		cmocka_unit_test(what_is_no_variant_is_refused),
		cmocka_unit_test_teardown(public_functions_go_by_the_variant_in_use,
			use_best_again),
	};

	return cmocka_run_group_tests_name("core choice", tests, NULL, NULL);
}
