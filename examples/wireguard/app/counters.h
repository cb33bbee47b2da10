/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _COUNTERS_H_
#define _COUNTERS_H_

/**
 * @file
 * What the data path counts: packets and bytes, each reason for which one went nowhere, and cycles
 * by the work that they went into. The protocol core has its own counters (wg.h).
 */

#include <stdint.h>
#include <stdio.h>

#include <rte_cycles.h>

#include "wg.h"

enum counter {
	/* from the TUN device to the port */
	COUNT_TUN_READ,         /**< packets, super-packets as one */
	COUNT_TUN_READ_BYTES,
	COUNT_TUN_SUPER,        /**< of them, super-packets */
	COUNT_TUN_SEGMENTS,     /**< that those were cut into */
	COUNT_TUN_REFUSED,      /**< packet and virtio-net header contradict each other */
	COUNT_TUN_TOO_LONG,     /**< above the MTU, and nothing says how to cut it */
	COUNT_BROKEN,           /**< checksums made wrong on purpose */
	COUNT_HELD,             /**< waited for a handshake */
	COUNT_HELD_DROPPED,     /**< no room to wait, or no handshake came about */
	COUNT_NO_ROUTE,         /**< no address of ours, or no gateway, of the family asked for */
	COUNT_NEIGHBOUR_HELD,   /**< waited for a MAC address */
	COUNT_NEIGHBOUR_DROPPED, /**< no room to wait, or no answer */
	COUNT_PORT_SENT,
	COUNT_PORT_SENT_BYTES,
	COUNT_PORT_FULL,        /**< dropped because the port took nothing for too long */
	COUNT_PORT_REFUSED,     /**< dropped by rte_eth_tx_prepare() */
	COUNT_NO_MBUF,          /**< a pool was empty */
	/* from the port to the TUN device */
	COUNT_PORT_RECEIVED,
	COUNT_PORT_RECEIVED_BYTES,
	COUNT_NOT_OURS,         /**< other protocols, addresses or ports; fragments */
	COUNT_TRUNCATED,        /**< frame shorter than its headers say */
	COUNT_OUTER_CSUM,       /**< wrong IPv4 header or UDP checksum */
	COUNT_ARP_ANSWERED,     /**< and neighbour solicitations */
	COUNT_TUN_WRITTEN,      /**< packets; coalesced ones as many as they were */
	COUNT_TUN_WRITTEN_BYTES,
	COUNT_TUN_WRITES,       /**< system calls for them */
	COUNT_TUN_WRITE_FAILED, /**< packets that the device did not take */
	NB_COUNTERS,
};

/** What cycles went into. */
enum work {
	WORK_TUN_READ,  /**< system call, virtio-net header */
	WORK_CUT,       /**< segmentation and inner checksums */
	WORK_SEAL,      /**< padding and encryption */
	WORK_WRAP,      /**< outer headers and their checksums */
	WORK_PORT_SEND,
	WORK_PORT_RECEIVE,
	WORK_UNWRAP,    /**< outer headers and their checksums */
	WORK_OPEN,      /**< decryption; handshakes, too */
	WORK_COALESCE,  /**< inner checksums, making super-packets */
	WORK_TUN_WRITE,
	NB_WORKS,
};

struct counters {
	uint64_t n[NB_COUNTERS];
	uint64_t cycles[NB_WORKS]; /**< of the time stamp counter */
};

static inline void
count(struct counters *counters, enum counter what, uint64_t nb)
{
	counters->n[what] += nb;
}

static inline uint64_t
work_begin(void)
{
	return rte_rdtsc();
}

/** Account for what has been done since. */
static inline void
work_end(struct counters *counters, enum work what, uint64_t begin)
{
	counters->cycles[what] += rte_rdtsc() - begin;
}

/** Print all that is not 0, one a line: name, blank, number. */
void counters_print(const struct counters *counters, struct wg_device *dev, FILE *file);

#endif /* _COUNTERS_H_ */
