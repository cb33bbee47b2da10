/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What a checksum costs on top of a copy, and a fused copy on top of memcpy().
 *
 * All candidates take turns in one process, in one order and then in the other, a batch of a few
 * microseconds each, so that what disturbs the machine meets them all; each gets the median of
 * its batches. Hot: buffers stay in the L1 cache. A ratio of one run means something, a time of
 * two runs compared does not. Not a test: it fails at nothing.
 *
 * usage: core-bench [cpu]
 */

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <csum.h>

#define ROUNDS 301
#define BATCH_NS 4000
#define CANDIDATES_MAX 32

enum op { OP_MEMCPY, OP_COPY, OP_MEMCPY_SUM, OP_SUM };

struct candidate {
	enum op op;
	const struct csum_variant *variant; /* of what is summed */
	double ns[ROUNDS];                  /* a call */
};

/*
 * 2 and 14 bytes behind a cache line, as packets lie. Modulo 4096 they are 1036 apart, so that no
 * load seems to depend on a store that is still under way.
 */
static uint8_t room[8 * 4096] __attribute__((aligned(4096)));
static const uint8_t *const src = room + 2;
static uint8_t *const dst = room + 3 * 4096 + 1024 + 14;

/* Called through a pointer that no compiler sees through, like the variants. */
static void *(*volatile memcpy_called)(void *, const void *, size_t) = memcpy;

static double
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static uint32_t
call(const struct candidate *candidate, size_t len, unsigned int nb_calls)
{
	const struct csum_variant *variant = candidate->variant;
	uint32_t sum = 0;

	switch (candidate->op) {
	case OP_MEMCPY:
		while (nb_calls-- > 0)
			memcpy_called(dst, src, len);
		break;
	case OP_COPY:
		while (nb_calls-- > 0)
			sum = variant->partial_copy(dst, src, len, sum);
		break;
	case OP_MEMCPY_SUM:
		while (nb_calls-- > 0) {
			memcpy_called(dst, src, len);
			sum = variant->partial(dst, len, sum);
		}
		break;
	case OP_SUM:
		while (nb_calls-- > 0)
			sum = variant->partial(src, len, sum);
		break;
	}
	return sum;
}

static double
batch_ns(const struct candidate *candidate, size_t len, unsigned int nb_calls)
{
	volatile uint32_t sink;
	double begin;

	/* The first calls bring code and branch predictors back; they do not count. */
	call(candidate, len, 16);
	begin = now_ns();
	sink = call(candidate, len, nb_calls);
	(void)sink;
	return (now_ns() - begin) / nb_calls;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(struct candidate *candidate)
{
	qsort(candidate->ns, ROUNDS, sizeof(candidate->ns[0]), compare);
	return candidate->ns[ROUNDS / 2];
}

static void
measure(struct candidate *candidates, size_t nb, size_t len)
{
	unsigned int nb_calls = (unsigned int)(BATCH_NS / (4 + len * 0.02));
	unsigned int round;
	size_t i, turn;

	for (round = 0; round < ROUNDS; round++)
		for (turn = 0; turn < nb; turn++) {
			i = round % 2 == 0 ? turn : nb - 1 - turn;
			candidates[i].ns[round] = batch_ns(&candidates[i], len, nb_calls);
		}
}

static void
report(struct candidate *candidates, size_t nb, size_t len)
{
	static const char *const names[] = { "memcpy", "copy", "memcpy+sum", "sum" };
	double memcpy_ns = median(&candidates[0]);
	size_t i;

	for (i = 0; i < nb; i++) {
		const struct csum_variant *variant = candidates[i].variant;
		double ns = median(&candidates[i]);

		printf("%s\t%s\t%zu\t%.1f\t%.1f\t%.2f\n", names[candidates[i].op],
			variant == NULL ? "glibc" : variant->name, len, ns, candidates[i].ns[0],
			ns / memcpy_ns);
	}
}

static size_t
list_candidates(struct candidate *candidates)
{
	const struct csum_variant *variant;
	size_t nb = 1;
	unsigned int i;
	enum op op;

	candidates[0].op = OP_MEMCPY;
	for (i = 0; (variant = csum_variant_get(i)) != NULL; i++) {
		if (csum_variant_runs(variant) == 0)
			continue;
		for (op = OP_COPY; op <= OP_SUM && nb < CANDIDATES_MAX; op++, nb++) {
			candidates[nb].op = op;
			candidates[nb].variant = variant;
		}
	}
	return nb;
}

int
main(int argc, char **argv)
{
	static const size_t lens[] = { 20, 64, 256, 512, 1448, 4096, 9000 };
	static struct candidate candidates[CANDIDATES_MAX];
	size_t nb = list_candidates(candidates);
	cpu_set_t cpus;
	size_t i;

	CPU_ZERO(&cpus);
	CPU_SET(argc > 1 ? atoi(argv[1]) : sched_getcpu(), &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) != 0) {
		perror("core-bench: cannot stay on one CPU");
		return 1;
	}
	printf("op\timpl\tlen\tmedian_ns\tmin_ns\tvs_memcpy\n");
	for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		measure(candidates, nb, lens[i]);
		report(candidates, nb, lens[i]);
	}
	return 0;
}
