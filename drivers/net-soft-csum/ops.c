/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <string.h>

#include <rte_errno.h>

#include "pass.h"
#include "tx.h"

static int
lower_error(const struct soft_csum_port *port, const char *what, int ret)
{
	if (ret != 0)
		SOFT_CSUM_LOG(ERR, soft_csum_name(port), "cannot %s the port below, %s: %s", what,
			port->lower_name, rte_strerror(-ret));
	return ret;
}

/* A limit on chains as a port tells it: some drivers leave it 0 and mean none. */
static uint16_t
segs_limit(uint16_t nb)
{
	return nb != 0 ? nb : UINT16_MAX;
}

/* Longest chains that the lower port takes. */
static void
max_segs_set(struct soft_csum_port *port, const struct rte_eth_dev_info *info)
{
	uint16_t nb = segs_limit(info->tx_desc_lim.nb_seg_max);

	if ((port->lower_enabled & RTE_ETH_TX_OFFLOAD_MULTI_SEGS) == 0)
		nb = 1;
	port->lower_max_super_segs = nb;
	port->lower_max_segs = RTE_MIN(nb, segs_limit(info->tx_desc_lim.nb_mtu_seg_max));
}

static int
configure(struct rte_eth_dev *dev)
{
	struct soft_csum_port *port = soft_csum_port(dev);
	struct rte_eth_conf conf = dev->data->dev_conf;
	struct rte_eth_dev_info info;
	int ret = soft_csum_lower_check(port);

	if (ret == 0)
		ret = rte_eth_dev_info_get(port->lower_id, &info);
	if (ret != 0)
		return ret;
	port->lower_enabled = soft_csum_lower_offloads(port, conf.txmode.offloads,
		info.tx_offload_capa);
	max_segs_set(port, &info);
	port->rx_verify = soft_csum_rx_verified(port, conf.rxmode.offloads, info.rx_offload_capa);
	conf.txmode.offloads = port->lower_enabled;
	conf.rxmode.offloads &= ~port->rx_verify;
	/* We must know of it, whether the application does or not. */
	conf.intr_conf.rmv = (dev->data->dev_flags & RTE_ETH_DEV_INTR_RMV) != 0;
	ret = rte_eth_dev_configure(port->lower_id, dev->data->nb_rx_queues,
		dev->data->nb_tx_queues, &conf);
	return lower_error(port, "configure", ret);
}

/*
 * ethdev starts a port some of whose queues have not been set up, or were when another port was
 * below: it keeps those of a port that is configured anew.
 */
static int
queues_check(const struct rte_eth_dev *dev)
{
	uint16_t lower_id = soft_csum_port(dev)->lower_id, i;
	const struct soft_csum_rxq *rxq;
	const struct soft_csum_txq *txq;
	bool all = true;

	for (i = 0; i < dev->data->nb_rx_queues; i++) {
		rxq = dev->data->rx_queues[i];
		all = all && rxq != NULL && rxq->lower_id == lower_id;
	}
	for (i = 0; i < dev->data->nb_tx_queues; i++) {
		txq = dev->data->tx_queues[i];
		all = all && txq != NULL && txq->lower_id == lower_id;
	}
	if (all)
		return 0;
	SOFT_CSUM_LOG(ERR, soft_csum_name(soft_csum_port(dev)), "not all queues are set up");
	return -EINVAL;
}

static int
link_update(struct rte_eth_dev *dev, int wait_to_complete)
{
	struct soft_csum_port *port = soft_csum_port(dev);
	struct rte_eth_link link = { .link_status = RTE_ETH_LINK_DOWN };

	if (port->lower_id == SOFT_CSUM_NO_PORT)
		return rte_eth_linkstatus_set(dev, &link);
	if (wait_to_complete)
		rte_eth_link_get(port->lower_id, &link);
	else
		rte_eth_link_get_nowait(port->lower_id, &link);
	return rte_eth_linkstatus_set(dev, &link);
}

