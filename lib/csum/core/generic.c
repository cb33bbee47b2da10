/* SPDX-License-Identifier: BSD-3-Clause */

/* Plain C, either byte order: four accumulators, whose carries a comparison finds. */

#include "scalar.h"

#define VARIANT generic

struct acc {
	uint64_t sum[4];
};

static ALWAYS_INLINE void
acc_add4(struct acc *acc, vec v0, vec v1, vec v2, vec v3)
{
	acc->sum[0] = word_add(acc->sum[0], v0);
	acc->sum[1] = word_add(acc->sum[1], v1);
	acc->sum[2] = word_add(acc->sum[2], v2);
	acc->sum[3] = word_add(acc->sum[3], v3);
}

static ALWAYS_INLINE void
acc_add1(struct acc *acc, vec value)
{
	acc->sum[0] = word_add(acc->sum[0], value);
}

static ALWAYS_INLINE vec
acc_lanes(const struct acc *acc)
{
	return word_partial(word_add(word_add(acc->sum[0], acc->sum[1]),
		word_add(acc->sum[2], acc->sum[3])));
}

#include "sum_template.h"
