/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "capture.h"

#define PCAP_MAGIC_NANO         0xa1b23c4d
#define PCAPNG_SECTION          0x0a0d0d0a
#define PCAPNG_BYTE_ORDER       0x1a2b3c4d
#define PCAPNG_INTERFACE        1
#define PCAPNG_OPT_END          0
#define PCAPNG_OPT_TSRESOL      9
#define PCAPNG_TSRESOL_BINARY   0x80 /* units of 2^-n, not 10^-n seconds */
#define PCAPNG_TSRESOL_DEFAULT  6

/* The beginning of a file, as its writer's byte order reads it. */
struct head {
	uint8_t data[4096];
	size_t len;
	bool swapped;
};

static uint32_t
head_u32(const struct head *h, size_t off)
{
	uint32_t v = 0;

	if (off + sizeof(v) <= h->len)
		memcpy(&v, h->data + off, sizeof(v));
	return h->swapped ? __builtin_bswap32(v) : v;
}

static uint16_t
head_u16(const struct head *h, size_t off)
{
	uint16_t v = 0;

	if (off + sizeof(v) <= h->len)
		memcpy(&v, h->data + off, sizeof(v));
	return h->swapped ? __builtin_bswap16(v) : v;
}

/* The if_tsresol option of an interface block, whose fixed part takes 16 bytes. */
static uint8_t
interface_tsresol(const struct head *h, size_t block)
{
	size_t end = block + head_u32(h, block + 4);
	size_t off = block + 16;

	while (off + 4 < end && off + 4 < h->len) {
		uint16_t code = head_u16(h, off);

		if (code == PCAPNG_OPT_TSRESOL)
			return h->data[off + 4];
		if (code == PCAPNG_OPT_END)
			break;
		off += 4 + ((head_u16(h, off + 2) + 3u) & ~3u);
	}
	return PCAPNG_TSRESOL_DEFAULT;
}

/* Whether a unit is below a microsecond, next to which 2^-20 is the binary one. */
static bool
tsresol_is_nano(uint8_t resol)
{
	return (resol & PCAPNG_TSRESOL_BINARY) != 0 ? (resol & ~PCAPNG_TSRESOL_BINARY) > 20 :
						      resol > PCAPNG_TSRESOL_DEFAULT;
}

/* Whether an interface of a pcapng file stamps finer than microseconds. They come first. */
static bool
pcapng_is_nano(struct head *h)
{
	size_t off = 0;

	h->swapped = head_u32(h, 8) != PCAPNG_BYTE_ORDER;
	while (off + 8 <= h->len) {
		uint32_t len = head_u32(h, off + 4);

		if (head_u32(h, off) == PCAPNG_INTERFACE &&
		    tsresol_is_nano(interface_tsresol(h, off)))
			return true;
		if (len < 12)
			break;
		off += len;
	}
	return false;
}

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
file_is_nano(FILE *f)
{
	struct head h = {0};
	struct stat st;

	/* What is read from a pipe cannot be put back. */
	if (fstat(fileno(f), &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	h.len = fread(h.data, 1, sizeof(h.data), f);
	rewind(f);

	switch (head_u32(&h, 0)) {
	case PCAP_MAGIC_NANO:
	case __builtin_bswap32(PCAP_MAGIC_NANO):
		return true;
	case PCAPNG_SECTION:
		return pcapng_is_nano(&h);
	default:
		return false;
	}
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

static int
fail_link_type(struct capture *c)
{
	const char *name = pcap_datalink_val_to_name(c->link_type);

	return fail(c, "%s: packet 1: link type %s (%d) is not supported", c->path,
		    name != NULL ? name : "unknown", c->link_type);
}

int
capture_open(struct capture *c, const char *path)
{
	char reason[PCAP_ERRBUF_SIZE];
	struct stat st;
	FILE *f;

	memset(c, 0, sizeof(*c));
	c->path = path;
	f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
	if (f == NULL)
		return fail(c, "%s: %s", path, strerror(errno));
	if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode)) {
		fclose(f);
		return fail(c, "%s: %s", path, strerror(EISDIR));
	}

	c->nanoseconds = file_is_nano(f);
	c->pcap = pcap_fopen_offline_with_tstamp_precision(f, PCAP_TSTAMP_PRECISION_NANO, reason);
	if (c->pcap == NULL) {
		if (f != stdin)
			fclose(f);
		return fail(c, "%s: %s", path, reason);
	}
	c->link_type = pcap_datalink(c->pcap);
	if (!capture_link_is_known(c->link_type)) {
		fail_link_type(c);
		capture_close(c);
		return -1;
	}
	return 0;
}

int
capture_next(struct capture *c, struct capture_record *rec)
{
	struct pcap_pkthdr *hdr;
	const u_char *data;
	int rc;

	rc = pcap_next_ex(c->pcap, &hdr, &data);
	if (rc == PCAP_ERROR_BREAK)
		return 0;
	if (rc != 1)
		return fail(c, "%s: packet %" PRIu64 ": %s", c->path, c->nb_read + 1,
			    pcap_geterr(c->pcap));
	if (hdr->caplen > CAPTURE_MAX_CAPLEN)
		return fail(c, "%s: packet %" PRIu64 ": %u bytes are more than %u", c->path,
			    c->nb_read + 1, hdr->caplen, CAPTURE_MAX_CAPLEN);

	rec->data = data;
	rec->caplen = hdr->caplen;
	rec->len = hdr->len > hdr->caplen ? hdr->len : hdr->caplen;
	rec->ns = stamp_to_ns(&hdr->ts);
	rec->frame = ++c->nb_read;
	rec->link_type = c->link_type;
	return 1;
}

void
capture_close(struct capture *c)
{
	pcap_close(c->pcap);
	c->pcap = NULL;
}
