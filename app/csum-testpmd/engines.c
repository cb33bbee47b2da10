/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include <rte_ethdev.h>

#include "engines.h"

const char *const engine_names[] = { "io", "csum", NULL };

static const struct fwd_engine *const engines[] = { &engine_io, &engine_csum };

const struct fwd_engine *
engine_get(unsigned int i)
{
	RTE_BUILD_BUG_ON(RTE_DIM(engines) != RTE_DIM(engine_names) - 1);
	return engines[i];
}

const struct fwd_engine *
engine_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(engines) - 1; i++) {
		if (strcmp(engine_names[i], name) == 0)
			break;
	}
	return engines[i];
}

uint16_t
stream_receive(struct fwd_stream *stream, struct rte_mbuf **pkts)
{
	uint16_t nb = rte_eth_rx_burst(stream->rx_port, stream->rx_queue, pkts, stream->burst);

	stream->counters.rx_packets += nb;
	return nb;
}

void
stream_send(struct fwd_stream *stream, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	uint16_t nb = rte_eth_tx_burst(stream->tx_port, stream->tx_queue, pkts, nb_pkts);

	stream->counters.tx_packets += nb;
	if (nb == nb_pkts)
		return;
	stream->counters.tx_dropped += nb_pkts - nb;
	rte_pktmbuf_free_bulk(&pkts[nb], nb_pkts - nb);
}
