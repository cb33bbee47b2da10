/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_pause.h>

#include "dump.h"
#include "engines.h"

const char *const engine_names[] = {
	"io", "mac", "macswap", "flowgen", "rxonly", "txonly", "csum", "icmpecho", NULL,
};

static const struct fwd_engine *const engines[] = {
	&engine_io, &engine_mac, &engine_macswap, &engine_flowgen, &engine_rxonly, &engine_txonly,
	&engine_csum, &engine_icmpecho,
};

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
	unsigned int verbose = atomic_load_explicit(stream->verbose, memory_order_relaxed);

	stream->counters.rx_packets += nb;
	if (unlikely(dump_wants_rx(verbose)) && nb != 0)
		dump_received(stream->rx_port, stream->rx_queue, pkts, nb);
	return nb;
}

void
stream_drop(struct fwd_stream *stream)
{
	struct rte_mbuf *pkts[APP_MAX_BURST];
	uint16_t nb = stream_receive(stream, pkts);

	rte_pktmbuf_free_bulk(pkts, nb);
}

uint16_t
stream_alloc(const struct fwd_stream *stream, struct rte_mbuf **pkts)
{
	uint16_t nb;

	if (likely(rte_pktmbuf_alloc_bulk(stream->pool, pkts, stream->burst) == 0))
		return stream->burst;
	for (nb = 0; nb < stream->burst; nb++) {
		pkts[nb] = rte_pktmbuf_alloc(stream->pool);
		if (pkts[nb] == NULL)
			break;
	}
	return nb;
}

static bool
is_stopping(const struct fwd_stream *stream)
{
	return atomic_load_explicit(stream->stop, memory_order_relaxed);
}

static void
wait_to_retry(const struct fwd_stream *stream)
{
	uint64_t until = rte_get_timer_cycles() +
		stream->retry.delay_us * (rte_get_timer_hz() / US_PER_S);

	while (rte_get_timer_cycles() < until && !is_stopping(stream))
		rte_pause();
}

/* Offers packets again, until forwarding ends. Returns how many the port has taken. */
static uint16_t
send_again(const struct fwd_stream *stream, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	uint16_t done = 0;
	uint32_t i;

	for (i = 0; i < stream->retry.nb && done < nb_pkts && !is_stopping(stream); i++) {
		wait_to_retry(stream);
		done += rte_eth_tx_burst(stream->tx_port, stream->tx_queue, &pkts[done],
					 nb_pkts - done);
	}
	return done;
}

uint16_t
stream_send(struct fwd_stream *stream, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	unsigned int verbose = atomic_load_explicit(stream->verbose, memory_order_relaxed);
	uint16_t nb;

	if (unlikely(dump_wants_tx(verbose)) && nb_pkts != 0)
		dump_sent(stream->tx_port, stream->tx_queue, pkts, nb_pkts);
	nb = rte_eth_tx_burst(stream->tx_port, stream->tx_queue, pkts, nb_pkts);
	if (unlikely(nb < nb_pkts)) {
		nb += send_again(stream, &pkts[nb], nb_pkts - nb);
		stream->counters.tx_dropped += nb_pkts - nb;
		rte_pktmbuf_free_bulk(&pkts[nb], nb_pkts - nb);
	}
	stream->counters.tx_packets += nb;
	return nb;
}
