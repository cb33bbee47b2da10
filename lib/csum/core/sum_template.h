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
 *   vec_total()      add the lanes of a vector, whose sum is below 2^63
 *
 * A variant with masked accesses also defines TAKE_UP_TO_VEC and take_up_to_vec(), which takes up
 * to a vector's bytes, as a vector with zeros behind them; it then needs no integer words.
 *
 * Vectors are taken from both ends, the last ones overlapping those before: there is no loop over
 * single bytes. What overlaps is
 * - summed once: the bytes of the outer vector that the inner ones cover are masked off;
 * - stored from the load that was summed: outer vectors are stored first, so that the inner ones
 *   overwrite what was masked off. For the same reason the odd last byte is the first of all.
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
 * Zen 3: 1448 B 63 and 62, 2048 B 75 and 77, 4096 B 127 and 137.
 *
 * The destination of a copy, where a store across two cache lines costs two, always is, once there
 * is a loop over it: one path for all lengths spares a branch that random lengths mispredict.
 */
#define SUM_ALIGN_FROM 2048

_Static_assert(VEC <= SHORT, "what is not short holds a vector");
_Static_assert(CHUNK / 2 > 2 * QUAD && CHUNK / 2 % 2 == 0, "half a CHUNK is long and even");

#define PASTE_(a, b) a##_##b
#define PASTE(a, b) PASTE_(a, b)
#define QUOTE_(a) #a
#define QUOTE(a) QUOTE_(a)

DEFINE_TAKE(take, vec, VEC_REG)

/* Slides under vectors to keep their last bytes (MASK_LAST), or their first ones (MASK_FIRST). */
static const uint8_t masks[2 * QUAD + VEC] __attribute__((aligned(64))) = {
	[QUAD ... 2 * QUAD - 1] = 0xff,
};
#define MASK_LAST(nb, of) (masks + QUAD + (nb) - (of))
#define MASK_FIRST(nb) (masks + 2 * QUAD - (nb))

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
	const uint8_t *mask = MASK_LAST(len - 16, 16);
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

/* Take vector @p i of those that begin at @p off, and mask it. */
static ALWAYS_INLINE vec
take_masked(uint8_t *dst, const uint8_t *src, size_t off, size_t i, const uint8_t *mask,
	const bool copy)
{
	return take(dst, src, off + i * VEC, copy) & mask_load(mask + i * VEC);
}

/* An odd last byte has no place in vectors: take it, and let it count if there is one. */
static ALWAYS_INLINE uint64_t
take_odd(uint8_t *dst, const uint8_t *src, size_t len, size_t odd, const bool copy)
{
	return word_take_odd(dst, src, len - 1, copy) & -(uint64_t)odd;
}

/*
 * Sum at least @p nb vectors' bytes and up to twice as many, plus one: @p nb vectors from the
 * front, as many from the back.
 */
static ALWAYS_INLINE uint64_t
sum_few(uint8_t *dst, const uint8_t *src, size_t len, const size_t nb, const bool copy)
{
	uint64_t last = take_odd(dst, src, len, len % 2, copy);
	size_t tail = (len & ~(size_t)1) - nb * VEC;
	const uint8_t *mask = MASK_LAST(tail, nb * VEC);
	vec lanes = vec_narrow(take_masked(dst, src, tail, nb - 1, mask, copy));

	if (nb == 2)
		lanes += vec_narrow(take_masked(dst, src, tail, 0, mask, copy));
	lanes += vec_narrow(take(dst, src, 0, copy));
	if (nb == 2)
		lanes += vec_narrow(take(dst, src, VEC, copy));
	return vec_total(lanes) + last;
}

/* Accumulate the last four vectors of a buffer; only the last @p fresh of their bytes count. */
static ALWAYS_INLINE void
acc_tail(struct acc *acc, uint8_t *dst, const uint8_t *src, size_t len, size_t fresh,
	const bool copy)
{
	const uint8_t *mask = MASK_LAST(fresh, QUAD);
	size_t off = len - QUAD;
	vec v3 = take_masked(dst, src, off, 3, mask, copy);
	vec v2 = take_masked(dst, src, off, 2, mask, copy);
	vec v1 = take_masked(dst, src, off, 1, mask, copy);
	vec v0 = take_masked(dst, src, off, 0, mask, copy);

	acc_add4(acc, v0, v1, v2, v3);
}

