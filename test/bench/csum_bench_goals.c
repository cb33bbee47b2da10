/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * How far the kernels are from what they have to reach. A ratio is the median of those of
 * neighbouring batches, and of those of several passes over all goals.
 */

#include <stdio.h>

#include <csum.h>

#include "csum_bench.h"

/* Of NULL, what the library uses here. */
struct goal {
	const char *what;
	struct { enum op op; const char *name; } above, below;
	uint16_t len_min, len_max;
	enum residency residency;
	unsigned int ahead;
	bool at_least;              /* false: at most */
	double goal;
};

#define COPY { OP_COPY, NULL }
#define SUM { OP_SUM, NULL }
#define OF(op, name) { OP_##op, name }
#define AT(len, where) .len_min = len, .len_max = len, .residency = RESIDENCY_##where
#define AT_RANDOM(min, max) .len_min = min, .len_max = max, .residency = RESIDENCY_L1

static const struct goal goals[] = {
	{ "copy / memcpy, 1448 B, L1",
	  COPY, OF(COPY, "memcpy"), AT(1448, L1), .goal = 0.98 },
	{ "copy / rte_memcpy/native, 1448 B, L1",
	  COPY, OF(COPY, "rte_memcpy/native"), AT(1448, L1), .goal = 1.10 },
	{ "copy / rte_memcpy/native, 4096 B, L1",
	  COPY, OF(COPY, "rte_memcpy/native"), AT(4096, L1), .goal = 1.03 },
	{ "copy / rte_memcpy/native, 9000 B, L1",
	  COPY, OF(COPY, "rte_memcpy/native"), AT(9000, L1), .goal = 1.03 },
	{ "rte_memcpy+rte_raw_cksum/native / copy, 1448 B, L1",
	  OF(COPY, COPY_AND_SUM_PEER), COPY, AT(1448, L1), .at_least = true, .goal = 3.6 },
#ifdef __x86_64__
	{ "rte_memcpy+rte_raw_cksum/corei7 / copy, 1448 B, L1",
	  OF(COPY, "rte_memcpy+rte_raw_cksum/corei7"), COPY, AT(1448, L1), .at_least = true,
	  .goal = 4.8 },
	{ "rte_memcpy+rte_raw_cksum/corei7-O2 / copy, 1448 B, L1",
	  OF(COPY, "rte_memcpy+rte_raw_cksum/corei7-O2"), COPY, AT(1448, L1), .at_least = true,
	  .goal = 25 },
#endif
	{ "rte_raw_cksum/native / sum, 1448 B, L1",
	  OF(SUM, SUM_PEER), SUM, AT(1448, L1), .at_least = true, .goal = 3.4 },
#ifdef __x86_64__
	{ "rte_raw_cksum/corei7 / sum, 1448 B, L1",
	  OF(SUM, "rte_raw_cksum/corei7"), SUM, AT(1448, L1), .at_least = true, .goal = 4.0 },
	{ "rte_raw_cksum/corei7-O2 / sum, 1448 B, L1",
	  OF(SUM, "rte_raw_cksum/corei7-O2"), SUM, AT(1448, L1), .at_least = true, .goal = 18 },
#endif
	{ "rte_raw_cksum/native / sum, random 0-64 B, L1",
	  OF(SUM, SUM_PEER), SUM, AT_RANDOM(0, 64), .at_least = true, .goal = 2.3 },
	{ "copy / memcpy, random 64-1500 B, L1",
	  COPY, OF(COPY, "memcpy"), AT_RANDOM(64, 1500), .goal = 1.05 },
	{ "copy / rte_memcpy/native, 1448 B, L2",
	  COPY, OF(COPY, "rte_memcpy/native"), AT(1448, L2), .goal = 1.07 },
	{ "copy / rte_memcpy/native, 1448 B, L3",
	  COPY, OF(COPY, "rte_memcpy/native"), AT(1448, L3), .goal = 1.05 },
	{ "copy / memcpy, 1448 B, DRAM, prefetch two packets ahead",
	  COPY, OF(COPY, "memcpy"), AT(1448, DRAM), .ahead = 2, .goal = 1.02 },
#ifdef __x86_64__
	{ "copy sse2 / rte_memcpy/corei7, 1448 B, L1",
	  OF(COPY, "sse2"), OF(COPY, "rte_memcpy/corei7"), AT(1448, L1), .goal = 1.15 },
#endif
};

static double
ratio_of_pass(const struct goal *goal, const struct impl *const *pair, unsigned int rounds_max)
{
	static struct result results[2];
	const struct cell cell = {
		.len_min = goal->len_min, .len_max = goal->len_max, .src_off = 2, .dst_off = 14,
		.residency = goal->residency, .ahead = goal->ahead,
	};
	double ratios[ROUNDS_MAX], ghz;
	unsigned int i, rounds = measure(&cell, pair, 2, rounds_max, results, &ghz);

	for (i = 0; i < rounds; i++)
		ratios[i] = results[0].ns[i] / results[1].ns[i];
	return median(ratios, rounds);
}

static void
print_goal(const struct goal *goal, double *ratios, unsigned int nb)
{
	double measured = median(ratios, nb);
	bool met = goal->at_least ? measured >= goal->goal : measured <= goal->goal;

	/* Sorted by now. */
	printf("%s\t%s %.2f\t%.3f\t%.3f..%.3f\t%s\n", goal->what, goal->at_least ? ">=" : "<=",
	       goal->goal, measured, ratios[0], ratios[nb - 1], met ? "met" : "missed");
}

int
goals_print(const struct options *options)
{
	static double ratios[DIM(goals)][PASSES_MAX];
	const char *current = csum_variant_current()->name;
	const struct impl *pair[2];
	struct impl impls[NB_IMPLS_MAX];
	size_t i, nb = impls_list(impls);
	unsigned int pass;

	for (pass = 0; pass < options->passes; pass++)
		for (i = 0; i < DIM(goals); i++) {
			const struct goal *goal = &goals[i];

			if (!options->residencies[goal->residency])
				continue;
			pair[0] = impl_find(impls, nb, goal->above.op,
				goal->above.name != NULL ? goal->above.name : current);
			pair[1] = impl_find(impls, nb, goal->below.op,
				goal->below.name != NULL ? goal->below.name : current);
			ratios[i][pass] = ratio_of_pass(goal, pair, options->rounds);
		}
	printf("what\tgoal\tmeasured\trange\tverdict\n");
	for (i = 0; i < DIM(goals); i++)
		if (options->residencies[goals[i].residency])
			print_goal(&goals[i], ratios[i], options->passes);
	return 0;
}
