/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _STALE_H_
#define _STALE_H_

/**
 * @file
 * What a wrong checksum looks like: the mistakes that leave a trace in the field.
 */

#include <stdbool.h>
#include <stdint.h>

/** What is known of a wrong checksum. Sums and checks are as in csum.h. */
struct stale_facts {
	uint16_t stored;      /**< check as the field holds it */
	uint16_t right;       /**< check as it ought to be */
	bool has_pseudo;      /**< a pseudo header is part of it */
	uint32_t pseudo;      /**< its partial sum ... */
	uint32_t pseudo_bare; /**< ... and that without the length */
	uint32_t padded;      /**< partial sum of what is covered and all bytes behind */
	uint32_t padded_len;  /**< the same, with those bytes in the pseudo header's length, too */
	uint16_t ttl_word;    /**< IPv4: the word with the TTL, in memory byte order; else 0 */
};

/**
 * Name the mistake that a stored checksum looks like.
 *
 * @return
 *   To go on behind "it is "; NULL when it looks like none.
 */
const char *stale_name(const struct stale_facts *facts);

#endif /* _STALE_H_ */
