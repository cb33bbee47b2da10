/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rte_common.h>

#include "capture_stream.h"

/*
 * What stdio asks for at a time. It is more than twice zlib's own buffer, so that zlib reads what
 * is not compressed straight into stdio's.
 */
#define BUFFER_LEN (128 * 1024)

/* Speed counts for more than size here, as for everyone who writes captures on the fly. */
#define DEFLATE_MODE "wb1"

static ssize_t
stream_read(void *cookie, char *buf, size_t size)
{
	struct capture_stream *s = cookie;
	int n;

	if (s->served < s->head_len) {
		n = (int)RTE_MIN(size, (size_t)(s->head_len - s->served));
		memcpy(buf, s->head + s->served, n);
	} else {
		n = gzread(s->gz, buf, (unsigned int)RTE_MIN(size, (size_t)BUFFER_LEN));
	}
	if (n < 0) {
		errno = EIO;
		return -1;
	}
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
	const struct capture_stream *s = cookie;

	return gzclose_r(s->gz) == Z_OK ? 0 : EOF;
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

FILE *
capture_stream_open(struct capture_stream *s, const char *path)
{
	const cookie_io_functions_t functions = {
		.read = stream_read, .seek = stream_seek, .close = stream_close,
	};
	uint64_t size;
	int fd = open_input(path, &size);
	FILE *file;
	int n;

	if (fd < 0)
		return NULL;
	*s = (struct capture_stream){ .gz = gzdopen(fd, "rb"), .size = size };
	if (s->gz == NULL) {
		close(fd);
		errno = ENOMEM;
		return NULL;
	}
	n = gzread(s->gz, s->head, sizeof(s->head));
	s->head_len = n > 0 ? n : 0;
	file = fopencookie(s, "rb", functions);
	if (file == NULL) {
		gzclose_r(s->gz);
		errno = ENOMEM;
		return NULL;
	}
	setvbuf(file, NULL, _IOFBF, BUFFER_LEN);
	return file;
}

const char *
capture_stream_error(const struct capture_stream *s)
{
	const char *text;
	int err;

	text = gzerror(s->gz, &err);
	if (err == Z_OK || err == Z_STREAM_END)
		return NULL;
	return err == Z_ERRNO ? strerror(errno) : text;
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
