/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_CONFIG_H_
#define _WG_CONFIG_H_

/**
 * @file
 * The configuration file of wg(8) and wg-quick(8), as far as an endpoint in user space needs it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WG_KEY_LEN 32

/** An IP address. */
struct wg_addr {
	uint8_t len;       /**< 4 or 16 */
	uint8_t bytes[16]; /**< in network order; those beyond len are 0 */
};

/** An IP address with a prefix length in bits. */
struct wg_prefix {
	struct wg_addr addr;
	uint8_t bits;
};

/** A UDP endpoint. */
struct wg_endpoint {
	struct wg_addr addr;
	uint16_t port; /**< in the CPU's byte order */
};

struct wg_config_peer {
	uint8_t public_key[WG_KEY_LEN];
	uint8_t preshared_key[WG_KEY_LEN]; /**< all 0: none */
	struct wg_endpoint endpoint;       /**< addr.len 0: none */
	uint16_t keepalive;                /**< seconds; 0: off */
	struct wg_prefix *allowed;         /**< bits beyond the prefix are 0 */
	unsigned int nb_allowed;
};

struct wg_config {
	uint8_t private_key[WG_KEY_LEN];
	uint16_t listen_port;       /**< 0: not given */
	uint16_t mtu;               /**< 0: not given */
	struct wg_prefix *address;  /**< as given, host bits and all */
	unsigned int nb_address;
	struct wg_config_peer *peer;
	unsigned int nb_peers;
};

/**
 * Read a configuration file.
 *
 * Sections and keys, in any case: [Interface] PrivateKey, ListenPort, Address, MTU; [Peer]
 * PublicKey, PresharedKey, AllowedIPs, Endpoint, PersistentKeepalive. Lists are separated by
 * commas, and may be given in several lines. Endpoints are addresses, not host names. Whatever else
 * wg-quick knows (DNS, Table, PostUp, FwMark ...) is an error, since it would not be done. So are a
 * prefix that two peers have, a public key that two peers or the interface have, and a key that is
 * given twice.
 *
 * @param path
 *   The file; "-" is standard input.
 * @param error
 *   Where the reason goes, one line without a line feed that begins with the file and, where there
 *   is one, the line: "wg0.conf:7: PublicKey: not 32 bytes in base64".
 * @return
 *   0; then wg_config_free() is the caller's to call.
 *   A negative errno: that of opening or reading, -ENOMEM, or -EINVAL for all that is wrong in the
 *   file. config is then empty.
 */
int wg_config_read(struct wg_config *config, const char *path, char *error, size_t error_len);

/** Zero the keys and free what it holds. */
void wg_config_free(struct wg_config *config);

#endif /* _WG_CONFIG_H_ */
