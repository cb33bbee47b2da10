/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _FRAME_H_
#define _FRAME_H_

/**
 * @file
 * Captured packets as Ethernet frames.
 */

#include <stdint.h>

#include <rte_ether.h>

#include "capture.h"

/** Bytes of the longest record with an Ethernet header before it. */
#define FRAME_MAX (CAPTURE_MAX_CAPLEN + RTE_ETHER_HDR_LEN)

struct frame {
	const uint8_t *data;
	uint32_t caplen;
	uint32_t len;
};

/**
 * Make a frame of a record. One without an Ethernet header gets one with made-up addresses.
 *
 * @param buf
 *   FRAME_MAX bytes; holds the frame if it needed a header.
 * @param frame
 *   Set to the frame; refers to the record or to @p buf.
 */
void frame_of(const struct capture_record *rec, uint8_t *buf, struct frame *frame);

#endif /* _FRAME_H_ */
