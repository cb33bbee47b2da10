/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include <rte_flow_driver.h>

#include <ethdev_driver.h>

#include "script_ops.h"

struct script_calls script_calls;

static int
reset(struct rte_eth_dev *dev)
{
	(void)dev;
	script_calls.nb_resets++;
	return 0;
}

static int
link_up(struct rte_eth_dev *dev)
{
	(void)dev;
	script_calls.link_up = true;
	return 0;
}

static int
link_down(struct rte_eth_dev *dev)
{
	(void)dev;
	script_calls.link_up = false;
	return 0;
}

static int
mac_set(struct rte_eth_dev *dev, struct rte_ether_addr *mac)
{
	(void)dev;
	script_calls.mac = *mac;
	return 0;
}

static int
mac_add(struct rte_eth_dev *dev, struct rte_ether_addr *mac, uint32_t index, uint32_t pool)
{
	(void)dev;
	(void)index;
	script_calls.added = *mac;
	script_calls.mac_pool = pool;
	return 0;
}

static void
mac_remove(struct rte_eth_dev *dev, uint32_t index)
{
	script_calls.removed = dev->data->mac_addrs[index];
}

static int
multicast_set(struct rte_eth_dev *dev, struct rte_ether_addr *list, uint32_t nb)
{
	(void)dev;
	script_calls.nb_multicast = nb;
	if (nb != 0)
		script_calls.multicast = list[nb - 1];
	return 0;
}

static int
vlan_filter(struct rte_eth_dev *dev, uint16_t vlan_id, int on)
{
	(void)dev;
	script_calls.vlan_id = vlan_id;
	script_calls.vlan_on = on;
	return 0;
}

static int
vlan_tpid(struct rte_eth_dev *dev, enum rte_vlan_type type, uint16_t tpid)
{
	(void)dev;
	script_calls.vlan_type = type;
	script_calls.tpid = tpid;
	return 0;
}

static int
vlan_pvid(struct rte_eth_dev *dev, uint16_t pvid, int on)
{
	(void)dev;
	script_calls.pvid = pvid;
	script_calls.pvid_on = on;
	return 0;
}

static void
vlan_strip_queue(struct rte_eth_dev *dev, uint16_t queue_id, int on)
{
	(void)dev;
	script_calls.strip_queue = queue_id;
	script_calls.strip_on = on;
}

static int
vlan_offload(struct rte_eth_dev *dev, int mask)
{
	(void)dev;
	script_calls.vlan_mask = mask;
	return 0;
}

static int
rss_update(struct rte_eth_dev *dev, struct rte_eth_rss_conf *conf)
{
	(void)dev;
	script_calls.rss_hf = conf->rss_hf;
	if (conf->rss_key != NULL)
		memcpy(script_calls.rss_key, conf->rss_key, SCRIPT_KEY_SIZE);
	return 0;
}

static int
rss_get(struct rte_eth_dev *dev, struct rte_eth_rss_conf *conf)
{
	(void)dev;
	conf->rss_hf = script_calls.rss_hf;
	if (conf->rss_key != NULL)
		memcpy(conf->rss_key, script_calls.rss_key, SCRIPT_KEY_SIZE);
	return 0;
}

static int
reta_update(struct rte_eth_dev *dev, struct rte_eth_rss_reta_entry64 *table, uint16_t size)
{
	(void)dev;
	if (size != SCRIPT_RETA_SIZE)
		return -EINVAL;
	script_calls.reta = *table;
	return 0;
}

static int
reta_query(struct rte_eth_dev *dev, struct rte_eth_rss_reta_entry64 *table, uint16_t size)
{
	(void)dev;
	if (size != SCRIPT_RETA_SIZE)
		return -EINVAL;
	memcpy(table->reta, script_calls.reta.reta, sizeof(table->reta));
	return 0;
}

static int
flow_ctrl_get(struct rte_eth_dev *dev, struct rte_eth_fc_conf *conf)
{
	(void)dev;
	*conf = script_calls.flow_ctrl;
	return 0;
}

static int
flow_ctrl_set(struct rte_eth_dev *dev, struct rte_eth_fc_conf *conf)
{
	(void)dev;
	script_calls.flow_ctrl = *conf;
	return 0;
}

static int
tunnel_add(struct rte_eth_dev *dev, struct rte_eth_udp_tunnel *tunnel)
{
	(void)dev;
	script_calls.tunnel_added = tunnel->udp_port;
	return 0;
}

static int
tunnel_delete(struct rte_eth_dev *dev, struct rte_eth_udp_tunnel *tunnel)
{
	(void)dev;
	script_calls.tunnel_deleted = tunnel->udp_port;
	return 0;
}

static int
intr_enable(struct rte_eth_dev *dev, uint16_t queue_id)
{
	(void)dev;
	script_calls.intr_queue = queue_id;
	return 0;
}

static int
intr_disable(struct rte_eth_dev *dev, uint16_t queue_id)
{
	(void)dev;
	(void)queue_id;
	script_calls.intr_queue = -1;
	return 0;
}

static int
monitor_addr(void *queue, struct rte_power_monitor_cond *cond)
{
	cond->addr = queue;
	cond->size = sizeof(uint64_t);
	return 0;
}

static int
rxq_start(struct rte_eth_dev *dev, uint16_t queue_id)
{
	script_calls.nb_started_rxq++;
	dev->data->rx_queue_state[queue_id] = RTE_ETH_QUEUE_STATE_STARTED;
	return 0;
}

static int
rxq_stop(struct rte_eth_dev *dev, uint16_t queue_id)
{
	script_calls.nb_started_rxq--;
	dev->data->rx_queue_state[queue_id] = RTE_ETH_QUEUE_STATE_STOPPED;
	return 0;
}

