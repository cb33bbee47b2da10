/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _SOFT_CSUM_COUNTERS_H_
#define _SOFT_CSUM_COUNTERS_H_

/* What is counted, and how. */

#include <stdatomic.h>
#include <stdint.h>

/*
 * What became of the application's packets, but for those that passed, which are all others;
 * xstats.c has the names. Of the first ones, up to SOFT_CSUM_NB_PATHS, bytes are counted too.
 */
enum soft_csum_stat {
	SOFT_CSUM_TX_LEFT,
	SOFT_CSUM_TX_CHECKSUMMED,
	SOFT_CSUM_TX_SEGMENTED,
	SOFT_CSUM_TX_COPIED,
	SOFT_CSUM_TX_LINEARISED,
	SOFT_CSUM_TX_TAGGED,
	SOFT_CSUM_NB_PATHS,
	SOFT_CSUM_TX_FRAGMENTS = SOFT_CSUM_NB_PATHS,
	SOFT_CSUM_TX_NOT_ENABLED,
	SOFT_CSUM_TX_SEGMENTS,
	SOFT_CSUM_TX_LOWER_REFUSED,
	SOFT_CSUM_TX_HELD_RING,
	SOFT_CSUM_TX_HELD_POOL,
	SOFT_CSUM_TX_DROPPED,
	SOFT_CSUM_STAT_MAX
};

/* Requests that have no flag of their own. */
enum soft_csum_request {
	SOFT_CSUM_REQUEST_L4,                              /* and the L4 type, 0 for none */
	SOFT_CSUM_REQUEST_TNL_TSO = SOFT_CSUM_REQUEST_L4 + 4, /* TCP or UDP */
	SOFT_CSUM_NB_REQUESTS
};

/* What verifying found. */
enum soft_csum_rx_stat {
	SOFT_CSUM_RX_VERIFIED,
	SOFT_CSUM_RX_BAD_IP,
	SOFT_CSUM_RX_BAD_L4,
	SOFT_CSUM_RX_BAD_OUTER_IP,
	SOFT_CSUM_RX_BAD_OUTER_L4,
	SOFT_CSUM_RX_STAT_MAX
};

/* Written by one thread at a time, read by any. */
typedef _Atomic uint64_t soft_csum_counter;

static inline void
soft_csum_count(soft_csum_counter *counter, uint64_t n)
{
	atomic_store_explicit(counter,
		atomic_load_explicit(counter, memory_order_relaxed) + n, memory_order_relaxed);
}

static inline uint64_t
soft_csum_value(const soft_csum_counter *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

#endif /* _SOFT_CSUM_COUNTERS_H_ */
