/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _REPLAY_PORT_H_
#define _REPLAY_PORT_H_

/**
 * @file
 * A net_soft_csum port over a ring: what is sent on it comes back as it would be on the wire. Or
 * over another port: then it leaves.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>
#include <rte_ring.h>

struct replay_port {
	struct rte_mempool *pool;
	struct rte_ring *ring; /* NULL over another port */
	uint64_t nb_refused; /**< packets that the port has refused so far */
	int ns_off;          /**< where an mbuf holds its time stamp */
	uint16_t id;
	uint16_t lower;      /* the port below */
};

/** Takes a packet that came out; the mbuf is then freed. */
typedef void (*replay_sink)(void *arg, struct rte_mbuf *m);

/**
 * Create and start the port.
 *
 * @param lower
 *   Id, name or PCI address of the port below; NULL: a ring.
 * @param uso
 *   Whether UDP_SEG means datagrams, else IP fragments.
 * @return
 *   0, or -1 when the reason has been printed to stderr; there is nothing to close then.
 */
int replay_port_open(struct replay_port *port, const char *lower, bool uso);

/** Remove the port and all that belongs to it, and close the port below. */
void replay_port_close(struct replay_port *port);

/**
 * Make a packet, a chain where it is long.
 *
 * @param ns
 *   Its time stamp, which its segments inherit.
 * @return
 *   The packet; NULL when the pool is empty.
 */
struct rte_mbuf *replay_port_packet(const struct replay_port *port, const uint8_t *data,
				    uint32_t len, uint64_t ns);

/** The time stamp of a packet. */
uint64_t replay_port_ns(const struct replay_port *port, const struct rte_mbuf *m);

/**
 * Send a packet over a ring, and take in what becomes of it.
 *
 * @param m
 *   The packet; no longer the caller's.
 * @param nb_pieces
 *   How many packets it will become.
 * @param sink, arg
 *   Called for each of them.
 * @return
 *   - @p nb_pieces: all came out.
 *   - 0: the port refused the packet.
 *   - -1: the port has stopped half-way and cannot be used any more.
 */
int replay_port_send(struct replay_port *port, struct rte_mbuf *m, uint32_t nb_pieces,
		     replay_sink sink, void *arg);

#endif /* _REPLAY_PORT_H_ */
