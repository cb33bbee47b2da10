/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PCAPNG_H_
#define _PCAPNG_H_

/**
 * @file
 * Reads the packets of a pcapng file (draft-ietf-opsawg-pcapng). libpcap wants all interfaces of
 * a file to be alike; here each has its own link type, time resolution and length of packets, and
 * sections may differ in byte order.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct pcapng;
struct capture_record;

/** Whether a file that begins so is pcapng. */
bool pcapng_is_magic(const uint8_t *head);

/**
 * Begin a file, and read as far as its first packet.
 *
 * @param file
 *   The file's stream; read from, and left to the caller to close.
 * @return
 *   The reader, also where the file is broken: pcapng_next() then fails. NULL: no memory.
 */
struct pcapng *pcapng_open(FILE *file);

/** Whether an interface described before the first packet stamps finer than microseconds. */
bool pcapng_is_nano(const struct pcapng *ng);

/**
 * Read the next packet.
 *
 * @param rec
 *   Set but for its frame number; the link type is one of libpcap's DLT_*.
 * @return
 *   - 1: *rec is it.
 *   - 0: the file has ended.
 *   - -1: the rest cannot be read; pcapng_error() says why.
 */
int pcapng_next(struct pcapng *ng, struct capture_record *rec);

/** Where in the file the block begins that was read last. */
uint64_t pcapng_offset(const struct pcapng *ng);

/** Why pcapng_next() failed. */
const char *pcapng_error(const struct pcapng *ng);

void pcapng_close(struct pcapng *ng);

#endif /* _PCAPNG_H_ */
