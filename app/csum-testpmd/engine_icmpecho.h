/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _ENGINE_ICMPECHO_H_
#define _ENGINE_ICMPECHO_H_

/**
 * @file
 * Within the icmpecho engine: what it finds in a packet, and its display.
 */

#include <rte_arp.h>
#include <rte_ether.h>
#include <rte_icmp.h>
#include <rte_ip.h>

#include "engines.h"

/** The headers of a packet that may be answered, in its first mbuf. */
struct echo_headers {
	struct rte_ether_hdr *eth;
	rte_be16_t *vlan_tci;      /**< of the innermost tag; NULL: there is none */
	uint16_t type;             /**< EtherType behind all tags */
	struct rte_arp_hdr *arp;   /**< NULL: it is not ARP for IPv4 over Ethernet */
	struct rte_ipv4_hdr *ip;   /**< NULL: it is not IPv4 */
	struct rte_icmp_hdr *icmp; /**< NULL: it is not a whole ICMP message */
};

/** Print a packet as it came. */
void icmpecho_dump(const struct fwd_stream *stream, const struct rte_mbuf *m,
		   const struct echo_headers *h);

#endif /* _ENGINE_ICMPECHO_H_ */
