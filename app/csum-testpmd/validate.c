/* SPDX-License-Identifier: BSD-3-Clause */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_common.h>
#include <rte_mbuf.h>

#include <csum_pkt.h>

#include "capture.h"
#include "diff.h"
#include "explain.h"
#include "packet.h"
#include "progress.h"
#include "report.h"
#include "validate.h"

#define EXIT_CLEAN      0
#define EXIT_NOT_CLEAN  1
#define EXIT_UNREADABLE 2

/* A line has a number of 20 digits, and at most "truncated," for each layer. */
#define LINE_MAX_LEN    (20 + REPORT_NB_COLUMNS * 2 + CSUM_PKT_MAX_LAYERS * 10 + 2)

#define OUT_BUFFER_LEN  (256 * 1024)

struct validation {
	const struct validate_params *params;
	struct packet packet;
	struct selection *selection;
	struct progress progress;
	struct report_layers layers;
	uint64_t packets;
	uint64_t super_packets;
	uint64_t skipped; /* for their link types */
	uint64_t too_deep; /* judged in part */
	uint64_t first_fault; /* frame; 0: none yet */
};

/* Verdicts of one packet, by protocol, outermost layer first. */
struct packet_verdicts {
	uint8_t count[REPORT_NB_COLUMNS];
	uint8_t list[REPORT_NB_COLUMNS][CSUM_PKT_MAX_LAYERS];
};

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
			found->list[column][found->count[column]++] =
				report_verdict_of(verdict);
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
note_too_deep(struct validation *v, uint64_t frame)
{
	if (v->too_deep++ != 0)
		return;
	progress_clear(&v->progress);
	fprintf(stderr, "%s: packet %" PRIu64 ": more than %u headers: what lies deeper is not "
		"judged, and so it is with all others like it\n", v->params->file, frame,
		CSUM_PKT_MAX_LAYERS - 1);
}

static void
judge_record(struct validation *v, const struct capture_record *rec)
{
	const struct csum_pkt *pkt = &v->packet.pkt;
	struct packet_verdicts found;

	packet_parse(&v->packet, rec);
	judge(&v->packet.seg[0], pkt, &found);
	count(v, &found, rec->frame);
	v->packets++;
	if (pkt->flags & CSUM_PKT_F_SUPER)
		v->super_packets++;
	if (pkt->flags & CSUM_PKT_F_TOO_DEEP)
		note_too_deep(v, rec->frame);
	if (v->params->per_packet)
		print_packet(&found, rec->frame);
}

/* A packet that cannot be judged has its line all the same. */
static void
skip_record(struct validation *v, const struct capture_record *rec)
{
	static const struct packet_verdicts nothing;

	v->packets++;
	v->skipped++;
	if (v->params->per_packet)
		print_packet(&nothing, rec->frame);
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

	if (v->skipped != 0) {
		fputc('\n', stdout);
		report_plural(stdout, v->skipped, "packet");
		fputs(" skipped: not a link type that is supported.\n", stdout);
	}
	if (v->too_deep != 0) {
		fputc('\n', stdout);
		report_plural(stdout, v->too_deep, "packet");
		fputs(" judged in part: too many headers.\n", stdout);
	}
	if (!is_clean(v))
		printf("\nNot clean: %" PRIu64 " bad, %" PRIu64 " partial, "
		       "the first in packet %" PRIu64 ".\n",
		       report_total(&v->layers, REPORT_BAD),
		       report_total(&v->layers, REPORT_PARTIAL), v->first_fault);
}

static void
print_fields(const struct validation *v)
{
	struct fields f;

	fields_begin(&f, stdout, v->params->format == REPORT_TSV);
	fields_string(&f, "file", v->params->file);
	fields_number(&f, "packets", v->packets);
	fields_number(&f, "super_packets", v->super_packets);
	report_layers_fields(&f, "layers", &v->layers);
	if (v->skipped != 0)
		fields_number(&f, "skipped", v->skipped);
	if (v->too_deep != 0)
		fields_number(&f, "too_deep", v->too_deep);
	fields_end(&f);
}

/* The lines of --per-packet are for programs, so that no table follows them. */
static void
print_summary(const struct validation *v)
{
	if (v->params->format != REPORT_TABLE)
		print_fields(v);
	else if (!v->params->per_packet && !v->params->quiet)
		print_table(v);
}

