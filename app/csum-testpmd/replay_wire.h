/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _REPLAY_WIRE_H_
#define _REPLAY_WIRE_H_

/**
 * @file
 * Sends packets for good, each when it is due.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

#define REPLAY_WIRE_BURST 32

struct replay_wire {
	struct rte_mbuf *burst[REPLAY_WIRE_BURST];
	unsigned int nb;
	uint64_t start;      /* TSC, before the first packet */
	uint64_t nb_pieces;  /* packets that ought to leave */
	uint64_t nb_out;     /**< public, when finished: packets that did */
	uint64_t nb_bytes;   /**< public, when finished: their bytes */
	uint64_t nb_refused; /**< public, when finished: packets that the port refused */
	double seconds;      /**< public, when finished */
	uint16_t id;
};

/** Begin on a started port's Tx queue 0. From now on, SIGINT and SIGTERM are only noted. */
void replay_wire_begin(struct replay_wire *wire, uint16_t id);

/** Tell whether a signal has asked for the end. */
bool replay_wire_is_stopped(void);

/**
 * Send a packet.
 *
 * @param m
 *   The packet; no longer the caller's.
 * @param nb_pieces
 *   How many packets the port will make of it.
 * @param due
 *   TSC to wait for; 0: it may go with others.
 * @return
 *   0; or -1 when the port takes nothing any more, or a signal came while waiting.
 */
int replay_wire_put(struct replay_wire *wire, struct rte_mbuf *m, uint32_t nb_pieces,
		    uint64_t due);

/**
 * Send what is left, wait until the port has done with it, and count.
 *
 * @return
 *   0; or -1 when the port does not get rid of it, which has been said.
 */
int replay_wire_finish(struct replay_wire *wire);

#endif /* _REPLAY_WIRE_H_ */
