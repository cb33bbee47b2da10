/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_NOISE_H_
#define _WG_NOISE_H_

/**
 * @file
 * Noise_IKpsk2_25519_ChaChaPoly_BLAKE2s, the handshake (whitepaper 5.4.2 to 5.4.5), without macs
 * and without a memory of who it is about. Fields of messages that are none of the handshake's
 * (type, indices, macs) are the caller's.
 */

#include "message.h"

/** Who we are. */
struct wg_identity {
	uint8_t private_key[WG_KEY_LEN];
	uint8_t public_key[WG_KEY_LEN];
};

/** What is known of the other one before the handshake. */
struct wg_remote {
	uint8_t public_key[WG_KEY_LEN];
	uint8_t preshared_key[WG_KEY_LEN]; /**< all 0: none */
	uint8_t static_static[WG_KEY_LEN]; /**< DH of both static keys, which costs once */
};

/** Where a handshake is. All 0: there is none. */
struct wg_handshake {
	uint8_t hash[WG_HASH_LEN];
	uint8_t chain[WG_HASH_LEN];
	uint8_t ephemeral[WG_KEY_LEN];        /**< our private one */
	uint8_t remote_ephemeral[WG_KEY_LEN];
};

/** What a session is made of. */
struct wg_keys {
	uint8_t send[WG_KEY_LEN];
	uint8_t receive[WG_KEY_LEN];
};

/* All return false if what came does not decrypt, a key is of low order, or memory is short. */

bool wg_identity_init(struct wg_identity *identity, const uint8_t private_key[WG_KEY_LEN]);
bool wg_remote_init(struct wg_remote *remote, const struct wg_identity *identity,
		    const uint8_t public_key[WG_KEY_LEN], const uint8_t preshared_key[WG_KEY_LEN]);

/** Initiator, first step: make an initiation. */
bool wg_noise_initiate(struct wg_handshake *hs, const struct wg_identity *identity,
		       const struct wg_remote *remote,
		       const uint8_t timestamp[WG_TIMESTAMP_LEN], struct wg_initiation *message);

/** Responder, first step: who sent it? Whose key comes out has yet to prove that it has it. */
bool wg_noise_take_static(struct wg_handshake *hs, const struct wg_identity *identity,
			  const struct wg_initiation *message, uint8_t public_key[WG_KEY_LEN]);

/** Responder, second step: the initiator, found by its key, is itself, and says when. */
bool wg_noise_take_timestamp(struct wg_handshake *hs, const struct wg_remote *remote,
			     const struct wg_initiation *message,
			     uint8_t timestamp[WG_TIMESTAMP_LEN]);

/** Responder, last step: make a response, and keys. */
bool wg_noise_respond(struct wg_handshake *hs, const struct wg_remote *remote,
		      struct wg_response *message, struct wg_keys *keys);

/** Initiator, last step: take the response. `hs` stays as it is, should this one be forged. */
bool wg_noise_take_response(const struct wg_handshake *hs, const struct wg_identity *identity,
			    const struct wg_remote *remote, const struct wg_response *message,
			    struct wg_keys *keys);

#endif /* _WG_NOISE_H_ */
