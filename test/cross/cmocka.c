/* SPDX-License-Identifier: BSD-3-Clause */

#include "cmocka.h"

#include <stdbool.h>

jmp_buf cross_case_end;

static int
run_case(const struct CMUnitTest *test)
{
	void *state = test->initial_state;
	int end = setjmp(cross_case_end);

	if (end == CROSS_PASSED)
		test->test_func(&state);
	return end;
}

/* All cases, or those of one variant: CROSS_ONLY is how their names begin. */
static bool
wanted(const struct CMUnitTest *test)
{
	const char *only = getenv("CROSS_ONLY");

	return only == NULL || strncmp(test->name, only, strlen(only)) == 0;
}

int
_cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t nb_tests,
	int (*setup)(void **state), int (*teardown)(void **state))
{
	static const char *const notes[] = {
		[CROSS_PASSED] = "", [CROSS_FAILED] = "", [CROSS_SKIPPED] = " # SKIP",
	};
	int nb_failed = 0, nb = 0;
	size_t i;

	(void)setup;
	(void)teardown;
	printf("# %s\n", group);
	for (i = 0; i < nb_tests; i++) {
		int end;

		if (!wanted(&tests[i]))
			continue;
		end = run_case(&tests[i]);
		if (end == CROSS_FAILED)
			nb_failed++;
		printf("%sok %d - %s%s\n", end == CROSS_FAILED ? "not " : "", ++nb,
			tests[i].name, notes[end]);
		if (tests[i].teardown_func != NULL)
			tests[i].teardown_func(NULL);
	}
	printf("1..%d\n", nb);
	return nb_failed;
}
