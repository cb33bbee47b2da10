/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PACKET_H_
#define _PACKET_H_

/**
 * @file
 * A captured packet as the library sees it: mbufs laid over its bytes, and its layers.
 */

#include <stdint.h>

#include <rte_mbuf.h>

#include <csum_pkt.h>

#include "capture.h"

/* data_len has 16 bits. */
#define PACKET_SEG_MAX UINT16_MAX
#define PACKET_NB_SEGS ((CAPTURE_MAX_CAPLEN + PACKET_SEG_MAX - 1) / PACKET_SEG_MAX)

struct packet {
	struct rte_mbuf seg[PACKET_NB_SEGS]; /**< public: the first one heads the chain */
	struct csum_pkt pkt;                 /**< public: the layers */
};

/**
 * Parse a record. pkt_len is the frame's, so that what was cut is missing.
 *
 * @param p
 *   Refers to the record's bytes from now on; needs no EAL. What is written to its mbufs goes to
 *   the record.
 */
void packet_parse(struct packet *p, const struct capture_record *rec);

/** The same for bytes that begin with an Ethernet header; CAPTURE_MAX_CAPLEN at most. */
void packet_parse_frame(struct packet *p, const uint8_t *data, uint32_t caplen, uint32_t len);

#endif /* _PACKET_H_ */
