/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rte_ethdev.h>
#include <rte_ether.h>
#include <rte_kvargs.h>
#include <rte_version.h>

#include <bus_vdev_driver.h>
#include <ethdev_driver.h>
#include <ethdev_vdev.h>

#include "vnet_tap.h"

#define IFACE_ARG "iface"
#define DEFAULT_IFACE "vtap%d"

/* UDP_TSO comes on top where Linux has it. */
#define TX_OFFLOADS \
	(RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM | \
	 RTE_ETH_TX_OFFLOAD_UDP_CKSUM | RTE_ETH_TX_OFFLOAD_SCTP_CKSUM | \
	 RTE_ETH_TX_OFFLOAD_TCP_TSO | RTE_ETH_TX_OFFLOAD_MULTI_SEGS)

static int
configure(struct rte_eth_dev *dev)
{
	return 0;
}

static int
set_link(struct rte_eth_dev *dev, uint16_t status)
{
	const struct rte_eth_link link = {
		.link_speed = RTE_ETH_SPEED_NUM_10G,
		.link_duplex = RTE_ETH_LINK_FULL_DUPLEX,
		.link_status = status,
	};

	rte_eth_linkstatus_set(dev, &link);
	return 0;
}

static int
start(struct rte_eth_dev *dev)
{
	return set_link(dev, RTE_ETH_LINK_UP);
}

static int
stop(struct rte_eth_dev *dev)
{
	return set_link(dev, RTE_ETH_LINK_DOWN);
}

static int
link_update(struct rte_eth_dev *dev, int wait)
{
	return 0;
}

static int
infos_get(struct rte_eth_dev *dev, struct rte_eth_dev_info *info)
{
	const struct vnet_tap *tap = dev->data->dev_private;

	info->max_mac_addrs = 1;
	info->max_rx_pktlen = VNET_TAP_MAX_FRAME;
	info->max_rx_queues = 1;
	info->max_tx_queues = 1;
	info->tx_desc_lim.nb_seg_max = VNET_TAP_MAX_SEGS;
	info->tx_desc_lim.nb_mtu_seg_max = VNET_TAP_MAX_SEGS;
	info->rx_offload_capa = RTE_ETH_RX_OFFLOAD_SCATTER | RTE_ETH_RX_OFFLOAD_TCP_LRO |
		RTE_ETH_RX_OFFLOAD_TCP_CKSUM | RTE_ETH_RX_OFFLOAD_UDP_CKSUM;
	info->tx_offload_capa = TX_OFFLOADS | (tap->uso ? RTE_ETH_TX_OFFLOAD_UDP_TSO : 0);
	info->max_lro_pkt_size = VNET_TAP_MAX_FRAME;
	return 0;
}

static int
rx_queue_setup(struct rte_eth_dev *dev, uint16_t queue, uint16_t nb_desc, unsigned int socket,
	       const struct rte_eth_rxconf *conf, struct rte_mempool *pool)
{
	struct vnet_tap *tap = dev->data->dev_private;
	int ret = vnet_tap_rx_setup(&tap->rxq, pool);

	if (ret != 0) {
		fprintf(stderr, "%s: the mbufs are too small for packets of 64 KB\n",
			dev->data->name);
		return ret;
	}
	tap->rxq.fd = tap->fd;
	tap->rxq.port = dev->data->port_id;
	dev->data->rx_queues[queue] = &tap->rxq;
	return 0;
}

static void
rx_queue_release(struct rte_eth_dev *dev, uint16_t queue)
{
	struct vnet_tap_rxq *rxq = dev->data->rx_queues[queue];

	if (rxq != NULL)
		vnet_tap_rx_release(rxq);
}

static int
tx_queue_setup(struct rte_eth_dev *dev, uint16_t queue, uint16_t nb_desc, unsigned int socket,
	       const struct rte_eth_txconf *conf)
{
	struct vnet_tap *tap = dev->data->dev_private;

	tap->txq.fd = tap->fd;
	dev->data->tx_queues[queue] = &tap->txq;
	return 0;
}

/* It receives whatever Linux sends, and the address is but a name for it. */
static int
accept_any(struct rte_eth_dev *dev)
{
	return 0;
}

static int
mac_addr_set(struct rte_eth_dev *dev, struct rte_ether_addr *addr)
{
	return 0;
}

static void
get_stats(const struct vnet_tap *tap, struct rte_eth_stats *stats)
{
	stats->ipackets = tap->rxq.counters.packets;
	stats->ibytes = tap->rxq.counters.bytes;
	stats->ierrors = tap->rxq.counters.errors;
	stats->rx_nombuf = tap->rxq.no_mbuf;
	stats->opackets = tap->txq.counters.packets;
	stats->obytes = tap->txq.counters.bytes;
	stats->oerrors = tap->txq.counters.errors;
}

