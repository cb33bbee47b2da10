/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _STATS_H_
#define _STATS_H_

/**
 * @file
 * Statistics: what ports count, and what was forwarded. Every function takes a port of ours.
 */

#include <stdint.h>

/** Print a port's counters, and its rates since they were last printed. */
void stats_show_nic(uint16_t id);
void stats_clear_nic(uint16_t id);

/** Print a port's extended statistics. */
void stats_show_xstats(uint16_t id);
void stats_clear_xstats(uint16_t id);

/** Print what was forwarded since stats_clear_forward(): port by port, and together. */
void stats_show_forward(void);
void stats_clear_forward(void);

#endif /* _STATS_H_ */
