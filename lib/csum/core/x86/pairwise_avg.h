/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PAIRWISE_AVG_H_
#define _PAIRWISE_AVG_H_

/*
 * Accumulators for vectors whose ISA has a rounding average of 16-bit words. Needs vec,
 * vec_avg16() and vec_narrow().
 *
 * In each 64-bit lane, let S be the sum of n values v. `low` is S modulo 2^64, one addition a
 * vector. What is missing is the number k of its wraps, S = k * 2^64 + low, and an estimate of
 * S / 2^48 is enough to find it: `high` adds up four times the averages of four v, cut off below
 * 2^48, and so costs five operations for four vectors.
 *
 * How far off the estimate is, in units of 2^48. Averages are taken of words, so let a be the
 * average of the four upper words as it comes out, b that of the words below them, and A, B and C
 * what they really are, C for the 32 bits below those: the four v are worth 4 * (A + B / 2^16) and
 * c = 4 * C / 2^32 / 2^16 < 2^-14 more.
 * - the average (x + y + 1) >> 1 exceeds the true one by 0 or 1/2; two levels exceed that of four
 *   words by 0 to 1: 4 * (a - A) is 0 to 4, and 4 * (b - B) / 2^16 is 0 to 2^-14.
 * - a shift by 46 gives 4 * a + (b >> 14), and b >> 14 is below 4 * b / 2^16 by less than 1.
 *   Four vectors are estimated too high by at most 4 + 2^-14 and too low by less than 1 + 2^-14.
 * - a single vector adds v >> 48, too low by less than 1.
 * With n4 vectors taken by fours and n1 taken alone, high - S / 2^48 is above -(n4 / 2 + n1) and at
 * most n4 * (1 + 2^-16). S >> 48 = k * 65536 + (low >> 48), so
 *	high - (low >> 48) = k * 65536 + D,  -(n4 / 2 + n1) < D < n4 * (1 + 2^-16) + 1,
 * (1 for the fraction that low >> 48 drops) and adding 32768 before the shift by 16 rounds to k
 * as long as n4 / 2 + n1 <= 32768 and n4 <= 32766.
 */

#include "../word.h"

struct acc {
	vec low;
	vec high;
};

/* And one more four: n4 = 32000 + 4. */
#define ACC_QUADS 8000

static ALWAYS_INLINE void
acc_add4(struct acc *acc, vec v0, vec v1, vec v2, vec v3)
{
	acc->low += (v0 + v1) + (v2 + v3);
	acc->high += vec_avg16(vec_avg16(v0, v1), vec_avg16(v2, v3)) >> 46;
}

static ALWAYS_INLINE void
acc_add1(struct acc *acc, vec value)
{
	acc->low += value;
	acc->high += value >> 48;
}

/* 2^64 stands for 1, so that a lane is worth low + k. */
static ALWAYS_INLINE vec
acc_lanes(const struct acc *acc)
{
	vec wraps = (acc->high - (acc->low >> 48) + 0x8000) >> 16;

	return vec_narrow(acc->low) + wraps;
}

#endif /* _PAIRWISE_AVG_H_ */
