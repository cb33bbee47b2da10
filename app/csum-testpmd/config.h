/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _CONFIG_H_
#define _CONFIG_H_

/**
 * @file
 * What ports are and how they are set: displays. Every function takes a port of ours.
 */

#include <stdint.h>

#include "port.h"

/** Print what a port is. */
void config_show_port(uint16_t id);

/** Print a port, or all with PORT_ALL, one a line. */
void config_show_summary(uint16_t id);

/** Print the offloads that a port can do, or those that are enabled. */
void config_show_capa(uint16_t id, enum port_dir dir);
void config_show_offloads(uint16_t id, enum port_dir dir);

/** Print how a queue is set up; what the port does not tell is printed as an error. */
void config_show_rxq(uint16_t id, uint16_t queue);
void config_show_txq(uint16_t id, uint16_t queue);

/** Print how the csum engine treats what leaves by a port. */
void config_show_csum(uint16_t id);

/** "4294967 Gbps" is the longest. */
#define CONFIG_SPEED_LEN 16

/** A speed in Mbps, as people write it: in @p buf or constant. */
const char *config_format_speed(uint32_t speed, char buf[CONFIG_SPEED_LEN]);

#endif /* _CONFIG_H_ */
