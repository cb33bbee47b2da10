/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _CARRY_CHAINS_H_
#define _CARRY_CHAINS_H_

/*
 * Accumulators of chains of additions with carry: two of them, since each addition waits for the
 * one before. A carry at the end of a chain comes back in at its bottom, so none is left over. It
 * cannot overflow once more: after a carry the sum is at most 2^64 - 2.
 */

#include "../scalar.h"

struct acc {
	uint64_t sum[2];
};

static ALWAYS_INLINE void
acc_add1(struct acc *acc, vec value)
{
	acc->sum[0] = word_add(acc->sum[0], value);
}

static ALWAYS_INLINE vec
acc_lanes(const struct acc *acc)
{
	return word_partial(word_add(acc->sum[0], acc->sum[1]));
}

#endif /* _CARRY_CHAINS_H_ */
