/* SPDX-License-Identifier: BSD-3-Clause */

#include <immintrin.h>
#include <stdint.h>

#include "../word.h"

#define VARIANT avx512

typedef uint64_t vec __attribute__((vector_size(64)));
#define VEC_REG "v"

static ALWAYS_INLINE vec
vec_avg16(vec a, vec b)
{
	return (vec)_mm512_avg_epu16((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE vec
vec_narrow(vec value)
{
	return (value & 0xffffffff) + (value >> 32);
}

static ALWAYS_INLINE vec
vec_swap(vec value, size_t odd)
{
	return (vec)_mm512_rolv_epi64((__m512i)value, _mm512_set1_epi64((long long)odd * 8));
}

static ALWAYS_INLINE uint64_t
vec_total(vec lanes)
{
	return (uint64_t)_mm512_reduce_add_epi64((__m512i)lanes);
}

/* Bytes that the mask leaves out are not accessed: they may lie in pages that are not there. */
#define TAKE_UP_TO_VEC
static ALWAYS_INLINE vec
take_up_to_vec(uint8_t *dst, const uint8_t *src, size_t len, const bool copy)
{
	/* The shift by 64 that no bytes would need is undefined. */
	__mmask64 mask = len == 0 ? 0 : ~(__mmask64)0 >> (64 - len);
	vec value = (vec)_mm512_maskz_loadu_epi8(mask, src);

	OPAQUE(VEC_REG, value);
	if (copy)
		_mm512_mask_storeu_epi8(dst, mask, (__m512i)value);
	return value;
}

#include "pairwise_avg.h"
#include "../sum_template.h"
