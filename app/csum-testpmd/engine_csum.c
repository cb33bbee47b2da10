/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_ethdev.h>

#include <csum_mbuf.h>
#include <csum_pkt.h>

#include "engine_csum.h"
#include "engines.h"
#include "ether.h"
#include "request.h"

/* What a port is to cut must end where its payload ends. Returns false where that cannot be. */
static bool
cut_trailer(struct rte_mbuf *m, const struct csum_layer *l4)
{
	uint32_t trailer = m->pkt_len - (l4->off + l4->len);

	return trailer == 0 || (trailer <= UINT16_MAX && rte_pktmbuf_trim(m, trailer) == 0);
}

/* Makes the checksums planned, the innermost first: outer ones cover them. */
static void
fill(struct rte_mbuf *m, const struct csum_pkt *pkt, const struct csum_plan *plan,
     const struct csum_headers *h)
{
	const uint16_t none = 0;
	unsigned int i;

	for (i = pkt->nb_layers; i-- > 0;) {
		/* A layer that is cut short keeps the checksum that it has. */
		if ((plan->fill & RTE_BIT32(i)) != 0)
			(void)csum_pkt_fill(m, pkt, i);
	}
	if (plan->zero_outer_udp)
		(void)csum_mbuf_write(m, h->outer[1].off + UDP_CHECK_OFF, &none, sizeof(none));
}

static void
treat_headers(struct rte_mbuf *m, const struct csum_pkt *pkt, const struct csum_headers *h,
	      const struct port *port)
{
	struct csum_plan plan;

	csum_plan_make(m, pkt, h, port, port->conf.txmode.offloads, &plan);
	/* What metadata cannot say is not asked of the port: all is done here then. */
	if ((plan.req.segsz != 0 && !cut_trailer(m, h->l4)) ||
	    request_to_mbuf(&plan.req, m) != 0)
		csum_plan_make(m, pkt, h, port, 0, &plan);
	fill(m, pkt, &plan, h);
}

static void
count_rx_flags(uint64_t flags, struct fwd_counters *counters)
{
	if ((flags & RTE_MBUF_F_RX_IP_CKSUM_MASK) == RTE_MBUF_F_RX_IP_CKSUM_BAD)
		counters->bad_ip++;
	if ((flags & RTE_MBUF_F_RX_L4_CKSUM_MASK) == RTE_MBUF_F_RX_L4_CKSUM_BAD)
		counters->bad_l4++;
	if ((flags & RTE_MBUF_F_RX_OUTER_L4_CKSUM_MASK) == RTE_MBUF_F_RX_OUTER_L4_CKSUM_BAD)
		counters->bad_outer_l4++;
	if ((flags & RTE_MBUF_F_RX_OUTER_IP_CKSUM_BAD) != 0)
		counters->bad_outer_ip++;
}

static void
treat(struct fwd_stream *stream, struct rte_mbuf *m)
{
	const struct port *port = stream->tx;
	const bool tunnels = atomic_load_explicit(&port->csum.parse_tunnel,
						  memory_order_relaxed);
	const uint64_t rx_flags = m->ol_flags;
	struct csum_headers h;
	struct csum_pkt pkt;
	bool found = false;

	count_rx_flags(rx_flags, &stream->counters);
	if (atomic_load_explicit(&port->csum.mac_swap, memory_order_relaxed))
		write_addresses(m, stream);
	clear_requests(m);
	if (csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, &pkt) == 0)
		found = csum_headers_find(&pkt, tunnels, &h);
	if (found)
		treat_headers(m, &pkt, &h, port);
	if (atomic_load_explicit(stream->verbose, memory_order_relaxed) != 0)
		engine_csum_dump(stream, m, rx_flags, found ? &h : NULL);
}

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

static void
forward(struct fwd_stream *stream)
{
	struct rte_mbuf *pkts[APP_MAX_BURST];
	uint16_t nb, i;

	nb = stream_receive(stream, pkts);
	if (nb == 0)
		return;
	for (i = 0; i < nb; i++)
		treat(stream, pkts[i]);
	nb = prepare(stream, pkts, nb);
	stream_send(stream, pkts, nb);
}

const struct fwd_engine engine_csum = {
	.name = "csum",
	.forward = forward,
};
