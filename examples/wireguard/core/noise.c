/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include "noise.h"

static const char construction[] = "Noise_IKpsk2_25519_ChaChaPoly_BLAKE2s";
static const char identifier[] = "WireGuard v1 zx2c4 Jason@zx2c4.com";

bool
wg_identity_init(struct wg_identity *identity, const uint8_t private_key[WG_KEY_LEN])
{
	memcpy(identity->private_key, private_key, WG_KEY_LEN);
	return wg_x25519_public(identity->public_key, private_key);
}

bool
wg_remote_init(struct wg_remote *remote, const struct wg_identity *identity,
	       const uint8_t public_key[WG_KEY_LEN], const uint8_t preshared_key[WG_KEY_LEN])
{
	memcpy(remote->public_key, public_key, WG_KEY_LEN);
	memcpy(remote->preshared_key, preshared_key, WG_KEY_LEN);
	return wg_x25519(remote->static_static, identity->private_key, public_key);
}

static bool
mix_hash(struct wg_handshake *hs, const void *data, size_t len)
{
	return wg_hash(hs->hash, hs->hash, WG_HASH_LEN, data, len);
}

/* `key` NULL: the chaining key alone. */
static bool
mix_key(struct wg_handshake *hs, const uint8_t input[WG_KEY_LEN], uint8_t key[WG_KEY_LEN])
{
	uint8_t *const out[] = { hs->chain, key };

	return wg_kdf(out, key != NULL ? 2 : 1, hs->chain, input, WG_KEY_LEN);
}

static bool
mix_dh(struct wg_handshake *hs, const uint8_t private_key[WG_KEY_LEN],
       const uint8_t public_key[WG_KEY_LEN], uint8_t key[WG_KEY_LEN])
{
	uint8_t shared[WG_KEY_LEN];
	bool done = wg_x25519(shared, private_key, public_key) && mix_key(hs, shared, key);

	wg_zero(shared, sizeof(shared));
	return done;
}

static bool
mix_preshared_key(struct wg_handshake *hs, const uint8_t psk[WG_KEY_LEN], uint8_t key[WG_KEY_LEN])
{
	uint8_t temp[WG_HASH_LEN];
	uint8_t *const out[] = { hs->chain, temp, key };
	bool done = wg_kdf(out, 3, hs->chain, psk, WG_KEY_LEN) &&
		mix_hash(hs, temp, sizeof(temp));

	wg_zero(temp, sizeof(temp));
	return done;
}

/* An ephemeral key goes into both. */
static bool
mix_ephemeral(struct wg_handshake *hs, const uint8_t ephemeral[WG_KEY_LEN])
{
	return mix_key(hs, ephemeral, NULL) && mix_hash(hs, ephemeral, WG_KEY_LEN);
}

static bool
seal_and_mix(struct wg_handshake *hs, const uint8_t key[WG_KEY_LEN], uint8_t *out,
	     const uint8_t *text, size_t len)
{
	return wg_aead_seal(out, key, text, len, hs->hash) && mix_hash(hs, out, len + WG_TAG_LEN);
}

static bool
open_and_mix(struct wg_handshake *hs, const uint8_t key[WG_KEY_LEN], uint8_t *out,
	     const uint8_t *sealed, size_t len)
{
	return wg_aead_open(out, key, sealed, len, hs->hash) &&
		mix_hash(hs, sealed, len + WG_TAG_LEN);
}

/* Both begin with the responder's static key. */
static bool
begin(struct wg_handshake *hs, const uint8_t responder[WG_KEY_LEN])
{
	memset(hs, 0, sizeof(*hs));
	return wg_hash(hs->chain, construction, sizeof(construction) - 1, NULL, 0) &&
		wg_hash(hs->hash, hs->chain, WG_HASH_LEN, identifier, sizeof(identifier) - 1) &&
		mix_hash(hs, responder, WG_KEY_LEN);
}

static bool
make_ephemeral(struct wg_handshake *hs, uint8_t public_key[WG_KEY_LEN])
{
	return wg_random(hs->ephemeral, WG_KEY_LEN) &&
		wg_x25519_public(public_key, hs->ephemeral) &&
		mix_ephemeral(hs, public_key);
}

