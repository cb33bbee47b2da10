/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdlib.h>

#include "index.h"

/* At most half of the table is taken, and one more while a session changes places. */
#define ENTRIES_PER_PEER 10u

bool
wg_index_init(struct wg_index_table *table, unsigned int nb_peers)
{
	uint32_t nb = 16;

	while (nb < ENTRIES_PER_PEER * nb_peers)
		nb *= 2;
	table->mask = nb - 1;
	table->entries = calloc(nb, sizeof(*table->entries));
	return table->entries != NULL;
}

void
wg_index_free(struct wg_index_table *table)
{
	free(table->entries);
	table->entries = NULL;
}

bool
wg_index_take(struct wg_index_table *table, struct wg_peer *peer, uint32_t *index)
{
	struct wg_index_entry *entry;
	uint32_t random;

	do {
		if (!wg_random(&random, sizeof(random)))
			return false;
		entry = &table->entries[random & table->mask];
	} while (entry->peer != NULL);
	entry->peer = peer;
	entry->session = NULL;
	entry->index = random;
	*index = random;
	return true;
}

void
wg_index_assign(struct wg_index_table *table, uint32_t index, struct wg_session *session)
{
	table->entries[index & table->mask].session = session;
}

void
wg_index_give_back(struct wg_index_table *table, uint32_t index)
{
	table->entries[index & table->mask].peer = NULL;
}

const struct wg_index_entry *
wg_index_find(const struct wg_index_table *table, uint32_t index)
{
	const struct wg_index_entry *entry = &table->entries[index & table->mask];

	return entry->peer != NULL && entry->index == index ? entry : NULL;
}
