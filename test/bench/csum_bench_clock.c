/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Time, and what it is worth. A core may share its execution units with a neighbour, another
 * thread of the same core, that no performance counter of a virtual machine shows. A loop that
 * fills all slots of a cycle tells: it takes longer when somebody else takes some. The core is
 * quiet as long as it takes little more cycles than it ever did. A chain of additions, each waiting
 * for the one before, takes a cycle an addition whoever else is there, and so gives the clock.
 */

#include <time.h>

#include "csum_bench.h"

#define CHAIN_ADDS 8192
#define FILL_STEPS 2048
#define NB_CHAINS 64

/* What the loop may take on a quiet core, by the least it ever did; half-busy, it takes 1.04. */
#define TOLERANCE 1.03

/* From this on somebody else is on the core; and from this on it was not even ours. */
#define BUSY 1.3
#define INTERRUPTED 3
#define MIN_START_NS 200e6

#define OPAQUE(value) __asm__ volatile("" : "+r"(value))

/* The clock may have changed after so many probes of a busy core. */
#define NB_BUSY_PROBES 2048

/* Of the chain, of late; and the lowest ratio of the filling loop's time to that. */
static double chain_lowest_ns;
static double lowest_ratio = 1e9;

double
clock_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double
chain_ns(void)
{
	double begin = clock_now_ns();
	unsigned long value = 1, step = 3;
	unsigned int i;

	OPAQUE(step);
	for (i = 0; i < CHAIN_ADDS / 8; i++) {
#pragma GCC unroll 8
		for (unsigned int j = 0; j < 8; j++) {
			value += step;
			OPAQUE(value);
		}
	}
	return clock_now_ns() - begin;
}

/* More independent additions and loads than any core starts in a cycle. */
static double
fill_ns(void)
{
	static volatile unsigned long words[8];
	unsigned long sums[8] = { 0 };
	double begin = clock_now_ns();
	unsigned int i;

	for (i = 0; i < FILL_STEPS; i++) {
#pragma GCC unroll 8
		for (unsigned int j = 0; j < 8; j++) {
			sums[j] += i;
			OPAQUE(sums[j]);
			if (j % 2 == 0)
				(void)words[j];
		}
	}
	return clock_now_ns() - begin;
}

double
clock_core_ghz(void)
{
	double ns;
	unsigned int i;

	chain_lowest_ns = chain_ns();
	for (i = 1; i < NB_CHAINS; i++) {
		ns = chain_ns();
		if (ns < chain_lowest_ns)
			chain_lowest_ns = ns;
	}
	return CHAIN_ADDS / chain_lowest_ns;
}

static double
fill_ratio(void)
{
	double ratio = fill_ns() / chain_lowest_ns;

	if (ratio >= lowest_ratio)
		return ratio;
	/* A quieter core, or a faster clock? */
	clock_core_ghz();
	ratio = fill_ns() / chain_lowest_ns;
	if (ratio < lowest_ratio)
		lowest_ratio = ratio;
	return ratio;
}

bool
clock_is_quiet(void)
{
	static unsigned int nb_busy;
	double ratio = fill_ratio();

	if (ratio <= lowest_ratio * TOLERANCE)
		return true;
	if (++nb_busy % NB_BUSY_PROBES == 0)
		clock_core_ghz();
	return false;
}

double
clock_quiet_ratio(void)
{
	return lowest_ratio;
}

void
clock_start(double limit_ns)
{
	double begin = clock_now_ns(), ratio, highest = 0;

	clock_core_ghz();
	do {
		ratio = fill_ratio();
		if (ratio > highest && ratio < lowest_ratio * INTERRUPTED)
			highest = ratio;
		if (highest > lowest_ratio * BUSY && limit_ns > MIN_START_NS)
			limit_ns = MIN_START_NS;
	} while (clock_now_ns() - begin < limit_ns);
}
