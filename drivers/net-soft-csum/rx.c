/* SPDX-License-Identifier: BSD-3-Clause */

#include "soft_csum.h"

uint16_t
soft_csum_rx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct soft_csum_rxq *rxq = queue;
	uint16_t nb = rte_eth_rx_burst(rxq->lower_id, rxq->queue_id, pkts, nb_pkts);
	uint64_t bytes = 0;
	uint16_t i;

	for (i = 0; i < nb; i++) {
		pkts[i]->port = rxq->port_id;
		bytes += pkts[i]->pkt_len;
	}
	soft_csum_count(&rxq->packets, nb);
	soft_csum_count(&rxq->bytes, bytes);
	return nb;
}