static int
start(struct rte_eth_dev *dev)
{
	struct soft_csum_port *port = soft_csum_port(dev);
	uint16_t i;
	int ret = soft_csum_lower_check(port);

	if (ret == 0)
		ret = queues_check(dev);
	if (ret == 0)
		ret = soft_csum_pool_make(dev);
	if (ret != 0)
		return ret;
	/* Segments ask the lower port for the checksums that it fills in. */
	port->gso.lower_capa = port->lower_enabled;
	port->gso_attach.lower_capa = port->lower_enabled;
	for (i = 0; i < dev->data->nb_rx_queues; i++)
		soft_csum_rxq_masks(dev->data->rx_queues[i], port->rx_verify);
	for (i = 0; i < dev->data->nb_tx_queues; i++)
		soft_csum_txq_masks(dev->data->tx_queues[i], dev->data->dev_conf.txmode.offloads);
	ret = rte_eth_dev_start(port->lower_id);
	if (ret != 0)
		return lower_error(port, "start", ret);
	atomic_store(&port->lower_runs, true);
	dev->rx_pkt_burst = soft_csum_rx_burst_pick(port);
	dev->tx_pkt_burst = soft_csum_tx_burst_pick(port);
	dev->tx_pkt_prepare = soft_csum_tx_prepare;
	/* Queues have the same numbers below, so that its interrupts are ours. */
	dev->intr_handle = rte_eth_devices[port->lower_id].intr_handle;
	soft_csum_queues_started(dev);
	/* Where events tell of the link from here on ethdev does not ask by itself. */
	link_update(dev, 0);
	return 0;
}

int
soft_csum_stop(struct rte_eth_dev *dev)
{
	struct soft_csum_port *port = soft_csum_port(dev);

	soft_csum_backlog_flush(dev);
	dev->rx_pkt_burst = rte_eth_pkt_burst_dummy;
	dev->tx_pkt_burst = rte_eth_pkt_burst_dummy;
	dev->intr_handle = NULL;
	memset(dev->data->rx_queue_state, RTE_ETH_QUEUE_STATE_STOPPED, dev->data->nb_rx_queues);
	memset(dev->data->tx_queue_state, RTE_ETH_QUEUE_STATE_STOPPED, dev->data->nb_tx_queues);
	if (port->lower_id == SOFT_CSUM_NO_PORT)
		return 0;
	return lower_error(port, "stop", rte_eth_dev_stop(port->lower_id));
}

int
soft_csum_close(struct rte_eth_dev *dev)
{
	struct soft_csum_port *port = soft_csum_port(dev);
	uint16_t i;

	/* The application's close comes after its stop; a removal need not. */
	if (dev->data->dev_started) {
		soft_csum_stop(dev);
		dev->data->dev_started = 0;
	}
	/* First, so that the port given back is not taken for one that appears, or goes. */
	soft_csum_events_unlisten(port);
	for (i = 0; i < dev->data->nb_rx_queues; i++)
		soft_csum_rxq_release(dev, i);
	for (i = 0; i < dev->data->nb_tx_queues; i++)
		soft_csum_txq_release(dev, i);
	soft_csum_lower_give_back(port);
	soft_csum_pool_free(port);
	/* Part of dev_private, which ethdev frees. */
	dev->data->mac_addrs = NULL;
	return 0;
}

/*
 * Abilities beside offloads that our port has where the lower one has them. To share Rx queues is
 * none: packets of other ports would come up as ours. To set a Tx queue up while the port runs is
 * none: the pool was made for the descriptors that there are.
 */
#define DEV_CAPA_PASS (RTE_ETH_DEV_CAPA_RUNTIME_RX_QUEUE_SETUP | \
	RTE_ETH_DEV_CAPA_FLOW_RULE_KEEP | RTE_ETH_DEV_CAPA_FLOW_SHARED_OBJECT_KEEP)

