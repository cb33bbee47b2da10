/* SPDX-License-Identifier: BSD-3-Clause */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>

#include "fwd.h"
#include "layout.h"
#include "port.h"
#include "stats.h"
#include "stats_chosen.h"

/* A port's counters when they were last printed. */
struct snapshot {
	struct rte_eth_stats stats;
	uint64_t cycles; /* 0: never */
};

static struct snapshot shown[RTE_MAX_ETHPORTS];

/* A port's counters when forwarding began. */
static struct rte_eth_stats forward_base[RTE_MAX_ETHPORTS];

static uint64_t
per_second(uint64_t now, uint64_t before, uint64_t cycles)
{
	/* Counters that were cleared meanwhile have gone back. */
	if (cycles == 0 || now < before)
		return 0;
	return (uint64_t)((double)(now - before) * rte_get_tsc_hz() / cycles);
}

static void
show_rates(const struct rte_eth_stats *stats, struct snapshot *before)
{
	uint64_t now = rte_get_tsc_cycles();
	uint64_t cycles = before->cycles != 0 ? now - before->cycles : 0;

	printf("\n  Throughput (since last show)\n");
	printf("  Rx-pps: %12"PRIu64"          Rx-bps: %12"PRIu64"\n",
	       per_second(stats->ipackets, before->stats.ipackets, cycles),
	       8 * per_second(stats->ibytes, before->stats.ibytes, cycles));
	printf("  Tx-pps: %12"PRIu64"          Tx-bps: %12"PRIu64"\n",
	       per_second(stats->opackets, before->stats.opackets, cycles),
	       8 * per_second(stats->obytes, before->stats.obytes, cycles));
	before->stats = *stats;
	before->cycles = now;
}

void
stats_show_nic(uint16_t id)
{
	static const char border[] = "########################";
	struct rte_eth_stats stats;

	if (rte_eth_stats_get(id, &stats) != 0) {
		fprintf(stderr, "Port %u has no statistics\n", id);
		return;
	}
	printf("\n  %s NIC statistics for port %-2u %s\n", border, id, border);
	printf("  RX-packets: %-10"PRIu64" RX-missed: %-10"PRIu64" RX-bytes:  %-"PRIu64"\n",
	       stats.ipackets, stats.imissed, stats.ibytes);
	printf("  RX-errors: %-"PRIu64"\n", stats.ierrors);
	printf("  RX-nombuf:  %-10"PRIu64"\n", stats.rx_nombuf);
	printf("  TX-packets: %-10"PRIu64" TX-errors: %-10"PRIu64" TX-bytes:  %-"PRIu64"\n",
	       stats.opackets, stats.oerrors, stats.obytes);
	show_rates(&stats, &shown[id]);
	stats_chosen_show(id);
	printf("  %s############################%s\n", border, border);
}

void
stats_clear_nic(uint16_t id)
{
	int ret = rte_eth_stats_reset(id);

	if (ret != 0) {
		fprintf(stderr, "Port %u: cannot clear statistics: %s\n", id, strerror(-ret));
		return;
	}
	forward_base[id] = (struct rte_eth_stats){ 0 };
	printf("\n  NIC statistics for port %u cleared\n", id);
}

void
stats_show_xstats(uint16_t id)
{
	struct rte_eth_xstat_name *names;
	struct rte_eth_xstat *values;
	int nb, i;

	printf("###### NIC extended statistics for port %-2u\n", id);
	nb = rte_eth_xstats_get_names(id, NULL, 0);
	if (nb <= 0)
		return;
	names = calloc(nb, sizeof(*names));
	values = calloc(nb, sizeof(*values));
	if (names == NULL || values == NULL)
		fprintf(stderr, "Out of memory\n");
	else if (rte_eth_xstats_get_names(id, names, nb) != nb ||
		 rte_eth_xstats_get(id, values, nb) != nb)
		fprintf(stderr, "Error: Unable to get xstats\n");
	else
		for (i = 0; i < nb; i++)
			printf("%s: %"PRIu64"\n", names[values[i].id].name, values[i].value);
	free(names);
	free(values);
}

void
stats_clear_xstats(uint16_t id)
{
	int ret = rte_eth_xstats_reset(id);

	if (ret != 0)
		fprintf(stderr, "Port %u: cannot clear xstats: %s\n", id, strerror(-ret));
	/* The basic counters are among the extended ones. */
	else
		forward_base[id] = (struct rte_eth_stats){ 0 };
}

/* What one port, or all together, received, missed, sent and dropped while forwarding. */
struct forwarded {
	uint64_t rx;
	uint64_t missed;
	uint64_t errors;
	uint64_t no_mbuf;
	uint64_t tx;
	uint64_t dropped;
};

