/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include <rte_byteorder.h>

#include <csum_pkt.h>

/*
 * Addresses are summed as 32-bit words, of which 16-bit words are the halves. The fields behind
 * them are added as numbers: a struct that was filled and summed through another type would be at
 * the mercy of aliasing rules.
 */
static inline uint64_t
addr_sum(const void *addr, unsigned int nb_words)
{
	const uint8_t *p = addr;
	uint64_t sum = 0;
	uint32_t word;
	unsigned int i;

	for (i = 0; i < nb_words; i++) {
		memcpy(&word, p + i * sizeof(word), sizeof(word));
		sum += word;
	}
	return sum;
}

static inline uint32_t
pseudo_sum(uint64_t sum, uint8_t proto, uint32_t len)
{
	/* Ten words of 32 bits at most: below 2^36, which one fold to 32 bits and a carry holds. */
	sum += rte_cpu_to_be_16(proto);
	sum += rte_cpu_to_be_32(len);
	return csum_sum_add((uint32_t)sum, (uint32_t)(sum >> 32));
}

uint32_t
csum_pseudo_ipv4(const void *addrs, uint8_t proto, uint32_t len)
{
	return pseudo_sum(addr_sum(addrs, 2), proto, len);
}

uint32_t
csum_pseudo_ipv6(const void *src, const void *dst, uint8_t proto, uint32_t len)
{
	return pseudo_sum(addr_sum(src, 4) + addr_sum(dst, 4), proto, len);
}
