/* SPDX-License-Identifier: BSD-3-Clause */

#include <inttypes.h>

#include "counters.h"

static const char *const names[NB_COUNTERS] = {
	[COUNT_TUN_READ] = "tun read packets",
	[COUNT_TUN_READ_BYTES] = "tun read bytes",
	[COUNT_TUN_SUPER] = "tun read super-packets",
	[COUNT_TUN_SEGMENTS] = "segments made",
	[COUNT_TUN_REFUSED] = "tun read refused",
	[COUNT_TUN_TOO_LONG] = "tun read too long",
	[COUNT_BROKEN] = "segments broken",
	[COUNT_HELD] = "held for a handshake",
	[COUNT_HELD_DROPPED] = "dropped for want of a handshake",
	[COUNT_NO_ROUTE] = "dropped for want of an outer route",
	[COUNT_NEIGHBOUR_HELD] = "held for a MAC address",
	[COUNT_NEIGHBOUR_DROPPED] = "dropped for want of a MAC address",
	[COUNT_PORT_SENT] = "port sent frames",
	[COUNT_PORT_SENT_BYTES] = "port sent bytes",
	[COUNT_PORT_FULL] = "dropped by a full port",
	[COUNT_PORT_REFUSED] = "refused by the port",
	[COUNT_NO_MBUF] = "out of mbufs",
	[COUNT_PORT_RECEIVED] = "port received frames",
	[COUNT_PORT_RECEIVED_BYTES] = "port received bytes",
	[COUNT_NOT_OURS] = "received for others",
	[COUNT_TRUNCATED] = "received truncated",
	[COUNT_OUTER_CSUM] = "received with wrong checksum",
	[COUNT_ARP_ANSWERED] = "neighbours answered",
	[COUNT_TUN_WRITTEN] = "tun written packets",
	[COUNT_TUN_WRITTEN_BYTES] = "tun written bytes",
	[COUNT_TUN_WRITES] = "tun writes",
	[COUNT_TUN_WRITE_FAILED] = "tun write failed",
};

static const char *const works[NB_WORKS] = {
	[WORK_TUN_READ] = "tun read",
	[WORK_CUT] = "cut",
	[WORK_SEAL] = "seal",
	[WORK_WRAP] = "wrap",
	[WORK_PORT_SEND] = "port send",
	[WORK_PORT_RECEIVE] = "port receive",
	[WORK_UNWRAP] = "unwrap",
	[WORK_OPEN] = "open",
	[WORK_COALESCE] = "coalesce",
	[WORK_TUN_WRITE] = "tun write",
};

static void
print(FILE *file, const char *prefix, const char *name, uint64_t value)
{
	if (value != 0)
		fprintf(file, "%s%s: %" PRIu64 "\n", prefix, name, value);
}

static void
print_protocol(const struct wg_stats *stats, FILE *file)
{
	unsigned int i;

	for (i = WG_REFUSAL_NONE + 1; i < WG_NB_REFUSALS; i++)
		print(file, "refused: ", wg_refusal_name(i), stats->refused[i]);
	print(file, "", "initiations sent", stats->initiations_sent);
	print(file, "", "initiations received", stats->initiations_received);
	print(file, "", "responses sent", stats->responses_sent);
	print(file, "", "responses received", stats->responses_received);
	print(file, "", "cookies sent", stats->cookies_sent);
	print(file, "", "cookies received", stats->cookies_received);
	print(file, "", "keepalives sent", stats->keepalives_sent);
	print(file, "", "keepalives received", stats->keepalives_received);
	print(file, "", "handshakes given up", stats->attempts_given_up);
}

static void
print_peer(const struct wg_peer_stats *stats, unsigned int id, FILE *file)
{
	char prefix[32];

	snprintf(prefix, sizeof(prefix), "peer %u ", id);
	print(file, prefix, "handshakes", stats->handshakes);
	print(file, prefix, "sent packets", stats->tx_packets);
	print(file, prefix, "sent bytes", stats->tx_bytes);
	print(file, prefix, "received packets", stats->rx_packets);
	print(file, prefix, "received bytes", stats->rx_bytes);
}

void
counters_print(const struct counters *counters, struct wg_device *dev, FILE *file)
{
	unsigned int i;

	for (i = 0; i < NB_COUNTERS; i++)
		print(file, "", names[i], counters->n[i]);
	print_protocol(wg_device_stats(dev), file);
	for (i = 0; i < wg_device_nb_peers(dev); i++)
		print_peer(wg_peer_stats(wg_device_peer(dev, i)), i, file);
	for (i = 0; i < NB_WORKS; i++)
		print(file, "cycles: ", works[i], counters->cycles[i]);
	fflush(file);
}
