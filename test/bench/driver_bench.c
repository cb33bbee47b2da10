/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What net_soft_csum costs: the same traffic through it, and directly on the port below it, in
 * turns. A table, tab-separated; one line a case. Cycles are those of the core, and of a packet's
 * whole way: the application allocates it, writes its headers and frees it, or the port below does.
 * So "extra_cycles" is what an application pays, no more and no less: what a processor does at the
 * same time as something else costs nothing. It is the median of the differences within one round.
 *
 *   pass       nothing to do
 *   checksum   IPv4 and TCP; directly: an application that knows the headers makes the sums itself
 *   tso        a packet of 64 KB; directly: gso-bench's copy form, and a burst
 *   two-...    two queues and an lcore for each ("ours") against one queue and one lcore
 *              ("direct"), both through the driver; the ratio is that of packets a second. Where
 *              there are two CPUs to run on.
 */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_common.h>
#include <rte_cycles.h>

#include "csum_bench.h"
#include "driver_bench.h"
#include "harness.h"

#define MEMORY_MB 512
#define HUGE_MB 64
#define MTU_PAYLOAD 1448

static const char *const kind_names[] = { "pass", "checksum", "tso" };

struct bench {
	enum driver_bench_kind kind;
	const char *lower;
	bool rx;
	uint32_t size; /* payload bytes */
	bool two;
};

static const struct bench benches[] = {
	{ DRIVER_BENCH_PASS, "null", false, 64 },
	{ DRIVER_BENCH_PASS, "null", true, 64 },
	{ DRIVER_BENCH_PASS, "ring", false, 64 },
	{ DRIVER_BENCH_PASS, "ring", true, 64 },
	{ DRIVER_BENCH_PASS, "ring", false, MTU_PAYLOAD },
	{ DRIVER_BENCH_CHECKSUM, "null", false, 64 },
	{ DRIVER_BENCH_CHECKSUM, "null", false, MTU_PAYLOAD },
	{ DRIVER_BENCH_CHECKSUM, "ring", false, 64 },
	{ DRIVER_BENCH_CHECKSUM, "ring", false, MTU_PAYLOAD },
	{ DRIVER_BENCH_SEGMENT, "null", false, GSO_BENCH_PAYLOAD },
	{ DRIVER_BENCH_SEGMENT, "ring", false, GSO_BENCH_PAYLOAD },
	{ DRIVER_BENCH_PASS, "null", false, 64, .two = true },
	{ DRIVER_BENCH_CHECKSUM, "null", false, MTU_PAYLOAD, .two = true },
	{ DRIVER_BENCH_SEGMENT, "null", false, GSO_BENCH_PAYLOAD, .two = true },
};

/* Rounds that were disturbed are made again, as often at most as there are rounds. */
static void
measure_ways(const struct driver_bench_work *work, unsigned int nb_rounds, double *ours,
	double *direct)
{
	unsigned int i, again = 0;

	driver_bench_sample(work, true);
	driver_bench_sample(work, false);
	for (i = 0; i < nb_rounds; i++) {
		/* In either order, as many times: what follows on what must not matter. */
		if (i % 2 == 0)
			ours[i] = driver_bench_sample(work, true);
		direct[i] = driver_bench_sample(work, false);
		if (i % 2 == 1)
			ours[i] = driver_bench_sample(work, true);
		if (!clock_is_quiet() && again++ < nb_rounds)
			i--;
	}
}

static void
run(const struct bench *bench, unsigned int nb_rounds, double cycles_per_tick)
{
	double ours[DRIVER_BENCH_ROUNDS_MAX], direct[DRIVER_BENCH_ROUNDS_MAX];
	double extra[DRIVER_BENCH_ROUNDS_MAX], ratio[DRIVER_BENCH_ROUNDS_MAX];
	struct driver_bench_work work = {
		.kind = bench->kind, .ports = driver_bench_ports_find(bench->lower),
		.rx = bench->rx, .size = bench->size,
	};
	unsigned int i;

	if (bench->kind == DRIVER_BENCH_SEGMENT)
		work.set = gso_bench_set_make("tcp4", MTU_PAYLOAD, GSO_BENCH_HOT);
	if (bench->two)
		driver_bench_two(&work, nb_rounds, direct, ours);
	else
		measure_ways(&work, nb_rounds, ours, direct);
	if (bench->kind == DRIVER_BENCH_SEGMENT)
		gso_bench_set_free(work.set);
	for (i = 0; i < nb_rounds; i++) {
		extra[i] = ours[i] - direct[i];
		ratio[i] = bench->two ? direct[i] / ours[i] : ours[i] / direct[i];
	}
	printf("%s%s\t%s\t%s\t%u\t%.1f\t%.1f\t%.1f\t%.3f\n", bench->two ? "two-" : "",
		kind_names[bench->kind], bench->lower, bench->rx ? "rx" : "tx", bench->size,
		median(ours, nb_rounds) * cycles_per_tick,
		median(direct, nb_rounds) * cycles_per_tick,
		median(extra, nb_rounds) * cycles_per_tick, median(ratio, nb_rounds));
	fflush(stdout);
}

static int
usage(void)
{
	fprintf(stderr, "usage: driver-bench [--rounds N] [--huge | --mbuf-a-page]\n"
		"N: 1 to %u, 101 if not given. --huge: in %u MB of huge pages. --mbuf-a-page: the "
		"application's mbufs too as EAL lays them out without.\n"
		"Bind it to a quiet CPU, or two, by taskset for example.\n",
		DRIVER_BENCH_ROUNDS_MAX, HUGE_MB);
	return 2;
}

int
main(int argc, char **argv)
{
	/* Or each page of each pool is looked up in /proc, which takes minutes. */
	static const char *const eal_args[] = { "--iova-mode=va", NULL };
	static const char *const huge_args[] = { "--iova-mode=va", "--in-memory", NULL };
	static const struct option options[] = {
		{ "rounds", required_argument, NULL, 'r' },
		{ "huge", no_argument, NULL, 'h' },
		{ "mbuf-a-page", no_argument, NULL, 'p' },
		{ 0 },
	};
	unsigned int i, nb_rounds = 101;
	double cycles_per_tick;
	bool by_page = false, huge = false;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'r')
			nb_rounds = (unsigned int)strtoul(optarg, NULL, 10);
		else if (option == 'p')
			by_page = true;
		else if (option == 'h')
			huge = true;
		else
			return usage();
	}
	if (optind != argc || nb_rounds == 0 || nb_rounds > DRIVER_BENCH_ROUNDS_MAX ||
			(huge && by_page))
		return usage();
	harness_start(huge ? HUGE_MB : MEMORY_MB, huge ? huge_args : eal_args);
	driver_bench_start(DRIVER_BENCH_QUEUES, by_page);
	clock_start(1e9);
	cycles_per_tick = clock_core_ghz() * 1e9 / (double)rte_get_tsc_hz();
	printf("case\tlower\tdir\tsize\tours_cycles\tdirect_cycles\textra_cycles\tratio\n");
	for (i = 0; i < RTE_DIM(benches); i++)
		if (!benches[i].two || driver_bench_has_two_cpus())
			run(&benches[i], nb_rounds, cycles_per_tick);
		else
			fprintf(stderr, "driver-bench: skipped: two-%s: one CPU to run on\n",
				kind_names[benches[i].kind]);
	return harness_finish(0);
}
