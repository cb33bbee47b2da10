/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _OPTIONS_H_
#define _OPTIONS_H_

/**
 * @file
 * Command-line options described by a table: parsing, checking, help.
 */

#include <stddef.h>
#include <stdint.h>

enum option_kind {
	OPTION_FLAG,   /**< bool */
	OPTION_STRING, /**< const char * */
	OPTION_NUMBER, /**< uint32_t within [min, max] */
	OPTION_MASK,   /**< uint64_t, hexadecimal with 0x or without */
	OPTION_FACTOR, /**< double above 0 */
	OPTION_CHOICE, /**< uint32_t, index of a word */
	OPTION_LIST,   /**< struct option_list; the only kind that may be given twice */
};

#define OPTION_LIST_MAX 32

struct option_list {
	const char *str[OPTION_LIST_MAX];
	uint32_t nb;
};

/** One option: its syntax, its meaning, and where its value goes. */
struct option_spec {
	const char *name;
	const char *arg;          /**< its argument's name in the help; NULL: takes none */
	const char *help;         /**< NULL: not shown, for command lines of other programs */
	const char *const *words; /**< OPTION_CHOICE: the words, NULL behind the last */
	size_t place;             /**< offset in the caller's structure */
	uint32_t min;
	uint32_t max;
	uint8_t kind;             /**< enum option_kind */
	uint8_t jobs;             /**< bit mask: what it may be used for */
	char letter;              /**< short form; 0: none */
};

/** Most options in a table. */
#define OPTIONS_MAX 96

/** The options of a command line, in the order given. */
struct options_given {
	const struct option_spec *spec[OPTIONS_MAX];
	unsigned int nb;
};

/**
 * Parse a command line.
 *
 * @param specs, nb_specs
 *   The options there are, OPTIONS_MAX at most.
 * @param argc, argv
 *   As main() has them. Reordered by getopt_long(); strings stored are these.
 * @param values
 *   The structure that the specs' places lie in.
 * @param given
 *   Set to what was given.
 * @return
 *   0, or -EINVAL when the reason, which names the option, has been printed to stderr.
 */
int options_parse(const struct option_spec *specs, unsigned int nb_specs, int argc, char **argv,
		  void *values, struct options_given *given);

/**
 * Find what all the options given may be used for together.
 *
 * @return
 *   The common part of their jobs, or 0 when there is none and the two options that exclude each
 *   other have been printed to stderr.
 */
uint8_t options_common_jobs(const struct options_given *given);

/** Print the options whose jobs are exactly these, one a line. */
void options_print(const struct option_spec *specs, unsigned int nb_specs, uint8_t jobs);

#endif /* _OPTIONS_H_ */
