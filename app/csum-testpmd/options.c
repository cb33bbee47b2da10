/* SPDX-License-Identifier: BSD-3-Clause */

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "options.h"

/* getopt's value of a long option is its index above this; below are letters. */
#define LONG_BASE 256

static int
store_number(const struct option_spec *spec, const char *arg, uint32_t *value)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(arg, &end, 10);
	/* strtoul() takes signs and spaces too, and stops at what it does not know. */
	if (arg[0] < '0' || arg[0] > '9' || *end != '\0' || errno != 0 || n < spec->min ||
	    n > spec->max) {
		fprintf(stderr, "--%s: '%s' is not a number from %u to %u\n", spec->name, arg,
			spec->min, spec->max);
		return -EINVAL;
	}
	*value = (uint32_t)n;
	return 0;
}

static int
store_mask(const struct option_spec *spec, const char *arg, uint64_t *value)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(arg, &end, 16);
	/* strtoull() takes signs and spaces too. */
	if (!isxdigit((unsigned char)arg[0]) || *end != '\0' || errno != 0) {
		fprintf(stderr, "--%s: '%s' is not a hexadecimal mask of 64 bits\n", spec->name,
			arg);
		return -EINVAL;
	}
	*value = n;
	return 0;
}

static int
store_factor(const struct option_spec *spec, const char *arg, double *value)
{
	char *end;
	double x = strtod(arg, &end);

	/* strtod() takes signs, spaces, words, powers and hexadecimal numbers too. */
	if (arg[strspn(arg, "0123456789.")] != '\0' || *end != '\0' || !(x >= 1e-6 && x <= 1e6)) {
		fprintf(stderr, "--%s: '%s' is not a number from 0.000001 to 1000000\n",
			spec->name, arg);
		return -EINVAL;
	}
	*value = x;
	return 0;
}

static int
store_choice(const struct option_spec *spec, const char *arg, uint32_t *value)
{
	uint32_t i;

	for (i = 0; spec->words[i] != NULL; i++) {
		if (strcmp(arg, spec->words[i]) == 0) {
			*value = i;
			return 0;
		}
	}
	fprintf(stderr, "--%s: '%s' is none of:", spec->name, arg);
	for (i = 0; spec->words[i] != NULL; i++)
		fprintf(stderr, " %s", spec->words[i]);
	fprintf(stderr, "\n");
	return -EINVAL;
}

static int
store_in_list(const struct option_spec *spec, const char *arg, struct option_list *list)
{
	if (list->nb == OPTION_LIST_MAX) {
		fprintf(stderr, "--%s: given more than %u times\n", spec->name, OPTION_LIST_MAX);
		return -EINVAL;
	}
	list->str[list->nb++] = arg;
	return 0;
}

static int
store(const struct option_spec *spec, const char *arg, void *values)
{
	void *place = RTE_PTR_ADD(values, spec->place);

	switch ((enum option_kind)spec->kind) {
	case OPTION_FLAG:
		*(bool *)place = true;
		return 0;
	case OPTION_STRING:
		*(const char **)place = arg;
		return 0;
	case OPTION_NUMBER:
		return store_number(spec, arg, place);
	case OPTION_MASK:
		return store_mask(spec, arg, place);
	case OPTION_FACTOR:
		return store_factor(spec, arg, place);
	case OPTION_CHOICE:
		return store_choice(spec, arg, place);
	case OPTION_LIST:
		return store_in_list(spec, arg, place);
	}
	return -EINVAL;
}

static void
make_getopt_tables(const struct option_spec *specs, unsigned int nb_specs, struct option *longs,
		   char *shorts)
{
	unsigned int i;

	/* The leading ':' tells a missing argument from an unknown option. */
	*shorts++ = ':';
	for (i = 0; i < nb_specs; i++) {
		longs[i] = (struct option){
			.name = specs[i].name,
			.has_arg = specs[i].arg != NULL ? required_argument : no_argument,
			.val = LONG_BASE + (int)i,
		};
		if (specs[i].letter != 0)
			*shorts++ = specs[i].letter;
	}
	longs[nb_specs] = (struct option){ 0 };
	*shorts = '\0';
}

