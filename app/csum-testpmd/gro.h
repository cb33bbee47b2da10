/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _GRO_H_
#define _GRO_H_

/**
 * @file
 * Reassembly in software (GRO) of TCP over IPv4, with librte_gro: which ports' packets are merged,
 * and over how many bursts. Settings are for the main thread, while nothing is forwarded.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

/** Most bursts over which packets are merged. */
#define GRO_MAX_FLUSH 4

/** What a stream merges with. */
struct gro;

/** What is not as it should be is printed to stderr. */
void gro_enable(uint16_t port, bool on);
void gro_set_flush(uint16_t nb_bursts);

/** Print how what a port receives is merged. */
void gro_show(uint16_t port);

/**
 * Begin to merge what a port receives.
 *
 * @param gro
 *   Set to what to merge with, or to NULL when GRO is off for this port.
 * @return
 *   0, or -ENOMEM.
 */
int gro_open(uint16_t port, struct gro **gro);

/** Free it, empty by now. NULL is fine. */
void gro_close(struct gro *gro);

/**
 * Merge a burst.
 *
 * @param pkts
 *   Packets, with room for APP_MAX_BURST.
 * @param nb
 *   How many they are; 0 lets others go that wait for a neighbour.
 * @return
 *   Packets to go on with; others may be kept back.
 */
uint16_t gro_merge(struct gro *gro, struct rte_mbuf **pkts, uint16_t nb);

/** Take packets that are kept back: at most @p room of them. */
uint16_t gro_flush(struct gro *gro, struct rte_mbuf **pkts, uint16_t room);

#endif /* _GRO_H_ */