/* What is true of our port because it is true of the one below. */
static void
infos_of_lower(struct rte_eth_dev_info *info, const struct rte_eth_dev_info *lower)
{
	info->min_mtu = lower->min_mtu;
	info->max_mtu = lower->max_mtu;
	info->min_rx_bufsize = lower->min_rx_bufsize;
	info->max_rx_pktlen = lower->max_rx_pktlen;
	info->max_lro_pkt_size = lower->max_lro_pkt_size;
	info->max_rx_queues = lower->max_rx_queues;
	info->max_tx_queues = lower->max_tx_queues;
	info->max_rx_mempools = lower->max_rx_mempools;
	info->max_mac_addrs = RTE_MIN(lower->max_mac_addrs, SOFT_CSUM_MAC_ADDRS);
	info->max_vmdq_pools = lower->max_vmdq_pools;
	info->vmdq_queue_base = lower->vmdq_queue_base;
	info->vmdq_queue_num = lower->vmdq_queue_num;
	info->vmdq_pool_base = lower->vmdq_pool_base;
	info->reta_size = lower->reta_size;
	info->hash_key_size = lower->hash_key_size;
	info->flow_type_rss_offloads = lower->flow_type_rss_offloads;
	info->rx_desc_lim = lower->rx_desc_lim;
	info->tx_desc_lim = lower->tx_desc_lim;
	info->speed_capa = lower->speed_capa;
	info->dev_capa = lower->dev_capa & DEV_CAPA_PASS;
	info->rx_seg_capa = lower->rx_seg_capa;
	info->default_rxportconf = lower->default_rxportconf;
	info->default_txportconf = lower->default_txportconf;
	info->default_rxconf = lower->default_rxconf;
	info->default_txconf = lower->default_txconf;
	/* All offloads are the port's, none a queue's. */
	info->default_rxconf.offloads = 0;
	info->default_txconf.offloads = 0;
}

int
soft_csum_infos_get(struct rte_eth_dev *dev, struct rte_eth_dev_info *info)
{
	struct soft_csum_port *port = soft_csum_port(dev);
	struct rte_eth_dev_info lower = { 0 };
	int ret;

	if (port->lower_id != SOFT_CSUM_NO_PORT) {
		ret = rte_eth_dev_info_get(port->lower_id, &lower);
		if (ret != 0)
			return ret;
		infos_of_lower(info, &lower);
	} else {
		/* No limit that would hide the true reason why configuring fails. */
		info->max_rx_queues = RTE_MAX_QUEUES_PER_PORT;
		info->max_tx_queues = RTE_MAX_QUEUES_PER_PORT;
		info->max_rx_pktlen = UINT32_MAX;
		info->max_mac_addrs = 1;
	}
	info->rx_offload_capa = soft_csum_rx_capa(port, lower.rx_offload_capa);
	info->tx_offload_capa = soft_csum_tx_capa(lower.tx_offload_capa);
	/* Chains of any length are cut, or copied to shorter ones. */
	info->tx_desc_lim.nb_seg_max = UINT16_MAX;
	info->tx_desc_lim.nb_mtu_seg_max = UINT16_MAX;
	return 0;
}

static int
mtu_set(struct rte_eth_dev *dev, uint16_t mtu)
{
	/* The pool was made for a shorter one. */
	if (dev->data->dev_started && soft_csum_room_for(mtu) > soft_csum_port(dev)->seg_room)
		return -EBUSY;
	return rte_eth_dev_set_mtu(soft_csum_port(dev)->lower_id, mtu);
}

SOFT_CSUM_STATS_GET(stats_get, soft_csum_stats_fill)
SOFT_CSUM_PTYPES_GET(ptypes_get, soft_csum_ptypes_fill)

