/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_string_fns.h>

#include "soft_csum.h"

static const char *const stat_names[SOFT_CSUM_STAT_MAX] = {
	[SOFT_CSUM_TX_PASSED] = "tx_passed_packets",
	[SOFT_CSUM_TX_LEFT] = "tx_left_to_lower_packets",
	[SOFT_CSUM_TX_CHECKSUMMED] = "tx_checksummed_packets",
	[SOFT_CSUM_TX_SEGMENTED] = "tx_segmented_packets",
	[SOFT_CSUM_TX_SEGMENTS] = "tx_segments",
	[SOFT_CSUM_TX_COPIED] = "tx_copied_packets",
	[SOFT_CSUM_TX_LINEARISED] = "tx_linearised_packets",
	[SOFT_CSUM_TX_FRAGMENTS] = "tx_fragments_without_l4_packets",
	[SOFT_CSUM_TX_TAGGED] = "tx_tagged_packets",
	[SOFT_CSUM_TX_NOT_ENABLED] = "tx_not_enabled_packets",
	[SOFT_CSUM_TX_LOWER_REFUSED] = "tx_lower_prepare_refused_packets",
	[SOFT_CSUM_TX_HELD_RING] = "tx_held_by_ring",
	[SOFT_CSUM_TX_HELD_POOL] = "tx_held_by_pool",
	[SOFT_CSUM_TX_DROPPED] = "tx_dropped_at_stop",
};

static const char *const rx_stat_names[SOFT_CSUM_RX_STAT_MAX] = {
	[SOFT_CSUM_RX_VERIFIED] = "rx_verified_packets",
	[SOFT_CSUM_RX_BAD_IP] = "rx_bad_ip",
	[SOFT_CSUM_RX_BAD_L4] = "rx_bad_l4",
	[SOFT_CSUM_RX_BAD_OUTER_IP] = "rx_bad_outer_ip",
	[SOFT_CSUM_RX_BAD_OUTER_L4] = "rx_bad_outer_l4",
};

/* Ours: the counters above, one a refusal reason (but none for no reason), and the backlogs. */
#define FIRST_REFUSAL SOFT_CSUM_STAT_MAX
#define BACKLOGS_NOW  (FIRST_REFUSAL + CSUM_REFUSAL_MAX - 1)
#define BACKLOG_MOST  (BACKLOGS_NOW + 1)
#define BACKLOG_AGE   (BACKLOG_MOST + 1)
#define FIRST_RX      (BACKLOG_AGE + 1)
#define NB_OWN        (FIRST_RX + SOFT_CSUM_RX_STAT_MAX)

#define LOWER_PREFIX "lower_"

