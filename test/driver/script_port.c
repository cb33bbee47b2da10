/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_spinlock.h>
#include <rte_string_fns.h>

#include <bus_vdev_driver.h>
#include <ethdev_driver.h>
#include <ethdev_vdev.h>

#include "script_ops.h"
#include "script_port.h"

struct script script;

/* All ports share the script, and two threads send: that of the test and that of the alarms. */
static rte_spinlock_t lock = RTE_SPINLOCK_INITIALIZER;
static struct rte_mbuf *kept[SCRIPT_MAX_FRAMES];
static unsigned int nb_kept;
static struct rte_mbuf *fed[64];
static uint16_t nb_fed;

#define MAX_QUEUES 8

/* Tx queues, and whether a thread is at them. */
static struct script_queue {
	atomic_bool busy;
} queues[RTE_MAX_ETHPORTS][MAX_QUEUES];

void
script_forget(void)
{
	unsigned int i, nb = atomic_exchange(&script.nb_frames, 0);

	for (i = 0; i < nb; i++)
		free(script.frames[i].data);
}

void
script_free_kept(void)
{
	rte_spinlock_lock(&lock);
	rte_pktmbuf_free_bulk(kept, nb_kept);
	nb_kept = 0;
	rte_spinlock_unlock(&lock);
}

void
script_reset(void)
{
	script_forget();
	script_free_kept();
	memset(&script, 0, sizeof(script));
	script.tx_capa = RTE_ETH_TX_OFFLOAD_MULTI_SEGS;
}

bool
script_wait(unsigned int nb_frames)
{
	unsigned int ms;

	for (ms = 0; ms < 1000 && atomic_load(&script.nb_frames) < nb_frames; ms++)
		rte_delay_us_sleep(1000);
	return atomic_load(&script.nb_frames) == nb_frames;
}

static void
keep(struct rte_mbuf *m)
{
	struct script_frame *frame;
	const struct rte_mbuf *seg;
	uint32_t off = 0;
	unsigned int nb = atomic_load(&script.nb_frames);

	if (nb == SCRIPT_MAX_FRAMES)
		abort();
	frame = &script.frames[nb];
	frame->data = malloc(m->pkt_len);
	for (seg = m; seg != NULL; seg = seg->next) {
		memcpy(frame->data + off, rte_pktmbuf_mtod(seg, void *), seg->data_len);
		off += seg->data_len;
	}
	frame->len = m->pkt_len;
	frame->nb_segs = m->nb_segs;
	frame->ol_flags = m->ol_flags;
	frame->tx_offload = m->tx_offload;
	frame->vlan_tci = m->vlan_tci;
	frame->vlan_tci_outer = m->vlan_tci_outer;
	atomic_store(&script.nb_frames, nb + 1);
}

static void
enter(struct script_queue *queue)
{
	if (atomic_exchange(&queue->busy, true))
		atomic_fetch_add(&script.overlaps, 1);
}

static void
leave(struct script_queue *queue)
{
	atomic_store(&queue->busy, false);
}

static uint16_t
tx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	uint16_t i;

	enter(queue);
	if (atomic_load(&script.closed))
		atomic_fetch_add(&script.late, 1);
	if (script.burst_us != 0)
		rte_delay_us_block(script.burst_us);
	rte_spinlock_lock(&lock);
	if (script.nb_accept != 0)
		nb_pkts = RTE_MIN(nb_pkts, script.accept[script.bursts % script.nb_accept]);
	script.bursts++;
	for (i = 0; i < nb_pkts && !atomic_load(&script.stalled); i++) {
		if (!script.forget_all)
			keep(pkts[i]);
		if (script.keep_mbufs)
			kept[nb_kept++] = pkts[i];
		else
			rte_pktmbuf_free(pkts[i]);
		if (script.stall_at != 0 && script.nb_frames == script.stall_at)
			atomic_store(&script.stalled, true);
	}
	rte_spinlock_unlock(&lock);
	leave(queue);
	return i;
}

