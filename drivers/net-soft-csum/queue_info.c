/* SPDX-License-Identifier: BSD-3-Clause */

/* What a queue tells of itself. */

#include <stdio.h>

#include <rte_string_fns.h>

#include "soft_csum.h"

void
soft_csum_rxq_info(struct rte_eth_dev *dev, uint16_t queue_id, struct rte_eth_rxq_info *info)
{
	const struct soft_csum_rxq *rxq = dev->data->rx_queues[queue_id];
	struct rte_eth_rxq_info lower;

	info->mp = rxq->pool;
	info->conf = rxq->conf;
	info->nb_desc = rxq->nb_desc;
	info->scattered_rx = dev->data->scattered_rx;
	if (rte_eth_rx_queue_info_get(rxq->lower_id, queue_id, &lower) == 0) {
		info->nb_desc = lower.nb_desc;
		info->rx_buf_size = lower.rx_buf_size;
		info->scattered_rx = lower.scattered_rx;
	}
}

void
soft_csum_txq_info(struct rte_eth_dev *dev, uint16_t queue_id, struct rte_eth_txq_info *info)
{
	const struct soft_csum_txq *txq = dev->data->tx_queues[queue_id];

	info->conf = txq->conf;
	info->nb_desc = txq->nb_desc;
}

/* Ours, and what the lower port calls its own, if it does. */
static void
mode_name(struct rte_eth_burst_mode *mode, const char *name, int ret,
	  const struct rte_eth_burst_mode *lower)
{
	if (ret != 0) {
		strlcpy(mode->info, name, sizeof(mode->info));
		return;
	}
	mode->flags = lower->flags;
	/* A name at the limit loses its end. */
	if (snprintf(mode->info, sizeof(mode->info), "%s over %s", name, lower->info) < 0)
		mode->info[0] = '\0';
}

int
soft_csum_rx_mode(struct rte_eth_dev *dev, uint16_t queue_id, struct rte_eth_burst_mode *mode)
{
	const struct soft_csum_port *port = soft_csum_port(dev);
	struct rte_eth_burst_mode lower;
	int ret = rte_eth_rx_burst_mode_get(port->lower_id, queue_id, &lower);

	mode_name(mode, port->rx_verify != 0 ? "Checksums Verified" : "Passed", ret, &lower);
	return 0;
}

int
soft_csum_tx_mode(struct rte_eth_dev *dev, uint16_t queue_id, struct rte_eth_burst_mode *mode)
{
	const struct soft_csum_port *port = soft_csum_port(dev);
	struct rte_eth_burst_mode lower;
	int ret = rte_eth_tx_burst_mode_get(port->lower_id, queue_id, &lower);

	mode_name(mode, port->lower_max_segs == UINT16_MAX ? "Any Chain" : "Short Chains", ret,
		&lower);
	return 0;
}

soft_csum_queue_count
soft_csum_rxq_count(void *queue)
{
	const struct soft_csum_rxq *rxq = queue;

	if (!atomic_load(&rxq->port->lower_runs))
		return -ENODEV;
	return rte_eth_rx_queue_count(rxq->lower_id, rxq->queue_id);
}

int
soft_csum_rx_descriptor_status(void *queue, uint16_t offset)
{
	const struct soft_csum_rxq *rxq = queue;

	if (!atomic_load(&rxq->port->lower_runs))
		return -ENODEV;
	return rte_eth_rx_descriptor_status(rxq->lower_id, rxq->queue_id, offset);
}
