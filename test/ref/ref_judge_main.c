/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * ref-judge FILE: the verdicts of the reference on every packet of a capture, in the format of
 * dpdk-csum-testpmd --validate FILE --per-packet, so that the two can be compared. Ends with the
 * same codes: 0 nothing is bad or partial, 1 something is, 2 the file could not be read whole.
 */

#include <stdbool.h>
#include <stdio.h>

#include <pcap/pcap.h>

#include "ref_judge.h"

static void
print_header(void)
{
	unsigned int column;

	printf("frame");
	for (column = 0; column < REF_NB_COLUMNS; column++)
		printf("\t%s", ref_column_name(column));
	printf("\n");
}

static void
print_line(unsigned long frame, const struct ref_report *report)
{
	unsigned int column, i;

	printf("%lu", frame);
	for (column = 0; column < REF_NB_COLUMNS; column++) {
		printf("\t%s", report->count[column] == 0 ? "-" : "");
		for (i = 0; i < report->count[column]; i++)
			printf("%s%s", i == 0 ? "" : ",",
			       ref_verdict_name(report->list[column][i]));
	}
	printf("\n");
}

static bool
is_clean(const struct ref_report *report)
{
	unsigned int column, i;

	for (column = 0; column < REF_NB_COLUMNS; column++) {
		for (i = 0; i < report->count[column]; i++) {
			if (report->list[column][i] == REF_BAD ||
			    report->list[column][i] == REF_PARTIAL)
				return false;
		}
	}
	return true;
}

/* Returns the exit code. */
static int
judge_file(pcap_t *pcap, const char *path)
{
	struct pcap_pkthdr *hdr;
	struct ref_report report;
	const u_char *data;
	unsigned long frame = 0;
	bool clean = true;
	int ret;

	print_header();
	while ((ret = pcap_next_ex(pcap, &hdr, &data)) == 1) {
		frame++;
		if (ref_judge(data, hdr->caplen, hdr->len, pcap_datalink(pcap), &report) != 0) {
			fprintf(stderr, "%s: link type %d is not known\n", path,
				pcap_datalink(pcap));
			return 2;
		}
		print_line(frame, &report);
		clean = clean && is_clean(&report);
	}
	if (ret != PCAP_ERROR_BREAK) {
		fprintf(stderr, "%s: packet %lu: %s\n", path, frame + 1, pcap_geterr(pcap));
		return 2;
	}
	return clean ? 0 : 1;
}

int
main(int argc, char **argv)
{
	char err[PCAP_ERRBUF_SIZE];
	pcap_t *pcap;
	int code;

	if (argc != 2) {
		fprintf(stderr, "usage: ref-judge FILE\n");
		return 2;
	}
	pcap = pcap_open_offline(argv[1], err);
	if (pcap == NULL) {
		fprintf(stderr, "%s\n", err);
		return 2;
	}
	code = judge_file(pcap, argv[1]);
	pcap_close(pcap);
	return code;
}
