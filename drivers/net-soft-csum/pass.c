/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Operations that the lower port carries out, by ethdev's functions for applications. Its number is
 * invalid while it is absent, so that they fail with -ENODEV then.
 */

#include <errno.h>

#include "pass.h"
#include "soft_csum.h"

PASS_DOWN(reset, rte_eth_dev_reset)
PASS_DOWN(link_up, rte_eth_dev_set_link_up)
PASS_DOWN(link_down, rte_eth_dev_set_link_down)
PASS_DOWN(promiscuous_enable, rte_eth_promiscuous_enable)
PASS_DOWN(promiscuous_disable, rte_eth_promiscuous_disable)
PASS_DOWN(allmulticast_enable, rte_eth_allmulticast_enable)
PASS_DOWN(allmulticast_disable, rte_eth_allmulticast_disable)

int
soft_csum_mac_set(struct rte_eth_dev *dev, struct rte_ether_addr *mac)
{
	return rte_eth_dev_default_mac_addr_set(soft_csum_lower(dev), mac);
}

int
soft_csum_mac_add(struct rte_eth_dev *dev, struct rte_ether_addr *mac,
		  uint32_t index __rte_unused, uint32_t pool)
{
	return rte_eth_dev_mac_addr_add(soft_csum_lower(dev), mac, pool);
}

/* The lower port may have it at another index. */
void
soft_csum_mac_remove(struct rte_eth_dev *dev, uint32_t index)
{
	rte_eth_dev_mac_addr_remove(soft_csum_lower(dev), &dev->data->mac_addrs[index]);
}

int
soft_csum_multicast_set(struct rte_eth_dev *dev, struct rte_ether_addr *list, uint32_t nb)
{
	return rte_eth_dev_set_mc_addr_list(soft_csum_lower(dev), list, nb);
}

int
soft_csum_vlan_filter(struct rte_eth_dev *dev, uint16_t vlan_id, int on)
{
	return rte_eth_dev_vlan_filter(soft_csum_lower(dev), vlan_id, on);
}

int
soft_csum_vlan_tpid(struct rte_eth_dev *dev, enum rte_vlan_type type, uint16_t tpid)
{
	return rte_eth_dev_set_vlan_ether_type(soft_csum_lower(dev), type, tpid);
}

int
soft_csum_vlan_pvid(struct rte_eth_dev *dev, uint16_t pvid, int on)
{
	return rte_eth_dev_set_vlan_pvid(soft_csum_lower(dev), pvid, on);
}

void
soft_csum_vlan_strip_queue(struct rte_eth_dev *dev, uint16_t queue_id, int on)
{
	rte_eth_dev_set_vlan_strip_on_queue(soft_csum_lower(dev), queue_id, on);
}

/* The mask tells what has changed; ethdev's function for applications wants to know what is on. */
int
soft_csum_vlan_offload(struct rte_eth_dev *dev, int mask __rte_unused)
{
	static const struct {
		uint64_t offload;
		int bit;
	} offloads[] = {
		{ RTE_ETH_RX_OFFLOAD_VLAN_STRIP, RTE_ETH_VLAN_STRIP_OFFLOAD },
		{ RTE_ETH_RX_OFFLOAD_VLAN_FILTER, RTE_ETH_VLAN_FILTER_OFFLOAD },
		{ RTE_ETH_RX_OFFLOAD_VLAN_EXTEND, RTE_ETH_VLAN_EXTEND_OFFLOAD },
		{ RTE_ETH_RX_OFFLOAD_QINQ_STRIP, RTE_ETH_QINQ_STRIP_OFFLOAD },
	};
	unsigned int i;
	int on = 0;

	for (i = 0; i < RTE_DIM(offloads); i++)
		if (dev->data->dev_conf.rxmode.offloads & offloads[i].offload)
			on |= offloads[i].bit;
	return rte_eth_dev_set_vlan_offload(soft_csum_lower(dev), on);
}

int
soft_csum_rss_update(struct rte_eth_dev *dev, struct rte_eth_rss_conf *conf)
{
	return rte_eth_dev_rss_hash_update(soft_csum_lower(dev), conf);
}

int
soft_csum_rss_get(struct rte_eth_dev *dev, struct rte_eth_rss_conf *conf)
{
	return rte_eth_dev_rss_hash_conf_get(soft_csum_lower(dev), conf);
}

int
soft_csum_reta_update(struct rte_eth_dev *dev, struct rte_eth_rss_reta_entry64 *table,
		      uint16_t size)
{
	return rte_eth_dev_rss_reta_update(soft_csum_lower(dev), table, size);
}

int
soft_csum_reta_query(struct rte_eth_dev *dev, struct rte_eth_rss_reta_entry64 *table,
		     uint16_t size)
{
	return rte_eth_dev_rss_reta_query(soft_csum_lower(dev), table, size);
}

int
soft_csum_flow_ctrl_get(struct rte_eth_dev *dev, struct rte_eth_fc_conf *conf)
{
	return rte_eth_dev_flow_ctrl_get(soft_csum_lower(dev), conf);
}

int
soft_csum_flow_ctrl_set(struct rte_eth_dev *dev, struct rte_eth_fc_conf *conf)
{
	return rte_eth_dev_flow_ctrl_set(soft_csum_lower(dev), conf);
}

int
soft_csum_udp_tunnel_add(struct rte_eth_dev *dev, struct rte_eth_udp_tunnel *tunnel)
{
	return rte_eth_dev_udp_tunnel_port_add(soft_csum_lower(dev), tunnel);
}

int
soft_csum_udp_tunnel_delete(struct rte_eth_dev *dev, struct rte_eth_udp_tunnel *tunnel)
{
	return rte_eth_dev_udp_tunnel_port_delete(soft_csum_lower(dev), tunnel);
}

int
soft_csum_rx_intr_enable(struct rte_eth_dev *dev, uint16_t queue_id)
{
	return rte_eth_dev_rx_intr_enable(soft_csum_lower(dev), queue_id);
}

int
soft_csum_rx_intr_disable(struct rte_eth_dev *dev, uint16_t queue_id)
{
	return rte_eth_dev_rx_intr_disable(soft_csum_lower(dev), queue_id);
}

int
soft_csum_monitor_addr(void *queue, struct rte_power_monitor_cond *cond)
{
	struct soft_csum_rxq *rxq = queue;
	int ret;

	/* As a burst: whoever asks is about to sleep on the queue that it polls. */
	if (!soft_csum_enter(&rxq->busy, rxq->port))
		return -ENODEV;
	ret = rte_eth_get_monitor_addr(rxq->lower_id, rxq->queue_id, cond);
	soft_csum_leave(&rxq->busy);
	return ret;
}
