/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _INSIDE_H_
#define _INSIDE_H_

/**
 * @file
 * From inside to outside: packets of the TUN device are cut to segments, get their checksums in the
 * one copy that this takes, are sealed where they lie, and leave by the port. A packet that is no
 * super-packet is not copied at all.
 */

#include <csum_gso.h>

#include "wg.h"
#include "counters.h"
#include "outer.h"
#include "tun.h"

#define INSIDE_HELD 64 /**< packets a peer that wait for a handshake */

/** What the data path knows of a peer. */
struct inside_peer {
	struct outer_path path;
	uint16_t nb_held;
	struct rte_mbuf *held[INSIDE_HELD];
};

struct inside {
	struct wg_device *dev;
	struct tun *tun;
	struct outer *outer;
	struct counters *counters;
	unsigned int break_nth;        /**< one segment in so many gets a wrong checksum; 0: none */

	struct inside_peer *peers;     /**< by wg_peer_id() */
	struct rte_mbuf *super;        /**< being cut; NULL: none */
	struct wg_peer *super_peer;    /**< where it goes */
	struct csum_gso_conf conf;
	struct csum_gso_iter it;
};

/**
 * Begin.
 *
 * @param in
 *   dev, tun, outer, counters and break_nth are the caller's to set, the rest is 0.
 * @return
 *   false: no memory.
 */
bool inside_open(struct inside *in);

/** Free what waits. */
void inside_close(struct inside *in);

/** Carry some packets. Returns 0 if there was nothing to do. */
unsigned int inside_run(struct inside *in, uint64_t mono);

/** There is a session with a peer: send what waits for it. */
void inside_established(struct inside *in, struct wg_peer *peer, uint64_t mono);

/** There will be none: drop what waits. */
void inside_gave_up(struct inside *in, const struct wg_peer *peer);

#endif /* _INSIDE_H_ */
