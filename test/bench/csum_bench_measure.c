/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Batches of calls, in turns: in one order, then in the other, so that what disturbs the machine
 * meets all alike. A batch counts if the core was quiet before and after it, until a cell has used
 * its patience up; then it ends, and the few batches that it lacks count as they are.
 */

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <csum.h>

#include "csum_bench.h"
#include "ref_csum.h"

#define LINE 64
#define ROUNDS_MIN 11

/* All batches of a cell together; waiting for a quiet core, for ROUNDS_MAX rounds. At most. */
#define CELL_NS 400e6
#define PATIENCE_NS 1200e6

/* Calls that bring code and branch predictors back before a batch begins. */
#define WARM_UP_MAX 16

/* Timer steps are 10 ns or more; reads from DRAM vary from call to call. */
static const double batch_ns[NB_RESIDENCIES] = {
	[RESIDENCY_L1] = 4e3,
	[RESIDENCY_L2] = 5e3,
	[RESIDENCY_L3] = 10e3,
	[RESIDENCY_DRAM] = 40e3,
};

static unsigned long batches, disturbed;

/* Those of the calls: NB_RANDOM_LENS, more than a branch predictor learns, or one. */
static uint16_t lens[NB_RANDOM_LENS];
static size_t lens_mask;

static void
lens_init(const struct cell *cell)
{
	unsigned int range = cell->len_max - cell->len_min + 1u;
	size_t i;

	if (range == 1) {
		lens[0] = cell->len_min;
		lens_mask = 0;
		return;
	}
	for (i = 0; i < NB_RANDOM_LENS; i++)
		lens[i] = (uint16_t)(cell->len_min + (unsigned int)random() % range);
	lens_mask = NB_RANDOM_LENS - 1;
}

/* Of a pair that is used soon; what only is written is fetched for that. */
static inline void
prefetch(const struct ring *ring, size_t pos, size_t len, bool written)
{
	size_t off;

	for (off = 0; off < len; off += LINE) {
		__builtin_prefetch(ring->src + pos + off, 0);
		if (written)
			__builtin_prefetch(ring->dst + pos + off, 1);
	}
}

/* What a call is made of. */
enum kind { KIND_COPY, KIND_PLAIN, KIND_PLAIN_AND_SUM, KIND_SUM };

static enum kind
kind_of(const struct impl *impl)
{
	if (impl->copy != NULL)
		return KIND_COPY;
	if (impl->plain == NULL)
		return KIND_SUM;
	return impl->sum == NULL ? KIND_PLAIN : KIND_PLAIN_AND_SUM;
}

static inline __attribute__((always_inline)) uint32_t
call(const struct impl *impl, enum kind kind, uint8_t *dst, const uint8_t *src, size_t len)
{
	switch (kind) {
	case KIND_COPY:
		return impl->copy(dst, src, len, 0);
	case KIND_SUM:
		return impl->sum(src, len, 0);
	case KIND_PLAIN:
		impl->plain(dst, src, len);
		return 0;
	default:
		impl->plain(dst, src, len);
		return impl->sum(dst, len, 0);
	}
}

/* Which pairs are used: the same one, or all in turn, without prefetching or with it. */
enum turns { TURNS_NONE, TURNS_ALL, TURNS_AHEAD };

/*
 * One loop for each, with all that it needs in registers: a spill between two calls is a store
 * between those of copies, and was seen to make each of them 10 cycles longer.
 */
static inline __attribute__((always_inline)) uint32_t
walk(const struct impl *impl, const enum kind kind, struct ring *ring, const enum turns turns,
     unsigned int nb_calls, size_t ahead)
{
	const struct impl local = *impl;
	const struct ring r = *ring;
	const size_t mask = lens_mask;
	size_t pos = r.pos, soon, len;
	uint32_t total = 0;
	unsigned int i;

	for (i = 0; i < nb_calls; i++) {
		len = lens[i & mask];
		if (turns == TURNS_AHEAD) {
			soon = pos + ahead;
			prefetch(&r, soon < r.size ? soon : soon - r.size, len, kind != KIND_SUM);
		}
		total += call(&local, kind, r.dst + pos, r.src + pos, len);
		if (turns == TURNS_NONE)
			continue;
		pos += r.step;
		if (pos >= r.size)
			pos -= r.size;
	}
	ring->pos = pos;
	return total;
}

