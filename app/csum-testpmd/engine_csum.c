/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>

#include <rte_ethdev.h>

#include <csum_mbuf.h>
#include <csum_pkt.h>

#include "engine_csum.h"
#include "engines.h"
#include "ether.h"
#include "gro.h"
#include "gso.h"
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
	      const struct port *port, uint16_t gso_size)
{
	const struct csum_means means = { port->conf.txmode.offloads, gso_size };
	const struct csum_means none = { 0 };
	struct csum_plan plan;

	csum_plan_make(m, pkt, h, port, &means, &plan);
	/* What metadata cannot say is not asked of the port: all is done here then. */
	if ((plan.req.segsz != 0 && !cut_trailer(m, h->l4)) ||
	    request_to_mbuf(&plan.req, m) != 0)
		csum_plan_make(m, pkt, h, port, &none, &plan);
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

void
csum_treat(struct fwd_stream *stream, struct rte_mbuf *m, uint16_t gso_size)
{
	const struct port *port = stream->tx;
	const bool tunnels = atomic_load_explicit(&port->csum.parse_tunnel,
						  memory_order_relaxed);
	const uint64_t rx_flags = m->ol_flags;
	struct csum_headers h;
	struct csum_pkt pkt;
	bool found = false;

	if (atomic_load_explicit(&port->csum.mac_swap, memory_order_relaxed))
		write_addresses(m, stream);
	clear_requests(m);
	if (csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, &pkt) == 0)
		found = csum_headers_find(&pkt, tunnels, &h);
	if (found)
		treat_headers(m, &pkt, &h, port, gso_size);
	if (atomic_load_explicit(stream->verbose, memory_order_relaxed) != 0)
		engine_csum_dump(stream, m, rx_flags, found ? &h : NULL);
}

static void
treat_and_send(struct fwd_stream *stream, struct rte_mbuf **pkts, uint16_t nb)
{
	uint16_t i;

	for (i = 0; i < nb; i++)
		csum_treat(stream, pkts[i], stream->gso_size);
	if (stream->gso_size != 0)
		csum_cut(stream, pkts, nb);
	else
		csum_send(stream, pkts, nb);
}

static void
forward(struct fwd_stream *stream)
{
	struct rte_mbuf *pkts[APP_MAX_BURST];
	uint16_t nb, i;

	nb = stream_receive(stream, pkts);
	for (i = 0; i < nb; i++)
		count_rx_flags(pkts[i]->ol_flags, &stream->counters);
	if (stream->gro != NULL)
		nb = gro_merge(stream->gro, pkts, nb);
	if (nb != 0)
		treat_and_send(stream, pkts, nb);
}

static int
begin(struct fwd_stream *stream)
{
	gso_begin(stream);
	if (gro_open(stream->rx_port, &stream->gro) == 0)
		return 0;
	fprintf(stderr, "Port %u: out of memory for GRO\n", stream->rx_port);
	return -1;
}

/* What waits for a neighbour has waited long enough. */
static void
end(struct fwd_stream *stream)
{
	struct rte_mbuf *pkts[APP_MAX_BURST];
	uint16_t nb;

	if (stream->gro == NULL)
		return;
	while ((nb = gro_flush(stream->gro, pkts, RTE_DIM(pkts))) != 0)
		treat_and_send(stream, pkts, nb);
	gro_close(stream->gro);
	stream->gro = NULL;
}

const struct fwd_engine engine_csum = {
	.name = "csum",
	.begin = begin,
	.forward = forward,
	.end = end,
};
