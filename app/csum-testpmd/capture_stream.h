/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _CAPTURE_STREAM_H_
#define _CAPTURE_STREAM_H_

/**
 * @file
 * The bytes of a file, unpacked where it is compressed with gzip, as a stdio stream. Pipes will do,
 * and give what they have: a reader need not wait for more.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <zlib.h>

/** Bytes that can be looked at before they are read: enough for any capture's magic number. */
#define CAPTURE_STREAM_HEAD 4

/** Bytes of a compressed file that are read at a time. */
#define CAPTURE_STREAM_PACKED (64 * 1024)

struct capture_stream {
	int fd;
	uint64_t size;                     /**< public: of the file as it is; 0: not known */
	uint64_t done;                     /**< public: bytes of it that have been read */
	uint64_t served;                   /* unpacked bytes that stdio has taken */
	uint8_t head[CAPTURE_STREAM_HEAD]; /**< public: the first bytes, 0 where there are none */
	unsigned int head_len;
	const char *error;                 /* what has made reading fail */
	bool is_packed;
	z_stream z;
	uint8_t packed[CAPTURE_STREAM_PACKED];
};

/**
 * Open a file for reading; "-" is standard input.
 *
 * @param s
 *   Must stay valid, and where it is, until the stream is closed.
 * @return
 *   The stream, to be closed with fclose(), whose ftello() counts unpacked bytes; NULL and errno.
 */
FILE *capture_stream_open(struct capture_stream *s, const char *path);

/**
 * Why a stream ended early.
 *
 * @return
 *   What is wrong with the file or its compressed data; NULL when nothing is, the stream's end
 *   included.
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
