/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WRITER_H_
#define _WRITER_H_

/**
 * @file
 * Writes Ethernet frames to a capture file that appears under its name only when it is complete.
 *
 * At most one writer is open at a time: a signal that ends the process removes its temporary file.
 */

#include <stdbool.h>
#include <stdint.h>

struct writer;

/**
 * Begin a capture: pcapng if the name ends in ".pcapng" or ".pcapng.gz", else pcap; compressed if
 * it ends in ".gz". What is written goes to a temporary file in the same folder.
 *
 * @param path
 *   The file to be; must stay valid until the writer is gone. "-" is standard output: what else
 *   the process prints there goes to standard error from now on.
 * @param force
 *   Whether an existing regular file of that name may be replaced; another kind of file never is.
 * @param nano
 *   Keep time stamps in nanoseconds, else in microseconds.
 * @param w
 *   Set to the writer, to be given to writer_commit() or writer_abort().
 * @return
 *   - 0: begun.
 *   - -EEXIST: the file exists and stays as it is.
 *   - -ENOTTY: standard output is a terminal.
 *   - another negative errno: the folder or the file cannot be written.
 */
int writer_open(const char *path, bool force, bool nano, struct writer **w);

/** Tell whether a time stamp fits the format: the seconds of pcap have 32 bits. */
bool writer_holds(const struct writer *w, uint64_t ns);

/**
 * Add a frame. An error is kept for writer_error() and writer_commit().
 *
 * @param data
 *   @p caplen bytes, from the Ethernet header on.
 * @param len
 *   Bytes of the frame on the wire, @p caplen or more.
 * @param ns
 *   Time stamp in nanoseconds since 1970, one that writer_holds().
 */
void writer_put(struct writer *w, const uint8_t *data, uint32_t caplen, uint32_t len,
		uint64_t ns);

/** The first error of writing so far, a negative errno, or 0: to end early on a full disk. */
int writer_error(const struct writer *w);

/**
 * Complete the file, give it its name, and free the writer.
 *
 * @return
 *   0, or a negative errno: then nothing is left behind, and an older file of that name is as it
 *   was.
 */
int writer_commit(struct writer *w);

/** Leave no file behind, and free the writer. NULL is allowed. */
void writer_abort(struct writer *w);

#endif /* _WRITER_H_ */
