/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include <openssl/evp.h>

#include "bytes.h"
#include "crypto.h"

/* ChaCha20-Poly1305 takes 12 bytes: 4 zeros and the counter (whitepaper 5.4, AEAD). */
#define NONCE_LEN 12

bool
wg_cipher_init(struct wg_cipher *cipher, const uint8_t key[WG_KEY_LEN], bool seals, bool null)
{
	cipher->ctx = NULL;
	if (null)
		return true;
	cipher->ctx = EVP_CIPHER_CTX_new();
	if (cipher->ctx != NULL && EVP_CipherInit_ex(cipher->ctx, EVP_chacha20_poly1305(), NULL,
						     key, NULL, seals) == 1)
		return true;
	wg_cipher_free(cipher);
	return false;
}

void
wg_cipher_free(struct wg_cipher *cipher)
{
	EVP_CIPHER_CTX_free(cipher->ctx);
	cipher->ctx = NULL;
}

/* -1 keeps the direction that the context has. */
static bool
set_nonce(EVP_CIPHER_CTX *ctx, uint64_t counter)
{
	uint8_t nonce[NONCE_LEN] = { 0 };

	wg_put_le64(nonce + 4, counter);
	return EVP_CipherInit_ex(ctx, NULL, NULL, NULL, nonce, -1) == 1;
}

/* `out` is `text` or apart from it; the tag follows in `out`. `ad` is NULL or a hash. */
static bool
seal(EVP_CIPHER_CTX *ctx, uint64_t counter, uint8_t *out, const uint8_t *text, int len,
     const uint8_t *ad)
{
	int done;

	return set_nonce(ctx, counter) &&
		(ad == NULL || EVP_CipherUpdate(ctx, NULL, &done, ad, WG_HASH_LEN) == 1) &&
		EVP_CipherUpdate(ctx, out, &done, text, len) == 1 &&
		EVP_CipherFinal_ex(ctx, out + len, &done) == 1 &&
		EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, WG_TAG_LEN, out + len) == 1;
}

static bool
open_sealed(EVP_CIPHER_CTX *ctx, uint64_t counter, uint8_t *out, const uint8_t *sealed, int len,
	    const uint8_t *ad)
{
	uint8_t tag[WG_TAG_LEN];
	int done;

	memcpy(tag, sealed + len, WG_TAG_LEN);
	return set_nonce(ctx, counter) &&
		EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, WG_TAG_LEN, tag) == 1 &&
		(ad == NULL || EVP_CipherUpdate(ctx, NULL, &done, ad, WG_HASH_LEN) == 1) &&
		EVP_CipherUpdate(ctx, out, &done, sealed, len) == 1 &&
		EVP_CipherFinal_ex(ctx, out + len, &done) == 1;
}

bool
wg_cipher_seal(struct wg_cipher *cipher, uint64_t counter, uint8_t *text, uint32_t len)
{
	if (cipher->ctx != NULL)
		return seal(cipher->ctx, counter, text, text, (int)len, NULL);
	memset(text + len, 0, WG_TAG_LEN);
	return true;
}

bool
wg_cipher_open(struct wg_cipher *cipher, uint64_t counter, uint8_t *text, uint32_t len)
{
	static const uint8_t null_tag[WG_TAG_LEN];

	if (cipher->ctx != NULL)
		return open_sealed(cipher->ctx, counter, text, text, (int)len, NULL);
	return wg_equal(text + len, null_tag, WG_TAG_LEN);
}

bool
wg_aead_seal(uint8_t *out, const uint8_t key[WG_KEY_LEN], const uint8_t *text, size_t len,
	     const uint8_t ad[WG_HASH_LEN])
{
	struct wg_cipher cipher;
	bool done = wg_cipher_init(&cipher, key, true, false) &&
		seal(cipher.ctx, 0, out, text, (int)len, ad);

	wg_cipher_free(&cipher);
	return done;
}

bool
wg_aead_open(uint8_t *out, const uint8_t key[WG_KEY_LEN], const uint8_t *sealed, size_t len,
	     const uint8_t ad[WG_HASH_LEN])
{
	struct wg_cipher cipher;
	bool done = wg_cipher_init(&cipher, key, false, false) &&
		open_sealed(cipher.ctx, 0, out, sealed, (int)len, ad);

	wg_cipher_free(&cipher);
	return done;
}
