/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csum_bench.h"

#define OFF_MAX 63

#define USAGE_EXIT 2

/* getopt's values: from 1 on, as 0 says that it knows no such option. */
enum id {
	ID_ALIGN = 1, ID_CPU, ID_GOALS, ID_HELP, ID_IMPL, ID_LEN, ID_MINIMUM, ID_OP, ID_PASSES,
	ID_PREFETCH, ID_QUICK, ID_RESIDENCY, ID_ROUNDS, ID_SEQUENTIAL, NB_IDS,
};

static const struct option names[] = {
	[ID_ALIGN] = { "align", required_argument, NULL, ID_ALIGN },
	[ID_CPU] = { "cpu", required_argument, NULL, ID_CPU },
	[ID_GOALS] = { "goals", no_argument, NULL, ID_GOALS },
	[ID_HELP] = { "help", no_argument, NULL, ID_HELP },
	[ID_IMPL] = { "impl", required_argument, NULL, ID_IMPL },
	[ID_LEN] = { "len", required_argument, NULL, ID_LEN },
	[ID_MINIMUM] = { "minimum", no_argument, NULL, ID_MINIMUM },
	[ID_OP] = { "op", required_argument, NULL, ID_OP },
	[ID_PASSES] = { "passes", required_argument, NULL, ID_PASSES },
	[ID_PREFETCH] = { "prefetch", required_argument, NULL, ID_PREFETCH },
	[ID_QUICK] = { "quick", no_argument, NULL, ID_QUICK },
	[ID_RESIDENCY] = { "residency", required_argument, NULL, ID_RESIDENCY },
	[ID_ROUNDS] = { "rounds", required_argument, NULL, ID_ROUNDS },
	[ID_SEQUENTIAL] = { "sequential", no_argument, NULL, ID_SEQUENTIAL },
	[NB_IDS] = { NULL, 0, NULL, 0 },
};

#define FIXED_LENS "8,14,20,40,64,128,256,512,1000,1368,1448,1500,2048,4096,9000,65535"
#define RANDOM_LENS "0-64,64-1500"
#define QUICK_LENS "20,40,64,256,1448,9000"
#define ALL_ALIGNS "0/0,1/0,0/1,2/14"

static const char help[] =
"usage: csum-bench [OPTION]...\n"
"\n"
"Measures the library's variants, glibc's memcpy() and DPDK's functions, all in turns on one\n"
"CPU, and prints a tab-separated line for each, under a line of names:\n"
"  op               sum or copy; a copy is fused with the sum unless the name says otherwise\n"
"  impl             a variant of the library; memcpy (glibc's); rte_memcpy/FLAGS,\n"
"                   rte_raw_cksum/FLAGS, rte_memcpy+rte_raw_cksum/FLAGS (a copy, then a sum of\n"
"                   what was written). FLAGS are those it was compiled with: native (-O3\n"
"                   -march=native); on x86 also corei7 (-O3 -march=corei7), corei7-O2\n"
"                   (-O2 -march=corei7)\n"
"  len              bytes; MIN-MAX: 16,384 random lengths\n"
"  src_off dst_off  bytes behind a cache line\n"
"  residency        where source and destination lie. L1: the same two buffers again and again\n"
"                   (above 16 KB they do not fit). L2: many that touch 256 KB in all; L3: 4 MB;\n"
"                   DRAM: 128 MB. +prefetch: see --prefetch\n"
"  ns               a call, median of the batches\n"
"  bytes_per_cycle  by the clock of the core, from a chain of additions timed in the same run\n"
"  vs_memcpy        ns / ns of memcpy at the same len, offsets and residency: less is better\n"
"  vs_dpdk          ns of DPDK's / ns: more is better. DPDK's is\n"
"                   rte_memcpy+rte_raw_cksum/native for copy, rte_raw_cksum/native for sum\n"
"\n"
"What to measure (lists are separated by commas; all by default):\n"
"  --op LIST         sum, copy\n"
"  --impl LIST       names as above; memcpy+VARIANT, a copy, then a sum, and ahead/N, the\n"
"                    library told to fetch N bytes ahead of the source, only if named\n"
"  --len LIST        N or MIN-MAX, up to 65535\n"
"                    (" FIXED_LENS ",\n"
"                    " RANDOM_LENS ")\n"
"  --align LIST      SRC/DST, 0 to 63 each (" ALL_ALIGNS ")\n"
"  --residency LIST  L1, L2, L3, DRAM\n"
"  --quick           short for --len " QUICK_LENS " --residency L1\n"
"  --prefetch N      prefetch the packet N calls ahead, source and destination, for each call\n"
"  --sequential      take packets in the order of their addresses, as from one large buffer\n"
"\n"
"How:\n"
"  --cpu N           run on this CPU (the one it is started on)\n"
"  --rounds N        batches of each, 1 to 301 (301; fewer where they are long)\n"
"  --minimum         one more column, min_ns: of the fastest batch\n"
"\n"
"In place of the table:\n"
"  --goals           print what the kernels have to reach, and whether they do: ratios of\n"
"                    neighbouring batches, offsets 2 and 14, the variant in use unless named;\n"
"                    with it only --residency, --cpu, --rounds and --passes\n"
"  --passes N        of all goals, of whose ratios the median counts, 1 to 31 (5)\n"
"  --help            print this\n";

