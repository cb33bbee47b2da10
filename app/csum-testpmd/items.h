/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _ITEMS_H_
#define _ITEMS_H_

#include <stdint.h>

/**
 * Parse numbers with commas between them.
 *
 * @param list
 *   Such as "64,64,1400".
 * @param what
 *   What the numbers are, for messages.
 * @param items
 *   Set to them.
 * @param max
 *   Room in @p items.
 * @return
 *   How many there are, or 0 when what is wrong has been printed to stderr.
 */
unsigned int items_parse(const char *list, const char *what, uint16_t *items, unsigned int max);

/** The same, for items that must differ. */
unsigned int items_parse_unique(const char *list, const char *what, uint16_t *items,
				unsigned int max);

#endif /* _ITEMS_H_ */
