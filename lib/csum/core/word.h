/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WORD_H_
#define _WORD_H_

/*
 * Integer words as parts of a sum, in either byte order.
 *
 * A 64-bit number stands for its value modulo 2^16 - 1, which is the sum of its four 16-bit
 * words, since 2^16 = 1 modulo that. A carry out of bit 63 is worth 2^64 = 1: it comes back in at
 * bit 0, and nothing can overflow. 0 is kept apart from 2^16 - 1: sums become 0 only from zeros.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ALWAYS_INLINE inline __attribute__((always_inline))

/*
 * Hide from the compiler where a value came from. gcc 12 otherwise loads again what it has
 * loaded, and then what is stored need no longer be what was summed.
 */
#define OPAQUE(reg, value) __asm__ volatile("" : "+" reg (value))

/*
 * Load a word, and store it when there is a copy to be made: the one way that bytes of the source
 * take. The offset is below 0 in loops that count up to it.
 */
#define DEFINE_TAKE(name, type, reg) \
static ALWAYS_INLINE type \
name(uint8_t *dst, const uint8_t *src, ptrdiff_t off, const bool copy) \
{ \
	type value; \
\
	memcpy(&value, src + off, sizeof(value)); \
	OPAQUE(reg, value); \
	if (copy) \
		memcpy(dst + off, &value, sizeof(value)); \
	return value; \
}

DEFINE_TAKE(word_take64, uint64_t, "r")
DEFINE_TAKE(word_take32, uint32_t, "r")
DEFINE_TAKE(word_take16, uint16_t, "r")

/* Take a last, odd byte: the first byte of a word whose second one is 0. */
static ALWAYS_INLINE uint64_t
word_take_odd(uint8_t *dst, const uint8_t *src, size_t off, const bool copy)
{
	unsigned int value = src[off];

	OPAQUE("r", value);
	if (copy)
		dst[off] = (uint8_t)value;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	value <<= 8;
#endif
	return value;
}

static ALWAYS_INLINE uint64_t
word_add(uint64_t a, uint64_t b)
{
	a += b;
	return a + (a < b);
}

/* Move the last @p nb bytes of a word, less than all, to its front; zeros follow. */
static ALWAYS_INLINE uint64_t
word_last64(uint64_t word, size_t nb)
{
	/* Two steps, as a shift by 64 is undefined. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return word << 8 << (56 - nb * 8);
#else
	return word >> 8 >> (56 - nb * 8);
#endif
}

static ALWAYS_INLINE uint32_t
word_last32(uint32_t word, size_t nb)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return word << 8 << (24 - nb * 8);
#else
	return word >> 8 >> (24 - nb * 8);
#endif
}

/*
 * Sum bytes that were taken at an odd offset as if they were at an even one, or back: 256 times
 * the sum, so that each byte changes its half of the word (RFC 1071 section 2 (B)).
 */
static ALWAYS_INLINE uint64_t
word_swap(uint64_t sum, size_t odd)
{
	unsigned int bits = (odd & 1) * 8;

	return sum << bits | sum >> ((64 - bits) & 63);
}

/* Make a partial sum of it. */
static ALWAYS_INLINE uint32_t
word_partial(uint64_t sum)
{
	uint32_t high = (uint32_t)(sum >> 32);
	uint32_t low = (uint32_t)sum + high;

	return low + (low < high);
}

#endif /* _WORD_H_ */
