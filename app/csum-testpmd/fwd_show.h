/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _FWD_SHOW_H_
#define _FWD_SHOW_H_

/**
 * @file
 * Displays of how packets are forwarded, in testpmd's words.
 */

#include <stdbool.h>
#include <stdint.h>

#include "engines.h"
#include "parameters.h"
#include "streams.h"

/** What commands set of forwarding. */
struct fwd_settings {
	const struct fwd_engine *engine;
	uint16_t burst;
	bool retries;            /**< whether packets that were not taken are offered again, */
	struct fwd_retry retry;  /**< and how */
};

/** Print which lcore forwards what. */
void fwd_show_streams(const struct fwd_settings *settings, const struct streams *streams);

/** Print the settings, and those of all ports and their first queues. */
void fwd_show_settings(const struct fwd_settings *settings, const struct traffic *traffic);

#endif /* _FWD_SHOW_H_ */
