/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What a checksum costs on top of a copy, and a fused copy on top of memcpy().
 *
 * All candidates take turns in one process, in one order and then in the other, a batch of a few
 * microseconds each, so that what disturbs the machine meets them all; each gets the median of
 * its batches. Hot: buffers stay in the L1 cache. A ratio of one run means something, a time of
 * two runs compared does not. Not a test: it fails at nothing.
 *
 * A range of lengths takes random ones: calls of one length hide what mispredicted branches cost.
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

/* More random lengths than a branch predictor can learn; 4096 are not enough (Zen 3). */
#define NB_LENS 16384

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

/* Those of the calls of a batch. */
static uint16_t lens[NB_LENS];

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
call(const struct candidate *candidate, unsigned int nb_calls)
{
	const struct csum_variant *variant = candidate->variant;
	uint32_t sum = 0;
	unsigned int i;

	switch (candidate->op) {
	case OP_MEMCPY:
		for (i = 0; i < nb_calls; i++)
			memcpy_called(dst, src, lens[i]);
		break;
	case OP_COPY:
		for (i = 0; i < nb_calls; i++)
			sum = variant->partial_copy(dst, src, lens[i], sum);
		break;
	case OP_MEMCPY_SUM:
		for (i = 0; i < nb_calls; i++) {
			memcpy_called(dst, src, lens[i]);
			sum = variant->partial(dst, lens[i], sum);
		}
		break;
	case OP_SUM:
		for (i = 0; i < nb_calls; i++)
			sum = variant->partial(src, lens[i], sum);
		break;
	}
	return sum;
}

static double
batch_ns(const struct candidate *candidate, unsigned int nb_calls)
{
	volatile uint32_t sink;
	double begin;

	/* The first calls bring code and branch predictors back; they do not count. */
	call(candidate, 16);
	begin = now_ns();
	sink = call(candidate, nb_calls);
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
measure(struct candidate *candidates, size_t nb, unsigned int nb_calls)
{
	unsigned int round;
	size_t i, turn;

	for (round = 0; round < ROUNDS; round++)
		for (turn = 0; turn < nb; turn++) {
			i = round % 2 == 0 ? turn : nb - 1 - turn;
			candidates[i].ns[round] = batch_ns(&candidates[i], nb_calls);
		}
}

static void
report(struct candidate *candidates, size_t nb, const char *len)
{
	static const char *const names[] = { "memcpy", "copy", "memcpy+sum", "sum" };
	double memcpy_ns = median(&candidates[0]);
	size_t i;

	for (i = 0; i < nb; i++) {
		const struct csum_variant *variant = candidates[i].variant;
		double ns = median(&candidates[i]);

		printf("%s\t%s\t%s\t%.1f\t%.1f\t%.2f\n", names[candidates[i].op],
			variant == NULL ? "glibc" : variant->name, len, ns, candidates[i].ns[0],
			ns / memcpy_ns);
	}
}

static void
bench_len(struct candidate *candidates, size_t nb, uint16_t len)
{
	unsigned int i, nb_calls = (unsigned int)(BATCH_NS / (4 + len * 0.02));
	char label[16];

	for (i = 0; i < nb_calls; i++)
		lens[i] = len;
	measure(candidates, nb, nb_calls);
	snprintf(label, sizeof(label), "%u", len);
	report(candidates, nb, label);
}

static void
bench_random(struct candidate *candidates, size_t nb, unsigned int min, unsigned int max)
{
	unsigned int i;
	char label[16];

	for (i = 0; i < NB_LENS; i++)
		lens[i] = (uint16_t)(min + (unsigned int)random() % (max - min + 1));
	measure(candidates, nb, NB_LENS);
	snprintf(label, sizeof(label), "%u..%u", min, max);
	report(candidates, nb, label);
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
	static const uint16_t fixed[] = { 20, 64, 128, 256, 512, 1000, 1448, 4096, 9000 };
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
	for (i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		bench_len(candidates, nb, fixed[i]);
	bench_random(candidates, nb, 0, 64);
	bench_random(candidates, nb, 64, 1500);
	return 0;
}
