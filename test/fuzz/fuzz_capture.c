/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The bytes of a capture file: whatever they are, it is read to its end or to an error that says
 * what is wrong, and the library and the reference judge each packet alike.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture.h"
#include "explain.h"
#include "packet.h"
#include "ref_judge.h"
#include "report.h"

#include "fuzz.h"

/* Packets of an input that are explained, too: that copies the longest possible packet. */
#define EXPLAINED 4

static struct packet packet;
static FILE *nowhere;
static char path[64];
static int fd = -1;

static void __attribute__((noreturn, format(printf, 1, 2)))
broken(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}

static void
prepare(void)
{
	if (fd >= 0)
		return;
	fd = memfd_create("capture", MFD_CLOEXEC);
	nowhere = fopen("/dev/null", "w");
	if (fd < 0 || nowhere == NULL)
		broken("no file to write to");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
}

/* Counts the verdicts of a column in turn, as the reference lists them. */
static void
compare(const struct capture_record *rec)
{
	unsigned int count[REPORT_NB_COLUMNS] = { 0 };
	enum report_column column;
	enum csum_verdict verdict;
	struct ref_report ref;
	unsigned int i;

	if (ref_judge(rec->data, rec->caplen, rec->len, rec->link_type, &ref) != 0)
		broken("the reference does not know link type %d", rec->link_type);
	for (i = 0; i < packet.pkt.nb_layers; i++) {
		column = report_column_of(packet.pkt.layer[i].type);
		verdict = csum_pkt_verify(&packet.seg[0], &packet.pkt, i);
		if (column == REPORT_NB_COLUMNS || verdict == CSUM_VERDICT_NONE)
			continue;
		if (count[column] >= ref.count[column])
			broken("packet %" PRIu64 ": the reference has less of %s", rec->frame,
			       report_column_name(column));
		if (ref.list[column][count[column]] != (enum ref_verdict)report_verdict_of(verdict))
			broken("packet %" PRIu64 ": %s is %s, the reference says %s", rec->frame,
			       report_column_name(column),
			       report_verdict_name(report_verdict_of(verdict)),
			       ref_verdict_name(ref.list[column][count[column]]));
		count[column]++;
	}
	/* The reference walks deeper. */
	if ((packet.pkt.flags & CSUM_PKT_F_TOO_DEEP) != 0)
		return;
	for (i = 0; i < REPORT_NB_COLUMNS; i++)
		if (count[i] != ref.count[i])
			broken("packet %" PRIu64 ": the reference has more of %s", rec->frame,
			       report_column_name(i));
}

static void
try_record(const struct capture_record *rec, uint64_t number)
{
	if (rec->frame != number || rec->caplen > CAPTURE_MAX_CAPLEN || rec->len < rec->caplen)
		broken("packet %" PRIu64 ": number %" PRIu64 ", %u bytes of %u", number,
		       rec->frame, rec->caplen, rec->len);
	if (!capture_link_is_known(rec->link_type))
		return;
	packet_parse(&packet, rec);
	compare(rec);
	if (number <= EXPLAINED)
		explain(nowhere, rec, &packet);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct capture capture;
	struct capture_record rec;
	uint64_t number = 0;
	int ret;

	prepare();
	if (ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		broken("cannot write the input");
	ret = capture_open(&capture, path);
	if (ret == 0) {
		while ((ret = capture_next(&capture, &rec)) == 1)
			try_record(&rec, ++number);
		capture_close(&capture);
	}
	if (ret != 0 && strncmp(capture.error, path, strlen(path)) != 0)
		broken("an error that does not name the file: '%s'", capture.error);
	return 0;
}
