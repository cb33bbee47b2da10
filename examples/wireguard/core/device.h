/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_DEVICE_H_
#define _WG_DEVICE_H_

/**
 * @file
 * What a device and a peer are made of: for the core alone, and its tests.
 */

#include "allowed_ips.h"
#include "cookie.h"
#include "index.h"
#include "load.h"
#include "noise.h"
#include "timers.h"
#include "wg.h"

struct wg_peer {
	struct wg_device *dev;
	unsigned int id;
	struct wg_remote remote;
	struct wg_endpoint endpoint; /**< addr.len 0: not known */

	/** Our initiation that waits for a response. */
	struct wg_handshake handshake;
	bool handshake_pending;
	uint32_t handshake_index;

	/** Of the last initiation of the peer's that was good. */
	uint8_t timestamp[WG_TIMESTAMP_LEN];
	uint64_t initiation_received; /**< 0: never */

	struct wg_cookie_jar jar;
	struct wg_sessions sessions;
	struct wg_timers timers;
	struct wg_peer_stats stats;
};

struct wg_device {
	struct wg_identity identity;
	bool null_cipher;
	struct wg_peer *peers;
	unsigned int nb_peers;
	struct wg_allowed_ips allowed_ips;
	struct wg_index_table indices;
	struct wg_cookie_checker checker;
	struct wg_load load;
	uint64_t deadline;      /**< when the first timer of any peer may be due */
	unsigned int next_poll; /**< the peer at which wg_poll() goes on */
	struct wg_stats stats;
};

static inline bool
wg_peer_has_endpoint(const struct wg_peer *peer)
{
	return peer->endpoint.addr.len != 0;
}

/* ---- handshake.c */

/** Begin a handshake anew. False: not possible now; the timer is set to try again. */
bool wg_handshake_initiate(struct wg_peer *peer, const struct wg_now *now,
			   struct wg_message *message);

/** Forget our initiation. */
void wg_handshake_abandon(struct wg_peer *peer);

/**
 * Take a message of a length that is right. What it says of `received` is what wg_receive() says.
 *
 * @return
 *   WG_REFUSAL_NONE: taken.
 */
enum wg_refusal wg_take_initiation(struct wg_device *dev, const struct wg_now *now,
				   const struct wg_endpoint *from, const uint8_t *datagram,
				   struct wg_received *received);
enum wg_refusal wg_take_response(struct wg_device *dev, const struct wg_now *now,
				 const struct wg_endpoint *from, const uint8_t *datagram,
				 struct wg_received *received);
enum wg_refusal wg_take_cookie(struct wg_device *dev, const struct wg_now *now,
			       const uint8_t *datagram, struct wg_received *received);

/* ---- data.c */

enum wg_refusal wg_take_data(struct wg_device *dev, uint64_t mono, const struct wg_endpoint *from,
			     uint8_t *datagram, uint32_t len, struct wg_received *received);

/** An empty data message. False: there is no session; a handshake is asked for. */
bool wg_keepalive(struct wg_peer *peer, uint64_t mono, struct wg_message *message);

/* ---- sessions.c */

/** Take a session of a handshake that is over; it belongs to the peer now. */
void wg_sessions_add(struct wg_peer *peer, struct wg_session *session);

/** The initiator has the next session: it becomes the current one. */
void wg_sessions_confirm(struct wg_peer *peer);

/** Zero them all. */
void wg_sessions_drop(struct wg_peer *peer);

#endif /* _WG_DEVICE_H_ */
