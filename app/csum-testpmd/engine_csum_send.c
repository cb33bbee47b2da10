/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_ethdev.h>

#include <csum_gso.h>

#include "engine_csum.h"

/* Lets the port look at the packets; those that it refuses are freed. Returns how many are left. */
static uint16_t
prepare(struct fwd_stream *stream, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	uint16_t done = 0;

	while (done < nb_pkts) {
		done += rte_eth_tx_prepare(stream->tx_port, stream->tx_queue, &pkts[done],
					   nb_pkts - done);
		if (done == nb_pkts)
			break;
		fprintf(stderr, "Preparing packet burst to transmit failed: %s\n",
			rte_strerror(rte_errno));
		stream->counters.tx_dropped++;
		rte_pktmbuf_free(pkts[done]);
		nb_pkts--;
		memmove(&pkts[done], &pkts[done + 1], (nb_pkts - done) * sizeof(*pkts));
	}
	return done;
}

void
csum_send(struct fwd_stream *stream, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	nb_pkts = prepare(stream, pkts, nb_pkts);
	stream_send(stream, pkts, nb_pkts);
}

/* Packets on their way out, in order. */
struct batch {
	struct fwd_stream *stream;
	uint16_t nb;
	struct rte_mbuf *pkts[APP_MAX_BURST];
};

static void
flush(struct batch *batch)
{
	csum_send(batch->stream, batch->pkts, batch->nb);
	batch->nb = 0;
}

static void
put(struct batch *batch, struct rte_mbuf *m)
{
	batch->pkts[batch->nb++] = m;
	if (batch->nb == APP_MAX_BURST)
		flush(batch);
}

/* Makes all segments. When there are no mbufs for them, the rest is dropped. */
static void
put_segments(struct batch *batch, struct csum_gso_iter *it)
{
	int made;

	while (csum_gso_iter_left(it) != 0) {
		made = csum_gso_iter_burst(it, &batch->pkts[batch->nb],
					   APP_MAX_BURST - batch->nb);
		if (made > 0)
			batch->nb += made;
		else if (batch->nb == 0)
			break;
		/* Sending frees mbufs. */
		if (made < 0 || batch->nb == APP_MAX_BURST)
			flush(batch);
	}
	batch->stream->counters.tx_dropped += csum_gso_iter_left(it);
}

static void
put_cut(struct batch *batch, struct rte_mbuf *m)
{
	struct csum_gso_iter it;
	struct csum_gso_req req;

	csum_gso_req_from_mbuf(&req, m);
	if (csum_gso_iter_init(&it, m, &req, batch->stream->gso, NULL) != 0) {
		/* What cannot be cut, such as UDP with DF set, goes as it is. */
		csum_treat(batch->stream, m, 0);
		put(batch, m);
		return;
	}
	put_segments(batch, &it);
	rte_pktmbuf_free(m);
}

void
csum_cut(struct fwd_stream *stream, struct rte_mbuf **pkts, uint16_t nb)
{
	struct batch batch;
	uint16_t i;

	batch.stream = stream;
	batch.nb = 0;
	for (i = 0; i < nb; i++) {
		if ((pkts[i]->ol_flags & (RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_UDP_SEG)) != 0)
			put_cut(&batch, pkts[i]);
		else
			put(&batch, pkts[i]);
	}
	if (batch.nb != 0)
		flush(&batch);
}
