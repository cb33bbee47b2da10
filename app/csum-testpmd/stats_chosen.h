/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _STATS_CHOSEN_H_
#define _STATS_CHOSEN_H_

/**
 * @file
 * Extended statistics that are shown together with a port's counters (--display-xstats).
 */

#include <stdint.h>

/**
 * Choose them, and print which of them a port does not have. The ports must be there.
 *
 * @param names
 *   With commas between them; NULL: none. Kept.
 */
void stats_chosen_init(const char *names);

/** Print those of a port, and their rates since they were last printed. */
void stats_chosen_show(uint16_t id);

#endif /* _STATS_CHOSEN_H_ */
