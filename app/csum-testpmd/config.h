/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _CONFIG_H_
#define _CONFIG_H_

/**
 * @file
 * What ports are and how they are set: displays. Every function takes a port of ours.
 */

#include <stdint.h>

/** Print what a port is. */
void config_show_port(uint16_t id);

/** Print all ports, one a line. */
void config_show_summary(void);

/** Print the Tx offloads that a port can do, or those that are enabled. */
void config_show_tx_capa(uint16_t id);
void config_show_tx_offloads(uint16_t id);

/** Print how the csum engine treats what leaves by a port. */
void config_show_csum(uint16_t id);

#endif /* _CONFIG_H_ */
