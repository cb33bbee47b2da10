/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _FIELDS_H_
#define _FIELDS_H_

/**
 * @file
 * A report for programs: named values, some of them in groups, as a JSON object on one line or as
 * lines of a name, a tab and a value. There the names of groups precede it, with dots between.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct fields {
	FILE *out;
	bool tsv;
	const char *comma; /* to stand before the next member */
	char groups[64];   /* "a.b.": those that are open */
};

/** Begin a report. */
void fields_begin(struct fields *f, FILE *out, bool tsv);

/** Begin and end a group, inside another one perhaps. All names together have 63 bytes at most. */
void fields_open(struct fields *f, const char *name);
void fields_close(struct fields *f);

void fields_number(struct fields *f, const char *name, uint64_t n);

/** Seconds, with six decimals. */
void fields_seconds(struct fields *f, const char *name, double seconds);

/**
 * Any string. In JSON, bytes that are no UTF-8 come out as the code points of the same number, so
 * that the output is always JSON; between tabs, control characters and backslashes as \\xNN.
 */
void fields_string(struct fields *f, const char *name, const char *str);

/** End the report. */
void fields_end(struct fields *f);

#endif /* _FIELDS_H_ */
