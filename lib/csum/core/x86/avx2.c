/* SPDX-License-Identifier: BSD-3-Clause */

#include <immintrin.h>
#include <stdint.h>

#define VARIANT avx2

typedef uint64_t vec __attribute__((vector_size(32)));
#define VEC_REG "x"

static inline vec
vec_avg16(vec a, vec b)
{
	return (vec)_mm256_avg_epu16((__m256i)a, (__m256i)b);
}

/* By a blend, since gcc 12 makes the mask of an AND anew, in three instructions. */
static inline vec
vec_narrow(vec value)
{
	return (vec)_mm256_blend_epi32((__m256i)value, _mm256_setzero_si256(), 0xaa) +
		(value >> 32);
}

static inline uint64_t
vec_total(vec lanes)
{
	__m128i half = _mm_add_epi64(_mm256_castsi256_si128((__m256i)lanes),
		_mm256_extracti128_si256((__m256i)lanes, 1));

	return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(half, _mm_unpackhi_epi64(half, half)));
}

#include "pairwise_avg.h"
#include "../sum_template.h"
