/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdio.h>

#include <rte_malloc.h>

#include "layout.h"
#include "port.h"
#include "streams.h"

static int
resize(struct streams *streams, unsigned int nb)
{
	if (nb == streams->nb)
		return 0;
	rte_free(streams->stream);
	streams->nb = 0;
	streams->stream = rte_zmalloc("streams", sizeof(*streams->stream) * nb,
				      RTE_CACHE_LINE_SIZE);
	if (streams->stream == NULL && nb != 0)
		return -ENOMEM;
	streams->nb = nb;
	return 0;
}

/* An odd port out is its own partner. */
static unsigned int
partner(unsigned int i, unsigned int n)
{
	static bool warned;

	if ((i ^ 1) < n)
		return i ^ 1;
	if (!warned)
		fprintf(stderr, "\nWarning! port-topology=paired and odd forward ports number, "
			"the last port will pair with itself.\n\n");
	warned = true;
	return i;
}

/* The port that what came in by port number i goes out by; n ports in all. */
static unsigned int
tx_index(unsigned int i, unsigned int n, enum app_topology topology)
{
	switch (topology) {
	case APP_TOPOLOGY_CHAINED:
		return (i + 1) % n;
	case APP_TOPOLOGY_LOOP:
		return i;
	case APP_TOPOLOGY_PAIRED:
		break;
	}
	return partner(i, n);
}

static void
set_ends(struct fwd_stream *stream, uint16_t rx_port, uint16_t tx_port, uint16_t queue)
{
	stream->rx_port = rx_port;
	stream->tx_port = tx_port;
	stream->rx_queue = queue;
	stream->tx_queue = queue;
	stream->peer = *layout_peer(tx_port);
	stream->tx = port_get(tx_port);
}

/* As even as can be; what is left over goes to the last ones, one each. */
static void
share_out(struct streams *streams)
{
	uint16_t lcores[RTE_MAX_LCORE];
	unsigned int nb = RTE_MIN(layout_lcores(lcores), streams->nb);
	unsigned int next = 0;
	unsigned int i;

	for (i = 0; i < nb; i++) {
		unsigned int left_over = i >= nb - streams->nb % nb ? 1 : 0;

		streams->worker[i] = (struct worker){
			.lcore = lcores[i],
			.first = next,
			.nb_streams = streams->nb / nb + left_over,
		};
		next += streams->worker[i].nb_streams;
	}
	streams->nb_workers = nb;
}

int
streams_lay_out(struct streams *streams, enum app_topology topology, bool echo)
{
	unsigned int nb_queues = ports_nb_queues();
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb_ports = layout_ports(ids);
	unsigned int i;

	if (resize(streams, nb_ports * nb_queues) != 0)
		return -ENOMEM;
	streams->nb_ports = nb_ports;
	for (i = 0; i < streams->nb; i++) {
		struct fwd_stream *stream = &streams->stream[i];

		if (echo)
			set_ends(stream, ids[i / nb_queues], ids[i / nb_queues], i % nb_queues);
		else
			set_ends(stream, ids[i % nb_ports],
				 ids[tx_index(i % nb_ports, nb_ports, topology)], i / nb_ports);
	}
	share_out(streams);
	return 0;
}
