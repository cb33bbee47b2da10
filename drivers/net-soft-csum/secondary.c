/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The port in a secondary process. Queues, pools and counters are in memory that all processes
 * share, and the lower port has its own bursts here; what remains are addresses of functions.
 */

#include <errno.h>

#include "pass.h"
#include "tx.h"

static int
refuse(const struct rte_eth_dev *dev, const char *what)
{
	SOFT_CSUM_LOG(ERR, dev->data->name, "only the primary process can %s it", what);
	return -ENOTSUP;
}

static int
configure(struct rte_eth_dev *dev)
{
	return refuse(dev, "configure");
}

static int
start(struct rte_eth_dev *dev)
{
	return refuse(dev, "start");
}

static int
stop(struct rte_eth_dev *dev)
{
	return refuse(dev, "stop");
}

static int
rxq_setup(struct rte_eth_dev *dev, uint16_t queue_id __rte_unused, uint16_t nb_desc __rte_unused,
	  unsigned int socket __rte_unused, const struct rte_eth_rxconf *conf __rte_unused,
	  struct rte_mempool *pool __rte_unused)
{
	return refuse(dev, "set up Rx queues of");
}

static int
txq_setup(struct rte_eth_dev *dev, uint16_t queue_id __rte_unused, uint16_t nb_desc __rte_unused,
	  unsigned int socket __rte_unused, const struct rte_eth_txconf *conf __rte_unused)
{
	return refuse(dev, "set up Tx queues of");
}

/* All the rest is the primary process's. */
int
soft_csum_secondary_close(struct rte_eth_dev *dev)
{
	soft_csum_alarm_cancel(dev);
	return 0;
}

/* The primary process keeps it up to date, and may be the only one that has the lower port. */
static int
link_update(struct rte_eth_dev *dev __rte_unused, int wait_to_complete __rte_unused)
{
	return 0;
}

SOFT_CSUM_STATS_GET(stats_get, soft_csum_stats_fill)
SOFT_CSUM_PTYPES_GET(ptypes_get, soft_csum_ptypes_fill)

const struct eth_dev_ops soft_csum_secondary_ops = {
	.dev_configure = configure,
	.dev_start = start,
	.dev_stop = stop,
	.dev_close = soft_csum_secondary_close,
	.dev_infos_get = soft_csum_infos_get,
	.dev_supported_ptypes_get = ptypes_get,
	.rx_queue_setup = rxq_setup,
	.tx_queue_setup = txq_setup,
	.rxq_info_get = soft_csum_rxq_info,
	.txq_info_get = soft_csum_txq_info,
	.rx_burst_mode_get = soft_csum_rx_mode,
	.tx_burst_mode_get = soft_csum_tx_mode,
	.tx_done_cleanup = soft_csum_tx_done_cleanup,
	.link_update = link_update,
	.get_monitor_addr = soft_csum_monitor_addr,
	.stats_get = stats_get,
	.stats_reset = soft_csum_stats_reset,
	.xstats_get = soft_csum_xstats_get,
	.xstats_get_names = soft_csum_xstats_get_names,
	.xstats_reset = soft_csum_xstats_reset,
};

/* No process crashes for a lower port that is not there for it, or only half. */
static bool
lower_is_here(const struct soft_csum_port *port, uint16_t id)
{
	static atomic_bool said[RTE_MAX_ETHPORTS];

	if (likely(soft_csum_sends_here(id)))
		return true;
	if (atomic_load(&port->lower_runs) && !atomic_exchange(&said[port->port_id], true))
		SOFT_CSUM_LOG(ERR, soft_csum_name(port), "the port below, %s, neither sends nor "
			"receives in a secondary process", port->lower_name);
	return false;
}

/* The primary process may start the port anew, with other offloads: ask each time which burst. */
static uint16_t
rx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	const struct soft_csum_rxq *rxq = queue;

	if (!lower_is_here(rxq->port, rxq->lower_id))
		return 0;
	return soft_csum_rx_burst_pick(rxq->port)(queue, pkts, nb_pkts);
}

static uint16_t
tx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	const struct soft_csum_txq *txq = queue;

	if (!lower_is_here(txq->port, txq->lower_id))
		return 0;
	return soft_csum_tx_burst_pick(txq->port)(queue, pkts, nb_pkts);
}

void
soft_csum_secondary_init(struct rte_eth_dev *dev)
{
	dev->dev_ops = &soft_csum_secondary_ops;
	dev->rx_pkt_burst = rx_burst;
	dev->tx_pkt_burst = tx_burst;
	dev->tx_pkt_prepare = soft_csum_tx_prepare;
	dev->rx_queue_count = soft_csum_rxq_count;
	dev->rx_descriptor_status = soft_csum_rx_descriptor_status;
	dev->tx_descriptor_status = soft_csum_tx_descriptor_status;
}
