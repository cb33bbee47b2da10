/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _CSUM_H_
#define _CSUM_H_

/**
 * @file
 * The Internet checksum (RFC 1071) and the Internet checksum fused with a copy.
 *
 * Needs neither DPDK nor its run time.
 *
 * Three kinds of number, never one in another's variable:
 *  - a *partial* sum: `uint32_t`, ones' complement with end-around carry. It chains without
 *    overflow and without a limit on length.
 *  - a *raw* sum: a partial folded to 16 bits. 0 only if every byte summed was 0.
 *  - a *check*: a raw sum complemented, as it stands in a header.
 *
 * All of them are in memory byte order: what a function returns is stored as it is, without
 * htons(), and what a header holds is passed in as it is.
 *
 * Every function may be called from any thread and from a signal handler, except
 * csum_variant_use(), csum_variant_limit() and csum_prefetch_ahead().
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Sum a buffer.
 *
 * @param buf
 *   Any alignment. Reads exactly [buf, buf + len); writes nothing.
 * @param len
 *   Bytes, any number; an odd last byte counts as if a zero byte followed (RFC 1071 section 4.1).
 *   With 0 no pointer is looked at.
 * @param sum
 *   Partial sum to go on from, 0 to begin. What was summed before must have been of even length;
 *   csum_sum_combine() joins odd blocks.
 * @return
 *   The partial sum of both.
 */
uint32_t csum_partial(const void *buf, size_t len, uint32_t sum);

/**
 * Copy a buffer and sum what is stored.
 *
 * Each byte left at the destination comes from the very load that was summed: the sum is that of
 * the destination even if another thread changes the source meanwhile.
 *
 * @param dst
 *   Any alignment. Writes exactly [dst, dst + len), each byte perhaps more than once. Must not
 *   overlap the source.
 * @param src
 *   Any alignment. Reads exactly [src, src + len), each byte perhaps more than once.
 * @param len
 *   Bytes, any number; see csum_partial().
 * @param sum
 *   Partial sum to go on from; see csum_partial().
 * @return
 *   The partial sum of both.
 */
uint32_t csum_partial_copy(void *dst, const void *src, size_t len, uint32_t sum);

/** Add 8 bytes, or 4, to a sum of 64 bits with end-around carry. The header's own. */
static inline uint64_t
csum_inline_add(uint64_t sum, const void *p, size_t len)
{
	uint64_t word = 0;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	memcpy((uint8_t *)&word + sizeof(word) - len, p, len);
#else
	memcpy(&word, p, len);
#endif
	sum += word;
	return sum + (sum < word);
}

/**
 * Sum a few bytes without a call, for lengths that the compiler knows: pseudo headers (8), IPv4
 * headers without options (20), IPv6 headers (40). The same raw sum as csum_partial().
 *
 * @param buf
 *   Any alignment. Reads exactly [buf, buf + len), no byte twice; writes nothing.
 * @param len
 *   Bytes: a multiple of 4, at most 40.
 * @param sum
 *   Partial sum to go on from; see csum_partial().
 * @return
 *   The partial sum of both.
 */
static inline uint32_t
csum_partial_inline(const void *buf, size_t len, uint32_t sum)
{
	const uint8_t *p = (const uint8_t *)buf;
	uint64_t words = sum;
	uint32_t high, low;

	/* Not a loop: gcc 12 makes vectors of one, which wait for headers that were just stored. */
	if (len >= 8)
		words = csum_inline_add(words, p, 8);
	if (len >= 16)
		words = csum_inline_add(words, p + 8, 8);
	if (len >= 24)
		words = csum_inline_add(words, p + 16, 8);
	if (len >= 32)
		words = csum_inline_add(words, p + 24, 8);
	if (len >= 40)
		words = csum_inline_add(words, p + 32, 8);
	if (len % 8 != 0)
		words = csum_inline_add(words, p + len - 4, 4);
	high = (uint32_t)(words >> 32);
	low = (uint32_t)words + high;
	return low + (low < high);
}

/** Add two partial sums. Not 0 unless both are. */
static inline uint32_t
csum_sum_add(uint32_t a, uint32_t b)
{
	a += b;
	return a + (a < b);
}

/** Take partial sum @p b away from @p a, both of which begin at an even offset. */
static inline uint32_t
csum_sum_sub(uint32_t a, uint32_t b)
{
	return csum_sum_add(a, ~b);
}

/**
 * Add a block that was summed on its own (from a partial of 0) to what precedes it.
 *
 * @param sum
 *   Partial sum of what precedes.
 * @param block
 *   Partial sum of the block.
 * @param off
 *   Bytes that precede the block in the whole; only its parity matters: behind an odd offset
 *   each byte of the block changes its half of the word (RFC 1071 section 2 (B)).
 * @return
 *   The partial sum of the whole.
 */
static inline uint32_t
csum_sum_combine(uint32_t sum, uint32_t block, size_t off)
{
	unsigned int odd = (off & 1) * 8;

	/* A rotation by 8 multiplies by 256 modulo 2^32 - 1, which 2^16 - 1 divides. */
	return csum_sum_add(sum, (block << odd) | (block >> ((32 - odd) & 31)));
}

/** Fold a partial sum to a raw sum. */
static inline uint16_t
csum_sum_fold(uint32_t sum)
{
	/* 0xffff + 0xffff folds to 0x1fffe, then to 0xffff: twice is enough. */
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)sum;
}

