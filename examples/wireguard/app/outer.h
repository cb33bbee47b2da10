/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _OUTER_H_
#define _OUTER_H_

/**
 * @file
 * The outer network: datagrams by a DPDK port, with Ethernet, IP and UDP headers.
 */

#include <rte_mbuf.h>

#include "wg.h"
#include "counters.h"
#include "neighbour.h"

/** Bytes of Ethernet, IPv6 and UDP headers: more than those with IPv4. */
#define OUTER_MAX_LEN 62
#define OUTER_BURST   32
#define OUTER_BACKLOG 256 /**< frames that wait for the port */

/** Our place in the outer network, for IPv4 or IPv6. */
struct outer_net {
	struct wg_prefix address; /**< addr.len 0: none */
	struct wg_addr gateway;   /**< len 0: none */
};

struct outer {
	uint16_t port_id;
	uint16_t listen_port;
	uint64_t tx_offloads;     /**< RTE_ETH_TX_OFFLOAD_* that the port does */
	struct outer_net net[2];  /**< IPv4, IPv6 */
	struct neighbours nbs;
	struct counters *counters;
	uint16_t ip_id;
	uint16_t nb_tx;
	struct rte_mbuf *tx[OUTER_BACKLOG];
};

/** The way to an endpoint: headers but for lengths, ID and checksums. */
struct outer_path {
	struct wg_endpoint to;
	struct wg_addr next_hop; /**< len 0: there is none */
	uint16_t hint;           /**< of neighbour_send() */
	uint8_t headers_len;
	uint8_t headers[OUTER_MAX_LEN] __rte_aligned(2);
	uint64_t ol_flags;       /**< what is to be done */
	uint64_t todo;           /**< of that, what the port does not do */
	uint64_t tx_offload;     /**< lengths for it */
};

/**
 * Begin with a port that has been started.
 *
 * @param outer
 *   port_id, listen_port, tx_offloads, net and counters are the caller's to set, the rest is 0.
 * @param pool
 *   For frames of its own.
 */
void outer_open(struct outer *outer, struct rte_mempool *pool);

/** Free what waits. */
void outer_close(struct outer *outer);

/** Make a path lead to an endpoint; cheap if it does already. */
void outer_path_set(const struct outer *outer, struct outer_path *path,
		    const struct wg_endpoint *to);

/**
 * Send a datagram, with the next outer_flush().
 *
 * @param m
 *   UDP payload in one mbuf, with OUTER_MAX_LEN bytes of headroom; taken over.
 */
void outer_send(struct outer *outer, struct outer_path *path, struct rte_mbuf *m, uint64_t now);

/** Send a message of the protocol's own. */
void outer_send_message(struct outer *outer, const struct wg_message *message, uint64_t now);

/** Hand what waits to the port. Returns how much it did not take. */
uint16_t outer_flush(struct outer *outer);

/** A datagram that came to our address and port. */
struct outer_datagram {
	struct wg_endpoint from;
	uint8_t *data; /**< in the mbuf */
	uint32_t len;
};

/**
 * Look at a frame that was received.
 *
 * @return
 *   true: it is a datagram for us, complete and with right checksums. false: something else, which
 *   has been answered or counted. The mbuf remains the caller's.
 */
bool outer_receive(struct outer *outer, struct rte_mbuf *m, struct outer_datagram *datagram,
		   uint64_t now);

#endif /* _OUTER_H_ */
