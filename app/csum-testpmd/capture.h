/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _CAPTURE_H_
#define _CAPTURE_H_

/**
 * @file
 * Reads a capture file, pcap or pcapng, compressed with gzip or not, packet by packet.
 */

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <pcap/pcap.h>

#include <csum_pkt.h>

#include "capture_stream.h"

/** Most bytes of one record; libpcap takes no longer ones either. */
#define CAPTURE_MAX_CAPLEN 262144

/** The link type of a pcapng file, in which each packet has its own. */
#define CAPTURE_LINK_MIXED (-1)

/** A capture being read. What the caller may look at is marked. */
struct capture {
	struct capture_stream stream;
	FILE *file;          /* NULL once it is libpcap's */
	pcap_t *pcap;        /* a pcap file ... */
	struct pcapng *ng;   /* ... or a pcapng file */
	const char *path;
	int link_type;       /**< public: DLT_* of all packets, or CAPTURE_LINK_MIXED */
	bool nanoseconds;    /**< public: the file's time stamps are finer than microseconds */
	uint64_t nb_read;
	uint64_t nb_skipped; /**< public: packets that capture_skips() was right about */
	uint64_t offset;     /* where what was read last begins, in the unpacked file */
	uint32_t named[(UINT16_MAX + 1) / 32]; /* link types: has been reported */
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
 *   0; or -1 when it cannot be read, or is a pcap file whose link type is not supported: c->error
 *   says why, and there is nothing to close.
 */
int capture_open(struct capture *c, const char *path);

/**
 * Read the next packet.
 *
 * @return
 *   - 1: *rec is it.
 *   - 0: the file has ended.
 *   - -1: the rest cannot be read; c->error names the file, the packet, its place in the
 *     unpacked file and the reason.
 */
int capture_next(struct capture *c, struct capture_record *rec);

/**
 * Tell whether a packet is to be skipped because its link type is not supported, and count it. The
 * first one of each type is named on standard error. Only pcapng files have packets like that
 * beside others.
 */
bool capture_skips(struct capture *c, const struct capture_record *rec);

/** Bytes of the file, packed where it is compressed; 0 when they are not known. */
uint64_t capture_size(const struct capture *c);

/** How many bytes of the file have been read. */
uint64_t capture_done(const struct capture *c);

void capture_close(struct capture *c);

/** "EN10MB", ..., "unknown". */
const char *capture_link_name(int link_type);

/** The i-th link type that capture_start_of() knows, or -1 behind the last. */
int capture_link_at(unsigned int i);

/** Tell whether capture_start_of() knows a link type. */
bool capture_link_is_known(int link_type);

/**
 * Find what a packet begins with. A pseudo header that the capture put before the packet is passed
 * over; what it says of a packet without IP, or when it is cut, is EtherType 0.
 */
void capture_start_of(const struct capture_record *rec, struct capture_start *start);

#endif /* _CAPTURE_H_ */
