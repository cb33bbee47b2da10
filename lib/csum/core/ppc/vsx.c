/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * POWER multiplies pairs of unsigned 16-bit words, here by 1, and adds both to the 32-bit lanes of
 * an accumulator in one instruction. Either byte order: a sum of words asks for no order of lanes.
 * Built for POWER9, whose loads and stores of unaligned vectors need no swap of their halves.
 */

#include <altivec.h>
#include <stdint.h>

/* The header's macros of these names would take over C's. */
#undef bool
#undef pixel
#undef vector

#include "../word.h"

#define VARIANT vsx

typedef uint64_t vec __attribute__((vector_size(16)));
#define VEC_REG "v"

typedef uint32_t vec32 __attribute__((vector_size(16)));
typedef uint16_t vec16 __attribute__((vector_size(16)));

struct acc {
	vec32 sum[4];
};

/*
 * A lane takes 2 words of 16 bits each time: at most 131070, so 32768 times before it wraps. That
 * is for groups of four, one more of them, and the 8 vectors taken one at a time.
 */
#define ACC_QUADS 32000

static ALWAYS_INLINE vec32
add_pairs(vec32 sum, vec value)
{
	const vec16 ones = { 1, 1, 1, 1, 1, 1, 1, 1 };

	return vec_msum((vec16)value, ones, sum);
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
	return (value & 0xffffffff) + (value >> 32);
}

static ALWAYS_INLINE vec
vec_swap(vec value, size_t odd)
{
	uint64_t bits = odd * 8;

	return value << bits | value >> ((64 - bits) & 63);
}

static ALWAYS_INLINE vec
acc_lanes(const struct acc *acc)
{
	return (vec_narrow((vec)acc->sum[0]) + vec_narrow((vec)acc->sum[1])) +
		(vec_narrow((vec)acc->sum[2]) + vec_narrow((vec)acc->sum[3]));
}

static ALWAYS_INLINE uint64_t
vec_total(vec lanes)
{
	return lanes[0] + lanes[1];
}

#include "../sum_template.h"
