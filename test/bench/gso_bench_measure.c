/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdlib.h>

#include <rte_cycles.h>
#include <rte_debug.h>

#include "gso_bench.h"

/* Super-packets that a lane cuts in one turn; in DRAM some tens of microseconds each. */
#define NB_HOT_CALLS 24
#define NB_COLD_CALLS 64

#define NB_ADDS (1 << 12)
#define MAX_PROBES 4096

static double probes[MAX_PROBES];
static unsigned int nb_probes;

static double
now_ns(void)
{
	return (double)rte_rdtsc_precise() * 1e9 / (double)rte_get_tsc_hz();
}

/* A core adds one number to another in one cycle, whatever its clock is just now. */
static void
probe(void)
{
	double begin = now_ns(), ns;
	unsigned int i, x = 0;

	for (i = 0; i < NB_ADDS; i++) {
#define ADD { x += i; asm volatile("" : "+r"(x)); }
		ADD ADD ADD ADD ADD ADD ADD ADD
#undef ADD
	}
	ns = now_ns() - begin;
	probes[nb_probes++ % MAX_PROBES] = 8.0 * NB_ADDS / ns;
}

double
gso_bench_ghz(void)
{
	return gso_bench_median(probes, RTE_MIN(nb_probes, (unsigned int)MAX_PROBES));
}

static double
turn(struct gso_bench_lane *lane)
{
	struct gso_bench_set *set = lane->set;
	bool hot = set->residency == GSO_BENCH_HOT;
	unsigned int nb_calls = hot ? NB_HOT_CALLS : NB_COLD_CALLS, i;
	double begin;

	/* What others have made is gone, and caches and predictors know this lane. */
	gso_bench_drain(set);
	for (i = 0; i < RTE_MAX(set->nb_slots, 2u); i++)
		lane->nb_segs = gso_bench_step(set, lane->cut);
	begin = now_ns();
	for (i = 0; i < nb_calls; i++)
		gso_bench_step(set, lane->cut);
	return (now_ns() - begin) / nb_calls;
}

void
gso_bench_measure(struct gso_bench_lane lanes[], unsigned int nb, unsigned int nb_rounds)
{
	unsigned int round, i, k;

	for (i = 0; i < nb; i++) {
		lanes[i].ns = calloc(nb_rounds, sizeof(*lanes[i].ns));
		if (lanes[i].ns == NULL)
			rte_exit(EXIT_FAILURE, "no memory\n");
	}
	for (round = 0; round < nb_rounds; round++) {
		probe();
		for (i = 0; i < nb; i++) {
			k = round % 2 == 0 ? i : nb - 1 - i;
			if (lanes[k].cut != NULL)
				lanes[k].ns[round] = turn(&lanes[k]);
		}
	}
}

void
gso_bench_lanes_free(struct gso_bench_lane lanes[], unsigned int nb)
{
	unsigned int i;

	for (i = 0; i < nb; i++)
		free(lanes[i].ns);
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
gso_bench_median(double values[], unsigned int nb)
{
	qsort(values, nb, sizeof(*values), compare);
	return values[nb / 2];
}

double
gso_bench_ns(const struct gso_bench_lane *lane, unsigned int nb_rounds)
{
	double ns[nb_rounds];
	unsigned int i;

	for (i = 0; i < nb_rounds; i++)
		ns[i] = lane->ns[i];
	return gso_bench_median(ns, nb_rounds);
}

double
gso_bench_ratio(const struct gso_bench_lane *lane, const struct gso_bench_lane *by,
		unsigned int nb_rounds)
{
	double ratios[nb_rounds];
	unsigned int i;

	for (i = 0; i < nb_rounds; i++)
		ratios[i] = lane->ns[i] / by->ns[i];
	return gso_bench_median(ratios, nb_rounds);
}
