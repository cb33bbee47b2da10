/* SPDX-License-Identifier: BSD-3-Clause */

#include "device.h"

void
wg_timer_set(struct wg_peer *peer, enum wg_timer timer, uint64_t at)
{
	peer->timers.at[timer] = at;
	if (at < peer->dev->deadline)
		peer->dev->deadline = at;
}

static void
stop(struct wg_peer *peer, enum wg_timer timer)
{
	peer->timers.at[timer] = WG_NEVER;
}

static bool
runs(const struct wg_peer *peer, enum wg_timer timer)
{
	return peer->timers.at[timer] != WG_NEVER;
}

/* 0 where there are no random numbers: it would merely be less fair. */
static void
new_jitter(struct wg_timers *timers)
{
	uint32_t random;

	timers->jitter = wg_random(&random, sizeof(random)) ? random % WG_JITTER : 0;
}

void
wg_timers_init(struct wg_peer *peer, unsigned int persistent_seconds, uint64_t mono)
{
	unsigned int i;

	for (i = 0; i < WG_NB_TIMERS; i++)
		stop(peer, (enum wg_timer)i);
	new_jitter(&peer->timers);
	peer->timers.persistent_interval = persistent_seconds * WG_SECOND;
	if (persistent_seconds != 0 && wg_peer_has_endpoint(peer))
		wg_timer_set(peer, WG_TIMER_PERSISTENT, mono);
}

static void
restart_persistent(struct wg_peer *peer, uint64_t mono)
{
	if (peer->timers.persistent_interval != 0)
		wg_timer_set(peer, WG_TIMER_PERSISTENT, mono + peer->timers.persistent_interval);
}

void
wg_timers_sent(struct wg_peer *peer, bool data, uint64_t mono)
{
	stop(peer, WG_TIMER_KEEPALIVE);
	peer->timers.another_keepalive = false;
	restart_persistent(peer, mono);
	if (data && !runs(peer, WG_TIMER_UNANSWERED))
		wg_timer_set(peer, WG_TIMER_UNANSWERED,
			     mono + WG_KEEPALIVE_TIMEOUT + WG_REKEY_TIMEOUT + peer->timers.jitter);
}

void
wg_timers_received(struct wg_peer *peer, bool data, uint64_t mono)
{
	stop(peer, WG_TIMER_UNANSWERED);
	restart_persistent(peer, mono);
	if (data && runs(peer, WG_TIMER_KEEPALIVE))
		peer->timers.another_keepalive = true;
	else if (data)
		wg_timer_set(peer, WG_TIMER_KEEPALIVE, mono + WG_KEEPALIVE_TIMEOUT);
}

void
wg_timers_initiated(struct wg_peer *peer, uint64_t mono)
{
	new_jitter(&peer->timers);
	peer->timers.last_initiation = mono;
	wg_timer_set(peer, WG_TIMER_INITIATE, mono + WG_REKEY_TIMEOUT + peer->timers.jitter);
}

void
wg_timers_session_made(struct wg_peer *peer, uint64_t mono)
{
	wg_timer_set(peer, WG_TIMER_ZERO_KEYS, mono + 3 * WG_REJECT_AFTER_TIME);
}

void
wg_timers_session_confirmed(struct wg_peer *peer)
{
	stop(peer, WG_TIMER_INITIATE);
}

void
wg_timers_want_handshake(struct wg_peer *peer, bool data_waits, uint64_t mono)
{
	struct wg_timers *timers = &peer->timers;
	uint64_t at = mono;

	if (runs(peer, WG_TIMER_INITIATE)) {
		if (data_waits)
			timers->attempt_began = mono;
		return;
	}
	timers->attempt_began = mono;
	if (timers->last_initiation != 0 && timers->last_initiation + WG_REKEY_TIMEOUT > mono)
		at = timers->last_initiation + WG_REKEY_TIMEOUT;
	wg_timer_set(peer, WG_TIMER_INITIATE, at);
}

void
wg_timers_keep_fresh_sent(struct wg_peer *peer, const struct wg_session *session, uint64_t mono)
{
	if (session->send_counter > WG_REKEY_AFTER_MESSAGES ||
	    (session->initiator && mono - session->birth >= WG_REKEY_AFTER_TIME))
		wg_timers_want_handshake(peer, false, mono);
}

void
wg_timers_keep_fresh_received(struct wg_peer *peer, uint64_t mono)
{
	const struct wg_session *session = peer->sessions.current;

	if (session != NULL && session->initiator && mono - session->birth >=
	    WG_REJECT_AFTER_TIME - WG_KEEPALIVE_TIMEOUT - WG_REKEY_TIMEOUT)
		wg_timers_want_handshake(peer, false, mono);
}