static const struct option_spec *
find_spec(const struct option_spec *specs, unsigned int nb_specs, int val)
{
	unsigned int i;

	if (val >= LONG_BASE)
		return &specs[val - LONG_BASE];
	for (i = 0; i < nb_specs; i++) {
		if (specs[i].letter == val)
			return &specs[i];
	}
	return NULL;
}

/* Says what getopt did not like; optind and optopt are as it left them. */
static void
complain(int val, const char *word)
{
	if (val == ':')
		fprintf(stderr, "%s needs an argument\n", word);
	else if (optopt >= LONG_BASE)
		fprintf(stderr, "%s takes no argument\n", word);
	else if (optopt != 0)
		fprintf(stderr, "unknown option '-%c'\n", optopt);
	else
		fprintf(stderr, "unknown option '%s'\n", word);
}

static int
remember(struct options_given *given, const struct option_spec *spec)
{
	unsigned int i;

	for (i = 0; i < given->nb; i++) {
		if (given->spec[i] != spec)
			continue;
		if (spec->kind == OPTION_LIST)
			return 0;
		fprintf(stderr, "--%s is given twice\n", spec->name);
		return -EINVAL;
	}
	given->spec[given->nb++] = spec;
	return 0;
}

/* The loop over getopt_long(); leaves optind at what is no option. */
static int
parse_options(const struct option_spec *specs, unsigned int nb_specs, int argc, char **argv,
	      void *values, struct options_given *given)
{
	struct option longs[OPTIONS_MAX + 1];
	char shorts[OPTIONS_MAX + 2];
	const struct option_spec *spec;
	int val;

	make_getopt_tables(specs, nb_specs, longs, shorts);
	while ((val = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		spec = find_spec(specs, nb_specs, val);
		if (spec == NULL) {
			complain(val, argv[optind - 1]);
			return -EINVAL;
		}
		if (remember(given, spec) != 0 || store(spec, optarg, values) != 0)
			return -EINVAL;
	}
	return 0;
}

int
options_parse(const struct option_spec *specs, unsigned int nb_specs, int argc, char **argv,
	      void *values, struct options_given *given)
{
	int ret;

	given->nb = 0;
	/* We say what is wrong; whoever else uses getopt, the EAL for one, says it himself. */
	opterr = 0;
	ret = parse_options(specs, nb_specs, argc, argv, values, given);
	opterr = 1;
	if (ret == 0 && optind < argc) {
		fprintf(stderr, "unexpected argument '%s'\n", argv[optind]);
		ret = -EINVAL;
	}
	return ret;
}

uint8_t
options_common_jobs(const struct options_given *given)
{
	const struct option_spec *narrowest = NULL;
	uint8_t jobs = UINT8_MAX;
	unsigned int i;

	for (i = 0; i < given->nb; i++) {
		const struct option_spec *spec = given->spec[i];

		if ((jobs & spec->jobs) == 0) {
			fprintf(stderr, "--%s cannot be used with --%s\n", spec->name,
				narrowest->name);
			return 0;
		}
		if ((jobs & spec->jobs) != jobs) {
			narrowest = spec;
			jobs &= spec->jobs;
		}
	}
	return jobs;
}

void
options_print(const struct option_spec *specs, unsigned int nb_specs, uint8_t jobs)
{
	unsigned int i;
	char left[40];

	for (i = 0; i < nb_specs; i++) {
		const struct option_spec *spec = &specs[i];

		if (spec->jobs != jobs || spec->help == NULL)
			continue;
		snprintf(left, sizeof(left), "--%s%s%s", spec->name, spec->arg != NULL ? " " : "",
			 spec->arg != NULL ? spec->arg : "");
		if (spec->letter != 0)
			printf("  -%c, %-23s %s\n", spec->letter, left, spec->help);
		else
			printf("      %-23s %s\n", left, spec->help);
	}
}