/** Fold and complement a partial sum: the check of every protocol but UDP and UDP-Lite. */
static inline uint16_t
csum_sum_check(uint32_t sum)
{
	return (uint16_t)~csum_sum_fold(sum);
}

/**
 * Fold and complement a partial sum, 0 becoming 0xffff: the check of UDP (RFC 768, RFC 8200
 * section 8.1) and UDP-Lite (RFC 3828 section 3.1), where 0 would mean that there is none.
 */
static inline uint16_t
csum_sum_check_udp(uint32_t sum)
{
	uint16_t check = csum_sum_check(sum);

	return check != 0 ? check : 0xffff;
}

/**
 * Correct a check after bytes under it have changed (RFC 1624 section 3, eqn. 3).
 *
 * @param check
 *   The check as the header holds it. For UDP, leave a check of 0 alone: see
 *   csum_check_update_udp().
 * @param before
 *   Partial sum of the bytes as they were, from a partial of 0.
 * @param after
 *   Partial sum of the same bytes as they are now.
 * @param off
 *   Offset of the first of those bytes in what the check covers; only its parity matters.
 * @return
 *   The new check; the same one when @p before equals @p after.
 */
static inline uint16_t
csum_check_update(uint16_t check, uint32_t before, uint32_t after, size_t off)
{
	uint32_t sum = (uint16_t)~check;

	if (before == after)
		return check;
	return csum_sum_check(csum_sum_combine(sum, csum_sum_sub(after, before), off));
}

/** As csum_check_update(), for UDP and UDP-Lite: 0 stays 0 and no other check becomes 0. */
static inline uint16_t
csum_check_update_udp(uint16_t check, uint32_t before, uint32_t after, size_t off)
{
	if (check == 0)
		return 0;
	check = csum_check_update(check, before, after, off);
	return check != 0 ? check : 0xffff;
}

/** Correct a check after a 16-bit field at an even offset has changed; memory byte order. */
static inline uint16_t
csum_check_update16(uint16_t check, uint16_t before, uint16_t after)
{
	return csum_check_update(check, before, after, 0);
}

/** Correct a check after a 32-bit field at an even offset has changed; memory byte order. */
static inline uint16_t
csum_check_update32(uint16_t check, uint32_t before, uint32_t after)
{
	return csum_check_update(check, before, after, 0);
}

/**
 * Correct a check after a 128-bit field at an even offset, an IPv6 address say, has changed.
 * Reads 16 bytes at each pointer, any alignment.
 */
static inline uint16_t
csum_check_update128(uint16_t check, const void *before, const void *after)
{
	return csum_check_update(check, csum_partial(before, 16, 0), csum_partial(after, 16, 0), 0);
}

/**
 * One implementation of csum_partial() and csum_partial_copy(). All give the same raw sums; their
 * partial sums may differ.
 */
struct csum_variant {
	const char *name;           /**< "generic", "adc", "avx2", ... */
	unsigned int bits;          /**< width of the registers it works on */
	uint32_t (*partial)(const void *buf, size_t len, uint32_t sum);
	uint32_t (*partial_copy)(void *dst, const void *src, size_t len, uint32_t sum);
};

/**
 * List the variants built into the library, the narrowest first.
 *
 * @param i
 *   Index from 0.
 * @return
 *   The variant, whether or not this CPU can run it; NULL behind the last one.
 */
const struct csum_variant *csum_variant_get(unsigned int i);

/**
 * Find a variant by name.
 *
 * @return
 *   The variant, whether or not this CPU can run it; NULL when there is none of that name.
 */
const struct csum_variant *csum_variant_find(const char *name);

/**
 * Tell whether this CPU, and the operating system on it, can run a variant.
 *
 * @return
 *   1 or 0.
 */
int csum_variant_runs(const struct csum_variant *variant);

/**
 * The variant in use. At load: the best that this CPU can run among those of up to 256 bits, to
 * which DPDK limits itself too; csum_variant_limit() lifts that.
 */
const struct csum_variant *csum_variant_current(void);

/**
 * Use a variant from now on. Not for the time when other threads may be summing.
 *
 * @param variant
 *   From csum_variant_get() or csum_variant_find().
 * @return
 *   - 0: it is in use.
 *   - -EINVAL: @p variant is NULL.
 *   - -ENOTSUP: this CPU cannot run it, or the library does not know it; nothing has changed.
 */
int csum_variant_use(const struct csum_variant *variant);

/**
 * Use the best variant whose registers are no wider than a limit, the way DPDK programs limit
 * themselves (rte_vect_get_max_simd_bitwidth(), after rte_eal_init()). Not for the time when
 * other threads may be summing.
 *
 * @param bits
 *   The limit; one below every vector variant's width leaves one of integer words.
 * @return
 *   The variant now in use.
 */
const struct csum_variant *csum_variant_limit(unsigned int bits);

/**
 * Have csum_partial() and csum_partial_copy() fetch into the cache what lies ahead of the source,
 * before they begin: [buf + bytes, buf + bytes + len). For data that comes from memory in one
 * direction, packet after packet of one buffer, say, which hardware prefetchers do not follow from
 * call to call; of no use, and a cost, where they do or where data is in the cache already: measure
 * it with csum-bench before it is used. Not for the time when other threads may be summing.
 *
 * What is fetched need not be there: nothing of it is read as far as a program can tell.
 *
 * @param bytes
 *   How far ahead; twice a packet's length is a good beginning. 0, as at load: nothing is fetched.
 */
void csum_prefetch_ahead(size_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* _CSUM_H_ */
