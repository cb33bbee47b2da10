/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _INPUT_H_
#define _INPUT_H_

#include <stdbool.h>

/** Why input_wait() has come back. */
enum input_event {
	INPUT_READY,  /**< standard input can be read, its end perhaps */
	INPUT_SIGNAL, /**< Ctrl-C or a request to terminate: now or before */
	INPUT_TIMEOUT,
};

/**
 * From now on Ctrl-C and SIGTERM end waits instead of the process.
 *
 * @return
 *   0 or a negative errno.
 */
int input_init(void);

/**
 * Wait for something to do.
 *
 * @param input
 *   Whether standard input counts.
 * @param seconds
 *   At most so long; negative: for ever.
 */
enum input_event input_wait(bool input, int seconds);

#endif /* _INPUT_H_ */
