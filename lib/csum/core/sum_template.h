/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The one algorithm behind csum_partial() and csum_partial_copy(), included once by each variant.
 *
 * Before that, a variant defines
 *   VARIANT          its name
 *   vec              a vector of uint64_t (or one uint64_t)
 *   VEC_REG          the constraint of a register that holds a vec
 *   struct acc       accumulators; all zeros to begin
 *   ACC_QUADS        groups of four that they take before they must be summed up
 *   acc_add4()       accumulate four vectors
 *   acc_add1()       accumulate one; up to 8 for each time that they are summed up
 *   acc_lanes()      sum up: a vector whose lanes stand for the sum, each below 2^35
 *   vec_narrow()     each lane's upper half added to its lower half: below 2^33
 *   vec_swap()       word_swap() of each lane
 *   vec_total()      add the lanes of a vector, whose sum is below 2^63
 *
 * A variant with masked accesses also defines TAKE_UP_TO_VEC and take_up_to_vec(), which takes up
 * to a vector's bytes, as a vector with zeros behind them; it then needs no integer words.
 *
 * One for which the compiler's order of instructions is not good enough also defines TAKE_QUADS and
 * take_quads(), the loop of acc_quads().
 *
 * Vectors are taken from both ends, the last ones overlapping those before: there is no loop over
 * single bytes. What overlaps is
 * - summed once: the bytes of the outer vector that the inner ones cover are masked off;
 * - stored from the load that was summed: outer vectors are stored first, so that the inner ones
 *   overwrite what was masked off.
 * A vector that ends behind an odd last byte begins at an odd offset: its sum is swapped.
 */

#include "core.h"
#include "word.h"

#define VEC sizeof(vec)
#define QUAD (4 * VEC)

/* What accumulators take before they must be summed up; the tail is one more group of four. */
#define CHUNK (ACC_QUADS * QUAD)

/* Lengths that integer words deal with, or one vector in part. */
#ifdef TAKE_UP_TO_VEC
#define SHORT VEC
#else
#define SHORT 32
#endif

/*
 * From this length on what a sum alone reads is aligned. Core cycles with and without, AVX2 on
 * Zen 3: 512 B 26 and 24, 1448 B 55 and 56, 2048 B 67 and 69, 4096 B 112 and 120.
 *
 * The destination of a copy, where a store across two cache lines costs two, always is, once there
 * is a loop over it: one path for all lengths spares a branch that random lengths mispredict.
 */
#define SUM_ALIGN_FROM 2048

/* From this length on there is a QUAD between up to a vector that aligns it and a last byte. */
#define MANY_FROM (QUAD + VEC + 1)

_Static_assert(VEC <= SHORT, "what is not short holds a vector");
_Static_assert(CHUNK / 2 > MANY_FROM && CHUNK / 2 % 2 == 0, "half a CHUNK is many, and even");

#define PASTE_(a, b) a##_##b
#define PASTE(a, b) PASTE_(a, b)
#define QUOTE_(a) #a
#define QUOTE(a) QUOTE_(a)

DEFINE_TAKE(take, vec, VEC_REG)

/* Store what was taken without a copy: loads in a row, and then stores, are the faster order. */
static ALWAYS_INLINE void
put(uint8_t *dst, ptrdiff_t off, vec value)
{
	memcpy(dst + off, &value, sizeof(value));
}

/* Slides under vectors to keep their last bytes, or to keep all but their last bytes. */
#define MASK (3 * VEC)
static const uint8_t masks[3 * MASK] __attribute__((aligned(64))) = {
	[MASK ... 2 * MASK - 1] = 0xff,
};
#define MASK_LAST(nb, of) (MASK + (nb) - (of))
#define MASK_NOT_LAST(nb, of) (2 * MASK + (nb) - (of))

/*
 * gcc 12 keeps a register for each way to compute what depends on a size or the address of masks,
 * and saves on the stack those that it lacks: 3 cycles a call. Opaque, there is one way.
 */
static ALWAYS_INLINE size_t
opaque(size_t size)
{
	OPAQUE("r", size);
	return size;
}

static ALWAYS_INLINE const uint8_t *
mask_table(void)
{
	const uint8_t *table = masks;

	OPAQUE("r", table);
	return table;
}

static ALWAYS_INLINE vec
mask_load(const uint8_t *mask)
{
	vec value;

	memcpy(&value, mask, sizeof(value));
	return value;
}

static ALWAYS_INLINE uint64_t
mask_load64(const uint8_t *mask)
{
	uint64_t value;

	memcpy(&value, mask, sizeof(value));
	return value;
}

#ifdef TAKE_UP_TO_VEC

/* Sum up to SHORT bytes. */
static ALWAYS_INLINE uint64_t
sum_short(uint8_t *dst, const uint8_t *src, size_t len, const bool copy)
{
	return vec_total(vec_narrow(take_up_to_vec(dst, src, len, copy)));
}