static int
tx_done_cleanup(void *queue, uint32_t free_cnt __rte_unused)
{
	enter(queue);
	script.nb_cleanups++;
	leave(queue);
	return 0;
}

static int
tx_descriptor_status(void *queue __rte_unused, uint16_t offset __rte_unused)
{
	return script.desc_status;
}

static int
rx_descriptor_status(void *queue __rte_unused, uint16_t offset)
{
	return offset < nb_fed ? RTE_ETH_RX_DESC_DONE : RTE_ETH_RX_DESC_AVAIL;
}

void
script_feed(struct rte_mbuf *m)
{
	if (nb_fed == RTE_DIM(fed))
		abort();
	fed[nb_fed++] = m;
}

static uint16_t
rx_burst(void *queue __rte_unused, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	uint16_t nb;

	if (atomic_load(&script.closed))
		atomic_fetch_add(&script.late, 1);
	rte_spinlock_lock(&lock);
	nb = RTE_MIN(nb_pkts, nb_fed);
	memcpy(pkts, fed, nb * sizeof(*pkts));
	nb_fed -= nb;
	memmove(fed, fed + nb, nb_fed * sizeof(*fed));
	rte_spinlock_unlock(&lock);
	return nb;
}

static uint16_t
tx_prepare(void *queue __rte_unused, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	uint16_t i;

	for (i = 0; i < nb_pkts; i++) {
		script.nb_prepared++;
		rte_errno = script.prepare != NULL ? script.prepare(pkts[i]) : 0;
		if (rte_errno != 0)
			break;
	}
	return i;
}

static int
configure(struct rte_eth_dev *dev)
{
	script.tx_enabled = dev->data->dev_conf.txmode.offloads;
	script.rx_enabled = dev->data->dev_conf.rxmode.offloads;
	script.rss_enabled = dev->data->dev_conf.rx_adv_conf.rss_conf.rss_hf;
	return 0;
}

static int
start(struct rte_eth_dev *dev)
{
	if (script.fail_start)
		return -EIO;
	dev->data->dev_link.link_status = RTE_ETH_LINK_UP;
	return 0;
}

static int
stop(struct rte_eth_dev *dev)
{
	dev->data->dev_link.link_status = RTE_ETH_LINK_DOWN;
	return 0;
}

static int
infos_get(struct rte_eth_dev *dev __rte_unused, struct rte_eth_dev_info *info)
{
	info->max_rx_queues = MAX_QUEUES;
	info->max_tx_queues = MAX_QUEUES;
	info->max_mac_addrs = SCRIPT_MAC_ADDRS;
	info->reta_size = SCRIPT_RETA_SIZE;
	info->hash_key_size = SCRIPT_KEY_SIZE;
	info->max_rx_pktlen = 9018;
	info->rx_offload_capa = script.rx_capa;
	info->flow_type_rss_offloads = RTE_ETH_RSS_IP | RTE_ETH_RSS_TCP;
	info->speed_capa = script.speed_capa;
	info->dev_capa = script.dev_capa;
	info->max_rx_mempools = script.max_rx_mempools;
	info->tx_offload_capa = script.tx_capa;
	if (script.max_segs != 0)
		info->tx_desc_lim.nb_mtu_seg_max = script.max_segs;
	if (script.max_super_segs != 0)
		info->tx_desc_lim.nb_seg_max = script.max_super_segs;
	return 0;
}

static int
rxq_setup(struct rte_eth_dev *dev, uint16_t queue_id, uint16_t nb_desc __rte_unused,
	  unsigned int socket __rte_unused, const struct rte_eth_rxconf *conf,
	  struct rte_mempool *pool __rte_unused)
{
	script_calls.rx_deferred = conf->rx_deferred_start;
	dev->data->rx_queues[queue_id] = &script;
	return 0;
}

static int
txq_setup(struct rte_eth_dev *dev, uint16_t queue_id, uint16_t nb_desc __rte_unused,
	  unsigned int socket __rte_unused, const struct rte_eth_txconf *conf)
{
	script_calls.tx_deferred = conf->tx_deferred_start;
	dev->data->tx_queues[queue_id] = &queues[dev->data->port_id][queue_id];
	return 0;
}

