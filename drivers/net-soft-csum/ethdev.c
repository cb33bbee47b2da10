/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_string_fns.h>

#include <bus_vdev_driver.h>
#include <ethdev_vdev.h>

#include "soft_csum.h"

RTE_LOG_REGISTER_DEFAULT(soft_csum_logtype, NOTICE);

/* Once a process. */
static void
init(void)
{
	static bool done;

	if (done)
		return;
	done = true;
	/* The library chose its kernels by the CPU alone, before EAL knew the user's limit. */
	csum_variant_limit(soft_csum_max_simd_bits());
	soft_csum_quiesce_init();
}

static int
port_init(struct rte_eth_dev *dev, const struct soft_csum_args *args)
{
	struct soft_csum_port *port = soft_csum_port(dev);

	port->port_id = dev->data->port_id;
	port->lower_id = SOFT_CSUM_NO_PORT;
	port->force = args->force;
	port->gso.headroom = RTE_PKTMBUF_HEADROOM;
	port->gso.flags = args->gso_flags;
	port->pool_size = args->pool_size;
	port->attach = args->attach;
	port->rx_csum = args->rx_csum;
	strlcpy(port->lower_name, args->lower, sizeof(port->lower_name));
	strlcpy(port->owner.name, dev->data->name, sizeof(port->owner.name));

	dev->data->mac_addrs = port->macs;
	dev->data->dev_flags |= RTE_ETH_DEV_AUTOFILL_QUEUE_XSTATS;
	dev->dev_ops = &soft_csum_ops;
	dev->rx_pkt_burst = rte_eth_pkt_burst_dummy;
	dev->tx_pkt_burst = rte_eth_pkt_burst_dummy;
	dev->rx_queue_count = soft_csum_rxq_count;
	dev->rx_descriptor_status = soft_csum_rx_descriptor_status;
	dev->tx_descriptor_status = soft_csum_tx_descriptor_status;
	return rte_eth_dev_owner_new(&port->owner.id);
}

/* Listen first: a port made by dev(...) or by another thread is taken as it appears. */
static int
lower_init(struct soft_csum_port *port, const struct soft_csum_args *args)
{
	int ret = soft_csum_events_listen(port);

	if (ret != 0)
		return ret;
	if (args->devargs != NULL)
		return soft_csum_lower_make(port, args->devargs);
	ret = soft_csum_lower_take(port);
	if (ret != -ENODEV)
		return ret;
	SOFT_CSUM_LOG(NOTICE, soft_csum_name(port), "the port below, %s, is absent: "
		"it is taken when it appears", port->lower_name);
	return 0;
}

static int
create(struct rte_vdev_device *vdev, const struct soft_csum_args *args)
{
	struct rte_eth_dev *dev = rte_eth_vdev_allocate(vdev, sizeof(struct soft_csum_port));
	int ret;

	if (dev == NULL)
		return -ENOMEM;
	ret = port_init(dev, args);
	if (ret == 0)
		ret = lower_init(soft_csum_port(dev), args);
	if (ret != 0) {
		soft_csum_close(dev);
		rte_eth_dev_release_port(dev);
		return ret;
	}
	rte_eth_dev_probing_finish(dev);
	return 0;
}

/* The port is there; all that is missing are addresses in this process. */
static int
attach(struct rte_vdev_device *vdev)
{
	const char *name = rte_vdev_device_name(vdev);
	struct rte_eth_dev *dev = rte_eth_dev_attach_secondary(name);

	if (dev == NULL) {
		SOFT_CSUM_LOG(ERR, name, "the primary process has no such port");
		return -ENODEV;
	}
	dev->device = &vdev->device;
	soft_csum_secondary_init(dev);
	rte_eth_dev_probing_finish(dev);
	return 0;
}

static int
probe(struct rte_vdev_device *vdev)
{
	const char *name = rte_vdev_device_name(vdev);
	struct soft_csum_args args;
	int ret;

	init();
	if (rte_eal_process_type() != RTE_PROC_PRIMARY)
		return attach(vdev);
	ret = soft_csum_args_parse(name, rte_vdev_device_args(vdev), &args);
	if (ret != 0)
		return ret;
	ret = create(vdev, &args);
	free(args.devargs);
	return ret;
}

static int
remove_port(struct rte_vdev_device *vdev)
{
	struct rte_eth_dev *dev = rte_eth_dev_allocated(rte_vdev_device_name(vdev));

	/* Closed before: its port is released. In a secondary process only its name is left. */
	if (dev == NULL || !soft_csum_is_ours(dev))
		return 0;
	dev->dev_ops->dev_close(dev);
	return rte_eth_dev_release_port(dev);
}

static struct rte_vdev_driver soft_csum_driver = {
	.probe = probe,
	.remove = remove_port,
};

RTE_PMD_REGISTER_VDEV(net_soft_csum, soft_csum_driver);
RTE_PMD_REGISTER_PARAM_STRING(net_soft_csum,
	"lower=<name|PCI address|port id> "
	"dev(<devargs>) "
	"force=<offload|[offload,...]|all> "
	"form=auto|copy|attach "
	"udp_seg=uso|ufo "
	"accecn=0|1 "
	"rx_csum=auto|on|off "
	"pool_size=<mbufs>");
