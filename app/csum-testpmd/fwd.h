/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _FWD_H_
#define _FWD_H_

/**
 * @file
 * Forwarding between ports: which streams there are, on which lcores they run. Called from the
 * main thread only.
 */

#include <stdbool.h>
#include <stdint.h>

#include "engines.h"
#include "parameters.h"

/** Set up from the command line. The parameters are kept. */
void fwd_init(const struct forward_params *params);

/** Settings for the next start. @p burst is from 1 to APP_MAX_BURST. */
void fwd_set_engine(const struct fwd_engine *engine);
void fwd_set_burst(uint16_t burst);

/** Print packets from now on (above 0), or not. Returns the level that was set before. */
uint32_t fwd_set_verbose(uint32_t level);

/** Start forwarding on all ports; what prevents it is printed. */
void fwd_start(void);

/** Stop forwarding and print the statistics. */
void fwd_stop(void);

bool fwd_is_running(void);

/** Print how packets are, or would be, forwarded. */
void fwd_show_config(void);

/** Whether the engine in use looks at checksums. */
bool fwd_counts_checksums(void);

/** Add up the counters of the streams that receive from (@p rx) or send to a port. */
void fwd_sum_counters(uint16_t port, bool rx, struct fwd_counters *sum);

/** Set the counters of all streams to 0. */
void fwd_clear_counters(void);

#endif /* _FWD_H_ */
