/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _VIRTIO_UTIL_H_
#define _VIRTIO_UTIL_H_

/** @file What the tests of csum_virtio.h share. */

#include <csum_virtio.h>

#include "frame.h"

#define TX(name) RTE_MBUF_F_TX_##name
#define RX(name) RTE_MBUF_F_RX_##name

/** All requests that the conversions make. */
#define VIRTIO_TX_MASK \
	(TX(IPV4) | TX(IPV6) | TX(IP_CKSUM) | TX(L4_MASK) | TX(TCP_SEG) | TX(UDP_SEG) | \
	 TX(TUNNEL_MASK) | TX(OUTER_IPV4) | TX(OUTER_IPV6) | TX(OUTER_IP_CKSUM) | \
	 TX(OUTER_UDP_CKSUM))

/** Tx requests and lengths as a test expects them. */
struct virtio_tx {
	uint64_t flags;
	unsigned int l2_len, l3_len, l4_len, segsz;
};

/** Set by virtio_start(). */
extern struct rte_mempool *virtio_pool;

void virtio_start(const char *name);

/** Teardown of each test: no mbuf may be left. */
int virtio_pool_is_whole(void **state);

/** Fail unless an mbuf asks for just this. */
void virtio_assert_tx(const struct rte_mbuf *m, const struct virtio_tx *want);

/** Fail unless two mbufs' metadata is equal: of @p before a copy was made, struct and all. */
void virtio_assert_metadata(const struct rte_mbuf *m, const struct rte_mbuf *before);

/**
 * Put the sum of a pseudo header in a frame's TCP or UDP checksum field, as a stack leaves it, and
 * the right sum in its IPv4 header checksums: by the reference.
 *
 * @param ip, l4
 *   Their offsets; the L4 layer reaches to the frame's end.
 */
void virtio_seed(struct frame *f, uint32_t ip, uint32_t l4);

/** Fail unless the reference finds all checksums good: no partial one, and no zero. */
void virtio_assert_good(const uint8_t *data, uint32_t len, int link_type);

#endif /* _VIRTIO_UTIL_H_ */
