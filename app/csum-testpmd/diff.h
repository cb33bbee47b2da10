/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _DIFF_H_
#define _DIFF_H_

/**
 * @file
 * Two captures of the same packets compared, before and after a host, a tool or a replay.
 */

#include <stdbool.h>

struct diff_params {
	const char *file;  /**< the packets as they were */
	const char *other; /**< and as they came to be */
	bool quiet;        /**< nothing but messages */
};

/**
 * Compare and print what differs, and whether it matters. Needs no EAL.
 *
 * @return
 *   The exit status: 0 nothing that matters differs, 1 something does, 2 a capture could not be
 *   read whole.
 */
int diff_run(const struct diff_params *params);

#endif /* _DIFF_H_ */
