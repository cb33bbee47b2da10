/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _DIFF_PACKET_H_
#define _DIFF_PACKET_H_

/**
 * @file
 * Packets that are compared: which belong together, and how two differ.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture.h"
#include "packet.h"

/** A packet kept, as an Ethernet frame. */
struct diff_packet {
	uint64_t frame;
	uint32_t caplen;
	uint32_t len;
	uint8_t *data;
	struct packet parsed; /**< refers to data */
};

/** What differs, in words, and whether that matters. */
struct diff_finding {
	char text[256];
	bool matters;
};

/**
 * Keep a packet.
 *
 * @return
 *   The packet, for diff_packet_free(); NULL without memory.
 */
struct diff_packet *diff_packet_new(const struct capture_record *rec);

/** NULL is allowed. */
void diff_packet_free(struct diff_packet *p);

/** Whether two packets are the same to the last byte. */
bool diff_is_equal(const struct diff_packet *a, const struct diff_packet *b);

/** Whether @p b is @p a, changed: of the same flow, at the same place in it. */
bool diff_is_same(const struct diff_packet *a, const struct diff_packet *b);

/** Find what @p b, the same packet as @p a, has that is different. */
void diff_compare(const struct diff_packet *a, const struct diff_packet *b,
		  struct diff_finding *finding);

/** A super-packet being put together from its pieces. */
struct diff_pieces {
	const struct diff_packet *whole;
	uint32_t done;    /**< payload bytes that pieces have had */
	uint32_t total;
	unsigned int nb;  /**< pieces */
	bool payload_differs;
	bool not_good;    /**< a checksum of a piece is bad or partial */
};

/** Begin. */
void diff_pieces_begin(struct diff_pieces *pieces, const struct diff_packet *whole);

/** Take the next packet, if it is a piece; return whether it is. */
bool diff_pieces_take(struct diff_pieces *pieces, const struct diff_packet *b);

/** What is to be said of the pieces. */
void diff_pieces_end(const struct diff_pieces *pieces, struct diff_finding *finding);

/** Append to a finding, after a comma if need be; what does not fit is left out. */
void diff_say(struct diff_finding *finding, bool matters, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* _DIFF_PACKET_H_ */