/* Returns 0, or -1 when what is asked for makes no sense for the packet, which has been said. */
static int
take_in(struct validation *v, struct capture *capture, const struct capture_record *rec)
{
	int wanted;

	if (!selection_has(v->selection, rec->frame))
		return 0;
	if (capture_skips(capture, rec)) {
		skip_record(v, rec);
		return 0;
	}
	wanted = selection_wants(v->selection, rec);
	if (wanted == 1)
		judge_record(v, rec);
	return wanted < 0 ? -1 : 0;
}

/* Returns 0, or -1 when not all could be judged; then messages have been printed. */
static int
judge_records(struct validation *v, struct capture *capture)
{
	struct capture_record rec;
	int rc;

	while ((rc = capture_next(capture, &rec)) > 0) {
		progress_tell(&v->progress, capture);
		if (selection_is_over(v->selection, rec.frame))
			return 0;
		if (take_in(v, capture, &rec) != 0)
			return -1;
	}
	return rc;
}

/* Finds the packet to be explained. Returns an exit status. */
static int
explain_packet(struct validation *v, struct capture *capture)
{
	struct packet_verdicts found;
	struct capture_record rec;
	int rc;

	while ((rc = capture_next(capture, &rec)) > 0)
		if (rec.frame == v->params->explain)
			break;
	if (rc < 0) {
		fprintf(stderr, "%s\n", capture->error);
		return EXIT_UNREADABLE;
	}
	if (rc == 0) {
		fprintf(stderr, "%s: there is no packet %" PRIu32 ", the last is %" PRIu64 "\n",
			v->params->file, v->params->explain, capture->nb_read);
		return EXIT_UNREADABLE;
	}
	if (capture_skips(capture, &rec))
		return EXIT_UNREADABLE;
	packet_parse(&v->packet, &rec);
	explain(stdout, &rec, &v->packet);
	if (v->packet.pkt.flags & CSUM_PKT_F_TOO_DEEP)
		note_too_deep(v, rec.frame);
	judge(&v->packet.seg[0], &v->packet.pkt, &found);
	count(v, &found, rec.frame);
	return is_clean(v) ? EXIT_CLEAN : EXIT_NOT_CLEAN;
}

static int
explain_capture(struct validation *v)
{
	struct capture capture;
	int status;

	if (capture_open(&capture, v->params->file) != 0) {
		fprintf(stderr, "%s\n", capture.error);
		return EXIT_UNREADABLE;
	}
	status = explain_packet(v, &capture);
	capture_close(&capture);
	return status;
}

static int
judge_capture(struct validation *v)
{
	struct capture capture;
	int rc;

	progress_begin(&v->progress, v->params->quiet);
	rc = capture_open(&capture, v->params->file);
	if (rc == 0) {
		if (selection_check(v->selection, &capture) == 0)
			rc = judge_records(v, &capture);
		else
			rc = -1;
		capture_close(&capture);
	}
	progress_clear(&v->progress);
	print_summary(v);
	if (rc < 0) {
		/* What was read comes first, also where both streams are one terminal. */
		fflush(stdout);
		if (capture.error[0] != '\0')
			fprintf(stderr, "%s\n", capture.error);
		return EXIT_UNREADABLE;
	}
	if (v->skipped != 0 || v->too_deep != 0)
		return EXIT_UNREADABLE;
	return is_clean(v) ? EXIT_CLEAN : EXIT_NOT_CLEAN;
}

int
validate_run(const struct validate_params *params)
{
	static char buffer[OUT_BUFFER_LEN];
	static struct validation v;
	int rc;

	if (params->other != NULL)
		return diff_run(&(struct diff_params){ params->file, params->other,
						       params->quiet });
	memset(&v, 0, sizeof(v));
	v.params = params;
	v.selection = selection_open(&params->selection);
	if (v.selection == NULL)
		return EXIT_UNREADABLE;
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	if (params->per_packet)
		print_packet_header();
	rc = params->explain != 0 ? explain_capture(&v) : judge_capture(&v);
	selection_close(v.selection);
	return report_finish() == 0 ? rc : EXIT_UNREADABLE;
}
