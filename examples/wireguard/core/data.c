/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <string.h>

#include "bytes.h"
#include "device.h"
#include "inner.h"

struct wg_peer *
wg_route(struct wg_device *dev, const void *packet, uint32_t len)
{
	struct wg_inner inner;
	struct wg_peer *peer;

	if (!wg_inner_parse(&inner, packet, len)) {
		dev->stats.refused[WG_REFUSAL_TX_PACKET]++;
		return NULL;
	}
	peer = wg_allowed_ips_find(&dev->allowed_ips, inner.dst, inner.addr_len);
	if (peer == NULL)
		dev->stats.refused[WG_REFUSAL_TX_ROUTE]++;
	return peer;
}

bool
wg_peer_ready(const struct wg_peer *peer, uint64_t mono)
{
	const struct wg_session *session = peer->sessions.current;

	return wg_peer_has_endpoint(peer) && session != NULL &&
		wg_session_good(session, session->send_counter, mono);
}

/* Whitepaper 5.4.6; but a packet as long as the MTU must not become longer than it. */
static uint32_t
padded_len(uint32_t len, uint32_t mtu)
{
	uint32_t padded = (len + WG_PAD_MAX) & ~(uint32_t)WG_PAD_MAX;

	if (padded > mtu)
		padded = mtu;
	return padded > len ? padded : len;
}

int
wg_seal(struct wg_peer *peer, uint64_t mono, uint8_t *packet, uint32_t len, uint32_t mtu)
{
	struct wg_data *header = (struct wg_data *)(packet - WG_HEADER_LEN);
	struct wg_session *session = peer->sessions.current;
	uint32_t padded = padded_len(len, mtu), sealed = WG_HEADER_LEN + padded + WG_TAG_LEN;

	if (!wg_peer_has_endpoint(peer)) {
		peer->dev->stats.refused[WG_REFUSAL_TX_ENDPOINT]++;
		return -EDESTADDRREQ;
	}
	if (!wg_peer_ready(peer, mono)) {
		wg_timers_want_handshake(peer, true, mono);
		return -EAGAIN;
	}
	wg_put_le32(header->type, WG_TYPE_DATA);
	wg_put_le32(header->receiver, session->remote_index);
	wg_put_le64(header->counter, session->send_counter);
	memset(packet + len, 0, padded - len);
	if (!wg_cipher_seal(&session->send, session->send_counter++, packet, padded))
		return -EIO;

	peer->stats.tx_bytes += sealed;
	peer->stats.tx_packets += len != 0;
	wg_timers_sent(peer, len != 0, mono);
	wg_timers_keep_fresh_sent(peer, session, mono);
	return (int)sealed;
}

bool
wg_keepalive(struct wg_peer *peer, uint64_t mono, struct wg_message *message)
{
	int len = wg_seal(peer, mono, message->bytes + WG_HEADER_LEN, 0, 0);

	if (len < 0)
		return false;
	message->peer = peer;
	message->to = peer->endpoint;
	message->len = (uint32_t)len;
	peer->dev->stats.keepalives_sent++;
	return true;
}

/* Cryptokey routing: a peer speaks for the addresses alone that it is allowed. */
static enum wg_refusal
check_inner(struct wg_peer *peer, uint8_t *packet, uint32_t len, struct wg_received *received)
{
	struct wg_inner inner;

	if (!wg_inner_parse(&inner, packet, len) || inner.len > len ||
	    inner.len < inner.header_len)
		return WG_REFUSAL_INNER;
	if (wg_allowed_ips_find(&peer->dev->allowed_ips, inner.src, inner.addr_len) != peer)
		return WG_REFUSAL_SOURCE;
	peer->stats.rx_packets++;
	received->packet = packet;
	received->len = inner.len;
	return WG_REFUSAL_NONE;
}

enum wg_refusal
wg_take_data(struct wg_device *dev, uint64_t mono, const struct wg_endpoint *from,
	     uint8_t *datagram, uint32_t len, struct wg_received *received)
{
	const struct wg_data *header = (const struct wg_data *)datagram;
	const struct wg_index_entry *entry = wg_index_find(&dev->indices,
							   wg_get_le32(header->receiver));
	uint32_t padded = len - WG_HEADER_LEN - WG_TAG_LEN;
	uint64_t counter = wg_get_le64(header->counter);
	struct wg_session *session;
	struct wg_peer *peer;

	if (entry == NULL || entry->session == NULL)
		return WG_REFUSAL_NO_SESSION;
	session = entry->session;
	peer = entry->peer;
	if (!wg_session_good(session, counter, mono))
		return WG_REFUSAL_EXPIRED;
	if (!wg_cipher_open(&session->receive, counter, datagram + WG_HEADER_LEN, padded))
		return WG_REFUSAL_FORGED;
	if (!wg_replay_note(&session->replay, counter))
		return WG_REFUSAL_REPLAYED;

	received->peer = peer;
	peer->endpoint = *from;
	peer->stats.rx_bytes += len;
	if (session == peer->sessions.next) {
		wg_sessions_confirm(peer);
		wg_timers_session_confirmed(peer);
		received->established = true;
	}
	wg_timers_keep_fresh_received(peer, mono);
	wg_timers_received(peer, padded != 0, mono);
	if (padded == 0) {
		dev->stats.keepalives_received++;
		return WG_REFUSAL_NONE;
	}
	return check_inner(peer, datagram + WG_HEADER_LEN, padded, received);
}
