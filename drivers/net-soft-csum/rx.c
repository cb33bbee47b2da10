/* SPDX-License-Identifier: BSD-3-Clause */

#include "soft_csum.h"

static uint16_t
burst(struct soft_csum_rxq *rxq, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	uint64_t bytes = 0;
	uint16_t nb, i;

	if (!soft_csum_enter(&rxq->busy, rxq->port))
		return 0;
	nb = rte_eth_rx_burst(rxq->lower_id, rxq->queue_id, pkts, nb_pkts);
	soft_csum_leave(&rxq->busy);
	for (i = 0; i < nb; i++) {
		pkts[i]->port = rxq->port_id;
		bytes += pkts[i]->pkt_len;
	}
	soft_csum_count(&rxq->packets, nb);
	soft_csum_count(&rxq->bytes, bytes);
	return nb;
}

static uint16_t
burst_pass(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return burst(queue, pkts, nb_pkts);
}

static uint16_t
burst_verify(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	uint16_t nb = burst(queue, pkts, nb_pkts);
	uint16_t i;

	for (i = 0; i < nb; i++)
		soft_csum_rx_verify(queue, pkts[i]);
	return nb;
}

eth_rx_burst_t
soft_csum_rx_burst_pick(const struct soft_csum_port *port)
{
	return port->rx_verify != 0 ? burst_verify : burst_pass;
}
