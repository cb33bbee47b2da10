/* SPDX-License-Identifier: BSD-3-Clause */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_common.h>
#include <rte_mbuf.h>

#include <csum_pkt.h>

#include "capture.h"
#include "report.h"
#include "validate.h"

#define EXIT_CLEAN      0
#define EXIT_NOT_CLEAN  1
#define EXIT_UNREADABLE 2

/* A record's bytes in segments: data_len has 16 bits. */
#define SEG_MAX         UINT16_MAX
#define NB_SEGS         ((CAPTURE_MAX_CAPLEN + SEG_MAX - 1) / SEG_MAX)

/* A line has a number of 20 digits, and at most "truncated," for each layer. */
#define LINE_MAX_LEN    (20 + REPORT_NB_COLUMNS * 2 + CSUM_PKT_MAX_LAYERS * 10 + 2)

#define OUT_BUFFER_LEN  (256 * 1024)

struct validation {
	const struct validate_params *params;
	struct rte_mbuf seg[NB_SEGS];
	struct report_layers layers;
	uint64_t packets;
	uint64_t super_packets;
	uint64_t first_fault; /* frame; 0: none yet */
};

/* Verdicts of one packet, by protocol, outermost layer first. */
struct packet_verdicts {
	uint8_t count[REPORT_NB_COLUMNS];
	uint8_t list[REPORT_NB_COLUMNS][CSUM_PKT_MAX_LAYERS];
};

static const uint8_t verdicts[] = {
	[CSUM_VERDICT_GOOD] = REPORT_GOOD,
	[CSUM_VERDICT_BAD] = REPORT_BAD,
	[CSUM_VERDICT_PARTIAL] = REPORT_PARTIAL,
	[CSUM_VERDICT_ZERO] = REPORT_ZERO,
	[CSUM_VERDICT_FRAGMENT] = REPORT_FRAGMENT,
	[CSUM_VERDICT_TRUNCATED] = REPORT_TRUNCATED,
};

/* Lay a chain of mbufs over a record. pkt_len is the frame's, so that what was cut is missing. */
static const struct rte_mbuf *
record_to_mbuf(struct validation *v, const struct capture_record *rec)
{
	uint32_t off = 0;
	unsigned int i;

	for (i = 0; i == 0 || off < rec->caplen; i++) {
		struct rte_mbuf *seg = &v->seg[i];

		/* Nothing is written through it. */
		seg->buf_addr = (void *)((uintptr_t)rec->data + off);
		seg->data_off = 0;
		seg->data_len = (uint16_t)RTE_MIN(rec->caplen - off, (uint32_t)SEG_MAX);
		seg->next = NULL;
		if (i > 0)
			v->seg[i - 1].next = seg;
		off += seg->data_len;
	}
	v->seg[0].pkt_len = rec->len;
	v->seg[0].nb_segs = (uint16_t)i;
	return &v->seg[0];
}

static void
judge(const struct rte_mbuf *m, const struct csum_pkt *pkt, struct packet_verdicts *found)
{
	unsigned int i;

	memset(found->count, 0, sizeof(found->count));
	for (i = 0; i < pkt->nb_layers; i++) {
		enum report_column column = report_column_of(pkt->layer[i].type);
		enum csum_verdict verdict;

		if (column == REPORT_NB_COLUMNS)
			continue;
		verdict = csum_pkt_verify(m, pkt, i);
		if (verdict != CSUM_VERDICT_NONE)
			found->list[column][found->count[column]++] = verdicts[verdict];
	}
}

static void
count(struct validation *v, const struct packet_verdicts *found, uint64_t frame)
{
	unsigned int i, j;

	for (i = 0; i < REPORT_NB_COLUMNS; i++) {
		for (j = 0; j < found->count[i]; j++) {
			uint8_t verdict = found->list[i][j];

			v->layers.count[i][verdict]++;
			if (v->first_fault == 0 &&
			    (verdict == REPORT_BAD || verdict == REPORT_PARTIAL))
				v->first_fault = frame;
		}
	}
}

