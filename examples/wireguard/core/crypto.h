/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_CRYPTO_H_
#define _WG_CRYPTO_H_

/**
 * @file
 * The whitepaper's functions (5.4) by libcrypto and libsodium. Those that return bool say whether
 * it was done; false means that a library had no memory, or what is said.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/crypto.h>
#include <openssl/types.h>

#include "wg.h"

#define WG_HASH_LEN   32
#define WG_MAC_LEN    16
#define WG_XNONCE_LEN 24

/** HASH(a || b), BLAKE2s. `out` may be one of them. */
bool wg_hash(uint8_t out[WG_HASH_LEN], const void *a, size_t a_len, const void *b, size_t b_len);

/** MAC(key, data), keyed BLAKE2s with an output of 16 bytes. */
bool wg_mac(uint8_t out[WG_MAC_LEN], const void *key, size_t key_len, const void *data,
	    size_t len);

/**
 * KDFn(key, input): HKDF of HMAC-BLAKE2s without its info.
 *
 * @param out
 *   n places for 32 bytes each; NULL leaves one out. One may be `key`.
 * @param n
 *   1 to 3.
 */
bool wg_kdf(uint8_t *const out[], unsigned int n, const uint8_t key[WG_HASH_LEN],
	    const void *input, size_t len);

/** The public key of a private one. */
bool wg_x25519_public(uint8_t out[WG_KEY_LEN], const uint8_t private_key[WG_KEY_LEN]);

/** DH(private, public). False, too, for a public key of low order (RFC 7748, section 6.1). */
bool wg_x25519(uint8_t out[WG_KEY_LEN], const uint8_t private_key[WG_KEY_LEN],
	       const uint8_t public_key[WG_KEY_LEN]);

/**
 * AEAD with counter 0 and a key that is used once, as in handshakes: `len` bytes in, a tag more
 * out.
 */
bool wg_aead_seal(uint8_t *out, const uint8_t key[WG_KEY_LEN], const uint8_t *text, size_t len,
		  const uint8_t ad[WG_HASH_LEN]);

/** Its opposite: `len` bytes come out, a tag more goes in. False, too, if it is forged. */
bool wg_aead_open(uint8_t *out, const uint8_t key[WG_KEY_LEN], const uint8_t *sealed, size_t len,
		  const uint8_t ad[WG_HASH_LEN]);

/** XAEAD of a cookie: 16 bytes in, 32 out, with 16 bytes of additional data. */
bool wg_xaead_seal(uint8_t out[WG_MAC_LEN + WG_TAG_LEN], const uint8_t key[WG_KEY_LEN],
		   const uint8_t nonce[WG_XNONCE_LEN], const uint8_t text[WG_MAC_LEN],
		   const uint8_t ad[WG_MAC_LEN]);
bool wg_xaead_open(uint8_t out[WG_MAC_LEN], const uint8_t key[WG_KEY_LEN],
		   const uint8_t nonce[WG_XNONCE_LEN],
		   const uint8_t sealed[WG_MAC_LEN + WG_TAG_LEN], const uint8_t ad[WG_MAC_LEN]);

bool wg_random(void *out, size_t len);

static inline void
wg_zero(void *what, size_t len)
{
	OPENSSL_cleanse(what, len);
}

/** In a time that does not depend on where they differ. */
static inline bool
wg_equal(const void *a, const void *b, size_t len)
{
	return CRYPTO_memcmp(a, b, len) == 0;
}

/**
 * One direction of a session: the AEAD with its key set up once, so that a packet sets its nonce
 * alone.
 */
struct wg_cipher {
	EVP_CIPHER_CTX *ctx; /**< NULL: the null cipher */
};

/** `null`: text is left as it is, the tag is 0. */
bool wg_cipher_init(struct wg_cipher *cipher, const uint8_t key[WG_KEY_LEN], bool seals, bool null);

/** Zeroes the key. */
void wg_cipher_free(struct wg_cipher *cipher);

/** Encrypt `len` bytes in place and put the tag behind them. */
bool wg_cipher_seal(struct wg_cipher *cipher, uint64_t counter, uint8_t *text, uint32_t len);

/** Decrypt `len` bytes in place; the tag is behind them. False, too, if they are forged. */
bool wg_cipher_open(struct wg_cipher *cipher, uint64_t counter, uint8_t *text, uint32_t len);

#endif /* _WG_CRYPTO_H_ */
