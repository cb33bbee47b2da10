/* SPDX-License-Identifier: BSD-3-Clause */

#include "bytes.h"
#include "device.h"

static enum wg_refusal
dispatch(struct wg_device *dev, const struct wg_now *now, const struct wg_endpoint *from,
	 uint8_t *datagram, uint32_t len, struct wg_received *received)
{
	if (len < 4)
		return WG_REFUSAL_LENGTH;
	/* The three reserved bytes belong to the type. */
	switch (wg_get_le32(datagram)) {
	case WG_TYPE_INITIATION:
		if (len != sizeof(struct wg_initiation))
			return WG_REFUSAL_LENGTH;
		return wg_take_initiation(dev, now, from, datagram, received);
	case WG_TYPE_RESPONSE:
		if (len != sizeof(struct wg_response))
			return WG_REFUSAL_LENGTH;
		return wg_take_response(dev, now, from, datagram, received);
	case WG_TYPE_COOKIE:
		if (len != sizeof(struct wg_cookie_reply))
			return WG_REFUSAL_LENGTH;
		return wg_take_cookie(dev, now, datagram, received);
	case WG_TYPE_DATA:
		if (len < WG_HEADER_LEN + WG_TAG_LEN)
			return WG_REFUSAL_LENGTH;
		return wg_take_data(dev, now->mono, from, datagram, len, received);
	default:
		return WG_REFUSAL_TYPE;
	}
}

enum wg_kind
wg_receive(struct wg_device *dev, const struct wg_now *now, const struct wg_endpoint *from,
	   uint8_t *datagram, uint32_t len, struct wg_received *received)
{
	received->peer = NULL;
	received->established = false;
	received->packet = NULL;
	received->len = 0;
	received->reply.peer = NULL;
	received->reply.len = 0;
	received->why = dispatch(dev, now, from, datagram, len, received);
	if (received->why != WG_REFUSAL_NONE) {
		dev->stats.refused[received->why]++;
		return WG_KIND_REFUSED;
	}
	return received->packet != NULL ? WG_KIND_PACKET : WG_KIND_CONSUMED;
}

static const char *const refusal_names[WG_NB_REFUSALS] = {
	[WG_REFUSAL_NONE] = "none",
	[WG_REFUSAL_TYPE] = "unknown type",
	[WG_REFUSAL_LENGTH] = "bad length",
	[WG_REFUSAL_MAC1] = "bad mac1",
	[WG_REFUSAL_RATE] = "too many initiations",
	[WG_REFUSAL_HANDSHAKE] = "bad handshake",
	[WG_REFUSAL_UNKNOWN_PEER] = "unknown peer",
	[WG_REFUSAL_OLD_INITIATION] = "replayed initiation",
	[WG_REFUSAL_NO_INITIATION] = "unsolicited response",
	[WG_REFUSAL_COOKIE] = "bad cookie reply",
	[WG_REFUSAL_NO_SESSION] = "no session",
	[WG_REFUSAL_EXPIRED] = "expired session",
	[WG_REFUSAL_FORGED] = "forged",
	[WG_REFUSAL_REPLAYED] = "replayed",
	[WG_REFUSAL_INNER] = "malformed inner packet",
	[WG_REFUSAL_SOURCE] = "bad inner source",
	[WG_REFUSAL_TX_PACKET] = "tx no IP packet",
	[WG_REFUSAL_TX_ROUTE] = "tx no peer for destination",
	[WG_REFUSAL_TX_ENDPOINT] = "tx no endpoint",
};

const char *
wg_refusal_name(enum wg_refusal why)
{
	return why < WG_NB_REFUSALS ? refusal_names[why] : NULL;
}
