/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PACE_H_
#define _PACE_H_

/**
 * @file
 * When to send: packets at the pace of their capture, or at a rate, by the time stamp counter.
 */

#include <stdbool.h>
#include <stdint.h>

/** At most one of these is set. None: at the capture's own pace. */
struct pace_params {
	double speed;  /**< times the capture's pace */
	uint32_t pps;  /**< packets on the wire a second */
	uint32_t mbps; /**< 10^6 bits of frames as they were captured a second */
	bool topspeed; /**< without waiting */
};

struct pace {
	const struct pace_params *params;
	uint64_t start;      /* TSC at the first packet */
	uint64_t latest_ns;  /* the latest time stamp so far ... */
	uint64_t elapsed_ns; /* ... and how long after the first one that is, without steps */
	uint64_t nb_steps;   /**< public: steps of time stamps that were too long to wait for */
	uint64_t nb_packets;
	uint64_t nb_bytes;
	bool begun;
};

/** Begin; the first packet is due at once. For a capture's next round, begin again. */
void pace_begin(struct pace *pace, const struct pace_params *params);

/**
 * The time at which a packet is due, and counts it. At the capture's own pace, a packet older than
 * one before it is due at once, and a step of the time stamps by more than an hour, either way,
 * takes no time: the pace goes on from there.
 *
 * @param ns
 *   Its time stamp.
 * @param nb_packets
 *   How many packets it is on the wire.
 * @param nb_bytes
 *   Its length.
 * @return
 *   TSC; 0 is at once.
 */
uint64_t pace_due(struct pace *pace, uint64_t ns, uint32_t nb_packets, uint32_t nb_bytes);

#endif /* _PACE_H_ */
