/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>

#include <rte_common.h>

#include "gso_bench.h"

static void
goal(const char *what, double measured, char op, double limit)
{
	if (op == '=') {
		printf("%s\t%.2f\treport\t-\n", what, measured);
		return;
	}
	printf("%s\t%.2f\t%c= %.2f\t%s\n", what, measured, op, limit,
	       (op == '<' ? measured <= limit : measured >= limit) ? "holds" : "missed");
}

static void
hot_goals(unsigned int nb_rounds)
{
	struct gso_bench_set *set = gso_bench_set_make("tcp4", 1448, GSO_BENCH_HOT);
	struct gso_bench_lane lanes[] = {
		{ .set = set, .cut = gso_bench_copy },
		{ .set = set, .cut = gso_bench_peers_native.copy_limit },
		{ .set = set, .cut = gso_bench_peers_native.two_pass },
		{ .set = set, .cut = gso_bench_peers_corei7.two_pass },
		{ .set = set, .cut = gso_bench_peers_native.rte_gso },
		{ .set = set, .cut = gso_bench_attach },
	};

	gso_bench_measure(lanes, RTE_DIM(lanes), nb_rounds);
	goal("copy / copy limit, hot", gso_bench_ratio(&lanes[0], &lanes[1], nb_rounds),
	     '<', 1.06);
	goal("two passes (-O3 native) / copy, hot",
	     gso_bench_ratio(&lanes[2], &lanes[0], nb_rounds), '>', 2.8);
	goal("two passes (-O2 corei7) / copy, hot",
	     gso_bench_ratio(&lanes[3], &lanes[0], nb_rounds), '>', 8);
	goal("rte_gso and sums / copy, hot",
	     gso_bench_ratio(&lanes[4], &lanes[0], nb_rounds), '=', 0);
	goal("rte_gso and sums / attach, hot",
	     gso_bench_ratio(&lanes[4], &lanes[5], nb_rounds), '>', 2);
	goal("attach / copy, hot", gso_bench_ratio(&lanes[5], &lanes[0], nb_rounds), '=', 0);
	gso_bench_lanes_free(lanes, RTE_DIM(lanes));
	gso_bench_set_free(set);
}

static void
cold_goal(const char *what, enum gso_bench_residency residency, double limit,
	  unsigned int nb_rounds)
{
	struct gso_bench_set *set = gso_bench_set_make("tcp4", 1448, residency);
	struct gso_bench_lane lanes[] = {
		{ .set = set, .cut = gso_bench_copy },
		{ .set = set, .cut = gso_bench_peers_native.copy_limit },
	};

	gso_bench_measure(lanes, RTE_DIM(lanes), nb_rounds);
	goal(what, gso_bench_ratio(&lanes[0], &lanes[1], nb_rounds), '<', limit);
	gso_bench_lanes_free(lanes, RTE_DIM(lanes));
	gso_bench_set_free(set);
}

static void
tunnel_goal(unsigned int nb_rounds)
{
	struct gso_bench_lane lanes[] = {
		{ .set = gso_bench_set_make("vxlan-tcp4", 1448, GSO_BENCH_HOT) },
		{ .set = gso_bench_set_make("tcp4", 1448, GSO_BENCH_HOT) },
	};

	lanes[0].cut = gso_bench_copy;
	lanes[1].cut = gso_bench_copy;
	gso_bench_measure(lanes, RTE_DIM(lanes), nb_rounds);
	goal("VXLAN with outer checksum / plain, per payload byte, hot",
	     gso_bench_ratio(&lanes[0], &lanes[1], nb_rounds), '<', 1.10);
	gso_bench_set_free(lanes[0].set);
	gso_bench_set_free(lanes[1].set);
	gso_bench_lanes_free(lanes, RTE_DIM(lanes));
}

#define NB_SIZES 3

/* Slope of a line through points, by least squares. */
static double
slope(const double x[], const double y[])
{
	double mean_x = 0, mean_y = 0, xy = 0, xx = 0;
	unsigned int i;

	for (i = 0; i < NB_SIZES; i++) {
		mean_x += x[i] / NB_SIZES;
		mean_y += y[i] / NB_SIZES;
	}
	for (i = 0; i < NB_SIZES; i++) {
		xy += (x[i] - mean_x) * (y[i] - mean_y);
		xx += (x[i] - mean_x) * (x[i] - mean_x);
	}
	return xy / xx;
}

/* Core cycles that one more segment costs beyond allocation and free, the bytes being the same. */
static double
segment_cycles(gso_bench_cut cut, unsigned int nb_rounds)
{
	static const uint16_t sizes[NB_SIZES] = { 1448, 724, 362 };
	double x[NB_SIZES], y[NB_SIZES], slopes[nb_rounds];
	struct gso_bench_lane lanes[2 * NB_SIZES];
	unsigned int i, round;

	for (i = 0; i < NB_SIZES; i++) {
		lanes[2 * i].set = gso_bench_set_make("tcp4", sizes[i], GSO_BENCH_HOT);
		lanes[2 * i].cut = cut;
		lanes[2 * i + 1].set = lanes[2 * i].set;
		lanes[2 * i + 1].cut = gso_bench_peers_native.take_only;
	}
	gso_bench_measure(lanes, RTE_DIM(lanes), nb_rounds);
	for (round = 0; round < nb_rounds; round++) {
		for (i = 0; i < NB_SIZES; i++) {
			x[i] = lanes[2 * i].nb_segs;
			y[i] = lanes[2 * i].ns[round] - lanes[2 * i + 1].ns[round];
		}
		slopes[round] = slope(x, y);
	}
	for (i = 0; i < NB_SIZES; i++)
		gso_bench_set_free(lanes[2 * i].set);
	gso_bench_lanes_free(lanes, RTE_DIM(lanes));
	return gso_bench_median(slopes, nb_rounds) * gso_bench_ghz();
}

void
gso_bench_goals(unsigned int nb_rounds)
{
	printf("figure\tmeasured\tgoal\tresult\n");
	hot_goals(nb_rounds);
	cold_goal("copy / copy limit, L3", GSO_BENCH_L3, 1.05, nb_rounds);
	cold_goal("copy / copy limit, DRAM", GSO_BENCH_DRAM, 1.02, nb_rounds);
	tunnel_goal(nb_rounds);
	goal("core cycles a segment beyond its payload", segment_cycles(gso_bench_copy, nb_rounds),
	     '<', 60);
	goal("the same of the copy limit",
	     segment_cycles(gso_bench_peers_native.copy_limit, nb_rounds), '=', 0);
}
