/* SPDX-License-Identifier: BSD-3-Clause */

#include "device.h"

/* Whether a timer ran out; it does so once. */
static bool
ran_out(struct wg_peer *peer, enum wg_timer timer, uint64_t mono)
{
	if (peer->timers.at[timer] > mono)
		return false;
	peer->timers.at[timer] = WG_NEVER;
	return true;
}

static bool
poll_keepalive(struct wg_peer *peer, uint64_t mono, struct wg_message *message)
{
	bool another = peer->timers.another_keepalive;

	if (!ran_out(peer, WG_TIMER_KEEPALIVE, mono) || !wg_keepalive(peer, mono, message))
		return false;
	if (another)
		wg_timer_set(peer, WG_TIMER_KEEPALIVE, mono + WG_KEEPALIVE_TIMEOUT);
	return true;
}

static enum wg_poll
poll_initiate(struct wg_peer *peer, const struct wg_now *now, struct wg_message *message)
{
	uint64_t mono = now->mono;

	if (!ran_out(peer, WG_TIMER_INITIATE, mono) || !wg_peer_has_endpoint(peer))
		return WG_POLL_IDLE;
	if (mono - peer->timers.attempt_began < WG_REKEY_ATTEMPT_TIME)
		return wg_handshake_initiate(peer, now, message) ? WG_POLL_SEND : WG_POLL_IDLE;

	peer->timers.at[WG_TIMER_KEEPALIVE] = WG_NEVER;
	if (peer->timers.at[WG_TIMER_ZERO_KEYS] == WG_NEVER)
		wg_timer_set(peer, WG_TIMER_ZERO_KEYS, mono + 3 * WG_REJECT_AFTER_TIME);
	peer->dev->stats.attempts_given_up++;
	message->peer = peer;
	message->len = 0;
	return WG_POLL_GAVE_UP;
}

/* The timers that may ask for a handshake come before the one that begins it. */
static enum wg_poll
poll_peer(struct wg_peer *peer, const struct wg_now *now, struct wg_message *message)
{
	uint64_t mono = now->mono;

	if (ran_out(peer, WG_TIMER_ZERO_KEYS, mono)) {
		wg_handshake_abandon(peer);
		wg_sessions_drop(peer);
	}
	if (ran_out(peer, WG_TIMER_UNANSWERED, mono))
		wg_timers_want_handshake(peer, false, mono);
	if (poll_keepalive(peer, mono, message))
		return WG_POLL_SEND;
	if (ran_out(peer, WG_TIMER_PERSISTENT, mono) && wg_keepalive(peer, mono, message))
		return WG_POLL_SEND;
	return poll_initiate(peer, now, message);
}

static uint64_t
earliest(const struct wg_device *dev)
{
	uint64_t at = WG_NEVER;
	unsigned int i, timer;

	for (i = 0; i < dev->nb_peers; i++)
		for (timer = 0; timer < WG_NB_TIMERS; timer++)
			if (dev->peers[i].timers.at[timer] < at)
				at = dev->peers[i].timers.at[timer];
	return at;
}

enum wg_poll
wg_poll(struct wg_device *dev, const struct wg_now *now, struct wg_message *message)
{
	enum wg_poll what;

	if (now->mono < dev->deadline)
		return WG_POLL_IDLE;
	for (; dev->next_poll < dev->nb_peers; dev->next_poll++) {
		what = poll_peer(&dev->peers[dev->next_poll], now, message);
		if (what != WG_POLL_IDLE)
			return what;
	}
	dev->next_poll = 0;
	dev->deadline = earliest(dev);
	return WG_POLL_IDLE;
}

uint64_t
wg_deadline(const struct wg_device *dev)
{
	return dev->deadline;
}
