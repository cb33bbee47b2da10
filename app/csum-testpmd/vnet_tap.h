/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _VNET_TAP_H_
#define _VNET_TAP_H_

/**
 * @file
 * net_vnet_tap: a port that is a TAP device of the Linux kernel, with virtio-net headers
 * (IFF_VNET_HDR). The kernel's packets come as its stack made them: super-packets of up to 64 KB,
 * with checksums left to us, which is what their mbufs then ask of the port that they go out by.
 * What the mbufs of packets sent ask for is left to the kernel in the same way.
 *
 * Device argument: iface=<name>, "vtap%d" by default; the kernel puts a number for %d. One queue.
 */

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include <rte_ether.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include <csum_virtio.h>

/** Most mbufs a packet: 64 KB in the smallest that are taken, and what applications chain. */
#define VNET_TAP_MAX_SEGS 128

/** The longest packet: an IP packet of 65,535 bytes in Ethernet with two VLAN tags. */
#define VNET_TAP_MAX_FRAME (14 + 2 * 4 + 65535)

/** What one direction has counted. */
struct vnet_tap_counters {
	uint64_t packets;
	uint64_t bytes;
	uint64_t errors; /**< senseless headers, requests that cannot be met, refusals of Linux */
};

struct vnet_tap_rxq {
	int fd;
	uint16_t port;
	struct rte_mempool *pool;
	uint32_t room;         /**< bytes an mbuf takes */
	unsigned int nb_bufs;  /**< mbufs that take the longest packet */
	unsigned int nb_ready; /**< of bufs, the first */
	struct rte_mbuf *bufs[VNET_TAP_MAX_SEGS];
	struct iovec iov[VNET_TAP_MAX_SEGS + 1]; /**< the header, and bufs */
	uint8_t header[CSUM_VIRTIO_HDR_LEN];
	struct vnet_tap_counters counters;
	uint64_t no_mbuf;      /**< times that packets had to wait for mbufs */
};

struct vnet_tap_txq {
	int fd;
	struct vnet_tap_counters counters;
};

/** A port's private data. */
struct vnet_tap {
	int fd;
	bool uso; /**< Linux takes part in UDP segmentation (6.2 and later) */
	struct rte_ether_addr addr;
	struct vnet_tap_rxq rxq;
	struct vnet_tap_txq txq;
};

/**
 * Make a TAP device that is gone when it is closed.
 *
 * @param name
 *   Its name, with %d for a number; set to the one it has got.
 * @param uso
 *   Set to whether it takes part in UDP segmentation.
 * @return
 *   A non-blocking file descriptor, or a negative errno.
 */
int vnet_tap_open(char name[IFNAMSIZ], bool *uso);

/**
 * Set up for a pool's mbufs.
 *
 * @return
 *   0, or -EINVAL when they are too small.
 */
int vnet_tap_rx_setup(struct vnet_tap_rxq *rxq, struct rte_mempool *pool);

/** Give back the mbufs that wait for packets. */
void vnet_tap_rx_release(struct vnet_tap_rxq *rxq);

/** Burst functions, as librte_ethdev calls them. */
uint16_t vnet_tap_rx(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t vnet_tap_tx(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);

#endif /* _VNET_TAP_H_ */
