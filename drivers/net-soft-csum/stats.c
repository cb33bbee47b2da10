/* SPDX-License-Identifier: BSD-3-Clause */

/* The statistics that every port has. */

#include <errno.h>

#include "soft_csum.h"

/* Consumed and not sent. */
static uint64_t
txq_errors(const struct soft_csum_txq *txq)
{
	uint64_t errors = soft_csum_value(&txq->stat[SOFT_CSUM_TX_DROPPED]);
	unsigned int i;

	for (i = 0; i < CSUM_REFUSAL_MAX; i++)
		errors += soft_csum_value(&txq->refused[i]);
	return errors;
}

static void
rx_stats(struct rte_eth_dev *dev, struct rte_eth_stats *stats,
	 struct soft_csum_queue_stats *queues)
{
	uint64_t packets, bytes;
	uint16_t i;

	for (i = 0; i < dev->data->nb_rx_queues; i++) {
		const struct soft_csum_rxq *rxq = dev->data->rx_queues[i];

		if (rxq == NULL)
			continue;
		packets = soft_csum_value(&rxq->packets);
		bytes = soft_csum_value(&rxq->bytes);
		stats->ipackets += packets;
		stats->ibytes += bytes;
		if (queues != NULL && i < RTE_ETHDEV_QUEUE_STAT_CNTRS) {
			queues->q_ipackets[i] = packets;
			queues->q_ibytes[i] = bytes;
		}
	}
}

static void
tx_stats(struct rte_eth_dev *dev, struct rte_eth_stats *stats,
	 struct soft_csum_queue_stats *queues)
{
	uint64_t packets, bytes;
	uint16_t i;

	for (i = 0; i < dev->data->nb_tx_queues; i++) {
		const struct soft_csum_txq *txq = dev->data->tx_queues[i];

		if (txq == NULL)
			continue;
		packets = soft_csum_value(&txq->packets);
		bytes = soft_csum_value(&txq->bytes);
		stats->opackets += packets;
		stats->obytes += bytes;
		stats->oerrors += txq_errors(txq);
		if (queues != NULL && i < RTE_ETHDEV_QUEUE_STAT_CNTRS) {
			queues->q_opackets[i] = packets;
			queues->q_obytes[i] = bytes;
		}
	}
}

int
soft_csum_stats_fill(struct rte_eth_dev *dev, struct rte_eth_stats *stats,
		     struct soft_csum_queue_stats *queues)
{
	uint16_t lower_id = soft_csum_port(dev)->lower_id;
	struct rte_eth_stats lower;

	rx_stats(dev, stats, queues);
	tx_stats(dev, stats, queues);
	/* What was lost on the way up. Not its oerrors: some count packets that we resend. */
	if (lower_id != SOFT_CSUM_NO_PORT && rte_eth_stats_get(lower_id, &lower) == 0) {
		stats->imissed = lower.imissed;
		stats->ierrors = lower.ierrors;
		stats->rx_nombuf = lower.rx_nombuf;
	}
	return 0;
}

static void
reset(soft_csum_counter counters[], unsigned int nb)
{
	unsigned int i;

	for (i = 0; i < nb; i++)
		atomic_store(&counters[i], 0);
}

static void
txq_reset(struct soft_csum_txq *txq)
{
	reset(&txq->packets, 1);
	reset(&txq->bytes, 1);
	reset(&txq->worked_packets, 1);
	reset(&txq->worked_bytes, 1);
	reset(&txq->backlog.most, 1);
	reset(txq->stat, RTE_DIM(txq->stat));
	reset(txq->path_bytes, RTE_DIM(txq->path_bytes));
	reset(txq->flag_requests, RTE_DIM(txq->flag_requests));
	reset(txq->requests, RTE_DIM(txq->requests));
	reset(txq->refused, RTE_DIM(txq->refused));
}

static void
counters_reset(struct rte_eth_dev *dev)
{
	struct soft_csum_rxq *rxq;
	uint16_t i;

	for (i = 0; i < dev->data->nb_rx_queues; i++) {
		rxq = dev->data->rx_queues[i];
		if (rxq == NULL)
			continue;
		reset(&rxq->packets, 1);
		reset(&rxq->bytes, 1);
		reset(rxq->stat, RTE_DIM(rxq->stat));
	}
	for (i = 0; i < dev->data->nb_tx_queues; i++)
		if (dev->data->tx_queues[i] != NULL)
			txq_reset(dev->data->tx_queues[i]);
}

/* A lower port that is absent, or keeps no statistics, has none to reset. */
static int
lower_reset(struct rte_eth_dev *dev, int (*reset_port)(uint16_t port_id))
{
	uint16_t lower_id = soft_csum_port(dev)->lower_id;
	int ret = lower_id != SOFT_CSUM_NO_PORT ? reset_port(lower_id) : 0;

	return ret == -ENOTSUP ? 0 : ret;
}

int
soft_csum_stats_reset(struct rte_eth_dev *dev)
{
	counters_reset(dev);
	return lower_reset(dev, rte_eth_stats_reset);
}

int
soft_csum_xstats_reset(struct rte_eth_dev *dev)
{
	counters_reset(dev);
	return lower_reset(dev, rte_eth_xstats_reset);
}
