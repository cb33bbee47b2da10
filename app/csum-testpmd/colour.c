/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "colour.h"

static bool enabled;

static bool
terminal_wants_it(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && (no == NULL || no[0] == '\0') && term != NULL &&
	       strcmp(term, "dumb") != 0;
}

void
colour_init(enum colour_when when)
{
	enabled = when == COLOUR_ALWAYS || (when == COLOUR_AUTO && terminal_wants_it());
}

/* ECMA-48's SGR parameter: a foreground colour. */
static unsigned int
foreground(enum report_verdict verdict)
{
	switch (verdict) {
	case REPORT_GOOD:
		return 32;
	case REPORT_BAD:
		return 31;
	case REPORT_PARTIAL:
		return 33;
	default:
		return 39;
	}
}

void
colour_verdict(FILE *out, enum report_verdict verdict)
{
	const char *name = report_verdict_name(verdict);

	if (enabled)
		fprintf(out, "\033[%um%s\033[0m", foreground(verdict), name);
	else
		fputs(name, out);
}
