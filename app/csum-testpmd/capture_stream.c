/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rte_common.h>

#include "capture_stream.h"

/* What stdio asks for at a time. */
#define BUFFER_LEN (256 * 1024)

#define GZIP_MAGIC "\x1f\x8b"
#define GZIP_MAGIC_LEN 2
#define GZIP_WINDOW (MAX_WBITS + 16) /* zlib's word for: with gzip's headers */

/* Speed counts for more than size here, as for everyone who writes captures on the fly. */
#define DEFLATE_MODE "wb1"

/* Bytes of the file as it is. A signal may break off waiting for a pipe. */
static ssize_t
read_file(struct capture_stream *s, void *buf, size_t size)
{
	ssize_t n = read(s->fd, buf, size);

	if (n < 0)
		s->error = strerror(errno);
	else
		s->done += n;
	return n;
}

/* Have bytes to unpack. Returns 1, 0 at the end of the file, or -1. */
static int
refill(struct capture_stream *s)
{
	ssize_t n;

	if (s->z.avail_in != 0)
		return 1;
	n = read_file(s, s->packed, sizeof(s->packed));
	s->z.next_in = s->packed;
	s->z.avail_in = n > 0 ? (unsigned int)n : 0;
	return n > 0 ? 1 : (int)n;
}

static ssize_t
fail_unpack(struct capture_stream *s, const char *why)
{
	s->error = why;
	errno = EIO;
	return -1;
}

/* What follows the last member is none, as gzip takes it: it does not begin like one. */
static ssize_t
unpack(struct capture_stream *s, void *buf, size_t size)
{
	int ret;

	s->z.next_out = buf;
	s->z.avail_out = (unsigned int)RTE_MIN(size, (size_t)BUFFER_LEN);
	while (s->z.next_out == buf) {
		ret = refill(s);
		if (ret < 0)
			return -1;
		if (ret == 0)
			return s->z.total_in < GZIP_MAGIC_LEN ? 0 :
			       fail_unpack(s, "unexpected end of file");
		ret = inflate(&s->z, Z_NO_FLUSH);
		if (ret == Z_STREAM_END)
			inflateReset(&s->z);
		/* What came before a fault is taken first: the fault will be met again. */
		else if (ret != Z_OK && ret != Z_BUF_ERROR && s->z.next_out == buf)
			return s->z.total_in <= GZIP_MAGIC_LEN ? 0 :
			       fail_unpack(s, s->z.msg != NULL ? s->z.msg : "out of memory");
	}
	return s->z.next_out - (uint8_t *)buf;
}

static ssize_t
stream_read(void *cookie, char *buf, size_t size)
{
	struct capture_stream *s = cookie;
	ssize_t n;

	if (s->served < s->head_len) {
		n = RTE_MIN((ssize_t)size, (ssize_t)(s->head_len - s->served));
		memcpy(buf, s->head + s->served, n);
	} else {
		n = s->is_packed ? unpack(s, buf, size) : read_file(s, buf, size);
	}
	if (n > 0)
		s->served += n;
	return n;
}

/* Tells where the stream is, and goes nowhere. */
static int
stream_seek(void *cookie, off64_t *off, int whence)
{
	const struct capture_stream *s = cookie;

	if (whence != SEEK_CUR || *off != 0) {
		errno = ESPIPE;
		return -1;
	}
	*off = (off64_t)s->served;
	return 0;
}

static int
stream_close(void *cookie)
{
	struct capture_stream *s = cookie;

	if (s->is_packed)
		inflateEnd(&s->z);
	return close(s->fd);
}

static int
open_input(const char *path, uint64_t *size)
{
	struct stat st = { 0 };
	int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		close(fd);
		errno = EISDIR;
		return -1;
	}
	*size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	return fd;
}

/* The first bytes, as far as there are any. Returns how many. */
static unsigned int
read_head(struct capture_stream *s, ssize_t (*get)(struct capture_stream *, void *, size_t))
{
	unsigned int len = 0;
	ssize_t n;

	while (len < sizeof(s->head) && (n = get(s, s->head + len, sizeof(s->head) - len)) > 0)
		len += n;
	return len;
}

/* Have a look at the file, and unpack what is packed. Returns 0, or -1 without memory. */
static int
begin(struct capture_stream *s)
{
	s->head_len = read_head(s, read_file);
	if (memcmp(s->head, GZIP_MAGIC, GZIP_MAGIC_LEN) != 0)
		return 0;
	if (inflateInit2(&s->z, GZIP_WINDOW) != Z_OK)
		return -1;
	s->is_packed = true;
	memcpy(s->packed, s->head, s->head_len);
	s->z.next_in = s->packed;
	s->z.avail_in = s->head_len;
	memset(s->head, 0, sizeof(s->head));
	s->head_len = read_head(s, unpack);
	return 0;
}

FILE *
capture_stream_open(struct capture_stream *s, const char *path)
{
	const cookie_io_functions_t functions = {
		.read = stream_read, .seek = stream_seek, .close = stream_close,
	};
	FILE *file;

	memset(s, 0, sizeof(*s));
	s->fd = open_input(path, &s->size);
	if (s->fd < 0)
		return NULL;
	if (begin(s) != 0) {
		close(s->fd);
		errno = ENOMEM;
		return NULL;
	}
	file = fopencookie(s, "rb", functions);
	if (file == NULL) {
		stream_close(s);
		errno = ENOMEM;
		return NULL;
	}
	setvbuf(file, NULL, _IOFBF, BUFFER_LEN);
	return file;
}

const char *
capture_stream_error(const struct capture_stream *s)
{
	return s->error;
}

static ssize_t
deflate_write(void *cookie, const char *buf, size_t size)
{
	int n = gzwrite(cookie, buf, (unsigned int)RTE_MIN(size, (size_t)BUFFER_LEN));

	/* stdio takes 0 for the error. */
	return n > 0 ? n : 0;
}

static int
deflate_close(void *cookie)
{
	int ret = gzclose_w(cookie);

	if (ret == Z_OK)
		return 0;
	if (ret != Z_ERRNO)
		errno = EIO;
	return EOF;
}

FILE *
capture_stream_deflate(int fd)
{
	const cookie_io_functions_t functions = {
		.write = deflate_write, .close = deflate_close,
	};
	gzFile gz = gzdopen(fd, DEFLATE_MODE);
	FILE *file;
	int kept;

	if (gz == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	file = fopencookie(gz, "wb", functions);
	if (file == NULL) {
		/* zlib closes its descriptor, the caller keeps his. */
		kept = dup(fd);
		gzclose_w(gz);
		dup2(kept, fd);
		close(kept);
		errno = ENOMEM;
	}
	return file;
}
