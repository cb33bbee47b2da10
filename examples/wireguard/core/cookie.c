/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include "bytes.h"
#include "cookie.h"

/* A sender stops to use a cookie a little before its receiver does, which need not have the same
 * idea of when it was made. It is the time in which a reply arrives, or never.
 */
#define COOKIE_LATENCY (5 * WG_SECOND)

#define LABEL_LEN 8

bool
wg_cookie_keys_init(struct wg_cookie_keys *keys, const uint8_t public_key[WG_KEY_LEN])
{
	return wg_hash(keys->mac1, "mac1----", LABEL_LEN, public_key, WG_KEY_LEN) &&
		wg_hash(keys->cookie, "cookie--", LABEL_LEN, public_key, WG_KEY_LEN);
}

/* Both macs are at the end of the message; mac1 is of what is in front of it, mac2 as well. */
static size_t
mac1_off(size_t len)
{
	return len - sizeof(struct wg_macs);
}

static size_t
mac2_off(size_t len)
{
	return mac1_off(len) + WG_MAC_LEN;
}

bool
wg_cookie_add_macs(struct wg_cookie_jar *jar, void *message, size_t len, uint64_t mono)
{
	uint8_t *bytes = message, *mac1 = bytes + mac1_off(len), *mac2 = bytes + mac2_off(len);

	if (!wg_mac(mac1, jar->keys.mac1, WG_HASH_LEN, bytes, mac1_off(len)))
		return false;
	memcpy(jar->last_mac1, mac1, WG_MAC_LEN);
	jar->asked = true;
	if (jar->cookie_birth == 0 || mono - jar->cookie_birth >= WG_COOKIE_TIME - COOKIE_LATENCY) {
		memset(mac2, 0, WG_MAC_LEN);
		return true;
	}
	return wg_mac(mac2, jar->cookie, WG_MAC_LEN, bytes, mac2_off(len));
}

bool
wg_cookie_check_mac1(const struct wg_cookie_checker *checker, const void *message, size_t len)
{
	const uint8_t *bytes = message;
	uint8_t mac1[WG_MAC_LEN];

	return wg_mac(mac1, checker->keys.mac1, WG_HASH_LEN, bytes, mac1_off(len)) &&
		wg_equal(mac1, bytes + mac1_off(len), WG_MAC_LEN);
}

/* MAC(secret, source address and port). */
static bool
cookie_of(const struct wg_cookie_checker *checker, const struct wg_endpoint *from,
	  uint8_t cookie[WG_MAC_LEN])
{
	uint8_t source[sizeof(from->addr.bytes) + 2];

	memcpy(source, from->addr.bytes, from->addr.len);
	source[from->addr.len] = (uint8_t)(from->port >> 8);
	source[from->addr.len + 1] = (uint8_t)from->port;
	return wg_mac(cookie, checker->secret, WG_HASH_LEN, source, from->addr.len + 2u);
}

bool
wg_cookie_check_mac2(struct wg_cookie_checker *checker, const void *message, size_t len,
		     const struct wg_endpoint *from, uint64_t mono)
{
	const uint8_t *bytes = message;
	uint8_t cookie[WG_MAC_LEN], mac2[WG_MAC_LEN];

	if (checker->secret_birth == 0 || mono - checker->secret_birth >= WG_COOKIE_TIME)
		return false;
	return cookie_of(checker, from, cookie) &&
		wg_mac(mac2, cookie, WG_MAC_LEN, bytes, mac2_off(len)) &&
		wg_equal(mac2, bytes + mac2_off(len), WG_MAC_LEN);
}

static bool
refresh_secret(struct wg_cookie_checker *checker, uint64_t mono)
{
	if (checker->secret_birth != 0 && mono - checker->secret_birth < WG_COOKIE_TIME)
		return true;
	if (!wg_random(checker->secret, WG_HASH_LEN))
		return false;
	checker->secret_birth = mono;
	return true;
}

bool
wg_cookie_make_reply(struct wg_cookie_checker *checker, const void *message, size_t len,
		     const struct wg_endpoint *from, uint64_t mono, struct wg_cookie_reply *reply)
{
	const uint8_t *bytes = message;
	uint8_t cookie[WG_MAC_LEN];

	wg_put_le32(reply->type, WG_TYPE_COOKIE);
	/* The sender's index stands behind the type in both messages. */
	memcpy(reply->receiver, bytes + sizeof(reply->type), sizeof(reply->receiver));
	return refresh_secret(checker, mono) &&
		cookie_of(checker, from, cookie) &&
		wg_random(reply->nonce, WG_XNONCE_LEN) &&
		wg_xaead_seal(reply->sealed_cookie, checker->keys.cookie, reply->nonce, cookie,
			      bytes + mac1_off(len));
}

bool
wg_cookie_take_reply(struct wg_cookie_jar *jar, const struct wg_cookie_reply *reply, uint64_t mono)
{
	uint8_t cookie[WG_MAC_LEN];

	if (!jar->asked ||
	    !wg_xaead_open(cookie, jar->keys.cookie, reply->nonce, reply->sealed_cookie,
			   jar->last_mac1))
		return false;
	memcpy(jar->cookie, cookie, WG_MAC_LEN);
	jar->cookie_birth = mono;
	jar->asked = false;
	return true;
}
