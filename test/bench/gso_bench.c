/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What segmentation costs, and what others cost.
 *
 * A super-packet of 65,160 bytes of payload is cut in turns by all candidates, with mempools and
 * real mbufs, allocation and free included on all sides. Ratios are medians of those within one
 * round, so that what disturbs the machine meets all alike. Residency: sources and segments stay in
 * the L2 cache (hot), or 4 MB (l3) or 96 MB (dram) of them take turns; in the last case the library
 * and the copy limit fetch them two segments ahead.
 *
 *   vs_copy_limit  the library / a copy of headers and payload without fields and sums
 *   vs_two_pass    rte_memcpy() and rte_ipv4_udptcp_cksum(), -O3 -march=native / the library
 *   vs_rte_gso     rte_gso_segment() and rte_ipv4_udptcp_cksum_mbuf() / the library; "-": DPDK's
 *                  library does not know the protocol
 *
 * Before anything is timed, candidates must agree on every byte. Not a test of speed: it fails at
 * no figure.
 *
 * usage: gso-bench [--goals] [--rounds N] [--proto NAME] [--segsz N] [--residency NAME]
 */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gso_bench.h"
#include "harness.h"

#define EXIT_USAGE 2
#define MEMORY_MB 512
#define MIN_SEGSZ 256
#define MAX_SEGSZ 9000

enum { COPY, ATTACH, COPY_LIMIT, TWO_PASS, RTE_GSO, NB_LANES };

/* What to run; zero and NULL: all. */
static struct {
	unsigned int nb_rounds;
	const char *proto, *residency;
	uint16_t segsz;
	bool goals;
} options = { .nb_rounds = 31 };

static void
row(const char *form, const struct gso_bench_lane *lane, const struct gso_bench_lane lanes[])
{
	const struct gso_bench_set *set = lane->set;
	unsigned int nb = options.nb_rounds;
	double ns = gso_bench_ns(lane, nb);

	printf("%s\t%s\t%u\t%s\t%.0f\t%.0f\t%.3f\t%.2f\t", form, set->proto,
	       set->packet.req.segsz, gso_bench_residencies[set->residency], ns,
	       ns / lane->nb_segs * gso_bench_ghz(),
	       gso_bench_ratio(lane, &lanes[COPY_LIMIT], nb),
	       gso_bench_ratio(&lanes[TWO_PASS], lane, nb));
	if (lanes[RTE_GSO].cut == NULL)
		printf("-\n");
	else
		printf("%.2f\n", gso_bench_ratio(&lanes[RTE_GSO], lane, nb));
	fflush(stdout);
}

static void
rows(const char *proto, uint16_t segsz, enum gso_bench_residency residency)
{
	struct gso_bench_set *set = gso_bench_set_make(proto, segsz, residency);
	struct gso_bench_lane lanes[NB_LANES] = {
		[COPY] = { .set = set, .cut = gso_bench_copy },
		[ATTACH] = { .set = set, .cut = gso_bench_attach },
		[COPY_LIMIT] = { .set = set, .cut = gso_bench_peers_native.copy_limit },
		[TWO_PASS] = { .set = set, .cut = gso_bench_peers_native.two_pass },
		[RTE_GSO] = { .set = set },
	};

	if (!set->packet.v6 && !set->packet.udp)
		lanes[RTE_GSO].cut = gso_bench_peers_native.rte_gso;
	gso_bench_compare(set, "attach form", gso_bench_copy, gso_bench_attach);
	gso_bench_compare(set, "two passes", gso_bench_copy, lanes[TWO_PASS].cut);
	if (lanes[RTE_GSO].cut != NULL)
		gso_bench_compare(set, "rte_gso", gso_bench_copy, lanes[RTE_GSO].cut);
	gso_bench_measure(lanes, NB_LANES, options.nb_rounds);
	row("copy", &lanes[COPY], lanes);
	row("attach", &lanes[ATTACH], lanes);
	gso_bench_lanes_free(lanes, NB_LANES);
	gso_bench_set_free(set);
}

static bool
chosen(const char *option, const char *name)
{
	return option == NULL || strcmp(option, name) == 0;
}

static void
table(void)
{
	static const uint16_t sizes[] = { 1448, 500, 8960 };
	const char *const *proto;
	unsigned int i, residency;

	printf("form\tproto\tsegsz\tresidency\tns\tcycles_per_segment\tvs_copy_limit\t"
	       "vs_two_pass\tvs_rte_gso\n");
	for (proto = gso_bench_protos; *proto != NULL; proto++)
		for (i = 0; i < RTE_DIM(sizes); i++)
			for (residency = GSO_BENCH_HOT; residency <= GSO_BENCH_DRAM; residency++)
				if (chosen(options.proto, *proto) &&
				    chosen(options.residency, gso_bench_residencies[residency]) &&
				    (options.segsz == 0 || i == 0))
					rows(*proto, options.segsz != 0 ? options.segsz : sizes[i],
					     (enum gso_bench_residency)residency);
}

static void
refuse(const char *option, const char *value)
{
	fprintf(stderr, "gso-bench: %s cannot be \"%s\"\n", option, value);
	exit(EXIT_USAGE);
}

static unsigned int
number(const char *option, unsigned long min, unsigned long max)
{
	char *end;
	unsigned long n = strtoul(optarg, &end, 10);

	if (end == optarg || *end != '\0' || n < min || n > max)
		refuse(option, optarg);
	return (unsigned int)n;
}

static const char *
name(const char *option, const char *const names[], unsigned int nb)
{
	unsigned int i;

	for (i = 0; i < nb && names[i] != NULL; i++)
		if (strcmp(optarg, names[i]) == 0)
			return names[i];
	refuse(option, optarg);
	return NULL;
}

static void
parse(int argc, char **argv)
{
	static const struct option known[] = {
		{ "goals", no_argument, NULL, 'g' },
		{ "rounds", required_argument, NULL, 'n' },
		{ "proto", required_argument, NULL, 'p' },
		{ "segsz", required_argument, NULL, 's' },
		{ "residency", required_argument, NULL, 'r' },
		{ 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 'g':
			options.goals = true;
			break;
		case 'n':
			options.nb_rounds = number("--rounds", 1, 1001);
			break;
		case 'p':
			options.proto = name("--proto", gso_bench_protos, UINT8_MAX);
			break;
		case 's':
			options.segsz = (uint16_t)number("--segsz", MIN_SEGSZ, MAX_SEGSZ);
			break;
		case 'r':
			options.residency = name("--residency", gso_bench_residencies,
						 GSO_BENCH_DRAM + 1);
			break;
		default:
			exit(EXIT_USAGE);
		}
	}
	if (optind < argc)
		refuse("an argument", argv[optind]);
}

int
main(int argc, char **argv)
{
	/* Or each page of each pool is looked up in /proc, which takes minutes. */
	static const char *const eal_args[] = { "--iova-mode=va", NULL };

	parse(argc, argv);
	harness_start(MEMORY_MB, eal_args);
	if (options.goals)
		gso_bench_goals(options.nb_rounds);
	else
		table();
	return harness_finish(0);
}
