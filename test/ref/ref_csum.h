/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _REF_CSUM_H_
#define _REF_CSUM_H_

/*
 * The reference for checksums: a byte or a bit at a time, straight from the RFCs. It includes
 * nothing of lib/csum, so that it can judge it.
 *
 * Sums are plain numbers, as the RFCs print them: the first byte of a word is its high one,
 * whatever the CPU. What lib/csum returns is in memory byte order; htons() lies between.
 */

#include <stddef.h>
#include <stdint.h>

/* A running Internet checksum. All zeros to begin. */
struct ref_sum {
	uint16_t raw; /* ones' complement sum so far; 0 only if every byte was 0 */
	int odd;      /* whether the next byte is a low one */
};

/* Sum the bytes that follow those summed so far. Any number of them, odd numbers too. */
void ref_sum_add(struct ref_sum *sum, const void *buf, size_t len);

/* Sum one 16-bit field of a pseudo header, where no word has been left half full. */
void ref_sum_add16(struct ref_sum *sum, uint16_t word);

/* Raw sum of a buffer. */
uint16_t ref_raw(const void *buf, size_t len);

/* Raw sum of a buffer and of what was summed before it; @p raw covers an even number of bytes. */
uint16_t ref_raw_from(uint16_t raw, const void *buf, size_t len);

/* The complement of a buffer's raw sum, as it stands in a header. */
uint16_t ref_check(const void *buf, size_t len);

/*
 * Raw sum of a whole from those of two parts, each summed as if it began the whole; @p off bytes
 * precede the second.
 */
uint16_t ref_raw_combine(uint16_t first, uint16_t second, size_t off);

/*
 * CRC32c of a buffer (RFC 9260, appendix A). SCTP stores its least significant byte first.
 * @p crc is that of the bytes before, 0 to begin.
 */
uint32_t ref_crc32c(uint32_t crc, const void *buf, size_t len);

#endif /* _REF_CSUM_H_ */
