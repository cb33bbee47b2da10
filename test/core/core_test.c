/* SPDX-License-Identifier: BSD-3-Clause */

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core_test.h"

struct core_case {
	const struct csum_variant *variant;
	void (*check)(const struct csum_variant *variant);
	char name[96];
};

static void
run_case(void **state)
{
	const struct core_case *run = *state;

	if (csum_variant_runs(run->variant) == 0) {
		print_message("# this CPU cannot run %s\n", run->variant->name);
		skip();
	}
	run->check(run->variant);
}

static unsigned int
count_variants(void)
{
	unsigned int nb = 0;

	while (csum_variant_get(nb) != NULL)
		nb++;
	return nb;
}

unsigned int
core_nb_runnable(void)
{
	unsigned int i, nb = 0;

	for (i = 0; i < count_variants(); i++)
		nb += csum_variant_runs(csum_variant_get(i)) == 1;
	return nb;
}

int
core_run(const char *group, const struct core_check *checks, size_t nb_checks)
{
	size_t nb = count_variants() * nb_checks, i;
	struct core_case *cases = calloc(nb, sizeof(*cases));
	struct CMUnitTest *tests = calloc(nb, sizeof(*tests));
	int nb_failed;

	if (cases == NULL || tests == NULL)
		abort();
	for (i = 0; i < nb; i++) {
		const struct core_check *check = &checks[i % nb_checks];

		cases[i].variant = csum_variant_get((unsigned int)(i / nb_checks));
		cases[i].check = check->check;
		snprintf(cases[i].name, sizeof(cases[i].name), "%s %s", cases[i].variant->name,
			check->name);
		tests[i].name = cases[i].name;
		tests[i].test_func = run_case;
		tests[i].initial_state = &cases[i];
	}
	nb_failed = _cmocka_run_group_tests(group, tests, nb, NULL, NULL);
	free(tests);
	free(cases);
	return nb_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

uint16_t
core_raw(uint32_t sum)
{
	return ntohs(csum_sum_fold(sum));
}

void
core_ramp(uint8_t *buf, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		buf[i] = (uint8_t)(i % 251);
}

static uint64_t
seed(void)
{
	const char *env = getenv("SEED");
	uint64_t value = env != NULL ? strtoull(env, NULL, 0) : (uint64_t)time(NULL);

	printf("# SEED=%llu\n", (unsigned long long)value);
	return value;
}

/* Knuth's MMIX generator; only its upper bits are random. */
static uint64_t
next_random(void)
{
	static uint64_t state;

	if (state == 0)
		state = seed();
	state = state * 6364136223846793005u + 1442695040888963407u;
	return state >> 32;
}

void
core_random(uint8_t *buf, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		buf[i] = (uint8_t)(next_random() >> 24);
}

size_t
core_random_below(size_t limit)
{
	return (size_t)(next_random() * limit >> 32);
}

unsigned int
core_thin(void)
{
	static unsigned int thin;
	const char *env = getenv("CORE_THIN");

	if (thin == 0) {
		thin = env != NULL && atoi(env) > 1 ? (unsigned int)atoi(env) : 1;
		if (thin > 1)
			printf("# CORE_THIN=%u: one in %u cases of each product\n", thin, thin);
	}
	return thin;
}

bool
core_picked(void)
{
	return core_thin() == 1 || core_random_below(core_thin()) == 0;
}

static void
check_raw(const struct csum_variant *variant, const char *op, const uint8_t *dst,
	const uint8_t *src, size_t len, uint32_t sum, uint16_t got, uint16_t raw)
{
	if (got != raw)
		fail_msg("%s %s: %zu bytes from %zu to %zu mod 64, begun with %#x:"
			" raw sum %#06x, must be %#06x", variant->name, op, len,
			(size_t)((uintptr_t)src % 64), (size_t)((uintptr_t)dst % 64), sum, got,
			raw);
}

void
core_check_both(const struct csum_variant *variant, const struct guard *dst_guard,
	uint8_t *dst, const uint8_t *src, size_t len, uint32_t sum, uint16_t raw)
{
	uint16_t got = core_raw(variant->partial(src, len, sum));

	check_raw(variant, "sum", dst, src, len, sum, got, raw);
	guard_canaries_set(dst_guard, dst, len);
	got = core_raw(variant->partial_copy(dst, src, len, sum));
	check_raw(variant, "copy", dst, src, len, sum, got, raw);
	if (memcmp(dst, src, len) != 0)
		fail_msg("%s: %zu bytes from %zu to %zu mod 64 are not those copied",
			variant->name, len, (size_t)((uintptr_t)src % 64),
			(size_t)((uintptr_t)dst % 64));
	if (!guard_canaries_ok(dst_guard, dst, len))
		fail_msg("%s: %zu bytes from %zu to %zu mod 64: wrote beside them",
			variant->name, len, (size_t)((uintptr_t)src % 64),
			(size_t)((uintptr_t)dst % 64));
}
