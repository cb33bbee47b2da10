/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _CSUM_BENCH_H_
#define _CSUM_BENCH_H_

/*
 * What the files of csum-bench share. A *cell* is one length, alignment and residency; in it, all
 * implementations take turns.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIM(array) (sizeof(array) / sizeof((array)[0]))

/* csum_bench_impls.c: what is measured. */

enum op { OP_SUM, OP_COPY, NB_OPS };

#define COPY_AND_SUM_PEER "rte_memcpy+rte_raw_cksum/native"
#define SUM_PEER "rte_raw_cksum/native"

typedef void *memcpy_fn(void *dst, const void *src, size_t len);
typedef uint32_t copy_fn(void *dst, const void *src, size_t len, uint32_t sum);
typedef uint32_t sum_fn(const void *buf, size_t len, uint32_t sum);

/* One of: copy; sum; plain; plain, then sum of what was written. */
struct impl {
	char name[40];
	enum op op;
	bool only_named;            /* not measured unless asked for by name */
	bool sums;                  /* false: copies only */
	size_t ahead;               /* for csum_prefetch_ahead() while it is measured */
	memcpy_fn *plain;
	copy_fn *copy;
	sum_fn *sum;
};

#define NB_IMPLS_MAX 64

/* DPDK's functions, compiled with one set of flags. */
struct peers {
	const char *flags;
	copy_fn *memcpy_only;       /* returns 0 */
	copy_fn *memcpy_and_cksum;
	sum_fn *cksum;
};

extern const struct peers peers_native;
#ifdef __x86_64__
extern const struct peers peers_corei7;
extern const struct peers peers_corei7_O2;
#endif

/* Lists all that run on this CPU; returns how many. */
size_t impls_list(struct impl *impls);

/* NULL when there is none of this name and operation. */
const struct impl *impl_find(const struct impl *impls, size_t nb, enum op op, const char *name);

/* csum_bench_memory.c: where the bytes lie. */

enum residency { RESIDENCY_L1, RESIDENCY_L2, RESIDENCY_L3, RESIDENCY_DRAM, NB_RESIDENCIES };

extern const char *const residency_names[NB_RESIDENCIES];

struct cell {
	uint16_t len_min, len_max;  /* not equal: random lengths */
	uint8_t src_off, dst_off;   /* behind a cache line */
	enum residency residency;
	unsigned int ahead;         /* packets to prefetch ahead; 0: none */
	bool sequential;            /* packets in the order of their addresses */
};

/* Pairs of source and destination, used in turns, each equally often. */
struct ring {
	uint8_t *src, *dst;         /* of the first pair */
	size_t step, size;          /* bytes from a pair to the next in turn; of all */
	size_t pos;                 /* offset of the next pair; goes on from batch to batch */
	size_t shift;               /* see ring_shift() */
};

/* Exits when there is no memory. */
void ring_init(struct ring *ring, const struct cell *cell);

/* Move all pairs to the page offset of the @p i-th of 64 turns, without a change of their own. */
void ring_shift(struct ring *ring, unsigned int i);

/* csum_bench_clock.c: time, the core's clock, and whether the core is ours alone. */

double clock_now_ns(void);

/*
 * Finds out what a quiet core looks like; before the others. Takes as long as this, or 0.2 s where
 * both a quiet and a busy core have been seen.
 */
void clock_start(double limit_ns);

double clock_core_ghz(void);

bool clock_is_quiet(void);

/* What clock_is_quiet() goes by; falls when the core is quieter than it has ever been. */
double clock_quiet_ratio(void);

/* csum_bench_measure.c */

#define ROUNDS_MAX 301
#define NB_RANDOM_LENS 16384

struct result {
	double ns[ROUNDS_MAX];      /* a call, in the order of the rounds */
};

/*
 * Measures implementations in turns. Returns the number of rounds: @p rounds_max, fewer (11 at
 * least, if that many were asked for) where batches are long or the core is seldom quiet. @p ghz
 * is the clock of the core.
 */
unsigned int measure(const struct cell *cell, const struct impl *const *impls, size_t nb,
		     unsigned int rounds_max, struct result *results, double *ghz);

/* Batches that counted since the start, and how many of them although they were disturbed. */
void measure_count(unsigned long *nb_batches, unsigned long *nb_disturbed);

/* csum_bench_median.c; sorts. */
double median(double *values, size_t nb);

/* csum_bench_options.c */

#define PASSES_MAX 31

struct options {
	bool ops[NB_OPS];
	bool residencies[NB_RESIDENCIES];
	const char *impls;          /* comma-separated; NULL: all */
	struct { uint16_t min, max; } lens[32];
	unsigned int nb_lens;
	struct { uint8_t src, dst; } aligns[16];
	unsigned int nb_aligns;
	unsigned int ahead;
	bool sequential;
	int cpu;                    /* -1: the one that it runs on */
	unsigned int rounds, passes;
	bool minimum, goals;
};

/* Returns false after a message when the program is to end, with @p status. */
bool options_parse(int argc, char **argv, struct options *options, int *status);

/* Whether a comma-separated list has a name; NULL has all. */
bool list_has(const char *list, const char *name);

/* csum_bench_table.c, csum_bench_goals.c: the two kinds of report. Exit status. */

int table_print(const struct options *options);
int goals_print(const struct options *options);

#endif /* _CSUM_BENCH_H_ */