typedef uint32_t (*walk_fn)(const struct impl *impl, struct ring *ring, unsigned int nb_calls,
			    size_t ahead);

/* A function each, so that each has the registers for itself. */
#define DEFINE_WALK(name, kind, turns) \
static __attribute__((noinline)) uint32_t \
walk_##name(const struct impl *impl, struct ring *ring, unsigned int nb_calls, size_t ahead) \
{ \
	return walk(impl, kind, ring, turns, nb_calls, ahead); \
}

#define DEFINE_WALKS(name, kind) \
DEFINE_WALK(name, kind, TURNS_NONE) \
DEFINE_WALK(all_##name, kind, TURNS_ALL) \
DEFINE_WALK(ahead_##name, kind, TURNS_AHEAD)

DEFINE_WALKS(copy, KIND_COPY)
DEFINE_WALKS(plain, KIND_PLAIN)
DEFINE_WALKS(plain_and_sum, KIND_PLAIN_AND_SUM)
DEFINE_WALKS(sum, KIND_SUM)

static enum turns
turns_of(const struct cell *cell)
{
	if (cell->ahead != 0)
		return TURNS_AHEAD;
	return cell->residency == RESIDENCY_L1 ? TURNS_NONE : TURNS_ALL;
}

static void
run(const struct cell *cell, const struct impl *impl, struct ring *ring, unsigned int nb_calls)
{
	static const walk_fn walks[][3] = {
		[KIND_COPY] = { walk_copy, walk_all_copy, walk_ahead_copy },
		[KIND_PLAIN] = { walk_plain, walk_all_plain, walk_ahead_plain },
		[KIND_PLAIN_AND_SUM] = {
			walk_plain_and_sum, walk_all_plain_and_sum, walk_ahead_plain_and_sum,
		},
		[KIND_SUM] = { walk_sum, walk_all_sum, walk_ahead_sum },
	};
	volatile uint32_t sink;

	sink = walks[kind_of(impl)][turns_of(cell)](impl, ring, nb_calls,
		cell->ahead * ring->step % ring->size);
	(void)sink;
}

/* What is measured has to be right as well. */
static void
check(const struct cell *cell, const struct impl *impl, struct ring *ring)
{
	size_t len = cell->len_max;
	uint32_t sum;

	memset(ring->dst, 0, len);
	sum = call(impl, kind_of(impl), ring->dst, ring->src, len);
	if ((impl->op == OP_COPY && memcmp(ring->dst, ring->src, len) != 0) ||
	    (impl->sums && ntohs(csum_sum_fold(sum)) != ref_raw(ring->src, len))) {
		fprintf(stderr, "csum-bench: %s is wrong at %zu bytes\n", impl->name, len);
		exit(1);
	}
}

static double
timed_ns(const struct cell *cell, const struct impl *impl, struct ring *ring,
	 unsigned int nb_calls)
{
	double begin;

	csum_prefetch_ahead(impl->ahead);
	run(cell, impl, ring, nb_calls < WARM_UP_MAX ? nb_calls : WARM_UP_MAX);
	begin = clock_now_ns();
	run(cell, impl, ring, nb_calls);
	return (clock_now_ns() - begin) / nb_calls;
}

/* As many calls as make a batch long enough; random lengths are all taken. */
static unsigned int
calls_of_batch(const struct cell *cell, const struct impl *impl, struct ring *ring, double *ns)
{
	const unsigned int nb_trial = 16;
	unsigned int i, nb_calls;
	double trial;

	*ns = timed_ns(cell, impl, ring, nb_trial);
	for (i = 0; i < 4; i++) {
		trial = timed_ns(cell, impl, ring, nb_trial);
		if (trial < *ns)
			*ns = trial;
	}
	if (lens_mask != 0)
		return NB_RANDOM_LENS;
	nb_calls = (unsigned int)(batch_ns[cell->residency] / *ns);
	return nb_calls > 0 ? nb_calls : 1;
}

static unsigned int
affordable_rounds(double round_ns, unsigned int rounds_max)
{
	double fit = CELL_NS / round_ns;

	if (fit >= rounds_max)
		return rounds_max;
	if (fit < ROUNDS_MIN)
		return rounds_max < ROUNDS_MIN ? rounds_max : ROUNDS_MIN;
	return (unsigned int)fit | 1;
}

/* Until the core is quiet, or patience is at its end. */
static bool
wait_quiet(double *patience_ns)
{
	double begin = clock_now_ns(), now;
	bool quiet;

	do {
		quiet = clock_is_quiet();
		now = clock_now_ns();
	} while (!quiet && now - begin < *patience_ns);
	*patience_ns -= now - begin;
	return quiet;
}

static double
quiet_batch_ns(const struct cell *cell, const struct impl *impl, struct ring *ring,
	       unsigned int nb_calls, double *patience_ns)
{
	bool quiet;
	double ns;

	do {
		quiet = wait_quiet(patience_ns);
		ns = timed_ns(cell, impl, ring, nb_calls);
		quiet = quiet && clock_is_quiet();
		*patience_ns -= quiet ? 0 : ns * nb_calls;
	} while (!quiet && *patience_ns > 0);
	batches++;
	disturbed += quiet ? 0 : 1;
	return ns;
}

static unsigned int
measure_rounds(const struct cell *cell, const struct impl *const *impls, size_t nb,
	       unsigned int rounds_max, const unsigned int *nb_calls, struct ring *ring,
	       struct result *results)
{
	static double patience_ns; /* what earlier cells did not need stays */
	unsigned int round;
	size_t i, turn;

	patience_ns += PATIENCE_NS * rounds_max / ROUNDS_MAX;
	for (round = 0; round < rounds_max && (patience_ns > 0 || round < ROUNDS_MIN); round++) {
		ring_shift(ring, round);
		for (turn = 0; turn < nb; turn++) {
			i = round % 2 == 0 ? turn : nb - 1 - turn;
			results[i].ns[round] = quiet_batch_ns(cell, impls[i], ring, nb_calls[i],
							      &patience_ns);
		}
	}
	return round;
}

unsigned int
measure(const struct cell *cell, const struct impl *const *impls, size_t nb,
	unsigned int rounds_max, struct result *results, double *ghz)
{
	unsigned int nb_calls[NB_IMPLS_MAX], rounds;
	double round_ns = 0, quiet_ratio, ns;
	struct ring ring;
	size_t i;

	ring_init(&ring, cell);
	lens_init(cell);
	for (i = 0; i < nb; i++) {
		check(cell, impls[i], &ring);
		nb_calls[i] = calls_of_batch(cell, impls[i], &ring, &ns);
		round_ns += nb_calls[i] * ns;
	}
	rounds_max = affordable_rounds(round_ns, rounds_max);
	/* Again, if what passed for quiet until now was not. */
	do {
		quiet_ratio = clock_quiet_ratio();
		*ghz = clock_core_ghz();
		rounds = measure_rounds(cell, impls, nb, rounds_max, nb_calls, &ring, results);
	} while (clock_quiet_ratio() < quiet_ratio * 0.9);
	return rounds;
}

void
measure_count(unsigned long *nb_batches, unsigned long *nb_disturbed)
{
	*nb_batches = batches;
	*nb_disturbed = disturbed;
}
