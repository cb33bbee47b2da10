/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _COLOUR_H_
#define _COLOUR_H_

/**
 * @file
 * Colour for terminals.
 */

#include <stdint.h>
#include <stdio.h>

#include "report.h"

enum colour_when {
	COLOUR_AUTO, /**< on a terminal, unless NO_COLOR or TERM forbid it */
	COLOUR_ALWAYS,
	COLOUR_NEVER,
};

/** Decide for the whole process. Without it, there is none. */
void colour_init(enum colour_when when);

/** Print a verdict's name: bad ones red, partial ones yellow, good ones green. */
void colour_verdict(FILE *out, enum report_verdict verdict);

#endif /* _COLOUR_H_ */
