/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _SOFT_CSUM_PASS_H_
#define _SOFT_CSUM_PASS_H_

/*
 * Operations that are the lower port's, for the table of operations; see ethdev_driver.h.
 */

#include <rte_ethdev.h>

#include "soft_csum.h"

struct rte_flow_ops;

/* An operation with no argument, one, or two, by ethdev's function for applications. */
#define PASS_DOWN(op, function) \
int \
soft_csum_ ## op(struct rte_eth_dev *dev) \
{ \
	return function(soft_csum_lower(dev)); \
}

#define PASS_DOWN_ONE(op, function, type) \
int \
soft_csum_ ## op(struct rte_eth_dev *dev, type arg) \
{ \
	return function(soft_csum_lower(dev), arg); \
}

#define PASS_DOWN_TWO(op, function, type, type2) \
int \
soft_csum_ ## op(struct rte_eth_dev *dev, type arg, type2 arg2) \
{ \
	return function(soft_csum_lower(dev), arg, arg2); \
}

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

/* pass_device.c */

int soft_csum_pfc_set(struct rte_eth_dev *dev, struct rte_eth_pfc_conf *conf);
int soft_csum_pfc_queue_info(struct rte_eth_dev *dev, struct rte_eth_pfc_queue_info *info);
int soft_csum_pfc_queue_set(struct rte_eth_dev *dev, struct rte_eth_pfc_queue_conf *conf);
int soft_csum_rate_limit(struct rte_eth_dev *dev, uint16_t queue_id, uint32_t rate);
int soft_csum_dcb_info(struct rte_eth_dev *dev, struct rte_eth_dcb_info *info);
int soft_csum_cman_info(struct rte_eth_dev *dev, struct rte_eth_cman_info *info);
int soft_csum_cman_init(struct rte_eth_dev *dev, struct rte_eth_cman_config *config);
int soft_csum_cman_set(struct rte_eth_dev *dev, const struct rte_eth_cman_config *config);
int soft_csum_cman_get(struct rte_eth_dev *dev, struct rte_eth_cman_config *config);
int soft_csum_avail_thresh_set(struct rte_eth_dev *dev, uint16_t queue_id, uint8_t thresh);
int soft_csum_avail_thresh_query(struct rte_eth_dev *dev, uint16_t *queue_id, uint8_t *thresh);
int soft_csum_timesync_enable(struct rte_eth_dev *dev);
int soft_csum_timesync_disable(struct rte_eth_dev *dev);
int soft_csum_timesync_rx(struct rte_eth_dev *dev, struct timespec *time, uint32_t flags);
int soft_csum_timesync_tx(struct rte_eth_dev *dev, struct timespec *time);
int soft_csum_timesync_adjust(struct rte_eth_dev *dev, int64_t delta);
int soft_csum_timesync_read(struct rte_eth_dev *dev, struct timespec *time);
int soft_csum_timesync_write(struct rte_eth_dev *dev, const struct timespec *time);
int soft_csum_clock_read(struct rte_eth_dev *dev, uint64_t *clock);
int soft_csum_fw_version(struct rte_eth_dev *dev, char *version, size_t size);
int soft_csum_registers(struct rte_eth_dev *dev, struct rte_dev_reg_info *info);
int soft_csum_eeprom_length(struct rte_eth_dev *dev);
int soft_csum_eeprom_get(struct rte_eth_dev *dev, struct rte_dev_eeprom_info *info);
int soft_csum_eeprom_set(struct rte_eth_dev *dev, struct rte_dev_eeprom_info *info);
int soft_csum_module_info(struct rte_eth_dev *dev, struct rte_eth_dev_module_info *info);
int soft_csum_module_eeprom(struct rte_eth_dev *dev, struct rte_dev_eeprom_info *info);
int soft_csum_led_on(struct rte_eth_dev *dev);
int soft_csum_led_off(struct rte_eth_dev *dev);
int soft_csum_fec_capability(struct rte_eth_dev *dev, struct rte_eth_fec_capa *capa,
			     unsigned int nb);
int soft_csum_fec_get(struct rte_eth_dev *dev, uint32_t *capa);
int soft_csum_fec_set(struct rte_eth_dev *dev, uint32_t capa);
int soft_csum_metadata_negotiate(struct rte_eth_dev *dev, uint64_t *features);

#endif /* _SOFT_CSUM_PASS_H_ */
