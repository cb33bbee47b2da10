/* SPDX-License-Identifier: BSD-3-Clause */

#include "ref_csum.h"

/* RFC 9260 appendix A names the polynomial 0x1edc6f41; SCTP sends the low bit of a byte first. */
#define CRC32C_POLY_REFLECTED 0x82f63b78u

/* Ones' complement addition: a carry out of bit 15 comes back in at bit 0. */
static uint16_t
ones_add(uint16_t a, uint16_t b)
{
	uint32_t sum = (uint32_t)a + b;

	return (uint16_t)(sum > 0xffff ? sum - 0xffff : sum);
}

void
ref_sum_add(struct ref_sum *sum, const void *buf, size_t len)
{
	const uint8_t *bytes = buf;
	size_t i;

	for (i = 0; i < len; i++) {
		uint16_t word = sum->odd ? bytes[i] : (uint16_t)(bytes[i] * 256);

		sum->raw = ones_add(sum->raw, word);
		sum->odd = !sum->odd;
	}
}

void
ref_sum_add16(struct ref_sum *sum, uint16_t word)
{
	sum->raw = ones_add(sum->raw, word);
}

uint16_t
ref_raw(const void *buf, size_t len)
{
	return ref_raw_from(0, buf, len);
}

uint16_t
ref_raw_from(uint16_t raw, const void *buf, size_t len)
{
	struct ref_sum sum = { .raw = raw };

	ref_sum_add(&sum, buf, len);
	return sum.raw;
}

uint16_t
ref_check(const void *buf, size_t len)
{
	return (uint16_t)~ref_raw(buf, len);
}

uint16_t
ref_raw_combine(uint16_t first, uint16_t second, size_t off)
{
	if (off % 2 == 1)
		second = (uint16_t)(second % 256 * 256 + second / 256);
	return ones_add(first, second);
}

uint32_t
ref_crc32c(uint32_t crc, const void *buf, size_t len)
{
	const uint8_t *bytes = buf;
	size_t i;
	int bit;

	crc = ~crc;
	for (i = 0; i < len; i++) {
		crc ^= bytes[i];
		for (bit = 0; bit < 8; bit++)
			crc = crc % 2 == 1 ? crc >> 1 ^ CRC32C_POLY_REFLECTED : crc >> 1;
	}
	return ~crc;
}
