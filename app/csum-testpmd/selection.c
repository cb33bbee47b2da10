/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "selection.h"

#define MAX_RANGES 64
#define MAX_LINKS  16 /* more than there are supported link types */

struct range {
	uint64_t from;
	uint64_t to;
};

struct program {
	int link_type;
	struct bpf_program code;
};

struct selection {
	const struct selection_params *params;
	struct range range[MAX_RANGES];
	unsigned int nb_ranges; /* 0: all packets */
	uint64_t last;
	struct program program[MAX_LINKS];
	unsigned int nb_programs;
};

/* A packet's number, which moves `text` on; 0 if there is none. */
static uint64_t
parse_number(const char **text)
{
	char *end;
	uint64_t n;

	if (**text < '0' || **text > '9')
		return 0;
	errno = 0;
	n = strtoull(*text, &end, 10);
	*text = end;
	return errno == 0 ? n : 0;
}

/* N, N-M or N-, with what follows it in `text`. */
static int
parse_range(const char **text, struct range *range)
{
	range->from = parse_number(text);
	range->to = range->from;
	if (**text == '-') {
		(*text)++;
		range->to = **text == ',' || **text == '\0' ? UINT64_MAX : parse_number(text);
	}
	return range->from == 0 || range->to < range->from ? -EINVAL : 0;
}

static int
parse_ranges(struct selection *s, const char *text)
{
	do {
		struct range *range = &s->range[s->nb_ranges];

		if (s->nb_ranges == MAX_RANGES || parse_range(&text, range) != 0)
			return -EINVAL;
		s->last = RTE_MAX(s->last, range->to);
		s->nb_ranges++;
	} while (*text++ == ',');
	return text[-1] == '\0' ? 0 : -EINVAL;
}

struct selection *
selection_open(const struct selection_params *params)
{
	struct selection *s = calloc(1, sizeof(*s));

	if (s == NULL) {
		fprintf(stderr, "out of memory\n");
		return NULL;
	}
	s->params = params;
	if (params->packets == NULL) {
		s->last = UINT64_MAX;
	} else if (parse_ranges(s, params->packets) != 0) {
		fprintf(stderr, "--packets: '%s' is not like 1-5,9,100- (%u ranges at most)\n",
			params->packets, MAX_RANGES);
		free(s);
		return NULL;
	}
	return s;
}

static const struct bpf_program *
program_for(struct selection *s, int link_type)
{
	struct program *p = s->program;
	unsigned int i;
	pcap_t *link;
	int ret;

	for (i = 0; i < s->nb_programs; i++, p++)
		if (p->link_type == link_type)
			return &p->code;
	link = pcap_open_dead(link_type, CAPTURE_MAX_CAPLEN);
	if (link == NULL || s->nb_programs == MAX_LINKS)
		return NULL;
	ret = pcap_compile(link, &p->code, s->params->filter, 1, PCAP_NETMASK_UNKNOWN);
	if (ret != 0)
		fprintf(stderr, "--filter: %s (link type %s)\n", pcap_geterr(link),
			capture_link_name(link_type));
	pcap_close(link);
	if (ret != 0)
		return NULL;
	p->link_type = link_type;
	s->nb_programs++;
	return &p->code;
}

bool
selection_has(const struct selection *s, uint64_t frame)
{
	unsigned int i;

	for (i = 0; i < s->nb_ranges; i++)
		if (frame >= s->range[i].from && frame <= s->range[i].to)
			return true;
	return s->nb_ranges == 0;
}

int
selection_wants(struct selection *s, const struct capture_record *rec)
{
	const struct pcap_pkthdr hdr = { .caplen = rec->caplen, .len = rec->len };
	const struct bpf_program *program;

	if (!selection_has(s, rec->frame))
		return 0;
	if (s->params->filter == NULL)
		return 1;
	program = program_for(s, rec->link_type);
	if (program == NULL)
		return -1;
	return pcap_offline_filter(program, &hdr, rec->data) != 0;
}

bool
selection_is_over(const struct selection *s, uint64_t frame)
{
	return frame > s->last;
}

void
selection_close(struct selection *s)
{
	unsigned int i;

	if (s == NULL)
		return;
	for (i = 0; i < s->nb_programs; i++)
		pcap_freecode(&s->program[i].code);
	free(s);
}
