/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_INDEX_H_
#define _WG_INDEX_H_

/**
 * @file
 * The receiver's index of a message -> what it is about. An index is random but for its low bits,
 * which are its place in the table.
 */

#include <stdbool.h>
#include <stdint.h>

#include "session.h"

struct wg_peer;

struct wg_index_entry {
	struct wg_peer *peer;       /**< NULL: free */
	struct wg_session *session; /**< NULL: the peer's handshake */
	uint32_t index;
};

struct wg_index_table {
	struct wg_index_entry *entries;
	uint32_t mask;
};

/** Each peer has at most 4 at a time: a handshake and 3 sessions. False: no memory. */
bool wg_index_init(struct wg_index_table *table, unsigned int nb_peers);
void wg_index_free(struct wg_index_table *table);

/** A new index. False: no random numbers. */
bool wg_index_take(struct wg_index_table *table, struct wg_peer *peer, uint32_t *index);

/** From now on it is a session's. */
void wg_index_assign(struct wg_index_table *table, uint32_t index, struct wg_session *session);

void wg_index_give_back(struct wg_index_table *table, uint32_t index);

/** NULL: nobody's. */
const struct wg_index_entry *wg_index_find(const struct wg_index_table *table, uint32_t index);

#endif /* _WG_INDEX_H_ */
