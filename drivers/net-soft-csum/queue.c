/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>

#include <rte_malloc.h>

#include "soft_csum.h"

int
soft_csum_rxq_setup(struct rte_eth_dev *dev, uint16_t queue_id, uint16_t nb_desc,
		    unsigned int socket, const struct rte_eth_rxconf *conf,
		    struct rte_mempool *pool)
{
	struct soft_csum_port *port = soft_csum_port(dev);
	struct rte_eth_rxconf lower_conf = *conf;
	struct soft_csum_rxq *rxq;
	int ret;

	/* All offloads are the port's: they were switched on when it was configured. */
	lower_conf.offloads = 0;
	ret = rte_eth_rx_queue_setup(port->lower_id, queue_id, nb_desc, socket, &lower_conf, pool);
	if (ret != 0)
		return ret;
	rxq = rte_zmalloc_socket(SOFT_CSUM_DRIVER, sizeof(*rxq), RTE_CACHE_LINE_SIZE, socket);
	if (rxq == NULL)
		return -ENOMEM;
	rxq->lower_id = port->lower_id;
	rxq->queue_id = queue_id;
	rxq->port_id = port->port_id;
	rxq->nb_desc = nb_desc;
	rxq->port = port;
	rxq->pool = pool;
	rxq->conf = *conf;
	/* These arrays are the application's. */
	rxq->conf.rx_seg = NULL;
	rxq->conf.rx_nseg = 0;
	rxq->conf.rx_mempools = NULL;
	rxq->conf.rx_nmempool = 0;
	/* What start did for those that were there by then. */
	if (dev->data->dev_started)
		soft_csum_rxq_masks(rxq, port->rx_verify);
	dev->data->rx_queues[queue_id] = rxq;
	return 0;
}

int
soft_csum_txq_setup(struct rte_eth_dev *dev, uint16_t queue_id, uint16_t nb_desc,
		    unsigned int socket, const struct rte_eth_txconf *conf)
{
	struct soft_csum_port *port = soft_csum_port(dev);
	struct rte_eth_txconf lower_conf = *conf;
	struct soft_csum_txq *txq;
	int ret;

	lower_conf.offloads = 0;
	ret = rte_eth_tx_queue_setup(port->lower_id, queue_id, nb_desc, socket, &lower_conf);
	if (ret != 0)
		return ret;
	txq = rte_zmalloc_socket(SOFT_CSUM_DRIVER, sizeof(*txq), RTE_CACHE_LINE_SIZE, socket);
	if (txq == NULL)
		return -ENOMEM;
	txq->lower_id = port->lower_id;
	txq->queue_id = queue_id;
	txq->nb_desc = nb_desc;
	txq->port = port;
	txq->conf = *conf;
	rte_spinlock_init(&txq->backlog.lock);
	dev->data->tx_queues[queue_id] = txq;
	return 0;
}

void
soft_csum_rxq_release(struct rte_eth_dev *dev, uint16_t queue_id)
{
	rte_free(dev->data->rx_queues[queue_id]);
	dev->data->rx_queues[queue_id] = NULL;
}

void
soft_csum_txq_release(struct rte_eth_dev *dev, uint16_t queue_id)
{
	rte_free(dev->data->tx_queues[queue_id]);
	dev->data->tx_queues[queue_id] = NULL;
}

void
soft_csum_queues_started(struct rte_eth_dev *dev)
{
	const struct soft_csum_rxq *rxq;
	const struct soft_csum_txq *txq;
	uint16_t i;

	for (i = 0; i < dev->data->nb_rx_queues; i++) {
		rxq = dev->data->rx_queues[i];
		dev->data->rx_queue_state[i] = rxq->conf.rx_deferred_start ?
			RTE_ETH_QUEUE_STATE_STOPPED : RTE_ETH_QUEUE_STATE_STARTED;
	}
	for (i = 0; i < dev->data->nb_tx_queues; i++) {
		txq = dev->data->tx_queues[i];
		dev->data->tx_queue_state[i] = txq->conf.tx_deferred_start ?
			RTE_ETH_QUEUE_STATE_STOPPED : RTE_ETH_QUEUE_STATE_STARTED;
	}
}

int
soft_csum_rxq_start(struct rte_eth_dev *dev, uint16_t queue_id)
{
	int ret = rte_eth_dev_rx_queue_start(soft_csum_port(dev)->lower_id, queue_id);

	if (ret == 0)
		dev->data->rx_queue_state[queue_id] = RTE_ETH_QUEUE_STATE_STARTED;
	return ret;
}

int
soft_csum_rxq_stop(struct rte_eth_dev *dev, uint16_t queue_id)
{
	int ret = rte_eth_dev_rx_queue_stop(soft_csum_port(dev)->lower_id, queue_id);

	if (ret == 0)
		dev->data->rx_queue_state[queue_id] = RTE_ETH_QUEUE_STATE_STOPPED;
	return ret;
}

int
soft_csum_txq_start(struct rte_eth_dev *dev, uint16_t queue_id)
{
	int ret = rte_eth_dev_tx_queue_start(soft_csum_port(dev)->lower_id, queue_id);

	if (ret == 0)
		dev->data->tx_queue_state[queue_id] = RTE_ETH_QUEUE_STATE_STARTED;
	return ret;
}

int
soft_csum_txq_stop(struct rte_eth_dev *dev, uint16_t queue_id)
{
	int ret;

	soft_csum_txq_flush(dev->data->tx_queues[queue_id]);
	ret = rte_eth_dev_tx_queue_stop(soft_csum_port(dev)->lower_id, queue_id);
	if (ret == 0)
		dev->data->tx_queue_state[queue_id] = RTE_ETH_QUEUE_STATE_STOPPED;
	return ret;
}
