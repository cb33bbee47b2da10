/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include <sodium.h>

#include "crypto.h"

bool
wg_hash(uint8_t out[WG_HASH_LEN], const void *a, size_t a_len, const void *b, size_t b_len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	bool done = ctx != NULL &&
		EVP_DigestInit_ex(ctx, EVP_blake2s256(), NULL) == 1 &&
		EVP_DigestUpdate(ctx, a, a_len) == 1 &&
		EVP_DigestUpdate(ctx, b, b_len) == 1 &&
		EVP_DigestFinal_ex(ctx, out, NULL) == 1;

	EVP_MD_CTX_free(ctx);
	return done;
}

bool
wg_mac(uint8_t out[WG_MAC_LEN], const void *key, size_t key_len, const void *data, size_t len)
{
	size_t size = WG_MAC_LEN;
	const OSSL_PARAM params[] = {
		OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size),
		OSSL_PARAM_construct_end(),
	};

	return EVP_Q_mac(NULL, "BLAKE2SMAC", NULL, NULL, params, key, key_len, data, len, out,
			 WG_MAC_LEN, NULL) != NULL;
}

static bool
hmac(uint8_t out[WG_HASH_LEN], const uint8_t key[WG_HASH_LEN], const void *data, size_t len)
{
	return HMAC(EVP_blake2s256(), key, WG_HASH_LEN, data, len, out, NULL) != NULL;
}

bool
wg_kdf(uint8_t *const out[], unsigned int n, const uint8_t key[WG_HASH_LEN], const void *input,
       size_t len)
{
	/* What the next round hashes: the last output, and the number of the round. */
	uint8_t secret[WG_HASH_LEN], last[WG_HASH_LEN + 1];
	bool done = hmac(secret, key, input, len);
	unsigned int i;

	for (i = 0; i < n && done; i++) {
		last[WG_HASH_LEN] = (uint8_t)(i + 1);
		done = i == 0 ? hmac(last, secret, &last[WG_HASH_LEN], 1) :
			hmac(last, secret, last, sizeof(last));
		if (done && out[i] != NULL)
			memcpy(out[i], last, WG_HASH_LEN);
	}
	wg_zero(secret, sizeof(secret));
	wg_zero(last, sizeof(last));
	return done;
}

bool
wg_x25519_public(uint8_t out[WG_KEY_LEN], const uint8_t private_key[WG_KEY_LEN])
{
	EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, private_key,
						     WG_KEY_LEN);
	size_t len = WG_KEY_LEN;
	bool done = key != NULL && EVP_PKEY_get_raw_public_key(key, out, &len) == 1;

	EVP_PKEY_free(key);
	return done;
}

bool
wg_x25519(uint8_t out[WG_KEY_LEN], const uint8_t private_key[WG_KEY_LEN],
	  const uint8_t public_key[WG_KEY_LEN])
{
	EVP_PKEY *ours = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, private_key,
						      WG_KEY_LEN);
	EVP_PKEY *theirs = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, public_key,
						       WG_KEY_LEN);
	EVP_PKEY_CTX *ctx = ours != NULL ? EVP_PKEY_CTX_new(ours, NULL) : NULL;
	size_t len = WG_KEY_LEN;
	bool done = ctx != NULL && theirs != NULL &&
		EVP_PKEY_derive_init(ctx) == 1 &&
		EVP_PKEY_derive_set_peer(ctx, theirs) == 1 &&
		EVP_PKEY_derive(ctx, out, &len) == 1;

	EVP_PKEY_CTX_free(ctx);
	EVP_PKEY_free(theirs);
	EVP_PKEY_free(ours);
	return done;
}

bool
wg_xaead_seal(uint8_t out[WG_MAC_LEN + WG_TAG_LEN], const uint8_t key[WG_KEY_LEN],
	      const uint8_t nonce[WG_XNONCE_LEN], const uint8_t text[WG_MAC_LEN],
	      const uint8_t ad[WG_MAC_LEN])
{
	return crypto_aead_xchacha20poly1305_ietf_encrypt(out, NULL, text, WG_MAC_LEN, ad,
							  WG_MAC_LEN, NULL, nonce, key) == 0;
}

bool
wg_xaead_open(uint8_t out[WG_MAC_LEN], const uint8_t key[WG_KEY_LEN],
	      const uint8_t nonce[WG_XNONCE_LEN], const uint8_t sealed[WG_MAC_LEN + WG_TAG_LEN],
	      const uint8_t ad[WG_MAC_LEN])
{
	return crypto_aead_xchacha20poly1305_ietf_decrypt(out, NULL, NULL, sealed,
							  WG_MAC_LEN + WG_TAG_LEN, ad, WG_MAC_LEN,
							  nonce, key) == 0;
}

bool
wg_random(void *out, size_t len)
{
	return RAND_bytes(out, (int)len) == 1;
}
