/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include <rte_hash_crc.h>

#include <csum_pkt.h>

/*
 * rte_hash_crc() loads 64-bit words through a pointer that need not be aligned, and takes them for
 * little-endian. Its steps are used instead, on words that memcpy() loads. Of these, the 8-byte
 * step looks words up by halves in CPU order, which is wrong on big-endian.
 */
uint32_t
csum_crc32c(const void *buf, size_t len, uint32_t crc)
{
	const uint8_t *p = buf;
	uint32_t word;

#if RTE_BYTE_ORDER == RTE_LITTLE_ENDIAN
	uint64_t dword;

	for (; len >= sizeof(dword); len -= sizeof(dword), p += sizeof(dword)) {
		memcpy(&dword, p, sizeof(dword));
		crc = rte_hash_crc_8byte(dword, crc);
	}
#endif
	for (; len >= sizeof(word); len -= sizeof(word), p += sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		crc = rte_hash_crc_4byte(rte_le_to_cpu_32(word), crc);
	}
	for (; len > 0; len--)
		crc = rte_hash_crc_1byte(*p++, crc);
	return crc;
}
