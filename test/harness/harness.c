/* SPDX-License-Identifier: BSD-3-Clause */

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rte_eal.h>
#include <rte_errno.h>

#include "harness.h"

#define MAX_EAL_ARGS 64
#define MAX_EAL_ARG_LEN 256
#define MEMORY_ARG 1
#define TELEMETRY_ARG 4

static bool eal_started;
static bool seed_known;
static uint64_t seed;

static void
die(const char *what)
{
	fprintf(stderr, "harness: %s\n", what);
	exit(EXIT_FAILURE);
}

/* EAL would pin the main thread to one CPU, the same one in each test program. */
static void
float_lcore(char *buf, size_t size)
{
	cpu_set_t set;
	size_t n;
	int cpu;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		die("no CPU affinity");
	n = (size_t)snprintf(buf, size, "--lcores=0@(");
	for (cpu = 0; cpu < CPU_SETSIZE && n < size; cpu++)
		if (CPU_ISSET(cpu, &set))
			n += (size_t)snprintf(buf + n, size - n, "%d,", cpu);
	if (n >= size)
		die("too many CPUs");
	buf[n - 1] = ')';
}

void
harness_start(unsigned int mbytes, const char *const extra[])
{
	static char lcores[16 * CPU_SETSIZE / 2], prefix[64], memory[16];
	static char level[] = "--log-level=*:4";
	char program[] = "test", no_huge[] = "--no-huge", no_pci[] = "--no-pci";
	char no_shconf[] = "--no-shconf", no_telemetry[] = "--no-telemetry", m[] = "-m";
	static char texts[MAX_EAL_ARGS][MAX_EAL_ARG_LEN];
	char *argv[MAX_EAL_ARGS] = {
		program, no_huge, no_pci, no_shconf, no_telemetry, m, memory, prefix, lcores, level,
	};
	int argc = 10;

	snprintf(memory, sizeof(memory), "%u", mbytes != 0 ? mbytes : 128);
	snprintf(prefix, sizeof(prefix), "--file-prefix=csum-test-%d", (int)getpid());
	float_lcore(lcores, sizeof(lcores));
	for (; extra != NULL && *extra != NULL; extra++) {
		if (argc == MAX_EAL_ARGS - 1)
			die("too many EAL arguments");
		if (strlen(*extra) >= MAX_EAL_ARG_LEN)
			die("too long an EAL argument");
		argv[argc] = strcpy(texts[argc], *extra);
		/* EAL does not heed it beside its contrary. */
		if (strcmp(*extra, "--telemetry") == 0)
			argv[TELEMETRY_ARG] = argv[argc];
		if (strcmp(*extra, "--in-memory") == 0)
			argv[MEMORY_ARG] = argv[argc];
		argc++;
	}
	if (rte_eal_init(argc, argv) < 0) {
		fprintf(stderr, "harness: EAL did not start: %s\n", rte_strerror(rte_errno));
		exit(EXIT_FAILURE);
	}
	eal_started = true;
}

int
harness_finish(int nb_failed)
{
	if (nb_failed != 0 && seed_known)
		fprintf(stderr, "FAILED with SEED=%llu\n", (unsigned long long)seed);
	if (eal_started) {
		/* EAL leaves the folder of its --file-prefix behind. */
		char dir[PATH_MAX];

		snprintf(dir, sizeof(dir), "%s", rte_eal_get_runtime_dir());
		rte_eal_cleanup();
		rmdir(dir);
	}
	return nb_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

void
harness_rng_init(struct harness_rng *rng)
{
	const char *env = getenv("SEED");

	if (!seed_known) {
		seed = env != NULL ? strtoull(env, NULL, 0) :
			(uint64_t)time(NULL) << 20 ^ (uint64_t)getpid();
		seed_known = true;
		fprintf(stderr, "SEED=%llu\n", (unsigned long long)seed);
	}
	rng->state = seed;
}

uint64_t
harness_rand(struct harness_rng *rng)
{
	/* splitmix64: any state is a good one. */
	uint64_t z = rng->state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

uint32_t
harness_rand_below(struct harness_rng *rng, uint32_t n)
{
	return (uint32_t)(harness_rand(rng) % n);
}

void
harness_rand_bytes(struct harness_rng *rng, void *buf, size_t len)
{
	uint8_t *p = buf;

	while (len-- > 0)
		*p++ = (uint8_t)harness_rand(rng);
}

unsigned int
harness_rand_lens(struct harness_rng *rng, uint32_t len, uint16_t lens[], unsigned int max)
{
	unsigned int nb = 1 + harness_rand_below(rng, max);
	unsigned int i;
	uint32_t most, n;

	for (i = 0; i < nb; i++) {
		/* Short pieces, at which header fields break, as often as long ones. */
		most = harness_rand_below(rng, 2) == 0 ? 8 : 2000;
		n = harness_rand_below(rng, RTE_MIN(len, most) + 1);
		lens[i] = (uint16_t)n;
		len -= n;
	}
	return nb;
}

void
harness_pattern(void *buf, size_t len)
{
	uint8_t *p = buf;
	size_t i;

	for (i = 0; i < len; i++)
		p[i] = (uint8_t)(i % 251);
}

uint16_t
harness_be16(const void *p)
{
	const uint8_t *b = p;

	return (uint16_t)(b[0] << 8 | b[1]);
}

uint32_t
harness_be32(const void *p)
{
	const uint8_t *b = p;

	return (uint32_t)harness_be16(b) << 16 | harness_be16(b + 2);
}

void
harness_put_be16(void *p, uint16_t value)
{
	uint8_t *b = p;

	b[0] = (uint8_t)(value >> 8);
	b[1] = (uint8_t)value;
}

void
harness_put_be32(void *p, uint32_t value)
{
	harness_put_be16(p, (uint16_t)(value >> 16));
	harness_put_be16((uint8_t *)p + 2, (uint16_t)value);
}

static void
dump_line(const char *name, const uint8_t *p, size_t first, size_t last)
{
	size_t i;

	fprintf(stderr, "  %s [%zu..%zu]:", name, first, last - 1);
	for (i = first; i < last; i++)
		fprintf(stderr, " %02x", p[i]);
	fprintf(stderr, "\n");
}

void
harness_assert_bytes_at(const void *got, const void *want, size_t len, const char *file, int line)
{
	const uint8_t *g = got, *w = want;
	size_t i, first, last;

	for (i = 0; i < len && g[i] == w[i]; i++)
		;
	if (i == len)
		return;
	first = i < 8 ? 0 : i - 8;
	last = RTE_MIN(len, i + 24);
	fprintf(stderr, "byte %zu of %zu differs: %02x, not %02x\n", i, len, g[i], w[i]);
	dump_line("got ", g, first, last);
	dump_line("want", w, first, last);
	_fail(file, line);
}
