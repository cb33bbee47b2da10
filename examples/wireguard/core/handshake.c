/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include "bytes.h"
#include "device.h"

/* TAI64N: an offset of 2^62, and 10 s that TAI was ahead of UTC in 1970. */
#define TAI64_BASE UINT64_C(0x400000000000000a)
/* Nanoseconds are rounded down to 2^24, so that they tell nobody how fast our timers are. It is
 * fine enough: initiations are WG_REKEY_TIMEOUT apart.
 */
#define TAI64N_MASK (~UINT64_C(0xffffff))

/* At most so many initiations of a peer's are answered in a second. */
#define INITIATIONS_PER_SECOND 50

static void
put_timestamp(uint8_t timestamp[WG_TIMESTAMP_LEN], uint64_t wall)
{
	uint64_t seconds = TAI64_BASE + wall / WG_SECOND;
	uint64_t nanoseconds = wall % WG_SECOND & TAI64N_MASK;
	unsigned int i;

	for (i = 0; i < 8; i++)
		timestamp[i] = (uint8_t)(seconds >> (56 - 8 * i));
	for (i = 0; i < 4; i++)
		timestamp[8 + i] = (uint8_t)(nanoseconds >> (24 - 8 * i));
}

/* A message of the handshake is complete: what is left to be said about it. */
static void
address(struct wg_message *message, struct wg_peer *peer, uint32_t len, uint64_t mono)
{
	message->peer = peer;
	message->to = peer->endpoint;
	message->len = len;
	peer->stats.tx_bytes += len;
	wg_timers_sent(peer, false, mono);
}

void
wg_handshake_abandon(struct wg_peer *peer)
{
	if (!peer->handshake_pending)
		return;
	wg_index_give_back(&peer->dev->indices, peer->handshake_index);
	wg_zero(&peer->handshake, sizeof(peer->handshake));
	peer->handshake_pending = false;
}

bool
wg_handshake_initiate(struct wg_peer *peer, const struct wg_now *now, struct wg_message *message)
{
	struct wg_initiation *initiation = (struct wg_initiation *)message->bytes;
	struct wg_device *dev = peer->dev;
	uint8_t timestamp[WG_TIMESTAMP_LEN];

	wg_handshake_abandon(peer);
	wg_timers_initiated(peer, now->mono);
	put_timestamp(timestamp, now->wall);
	wg_put_le32(initiation->type, WG_TYPE_INITIATION);
	if (!wg_index_take(&dev->indices, peer, &peer->handshake_index))
		return false;
	peer->handshake_pending = true;
	wg_put_le32(initiation->sender, peer->handshake_index);
	if (!wg_noise_initiate(&peer->handshake, &dev->identity, &peer->remote, timestamp,
			       initiation) ||
	    !wg_cookie_add_macs(&peer->jar, initiation, sizeof(*initiation), now->mono)) {
		wg_handshake_abandon(peer);
		return false;
	}
	address(message, peer, sizeof(*initiation), now->mono);
	dev->stats.initiations_sent++;
	return true;
}

/*
 * Initiation and response pass the same gate: mac1, and, under load, a cookie and a rate. The reply
 * is a cookie if there was none.
 */
static enum wg_refusal
pass_gate(struct wg_device *dev, const struct wg_endpoint *from, uint64_t mono,
	  const uint8_t *datagram, uint32_t len, struct wg_received *received)
{
	struct wg_message *reply = &received->reply;

	if (!wg_cookie_check_mac1(&dev->checker, datagram, len))
		return WG_REFUSAL_MAC1;
	if (!wg_load_note(&dev->load, mono))
		return WG_REFUSAL_NONE;
	if (wg_cookie_check_mac2(&dev->checker, datagram, len, from, mono))
		return wg_load_allows(&dev->load, &from->addr, mono) ? WG_REFUSAL_NONE :
			WG_REFUSAL_RATE;
	if (!wg_cookie_make_reply(&dev->checker, datagram, len, from, mono,
				  (struct wg_cookie_reply *)reply->bytes))
		return WG_REFUSAL_RATE;
	reply->to = *from;
	reply->len = sizeof(struct wg_cookie_reply);
	dev->stats.cookies_sent++;
	return WG_REFUSAL_NONE;
}

static struct wg_peer *
find_peer(struct wg_device *dev, const uint8_t public_key[WG_KEY_LEN])
{
	unsigned int i;

	for (i = 0; i < dev->nb_peers; i++)
		if (wg_equal(dev->peers[i].remote.public_key, public_key, WG_KEY_LEN))
			return &dev->peers[i];
	return NULL;
}

/* The index is taken, and the session is the peer's and can be found by it. */
static bool
add_session(struct wg_peer *peer, const struct wg_keys *keys, bool initiator, uint32_t local_index,
	    uint32_t remote_index, uint64_t mono)
{
	struct wg_session *session = wg_session_new(keys, peer->dev->null_cipher, mono);

	if (session == NULL)
		return false;
	session->initiator = initiator;
	session->local_index = local_index;
	session->remote_index = remote_index;
	wg_index_assign(&peer->dev->indices, local_index, session);
	wg_sessions_add(peer, session);
	wg_timers_session_made(peer, mono);
	peer->stats.handshakes++;
	peer->stats.last_handshake = mono;
	return true;
}

