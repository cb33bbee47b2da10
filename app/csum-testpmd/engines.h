/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _ENGINES_H_
#define _ENGINES_H_

/**
 * @file
 * What a forwarding engine is, and what it works with.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_ether.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "parameters.h"
#include "port.h"
#include "traffic.h"

struct csum_gso_conf;
struct gro;

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

/** What becomes of packets that a port does not take at once. */
struct fwd_retry {
	uint32_t nb;               /**< it is tried again so many times; 0: dropped at once */
	uint32_t delay_us;         /**< before each */
};

/** One Rx queue and the Tx queue that its packets go to; used by one lcore at a time. */
struct fwd_stream {
	uint16_t rx_port;
	uint16_t rx_queue;
	uint16_t tx_port;
	uint16_t tx_queue;
	struct rte_ether_addr peer; /**< the neighbour that the Tx port talks to */
	uint16_t burst;            /**< packets to receive at once */
	const struct port *tx;     /**< the Tx port; does not change while forwarding */
	struct rte_mempool *pool;  /**< for packets made here, */
	const struct traffic *traffic; /**< which look like this */
	atomic_uint *verbose;      /**< see dump.h; may change at any time */
	struct fwd_retry retry;
	const atomic_bool *stop;   /**< set when forwarding is to end: nothing is tried again */
	uint32_t next_flow;        /**< flowgen: the flow of the next packet */
	struct gro *gro;           /**< csum: merges what is received; NULL: nothing is merged */
	uint16_t gso_size;         /**< csum: longer frames are cut; 0: none is */
	const struct csum_gso_conf *gso; /**< csum: and this is how */
	struct fwd_counters counters;
} __rte_cache_aligned;

/** A way to forward. */
struct fwd_engine {
	const char *name;
	bool echo;                 /**< packets go out by the port that they came in by */
	bool generates;            /**< packets are made, as traffic.h says */
	/**
	 * Called for each stream before forwarding starts; may be NULL. Returns 0, or -1 when it
	 * has printed why it cannot begin.
	 */
	int (*begin)(struct fwd_stream *stream);
	/** Receive and send one burst. */
	void (*forward)(struct fwd_stream *stream);
	/** Called for each stream that has begun, when forwarding has ended; may be NULL. */
	void (*end)(struct fwd_stream *stream);
};

/** Packets as they come. */
extern const struct fwd_engine engine_io;

/** Packets with the addresses of the port and of its neighbour. */
extern const struct fwd_engine engine_mac;

/** Packets with their addresses exchanged. */
extern const struct fwd_engine engine_macswap;

/** Packets of many flows are made, those received are dropped. */
extern const struct fwd_engine engine_flowgen;

/** Packets are received and dropped. */
extern const struct fwd_engine engine_rxonly;

/** Packets of one flow are made, none is received. */
extern const struct fwd_engine engine_txonly;

/** Checksums made; packets merged, cut, or handed down to be cut. */
extern const struct fwd_engine engine_csum;

/** ARP requests and ICMP echo requests are answered, everything else is dropped. */
extern const struct fwd_engine engine_icmpecho;

/** The names of all engines, NULL behind the last. The first is the default. */
extern const char *const engine_names[];

/** The same, as a command's token wants them. */
#define ENGINE_WORDS "io#mac#macswap#flowgen#rxonly#txonly#csum#icmpecho"

/** An engine by the index of its name, or by its name, which must be one of those above. */
const struct fwd_engine *engine_get(unsigned int i);
const struct fwd_engine *engine_find(const char *name);

/**
 * Receive a burst.
 *
 * @param pkts
 *   Room for APP_MAX_BURST packets.
 * @return
 *   Packets received, the caller's.
 */
uint16_t stream_receive(struct fwd_stream *stream, struct rte_mbuf **pkts);

/** Receive a burst and free it. */
void stream_drop(struct fwd_stream *stream);

/**
 * Allocate packets for a burst.
 *
 * @param pkts
 *   Room for APP_MAX_BURST packets.
 * @return
 *   Packets allocated: fewer than a burst, 0 perhaps, when there are no more.
 */
uint16_t stream_alloc(const struct fwd_stream *stream, struct rte_mbuf **pkts);

/**
 * Send packets; those that the port does not take are freed and counted. A burst of none lets the
 * port free what it has sent.
 *
 * @return
 *   Packets sent.
 */
uint16_t stream_send(struct fwd_stream *stream, struct rte_mbuf **pkts, uint16_t nb_pkts);

#endif /* _ENGINES_H_ */
