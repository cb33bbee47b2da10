/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Integer words of 64-bit CPUs, either byte order: four independent accumulators of 128 bits, whose
 * upper halves count carries. No word waits for the carry of the one before.
 */

#include "scalar.h"

#define VARIANT scalar128

/*
 * Halves by name: gcc 12 keeps pairs of registers for words extended to __int128, runs out of them
 * and is four times slower. It takes 2^64 words to fill an upper half.
 */
struct acc {
	uint64_t low[4];
	uint64_t high[4];
};

static ALWAYS_INLINE void
add128(struct acc *acc, size_t i, vec value)
{
	acc->low[i] += value;
	acc->high[i] += acc->low[i] < value;
}

static ALWAYS_INLINE void
acc_add4(struct acc *acc, vec v0, vec v1, vec v2, vec v3)
{
	add128(acc, 0, v0);
	add128(acc, 1, v1);
	add128(acc, 2, v2);
	add128(acc, 3, v3);
}

static ALWAYS_INLINE void
acc_add1(struct acc *acc, vec value)
{
	add128(acc, 0, value);
}

/* 2^64 stands for 1: that is what an upper half is worth. */
static ALWAYS_INLINE vec
acc_lanes(const struct acc *acc)
{
	uint64_t low = word_add(word_add(acc->low[0], acc->low[1]),
		word_add(acc->low[2], acc->low[3]));
	uint64_t high = word_add(word_add(acc->high[0], acc->high[1]),
		word_add(acc->high[2], acc->high[3]));

	return word_partial(word_add(low, high));
}

#include "sum_template.h"
