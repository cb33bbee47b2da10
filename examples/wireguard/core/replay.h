/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_REPLAY_H_
#define _WG_REPLAY_H_

/**
 * @file
 * Sliding window of counters that were seen (RFC 6479): a ring of words of bits, in which going
 * forward clears words instead of shifting bits. One word is always in part ahead of the highest
 * counter, so that the window is a word shorter than the ring.
 */

#include <stdbool.h>
#include <stdint.h>

#define WG_REPLAY_WORDS  128u
#define WG_REPLAY_WINDOW ((WG_REPLAY_WORDS - 1) * 64u)

/** All 0: nothing seen. */
struct wg_replay {
	uint64_t top; /**< highest counter seen */
	uint64_t bits[WG_REPLAY_WORDS];
};

/**
 * Note a counter whose datagram proved genuine.
 *
 * @param counter
 *   Below 2^64 - WG_REPLAY_WORDS * 64.
 * @return
 *   False, and nothing is changed, if it was seen before or is WG_REPLAY_WINDOW or more below the
 *   highest.
 */
bool wg_replay_note(struct wg_replay *replay, uint64_t counter);

#endif /* _WG_REPLAY_H_ */
