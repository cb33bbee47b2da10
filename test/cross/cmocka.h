/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _CMOCKA_H_
#define _CMOCKA_H_

/*
 * As much of cmocka as test/core uses, so that its programs run unchanged on CPUs for which the
 * library is not packaged here. Prints TAP; a failure ends its case.
 */

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
	const char *name;
	void (*test_func)(void **state);
	int (*setup_func)(void **state);
	int (*teardown_func)(void **state);
	void *initial_state;
};

enum { CROSS_PASSED, CROSS_FAILED, CROSS_SKIPPED };

extern jmp_buf cross_case_end;

#define cmocka_unit_test(f) { .name = #f, .test_func = f }
#define cmocka_unit_test_teardown(f, down) { .name = #f, .test_func = f, .teardown_func = down }
#define cmocka_run_group_tests_name(group, tests, setup, teardown) \
	_cmocka_run_group_tests(group, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)

int _cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t nb_tests,
	int (*setup)(void **state), int (*teardown)(void **state));

#define print_message(...) printf(__VA_ARGS__)
#define skip() longjmp(cross_case_end, CROSS_SKIPPED)
#define fail_msg(...) \
	do { \
		printf("# " __VA_ARGS__); \
		printf("\n# at %s:%d\n", __FILE__, __LINE__); \
		longjmp(cross_case_end, CROSS_FAILED); \
	} while (0)

#define assert_true(c) \
	do { \
		if (!(c)) \
			fail_msg("%s", #c); \
	} while (0)
#define assert_null(p) assert_true((p) == NULL)
#define assert_non_null(p) assert_true((p) != NULL)
#define assert_ptr_equal(a, b) assert_true((a) == (b))
#define assert_int_equal(a, b) assert_true((uintmax_t)(a) == (uintmax_t)(b))
#define assert_int_not_equal(a, b) assert_true((uintmax_t)(a) != (uintmax_t)(b))
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_memory_equal(a, b, len) assert_true(memcmp(a, b, len) == 0)

#endif /* _CMOCKA_H_ */
