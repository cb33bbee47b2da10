/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PAIRWISE_AVG_H_
#define _PAIRWISE_AVG_H_

/*
 * Accumulators for vectors whose ISA has a rounding average of 16-bit words. Needs vec and
 * vec_avg16().
 *
 * In each 64-bit lane, let S be the sum of n values v = t * 2^48 + r, r < 2^48. `low` is S modulo
 * 2^64, one addition a vector. What is missing is the number k of its wraps, S = k * 2^64 + low,
 * and an estimate of the sum T of all t is enough to find it: `high` adds up averages of four t
 * and so costs five operations for four vectors.
 *
 * How far off the estimate 4 * high is, in units of 2^48:
 * - the average (a + b + 1) >> 1 exceeds the true one by 0 or 1/2. Two levels of it exceed that
 *   of four t by at most 1: 4 * average is above their sum by 0 to 4, 0 to 1 a vector.
 * - a single vector adds t >> 2: 4 * (t >> 2) is below t by 0 to 3.
 * - the r, which T leaves out, are at least 0 and below 1 a vector.
 * With n4 vectors taken by fours and n1 taken alone, 4 * high - S / 2^48 is above
 * -(n4 + n1) - 3 * n1 and at most n4. S >> 48 = k * 65536 + (low >> 48), so
 *	4 * high - (low >> 48) = k * 65536 + D,  -(n4 + 4 * n1) < D < n4 + 1,
 * (1 for the fraction that low >> 48 drops) and adding 32768 before the shift by 16 rounds to k
 * as long as n4 + 4 * n1 <= 32768 and n4 < 32768.
 */

#include "../word.h"

struct acc {
	vec low;
	vec high;
};

/* And one more four, and 8 alone: n4 + 4 * n1 = 32000 + 4 + 32. */
#define ACC_QUADS 8000

static ALWAYS_INLINE void
acc_add4(struct acc *acc, vec v0, vec v1, vec v2, vec v3)
{
	acc->low += (v0 + v1) + (v2 + v3);
	acc->high += vec_avg16(vec_avg16(v0, v1), vec_avg16(v2, v3)) >> 48;
}

static ALWAYS_INLINE void
acc_add1(struct acc *acc, vec value)
{
	acc->low += value;
	acc->high += value >> 50;
}

/* 2^64 stands for 1, so that a lane is worth low + k. */
static ALWAYS_INLINE vec
acc_lanes(const struct acc *acc)
{
	vec wraps = ((acc->high << 2) - (acc->low >> 48) + 0x8000) >> 16;

	return (acc->low & 0xffffffff) + (acc->low >> 32) + wraps;
}

#endif /* _PAIRWISE_AVG_H_ */
