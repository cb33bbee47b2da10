/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _LOOP_H_
#define _LOOP_H_

/**
 * @file
 * One thread that serves both directions and the protocol's timers, and sleeps when there is
 * nothing to do.
 */

#include <signal.h>

#include "inside.h"
#include "outside.h"
#include "port.h"

struct loop {
	struct inside *inside;
	const struct outside *outside;
	const struct port *port;
	unsigned int clock_rate;     /**< the protocol's time goes so many times as fast */
	volatile sig_atomic_t *stop; /**< set by a signal */
	volatile sig_atomic_t *report; /**< the same; reset when the counters have been printed */
};

/** The protocol's time. */
struct wg_now loop_now(unsigned int clock_rate);

/** Run until *stop. */
void loop_run(const struct loop *loop);

#endif /* _LOOP_H_ */