static int
link_update(struct rte_eth_dev *dev __rte_unused, int wait __rte_unused)
{
	return 0;
}

static int
mtu_set(struct rte_eth_dev *dev __rte_unused, uint16_t mtu __rte_unused)
{
	return 0;
}

#define SWITCH(op, field, value) \
static int \
op(struct rte_eth_dev *dev __rte_unused) \
{ \
	script.field = value; \
	return 0; \
}

SWITCH(promiscuous_enable, promiscuous, true)
SWITCH(promiscuous_disable, promiscuous, false)
SWITCH(allmulticast_enable, allmulticast, true)
SWITCH(allmulticast_disable, allmulticast, false)

static int
close_port(struct rte_eth_dev *dev)
{
	unsigned int i;

	atomic_store(&script.closed, true);
	for (i = 0; i < MAX_QUEUES; i++)
		if (atomic_load(&queues[dev->data->port_id][i].busy))
			atomic_fetch_add(&script.late, 1);
	dev->data->mac_addrs = NULL;
	return 0;
}

static struct eth_dev_ops ops = {
	.dev_configure = configure,
	.dev_start = start,
	.dev_stop = stop,
	.dev_close = close_port,
	.dev_infos_get = infos_get,
	.rx_queue_setup = rxq_setup,
	.tx_queue_setup = txq_setup,
	.tx_done_cleanup = tx_done_cleanup,
	.link_update = link_update,
	.mtu_set = mtu_set,
	.promiscuous_enable = promiscuous_enable,
	.promiscuous_disable = promiscuous_disable,
	.allmulticast_enable = allmulticast_enable,
	.allmulticast_disable = allmulticast_disable,
};

static int
make_port(struct rte_vdev_device *vdev, const char *suffix)
{
	static struct rte_ether_addr macs[SCRIPT_MAC_ADDRS];
	char name[RTE_ETH_NAME_MAX_LEN];
	struct rte_eth_dev *dev;

	snprintf(name, sizeof(name), "%s%s", rte_vdev_device_name(vdev), suffix);
	dev = rte_eth_dev_allocate(name);
	if (dev == NULL)
		return -ENOMEM;
	dev->device = &vdev->device;
	memset(macs, 0, sizeof(macs));
	macs[0] = (struct rte_ether_addr){ { 0x02, 0, 0, 0, 0, 0x77 } };
	dev->data->mac_addrs = macs;
	atomic_store(&script.closed, false);
	dev->data->dev_flags |= RTE_ETH_DEV_INTR_LSC | RTE_ETH_DEV_INTR_RMV;
	script_ops_add(&ops);
	script_device_ops_add(&ops);
	dev->dev_ops = &ops;
	dev->rx_pkt_burst = rx_burst;
	dev->tx_pkt_burst = tx_burst;
	dev->tx_pkt_prepare = tx_prepare;
	dev->rx_descriptor_status = rx_descriptor_status;
	dev->tx_descriptor_status = tx_descriptor_status;
	rte_eth_dev_probing_finish(dev);
	return 0;
}

static int
probe(struct rte_vdev_device *vdev)
{
	const char *args = rte_vdev_device_args(vdev);
	int ret;

	if (args == NULL || strcmp(args, SCRIPT_TWO_PORTS) != 0)
		return make_port(vdev, "");
	ret = make_port(vdev, "_a");
	return ret == 0 ? make_port(vdev, "_b") : ret;
}

static int
remove_port(struct rte_vdev_device *vdev)
{
	struct rte_eth_dev *dev;
	uint16_t id;

	for (id = 0; id < RTE_MAX_ETHPORTS; id++) {
		dev = &rte_eth_devices[id];
		if (!rte_eth_dev_is_valid_port(id) || dev->device != &vdev->device)
			continue;
		close_port(dev);
		rte_eth_dev_release_port(dev);
	}
	return 0;
}

static struct rte_vdev_driver driver = {
	.probe = probe,
	.remove = remove_port,
};

RTE_PMD_REGISTER_VDEV(net_script, driver);
