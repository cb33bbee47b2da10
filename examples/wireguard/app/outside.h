/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _OUTSIDE_H_
#define _OUTSIDE_H_

/**
 * @file
 * From outside to inside: datagrams of the port are opened where they lie, and what was in them
 * goes to the TUN device.
 */

#include "wg.h"
#include "counters.h"
#include "inside.h"
#include "outer.h"
#include "tun.h"

struct outside {
	struct wg_device *dev;
	struct tun *tun;
	struct outer *outer;
	struct inside *inside; /**< has what waits for sessions */
	struct counters *counters;
	bool coalesce;         /**< TCP segments to super-packets */
};

/** Carry some packets. Returns 0 if there was nothing to do. */
unsigned int outside_run(const struct outside *out, const struct wg_now *now);

#endif /* _OUTSIDE_H_ */
