/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <rte_common.h>

#include "capture.h"
#include "pcapng.h"

#define PCAP_MAGIC_NANO 0xa1b23c4d

/* libpcap takes a pcap file's seconds for signed numbers; they are unsigned, and go on to 2106. */
static uint64_t
stamp_to_ns(const struct timeval *stamp)
{
	uint64_t sec = stamp->tv_sec < 0 ? (uint32_t)stamp->tv_sec : (uint64_t)stamp->tv_sec;

	/* With nanosecond precision tv_usec holds nanoseconds. */
	return sec * 1000000000 + (uint64_t)stamp->tv_usec;
}

/* libpcap scales time stamps but does not tell the file's own unit. */
static bool
pcap_is_nano(const uint8_t *head)
{
	uint32_t magic;

	memcpy(&magic, head, sizeof(magic));
	return magic == PCAP_MAGIC_NANO || magic == __builtin_bswap32(PCAP_MAGIC_NANO);
}

static int __attribute__((format(printf, 2, 3)))
fail(struct capture *c, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(c->error, sizeof(c->error), format, ap);
	va_end(ap);
	return -1;
}

/* What is wrong with the packet that comes next, and where it begins. */
static int
fail_packet(struct capture *c, const char *reason)
{
	return fail(c, "%s: packet %" PRIu64 ": byte %" PRIu64 ": %s", c->path, c->nb_read + 1,
		    c->offset, reason);
}

static int
open_pcap(struct capture *c)
{
	char reason[PCAP_ERRBUF_SIZE];
	const char *broken;

	c->pcap = pcap_fopen_offline_with_tstamp_precision(c->file, PCAP_TSTAMP_PRECISION_NANO,
							   reason);
	/* libpcap cannot know what is wrong with compressed data. */
	broken = capture_stream_error(&c->stream);
	if (c->pcap == NULL)
		return fail(c, "%s: %s", c->path, broken != NULL ? broken : reason);
	c->file = NULL; /* libpcap's now */
	c->nanoseconds = pcap_is_nano(c->stream.head);
	c->link_type = pcap_datalink(c->pcap);
	if (!capture_link_is_known(c->link_type))
		return fail(c, "%s: packet 1: link type %s (%d) is not supported", c->path,
			    capture_link_name(c->link_type), c->link_type);
	return 0;
}

static int
open_pcapng(struct capture *c)
{
	c->link_type = CAPTURE_LINK_MIXED;
	c->ng = pcapng_open(c->file);
	if (c->ng == NULL)
		return fail(c, "%s: out of memory", c->path);
	c->nanoseconds = pcapng_is_nano(c->ng);
	return 0;
}

int
capture_open(struct capture *c, const char *path)
{
	int ret;

	memset(c, 0, sizeof(*c));
	c->path = path;
	c->file = capture_stream_open(&c->stream, path);
	if (c->file == NULL)
		return fail(c, "%s: %s", path, strerror(errno));
	ret = pcapng_is_magic(c->stream.head) ? open_pcapng(c) : open_pcap(c);
	if (ret != 0)
		capture_close(c);
	return ret;
}

static int
next_of_pcap(struct capture *c, struct capture_record *rec)
{
	struct pcap_pkthdr *hdr;
	const u_char *data;
	int rc;

	c->offset = ftello(pcap_file(c->pcap));
	rc = pcap_next_ex(c->pcap, &hdr, &data);
	if (rc == PCAP_ERROR_BREAK)
		return 0;
	if (rc != 1)
		return fail_packet(c, pcap_geterr(c->pcap));

	rec->data = data;
	rec->caplen = hdr->caplen;
	rec->len = RTE_MAX(hdr->len, hdr->caplen);
	rec->ns = stamp_to_ns(&hdr->ts);
	rec->link_type = c->link_type;
	return 1;
}

static int
next_of_pcapng(struct capture *c, struct capture_record *rec)
{
	int rc = pcapng_next(c->ng, rec);

	c->offset = pcapng_offset(c->ng);
	return rc < 0 ? fail_packet(c, pcapng_error(c->ng)) : rc;
}

int
capture_next(struct capture *c, struct capture_record *rec)
{
	const char *broken;
	int rc;

	rc = c->ng != NULL ? next_of_pcapng(c, rec) : next_of_pcap(c, rec);
	if (rc == 1) {
		rec->frame = ++c->nb_read;
		return 1;
	}
	/* Of compressed data that breaks off, all that readers see is its end. */
	broken = capture_stream_error(&c->stream);
	return broken != NULL ? fail_packet(c, broken) : rc;
}

bool
capture_skips(struct capture *c, const struct capture_record *rec)
{
	uint32_t word = (uint16_t)rec->link_type / 32, bit = RTE_BIT32(rec->link_type % 32);

	if (capture_link_is_known(rec->link_type))
		return false;
	c->nb_skipped++;
	if ((c->named[word] & bit) == 0) {
		fprintf(stderr, "%s: packet %" PRIu64 ": link type %s (%d) is not supported: "
			"skipped, and so are all others of it\n", c->path, rec->frame,
			capture_link_name(rec->link_type), rec->link_type);
		c->named[word] |= bit;
	}
	return true;
}

uint64_t
capture_size(const struct capture *c)
{
	return c->stream.size;
}

uint64_t
capture_done(const struct capture *c)
{
	return c->stream.done;
}

void
capture_close(struct capture *c)
{
	if (c->pcap != NULL)
		pcap_close(c->pcap);
	pcapng_close(c->ng);
	if (c->file != NULL)
		fclose(c->file);
	c->pcap = NULL;
	c->ng = NULL;
	c->file = NULL;
}
