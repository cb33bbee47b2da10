/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_COOKIE_H_
#define _WG_COOKIE_H_

/**
 * @file
 * mac1, mac2 and cookies (whitepaper 5.4.4, 5.4.7), on both sides.
 */

#include "message.h"

#define WG_COOKIE_TIME (120 * WG_SECOND)

/** Both keys are made from the public key of who receives the message with the macs. */
struct wg_cookie_keys {
	uint8_t mac1[WG_HASH_LEN];
	uint8_t cookie[WG_HASH_LEN];
};

/** Of who receives messages. */
struct wg_cookie_checker {
	struct wg_cookie_keys keys;
	uint8_t secret[WG_HASH_LEN]; /**< changes every WG_COOKIE_TIME */
	uint64_t secret_birth;       /**< 0: there was none yet */
};

/** Of who sends messages to a peer. */
struct wg_cookie_jar {
	struct wg_cookie_keys keys;
	uint8_t last_mac1[WG_MAC_LEN]; /**< what a cookie reply has to answer */
	bool asked;                    /**< last_mac1 is there, and has had no cookie reply */
	uint8_t cookie[WG_MAC_LEN];
	uint64_t cookie_birth;         /**< 0: there is none */
};

/** False: a library had no memory. */
bool wg_cookie_keys_init(struct wg_cookie_keys *keys, const uint8_t public_key[WG_KEY_LEN]);

/** Complete an initiation or response of `len` bytes. */
bool wg_cookie_add_macs(struct wg_cookie_jar *jar, void *message, size_t len, uint64_t mono);

bool wg_cookie_check_mac1(const struct wg_cookie_checker *checker, const void *message,
			  size_t len);

/** False, too, if `from` was never given a cookie, or a while ago. */
bool wg_cookie_check_mac2(struct wg_cookie_checker *checker, const void *message, size_t len,
			  const struct wg_endpoint *from, uint64_t mono);

/** Make the reply to a message whose mac1 is right. */
bool wg_cookie_make_reply(struct wg_cookie_checker *checker, const void *message, size_t len,
			  const struct wg_endpoint *from, uint64_t mono,
			  struct wg_cookie_reply *reply);

/** Keep the cookie of a reply. False: it does not answer the last message. */
bool wg_cookie_take_reply(struct wg_cookie_jar *jar, const struct wg_cookie_reply *reply,
			  uint64_t mono);

#endif /* _WG_COOKIE_H_ */
