/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _CORE_TEST_H_
#define _CORE_TEST_H_

/*
 * What the tests of the core share. Like the core it needs no DPDK, so that its tests run under
 * any emulator. Raw sums are compared as numbers in network order, as the RFCs print them.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <csum.h>
#include <guard.h>

/* A check that each variant has to pass, as a case of its own. */
struct core_check {
	const char *name;
	void (*check)(const struct csum_variant *variant);
};

/*
 * Run every check on every variant, as cases named "variant name"; those of a variant that this
 * CPU cannot run are skipped. Returns what main() shall.
 */
int core_run(const char *group, const struct core_check *checks, size_t nb_checks);

/* Variants that this CPU can run. */
unsigned int core_nb_runnable(void);

/*
 * One in how many cases of a product is to be tested: the environment's CORE_THIN, for emulators
 * and sanitizers, else 1. Printed if it is not 1.
 */
unsigned int core_thin(void);

/* Whether to test this case of a product: at random, true once in core_thin() calls. */
bool core_picked(void);

/* A random number below @p limit; depends on SEED like core_random(). */
size_t core_random_below(size_t limit);

/* Fold a partial sum to a number in network order. */
uint16_t core_raw(uint32_t sum);

/* Fill with bytes i mod 251: the buffer P(n) of the fault collection. */
void core_ramp(uint8_t *buf, size_t len);

/* Fill with random bytes that depend on the environment's SEED, which is printed once. */
void core_random(uint8_t *buf, size_t len);

/*
 * Sum @p src and copy it to @p dst with a variant, both from the partial @p sum. Fail, and say at
 * which lengths and alignments, unless both give @p raw, the bytes at @p dst are those at @p src,
 * and those around @p dst are untouched.
 */
void core_check_both(const struct csum_variant *variant, const struct guard *dst_guard,
	uint8_t *dst, const uint8_t *src, size_t len, uint32_t sum, uint16_t raw);

#endif /* _CORE_TEST_H_ */