bool
wg_noise_initiate(struct wg_handshake *hs, const struct wg_identity *identity,
		  const struct wg_remote *remote, const uint8_t timestamp[WG_TIMESTAMP_LEN],
		  struct wg_initiation *message)
{
	uint8_t key[WG_KEY_LEN];
	bool done = begin(hs, remote->public_key) &&
		make_ephemeral(hs, message->ephemeral) &&
		mix_dh(hs, hs->ephemeral, remote->public_key, key) &&
		seal_and_mix(hs, key, message->sealed_static, identity->public_key, WG_KEY_LEN) &&
		mix_key(hs, remote->static_static, key) &&
		seal_and_mix(hs, key, message->sealed_timestamp, timestamp, WG_TIMESTAMP_LEN);

	wg_zero(key, sizeof(key));
	return done;
}

bool
wg_noise_take_static(struct wg_handshake *hs, const struct wg_identity *identity,
		     const struct wg_initiation *message, uint8_t public_key[WG_KEY_LEN])
{
	uint8_t key[WG_KEY_LEN];
	bool done = begin(hs, identity->public_key) &&
		mix_ephemeral(hs, message->ephemeral) &&
		mix_dh(hs, identity->private_key, message->ephemeral, key) &&
		open_and_mix(hs, key, public_key, message->sealed_static, WG_KEY_LEN);

	memcpy(hs->remote_ephemeral, message->ephemeral, WG_KEY_LEN);
	wg_zero(key, sizeof(key));
	return done;
}

bool
wg_noise_take_timestamp(struct wg_handshake *hs, const struct wg_remote *remote,
			const struct wg_initiation *message, uint8_t timestamp[WG_TIMESTAMP_LEN])
{
	uint8_t key[WG_KEY_LEN];
	bool done = mix_key(hs, remote->static_static, key) &&
		open_and_mix(hs, key, timestamp, message->sealed_timestamp, WG_TIMESTAMP_LEN);

	wg_zero(key, sizeof(key));
	return done;
}

/* The initiator's sending key comes first (whitepaper 5.4.5). */
static bool
derive(const struct wg_handshake *hs, uint8_t initiators[WG_KEY_LEN],
       uint8_t responders[WG_KEY_LEN])
{
	uint8_t *const out[] = { initiators, responders };

	return wg_kdf(out, 2, hs->chain, NULL, 0);
}

bool
wg_noise_respond(struct wg_handshake *hs, const struct wg_remote *remote,
		 struct wg_response *message, struct wg_keys *keys)
{
	uint8_t key[WG_KEY_LEN];
	bool done = make_ephemeral(hs, message->ephemeral) &&
		mix_dh(hs, hs->ephemeral, hs->remote_ephemeral, NULL) &&
		mix_dh(hs, hs->ephemeral, remote->public_key, NULL) &&
		mix_preshared_key(hs, remote->preshared_key, key) &&
		seal_and_mix(hs, key, message->sealed_nothing, message->sealed_nothing, 0) &&
		derive(hs, keys->receive, keys->send);

	wg_zero(key, sizeof(key));
	return done;
}

bool
wg_noise_take_response(const struct wg_handshake *hs, const struct wg_identity *identity,
		       const struct wg_remote *remote, const struct wg_response *message,
		       struct wg_keys *keys)
{
	struct wg_handshake next = *hs;
	uint8_t key[WG_KEY_LEN], nothing[1];
	bool done = mix_ephemeral(&next, message->ephemeral) &&
		mix_dh(&next, next.ephemeral, message->ephemeral, NULL) &&
		mix_dh(&next, identity->private_key, message->ephemeral, NULL) &&
		mix_preshared_key(&next, remote->preshared_key, key) &&
		open_and_mix(&next, key, nothing, message->sealed_nothing, 0) &&
		derive(&next, keys->send, keys->receive);

	wg_zero(&next, sizeof(next));
	wg_zero(key, sizeof(key));
	return done;
}
