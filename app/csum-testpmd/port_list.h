/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PORT_LIST_H_
#define _PORT_LIST_H_

/**
 * @file
 * Within the ports' own files: which ports we have.
 */

#include <stdbool.h>
#include <stdint.h>

/** Take a port, with settings as they are at first. It need not be new. */
void port_list_add(uint16_t id);

/** Let go of a port. */
void port_list_remove(uint16_t id);

/** Whether a port is among ours. */
bool port_list_has(uint16_t id);

/**
 * Find the ports meant by an id or by PORT_ALL.
 *
 * @param ids
 *   Set to at most RTE_MAX_ETHPORTS of them.
 * @return
 *   How many; 0 when the id is wrong, which has been printed.
 */
unsigned int port_list_meant(uint16_t id, uint16_t *ids);

/** Have all ports configured anew at their next start. */
void port_list_make_stale(void);

#endif /* _PORT_LIST_H_ */
