/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _REPLAY_REPORT_H_
#define _REPLAY_REPORT_H_

#include <stdint.h>

#include "replay.h"
#include "replay_plan.h"
#include "report.h"

struct replay_stats {
	uint64_t packets_in;
	uint64_t super_packets;
	uint64_t segments_out;               /**< pieces of super-packets */
	uint64_t packets_out;
	uint64_t bytes_out;                  /**< with a port: sent */
	double seconds;                      /**< with a port: from the first packet to the last */
	uint64_t filled[REPORT_NB_COLUMNS];  /**< checksums put right in packets not cut */
	uint64_t refused[REPLAY_REFUSAL_MAX];
	struct report_layers before;
	struct report_layers after;
};

/** Have the reference judge a frame with an Ethernet header, and count its layers. */
void replay_judge(struct report_layers *layers, const uint8_t *data, uint32_t caplen,
		  uint32_t len);

/** Count the layers of a packet whose checksums were filled; bit i of @p layers is layer i. */
void replay_filled_add(struct replay_stats *stats, const struct csum_pkt *pkt, uint32_t layers);

/** The exit status that the numbers call for: 0 or 1. */
int replay_status(const struct replay_stats *stats);

/** Print the numbers to standard output. */
void replay_report(const struct replay_params *params, const struct replay_stats *stats);

#endif /* _REPLAY_REPORT_H_ */