/* The initiation proved to be the peer's, and new. */
static bool
respond(struct wg_peer *peer, struct wg_handshake *hs, const struct wg_initiation *initiation,
	uint64_t mono, struct wg_message *message)
{
	struct wg_response *response = (struct wg_response *)message->bytes;
	struct wg_index_table *indices = &peer->dev->indices;
	struct wg_keys keys;
	uint32_t index;
	bool done;

	if (!wg_index_take(indices, peer, &index))
		return false;
	wg_put_le32(response->type, WG_TYPE_RESPONSE);
	wg_put_le32(response->sender, index);
	memcpy(response->receiver, initiation->sender, sizeof(response->receiver));
	done = wg_noise_respond(hs, &peer->remote, response, &keys) &&
		wg_cookie_add_macs(&peer->jar, response, sizeof(*response), mono) &&
		add_session(peer, &keys, false, index, wg_get_le32(initiation->sender), mono);
	wg_zero(&keys, sizeof(keys));
	if (!done) {
		wg_index_give_back(indices, index);
		return false;
	}
	address(message, peer, sizeof(*response), mono);
	peer->dev->stats.responses_sent++;
	return true;
}

/* Whose is it? Only a peer that proves to be itself comes out, with a timestamp that is new. */
static enum wg_refusal
identify(struct wg_device *dev, const struct wg_initiation *initiation, uint64_t mono,
	 struct wg_handshake *hs, struct wg_peer **found)
{
	uint8_t public_key[WG_KEY_LEN], timestamp[WG_TIMESTAMP_LEN];
	struct wg_peer *peer;

	if (!wg_noise_take_static(hs, &dev->identity, initiation, public_key))
		return WG_REFUSAL_HANDSHAKE;
	peer = find_peer(dev, public_key);
	if (peer == NULL)
		return WG_REFUSAL_UNKNOWN_PEER;
	if (!wg_noise_take_timestamp(hs, &peer->remote, initiation, timestamp))
		return WG_REFUSAL_HANDSHAKE;
	if (memcmp(timestamp, peer->timestamp, WG_TIMESTAMP_LEN) <= 0)
		return WG_REFUSAL_OLD_INITIATION;
	if (peer->initiation_received != 0 &&
	    mono - peer->initiation_received < WG_SECOND / INITIATIONS_PER_SECOND)
		return WG_REFUSAL_RATE;
	memcpy(peer->timestamp, timestamp, WG_TIMESTAMP_LEN);
	peer->initiation_received = mono;
	*found = peer;
	return WG_REFUSAL_NONE;
}

enum wg_refusal
wg_take_initiation(struct wg_device *dev, const struct wg_now *now,
		   const struct wg_endpoint *from, const uint8_t *datagram,
		   struct wg_received *received)
{
	const struct wg_initiation *initiation = (const struct wg_initiation *)datagram;
	struct wg_handshake hs;
	struct wg_peer *peer;
	enum wg_refusal why = pass_gate(dev, from, now->mono, datagram, sizeof(*initiation),
					received);

	if (why != WG_REFUSAL_NONE || received->reply.len != 0)
		return why;
	why = identify(dev, initiation, now->mono, &hs, &peer);
	if (why == WG_REFUSAL_NONE) {
		received->peer = peer;
		peer->endpoint = *from;
		peer->stats.rx_bytes += sizeof(*initiation);
		dev->stats.initiations_received++;
		wg_timers_received(peer, false, now->mono);
		if (!respond(peer, &hs, initiation, now->mono, &received->reply))
			why = WG_REFUSAL_HANDSHAKE;
	}
	wg_zero(&hs, sizeof(hs));
	return why;
}

enum wg_refusal
wg_take_response(struct wg_device *dev, const struct wg_now *now, const struct wg_endpoint *from,
		 const uint8_t *datagram, struct wg_received *received)
{
	const struct wg_response *response = (const struct wg_response *)datagram;
	const struct wg_index_entry *entry;
	struct wg_keys keys;
	struct wg_peer *peer;
	bool done;
	enum wg_refusal why = pass_gate(dev, from, now->mono, datagram, sizeof(*response),
					received);

	if (why != WG_REFUSAL_NONE || received->reply.len != 0)
		return why;
	entry = wg_index_find(&dev->indices, wg_get_le32(response->receiver));
	if (entry == NULL || entry->session != NULL)
		return WG_REFUSAL_NO_INITIATION;
	peer = entry->peer;
	done = wg_noise_take_response(&peer->handshake, &dev->identity, &peer->remote, response,
				      &keys) &&
		add_session(peer, &keys, true, entry->index, wg_get_le32(response->sender),
			    now->mono);
	wg_zero(&keys, sizeof(keys));
	if (!done)
		return WG_REFUSAL_HANDSHAKE;
	/* The index is the session's now. */
	wg_zero(&peer->handshake, sizeof(peer->handshake));
	peer->handshake_pending = false;

	received->peer = peer;
	received->established = true;
	peer->endpoint = *from;
	peer->stats.rx_bytes += sizeof(*response);
	dev->stats.responses_received++;
	wg_timers_received(peer, false, now->mono);
	wg_timers_session_confirmed(peer);
	/* The responder may not send before it has seen something of the new session. */
	wg_keepalive(peer, now->mono, &received->reply);
	return WG_REFUSAL_NONE;
}

enum wg_refusal
wg_take_cookie(struct wg_device *dev, const struct wg_now *now, const uint8_t *datagram,
	       struct wg_received *received)
{
	const struct wg_cookie_reply *reply = (const struct wg_cookie_reply *)datagram;
	const struct wg_index_entry *entry = wg_index_find(&dev->indices,
							   wg_get_le32(reply->receiver));

	if (entry == NULL)
		return WG_REFUSAL_NO_INITIATION;
	if (!wg_cookie_take_reply(&entry->peer->jar, reply, now->mono))
		return WG_REFUSAL_COOKIE;
	received->peer = entry->peer;
	dev->stats.cookies_received++;
	return WG_REFUSAL_NONE;
}
