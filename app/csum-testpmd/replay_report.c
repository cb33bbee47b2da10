/* SPDX-License-Identifier: BSD-3-Clause */

#include <inttypes.h>
#include <stdio.h>

#include <rte_common.h>

#include "ref_judge.h"
#include "replay_report.h"

void
replay_judge(struct report_layers *layers, const uint8_t *data, uint32_t caplen, uint32_t len)
{
	struct ref_report report;
	unsigned int c, i;

	/* The reference and the report number protocols and verdicts alike. */
	RTE_BUILD_BUG_ON(REF_NB_COLUMNS != (int)REPORT_NB_COLUMNS);
	RTE_BUILD_BUG_ON(REF_NB_VERDICTS != (int)REPORT_NB_VERDICTS);
	/* It knows Ethernet, so it cannot fail. */
	ref_judge(data, caplen, len, REF_LINK_ETHER, &report);
	for (c = 0; c < REF_NB_COLUMNS; c++) {
		for (i = 0; i < report.count[c]; i++)
			layers->count[c][report.list[c][i]]++;
	}
}

void
replay_filled_add(struct replay_stats *stats, const struct csum_pkt *pkt, uint32_t layers)
{
	unsigned int i;

	/* Layers of other kinds have no checksum, so none of theirs is filled. */
	for (i = 0; i < pkt->nb_layers; i++) {
		if ((layers & RTE_BIT32(i)) != 0)
			stats->filled[report_column_of(pkt->layer[i].type)]++;
	}
}

static uint64_t
total_refused(const struct replay_stats *stats)
{
	uint64_t total = 0;
	unsigned int i;

	for (i = 0; i < REPLAY_REFUSAL_MAX; i++)
		total += stats->refused[i];
	return total;
}

int
replay_status(const struct replay_stats *stats)
{
	return total_refused(stats) != 0 || report_total(&stats->after, REPORT_BAD) != 0 ||
		report_total(&stats->after, REPORT_PARTIAL) != 0;
}

static const char *
column_name(unsigned int i)
{
	return report_column_name(i);
}

/* Names what a counter counts. */
typedef const char *(*name_of)(unsigned int i);

/* Counters that are 0 are left out. */
static void
add_counts(struct fields *f, const char *group, const uint64_t *counts, unsigned int nb,
	   name_of name)
{
	unsigned int i;

	fields_open(f, group);
	for (i = 0; i < nb; i++) {
		if (counts[i] != 0)
			fields_number(f, name(i), counts[i]);
	}
	fields_close(f);
}

static bool
is_empty(const uint64_t *counts, unsigned int nb)
{
	unsigned int i;

	for (i = 0; i < nb; i++) {
		if (counts[i] != 0)
			return false;
	}
	return true;
}

static void
print_fields(const struct replay_params *params, const struct replay_stats *stats)
{
	struct fields f;

	fields_begin(&f, stdout, params->format == REPORT_TSV);
	fields_number(&f, "packets_in", stats->packets_in);
	fields_number(&f, "super_packets", stats->super_packets);
	fields_number(&f, "segments_out", stats->segments_out);
	fields_number(&f, "packets_out", stats->packets_out);
	add_counts(&f, "filled", stats->filled, REPORT_NB_COLUMNS, column_name);
	add_counts(&f, "refused", stats->refused, REPLAY_REFUSAL_MAX, replay_refusal_name);
	report_layers_fields(&f, "out", &stats->after);
	if (params->port != NULL) {
		fields_number(&f, "bytes_out", stats->bytes_out);
		fields_seconds(&f, "seconds", stats->seconds);
	}
	fields_end(&f);
}

static void
print_counts(const char *title, const uint64_t *counts, unsigned int nb, name_of name)
{
	unsigned int i;

	printf("%s:", title);
	for (i = 0; i < nb; i++) {
		if (counts[i] != 0)
			printf(" %s %" PRIu64, name(i), counts[i]);
	}
	printf("%s\n", is_empty(counts, nb) ? " none" : "");
}

static void
print_side(const char *title, const char *file, uint64_t nb_packets,
	   const struct report_layers *layers, uint32_t judge)
{
	printf("%s: %s, ", title, file);
	report_plural(stdout, nb_packets, "packet");
	printf("\n");
	if (judge == REPLAY_JUDGE_OFF)
		return;
	report_layers_table(stdout, layers);
	printf("\n");
}

static void
print_sent(const char *port, const struct replay_stats *stats)
{
	double seconds = stats->seconds > 0 ? stats->seconds : 1e-9;

	printf("sent: %s, ", port);
	report_plural(stdout, stats->packets_out, "packet");
	printf(" in %.3f s: %.0f packets/s, %.3f Mbit/s\n", stats->seconds,
	       (double)stats->packets_out / seconds, (double)stats->bytes_out * 8 / 1e6 / seconds);
}

static void
print_text(const struct replay_params *params, const struct replay_stats *stats)
{
	print_side("before", params->file, stats->packets_in, &stats->before,
		   params->judge);
	if (params->port != NULL)
		print_sent(params->port, stats);
	else
		print_side("after", params->out, stats->packets_out, &stats->after,
			   params->judge);
	report_plural(stdout, stats->super_packets, "super-packet");
	printf(" became ");
	report_plural(stdout, stats->segments_out, "packet");
	printf("\n");
	print_counts("filled", stats->filled, REPORT_NB_COLUMNS, column_name);
	print_counts("refused", stats->refused, REPLAY_REFUSAL_MAX, replay_refusal_name);
}

void
replay_report(const struct replay_params *params, const struct replay_stats *stats)
{
	if (params->format != REPORT_TABLE)
		print_fields(params, stats);
	else
		print_text(params, stats);
}
