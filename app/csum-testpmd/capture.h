/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _CAPTURE_H_
#define _CAPTURE_H_

/**
 * @file
 * Reads a capture file, pcap or pcapng, packet by packet.
 */

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include <pcap/pcap.h>

#include <csum_pkt.h>

/** Most bytes of one record; libpcap takes no longer ones either. */
#define CAPTURE_MAX_CAPLEN 262144

/** A capture being read. What the caller may look at is marked. */
struct capture {
	pcap_t *pcap;
	const char *path;
	int link_type;    /**< public: DLT_* of every packet */
	bool nanoseconds; /**< public: the file's time stamps are finer than microseconds */
	uint64_t nb_read;
	char error[PATH_MAX + PCAP_ERRBUF_SIZE + 64]; /**< public: what went wrong, with the file */
};

/** One packet. */
struct capture_record {
	const uint8_t *data; /**< valid until the next call */
	uint32_t caplen;     /**< bytes at data */
	uint32_t len;        /**< bytes of the frame on the wire, at least caplen */
	uint64_t ns;         /**< nanoseconds since 1970 */
	uint64_t frame;      /**< number in the file, from 1 */
	int link_type;       /**< DLT_* */
};

/** Where parsing begins: the arguments of csum_pkt_parse(). */
struct capture_start {
	uint32_t off;
	enum csum_link link;
	uint16_t ether_type;
};

/**
 * Open a file; "-" is standard input.
 *
 * @param path
 *   Must stay valid until capture_close().
 * @return
 *   0; or -1 when it cannot be read or its link type is not supported: c->error says why, and
 *   there is nothing to close.
 */
int capture_open(struct capture *c, const char *path);

/**
 * Read the next packet.
 *
 * @return
 *   - 1: *rec is it.
 *   - 0: the file has ended.
 *   - -1: the rest cannot be read; c->error names the file, the packet and the reason.
 */
int capture_next(struct capture *c, struct capture_record *rec);

void capture_close(struct capture *c);

/** Tell whether capture_start_of() knows a link type. */
bool capture_link_is_known(int link_type);

/**
 * Find what a packet begins with. A pseudo header that the capture put before the packet is passed
 * over; what it says of a packet without IP, or when it is cut, is EtherType 0.
 */
void capture_start_of(const struct capture_record *rec, struct capture_start *start);

#endif /* _CAPTURE_H_ */
