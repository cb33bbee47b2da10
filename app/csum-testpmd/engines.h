/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _ENGINES_H_
#define _ENGINES_H_

/**
 * @file
 * What a forwarding engine is, and what it works with.
 */

#include <stdatomic.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_mbuf.h>

#include "parameters.h"
#include "port.h"

/** What a stream has counted since it was set up. */
struct fwd_counters {
	uint64_t rx_packets;
	uint64_t tx_packets;
	uint64_t tx_dropped;       /**< refused by tx_prepare, or not taken by the port */
	uint64_t bad_ip;           /**< Rx flags say so: IPv4 header checksum, */
	uint64_t bad_l4;           /**< L4 checksum, */
	uint64_t bad_outer_ip;     /**< outer IPv4 header checksum, */
	uint64_t bad_outer_l4;     /**< outer UDP checksum */
};

/** One Rx queue and the Tx queue that its packets go to; used by one lcore at a time. */
struct fwd_stream {
	uint16_t rx_port;
	uint16_t rx_queue;
	uint16_t tx_port;
	uint16_t tx_queue;
	uint16_t peer;             /**< number of the neighbour that the Tx port talks to */
	uint16_t burst;            /**< packets to receive at once */
	const struct port *tx;     /**< the Tx port; does not change while forwarding */
	atomic_uint *verbose;      /**< above 0: print each packet; may change at any time */
	struct fwd_counters counters;
} __rte_cache_aligned;

/** A way to forward. */
struct fwd_engine {
	const char *name;
	/** Receive and send one burst. */
	void (*forward)(struct fwd_stream *stream);
};

/** Packets as they come. */
extern const struct fwd_engine engine_io;

/** Checksums made, and large TCP packets handed down to be segmented. */
extern const struct fwd_engine engine_csum;

/** The names of all engines, NULL behind the last. The first is the default. */
extern const char *const engine_names[];

/** The same, as a command's token wants them. */
#define ENGINE_WORDS "io#csum"

/** An engine by the index of its name, or by its name, which must be one of those above. */
const struct fwd_engine *engine_get(unsigned int i);
const struct fwd_engine *engine_find(const char *name);

/** The Ethernet address of a stream's neighbour. */
static inline struct rte_ether_addr
stream_peer_addr(const struct fwd_stream *stream)
{
	return (struct rte_ether_addr){ { 0x02, 0, 0, 0, stream->peer >> 8, stream->peer & 0xff } };
}

/**
 * Receive a burst.
 *
 * @param pkts
 *   Room for APP_MAX_BURST packets.
 * @return
 *   Packets received, the caller's.
 */
uint16_t stream_receive(struct fwd_stream *stream, struct rte_mbuf **pkts);

/** Send packets; those that the port does not take are freed and counted. */
void stream_send(struct fwd_stream *stream, struct rte_mbuf **pkts, uint16_t nb_pkts);

#endif /* _ENGINES_H_ */
