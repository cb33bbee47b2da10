/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _TRAFFIC_H_
#define _TRAFFIC_H_

/**
 * @file
 * The packets that engines make themselves: UDP over IPv4 without a UDP checksum.
 */

#include <stdint.h>

#include <rte_byteorder.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_udp.h>

#include "parameters.h"

/** Most mbufs a packet. */
#define TRAFFIC_MAX_SEGS 255

/** The headers as they are on the wire: their types need no padding. */
struct traffic_headers {
	struct rte_ether_hdr eth;
	struct rte_ipv4_hdr ip;
	struct rte_udp_hdr udp;
};

/** What is made. Does not change while forwarding. */
struct traffic {
	uint16_t len;                       /**< bytes of a frame */
	uint16_t nb_segs;                   /**< mbufs it lies in */
	uint16_t seg_len[TRAFFIC_MAX_SEGS]; /**< bytes in each */
	rte_be32_t src_ip;
	rte_be32_t dst_ip;
	rte_be16_t src_port;
	rte_be16_t dst_port;
	uint32_t nb_flows;                  /**< flowgen */
};

/**
 * Take what is to be made from the command line.
 *
 * @return
 *   0, or -EINVAL when the reason has been printed to stderr.
 */
int traffic_parse(const struct forward_params *params);

/**
 * Set the lengths of the segments from the next start on. A wrong list is printed to stderr, and
 * changes nothing.
 *
 * @param list
 *   Bytes, with commas between them.
 * @return
 *   0 or -EINVAL.
 */
int traffic_set_segments(const char *list);

/** Print the lengths of the segments. */
void traffic_show_segments(void);

/** What the next start is to make. */
const struct traffic *traffic_get(void);

/**
 * Complete headers: lengths, and the IPv4 checksum.
 *
 * @param headers
 *   Has the addresses and ports; the rest is set, but for the Ethernet addresses.
 * @param len
 *   Bytes of the frame, the headers' 42 at least.
 */
void traffic_finish_headers(struct traffic_headers *headers, uint16_t len);

#endif /* _TRAFFIC_H_ */
