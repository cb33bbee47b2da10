/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _REPLAY_PLAN_H_
#define _REPLAY_PLAN_H_

/**
 * @file
 * What is to be done with a packet, and the preparations for it.
 */

#include <stdbool.h>
#include <stdint.h>

#include <csum_gso.h>
#include <csum_pkt.h>

#include "request.h"

/** Reasons to refuse a packet: the library's, and these. */
enum replay_refusal {
	REPLAY_REFUSAL_SNAPPED = CSUM_REFUSAL_MAX, /**< the capture holds only its beginning */
	REPLAY_REFUSAL_TRUNCATED, /**< it ends before its own length fields say */
	REPLAY_REFUSAL_PORT,      /**< the port did not send it */
	REPLAY_REFUSAL_LINK_TYPE, /**< it cannot be given an Ethernet header */
	REPLAY_REFUSAL_TOO_LONG,  /**< with an Ethernet header it is longer than a record may be */
	REPLAY_REFUSAL_MAX
};

/** A short name for a reason, as reports show it. */
const char *replay_refusal_name(unsigned int refusal);

enum replay_verb {
	REPLAY_SEND,   /**< send it: its metadata asks for what is to be done */
	REPLAY_CUT,    /**< have the library cut it: metadata cannot say how */
	REPLAY_REFUSE, /**< leave it alone; the packet may have been changed */
};

/** What is wanted. */
struct replay_how {
	struct request_sizes sizes; /**< how to cut super-packets */
	bool fix_only;              /**< cut nothing */
	bool keep_bad;              /**< fill checksums that are partial alone */
};

struct replay_plan {
	enum replay_verb verb;
	unsigned int refusal;    /**< REPLAY_REFUSE: enum csum_refusal or replay_refusal */
	bool super;              /**< it is a super-packet */
	uint32_t nb_pieces;      /**< packets that it becomes, unless refused */
	uint32_t filled;         /**< layers whose checksums are filled, bit i for layer i */
	struct csum_pkt pkt;     /**< its headers */
	struct csum_gso_req req; /**< how it is cut, if it is */
};

/**
 * Decide on a packet, and prepare it.
 *
 * @param m
 *   The packet, from its Ethernet header on, writable. May be shortened, may have lengths and
 *   checksums filled, and is given Tx metadata.
 * @param snapped
 *   Whether bytes are missing at its end.
 * @param how
 *   What is wanted.
 * @param conf
 *   The library's part of that.
 * @param it
 *   For REPLAY_CUT: begun, so that it makes the pieces. Else scratch memory.
 * @param plan
 *   Set to what is to be done.
 */
void replay_plan(struct rte_mbuf *m, bool snapped, const struct replay_how *how,
		 const struct csum_gso_conf *conf, struct csum_gso_iter *it,
		 struct replay_plan *plan);

/**
 * Tell whether a packet is to stay as it is: it has all its bytes, is no super-packet, and no
 * checksum is to be filled. replay_plan() would come to the same.
 *
 * @param m
 *   The packet, from its Ethernet header on; is only read.
 * @param pkt
 *   Its headers.
 */
bool replay_plan_is_idle(const struct rte_mbuf *m, const struct csum_pkt *pkt,
			 const struct replay_how *how);

#endif /* _REPLAY_PLAN_H_ */
