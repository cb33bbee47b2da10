/* SPDX-License-Identifier: BSD-3-Clause */

#include <inttypes.h>
#include <string.h>

#include "fields.h"

void
fields_begin(struct fields *f, FILE *out, bool tsv)
{
	*f = (struct fields){ .out = out, .tsv = tsv, .comma = "" };
	fputs(tsv ? "field\tvalue\n" : "{", out);
}

void
fields_end(struct fields *f)
{
	if (!f->tsv)
		fputs("}\n", f->out);
}

/* What precedes a value. */
static void
put_name(struct fields *f, const char *name)
{
	if (f->tsv)
		fprintf(f->out, "%s%s\t", f->groups, name);
	else
		fprintf(f->out, "%s\"%s\":", f->comma, name);
	f->comma = ",";
}

/* What follows one. */
static void
put_end(struct fields *f)
{
	if (f->tsv)
		fputc('\n', f->out);
}

void
fields_open(struct fields *f, const char *name)
{
	size_t len = strlen(f->groups);

	if (!f->tsv)
		fprintf(f->out, "%s\"%s\":{", f->comma, name);
	f->comma = "";
	snprintf(f->groups + len, sizeof(f->groups) - len, "%s.", name);
}

void
fields_close(struct fields *f)
{
	char *last;

	if (!f->tsv)
		fputc('}', f->out);
	f->comma = ",";
	f->groups[strlen(f->groups) - 1] = '\0';
	last = strrchr(f->groups, '.');
	*(last != NULL ? last + 1 : f->groups) = '\0';
}

void
fields_number(struct fields *f, const char *name, uint64_t n)
{
	put_name(f, name);
	fprintf(f->out, "%" PRIu64, n);
	put_end(f);
}

void
fields_seconds(struct fields *f, const char *name, double seconds)
{
	put_name(f, name);
	fprintf(f->out, "%.6f", seconds);
	put_end(f);
}

/* Bytes of the UTF-8 character at a place (RFC 3629 section 4); 0 if it is none. */
static unsigned int
utf8_len(const unsigned char *s)
{
	unsigned int len = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 :
			   s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
	unsigned int i;

	for (i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* Longer than need be, a surrogate, or beyond the last code point. */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

static void
put_json_string(FILE *out, const unsigned char *s)
{
	fputc('"', out);
	while (*s != '\0') {
		unsigned int len = utf8_len(s);

		if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if (*s < 0x20 || *s == 0x7f || len == 0)
			fprintf(out, "\\u%04x", *s);
		else
			fwrite(s, 1, len, out);
		s += len != 0 ? len : 1;
	}
	fputc('"', out);
}

static void
put_tsv_string(FILE *out, const unsigned char *s)
{
	for (; *s != '\0'; s++) {
		if (*s < 0x20 || *s == 0x7f || *s == '\\')
			fprintf(out, "\\x%02x", *s);
		else
			fputc(*s, out);
	}
}

void
fields_string(struct fields *f, const char *name, const char *str)
{
	put_name(f, name);
	if (f->tsv)
		put_tsv_string(f->out, (const unsigned char *)str);
	else
		put_json_string(f->out, (const unsigned char *)str);
	put_end(f);
}
