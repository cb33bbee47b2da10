/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include <csum_mbuf.h>

#include "engines.h"
#include "traffic.h"

/* Packets of one mbuf each, which has the length that it should have. */
static void
write_headers(struct rte_mbuf **pkts, uint16_t nb, const struct traffic_headers *headers,
	      uint16_t len)
{
	uint16_t i;

	for (i = 0; i < nb; i++) {
		memcpy(rte_pktmbuf_mtod(pkts[i], void *), headers, sizeof(*headers));
		pkts[i]->data_len = len;
		pkts[i]->pkt_len = len;
	}
}

/* Adds the mbufs behind the first, without content. */
static int
add_segments(struct rte_mbuf *m, const struct traffic *traffic, struct rte_mempool *pool)
{
	struct rte_mbuf *segs[TRAFFIC_MAX_SEGS];
	struct rte_mbuf *last = m;
	uint16_t i;

	if (rte_pktmbuf_alloc_bulk(pool, segs, traffic->nb_segs - 1) != 0)
		return -1;
	m->data_len = traffic->seg_len[0];
	for (i = 1; i < traffic->nb_segs; i++) {
		last->next = segs[i - 1];
		last = last->next;
		last->data_len = traffic->seg_len[i];
	}
	m->nb_segs = traffic->nb_segs;
	m->pkt_len = traffic->len;
	return 0;
}

/* Makes chains of the packets, as far as there are mbufs for them. Returns how many are left. */
static uint16_t
write_chains(struct rte_mbuf **pkts, uint16_t nb, const struct traffic_headers *headers,
	     const struct fwd_stream *stream)
{
	uint16_t i;

	for (i = 0; i < nb; i++) {
		if (add_segments(pkts[i], stream->traffic, stream->pool) != 0)
			break;
		/* Cannot fail: together the segments are longer than the headers. */
		(void)csum_mbuf_write(pkts[i], 0, headers, sizeof(*headers));
	}
	rte_pktmbuf_free_bulk(&pkts[i], nb - i);
	return i;
}

static void
forward(struct fwd_stream *stream)
{
	const struct traffic *traffic = stream->traffic;
	struct traffic_headers headers = {
		.eth.dst_addr = stream->peer,
		.eth.src_addr = stream->tx->addr,
		.ip.src_addr = traffic->src_ip,
		.ip.dst_addr = traffic->dst_ip,
		.udp.src_port = traffic->src_port,
		.udp.dst_port = traffic->dst_port,
	};
	struct rte_mbuf *pkts[APP_MAX_BURST];
	uint16_t nb = stream_alloc(stream, pkts);

	traffic_finish_headers(&headers, traffic->len);
	if (traffic->nb_segs == 1)
		write_headers(pkts, nb, &headers, traffic->len);
	else
		nb = write_chains(pkts, nb, &headers, stream);
	stream_send(stream, pkts, nb);
}

const struct fwd_engine engine_txonly = {
	.name = "txonly",
	.generates = true,
	.forward = forward,
};
