/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _OPTIONS_H_
#define _OPTIONS_H_

/**
 * @file
 * The command line behind the EAL's "--".
 */

#include <stdbool.h>

#include "outer.h"

struct options {
	const char *config;      /**< file */
	const char *tun;         /**< name of the device */
	struct outer_net net[2]; /**< IPv4, IPv6 */
	uint16_t port_id;
	uint16_t mtu;            /**< 0: not given */
	bool coalesce;
	bool null_cipher;
	unsigned int break_nth;  /**< 0: none */
	unsigned int clock_rate; /**< 1 unless given */
};

/**
 * Read them. Values that make no sense end the program, with a message that names them.
 *
 * @return
 *   false: help was asked for, and printed.
 */
bool options_parse(struct options *options, int argc, char **argv);

#endif /* _OPTIONS_H_ */
