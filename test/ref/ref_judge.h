/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _REF_JUDGE_H_
#define _REF_JUDGE_H_

/**
 * @file
 * The judge of every checksum in a frame, a byte at a time and straight from the RFCs. It includes
 * nothing of the library that it checks.
 *
 * Functions keep no state: they may be called from any thread.
 */

#include <stdbool.h>
#include <stdint.h>

/** Link types as capture files number them (pcap_datalink() and LINKTYPE_ values). */
#define REF_LINK_NULL   0
#define REF_LINK_ETHER  1
#define REF_LINK_RAW_BSD 12
#define REF_LINK_RAW    101
#define REF_LINK_LOOP   108
#define REF_LINK_SLL    113
#define REF_LINK_IPV4   228
#define REF_LINK_IPV6   229
#define REF_LINK_SLL2   276

/** Protocols that carry a checksum. */
enum ref_column {
	REF_IP,      /**< IPv4 headers */
	REF_UDP,
	REF_UDPLITE,
	REF_TCP,
	REF_ICMP,
	REF_ICMPV6,
	REF_IGMP,
	REF_SCTP,
	REF_DCCP,
	REF_GRE,     /**< headers that have the checksum field */
	REF_NB_COLUMNS
};

enum ref_verdict {
	REF_GOOD,
	REF_BAD,
	REF_PARTIAL,   /**< the field holds the pseudo header's sum, with or without the length */
	REF_ZERO,      /**< UDP without checksum where that is legal */
	REF_FRAGMENT,  /**< lies in a fragment */
	REF_TRUNCATED, /**< what it covers is not all there */
	REF_NB_VERDICTS
};

/** Headers walked in one frame, at most. What lies deeper is not judged. */
#define REF_MAX_HEADERS 64

/** What a frame holds. */
struct ref_report {
	/** Per column: verdicts, outermost layer first. */
	enum ref_verdict list[REF_NB_COLUMNS][REF_MAX_HEADERS];
	unsigned int count[REF_NB_COLUMNS];
	/** Bytes of the outermost IP packet, by its own length; 0 when there is none. */
	uint64_t ip_len;
	/** Some IP header has a length of 0 that means "to the end", or a jumbo option's. */
	bool zero_len;
};

/** "ip", "udp", ...: as the columns of a table are named. */
const char *ref_column_name(enum ref_column column);

/** "good", "bad", ... */
const char *ref_verdict_name(enum ref_verdict verdict);

/**
 * Judge every checksum in a frame.
 *
 * @param data
 *   The frame. Reads [data, data + caplen) at most; writes nothing.
 * @param caplen
 *   Bytes that are there.
 * @param len
 *   Bytes that the frame had on the wire; less than @p caplen counts as @p caplen.
 * @param link_type
 *   REF_LINK_*.
 * @param report
 *   Set to what was found.
 * @return
 *   - 0: judged; a frame without any checksum counts.
 *   - -ENOTSUP: the link type is not known; @p report is untouched.
 */
int ref_judge(const uint8_t *data, uint32_t caplen, uint32_t len, int link_type,
	      struct ref_report *report);

#endif /* _REF_JUDGE_H_ */
