/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _TUN_H_
#define _TUN_H_

/**
 * @file
 * The TUN device: packets from and to the kernel's stack, with a virtio-net header in front that
 * speaks of partial checksums and super-packets.
 */

#include <rte_mbuf.h>

#include <csum_virtio.h>

#include "wg_config.h"
#include "counters.h"

#define TUN_MTU_MIN 576
#define TUN_MTU_MAX 9000

struct tun {
	int fd;                     /**< non-blocking */
	uint16_t mtu;
	struct rte_mempool *pool;   /**< of packets up to the MTU */
	struct rte_mempool *supers; /**< of what is beyond, in super-packets */
	struct rte_mbuf *first, *rest; /**< to read the next packet into */
	struct counters *counters;
};

/**
 * Make the device, with its MTU and addresses, and bring it up.
 *
 * @param tun
 *   pool, mtu and counters are the caller's to set, the rest is 0.
 * @param error
 *   Where the reason goes if the result is false.
 */
bool tun_open(struct tun *tun, const char *name, const struct wg_prefix *address,
	      unsigned int nb_address, char *error, size_t error_len);

/** Close and remove it. */
void tun_close(struct tun *tun);

/**
 * Read a packet. It lies in one mbuf with room in front and behind, as far as the MTU goes; what
 * a super-packet has more than that is in a second one. Nothing has been copied.
 *
 * @param m
 *   Set to the packet, with Tx requests for what is not finished yet.
 * @return
 *   1: read. 0: there is nothing to read, or no mbuf. -1: read and refused (counted).
 */
int tun_read(struct tun *tun, struct rte_mbuf **m);

/**
 * Write a packet; a chain as it lies. What is not taken is counted.
 *
 * @param nb_packets
 *   That it stands for.
 */
void tun_write(struct tun *tun, const struct csum_virtio_hdr *hdr, const struct rte_mbuf *m,
	       unsigned int nb_packets);

#endif /* _TUN_H_ */
