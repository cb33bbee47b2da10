/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_MESSAGE_H_
#define _WG_MESSAGE_H_

/**
 * @file
 * The four messages (whitepaper 5.4) as they are sent. All fields are bytes, so that a message may
 * lie anywhere.
 */

#include <stdint.h>

#include "crypto.h"

/** Byte 0; the 3 reserved bytes behind it are 0. */
enum wg_type {
	WG_TYPE_INITIATION = 1,
	WG_TYPE_RESPONSE,
	WG_TYPE_COOKIE,
	WG_TYPE_DATA,
};

#define WG_TIMESTAMP_LEN 12

/** What initiation and response end with. */
struct wg_macs {
	uint8_t mac1[WG_MAC_LEN];
	uint8_t mac2[WG_MAC_LEN];
};

struct wg_initiation {
	uint8_t type[4];
	uint8_t sender[4];
	uint8_t ephemeral[WG_KEY_LEN];
	uint8_t sealed_static[WG_KEY_LEN + WG_TAG_LEN];
	uint8_t sealed_timestamp[WG_TIMESTAMP_LEN + WG_TAG_LEN];
	struct wg_macs macs;
};

struct wg_response {
	uint8_t type[4];
	uint8_t sender[4];
	uint8_t receiver[4];
	uint8_t ephemeral[WG_KEY_LEN];
	uint8_t sealed_nothing[WG_TAG_LEN];
	struct wg_macs macs;
};

struct wg_cookie_reply {
	uint8_t type[4];
	uint8_t receiver[4];
	uint8_t nonce[WG_XNONCE_LEN];
	uint8_t sealed_cookie[WG_MAC_LEN + WG_TAG_LEN];
};

/** Transport data, without the packet and its tag. */
struct wg_data {
	uint8_t type[4];
	uint8_t receiver[4];
	uint8_t counter[8];
};

_Static_assert(sizeof(struct wg_initiation) == WG_MESSAGE_MAX, "whitepaper 5.4.2");
_Static_assert(sizeof(struct wg_response) == 92, "whitepaper 5.4.3");
_Static_assert(sizeof(struct wg_cookie_reply) == 64, "whitepaper 5.4.7");
_Static_assert(sizeof(struct wg_data) == WG_HEADER_LEN, "whitepaper 5.4.6");

#endif /* _WG_MESSAGE_H_ */