const struct eth_dev_ops soft_csum_ops = {
	.dev_configure = configure,
	.dev_start = start,
	.dev_stop = soft_csum_stop,
	.dev_close = soft_csum_close,
	.dev_infos_get = soft_csum_infos_get,
	.dev_supported_ptypes_get = ptypes_get,
	.rx_queue_setup = soft_csum_rxq_setup,
	.tx_queue_setup = soft_csum_txq_setup,
	.rx_queue_release = soft_csum_rxq_release,
	.tx_queue_release = soft_csum_txq_release,
	.rx_queue_start = soft_csum_rxq_start,
	.rx_queue_stop = soft_csum_rxq_stop,
	.tx_queue_start = soft_csum_txq_start,
	.tx_queue_stop = soft_csum_txq_stop,
	.rxq_info_get = soft_csum_rxq_info,
	.txq_info_get = soft_csum_txq_info,
	.rx_burst_mode_get = soft_csum_rx_mode,
	.tx_burst_mode_get = soft_csum_tx_mode,
	.tx_done_cleanup = soft_csum_tx_done_cleanup,
	.link_update = link_update,
	.dev_set_link_up = soft_csum_link_up,
	.dev_set_link_down = soft_csum_link_down,
	.promiscuous_enable = soft_csum_promiscuous_enable,
	.promiscuous_disable = soft_csum_promiscuous_disable,
	.allmulticast_enable = soft_csum_allmulticast_enable,
	.allmulticast_disable = soft_csum_allmulticast_disable,
	.dev_reset = soft_csum_reset,
	.mac_addr_set = soft_csum_mac_set,
	.mac_addr_add = soft_csum_mac_add,
	.mac_addr_remove = soft_csum_mac_remove,
	.set_mc_addr_list = soft_csum_multicast_set,
	.vlan_filter_set = soft_csum_vlan_filter,
	.vlan_tpid_set = soft_csum_vlan_tpid,
	.vlan_pvid_set = soft_csum_vlan_pvid,
	.vlan_strip_queue_set = soft_csum_vlan_strip_queue,
	.vlan_offload_set = soft_csum_vlan_offload,
	.rss_hash_update = soft_csum_rss_update,
	.rss_hash_conf_get = soft_csum_rss_get,
	.reta_update = soft_csum_reta_update,
	.reta_query = soft_csum_reta_query,
	.flow_ctrl_get = soft_csum_flow_ctrl_get,
	.flow_ctrl_set = soft_csum_flow_ctrl_set,
	.priority_flow_ctrl_set = soft_csum_pfc_set,
	.priority_flow_ctrl_queue_info_get = soft_csum_pfc_queue_info,
	.priority_flow_ctrl_queue_config = soft_csum_pfc_queue_set,
	.set_queue_rate_limit = soft_csum_rate_limit,
	.get_dcb_info = soft_csum_dcb_info,
	.cman_info_get = soft_csum_cman_info,
	.cman_config_init = soft_csum_cman_init,
	.cman_config_set = soft_csum_cman_set,
	.cman_config_get = soft_csum_cman_get,
	.rx_queue_avail_thresh_set = soft_csum_avail_thresh_set,
	.rx_queue_avail_thresh_query = soft_csum_avail_thresh_query,
	.timesync_enable = soft_csum_timesync_enable,
	.timesync_disable = soft_csum_timesync_disable,
	.timesync_read_rx_timestamp = soft_csum_timesync_rx,
	.timesync_read_tx_timestamp = soft_csum_timesync_tx,
	.timesync_adjust_time = soft_csum_timesync_adjust,
	.timesync_read_time = soft_csum_timesync_read,
	.timesync_write_time = soft_csum_timesync_write,
	.read_clock = soft_csum_clock_read,
	.fw_version_get = soft_csum_fw_version,
	.get_reg = soft_csum_registers,
	.get_eeprom_length = soft_csum_eeprom_length,
	.get_eeprom = soft_csum_eeprom_get,
	.set_eeprom = soft_csum_eeprom_set,
	.get_module_info = soft_csum_module_info,
	.get_module_eeprom = soft_csum_module_eeprom,
	.dev_led_on = soft_csum_led_on,
	.dev_led_off = soft_csum_led_off,
	.fec_get_capability = soft_csum_fec_capability,
	.fec_get = soft_csum_fec_get,
	.fec_set = soft_csum_fec_set,
	.rx_metadata_negotiate = soft_csum_metadata_negotiate,
	.flow_ops_get = soft_csum_flow_ops_get,
	.udp_tunnel_port_add = soft_csum_udp_tunnel_add,
	.udp_tunnel_port_del = soft_csum_udp_tunnel_delete,
	.rx_queue_intr_enable = soft_csum_rx_intr_enable,
	.rx_queue_intr_disable = soft_csum_rx_intr_disable,
	.get_monitor_addr = soft_csum_monitor_addr,
	.mtu_set = mtu_set,
	.stats_get = stats_get,
	.stats_reset = soft_csum_stats_reset,
	.xstats_get = soft_csum_xstats_get,
	.xstats_get_names = soft_csum_xstats_get_names,
	.xstats_reset = soft_csum_xstats_reset,
};
