/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Every variant, stopped behind each instruction it executes: what a thread that changes the
 * source, or a signal handler that sums too, does once in a million times, happens every time.
 */

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <ucontext.h>

#include <ref_csum.h>

#include "core_test.h"

/* Intel SDM vol. 1, 3.4.3.3: EFLAGS.TF traps behind each instruction. */
#define TRAP_FLAG 0x100

#define ROOM 1600

static uint8_t src[ROOM] __attribute__((aligned(64)));
static uint8_t dst[ROOM] __attribute__((aligned(64)));

/* What is done behind each instruction, and how often it was. */
static void (*at_each_step)(void);
static volatile sig_atomic_t stepping;
static volatile sig_atomic_t nb_steps;

/* The flag lies in the saved state; the handler itself runs without it. */
static void
handle_step(int signum, siginfo_t *info, void *context)
{
	greg_t *flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];

	if (!stepping) {
		*flags &= ~(greg_t)TRAP_FLAG;
		return;
	}
	*flags |= TRAP_FLAG;
	nb_steps++;
	at_each_step();
}

static uint32_t
copy_by_steps(const struct csum_variant *variant, size_t dst_off, size_t len, void (*step)(void))
{
	struct sigaction action = { .sa_sigaction = handle_step, .sa_flags = SA_SIGINFO }, before;
	uint32_t sum;

	at_each_step = step;
	assert_int_equal(sigaction(SIGTRAP, &action, &before), 0);
	stepping = 1;
	raise(SIGTRAP);
	sum = variant->partial_copy(dst + dst_off, src, len, 0);
	stepping = 0;
	/* The trap behind one of these instructions takes the flag back. */
	__asm__ volatile("nop; nop");
	assert_int_equal(sigaction(SIGTRAP, &before, NULL), 0);
	return sum;
}

/* The signal that starts the stepping is a step too: an emulator without the flag has no other. */
static void
skip_unless_it_steps(const struct csum_variant *variant, void (*step)(void))
{
	nb_steps = 0;
	copy_by_steps(variant, 0, 8, step);
	if (nb_steps > 1)
		return;
	print_message("# this machine has no single steps\n");
	skip();
}

/* All that are short, then some of every kind, to any alignment; a step costs microseconds. */
static size_t
next_len(size_t len)
{
	return len + (len < 34 ? 1 : len < 200 ? 17 : 401);
}

static size_t
dst_off_for(size_t len)
{
	return len * 13 % 64;
}

static void
change_source(void)
{
	size_t i;

	for (i = 0; i < ROOM; i++)
		src[i] = (uint8_t)(src[i] + 1 + i % 3 * 0x35);
}

static void
sum_is_that_of_the_copy(const struct csum_variant *variant)
{
	size_t len;

	core_random(src, ROOM);
	skip_unless_it_steps(variant, change_source);
	for (len = 0; len < ROOM - 64; len = next_len(len)) {
		size_t off = dst_off_for(len);
		uint16_t raw = core_raw(copy_by_steps(variant, off, len, change_source));

		if (raw != ref_raw(dst + off, len))
			fail_msg("%s: %zu bytes to %zu mod 64: the sum is not that of dst",
				variant->name, len, off);
	}
}

static const struct csum_variant *inner_variant;
static uint8_t inner_dst[ROOM];
static uint8_t inner_src[ROOM];
static uint16_t inner_raw;
static size_t inner_len;
static unsigned int inner_failures;

static void
sum_inside(void)
{
	uint32_t sum = inner_variant->partial_copy(inner_dst, inner_src, inner_len, 0);

	if (core_raw(sum) != inner_raw || memcmp(inner_dst, inner_src, inner_len) != 0)
		inner_failures++;
}

static void
handler_sums_too(const struct csum_variant *variant)
{
	size_t len;

	core_random(src, ROOM);
	core_random(inner_src, ROOM);
	inner_variant = variant;
	inner_failures = 0;
	inner_len = 0;
	inner_raw = 0;
	skip_unless_it_steps(variant, sum_inside);
	for (len = 0; len < ROOM - 64; len = next_len(len)) {
		size_t off = dst_off_for(len);

		inner_len = len * 7 % (ROOM - 64);
		inner_raw = ref_raw(inner_src, inner_len);
		assert_int_equal(core_raw(copy_by_steps(variant, off, len, sum_inside)),
			ref_raw(src, len));
		assert_memory_equal(dst + off, src, len);
		assert_int_equal(inner_failures, 0);
	}
}

int
main(void)
{
	static const struct core_check checks[] = {
		{ "sum is that of the copy while the source changes", sum_is_that_of_the_copy },
		{ "signal handler sums too", handler_sums_too },
	};

	return core_run("core step", checks, sizeof(checks) / sizeof(checks[0]));
}
