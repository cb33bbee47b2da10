/* SPDX-License-Identifier: BSD-3-Clause */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "items.h"

/* Parses one number up to a comma or the end. Returns what follows it, NULL on error. */
static const char *
parse_item(const char *text, const char *what, uint16_t *item)
{
	unsigned long value;
	char *end;

	if (*text == ',' || *text == '\0') {
		fprintf(stderr, "No valid value %s comma\n", *text == ',' ? "before" : "after");
		return NULL;
	}
	if (!isdigit((unsigned char)*text)) {
		fprintf(stderr, "character %c is not a decimal digit\n", *text);
		return NULL;
	}
	value = strtoul(text, &end, 10);
	if (*end != ',' && *end != '\0') {
		fprintf(stderr, "character %c is not a decimal digit\n", *end);
		return NULL;
	}
	if (value > UINT16_MAX) {
		fprintf(stderr, "%s %lu > %u (maximum value)\n", what, value, UINT16_MAX);
		return NULL;
	}
	*item = value;
	return end;
}

unsigned int
items_parse(const char *list, const char *what, uint16_t *items, unsigned int max)
{
	unsigned int nb = 0;

	for (;; list++) {
		if (nb == max) {
			fprintf(stderr, "Number of %s = %u > %u (maximum items)\n", what, nb + 1,
				max);
			return 0;
		}
		list = parse_item(list, what, &items[nb]);
		if (list == NULL)
			return 0;
		nb++;
		if (*list == '\0')
			return nb;
	}
}

unsigned int
items_parse_unique(const char *list, const char *what, uint16_t *items, unsigned int max)
{
	unsigned int nb = items_parse(list, what, items, max);
	unsigned int i, j;

	for (i = 0; i < nb; i++) {
		for (j = i + 1; j < nb; j++) {
			if (items[i] != items[j])
				continue;
			fprintf(stderr, "duplicated %s %u at index %u and %u\n", what, items[i],
				i, j);
			return 0;
		}
	}
	return nb;
}
