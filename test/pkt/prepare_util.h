/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PREPARE_UTIL_H_
#define _PREPARE_UTIL_H_

/** @file What the tests of csum_pkt_prepare() and csum_pkt_check() share. */

#include <stdbool.h>
#include <stdint.h>

#include <csum_pkt.h>

#include "frame.h"

/* Names without the prefix: the tests list them by the dozen. */
#define TX(name)   RTE_MBUF_F_TX_##name
#define TX_TCP4    (TX(IPV4) | TX(IP_CKSUM) | TX(TCP_CKSUM))
#define TX_UDP4    (TX(IPV4) | TX(IP_CKSUM) | TX(UDP_CKSUM))
#define TX_TCP6    (TX(IPV6) | TX(TCP_CKSUM))
#define TX_UDP6    (TX(IPV6) | TX(UDP_CKSUM))
#define TX_OUTER4  (TX(OUTER_IPV4) | TX(OUTER_IP_CKSUM))

/** A checksum field and what it must hold afterwards, as the RFCs print it. */
struct field {
	uint32_t off;
	uint16_t value;
};

/** Set by prepare_start(). */
extern struct rte_mempool *prepare_pool;

void prepare_start(const char *name);

/** Build E/I4 or I6/T or U with @p len bytes behind: @p data, or P(len) when it is NULL. */
void prepare_build(struct frame *f, bool v6, bool udp, const void *data, uint32_t len);

/** Teardown of each test: no mbuf may be left. */
int prepare_pool_is_whole(void **state);

/**
 * Prepare a frame with these flags, cut in many ways, direct and external, with several values in
 * the fields beforehand. Each time just the fields must change, to the values given, and no
 * metadata; a second time must change nothing; csum_pkt_check() must agree, and write nothing.
 */
void prepare_expect(const struct frame *f, uint64_t flags, const struct field fields[],
		    unsigned int nb);

/** prepare_expect() of one field. */
void prepare_expect_one(const struct frame *f, uint64_t flags, uint32_t off, uint16_t value);

/** The same in the flat tunnel convention too. */
void prepare_expect_tunnel(const struct frame *f, uint64_t flags, const struct field fields[],
			   unsigned int nb);

/** Prepare and check must refuse an mbuf for this reason and change nothing. Frees it. */
void prepare_refused(struct rte_mbuf *m, enum csum_refusal why, int result);

/** The same of a whole frame with flags. */
void prepare_frame_refused(const struct frame *f, uint64_t flags, enum csum_refusal why,
			   int result);

#endif /* _PREPARE_UTIL_H_ */