/* Accumulate the @p skip bytes in front of an aligned body. */
static ALWAYS_INLINE void
acc_head(struct acc *acc, uint8_t *dst, const uint8_t *src, size_t skip, const bool copy)
{
	acc_add1(acc, take_masked(dst, src, 0, 0, MASK_FIRST(skip), copy));
}

/* Accumulate whole QUADs, counting up to 0: one instruction less than up to a number. */
static ALWAYS_INLINE void
acc_quads(struct acc *acc, uint8_t *dst, const uint8_t *src, size_t nb_quads, const bool copy)
{
	size_t off = nb_quads * QUAD;
	uint8_t *dst_end = copy ? dst + off : dst;
	const uint8_t *src_end = src + off;

	for (off = -off; off != 0; off += QUAD) {
		vec v0 = take(dst_end, src_end, off + 0 * VEC, copy);
		vec v1 = take(dst_end, src_end, off + 1 * VEC, copy);
		vec v2 = take(dst_end, src_end, off + 2 * VEC, copy);
		vec v3 = take(dst_end, src_end, off + 3 * VEC, copy);

		acc_add4(acc, v0, v1, v2, v3);
	}
}

/* Sum more than a QUAD and up to two, plus one byte. */
static ALWAYS_INLINE uint64_t
sum_some(uint8_t *dst, const uint8_t *src, size_t len, const bool copy)
{
	size_t even = len & ~(size_t)1;
	uint64_t last = take_odd(dst, src, len, len % 2, copy);
	struct acc acc = { 0 };

	acc_tail(&acc, dst, src, even, even - QUAD, copy);
	acc_quads(&acc, dst, src, 1, copy);
	return vec_total(acc_lanes(&acc)) + last;
}

/*
 * Sum more than two QUADs and at most a CHUNK: first the tail, then what precedes an aligned body,
 * then the body, which holds a QUAD and so covers what those two store in vain. It is aligned by
 * an even number of bytes, so that no sum needs to be swapped.
 */
static ALWAYS_INLINE uint64_t
sum_many(uint8_t *dst, const uint8_t *src, size_t len, const bool copy)
{
	uintptr_t addr = (uintptr_t)(copy ? dst : src);
	size_t skip = !copy && len < SUM_ALIGN_FROM ? 0 : -addr % VEC & ~(size_t)1;
	size_t odd = len % 2;
	size_t nb_quads = (len - odd - skip - 1) / QUAD;
	uint64_t last = take_odd(dst, src, len, odd, copy);
	struct acc acc = { 0 };

	acc_tail(&acc, dst, src, len - odd, len - odd - skip - nb_quads * QUAD, copy);
	/* A copy takes it even if it is empty, which costs less than to find out. */
	if (copy || skip > 0)
		acc_head(&acc, dst, src, skip, copy);
	acc_quads(&acc, copy ? dst + skip : dst, src + skip, nb_quads, copy);
	return vec_total(acc_lanes(&acc)) + last;
}

typedef uint32_t (*chunk_fn)(uint8_t *dst, const uint8_t *src, size_t len, uint32_t sum);

/* Functions of their own, so that shorter lengths need no registers saved. */
static __attribute__((noinline)) uint32_t
PASTE(partial_chunk, VARIANT)(uint8_t *dst, const uint8_t *src, size_t len, uint32_t sum)
{
	return word_partial(sum_many(dst, src, len, false) + sum);
}

static __attribute__((noinline)) uint32_t
PASTE(partial_copy_even, VARIANT)(uint8_t *dst, const uint8_t *src, size_t len, uint32_t sum)
{
	return word_partial(sum_many(dst, src, len, true) + sum);
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

	/* The usual case. */
	if (len > 2 * QUAD + 1 && len <= CHUNK)
		return chunk(dst, src, len, sum);
	if (len <= SHORT)
		return word_partial(word_add(sum_short(dst, src, len, copy), sum));
	if (len <= 2 * VEC)
		return word_partial(sum_few(dst, src, len, 1, copy) + sum);
	if (len <= QUAD + 1)
		return word_partial(sum_few(dst, src, len, 2, copy) + sum);
	if (len <= 2 * QUAD + 1)
		return word_partial(sum_some(dst, src, len, copy) + sum);
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
