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

static inline vec
vec_swap(vec value, size_t odd)
{
	__m128i left = _mm_cvtsi32_si128((int)odd * 8);
	__m128i right = _mm_cvtsi32_si128(64 - (int)odd * 8);

	/* A shift by 64 gives 0. */
	return (vec)_mm_sll_epi64((__m128i)value, left) | (vec)_mm_srl_epi64((__m128i)value, right);
}

static inline uint64_t
vec_total(vec lanes)
{
	return lanes[0] + lanes[1];
}

#include "pairwise_avg.h"
#include "quads.h"

/* As in avx2.c. At 32 or 48 bytes behind a cache line a copy takes 12 % longer. */
#define SUM_SPACE ""
#define QUADS(STORE, SPACE) \
	__asm__ volatile(QUADS_BEGIN(SPACE) \
		"movdqu (%%rsi,%%rax), %%xmm0\n\t" \
		"movdqu 16(%%rsi,%%rax), %%xmm1\n\t" \
		"movdqu 32(%%rsi,%%rax), %%xmm2\n\t" \
		"movdqu 48(%%rsi,%%rax), %%xmm3\n\t" \
		"movdqa %%xmm0, %%xmm4\n\t" \
		"movdqa %%xmm2, %%xmm5\n\t" \
		STORE("movups %%xmm0, (%%rdi,%%rax)\n\t") \
		"pavgw %%xmm1, %%xmm0\n\t" \
		STORE("movups %%xmm2, 32(%%rdi,%%rax)\n\t") \
		"pavgw %%xmm3, %%xmm2\n\t" \
		"paddq %%xmm1, %%xmm4\n\t" \
		"paddq %%xmm3, %%xmm5\n\t" \
		"pavgw %%xmm2, %%xmm0\n\t" \
		STORE("movups %%xmm1, 16(%%rdi,%%rax)\n\t") \
		"paddq %%xmm5, %%xmm4\n\t" \
		"psrlq $46, %%xmm0\n\t" \
		STORE("movups %%xmm3, 48(%%rdi,%%rax)\n\t") \
		"paddq %%xmm4, %[low]\n\t" \
		"paddq %%xmm0, %[high]\n\t" \
		"add $64, %%rax\n\t" \
		"jnz 1b" \
		QUADS_OPERANDS)
DEFINE_TAKE_QUADS("xmm6", "xmm7")

#include "../sum_template.h"
