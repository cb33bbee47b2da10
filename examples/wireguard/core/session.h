/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_SESSION_H_
#define _WG_SESSION_H_

/**
 * @file
 * What a handshake ends in: keys for both directions, counters, and the index by which the other
 * one names it. A peer has up to three: the one before, the current one, and, as a responder,
 * the next one, which becomes current when its first message proves that the initiator has it.
 */

#include "crypto.h"
#include "noise.h"
#include "replay.h"

/* Whitepaper 6.1 */
#define WG_REKEY_AFTER_MESSAGES  (UINT64_C(1) << 60)
#define WG_REJECT_AFTER_MESSAGES (UINT64_MAX - (UINT64_C(1) << 13))
#define WG_REKEY_AFTER_TIME      (120 * WG_SECOND)
#define WG_REJECT_AFTER_TIME     (180 * WG_SECOND)

struct wg_session {
	struct wg_cipher send, receive;
	uint64_t birth;
	uint64_t send_counter; /**< the next one */
	struct wg_replay replay;
	uint32_t local_index, remote_index;
	bool initiator;
};

/** All NULL: none. */
struct wg_sessions {
	struct wg_session *previous, *current, *next;
};

/** Either is zeroed and freed with wg_session_free(). NULL: no memory. */
struct wg_session *wg_session_new(const struct wg_keys *keys, bool null_cipher, uint64_t mono);
void wg_session_free(struct wg_session *session);

/** Young enough and not used up: for either direction. */
bool wg_session_good(const struct wg_session *session, uint64_t counter, uint64_t mono);

#endif /* _WG_SESSION_H_ */
