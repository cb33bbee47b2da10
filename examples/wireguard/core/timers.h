/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_TIMERS_H_
#define _WG_TIMERS_H_

/**
 * @file
 * What a peer's timers are, and what winds and stops them (whitepaper 6).
 */

#include <stdbool.h>
#include <stdint.h>

#include "session.h"

struct wg_peer;

#define WG_NEVER UINT64_MAX

/* Whitepaper 6.1 */
#define WG_REKEY_TIMEOUT      (5 * WG_SECOND)
#define WG_REKEY_ATTEMPT_TIME (90 * WG_SECOND)
#define WG_KEEPALIVE_TIMEOUT  (10 * WG_SECOND)
/** Less than this is added to WG_REKEY_TIMEOUT, so that two peers do not always collide. */
#define WG_JITTER             (WG_SECOND / 3)

enum wg_timer {
	WG_TIMER_INITIATE,   /**< send an initiation: the first one, or again */
	WG_TIMER_KEEPALIVE,  /**< data came and nothing has gone out since */
	WG_TIMER_UNANSWERED, /**< data went out and nothing has come since: a new handshake */
	WG_TIMER_PERSISTENT, /**< neither for as long as is configured */
	WG_TIMER_ZERO_KEYS,  /**< no new session for so long that the old ones are of no use */
	WG_NB_TIMERS,
};

struct wg_timers {
	uint64_t at[WG_NB_TIMERS];    /**< WG_NEVER: not wound */
	uint64_t attempt_began;       /**< when a handshake was last asked for */
	uint64_t last_initiation;     /**< when one was sent; 0: never */
	uint64_t persistent_interval; /**< 0: off */
	uint64_t jitter;              /**< below WG_JITTER; another one for each initiation */
	bool another_keepalive;       /**< more data came while WG_TIMER_KEEPALIVE ran */
};

void wg_timers_init(struct wg_peer *peer, unsigned int persistent_seconds, uint64_t mono);

/** Set one, and bring the device's deadline forward. */
void wg_timer_set(struct wg_peer *peer, enum wg_timer timer, uint64_t at);

/** A message of a session or handshake went out, or a good one came in. */
void wg_timers_sent(struct wg_peer *peer, bool data, uint64_t mono);
void wg_timers_received(struct wg_peer *peer, bool data, uint64_t mono);

/** An initiation went out. */
void wg_timers_initiated(struct wg_peer *peer, uint64_t mono);

/** A session was made, and it was confirmed to us that the other one has it. */
void wg_timers_session_made(struct wg_peer *peer, uint64_t mono);
void wg_timers_session_confirmed(struct wg_peer *peer);

/**
 * Have wg_poll() initiate a handshake: now, or WG_REKEY_TIMEOUT after the last initiation.
 *
 * @param data_waits
 *   A packet waits for it: the time after which it is given up begins anew.
 */
void wg_timers_want_handshake(struct wg_peer *peer, bool data_waits, uint64_t mono);

/** After a message of the current session, ask for a new one if it gets old (whitepaper 6.2). */
void wg_timers_keep_fresh_sent(struct wg_peer *peer, const struct wg_session *session,
			       uint64_t mono);
void wg_timers_keep_fresh_received(struct wg_peer *peer, uint64_t mono);

#endif /* _WG_TIMERS_H_ */