#else

/* Sum 16 to 32 bytes: two words from the front, two from the back. */
static ALWAYS_INLINE uint64_t
sum_16to32(uint8_t *dst, const uint8_t *src, size_t len, const bool copy)
{
	const uint8_t *mask = mask_table() + MASK_LAST(len - 16, 16);
	uint64_t tail1 = word_take64(dst, src, len - 8, copy) & mask_load64(mask + 8);
	uint64_t tail0 = word_take64(dst, src, len - 16, copy) & mask_load64(mask);
	uint64_t head1 = word_take64(dst, src, 8, copy);
	uint64_t head0 = word_take64(dst, src, 0, copy);

	return word_add(word_add(head0, head1), word_swap(word_add(tail0, tail1), len));
}

/* Sum up to SHORT bytes. */
static ALWAYS_INLINE uint64_t
sum_short(uint8_t *dst, const uint8_t *src, size_t len, const bool copy)
{
	uint64_t sum = 0;

	if (len >= 16)
		return sum_16to32(dst, src, len, copy);
	if (len >= 8) {
		sum = word_last64(word_take64(dst, src, len - 8, copy), len - 8);
		return word_add(sum, word_take64(dst, src, 0, copy));
	}
	if (len >= 4) {
		sum = word_last32(word_take32(dst, src, len - 4, copy), len - 4);
		return sum + word_take32(dst, src, 0, copy);
	}
	if (len % 2 == 1)
		sum = word_take_odd(dst, src, len - 1, copy);
	if (len >= 2)
		sum += word_take16(dst, src, 0, copy);
	return sum;
}

#endif

/*
 * Sum at least @p nb vectors' bytes and up to twice as many: @p nb vectors from the front, as many
 * from the back.
 */
static ALWAYS_INLINE uint64_t
sum_few(uint8_t *dst, const uint8_t *src, size_t len, const size_t nb, const bool copy)
{
	const uint8_t *mask = mask_table() + MASK_LAST(len - nb * VEC, nb * VEC);
	vec lanes = { 0 };
	size_t i;

	for (i = 1; i <= nb; i++)
		lanes += vec_narrow(take(dst, src, len - i * VEC, copy) &
			mask_load(mask + (nb - i) * VEC));
	/* Three times 2^33 is below 2^35, and swapped below 2^43: no lane overflows. */
	lanes = vec_swap(lanes, len % 2);
	for (i = 0; i < nb; i++)
		lanes += vec_narrow(take(dst, src, i * VEC, copy));
	return vec_total(lanes);
}

#ifndef TAKE_QUADS

/* Accumulate QUADs that begin @p off bytes, a negative number, before the ends. */
static ALWAYS_INLINE void
take_quads(struct acc *acc, uint8_t *dst_end, const uint8_t *src_end, size_t off, const bool copy)
{
	for (; off != 0; off += QUAD) {
		vec v0 = take(dst_end, src_end, off + 0 * VEC, false);
		vec v1 = take(dst_end, src_end, off + 1 * VEC, false);
		vec v2 = take(dst_end, src_end, off + 2 * VEC, false);
		vec v3 = take(dst_end, src_end, off + 3 * VEC, false);

		if (copy) {
			put(dst_end, off + 0 * VEC, v0);
			put(dst_end, off + 1 * VEC, v1);
			put(dst_end, off + 2 * VEC, v2);
			put(dst_end, off + 3 * VEC, v3);
		}
		acc_add4(acc, v0, v1, v2, v3);
	}
}

#endif

/* Accumulate whole QUADs, counting up to 0: one instruction less than up to a number. */
static ALWAYS_INLINE void
acc_quads(struct acc *acc, uint8_t *dst, const uint8_t *src, size_t len, const bool copy)
{
	take_quads(acc, copy ? dst + len : dst, src + len, -len, copy);
}

/*
 * Sum at least MANY_FROM and at most a CHUNK: what precedes an aligned body, the body, and the last
 * vector, which ends where the buffer does. The body is QUADs and up to three vectors more. Three
 * are taken before them in any case, which takes no branch: those that the QUADs cover as well are
 * masked off. All of it is stored before the QUADs are.
 *
 * The body is aligned by an even number of bytes, so that its sum needs no swap.
 */
