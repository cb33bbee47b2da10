/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _SOFT_CSUM_PASS_H_
#define _SOFT_CSUM_PASS_H_

/*
 * Operations that are the lower port's, for the table of operations; see ethdev_driver.h.
 */

#include <rte_ethdev.h>

struct rte_flow_ops;

/* pass.c */

int soft_csum_reset(struct rte_eth_dev *dev);
int soft_csum_link_up(struct rte_eth_dev *dev);
int soft_csum_link_down(struct rte_eth_dev *dev);
int soft_csum_promiscuous_enable(struct rte_eth_dev *dev);
int soft_csum_promiscuous_disable(struct rte_eth_dev *dev);
int soft_csum_allmulticast_enable(struct rte_eth_dev *dev);
int soft_csum_allmulticast_disable(struct rte_eth_dev *dev);
int soft_csum_mac_set(struct rte_eth_dev *dev, struct rte_ether_addr *mac);
int soft_csum_mac_add(struct rte_eth_dev *dev, struct rte_ether_addr *mac, uint32_t index,
		      uint32_t pool);
void soft_csum_mac_remove(struct rte_eth_dev *dev, uint32_t index);
int soft_csum_multicast_set(struct rte_eth_dev *dev, struct rte_ether_addr *list, uint32_t nb);
int soft_csum_vlan_filter(struct rte_eth_dev *dev, uint16_t vlan_id, int on);
int soft_csum_vlan_tpid(struct rte_eth_dev *dev, enum rte_vlan_type type, uint16_t tpid);
int soft_csum_vlan_pvid(struct rte_eth_dev *dev, uint16_t pvid, int on);
void soft_csum_vlan_strip_queue(struct rte_eth_dev *dev, uint16_t queue_id, int on);
int soft_csum_vlan_offload(struct rte_eth_dev *dev, int mask);
int soft_csum_rss_update(struct rte_eth_dev *dev, struct rte_eth_rss_conf *conf);
int soft_csum_rss_get(struct rte_eth_dev *dev, struct rte_eth_rss_conf *conf);
int soft_csum_reta_update(struct rte_eth_dev *dev, struct rte_eth_rss_reta_entry64 *table,
			  uint16_t size);
int soft_csum_reta_query(struct rte_eth_dev *dev, struct rte_eth_rss_reta_entry64 *table,
			 uint16_t size);
int soft_csum_flow_ctrl_get(struct rte_eth_dev *dev, struct rte_eth_fc_conf *conf);
int soft_csum_flow_ctrl_set(struct rte_eth_dev *dev, struct rte_eth_fc_conf *conf);
int soft_csum_udp_tunnel_add(struct rte_eth_dev *dev, struct rte_eth_udp_tunnel *tunnel);
int soft_csum_udp_tunnel_delete(struct rte_eth_dev *dev, struct rte_eth_udp_tunnel *tunnel);
int soft_csum_rx_intr_enable(struct rte_eth_dev *dev, uint16_t queue_id);
int soft_csum_rx_intr_disable(struct rte_eth_dev *dev, uint16_t queue_id);
int soft_csum_monitor_addr(void *queue, struct rte_power_monitor_cond *cond);

/* flow.c */

int soft_csum_flow_ops_get(struct rte_eth_dev *dev, const struct rte_flow_ops **ops);

#endif /* _SOFT_CSUM_PASS_H_ */
