/* SPDX-License-Identifier: BSD-3-Clause */

#include <signal.h>
#include <stdio.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_pause.h>

#include "replay_wire.h"

/* A port that has taken nothing for so long has given up. */
#define PATIENCE_S 2

static volatile sig_atomic_t stopped;

static void
note_signal(int sig)
{
	stopped = 1;
}

void
replay_wire_begin(struct replay_wire *wire, uint16_t id)
{
	const struct sigaction note = { .sa_handler = note_signal };

	stopped = 0;
	sigaction(SIGINT, &note, NULL);
	sigaction(SIGTERM, &note, NULL);
	*wire = (struct replay_wire){ .id = id, .start = rte_rdtsc() };
}

bool
replay_wire_is_stopped(void)
{
	return stopped != 0;
}

/* Packets that have left or were refused. */
static uint64_t
nb_settled(const struct replay_wire *wire)
{
	struct rte_eth_stats stats;

	return rte_eth_stats_get(wire->id, &stats) == 0 ? stats.opackets + stats.oerrors : 0;
}

/* One each, whatever a super-packet would have become. */
static uint64_t
nb_refused(const struct replay_wire *wire)
{
	struct rte_eth_stats stats;

	return rte_eth_stats_get(wire->id, &stats) == 0 ? stats.oerrors : 0;
}

static int
flush(struct replay_wire *wire)
{
	const uint64_t patience = rte_get_tsc_hz() * PATIENCE_S;
	uint64_t since = rte_rdtsc();
	unsigned int done = 0;
	uint16_t sent;
	int ret = 0;

	while (done < wire->nb) {
		sent = rte_eth_tx_burst(wire->id, 0, wire->burst + done, wire->nb - done);
		done += sent;
		if (sent != 0)
			since = rte_rdtsc();
		else if (rte_rdtsc() - since > patience)
			break;
	}
	if (done < wire->nb) {
		fprintf(stderr, "replay: the port takes no more packets\n");
		rte_pktmbuf_free_bulk(wire->burst + done, wire->nb - done);
		ret = -1;
	}
	wire->nb = 0;
	return ret;
}

int
replay_wire_put(struct replay_wire *wire, struct rte_mbuf *m, uint32_t nb_pieces, uint64_t due)
{
	/* Others do not wait for this one. */
	if (due != 0 && flush(wire) != 0) {
		rte_pktmbuf_free(m);
		return -1;
	}
	while (due != 0 && rte_rdtsc() < due) {
		if (stopped) {
			rte_pktmbuf_free(m);
			return -1;
		}
		rte_pause();
	}
	wire->burst[wire->nb++] = m;
	wire->nb_pieces += nb_pieces;
	return due != 0 || wire->nb == REPLAY_WIRE_BURST ? flush(wire) : 0;
}

/* The port may have kept pieces back; empty bursts push them on. -1: it keeps some. */
static int
drain(const struct replay_wire *wire)
{
	const uint64_t patience = rte_get_tsc_hz() * PATIENCE_S;
	uint64_t since = rte_rdtsc();
	uint64_t settled = nb_settled(wire), before;

	while (settled < wire->nb_pieces && rte_rdtsc() - since < patience) {
		rte_eth_tx_burst(wire->id, 0, NULL, 0);
		before = settled;
		settled = nb_settled(wire);
		if (settled != before)
			since = rte_rdtsc();
	}
	return settled < wire->nb_pieces ? -1 : 0;
}

int
replay_wire_finish(struct replay_wire *wire)
{
	struct rte_eth_stats stats;
	int ret = flush(wire);

	if (ret == 0 && drain(wire) != 0 && nb_refused(wire) == 0) {
		fprintf(stderr, "replay: the port keeps some of what it was given\n");
		ret = -1;
	}
	wire->seconds = (double)(rte_rdtsc() - wire->start) / (double)rte_get_tsc_hz();
	if (rte_eth_stats_get(wire->id, &stats) == 0) {
		wire->nb_out = stats.opackets;
		wire->nb_bytes = stats.obytes;
		wire->nb_refused = stats.oerrors;
	}
	return ret;
}
