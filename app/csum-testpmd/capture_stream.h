/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _CAPTURE_STREAM_H_
#define _CAPTURE_STREAM_H_

/**
 * @file
 * The bytes of a file, unpacked where it is compressed with gzip, as a stdio stream. Pipes will do.
 */

#include <stdint.h>
#include <stdio.h>

#include <zlib.h>

/** Bytes that can be looked at before they are read: enough for any capture's magic number. */
#define CAPTURE_STREAM_HEAD 4

struct capture_stream {
	gzFile gz;
	uint64_t size;                     /**< public: of the file as it is; 0: not known */
	uint64_t served;                   /* bytes that stdio has taken */
	uint8_t head[CAPTURE_STREAM_HEAD]; /**< public: the first bytes, 0 where there are none */
	unsigned int head_len;
};

/**
 * Open a file for reading; "-" is standard input.
 *
 * @param s
 *   Must stay valid until the stream is closed.
 * @return
 *   The stream, to be closed with fclose(), whose ftello() counts unpacked bytes; NULL and errno.
 */
FILE *capture_stream_open(struct capture_stream *s, const char *path);

/**
 * Why a stream ended early.
 *
 * @return
 *   What is wrong with the compressed data; NULL when nothing is, the stream's end included.
 */
const char *capture_stream_error(const struct capture_stream *s);

/**
 * Begin a file compressed with gzip.
 *
 * @param fd
 *   Where it goes; closed with the stream.
 * @return
 *   A stream to write to; NULL and errno, @p fd is open then.
 */
FILE *capture_stream_deflate(int fd);

#endif /* _CAPTURE_STREAM_H_ */
