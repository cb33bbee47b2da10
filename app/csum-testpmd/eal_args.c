/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_log.h>
#include <rte_mbuf.h>

#include "eal_args.h"

/* The fixed arguments and two for each --vdev. */
#define MAX_ARGS (32 + 2 * OPTION_LIST_MAX)

/* MB for all that is not the mbuf pool: rings, devices and their own pools. */
#define BASE_MEMORY 96

/* MB for a replay: its pools hold a few bursts of super-packets. */
#define REPLAY_MEMORY 192

/* MB that the EAL can have without huge pages: with some more it loses count, and crashes. */
#define MAX_MEMORY (256 * 1024)

/* Each "lcore@cpu," takes this many characters at most. */
#define LCORE_MAP_ENTRY sizeof("4294967295@4294967295,")

struct arg_list {
	char *argv[MAX_ARGS + 1];
	int argc;
};

static void __rte_format_printf(2, 3)
add_arg(struct arg_list *args, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	if (vasprintf(&args->argv[args->argc], format, ap) < 0)
		abort();
	va_end(ap);
	args->argc++;
}

static void
free_args(struct arg_list *args)
{
	while (args->argc > 0)
		free(args->argv[--args->argc]);
}

/*
 * The EAL wants a runtime directory, but with --no-shconf and --no-telemetry puts nothing into it.
 * So it gets one that is ours alone, whoever owns the usual one, and that is gone once it has
 * started.
 */
static int
make_runtime_dir(char *dir)
{
	if (mkdtemp(dir) == NULL) {
		fprintf(stderr, "Cannot make the folder %s: %s\n", dir, strerror(errno));
		return -1;
	}
	return setenv("RUNTIME_DIRECTORY", dir, 1);
}

static void
remove_runtime_dir(const char *dir)
{
	char sub[PATH_MAX];

	/* As far as the EAL came. */
	(void)rmdir(rte_eal_get_runtime_dir());
	snprintf(sub, sizeof(sub), "%s/dpdk", dir);
	(void)rmdir(sub);
	(void)rmdir(dir);
	unsetenv("RUNTIME_DIRECTORY");
}

static int
start(int argc, char **argv)
{
	/* Newer DPDK logs elsewhere by default; standard output is for results alone. */
	rte_openlog_stream(stderr);
	if (rte_eal_init(argc, argv) >= 0)
		return 0;
	fprintf(stderr, "Cannot start the EAL: %s\n", rte_strerror(rte_errno));
	return -1;
}

/* Megabytes for what the job allocates. */
static uint32_t
memory_needed(const struct parameters *params)
{
	uint64_t mbuf = params->forward.mbuf_size + sizeof(struct rte_mbuf) + RTE_CACHE_LINE_SIZE;

	if (params->job == APP_JOB_REPLAY)
		return REPLAY_MEMORY;
	return BASE_MEMORY + (mbuf * params->forward.total_num_mbufs >> 20);
}

/*
 * Maps the main lcore and each forwarding lcore to a CPU that we may run on. With fewer CPUs than
 * lcores some share one: a prompt and forwarding work on a single CPU too.
 */
static void
add_lcores(struct arg_list *args, uint32_t nb_lcores)
{
	char map[RTE_MAX_LCORE * LCORE_MAP_ENTRY];
	unsigned int cpu = 0;
	size_t len = 0;
	cpu_set_t cpus;
	uint32_t i;

	if (sched_getaffinity(0, sizeof(cpus), &cpus) != 0 || CPU_COUNT(&cpus) == 0)
		return;
	for (i = 0; i < nb_lcores; i++) {
		while (!CPU_ISSET(cpu % CPU_SETSIZE, &cpus))
			cpu++;
		len += snprintf(map + len, sizeof(map) - len, "%s%u@%u", i == 0 ? "" : ",", i,
				cpu % CPU_SETSIZE);
		cpu++;
	}
	add_arg(args, "--lcores=%s", map);
}

/* The main lcore and those that forward; at the prompt there is one for each CPU to choose from. */
static uint32_t
lcores_needed(const struct parameters *params)
{
	uint32_t nb = params->forward.nb_cores + 1;
	cpu_set_t cpus;

	if (params->job != APP_JOB_FORWARD)
		return 1;
	if (!params->forward.interactive || sched_getaffinity(0, sizeof(cpus), &cpus) != 0)
		return nb;
	return RTE_MAX(nb, (uint32_t)RTE_MIN(CPU_COUNT(&cpus), RTE_MAX_LCORE));
}

int
eal_start_verbatim(int argc, char **argv)
{
	return start(argc, argv);
}

int
eal_start(const char *prog, const struct parameters *params)
{
	char runtime_dir[] = "/tmp/csum-testpmd-XXXXXX";
	struct arg_list args = { .argc = 0 };
	char *argv[MAX_ARGS + 1];
	uint32_t i;
	int ret;

	if (memory_needed(params) > MAX_MEMORY) {
		fprintf(stderr, "%u mbufs of %u bytes need more than %u MB\n",
			params->forward.total_num_mbufs, params->forward.mbuf_size, MAX_MEMORY);
		return -1;
	}
	if (make_runtime_dir(runtime_dir) != 0)
		return -1;
	add_arg(&args, "%s", prog);
	add_arg(&args, "--no-huge");
	add_arg(&args, "--no-pci");
	add_arg(&args, "--no-shconf");
	add_arg(&args, "--no-telemetry");
	add_arg(&args, "--log-level=lib.eal:notice");
	add_arg(&args, "-m%u", memory_needed(params));
	add_arg(&args, "--file-prefix=csum-testpmd-%d", (int)getpid());
	add_lcores(&args, lcores_needed(params));
	for (i = 0; i < params->vdevs.nb; i++)
		add_arg(&args, "--vdev=%s", params->vdevs.str[i]);
	/* The EAL moves the pointers and writes its own over one of them. */
	memcpy(argv, args.argv, sizeof(argv));
	ret = start(args.argc, argv);
	remove_runtime_dir(runtime_dir);
	free_args(&args);
	return ret;
}

void
eal_stop(void)
{
	rte_eal_cleanup();
}
