/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _EXPLAIN_H_
#define _EXPLAIN_H_

/**
 * @file
 * One packet for people to read: its layers, its checksums, its bytes.
 */

#include <stdio.h>

#include "packet.h"

/**
 * Print a packet, layer by layer: where each is, what its checksum is and ought to be, what a wrong
 * one looks like, and the bytes, those of checksums in brackets.
 *
 * @param p
 *   Parsed from @p rec.
 */
void explain(FILE *out, const struct capture_record *rec, const struct packet *p);

#endif /* _EXPLAIN_H_ */
