/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _COLOUR_H_
#define _COLOUR_H_

/**
 * @file
 * Colour for terminals.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report.h"

enum colour_when {
	COLOUR_AUTO, /**< on a terminal, unless the environment says otherwise */
	COLOUR_ALWAYS,
	COLOUR_NEVER,
};

/** Decide for the whole process. Without it, there is none. */
void colour_init(enum colour_when when);

/** Print a verdict's name: bad ones red, partial ones yellow, good ones green. */
void colour_verdict(FILE *out, enum report_verdict verdict);

/** Print how often there is a verdict, in its colour unless it is 0, at least @p width wide. */
void colour_count(FILE *out, enum report_verdict verdict, uint64_t n, int width);

/** Print "matters" in red or "harmless" in green. */
void colour_weight(FILE *out, bool matters);

#endif /* _COLOUR_H_ */
