/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_ALLOWED_IPS_H_
#define _WG_ALLOWED_IPS_H_

/**
 * @file
 * Which peer has an address: longest match of prefixes, in a binary trie per IP version whose nodes
 * are the prefixes and the points where two of them part.
 */

#include <stdbool.h>

#include "wg.h"

struct wg_trie_node;

/** All 0: empty. */
struct wg_allowed_ips {
	struct wg_trie_node *root4, *root6;
};

/**
 * Give a prefix to a peer, and take it from the one that has it.
 *
 * @return
 *   False: no memory, nothing changed.
 */
bool wg_allowed_ips_add(struct wg_allowed_ips *ips, const struct wg_prefix *prefix,
			struct wg_peer *peer);

/**
 * Whose prefix is the longest that an address begins with?
 *
 * @param addr
 *   4 or 16 bytes in network order.
 * @return
 *   NULL: nobody's.
 */
struct wg_peer *wg_allowed_ips_find(const struct wg_allowed_ips *ips, const uint8_t *addr,
				    unsigned int len);

/** Make it empty. */
void wg_allowed_ips_free(struct wg_allowed_ips *ips);

#endif /* _WG_ALLOWED_IPS_H_ */
