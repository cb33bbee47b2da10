/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _SCRIPT_OPS_H_
#define _SCRIPT_OPS_H_

/**
 * @file
 * What net_script does beside packets: it keeps what it was told last.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_ethdev.h>

struct eth_dev_ops;

#define SCRIPT_MAC_ADDRS 4
#define SCRIPT_RETA_SIZE 64
#define SCRIPT_KEY_SIZE 40

struct script_calls {
	struct rte_ether_addr mac;
	struct rte_ether_addr added, removed;
	uint32_t mac_pool;
	unsigned int nb_multicast;
	struct rte_ether_addr multicast;
	uint16_t vlan_id, tpid, pvid, strip_queue;
	int vlan_on, pvid_on, strip_on, vlan_mask;
	enum rte_vlan_type vlan_type;
	uint64_t rss_hf;
	uint8_t rss_key[SCRIPT_KEY_SIZE];
	struct rte_eth_rss_reta_entry64 reta;
	struct rte_eth_fc_conf flow_ctrl;
	uint16_t tunnel_added, tunnel_deleted;
	int intr_queue;                /**< enabled; -1: disabled again */
	unsigned int nb_resets;
	bool link_up;
	bool isolated;
	unsigned int nb_flows;         /**< that are there */
	unsigned int nb_flow_calls;    /**< of all kinds */
	unsigned int nb_started_rxq, nb_started_txq; /**< by themselves */
	bool rx_deferred, tx_deferred; /**< as the queue set up last was told */
};

extern struct script_calls script_calls;

/** The operation on hardware that was called last, and its arguments. */
struct script_device {
	const char *op;
	uint64_t arg[2];
};

extern struct script_device script_device;

/** For net_script alone: enter these operations in its table. */
void script_device_ops_add(struct eth_dev_ops *ops);

/** For net_script alone: enter these operations in its table. */
void script_ops_add(struct eth_dev_ops *ops);

/** The lower port has something to tell whoever listens. */
void script_event(uint16_t port, enum rte_eth_event_type event);
/** Its link goes up or down, of which nobody is told. */
void script_link_set(uint16_t port, bool up);

#endif /* _SCRIPT_OPS_H_ */
