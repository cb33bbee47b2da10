/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _NEIGHBOUR_H_
#define _NEIGHBOUR_H_

/**
 * @file
 * MAC addresses of the outer network: ARP (RFC 826) and as much of IPv6 neighbour discovery
 * (RFC 4861) as it takes to find the next hops and to be found. No duplicate address detection, no
 * routers by themselves, no redirects.
 */

#include <rte_ether.h>
#include <rte_mbuf.h>

#include <csum_pkt.h>

#include "wg_config.h"
#include "counters.h"

#define NEIGHBOUR_MAX  64 /**< next hops */
#define NEIGHBOUR_HELD 32 /**< frames that wait for one of them */

/** A next hop. */
struct neighbour {
	struct wg_addr addr;     /**< len 0: not in use */
	struct rte_ether_addr mac;
	uint64_t asked;          /**< when a question was sent; 0: never */
	uint64_t confirmed;      /**< when mac was learnt; 0: never */
	struct rte_mbuf *held[NEIGHBOUR_HELD]; /**< whole frames but for their destination MAC */
	uint16_t nb_held;
};

/** Where frames go when they are complete; takes them over. */
struct neighbour_out {
	void (*send)(void *arg, struct rte_mbuf *m);
	void *arg;
};

struct neighbours {
	struct rte_ether_addr mac; /**< ours */
	struct wg_addr ours[2];    /**< IPv4 and IPv6; len 0: none */
	struct rte_mempool *pool;
	struct neighbour_out out;
	struct counters *counters;
	struct neighbour table[NEIGHBOUR_MAX];
};

/**
 * Send a frame to a next hop, now or as soon as its MAC address is known.
 *
 * @param hint
 *   Index of the entry in the table as far as is known; set to it.
 * @param m
 *   Ethernet frame, whose destination is filled in; taken over.
 * @param now
 *   Nanoseconds; above 0.
 */
void neighbour_send(struct neighbours *nbs, const struct wg_addr *next_hop, uint16_t *hint,
		    struct rte_mbuf *m, uint64_t now);

/** Take an ARP frame; the mbuf remains the caller's. */
void neighbour_arp(struct neighbours *nbs, const struct rte_mbuf *m, uint64_t now);

/**
 * Take an ICMPv6 packet, which may be a solicitation or an advertisement.
 *
 * @param pkt
 *   Its layers: Ethernet, IPv6, ICMPv6.
 */
void neighbour_icmpv6(struct neighbours *nbs, const struct rte_mbuf *m, const struct csum_pkt *pkt,
		      uint64_t now);

/** Free the frames that wait. */
void neighbour_close(struct neighbours *nbs);

#endif /* _NEIGHBOUR_H_ */
