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

static inline vec
vec_swap(vec value, size_t odd)
{
	static const uint8_t order[2][sizeof(vec)] __attribute__((aligned(sizeof(vec)))) = {
		{ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
		  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
		{ 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14,
		  1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14 },
	};

	return (vec)_mm256_shuffle_epi8((__m256i)value,
		_mm256_load_si256((const __m256i *)order[odd]));
}

static inline uint64_t
vec_total(vec lanes)
{
	__m128i half = _mm_add_epi64(_mm256_castsi256_si128((__m256i)lanes),
		_mm256_extracti128_si256((__m256i)lanes, 1));

	return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(half, _mm_unpackhi_epi64(half, half)));
}

#include "pairwise_avg.h"
#include "quads.h"

/*
 * In assembly for the order of its instructions alone, which is worth 5 to 10 %: loads first, then
 * stores in between the operations. gcc 12 finds it or not, clang 14 puts four stores in a row.
 * At 16 or 48 bytes behind a cache line a copy takes up to 10 % longer than at 0, where a sum takes
 * 6 % longer than at 32.
 */
#define SUM_SPACE ".nops 32"
#define QUADS(STORE, SPACE) \
	__asm__ volatile(QUADS_BEGIN(SPACE) \
		"vmovdqu (%%rsi,%%rax), %%ymm0\n\t" \
		"vmovdqu 32(%%rsi,%%rax), %%ymm1\n\t" \
		"vmovdqu 64(%%rsi,%%rax), %%ymm2\n\t" \
		"vmovdqu 96(%%rsi,%%rax), %%ymm3\n\t" \
		"vpaddq %%ymm0, %%ymm1, %%ymm4\n\t" \
		"vpaddq %%ymm2, %%ymm3, %%ymm5\n\t" \
		STORE("vmovdqu %%ymm0, (%%rdi,%%rax)\n\t") \
		STORE("vmovdqu %%ymm2, 64(%%rdi,%%rax)\n\t") \
		"vpavgw %%ymm0, %%ymm1, %%ymm0\n\t" \
		"vpavgw %%ymm2, %%ymm3, %%ymm2\n\t" \
		"vpavgw %%ymm0, %%ymm2, %%ymm0\n\t" \
		"vpaddq %%ymm4, %%ymm5, %%ymm4\n\t" \
		STORE("vmovdqu %%ymm1, 32(%%rdi,%%rax)\n\t") \
		"vpsrlq $46, %%ymm0, %%ymm0\n\t" \
		STORE("vmovdqu %%ymm3, 96(%%rdi,%%rax)\n\t") \
		"vpaddq %%ymm4, %[low], %[low]\n\t" \
		"vpaddq %%ymm0, %[high], %[high]\n\t" \
		"sub $-128, %%rax\n\t" \
		"jnz 1b" \
		QUADS_OPERANDS)
DEFINE_TAKE_QUADS("ymm6", "ymm7")

#include "../sum_template.h"
