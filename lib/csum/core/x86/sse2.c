/* SPDX-License-Identifier: BSD-3-Clause */

#include <emmintrin.h>
#include <stdint.h>

#define VARIANT sse2

typedef uint64_t vec __attribute__((vector_size(16)));
#define VEC_REG "x"

static inline vec
vec_avg16(vec a, vec b)
{
	return (vec)_mm_avg_epu16((__m128i)a, (__m128i)b);
}

static inline vec
vec_narrow(vec value)
{
	return (value & 0xffffffff) + (value >> 32);
}

static inline uint64_t
vec_total(vec lanes)
{
	return lanes[0] + lanes[1];
}

#include "pairwise_avg.h"
#include "../sum_template.h"
