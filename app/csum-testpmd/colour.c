/* SPDX-License-Identifier: BSD-3-Clause */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "colour.h"

static bool enabled;

/* What the environment says (no-color.org, bixense.com/clicolors), else whether a terminal can. */
static bool
environment_wants_it(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
	const char *cli = getenv("CLICOLOR"), *force = getenv("CLICOLOR_FORCE");

	if (no != NULL && no[0] != '\0')
		return false;
	if (force != NULL && force[0] != '\0' && strcmp(force, "0") != 0)
		return true;
	if (cli != NULL && strcmp(cli, "0") == 0)
		return false;
	return isatty(STDOUT_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
}

void
colour_init(enum colour_when when)
{
	enabled = when == COLOUR_ALWAYS || (when == COLOUR_AUTO && environment_wants_it());
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

static void
put(FILE *out, enum report_verdict verdict, const char *text)
{
	if (enabled)
		fprintf(out, "\033[%um%s\033[0m", foreground(verdict), text);
	else
		fputs(text, out);
}

void
colour_verdict(FILE *out, enum report_verdict verdict)
{
	put(out, verdict, report_verdict_name(verdict));
}

void
colour_count(FILE *out, enum report_verdict verdict, uint64_t n, int width)
{
	char text[32];

	snprintf(text, sizeof(text), "%*" PRIu64, width, n);
	if (n == 0)
		fputs(text, out);
	else
		put(out, verdict, text);
}

void
colour_weight(FILE *out, bool matters)
{
	put(out, matters ? REPORT_BAD : REPORT_GOOD, matters ? "matters" : "harmless");
}
