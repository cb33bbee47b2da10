/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _IMMINTRIN_H_
#define _IMMINTRIN_H_

/* In plain C, what the avx512 variant uses of the header of this name. */

#include <stdint.h>
#include <string.h>

typedef long long __m512i __attribute__((vector_size(64)));
typedef unsigned long long __mmask64;

static inline __m512i
_mm512_avg_epu16(__m512i a, __m512i b)
{
	uint16_t x[32], y[32];
	int i;

	memcpy(x, &a, sizeof(x));
	memcpy(y, &b, sizeof(y));
	for (i = 0; i < 32; i++)
		x[i] = (uint16_t)((x[i] + y[i] + 1) >> 1);
	memcpy(&a, x, sizeof(a));
	return a;
}

static inline __m512i
_mm512_set1_epi64(long long value)
{
	return (__m512i){ value, value, value, value, value, value, value, value };
}

static inline __m512i
_mm512_rolv_epi64(__m512i a, __m512i bits)
{
	int i;

	for (i = 0; i < 8; i++) {
		unsigned long long lane = (unsigned long long)a[i];

		a[i] = (long long)(lane << (bits[i] & 63) | lane >> (-bits[i] & 63));
	}
	return a;
}

static inline long long
_mm512_reduce_add_epi64(__m512i a)
{
	unsigned long long sum = 0;
	int i;

	for (i = 0; i < 8; i++)
		sum += (unsigned long long)a[i];
	return (long long)sum;
}

static inline __m512i
_mm512_maskz_loadu_epi8(__mmask64 mask, const void *src)
{
	uint8_t bytes[64] = { 0 };
	__m512i value;
	int i;

	for (i = 0; i < 64; i++)
		if ((mask >> i & 1) != 0)
			bytes[i] = ((const uint8_t *)src)[i];
	memcpy(&value, bytes, sizeof(value));
	return value;
}

static inline void
_mm512_mask_storeu_epi8(void *dst, __mmask64 mask, __m512i value)
{
	uint8_t bytes[64];
	int i;

	memcpy(bytes, &value, sizeof(bytes));
	for (i = 0; i < 64; i++)
		if ((mask >> i & 1) != 0)
			((uint8_t *)dst)[i] = bytes[i];
}

#endif /* _IMMINTRIN_H_ */