static void
print_packet_header(void)
{
	unsigned int i;

	fputs("frame", stdout);
	for (i = 0; i < REPORT_NB_COLUMNS; i++)
		printf("\t%s", report_column_name(i));
	putchar('\n');
}

static void
print_packet(const struct packet_verdicts *found, uint64_t frame)
{
	char line[LINE_MAX_LEN], *end = line;
	unsigned int i, j;

	end += sprintf(end, "%" PRIu64, frame);
	for (i = 0; i < REPORT_NB_COLUMNS; i++) {
		*end++ = '\t';
		if (found->count[i] == 0)
			*end++ = '-';
		for (j = 0; j < found->count[i]; j++) {
			if (j > 0)
				*end++ = ',';
			end = stpcpy(end, report_verdict_name(found->list[i][j]));
		}
	}
	*end++ = '\n';
	fwrite(line, 1, end - line, stdout);
}

static void
judge_record(struct validation *v, const struct capture_record *rec)
{
	const struct rte_mbuf *m = record_to_mbuf(v, rec);
	struct packet_verdicts found;
	struct capture_start start;
	struct csum_pkt pkt;

	capture_start_of(rec, &start);
	csum_pkt_parse(m, start.off, start.link, start.ether_type, &pkt);
	judge(m, &pkt, &found);
	count(v, &found, rec->frame);
	v->packets++;
	if (pkt.flags & CSUM_PKT_F_SUPER)
		v->super_packets++;
	if (v->params->per_packet)
		print_packet(&found, rec->frame);
}

static bool
is_clean(const struct validation *v)
{
	return report_total(&v->layers, REPORT_BAD) == 0 &&
	       report_total(&v->layers, REPORT_PARTIAL) == 0;
}

static void
print_table(const struct validation *v)
{
	printf("%s: ", v->params->file);
	report_plural(stdout, v->packets, "packet");
	fputs(", ", stdout);
	report_plural(stdout, v->super_packets, "super-packet");
	fputs("\n\n", stdout);
	report_layers_table(stdout, &v->layers);

	if (!is_clean(v))
		printf("\nNot clean: %" PRIu64 " bad, %" PRIu64 " partial, "
		       "the first in packet %" PRIu64 ".\n",
		       report_total(&v->layers, REPORT_BAD),
		       report_total(&v->layers, REPORT_PARTIAL), v->first_fault);
}

static void
print_json(const struct validation *v)
{
	fputs("{\"file\":", stdout);
	report_string_json(stdout, v->params->file);
	printf(",\"packets\":%" PRIu64 ",\"super_packets\":%" PRIu64 ",\"layers\":", v->packets,
	       v->super_packets);
	report_layers_json(stdout, &v->layers);
	fputs("}\n", stdout);
}

/* The lines of --per-packet are for programs, so that no table follows them. */
static void
print_summary(const struct validation *v)
{
	if (v->params->json)
		print_json(v);
	else if (!v->params->per_packet)
		print_table(v);
}

static int
judge_capture(struct validation *v)
{
	struct capture_record rec;
	struct capture capture;
	int rc;

	rc = capture_open(&capture, v->params->file);
	if (rc == 0) {
		while ((rc = capture_next(&capture, &rec)) > 0)
			judge_record(v, &rec);
		capture_close(&capture);
	}
	if (rc < 0) {
		/* What was read comes first, also where both streams are one terminal. */
		print_summary(v);
		fflush(stdout);
		fprintf(stderr, "%s\n", capture.error);
		return EXIT_UNREADABLE;
	}
	print_summary(v);
	return is_clean(v) ? EXIT_CLEAN : EXIT_NOT_CLEAN;
}

int
validate_run(const struct validate_params *params)
{
	static char buffer[OUT_BUFFER_LEN];
	static struct validation v;
	int rc;

	memset(&v, 0, sizeof(v));
	v.params = params;
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	if (params->per_packet)
		print_packet_header();
	rc = judge_capture(&v);
	return report_finish() == 0 ? rc : EXIT_UNREADABLE;
}
