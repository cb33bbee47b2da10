/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * csum-bench: what the checksum costs, alone and on top of a copy, beside what others take.
 *
 * A ratio of one run means something; times of two runs do not compare. Not a test: no figure
 * makes it fail.
 */

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include <csum.h>

#include "csum_bench.h"

#define START_NS 2e9

static bool
stay_on_cpu(int cpu)
{
	cpu_set_t cpus;

	if (cpu < 0)
		cpu = sched_getcpu();
	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) == 0)
		return true;
	fprintf(stderr, "csum-bench: --cpu %d: %s\n", cpu, strerror(errno));
	return false;
}

/* On standard error, beside the table: what else a reader of the figures has to know. */
static void
print_conditions(void)
{
	unsigned long batches, disturbed;

	measure_count(&batches, &disturbed);
	fprintf(stderr, "csum-bench: CPU %d, core clock %.2f GHz, variant in use %s, compiled by "
		BENCH_COMPILER "; %lu batches, %lu of them disturbed\n", sched_getcpu(),
		clock_core_ghz(), csum_variant_current()->name, batches, disturbed);
}

int
main(int argc, char **argv)
{
	struct options options;
	int status;

	if (!options_parse(argc, argv, &options, &status))
		return status;
	if (!stay_on_cpu(options.cpu))
		return 2;
	/* Neighbours come and go within that; less will do where precision is not asked for. */
	clock_start(START_NS * options.rounds / ROUNDS_MAX);
	status = options.goals ? goals_print(&options) : table_print(&options);
	if (status == 0)
		print_conditions();
	return status;
}
