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
	char error[PCAP_ERRBUF_SIZE]; /* of the filter that was compiled last */
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

/* Returns 0, or -1 when the filter makes no sense for a link type; s->error says why. */
static int
compile(struct selection *s, int link_type)
{
	struct program *p = &s->program[s->nb_programs];
	pcap_t *link = pcap_open_dead(link_type, CAPTURE_MAX_CAPLEN);
	int ret;

	if (link == NULL || s->nb_programs == MAX_LINKS) {
		snprintf(s->error, sizeof(s->error), "out of memory");
		return -1;
	}
	ret = pcap_compile(link, &p->code, s->params->filter, 1, PCAP_NETMASK_UNKNOWN);
	snprintf(s->error, sizeof(s->error), "%s", pcap_geterr(link));
	pcap_close(link);
	if (ret != 0)
		return -1;
	p->link_type = link_type;
	s->nb_programs++;
	return 0;
}

static int
complain(const struct selection *s, int link_type)
{
	fprintf(stderr, "--filter: %s (link type %s)\n", s->error, capture_link_name(link_type));
	return -1;
}

static const struct bpf_program *
program_for(struct selection *s, int link_type)
{
	unsigned int i;

	for (i = 0; i < s->nb_programs; i++)
		if (s->program[i].link_type == link_type)
			return &s->program[i].code;
	return compile(s, link_type) == 0 ? &s->program[i].code : NULL;
}

int
selection_check(struct selection *s, const struct capture *capture)
{
	unsigned int i;

	if (s->params->filter == NULL)
		return 0;
	if (capture->link_type != CAPTURE_LINK_MIXED)
		return program_for(s, capture->link_type) != NULL ? 0 :
		       complain(s, capture->link_type);
	for (i = 0; capture_link_at(i) >= 0; i++)
		if (program_for(s, capture_link_at(i)) != NULL)
			return 0;
	return complain(s, capture_link_at(i - 1));
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
		return complain(s, rec->link_type);
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