static int
txq_start(struct rte_eth_dev *dev, uint16_t queue_id)
{
	script_calls.nb_started_txq++;
	dev->data->tx_queue_state[queue_id] = RTE_ETH_QUEUE_STATE_STARTED;
	return 0;
}

static int
txq_stop(struct rte_eth_dev *dev, uint16_t queue_id)
{
	script_calls.nb_started_txq--;
	dev->data->tx_queue_state[queue_id] = RTE_ETH_QUEUE_STATE_STOPPED;
	return 0;
}

static int
burst_mode(struct rte_eth_dev *dev, uint16_t queue_id, struct rte_eth_burst_mode *mode)
{
	(void)dev;
	(void)queue_id;
	strcpy(mode->info, "By the Script");
	return 0;
}

static int
flow_validate(struct rte_eth_dev *dev, const struct rte_flow_attr *attr,
	      const struct rte_flow_item pattern[], const struct rte_flow_action actions[],
	      struct rte_flow_error *error)
{
	(void)dev;
	(void)attr;
	(void)actions;
	script_calls.nb_flow_calls++;
	if (pattern->type == RTE_FLOW_ITEM_TYPE_ETH)
		return 0;
	return rte_flow_error_set(error, ENOTSUP, RTE_FLOW_ERROR_TYPE_ITEM, pattern, "not ETH");
}

static struct rte_flow *
flow_create(struct rte_eth_dev *dev, const struct rte_flow_attr *attr,
	    const struct rte_flow_item pattern[], const struct rte_flow_action actions[],
	    struct rte_flow_error *error)
{
	if (flow_validate(dev, attr, pattern, actions, error) != 0)
		return NULL;
	script_calls.nb_flows++;
	return (struct rte_flow *)&script_calls;
}

static int
flow_destroy(struct rte_eth_dev *dev, struct rte_flow *flow, struct rte_flow_error *error)
{
	(void)dev;
	script_calls.nb_flow_calls++;
	if (flow != (struct rte_flow *)&script_calls)
		return rte_flow_error_set(error, EINVAL, RTE_FLOW_ERROR_TYPE_HANDLE,
			flow, "whose?");
	script_calls.nb_flows--;
	return 0;
}

static int
flow_flush(struct rte_eth_dev *dev, struct rte_flow_error *error)
{
	(void)dev;
	(void)error;
	script_calls.nb_flow_calls++;
	script_calls.nb_flows = 0;
	return 0;
}

static int
flow_query(struct rte_eth_dev *dev, struct rte_flow *flow, const struct rte_flow_action *action,
	   void *data, struct rte_flow_error *error)
{
	(void)dev;
	(void)flow;
	(void)action;
	(void)error;
	script_calls.nb_flow_calls++;
	((struct rte_flow_query_count *)data)->hits = 77;
	return 0;
}

static int
flow_isolate(struct rte_eth_dev *dev, int set, struct rte_flow_error *error)
{
	(void)dev;
	(void)error;
	script_calls.nb_flow_calls++;
	script_calls.isolated = set != 0;
	return 0;
}

static const struct rte_flow_ops flow_ops = {
	.validate = flow_validate,
	.create = flow_create,
	.destroy = flow_destroy,
	.flush = flow_flush,
	.query = flow_query,
	.isolate = flow_isolate,
};

static int
flow_ops_get(struct rte_eth_dev *dev, const struct rte_flow_ops **ops)
{
	(void)dev;
	*ops = &flow_ops;
	return 0;
}

void
script_ops_add(struct eth_dev_ops *ops)
{
	ops->dev_reset = reset;
	ops->dev_set_link_up = link_up;
	ops->dev_set_link_down = link_down;
	ops->mac_addr_set = mac_set;
	ops->mac_addr_add = mac_add;
	ops->mac_addr_remove = mac_remove;
	ops->set_mc_addr_list = multicast_set;
	ops->vlan_filter_set = vlan_filter;
	ops->vlan_tpid_set = vlan_tpid;
	ops->vlan_pvid_set = vlan_pvid;
	ops->vlan_strip_queue_set = vlan_strip_queue;
	ops->vlan_offload_set = vlan_offload;
	ops->rss_hash_update = rss_update;
	ops->rss_hash_conf_get = rss_get;
	ops->reta_update = reta_update;
	ops->reta_query = reta_query;
	ops->flow_ctrl_get = flow_ctrl_get;
	ops->flow_ctrl_set = flow_ctrl_set;
	ops->udp_tunnel_port_add = tunnel_add;
	ops->udp_tunnel_port_del = tunnel_delete;
	ops->rx_queue_intr_enable = intr_enable;
	ops->rx_queue_intr_disable = intr_disable;
	ops->get_monitor_addr = monitor_addr;
	ops->rx_queue_start = rxq_start;
	ops->rx_queue_stop = rxq_stop;
	ops->tx_queue_start = txq_start;
	ops->tx_queue_stop = txq_stop;
	ops->rx_burst_mode_get = burst_mode;
	ops->tx_burst_mode_get = burst_mode;
	ops->flow_ops_get = flow_ops_get;
}

void
script_event(uint16_t port, enum rte_eth_event_type event)
{
	rte_eth_dev_callback_process(&rte_eth_devices[port], event, NULL);
}

void
script_link_set(uint16_t port, bool up)
{
	struct rte_eth_link link = { .link_status = up ? RTE_ETH_LINK_UP : RTE_ETH_LINK_DOWN };

	rte_eth_linkstatus_set(&rte_eth_devices[port], &link);
}
