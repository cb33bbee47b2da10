/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _TUN_LINK_H_
#define _TUN_LINK_H_

/**
 * @file
 * A link between the TUN devices of two stacks, with the library in its middle: packets are read
 * with their virtio-net header, turned into mbufs with Tx requests, and sent on as the other end
 * takes them: cut and complete, or with a header made from the requests.
 */

#include <csum_virtio.h>

#include "harness.h"
#include "tun_ns.h"

/** One end. */
struct tun_end {
	struct tun_ns ns;
	struct tun_dev dev;
};

/** From one end to the other. */
struct tun_link {
	const struct tun_dev *from;
	const struct tun_dev *to;
	unsigned int break_nth;   /**< one cut segment in so many gets a wrong byte; 0: none */

	unsigned int packets;     /**< read */
	unsigned int supers;      /**< of them, with a gso_type */
	unsigned int partial;     /**< of them, with NEEDS_CSUM */
	unsigned int segments;    /**< written, of supers that were cut */
	unsigned int broken;      /**< of them, on purpose */
	uint32_t longest;         /**< bytes of the longest packet read */
};

/** Make the pools. */
void tun_link_start(void);

/** Teardown of each test: no mbuf may be left. */
int tun_link_pools_are_whole(void **state);

/** Carry all that is there now. Returns the number of packets. */
unsigned int tun_link_carry(struct tun_link *link);

/** Whether a packet is TCP or UDP: a stack sends others of its own accord. */
bool tun_link_is_ours(const uint8_t *ip);

/** An mbuf with Tx requests to an end that has a virtio-net header; frees it. */
void tun_link_write(const struct tun_dev *to, struct rte_mbuf *m, uint32_t flags);

/** A packet as it is. */
void tun_link_write_bytes(const struct tun_dev *to, const void *data, uint32_t len);

#endif /* _TUN_LINK_H_ */
