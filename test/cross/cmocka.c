/* SPDX-License-Identifier: BSD-3-Clause */

#include "cmocka.h"

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

int
_cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t nb_tests,
	int (*setup)(void **state), int (*teardown)(void **state))
{
	static const char *const notes[] = {
		[CROSS_PASSED] = "", [CROSS_FAILED] = "", [CROSS_SKIPPED] = " # SKIP",
	};
	int nb_failed = 0;
	size_t i;

	(void)setup;
	(void)teardown;
	printf("# %s\n1..%zu\n", group, nb_tests);
	for (i = 0; i < nb_tests; i++) {
		int end = run_case(&tests[i]);

		if (end == CROSS_FAILED)
			nb_failed++;
		printf("%sok %zu - %s%s\n", end == CROSS_FAILED ? "not " : "", i + 1,
			tests[i].name, notes[end]);
		if (tests[i].teardown_func != NULL)
			tests[i].teardown_func(NULL);
	}
	return nb_failed;
}