static uint64_t
value_of(const soft_csum_counter *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

/* Consumed and not sent. */
static uint64_t
txq_errors(const struct soft_csum_txq *txq)
{
	uint64_t errors = value_of(&txq->stat[SOFT_CSUM_TX_DROPPED]);
	unsigned int i;

	for (i = 0; i < CSUM_REFUSAL_MAX; i++)
		errors += value_of(&txq->refused[i]);
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
		packets = value_of(&rxq->packets);
		bytes = value_of(&rxq->bytes);
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
		packets = value_of(&txq->packets);
		bytes = value_of(&txq->bytes);
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
counters_reset(struct rte_eth_dev *dev)
{
	uint16_t i, j;

	for (i = 0; i < dev->data->nb_rx_queues; i++) {
		struct soft_csum_rxq *rxq = dev->data->rx_queues[i];

		if (rxq == NULL)
			continue;
		atomic_store(&rxq->packets, 0);
		atomic_store(&rxq->bytes, 0);
		for (j = 0; j < SOFT_CSUM_RX_STAT_MAX; j++)
			atomic_store(&rxq->stat[j], 0);
	}
	for (i = 0; i < dev->data->nb_tx_queues; i++) {
		struct soft_csum_txq *txq = dev->data->tx_queues[i];

		if (txq == NULL)
			continue;
		atomic_store(&txq->packets, 0);
		atomic_store(&txq->bytes, 0);
		atomic_store(&txq->backlog.most, 0);
		for (j = 0; j < SOFT_CSUM_STAT_MAX; j++)
			atomic_store(&txq->stat[j], 0);
		for (j = 0; j < CSUM_REFUSAL_MAX; j++)
			atomic_store(&txq->refused[j], 0);
	}
}

/* A lower port that is absent, or keeps no statistics, has none to reset. */
static int
lower_reset(struct rte_eth_dev *dev, int (*reset)(uint16_t port_id))
{
	uint16_t lower_id = soft_csum_port(dev)->lower_id;
	int ret = lower_id != SOFT_CSUM_NO_PORT ? reset(lower_id) : 0;

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

static void
own_names(struct rte_eth_xstat_name *names)
{
	unsigned int i, n = 0;

	for (i = 0; i < SOFT_CSUM_STAT_MAX; i++)
		strlcpy(names[n++].name, stat_names[i], sizeof(names->name));
	for (i = 1; i < CSUM_REFUSAL_MAX; i++)
		snprintf(names[n++].name, sizeof(names->name), "tx_refused_%s",
			csum_refusal_name(i));
	strlcpy(names[n++].name, "tx_backlogs_now", sizeof(names->name));
	strlcpy(names[n++].name, "tx_backlog_most_segments", sizeof(names->name));
	strlcpy(names[n++].name, "tx_backlog_oldest_us", sizeof(names->name));
	for (i = 0; i < SOFT_CSUM_RX_STAT_MAX; i++)
		strlcpy(names[n++].name, rx_stat_names[i], sizeof(names->name));
}

static void
backlog_values(struct soft_csum_txq *txq, struct rte_eth_xstat *xstats)
{
	uint64_t age = 0;

	if (soft_csum_backlog_waits(txq)) {
		xstats[BACKLOGS_NOW].value++;
		age = (rte_get_timer_cycles() - value_of(&txq->backlog.begun)) /
			(rte_get_timer_hz() / US_PER_S);
	}
	xstats[BACKLOG_MOST].value = RTE_MAX(xstats[BACKLOG_MOST].value,
		value_of(&txq->backlog.most));
	xstats[BACKLOG_AGE].value = RTE_MAX(xstats[BACKLOG_AGE].value, age);
}

static void
own_values(struct rte_eth_dev *dev, struct rte_eth_xstat *xstats)
{
	uint16_t i;
	unsigned int j;

	for (j = 0; j < NB_OWN; j++) {
		xstats[j].id = j;
		xstats[j].value = 0;
	}
	for (i = 0; i < dev->data->nb_tx_queues; i++) {
		struct soft_csum_txq *txq = dev->data->tx_queues[i];

		if (txq == NULL)
			continue;
		for (j = 0; j < SOFT_CSUM_STAT_MAX; j++)
			xstats[j].value += value_of(&txq->stat[j]);
		for (j = 1; j < CSUM_REFUSAL_MAX; j++)
			xstats[FIRST_REFUSAL + j - 1].value += value_of(&txq->refused[j]);
		backlog_values(txq, xstats);
	}
	for (i = 0; i < dev->data->nb_rx_queues; i++) {
		struct soft_csum_rxq *rxq = dev->data->rx_queues[i];

		for (j = 0; rxq != NULL && j < SOFT_CSUM_RX_STAT_MAX; j++)
			xstats[FIRST_RX + j].value += value_of(&rxq->stat[j]);
	}
}

unsigned int
soft_csum_own_stats(struct rte_eth_dev *dev, struct rte_eth_xstat_name *names,
		    struct rte_eth_xstat *values)
{
	if (names != NULL)
		own_names(names);
	if (values != NULL)
		own_values(dev, values);
	return NB_OWN;
}

/* How many xstats the lower port has: none while it is absent or cannot tell their values. */
static unsigned int
nb_lower(const struct soft_csum_port *port)
{
	struct rte_eth_stats stats;
	int nb = 0;

	if (port->lower_id != SOFT_CSUM_NO_PORT && rte_eth_stats_get(port->lower_id, &stats) == 0)
		nb = rte_eth_xstats_get_names(port->lower_id, NULL, 0);
	return nb > 0 ? nb : 0;
}

int
soft_csum_xstats_get_names(struct rte_eth_dev *dev, struct rte_eth_xstat_name *names,
			   unsigned int n)
{
	struct soft_csum_port *port = soft_csum_port(dev);
	unsigned int nb = nb_lower(port);
	char name[RTE_ETH_XSTATS_NAME_SIZE];
	int ret;

	if (names == NULL || n < NB_OWN + nb)
		return NB_OWN + nb;
	own_names(names);
	names += NB_OWN;
	ret = nb > 0 ? rte_eth_xstats_get_names(port->lower_id, names, nb) : 0;
	if (ret < 0)
		return ret;
	nb = RTE_MIN(nb, (unsigned int)ret);
	for (n = 0; n < nb; n++) {
		strlcpy(name, names[n].name, sizeof(name));
		/* A name at the limit loses its end. */
		if (snprintf(names[n].name, sizeof(name), LOWER_PREFIX "%s", name) < 0)
			return -EINVAL;
	}
	return NB_OWN + nb;
}

int
soft_csum_xstats_get(struct rte_eth_dev *dev, struct rte_eth_xstat *xstats, unsigned int n)
{
	struct soft_csum_port *port = soft_csum_port(dev);
	unsigned int i, nb = nb_lower(port);
	int ret;

	if (xstats == NULL || n < NB_OWN + nb)
		return NB_OWN + nb;
	own_values(dev, xstats);
	xstats += NB_OWN;
	ret = nb > 0 ? rte_eth_xstats_get(port->lower_id, xstats, nb) : 0;
	if (ret < 0)
		return ret;
	nb = RTE_MIN(nb, (unsigned int)ret);
	for (i = 0; i < nb; i++)
		xstats[i].id += NB_OWN;
	return NB_OWN + nb;
}
