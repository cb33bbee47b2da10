/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PRESSURE_H_
#define _PRESSURE_H_

/**
 * @file
 * What the tests of back-pressure share: packets that can be told on the wire, what the wire must
 * show, and what an mbuf that was not taken must look like.
 */

#include "driver_test.h"

#define PRESSURE_SEGSZ 1000

/* Packet k has sequence numbers from k << 20: on the wire each frame tells whose it is. */
#define PRESSURE_SEQ_OF(k) ((uint32_t)(k) << 20)
#define PRESSURE_SEQ_OFF   (14 + 20 + 4) /**< of a frame without tags */

/** The port under test. */
extern uint16_t pressure_port;

/** cmocka: script_setup(), and the port started over a lower port that takes chains. */
int pressure_setup(void **state);
int pressure_teardown(void **state);

/** What the lower port takes from here on: so many a burst, again and again. */
void pressure_take(unsigned int nb, const uint16_t *counts);

#define PRESSURE_TAKE(...) do { \
	const uint16_t counts_[] = { __VA_ARGS__ }; \
	pressure_take(RTE_DIM(counts_), counts_); \
} while (0)

/** Packet @p k of @p n payload bytes, and a super-packet of @p nb segments, the last half full. */
struct rte_mbuf *pressure_packet(unsigned int k, uint32_t n, uint64_t ol_flags);
struct rte_mbuf *pressure_super(unsigned int k, unsigned int nb);

/** The wire must show so many more frames of packet @p k. */
void pressure_expect(unsigned int k, unsigned int nb_frames);
/** Fail unless the wire shows just what was expected, in that order; then nothing is any more. */
void pressure_assert_order(void);
/** The same, and all checksums are good. */
void pressure_assert_wire(void);

/** Send until all are consumed and nothing waits; returns how many calls that took. */
unsigned int pressure_send(struct rte_mbuf **pkts, unsigned int nb);

/** An mbuf as given, to compare with. */
struct pressure_given {
	uint64_t ol_flags;
	uint64_t tx_offload;
	uint16_t data_off;
	uint16_t nb_segs;
	uint16_t refcnt;
	uint32_t len;
	uint8_t data[61 * 1000];
};

void pressure_remember(struct pressure_given *given, const struct rte_mbuf *m);
/** Only checksum fields that were asked for may differ: those of IPv4 and TCP. */
void pressure_assert_given(const struct pressure_given *given, const struct rte_mbuf *m);

/** Fail unless each mbuf of the driver's pools and of the application's is there, once. */
void pressure_assert_pools(void);

#endif /* _PRESSURE_H_ */
