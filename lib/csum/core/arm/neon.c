/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * NEON adds pairs of 32-bit words to the 64-bit lanes of an accumulator in one instruction, and so
 * needs no estimate of carries. Four accumulators, since each addition waits for the one before:
 * with two, llvm-mca sees half the speed on Neoverse-N1.
 */

#include <arm_neon.h>
#include <stdint.h>

#include "../word.h"

#define VARIANT neon

typedef uint64_t vec __attribute__((vector_size(16)));
#define VEC_REG "w"

struct acc {
	vec sum[4];
};

/* A lane takes 2 words of 32 bits each time: less than 2^33, so 2^31 times before it wraps. */
#define ACC_QUADS (1u << 30)

static ALWAYS_INLINE vec
add_pairs(vec sum, vec value)
{
	return (vec)vpadalq_u32((uint64x2_t)sum, (uint32x4_t)value);
}

static ALWAYS_INLINE void
acc_add4(struct acc *acc, vec v0, vec v1, vec v2, vec v3)
{
	acc->sum[0] = add_pairs(acc->sum[0], v0);
	acc->sum[1] = add_pairs(acc->sum[1], v1);
	acc->sum[2] = add_pairs(acc->sum[2], v2);
	acc->sum[3] = add_pairs(acc->sum[3], v3);
}

static ALWAYS_INLINE void
acc_add1(struct acc *acc, vec value)
{
	acc->sum[0] = add_pairs(acc->sum[0], value);
}

static ALWAYS_INLINE vec
vec_narrow(vec value)
{
	return (vec)vpaddlq_u32((uint32x4_t)value);
}

static ALWAYS_INLINE vec
vec_swap(vec value, size_t odd)
{
	const uint64x2_t mask = vdupq_n_u64(-(uint64_t)odd);
	const uint8x16_t swapped = vrev16q_u8((uint8x16_t)value);

	return (vec)vbslq_u64(mask, (uint64x2_t)swapped, (uint64x2_t)value);
}

static ALWAYS_INLINE vec
acc_lanes(const struct acc *acc)
{
	return (vec_narrow(acc->sum[0]) + vec_narrow(acc->sum[1])) +
		(vec_narrow(acc->sum[2]) + vec_narrow(acc->sum[3]));
}

static ALWAYS_INLINE uint64_t
vec_total(vec lanes)
{
	return vaddvq_u64((uint64x2_t)lanes);
}

#include "../sum_template.h"
