/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PORT_CONFIG_H_
#define _PORT_CONFIG_H_

/**
 * @file
 * Within the ports' own files: settings that the command line gives, and those of queues.
 */

#include <rte_mempool.h>

#include "parameters.h"
#include "port.h"

/** Remember how ports are to be set up; the arguments are kept. */
void port_config_init(const struct forward_params *params, struct rte_mempool *pool);

/** Give a port that is new the settings of the command line. */
void port_config_first(uint16_t id, struct port *port);

/**
 * Configure a port with its settings, and set up its queues.
 *
 * @return
 *   0, or a negative errno of librte_ethdev.
 */
int port_config_apply(uint16_t id, struct port *port);

#endif /* _PORT_CONFIG_H_ */
