/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_LOAD_H_
#define _WG_LOAD_H_

/**
 * @file
 * When handshake messages become too many, and from whom (whitepaper 5.3). "Under load" is the last
 * second or this one with more than WG_LOAD_MESSAGES of them. Then a source has to show a cookie,
 * and gets WG_LOAD_PER_SECOND messages a second, after a burst of WG_LOAD_BURST.
 */

#include "wg.h"

#define WG_LOAD_MESSAGES   256u
#define WG_LOAD_PER_SECOND 20u
#define WG_LOAD_BURST      5u
#define WG_LOAD_BUCKETS    4096u

/** All 0 but for hash_key, which is random. */
struct wg_load {
	bool forced;             /**< under load in any case */
	bool loaded;             /**< the last second was */
	uint64_t second;         /**< when this second began */
	unsigned int nb_messages; /**< in this second */
	uint8_t hash_key[16];
	/**
	 * When the sources that share a bucket will have all their burst again. Sources do not know
	 * who else is in their bucket, so that nobody can fill another's on purpose.
	 */
	uint64_t full_again[WG_LOAD_BUCKETS];
};

/** Count a message. @return whether we are under load. */
bool wg_load_note(struct wg_load *load, uint64_t mono);

/** Whether this source may send another one now. The port does not count, nor half of IPv6. */
bool wg_load_allows(struct wg_load *load, const struct wg_addr *from, uint64_t mono);

#endif /* _WG_LOAD_H_ */