static ALWAYS_INLINE uint64_t
sum_many(uint8_t *dst, const uint8_t *src, size_t len, const bool align, const bool copy)
{
	size_t skip = align ? opaque(VEC - ((uintptr_t)(copy ? dst : src) & (VEC - 2))) : 0;
	/* Of the body and the last vector, all but one byte: so that there is a last vector. */
	size_t rest = opaque(len - skip - 1);
	size_t end = skip + (rest & -VEC);
	vec last = take(dst, src, len - VEC, copy);
	vec v0 = take(dst, src, end - 3 * VEC, copy);
	vec v1 = take(dst, src, end - 2 * VEC, copy);
	vec v2 = take(dst, src, end - 1 * VEC, copy);
	const uint8_t *table = mask_table();
	const uint8_t *mask = table + MASK_NOT_LAST(~rest & MASK, MASK);
	struct acc acc = { 0 };

	last &= mask_load(table + MASK_LAST(rest % VEC + 1, VEC));
	acc_add4(&acc, v0 & mask_load(mask + 2 * VEC), v1 & mask_load(mask + VEC),
		v2 & mask_load(mask), vec_swap(last, 1 - rest % 2));
	if (align)
		acc_add1(&acc, take(dst, src, 0, copy) &
			mask_load(table + MASK_NOT_LAST(VEC - skip, VEC)));
	acc_quads(&acc, copy ? dst + skip : dst, src + skip, rest & -QUAD, copy);
	return vec_total(acc_lanes(&acc));
}

typedef uint32_t (*chunk_fn)(uint8_t *dst, const uint8_t *src, size_t len, uint32_t sum);

/* Functions of their own, so that shorter lengths need no registers saved. */
static __attribute__((noinline)) uint32_t
PASTE(partial_chunk, VARIANT)(uint8_t *dst, const uint8_t *src, size_t len, uint32_t sum)
{
	if (len < SUM_ALIGN_FROM)
		return word_partial(sum_many(dst, src, len, false, false) + sum);
	return word_partial(sum_many(dst, src, len, true, false) + sum);
}

static __attribute__((noinline)) uint32_t
PASTE(partial_copy_even, VARIANT)(uint8_t *dst, const uint8_t *src, size_t len, uint32_t sum)
{
	return word_partial(sum_many(dst, src, len, true, true) + sum);
}

/* No even number of bytes aligns an odd destination: copy one byte, and swap what follows. */
static __attribute__((noinline)) uint32_t
PASTE(partial_copy_odd, VARIANT)(uint8_t *dst, const uint8_t *src, size_t len, uint32_t sum)
{
	uint64_t first = word_take_odd(dst, src, 0, true);
	uint64_t rest = PASTE(partial_copy_even, VARIANT)(dst + 1, src + 1, len - 1, 0);

	return word_partial(word_swap(rest, 1) + first + sum);
}

static ALWAYS_INLINE uint32_t
PASTE(partial_copy_chunk, VARIANT)(uint8_t *dst, const uint8_t *src, size_t len, uint32_t sum)
{
	if ((uintptr_t)dst % 2 == 1)
		return PASTE(partial_copy_odd, VARIANT)(dst, src, len, sum);
	return PASTE(partial_copy_even, VARIANT)(dst, src, len, sum);
}

/* Sum more than a CHUNK by halves of one, so that the rest is never short. */
static __attribute__((noinline)) uint32_t
PASTE(partial_huge, VARIANT)(uint8_t *dst, const uint8_t *src, size_t len, uint32_t sum,
	chunk_fn chunk)
{
	size_t off;

	for (off = 0; len - off > CHUNK; off += CHUNK / 2)
		sum = chunk(dst == NULL ? NULL : dst + off, src + off, CHUNK / 2, sum);
	return chunk(dst == NULL ? NULL : dst + off, src + off, len - off, sum);
}

static ALWAYS_INLINE uint32_t
sum_any(uint8_t *dst, const uint8_t *src, size_t len, uint32_t sum, const bool copy)
{
	const chunk_fn chunk = copy ? PASTE(partial_copy_chunk, VARIANT) :
		PASTE(partial_chunk, VARIANT);

	/* The usual case. An odd destination takes one byte by itself. */
	if (len > MANY_FROM && len <= CHUNK)
		return chunk(dst, src, len, sum);
	if (len <= SHORT)
		return word_partial(word_add(sum_short(dst, src, len, copy), sum));
	if (len <= 2 * VEC)
		return word_partial(sum_few(dst, src, len, 1, copy) + sum);
	if (len <= QUAD)
		return word_partial(sum_few(dst, src, len, 2, copy) + sum);
	if (len <= MANY_FROM)
		return word_partial(sum_few(dst, src, len, 3, copy) + sum);
	return PASTE(partial_huge, VARIANT)(dst, src, len, sum, chunk);
}

static uint32_t
PASTE(partial, VARIANT)(const void *buf, size_t len, uint32_t sum)
{
	return sum_any(NULL, buf, len, sum, false);
}

static uint32_t
PASTE(partial_copy, VARIANT)(void *dst, const void *src, size_t len, uint32_t sum)
{
	return sum_any(dst, src, len, sum, true);
}

const struct csum_variant PASTE(csum_variant, VARIANT) = {
	.name = QUOTE(VARIANT),
	.bits = 8 * VEC,
	.partial = PASTE(partial, VARIANT),
	.partial_copy = PASTE(partial_copy, VARIANT),
};
