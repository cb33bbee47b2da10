/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PORT_H_
#define _PORT_H_

/**
 * @file
 * The ports we forward between: their settings and their life. Called from the main thread only.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_ethdev.h>
#include <rte_ether.h>
#include <rte_mempool.h>

#include "parameters.h"

/** In place of a port id: every port. */
#define PORT_ALL UINT16_MAX

/**
 * What the csum engine does with packets that leave by a port. The switches may change at any
 * time, the sizes while the port is stopped.
 */
struct port_csum {
	atomic_bool parse_tunnel;
	atomic_bool mac_swap;
	uint16_t tso_segsz;        /**< 0: no TSO */
	uint16_t tunnel_tso_segsz; /**< 0: no TSO inside tunnels */
};

/** Which offloads are meant: those for receiving, or those for sending. */
enum port_dir {
	PORT_RX,
	PORT_TX,
	PORT_NB_DIRS,
};

struct port {
	bool started;
	bool was_started;          /**< at least once */
	bool stale;                /**< settings have changed since it was configured */
	struct rte_ether_addr addr;
	struct rte_eth_conf conf;
	uint64_t applied[PORT_NB_DIRS]; /**< offloads when it was last configured */
	struct port_csum csum;
};

/**
 * Take the ports that there are, configure and start them.
 *
 * @param params
 *   How to set them up at first.
 * @param pool
 *   Packets are received into this.
 * @return
 *   0, or a negative errno when the reason has been printed.
 */
int ports_init(const struct forward_params *params, struct rte_mempool *pool);

/** Stop and close every port. */
void ports_fini(void);

/** The ports we have, in ascending order; sets @p ids to at most RTE_MAX_ETHPORTS of them. */
unsigned int ports_list(uint16_t *ids);

/** A port we have, or NULL when that has been printed as an error. */
struct port *port_get(uint16_t id);

/** The same, for settings that need a port at rest: it must be stopped. */
struct port *port_get_stopped(uint16_t id);

/** Rx and Tx queue pairs that each port forwards on. */
uint16_t ports_nb_queues(void);

/** Packets left from before are not wanted: receive and free what there is on every queue. */
void ports_flush_rx(void);

/**
 * Start, stop, close or reset a port or PORT_ALL, none of which may be forwarding. What cannot be
 * done is printed and left.
 *
 * @return
 *   0, or a negative errno when a port could not be started.
 */
int port_start(uint16_t id);
void port_stop(uint16_t id);
void port_close(uint16_t id);
void port_reset(uint16_t id);

/** Create a device by its EAL name and arguments, and take the port that comes with it. */
void port_attach(const char *devargs);

/** Close a port that is stopped, and remove its device. */
void port_detach(uint16_t id);

/** Whether all ports are started, or none is. */
bool ports_all_started(void);
bool ports_all_stopped(void);

/** The NUMA node of a port, 0 when it has none. */
unsigned int port_socket(uint16_t id);

/** A port's offloads as set, for the next start on. */
uint64_t *port_offloads(struct port *port, enum port_dir dir);

/** Enable or disable offloads from the next start on. */
void port_set_offload(struct port *port, enum port_dir dir, uint64_t offloads, bool on);

/** Offloads a port can do; 0 when it does not tell. */
uint64_t port_capa(uint16_t id, enum port_dir dir);

/** The name of one offload, "UNKNOWN" when it has none. */
const char *port_offload_name(enum port_dir dir, uint64_t offload);

/** What is the same for all ports. */
enum ports_number {
	PORTS_RXQ, /**< Rx queues */
	PORTS_TXQ, /**< Tx queues */
	PORTS_RXD, /**< descriptors of an Rx queue; 0: the driver's choice */
	PORTS_TXD, /**< descriptors of a Tx queue; 0: the driver's choice */
	PORTS_NB_NUMBERS,
};

uint16_t ports_number(enum ports_number which);

/** Change it from the next start on; refused, and why is printed, if a port cannot have that. */
void ports_set_number(enum ports_number which, uint16_t value);

/** Set the longest frame that ports receive, CRC included; they must be stopped. */
void ports_set_max_pkt_len(uint16_t len);

/** Set a port's MTU. What the port does not take is printed. */
void port_set_mtu(uint16_t id, uint16_t mtu);

#endif /* _PORT_H_ */
