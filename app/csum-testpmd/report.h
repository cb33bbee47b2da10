/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _REPORT_H_
#define _REPORT_H_

/**
 * @file
 * Verdicts counted by protocol, and how they are shown: as a table for people, as JSON for
 * programs.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <csum_pkt.h>

#include "fields.h"

/** Whom a report is for. */
enum report_format {
	REPORT_TABLE, /**< people */
	REPORT_JSON,  /**< programs: an object */
	REPORT_TSV,   /**< programs: lines of names and values */
};

/** The protocols, in the order of all tables. New ones go to the end. */
enum report_column {
	REPORT_IP, /**< IPv4 headers */
	REPORT_UDP,
	REPORT_UDPLITE,
	REPORT_TCP,
	REPORT_ICMP,
	REPORT_ICMPV6,
	REPORT_IGMP,
	REPORT_SCTP,
	REPORT_DCCP,
	REPORT_GRE,
	REPORT_NB_COLUMNS
};

enum report_verdict {
	REPORT_GOOD,
	REPORT_BAD,
	REPORT_PARTIAL,
	REPORT_ZERO,
	REPORT_FRAGMENT,
	REPORT_TRUNCATED,
	REPORT_NB_VERDICTS
};

struct report_layers {
	uint64_t count[REPORT_NB_COLUMNS][REPORT_NB_VERDICTS];
};

/** The protocol of a layer; REPORT_NB_COLUMNS if layers of its type have no checksum. */
enum report_column report_column_of(enum csum_layer_type type);

/** "ethernet", "vlan", ... */
const char *report_layer_name(enum csum_layer_type type);

/** A verdict of the library that is not CSUM_VERDICT_NONE. */
enum report_verdict report_verdict_of(enum csum_verdict verdict);

/** "ip", "udp", ... */
const char *report_column_name(enum report_column column);

/** "good", "bad", ... */
const char *report_verdict_name(enum report_verdict verdict);

/** Sum of a verdict over all protocols. */
uint64_t report_total(const struct report_layers *layers, enum report_verdict verdict);

/** Print the protocols that occur as an aligned table with a header line. */
void report_layers_table(FILE *out, const struct report_layers *layers);

/** Add a group of groups to a report, "ip" and the like: all protocols, all verdicts. */
void report_layers_fields(struct fields *f, const char *name, const struct report_layers *layers);

/** Print "1 packet", "2 packets". */
void report_plural(FILE *out, uint64_t n, const char *what);

/** To be called when a report is complete: 0, or -1 and a message if not all of it was written. */
int report_finish(void);

#endif /* _REPORT_H_ */