/* 25.11 made the queues' counters an argument. */
#if RTE_VERSION >= RTE_VERSION_NUM(25, 11, 0, 0)
static int
stats_get(struct rte_eth_dev *dev, struct rte_eth_stats *stats, struct eth_queue_stats *queues)
#else
static int
stats_get(struct rte_eth_dev *dev, struct rte_eth_stats *stats)
#endif
{
	get_stats(dev->data->dev_private, stats);
	return 0;
}

static int
stats_reset(struct rte_eth_dev *dev)
{
	struct vnet_tap *tap = dev->data->dev_private;

	tap->rxq.counters = (struct vnet_tap_counters){ 0 };
	tap->rxq.no_mbuf = 0;
	tap->txq.counters = (struct vnet_tap_counters){ 0 };
	return 0;
}

static int
close_port(struct rte_eth_dev *dev)
{
	struct vnet_tap *tap = dev->data->dev_private;

	vnet_tap_rx_release(&tap->rxq);
	close(tap->fd);
	/* It lies within the private data. */
	dev->data->mac_addrs = NULL;
	return 0;
}

static const struct eth_dev_ops ops = {
	.dev_configure = configure,
	.dev_start = start,
	.dev_stop = stop,
	.dev_close = close_port,
	.dev_infos_get = infos_get,
	.link_update = link_update,
	.rx_queue_setup = rx_queue_setup,
	.rx_queue_release = rx_queue_release,
	.tx_queue_setup = tx_queue_setup,
	.promiscuous_enable = accept_any,
	.promiscuous_disable = accept_any,
	.allmulticast_enable = accept_any,
	.allmulticast_disable = accept_any,
	.mac_addr_set = mac_addr_set,
	.stats_get = stats_get,
	.stats_reset = stats_reset,
};

static int
store_name(const char *key, const char *value, void *place)
{
	if (value[0] == '\0' || strlen(value) >= IFNAMSIZ)
		return -EINVAL;
	snprintf(place, IFNAMSIZ, "%s", value);
	return 0;
}

static int
parse_name(const char *args, char name[IFNAMSIZ])
{
	static const char *const keys[] = { IFACE_ARG, NULL };
	struct rte_kvargs *kvargs = rte_kvargs_parse(args, keys);
	int ret;

	if (kvargs == NULL)
		return -EINVAL;
	ret = rte_kvargs_process(kvargs, IFACE_ARG, store_name, name);
	rte_kvargs_free(kvargs);
	return ret;
}

static int
make_port(struct rte_vdev_device *vdev, int fd, bool uso)
{
	struct rte_eth_dev *dev = rte_eth_vdev_allocate(vdev, sizeof(struct vnet_tap));
	struct vnet_tap *tap;

	if (dev == NULL)
		return -ENOMEM;
	tap = dev->data->dev_private;
	tap->fd = fd;
	tap->uso = uso;
	rte_eth_random_addr(tap->addr.addr_bytes);
	dev->data->mac_addrs = &tap->addr;
	dev->data->dev_flags |= RTE_ETH_DEV_AUTOFILL_QUEUE_XSTATS;
	dev->dev_ops = &ops;
	dev->rx_pkt_burst = vnet_tap_rx;
	dev->tx_pkt_burst = vnet_tap_tx;
	rte_eth_dev_probing_finish(dev);
	return 0;
}

static int
probe(struct rte_vdev_device *vdev)
{
	const char *device = rte_vdev_device_name(vdev);
	char name[IFNAMSIZ] = DEFAULT_IFACE;
	bool uso;
	int fd, ret;

	ret = parse_name(rte_vdev_device_args(vdev), name);
	if (ret != 0) {
		fprintf(stderr, "%s: its one argument is " IFACE_ARG "=<name>, of at most %u "
			"characters\n", device, IFNAMSIZ - 1);
		return ret;
	}
	fd = vnet_tap_open(name, &uso);
	if (fd < 0) {
		fprintf(stderr, "%s: cannot make the TAP device %s: %s\n", device, name,
			strerror(-fd));
		return fd;
	}
	ret = make_port(vdev, fd, uso);
	if (ret != 0)
		close(fd);
	return ret;
}

static int
remove_port(struct rte_vdev_device *vdev)
{
	struct rte_eth_dev *dev = rte_eth_dev_allocated(rte_vdev_device_name(vdev));

	if (dev == NULL)
		return 0;
	close_port(dev);
	return rte_eth_dev_release_port(dev);
}

static struct rte_vdev_driver driver = {
	.probe = probe,
	.remove = remove_port,
};

RTE_PMD_REGISTER_VDEV(net_vnet_tap, driver);
RTE_PMD_REGISTER_PARAM_STRING(net_vnet_tap, IFACE_ARG "=<string>");
