/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _VALIDATE_H_
#define _VALIDATE_H_

#include <stdbool.h>
#include <stdint.h>

#include "report.h"
#include "selection.h"

/** What --validate was asked to do. */
struct validate_params {
	const char *file; /**< capture to judge */
	bool per_packet;  /**< one line a packet instead of the summary table */
	enum report_format format; /**< of the summary */
	bool quiet;       /**< no table and no progress */
	struct selection_params selection;
	const char *other; /**< capture to compare with; NULL: judge */
	uint32_t explain; /**< number of the only packet to show; 0: judge all */
};

/**
 * Judge every checksum of a capture and print the verdicts. Needs no EAL.
 *
 * @return
 *   The exit status: 0 nothing is bad or partial, 1 something is, 2 the capture could not be
 *   read whole.
 */
int validate_run(const struct validate_params *params);

#endif /* _VALIDATE_H_ */
