/* SPDX-License-Identifier: BSD-3-Clause */

/* Extended statistics: our own, then those of the lower port with a prefix. */

#include <errno.h>
#include <stddef.h>
#include <stdio.h>

#include <rte_bitops.h>
#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_mbuf.h>
#include <rte_string_fns.h>

#include "soft_csum.h"

/* A counter of a queue: what it is called, and where it is. */
struct xstat {
	const char *name;
	size_t off;
};

#define TX(field) offsetof(struct soft_csum_txq, field)
#define TX_STAT(name) TX(stat) + (SOFT_CSUM_TX_ ## name) * sizeof(soft_csum_counter)
#define TX_BYTES(name) TX(path_bytes) + (SOFT_CSUM_TX_ ## name) * sizeof(soft_csum_counter)
#define TX_FLAG(name) \
	TX(flag_requests) + __builtin_ctzll(RTE_MBUF_F_TX_ ## name) * sizeof(soft_csum_counter)
#define TX_REQUEST(i) TX(requests) + (i) * sizeof(soft_csum_counter)
#define TX_L4(name) \
	TX_REQUEST(SOFT_CSUM_REQUEST_L4 + RTE_MBUF_F_TX_ ## name / RTE_MBUF_F_TX_TCP_CKSUM)
#define RX_STAT(name) \
	offsetof(struct soft_csum_rxq, stat) + (SOFT_CSUM_RX_ ## name) * sizeof(soft_csum_counter)

static const struct xstat tx_xstats[] = {
	{ "tx_left_to_lower_packets", TX_STAT(LEFT) },
	{ "tx_left_to_lower_bytes", TX_BYTES(LEFT) },
	{ "tx_checksummed_packets", TX_STAT(CHECKSUMMED) },
	{ "tx_checksummed_bytes", TX_BYTES(CHECKSUMMED) },
	{ "tx_segmented_packets", TX_STAT(SEGMENTED) },
	{ "tx_segmented_bytes", TX_BYTES(SEGMENTED) },
	{ "tx_segments", TX_STAT(SEGMENTS) },
	{ "tx_copied_packets", TX_STAT(COPIED) },
	{ "tx_copied_bytes", TX_BYTES(COPIED) },
	{ "tx_linearised_packets", TX_STAT(LINEARISED) },
	{ "tx_linearised_bytes", TX_BYTES(LINEARISED) },
	{ "tx_tagged_packets", TX_STAT(TAGGED) },
	{ "tx_tagged_bytes", TX_BYTES(TAGGED) },
	{ "tx_requests_ipv4_cksum", TX_FLAG(IP_CKSUM) },
	{ "tx_requests_tcp_cksum", TX_L4(TCP_CKSUM) },
	{ "tx_requests_udp_cksum", TX_L4(UDP_CKSUM) },
	{ "tx_requests_sctp_cksum", TX_L4(SCTP_CKSUM) },
	{ "tx_requests_outer_ipv4_cksum", TX_FLAG(OUTER_IP_CKSUM) },
	{ "tx_requests_outer_udp_cksum", TX_FLAG(OUTER_UDP_CKSUM) },
	{ "tx_requests_tcp_tso", TX_FLAG(TCP_SEG) },
	{ "tx_requests_udp_tso", TX_FLAG(UDP_SEG) },
	{ "tx_requests_tnl_tso", TX_REQUEST(SOFT_CSUM_REQUEST_TNL_TSO) },
	{ "tx_requests_vlan_insert", TX_FLAG(VLAN) },
	{ "tx_requests_qinq_insert", TX_FLAG(QINQ) },
	{ "tx_fragments_without_l4_packets", TX_STAT(FRAGMENTS) },
	{ "tx_not_enabled_packets", TX_STAT(NOT_ENABLED) },
	{ "tx_lower_prepare_refused_packets", TX_STAT(LOWER_REFUSED) },
	{ "tx_held_by_ring", TX_STAT(HELD_RING) },
	{ "tx_held_by_pool", TX_STAT(HELD_POOL) },
	{ "tx_dropped_at_stop", TX_STAT(DROPPED) },
};

static const struct xstat rx_xstats[] = {
	{ "rx_verified_packets", RX_STAT(VERIFIED) },
	{ "rx_bad_ip", RX_STAT(BAD_IP) },
	{ "rx_bad_l4", RX_STAT(BAD_L4) },
	{ "rx_bad_outer_ip", RX_STAT(BAD_OUTER_IP) },
	{ "rx_bad_outer_l4", RX_STAT(BAD_OUTER_L4) },
};

/* Ours: what is computed, the tables above, and one a refusal reason, but none for no reason. */
enum {
	PASSED_PACKETS,
	PASSED_BYTES,
	BACKLOGS_NOW,
	BACKLOG_MOST,
	BACKLOG_AGE,
	FIRST_TX,
	FIRST_RX = FIRST_TX + RTE_DIM(tx_xstats),
	FIRST_REFUSAL = FIRST_RX + RTE_DIM(rx_xstats),
	NB_OWN = FIRST_REFUSAL + CSUM_REFUSAL_MAX - 1
};

static const char *const computed_names[FIRST_TX] = {
	[PASSED_PACKETS] = "tx_passed_packets",
	[PASSED_BYTES] = "tx_passed_bytes",
	[BACKLOGS_NOW] = "tx_backlogs_now",
	[BACKLOG_MOST] = "tx_backlog_most_segments",
	[BACKLOG_AGE] = "tx_backlog_oldest_us",
};

#define LOWER_PREFIX "lower_"

static void
name_put(struct rte_eth_xstat_name *xstat, const char *prefix, const char *name)
{
	/* A name at the limit loses its end. */
	if (snprintf(xstat->name, sizeof(xstat->name), "%s%s", prefix, name) < 0)
		xstat->name[0] = '\0';
}

static void
own_names(struct rte_eth_xstat_name *names)
{
	unsigned int i;

	for (i = 0; i < FIRST_TX; i++)
		name_put(&names[i], "", computed_names[i]);
	for (i = 0; i < RTE_DIM(tx_xstats); i++)
		name_put(&names[FIRST_TX + i], "", tx_xstats[i].name);
	for (i = 0; i < RTE_DIM(rx_xstats); i++)
		name_put(&names[FIRST_RX + i], "", rx_xstats[i].name);
	for (i = 1; i < CSUM_REFUSAL_MAX; i++)
		name_put(&names[FIRST_REFUSAL + i - 1], "tx_refused_", csum_refusal_name(i));
}

static void
counters_add(struct rte_eth_xstat *values, const struct xstat xstats[], unsigned int nb,
	     const void *queue)
{
	unsigned int i;

	for (i = 0; i < nb; i++)
		values[i].value += soft_csum_value(RTE_PTR_ADD(queue, xstats[i].off));
}

/* What @p counter has over @p others, which are read first: all of them count there as well. */
static uint64_t
rest_of(const soft_csum_counter *counter, const soft_csum_counter *others)
{
	uint64_t n = atomic_load_explicit(others, memory_order_acquire);
	uint64_t all = soft_csum_value(counter);

	return all > n ? all - n : 0;
}

static void
backlog_add(struct rte_eth_xstat *values, struct soft_csum_txq *txq)
{
	uint64_t age = 0;

	if (soft_csum_backlog_waits(txq)) {
		values[BACKLOGS_NOW].value++;
		age = (rte_get_timer_cycles() - soft_csum_value(&txq->backlog.begun)) /
			(rte_get_timer_hz() / US_PER_S);
	}
	values[BACKLOG_MOST].value = RTE_MAX(values[BACKLOG_MOST].value,
		soft_csum_value(&txq->backlog.most));
	values[BACKLOG_AGE].value = RTE_MAX(values[BACKLOG_AGE].value, age);
}

static void
txq_add(struct rte_eth_xstat *values, struct soft_csum_txq *txq)
{
	unsigned int i;

	values[PASSED_PACKETS].value += rest_of(&txq->packets, &txq->worked_packets);
	values[PASSED_BYTES].value += rest_of(&txq->bytes, &txq->worked_bytes);
	backlog_add(values, txq);
	counters_add(values + FIRST_TX, tx_xstats, RTE_DIM(tx_xstats), txq);
	for (i = 1; i < CSUM_REFUSAL_MAX; i++)
		values[FIRST_REFUSAL + i - 1].value += soft_csum_value(&txq->refused[i]);
}

static void
own_values(struct rte_eth_dev *dev, struct rte_eth_xstat *values)
{
	uint16_t i;

	for (i = 0; i < NB_OWN; i++)
		values[i] = (struct rte_eth_xstat){ .id = i };
	for (i = 0; i < dev->data->nb_tx_queues; i++)
		if (dev->data->tx_queues[i] != NULL)
			txq_add(values, dev->data->tx_queues[i]);
	for (i = 0; i < dev->data->nb_rx_queues; i++)
		if (dev->data->rx_queues[i] != NULL)
			counters_add(values + FIRST_RX, rx_xstats, RTE_DIM(rx_xstats),
				dev->data->rx_queues[i]);
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
		name_put(&names[n], LOWER_PREFIX, name);
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
