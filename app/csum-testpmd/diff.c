/* SPDX-License-Identifier: BSD-3-Clause */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "colour.h"
#include "diff.h"
#include "diff_packet.h"
#include "report.h"

#define EXIT_SAME       0
#define EXIT_DIFFERENT  1
#define EXIT_UNREADABLE 2

/* How far ahead the other capture is searched for a packet: what is lost, or has been put in. */
#define WINDOW 64

struct diff {
	const struct diff_params *params;
	struct capture capture;
	struct capture other;
	struct diff_packet *window[WINDOW]; /* of the other capture, the next one first */
	unsigned int nb_window;
	bool other_ended;
	bool failed;
	uint64_t nb_equal;
	uint64_t nb_changed;
	uint64_t nb_missing;
	uint64_t nb_added;
	uint64_t nb_matter; /* of those all */
};

/* The next packet of a capture, NULL at its end, or when it breaks, which has been said then. */
static struct diff_packet *
next_packet(struct diff *d, struct capture *capture)
{
	struct diff_packet *p;
	struct capture_record rec;
	int rc;

	do {
		rc = capture_next(capture, &rec);
	} while (rc == 1 && capture_skips(capture, &rec));
	if (rc < 0) {
		fprintf(stderr, "%s\n", capture->error);
		d->failed = true;
	}
	if (rc != 1)
		return NULL;
	p = diff_packet_new(&rec);
	if (p == NULL) {
		fprintf(stderr, "out of memory\n");
		d->failed = true;
	}
	return p;
}

static void
fill_window(struct diff *d)
{
	while (!d->other_ended && d->nb_window < WINDOW) {
		d->window[d->nb_window] = next_packet(d, &d->other);
		if (d->window[d->nb_window] == NULL)
			d->other_ended = true;
		else
			d->nb_window++;
	}
}

static void
drop_first(struct diff *d)
{
	diff_packet_free(d->window[0]);
	d->nb_window--;
	memmove(d->window, d->window + 1, d->nb_window * sizeof(d->window[0]));
	fill_window(d);
}

static void
say(struct diff *d, const char *packets, const struct diff_finding *finding)
{
	d->nb_matter += finding->matters;
	if (d->params->quiet)
		return;
	printf("%s\t", packets);
	colour_weight(stdout, finding->matters);
	printf("\t%s\n", finding->text);
}

static void
say_added(struct diff *d)
{
	const struct diff_finding finding = { .text = "added", .matters = true };
	char packets[48];

	snprintf(packets, sizeof(packets), "-\t%" PRIu64, d->window[0]->frame);
	d->nb_added++;
	say(d, packets, &finding);
	drop_first(d);
}

static void
say_missing(struct diff *d, const struct diff_packet *a)
{
	const struct diff_finding finding = { .text = "missing", .matters = true };
	char packets[48];

	snprintf(packets, sizeof(packets), "%" PRIu64 "\t-", a->frame);
	d->nb_missing++;
	say(d, packets, &finding);
}

/* Whether a packet of the other capture is this one, or its first piece. */
static bool
begins_with(const struct diff_packet *a, const struct diff_packet *b)
{
	struct diff_pieces pieces;

	if (diff_is_equal(a, b) || diff_is_same(a, b))
		return true;
	diff_pieces_begin(&pieces, a);
	return diff_pieces_take(&pieces, b);
}

/* Brings what belongs to a packet to the front. Returns whether there is anything. */
static bool
find_in_window(struct diff *d, const struct diff_packet *a)
{
	unsigned int i;

	for (i = 0; i < d->nb_window; i++)
		if (begins_with(a, d->window[i]))
			break;
	if (i == d->nb_window)
		return false;
	while (i-- > 0)
		say_added(d);
	return true;
}

static void
take_pieces(struct diff *d, const struct diff_packet *a)
{
	uint64_t first = d->window[0]->frame, last = first;
	struct diff_finding finding;
	struct diff_pieces pieces;
	char packets[80];

	diff_pieces_begin(&pieces, a);
	while (d->nb_window > 0 && pieces.done < pieces.total &&
	       diff_pieces_take(&pieces, d->window[0])) {
		last = d->window[0]->frame;
		drop_first(d);
	}
	diff_pieces_end(&pieces, &finding);
	snprintf(packets, sizeof(packets), "%" PRIu64 "\t%" PRIu64 "-%" PRIu64, a->frame, first,
		 last);
	d->nb_changed++;
	say(d, packets, &finding);
}

static void
take_one(struct diff *d, const struct diff_packet *a)
{
	const struct diff_packet *b = d->window[0];
	struct diff_finding finding;
	char packets[48];

	if (diff_is_equal(a, b)) {
		d->nb_equal++;
	} else {
		diff_compare(a, b, &finding);
		snprintf(packets, sizeof(packets), "%" PRIu64 "\t%" PRIu64, a->frame, b->frame);
		d->nb_changed++;
		say(d, packets, &finding);
	}
	drop_first(d);
}

static void
compare_captures(struct diff *d)
{
	struct diff_packet *a;

	fill_window(d);
	while ((a = next_packet(d, &d->capture)) != NULL) {
		if (!find_in_window(d, a))
			say_missing(d, a);
		else if (diff_is_equal(a, d->window[0]) || diff_is_same(a, d->window[0]))
			take_one(d, a);
		else
			take_pieces(d, a);
		diff_packet_free(a);
	}
	while (d->nb_window > 0)
		say_added(d);
}

static void
print_summary(const struct diff *d)
{
	if (!d->params->quiet)
		printf("%" PRIu64 " equal, %" PRIu64 " changed, %" PRIu64 " missing, %" PRIu64
		       " added; %" PRIu64 " of these matter\n", d->nb_equal, d->nb_changed,
		       d->nb_missing, d->nb_added, d->nb_matter);
}

static int
open_captures(struct diff *d)
{
	if (capture_open(&d->capture, d->params->file) != 0) {
		fprintf(stderr, "%s\n", d->capture.error);
		return -1;
	}
	if (capture_open(&d->other, d->params->other) != 0) {
		fprintf(stderr, "%s\n", d->other.error);
		capture_close(&d->capture);
		return -1;
	}
	return 0;
}

int
diff_run(const struct diff_params *params)
{
	static struct diff d;

	d = (struct diff){ .params = params };
	if (open_captures(&d) != 0)
		return EXIT_UNREADABLE;
	compare_captures(&d);
	print_summary(&d);
	capture_close(&d.capture);
	capture_close(&d.other);
	if (report_finish() != 0 || d.failed || d.capture.nb_skipped + d.other.nb_skipped != 0)
		return EXIT_UNREADABLE;
	return d.nb_matter != 0 ? EXIT_DIFFERENT : EXIT_SAME;
}