static void
show_packets(const struct forwarded *f, const struct fwd_counters *checksums)
{
	printf("  RX-packets: %-14"PRIu64" RX-dropped: %-14"PRIu64"RX-total: %-"PRIu64"\n",
	       f->rx, f->missed, f->rx + f->missed);
	if (checksums != NULL) {
		printf("  Bad-ipcsum: %-14"PRIu64" Bad-l4csum: %-14"PRIu64
		       "Bad-outer-l4csum: %-14"PRIu64"\n", checksums->bad_ip,
		       checksums->bad_l4, checksums->bad_outer_l4);
		printf("  Bad-outer-ipcsum: %-14"PRIu64"\n", checksums->bad_outer_ip);
	}
	if (f->errors + f->no_mbuf != 0) {
		printf("  RX-error: %-"PRIu64"\n", f->errors);
		printf("  RX-nombufs: %-14"PRIu64"\n", f->no_mbuf);
	}
	printf("  TX-packets: %-14"PRIu64" TX-dropped: %-14"PRIu64"TX-total: %-"PRIu64"\n",
	       f->tx, f->dropped, f->tx + f->dropped);
}

static void
show_forward_port(uint16_t id, struct forwarded *all)
{
	static const char border[] = "----------------------";
	const struct rte_eth_stats *base = &forward_base[id];
	struct rte_eth_stats stats = { 0 };
	struct fwd_counters rx, tx;
	struct forwarded f;

	(void)rte_eth_stats_get(id, &stats);
	fwd_sum_counters(id, true, &rx);
	fwd_sum_counters(id, false, &tx);
	f = (struct forwarded){
		.rx = stats.ipackets - base->ipackets,
		.missed = stats.imissed - base->imissed,
		.errors = stats.ierrors - base->ierrors,
		.no_mbuf = stats.rx_nombuf - base->rx_nombuf,
		.tx = stats.opackets - base->opackets,
		.dropped = tx.tx_dropped + stats.oerrors - base->oerrors,
	};
	printf("\n  %s Forward statistics for port %-2u %s\n", border, id, border);
	show_packets(&f, fwd_counts_checksums() ? &rx : NULL);
	printf("  %s--------------------------------%s\n", border, border);
	all->rx += f.rx;
	all->missed += f.missed;
	all->errors += f.errors;
	all->no_mbuf += f.no_mbuf;
	all->tx += f.tx;
	all->dropped += f.dropped;
}

static void
show_forward_stream(const struct fwd_stream *stream)
{
	static const char border[] = "-------";
	const struct fwd_counters *c = &stream->counters;

	if (c->rx_packets + c->tx_packets + c->tx_dropped == 0)
		return;
	printf("\n  %s Forward Stats for RX Port=%2u/Queue=%2u -> TX Port=%2u/Queue=%2u %s\n",
	       border, stream->rx_port, stream->rx_queue, stream->tx_port, stream->tx_queue,
	       border);
	printf("  RX-packets: %-14"PRIu64" TX-packets: %-14"PRIu64" TX-dropped: %-14"PRIu64,
	       c->rx_packets, c->tx_packets, c->tx_dropped);
	if (fwd_counts_checksums())
		printf("  RX- bad IP checksum: %-14"PRIu64"  Rx- bad L4 checksum: %-14"PRIu64
		       " Rx- bad outer L4 checksum: %-14"PRIu64"\n"
		       " RX- bad outer IP checksum: %-14"PRIu64, c->bad_ip, c->bad_l4,
		       c->bad_outer_l4, c->bad_outer_ip);
	printf("\n");
}

/* Where a port has several. */
static void
show_forward_streams(void)
{
	const struct streams *streams = fwd_streams();
	unsigned int i;

	for (i = 0; i < streams->nb && streams->nb > streams->nb_ports; i++)
		show_forward_stream(&streams->stream[i]);
}

void
stats_show_forward(void)
{
	static const char border[] = "+++++++++++++++";
	struct forwarded all = { 0 };
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = layout_ports(ids);
	unsigned int i;

	show_forward_streams();
	for (i = 0; i < nb; i++)
		show_forward_port(ids[i], &all);
	printf("\n  %s Accumulated forward statistics for all ports%s\n", border, border);
	show_packets(&all, NULL);
	printf("  %s++++++++++++++++++++++++++++++++++++++++++++++%s\n", border, border);
}

void
stats_clear_forward(void)
{
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = layout_ports(ids);
	unsigned int i;

	fwd_clear_counters();
	for (i = 0; i < nb; i++) {
		if (rte_eth_stats_get(ids[i], &forward_base[ids[i]]) != 0)
			forward_base[ids[i]] = (struct rte_eth_stats){ 0 };
	}
}
