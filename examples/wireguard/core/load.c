/* SPDX-License-Identifier: BSD-3-Clause */

#include <sodium.h>

#include "bytes.h"
#include "load.h"

#define MESSAGE_TIME (WG_SECOND / WG_LOAD_PER_SECOND)

_Static_assert(sizeof(((struct wg_load *)NULL)->hash_key) == crypto_shorthash_KEYBYTES, "SipHash");

bool
wg_load_note(struct wg_load *load, uint64_t mono)
{
	if (mono - load->second >= WG_SECOND) {
		load->loaded = mono - load->second < 2 * WG_SECOND &&
			load->nb_messages > WG_LOAD_MESSAGES;
		load->second = mono;
		load->nb_messages = 0;
	}
	load->nb_messages++;
	return load->forced || load->loaded || load->nb_messages > WG_LOAD_MESSAGES;
}

bool
wg_load_allows(struct wg_load *load, const struct wg_addr *from, uint64_t mono)
{
	uint8_t hash[crypto_shorthash_BYTES];
	uint64_t *full_again, start;

	/* A network of an IPv6 host has 64 bits, all of which it may use. */
	crypto_shorthash(hash, from->bytes, from->len == 4 ? 4 : 8, load->hash_key);
	full_again = &load->full_again[wg_get_le64(hash) % WG_LOAD_BUCKETS];
	start = *full_again > mono ? *full_again : mono;
	if (start + MESSAGE_TIME > mono + WG_LOAD_BURST * MESSAGE_TIME)
		return false;
	*full_again = start + MESSAGE_TIME;
	return true;
}
