/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _SCRIPT_PORT_H_
#define _SCRIPT_PORT_H_

/**
 * @file
 * A lower port, vdev driver net_script, that does just what a test tells it: claims these offloads,
 * takes so many packets a burst, and keeps a flat copy of every frame as it was handed down.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

#define SCRIPT_MAX_FRAMES 16384

/** Argument of the device for two ports, whose names end in _a and _b. */
#define SCRIPT_TWO_PORTS "two-ports"

/** A frame as it was handed down. */
struct script_frame {
	uint8_t *data;
	uint32_t len;
	uint16_t nb_segs;
	uint64_t ol_flags;
	uint64_t tx_offload;  /**< with tso_segsz and the header lengths, as the mbuf has it */
	uint16_t vlan_tci;
	uint16_t vlan_tci_outer;
};

struct script {
	uint64_t tx_capa;     /**< RTE_ETH_TX_OFFLOAD_*; read at any time */
	uint16_t max_segs;    /**< nb_mtu_seg_max that it tells; 0: none */
	uint16_t max_super_segs; /**< nb_seg_max that it tells; 0: none */
	uint64_t tx_enabled;  /**< what it was configured with */
	uint64_t rx_capa;     /**< RTE_ETH_RX_OFFLOAD_* */
	uint64_t rx_enabled;
	uint64_t dev_capa;    /**< RTE_ETH_DEV_CAPA_* */
	uint16_t max_rx_mempools;
	uint64_t rss_enabled; /**< RTE_ETH_RSS_* */
	uint32_t speed_capa;  /**< RTE_ETH_LINK_SPEED_* */
	bool promiscuous;
	bool allmulticast;
	unsigned int nb_cleanups; /**< tx_done_cleanup calls so far */
	bool fail_start;      /**< start fails with EIO */
	bool forget_all;      /**< keeps no frames */
	bool keep_mbufs;      /**< mbufs are held until script_free_kept() */

	/** Packets that the next bursts take at most, one after the other, then again; 0: all. */
	uint16_t accept[64];
	unsigned int nb_accept;
	atomic_bool stalled;  /**< takes nothing at all */
	unsigned int burst_us; /**< how long a burst takes beyond its own time */
	unsigned int stall_at; /**< stalls when it has so many frames; 0: does not */

	/** tx_prepare's verdict on a packet: 0, or an errno. It may write to it. NULL: 0. */
	int (*prepare)(struct rte_mbuf *m);
	unsigned int nb_prepared;

	int desc_status;      /**< of any Tx descriptor; may be an error */

	unsigned int bursts;  /**< tx_burst calls so far */
	/** Times that two threads were at one Tx queue, which ethdev forbids. */
	atomic_uint overlaps;
	atomic_bool closed;   /**< the port closed last has not been made again */
	atomic_uint late;     /**< bursts inside a port that is closed */
	atomic_uint nb_frames;
	struct script_frame frames[SCRIPT_MAX_FRAMES];
};

/** The one script: all ports of the driver go by it. */
extern struct script script;

/** Forget frames and settings: any chain is taken, no offload is claimed. */
void script_reset(void);

/** Forget the frames alone. */
void script_forget(void);

/** Free the mbufs that keep_mbufs kept. */
void script_free_kept(void);

/** Hand an mbuf to whoever receives next, behind those before it; 64 may wait. */
void script_feed(struct rte_mbuf *m);

/** Wait until so many frames came, a second at most; tells whether they did. */
bool script_wait(unsigned int nb_frames);

#endif /* _SCRIPT_PORT_H_ */
