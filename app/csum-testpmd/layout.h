/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _LAYOUT_H_
#define _LAYOUT_H_

/**
 * @file
 * Who forwards: the ports, the lcores, and the neighbours that the ports talk to. Changes count
 * from the next start on. Wrong ones are printed to stderr, and change nothing. Called from the
 * main thread only.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_ether.h>

#include "parameters.h"

/**
 * Take the neighbours' addresses from the command line; the EAL need not be up.
 *
 * @return
 *   0, or -EINVAL when the reason has been printed to stderr.
 */
int layout_parse(const struct forward_params *params);

/**
 * Take all ports and lcores there are, as many as the command line says of them.
 *
 * @return
 *   0, or -EINVAL when the reason has been printed to stderr.
 */
int layout_init(const struct forward_params *params);

/** The ports in order; sets @p ids to at most RTE_MAX_ETHPORTS of them. */
unsigned int layout_ports(uint16_t *ids);

/** The lcores in order; sets @p lcores to at most RTE_MAX_LCORE of them. */
unsigned int layout_lcores(uint16_t *lcores);

/** Whether there is no lcore but the main one, which a thread of ours has to stand in for. */
bool layout_needs_thread(void);

/** The address of a port's neighbour. */
const struct rte_ether_addr *layout_peer(uint16_t port);

/** Forward with the first so many of those listed. */
void layout_set_nb_ports(uint16_t nb);
void layout_set_nb_lcores(uint16_t nb);

/** Forward with these: numbers with commas between them. */
void layout_set_ports(const char *list);
void layout_set_lcores(const char *list);

/**
 * Forward with the ports whose bits are set; others' bits do not matter.
 *
 * @return
 *   0, or -EINVAL when none is set, which has been printed to stderr.
 */
int layout_set_port_mask(uint64_t mask);

void layout_set_peer(uint16_t port, const char *address);

/** Print the lcores listed. */
void layout_show_lcores(void);

#endif /* _LAYOUT_H_ */
