/* SPDX-License-Identifier: BSD-3-Clause */

/* Every variant while others are at work: a thread that changes the source, a signal handler. */

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include <ref_csum.h>

#include "core_test.h"

#define ROOM 9000

static uint8_t src[ROOM] __attribute__((aligned(64)));
static uint8_t dst[ROOM] __attribute__((aligned(64)));

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

#define WRITTEN 704

static atomic_bool writer_stop;
static atomic_ulong writer_rounds;

static void *
change_source(void *arg)
{
	unsigned long round = 0;
	size_t i;

	while (!atomic_load_explicit(&writer_stop, memory_order_relaxed)) {
		for (i = 0; i < WRITTEN; i += 8)
			__atomic_store_n((uint64_t *)(void *)(src + i),
				++round * 0x9e3779b97f4a7c15, __ATOMIC_RELAXED);
		atomic_store_explicit(&writer_rounds, round, memory_order_relaxed);
	}
	return arg;
}

/* Copy while the writer runs: the sum must be that of what lies at dst afterwards. */
static void
copy_under_writer(const struct csum_variant *variant)
{
	double end = now() + 0.5;
	unsigned long nb_changed = 0;
	size_t len = 1;

	while (now() < end)
		for (len = 1; len < WRITTEN - 8; len++) {
			size_t off = len * 5 % 8;
			uint16_t raw = core_raw(variant->partial_copy(dst + off, src, len, 0));

			if (raw != ref_raw(dst + off, len))
				fail_msg("%s: %zu bytes to %zu mod 8: the sum is not that of dst",
					variant->name, len, off);
			nb_changed += memcmp(dst + off, src, len) != 0;
		}
	/* Otherwise nothing has been shown. */
	assert_int_not_equal(nb_changed, 0);
}

static void
sum_is_that_of_the_copy_under_a_writer(const struct csum_variant *variant)
{
	pthread_t writer;

	atomic_store(&writer_stop, false);
	atomic_store(&writer_rounds, 0);
	assert_int_equal(pthread_create(&writer, NULL, change_source, NULL), 0);
	while (atomic_load(&writer_rounds) == 0)
		;
	copy_under_writer(variant);
	atomic_store(&writer_stop, true);
	assert_int_equal(pthread_join(writer, NULL), 0);
}

/* What the handler does; lengths that go through each path of the kernels. */
static const size_t handler_lens[] = { 3, 20, 60, 127, 1448 };

#define NB_HANDLER_LENS (sizeof(handler_lens) / sizeof(handler_lens[0]))

static const struct csum_variant *handler_variant;
static uint8_t handler_src[1448];
static uint8_t handler_dst[1448];
static uint16_t handler_raw[NB_HANDLER_LENS];
static volatile sig_atomic_t handler_runs;
static volatile sig_atomic_t handler_failures;

static void
handle_alarm(int signum)
{
	size_t i = (size_t)handler_runs % NB_HANDLER_LENS;
	uint32_t sum = handler_variant->partial_copy(handler_dst, handler_src, handler_lens[i], 0);

	if (core_raw(sum) != handler_raw[i] ||
			memcmp(handler_dst, handler_src, handler_lens[i]) != 0)
		handler_failures++;
	handler_runs++;
}

static void
set_alarm(suseconds_t period_us)
{
	struct itimerval timer = {
		.it_interval = { .tv_usec = period_us },
		.it_value = { .tv_usec = period_us },
	};

	assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
}

/* Nearly all time passes inside the variant, and so do the signals. */
static void
copy_under_signals(const struct csum_variant *variant)
{
	uint16_t raw = ref_raw(src, ROOM);
	double end = now() + 5;

	while (handler_runs < 1000 && now() < end) {
		assert_int_equal(core_raw(variant->partial(src, ROOM, 0)), raw);
		assert_int_equal(core_raw(variant->partial_copy(dst, src, ROOM, 0)), raw);
	}
	assert_memory_equal(dst, src, ROOM);
}

static void
signal_handler_may_sum_too(const struct csum_variant *variant)
{
	struct sigaction action = { .sa_handler = handle_alarm }, before;
	size_t i;

	core_random(src, ROOM);
	core_random(handler_src, sizeof(handler_src));
	for (i = 0; i < NB_HANDLER_LENS; i++)
		handler_raw[i] = ref_raw(handler_src, handler_lens[i]);
	handler_variant = variant;
	handler_runs = 0;
	handler_failures = 0;
	assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
	set_alarm(100);
	copy_under_signals(variant);
	set_alarm(0);
	assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
	assert_int_equal(handler_failures, 0);
	assert_int_not_equal(handler_runs, 0);
}

int
main(void)
{
	static const struct core_check checks[] = {
		{ "sum is that of the copy under a writer",
			sum_is_that_of_the_copy_under_a_writer },
		{ "signal handler may sum too", signal_handler_may_sum_too },
	};

	return core_run("core live", checks, sizeof(checks) / sizeof(checks[0]));
}
