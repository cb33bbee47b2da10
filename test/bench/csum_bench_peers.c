/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * DPDK's copy and checksum as an application gets them: inlined into its own function, with its
 * own flags. Compiled once for each set of flags, PEERS_FLAGS by name, into PEERS_SYMBOL.
 *
 * gcc 12 -O3 -march=native makes one of two loops of rte_raw_cksum(), depending on what is around
 * it. In a function of its own, as here, it is the faster one. Behind a copy, in a loop over
 * packets, or in rte_ipv4_udptcp_cksum() it is one that takes 1.35 times as long (1448 bytes on
 * Zen 3).
 */

#include <rte_ip.h>
#include <rte_memcpy.h>

#include "csum_bench.h"

static uint32_t
memcpy_only(void *dst, const void *src, size_t len, uint32_t sum)
{
	rte_memcpy(dst, src, len);
	return 0;
}

static uint32_t
memcpy_and_cksum(void *dst, const void *src, size_t len, uint32_t sum)
{
	rte_memcpy(dst, src, len);
	return rte_raw_cksum(dst, len);
}

static uint32_t
cksum(const void *buf, size_t len, uint32_t sum)
{
	return rte_raw_cksum(buf, len);
}

const struct peers PEERS_SYMBOL = {
	.flags = PEERS_FLAGS,
	.memcpy_only = memcpy_only,
	.memcpy_and_cksum = memcpy_and_cksum,
	.cksum = cksum,
};
