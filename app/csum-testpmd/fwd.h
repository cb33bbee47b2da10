/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _FWD_H_
#define _FWD_H_

/**
 * @file
 * Forwarding between ports. Settings count from the next start on. Called from the main thread
 * only.
 */

#include <stdbool.h>
#include <stdint.h>

#include "engines.h"
#include "parameters.h"
#include "streams.h"

/**
 * Set up from the command line. The parameters are kept.
 *
 * @param pool
 *   Packets that engines make come from here.
 */
void fwd_init(const struct forward_params *params, struct rte_mempool *pool);

/** @p burst is from 1 to APP_MAX_BURST. */
void fwd_set_burst(uint16_t burst);

/** @p retry: whether packets that a port does not take are offered again. */
void fwd_set_engine(const struct fwd_engine *engine, bool retry);

void fwd_set_retry(const struct fwd_retry *retry);

/** Print packets from now on (above 0), or not. Returns the level that was set before. */
uint32_t fwd_set_verbose(uint32_t level);

/**
 * Start forwarding; what prevents it is printed.
 *
 * @param tx_first
 *   Bursts of packets that each stream sends before.
 */
void fwd_start(uint32_t tx_first);

/** Stop forwarding and print the statistics. */
void fwd_stop(void);

bool fwd_is_running(void);

/** Print how packets are, or would be, forwarded: by whom, and with which settings. */
void fwd_show_config(void);
void fwd_show_rxtx(void);

/** Whether the engine in use looks at checksums. */
bool fwd_counts_checksums(void);

/** The streams as they are, or as they were at the last stop. */
const struct streams *fwd_streams(void);

/** Add up the counters of the streams that receive from (@p rx) or send to a port. */
void fwd_sum_counters(uint16_t port, bool rx, struct fwd_counters *sum);

/** Set the counters of all streams to 0. */
void fwd_clear_counters(void);

#endif /* _FWD_H_ */
