/* SPDX-License-Identifier: BSD-3-Clause */

/* Every variant while others are at work: a thread that changes the source, a signal handler. */

#include <pthread.h>
#include <sched.h>
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

/* Copies under a writer, of all variants together. */
#define NB_COPIES 2000000

/* Copies during which the source must have changed, of each variant; and how long to try. */
#define MIN_CHANGED 100
#define MAX_SECONDS 20

/* What the writer changes: beyond every threshold but those of large buffers. */
#define NB_LINES 11
#define LINE_WORDS 8
#define NB_WORDS (NB_LINES * LINE_WORDS)

static atomic_bool writer_stop;
static atomic_bool writer_begun;

/*
 * Write ascending numbers, one word at a time, so that at any moment the numbers in the source are
 * so many in a row. From cache line to cache line: a copy gets those at different moments.
 */
static void *
change_source(void *arg)
{
	uint64_t number = 0;
	size_t i;

	while (!atomic_load_explicit(&writer_stop, memory_order_relaxed)) {
		for (i = 0; i < NB_WORDS; i++) {
			size_t at = i % NB_LINES * LINE_WORDS + i / NB_LINES;

			__atomic_store_n((uint64_t *)(void *)(src + at * 8), ++number,
				__ATOMIC_RELEASE);
		}
		atomic_store_explicit(&writer_begun, true, memory_order_relaxed);
	}
	return arg;
}

/* Whether a copy of whole words holds numbers that the source never held at one time. */
static bool
changed_meanwhile(const uint8_t *copy, size_t nb_words)
{
	uint64_t word, min = UINT64_MAX, max = 0;
	size_t i;

	for (i = 0; i < nb_words; i++) {
		memcpy(&word, copy + i * 8, sizeof(word));
		min = word < min ? word : min;
		max = word > max ? word : max;
	}
	return nb_words > 0 && max - min >= NB_WORDS;
}

struct outcome {
	unsigned long nb;
	unsigned long nb_changed;
	unsigned long nb_wrong;
	size_t wrong_len;
};

/* Copy while the writer runs: the sum must be that of what lies at dst afterwards. */
static struct outcome
copy_under_writer(const struct csum_variant *variant)
{
	unsigned long nb = NB_COPIES / core_thin() / core_nb_runnable() + 1;
	double end = now() + MAX_SECONDS;
	struct outcome outcome = { 0 };

	while (outcome.nb < nb || (outcome.nb_changed < MIN_CHANGED && now() < end)) {
		size_t skip = outcome.nb % 8 * 8;
		size_t len = 1 + core_random_below(NB_WORDS * 8 - skip);
		size_t off = core_random_below(64);
		uint16_t raw = core_raw(variant->partial_copy(dst + off, src + skip, len, 0));

		if (raw != ref_raw(dst + off, len)) {
			outcome.nb_wrong++;
			outcome.wrong_len = len;
		}
		outcome.nb++;
		outcome.nb_changed += changed_meanwhile(dst + off, len / 8);
	}
	return outcome;
}

/* The thread may run on this CPU alone. */
static void
pin(pthread_t thread, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	assert_int_equal(pthread_setaffinity_np(thread, sizeof(set), &set), 0);
}

/* Keep two threads from taking turns on one CPU; those of a busy machine would. */
static void
pin_apart(pthread_t one, pthread_t other, const cpu_set_t *allowed)
{
	int first = 0, second;

	while (!CPU_ISSET(first, allowed))
		first++;
	for (second = first + 1; !CPU_ISSET(second, allowed); )
		second++;
	pin(one, first);
	pin(other, second);
}

static void
sum_is_that_of_the_copy_under_a_writer(const struct csum_variant *variant)
{
	struct outcome outcome;
	cpu_set_t allowed;
	pthread_t writer;

	assert_int_equal(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	if (CPU_COUNT(&allowed) < 2) {
		print_message("# a thread that writes meanwhile needs a second CPU\n");
		skip();
	}
	atomic_store(&writer_stop, false);
	atomic_store(&writer_begun, false);
	assert_int_equal(pthread_create(&writer, NULL, change_source, NULL), 0);
	while (!atomic_load(&writer_begun))
		;
	pin_apart(pthread_self(), writer, &allowed);
	outcome = copy_under_writer(variant);
	atomic_store(&writer_stop, true);
	assert_int_equal(pthread_join(writer, NULL), 0);
	assert_int_equal(sched_setaffinity(0, sizeof(allowed), &allowed), 0);
	print_message("# %s: the source changed during %lu of %lu copies\n", variant->name,
		outcome.nb_changed, outcome.nb);
	if (outcome.nb_wrong > 0)
		fail_msg("%s: the sum was not that of dst %lu times, last of %zu bytes",
			variant->name, outcome.nb_wrong, outcome.wrong_len);
	/* Otherwise nothing has been shown. */
	assert_true(outcome.nb_changed >= MIN_CHANGED);
}

/* What the handler does; lengths that go through each path of the kernels. */
static const size_t handler_lens[] = { 3, 20, 60, 127, 300, 1448 };

#define NB_HANDLER_LENS (sizeof(handler_lens) / sizeof(handler_lens[0]))

/* Signals that must arrive inside the variant. */
#define NB_INSIDE 1000

static const struct csum_variant *handler_variant;
static uint8_t handler_src[1448];
static uint8_t handler_dst[1448];
static uint16_t handler_raw[NB_HANDLER_LENS];
static volatile sig_atomic_t handler_failures;

/* Whether the main path is inside the variant, and how often the handler has found it there. */
static volatile sig_atomic_t inside;
static volatile sig_atomic_t nb_inside;

static void
handle_alarm(int signum)
{
	size_t i = (size_t)nb_inside % NB_HANDLER_LENS;
	uint32_t sum = handler_variant->partial_copy(handler_dst, handler_src, handler_lens[i], 0);

	if (core_raw(sum) != handler_raw[i] ||
			core_raw(handler_variant->partial(handler_src, handler_lens[i], 0)) !=
			handler_raw[i] ||
			memcmp(handler_dst, handler_src, handler_lens[i]) != 0)
		handler_failures++;
	nb_inside += inside;
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

static void
copy_under_signals(const struct csum_variant *variant)
{
	size_t lens[] = { ROOM, 1448, 200 }, i;
	double end = now() + 20;
	uint16_t raws[3];

	for (i = 0; i < 3; i++)
		raws[i] = ref_raw(src, lens[i]);
	for (i = 0; nb_inside < NB_INSIDE && now() < end; i = (i + 1) % 3) {
		uint32_t sum, copy_sum;

		inside = 1;
		sum = variant->partial(src, lens[i], 0);
		copy_sum = variant->partial_copy(dst, src, lens[i], 0);
		inside = 0;
		assert_int_equal(core_raw(sum), raws[i]);
		assert_int_equal(core_raw(copy_sum), raws[i]);
		assert_memory_equal(dst, src, lens[i]);
	}
	assert_true(nb_inside >= NB_INSIDE);
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
	nb_inside = 0;
	handler_failures = 0;
	assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
	set_alarm(100);
	copy_under_signals(variant);
	set_alarm(0);
	assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
	assert_int_equal(handler_failures, 0);
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