/* Takes an item of a list. Returns NULL, or what is wrong with it. */
typedef const char *item_fn(struct options *options, const char *item);

static bool
number(const char *text, char end_at, unsigned long max, unsigned long *value, const char **rest)
{
	char *end;

	/* strtoul() takes signs and spaces too. */
	if (text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	*value = strtoul(text, &end, 10);
	if (rest != NULL)
		*rest = end + 1;
	return *end == end_at && errno == 0 && *value <= max;
}

static const char *
item_op(struct options *options, const char *item)
{
	if (strcmp(item, "sum") == 0)
		options->ops[OP_SUM] = true;
	else if (strcmp(item, "copy") == 0)
		options->ops[OP_COPY] = true;
	else
		return "neither sum nor copy";
	return NULL;
}

static const char *
item_residency(struct options *options, const char *item)
{
	unsigned int i;

	for (i = 0; i < NB_RESIDENCIES; i++) {
		if (strcmp(item, residency_names[i]) == 0) {
			options->residencies[i] = true;
			return NULL;
		}
	}
	return "none of L1 L2 L3 DRAM";
}

static const char *
item_len(struct options *options, const char *item)
{
	unsigned long min, max;
	const char *rest;
	bool one, range;

	one = number(item, '\0', UINT16_MAX, &min, NULL) && min > 0;
	if (one)
		max = min;
	range = !one && number(item, '-', UINT16_MAX, &min, &rest) &&
		number(rest, '\0', UINT16_MAX, &max, NULL) && min < max;
	if (!one && !range)
		return "not a length from 1 to 65535, nor a range MIN-MAX";
	if (options->nb_lens == DIM(options->lens))
		return "one too many";
	options->lens[options->nb_lens].min = (uint16_t)min;
	options->lens[options->nb_lens++].max = (uint16_t)max;
	return NULL;
}

static const char *
item_align(struct options *options, const char *item)
{
	unsigned long src, dst;
	const char *rest;

	if (!number(item, '/', OFF_MAX, &src, &rest) || !number(rest, '\0', OFF_MAX, &dst, NULL))
		return "not SRC/DST, 0 to 63 each";
	if (options->nb_aligns == DIM(options->aligns))
		return "one too many";
	options->aligns[options->nb_aligns].src = (uint8_t)src;
	options->aligns[options->nb_aligns++].dst = (uint8_t)dst;
	return NULL;
}

static bool
parse_list(const char *option, const char *list, item_fn *parse, struct options *options)
{
	char item[32];
	const char *next = list, *wrong;
	size_t len;

	for (; next != NULL; next = next[len] == ',' ? next + len + 1 : NULL) {
		len = strcspn(next, ",");
		/* What is cut off makes no item right: all are shorter. */
		snprintf(item, sizeof(item), "%.*s", (int)len, next);
		wrong = parse(options, item);
		if (wrong != NULL) {
			fprintf(stderr, "csum-bench: --%s: '%.*s' is %s\n", option, (int)len, next,
				wrong);
			return false;
		}
	}
	return true;
}

static bool
parse_number(const char *option, const char *text, unsigned long min, unsigned long max,
	     unsigned int *value)
{
	unsigned long parsed = 0;

	if (!number(text, '\0', max, &parsed, NULL) || parsed < min) {
		fprintf(stderr, "csum-bench: --%s: '%s' is not a number from %lu to %lu\n", option,
			text, min, max);
		return false;
	}
	*value = (unsigned int)parsed;
	return true;
}

static bool
parse_one(struct options *options, int id, const char *arg)
{
	const char *name = names[id].name;
	unsigned int cpu;

	switch (id) {
	case ID_ALIGN:
		return parse_list(name, arg, item_align, options);
	case ID_CPU:
		if (!parse_number(name, arg, 0, CPU_SETSIZE - 1, &cpu))
			return false;
		options->cpu = (int)cpu;
		return true;
	case ID_GOALS:
	case ID_MINIMUM:
	case ID_QUICK:
	case ID_SEQUENTIAL:
		return true;
	case ID_IMPL:
		options->impls = arg;
		return true;
	case ID_LEN:
		return parse_list(name, arg, item_len, options);
	case ID_OP:
		return parse_list(name, arg, item_op, options);
	case ID_PASSES:
		return parse_number(name, arg, 1, PASSES_MAX, &options->passes);
	case ID_PREFETCH:
		return parse_number(name, arg, 1, 64, &options->ahead);
	case ID_RESIDENCY:
		return parse_list(name, arg, item_residency, options);
	default:
		return parse_number(name, arg, 1, ROUNDS_MAX, &options->rounds);
	}
}

/* Options that would have no effect beside another are mistakes. */
static bool
check_given(const bool *given)
{
	static const int not_goals[] = {
		ID_ALIGN, ID_IMPL, ID_LEN, ID_MINIMUM, ID_OP, ID_PREFETCH, ID_QUICK,
		ID_SEQUENTIAL,
	};
	unsigned int i;

	for (i = 0; given[ID_GOALS] && i < DIM(not_goals); i++)
		if (given[not_goals[i]]) {
			fprintf(stderr, "csum-bench: --%s cannot be used with --goals\n",
				names[not_goals[i]].name);
			return false;
		}
	if (given[ID_PASSES] && !given[ID_GOALS]) {
		fprintf(stderr, "csum-bench: --passes needs --goals\n");
		return false;
	}
	if (given[ID_QUICK] && (given[ID_LEN] || given[ID_RESIDENCY])) {
		fprintf(stderr, "csum-bench: --%s cannot be used with --quick\n",
			given[ID_LEN] ? "len" : "residency");
		return false;
	}
	return true;
}

static void
settle(struct options *options, const bool *given)
{
	options->goals = given[ID_GOALS];
	options->minimum = given[ID_MINIMUM];
	options->sequential = given[ID_SEQUENTIAL];
	if (!given[ID_OP])
		parse_list("op", "sum,copy", item_op, options);
	if (!given[ID_RESIDENCY])
		parse_list("residency", given[ID_QUICK] ? "L1" : "L1,L2,L3,DRAM", item_residency,
			   options);
	if (!given[ID_LEN])
		parse_list("len", given[ID_QUICK] ? QUICK_LENS : FIXED_LENS "," RANDOM_LENS,
			   item_len, options);
	if (!given[ID_ALIGN])
		parse_list("align", ALL_ALIGNS, item_align, options);
}

/* What getopt_long() did not understand, in the words of the other messages. */
static void
complain(int id, const char *last)
{
	if (id == ':')
		fprintf(stderr, "csum-bench: %s needs an argument\n", last);
	else if (optopt >= NB_IDS)
		fprintf(stderr, "csum-bench: unknown option '-%c'\n", optopt);
	else if (optopt != 0)
		fprintf(stderr, "csum-bench: %s takes no argument\n", last);
	else
		fprintf(stderr, "csum-bench: unknown option '%s'\n", last);
}

bool
options_parse(int argc, char **argv, struct options *options, int *status)
{
	bool given[NB_IDS] = { false };
	int id;

	*options = (struct options){ .cpu = -1, .rounds = ROUNDS_MAX, .passes = 5 };
	*status = USAGE_EXIT;
	while ((id = getopt_long(argc, argv, ":", &names[1], NULL)) != -1) {
		if (id == '?' || id == ':') {
			complain(id, argv[optind - 1]);
			return false;
		}
		if (id == ID_HELP) {
			fputs(help, stdout);
			*status = 0;
			return false;
		}
		if (given[id]) {
			fprintf(stderr, "csum-bench: --%s is given twice\n", names[id].name);
			return false;
		}
		given[id] = true;
		if (!parse_one(options, id, optarg))
			return false;
	}
	if (optind < argc) {
		fprintf(stderr, "csum-bench: unexpected argument '%s'\n", argv[optind]);
		return false;
	}
	if (!check_given(given))
		return false;
	settle(options, given);
	return true;
}

bool
list_has(const char *list, const char *name)
{
	const char *next = list;
	size_t len;

	if (list == NULL)
		return true;
	for (; next != NULL; next = next[len] == ',' ? next + len + 1 : NULL) {
		len = strcspn(next, ",");
		if (len == strlen(name) && strncmp(next, name, len) == 0)
			return true;
	}
	return false;
}
