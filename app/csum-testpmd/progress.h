/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PROGRESS_H_
#define _PROGRESS_H_

/**
 * @file
 * A line that shows how far long work is, on standard error where that is a terminal.
 */

#include <stdbool.h>
#include <stdint.h>

#include "capture.h"

struct progress {
	bool shown;         /* there is a line to remove */
	bool wanted;
	unsigned int calls;
	double start;       /* seconds */
	double last;
};

/** Begin; with @p quiet or without a terminal, nothing is ever shown. */
void progress_begin(struct progress *p, bool quiet);

/** To be called for every packet; cheap. */
void progress_tell(struct progress *p, const struct capture *capture);

/** Remove the line. To be called before anything else is printed there, and at the end. */
void progress_clear(struct progress *p);

#endif /* _PROGRESS_H_ */
