/* SPDX-License-Identifier: BSD-3-Clause */

#include <inttypes.h>
#include <stdio.h>

#include <rte_ethdev.h>

#include "fwd_show.h"
#include "layout.h"
#include "port.h"

static const char *
with_retry(const struct fwd_settings *settings)
{
	return settings->retries ? " with retry" : "";
}

static void
show_stream(const struct fwd_stream *stream)
{
	char addr[RTE_ETHER_ADDR_FMT_SIZE];

	rte_ether_format_addr(addr, sizeof(addr), &stream->peer);
	printf("  RX P=%u/Q=%u (socket %u) -> TX P=%u/Q=%u (socket %u) peer=%s\n",
	       stream->rx_port, stream->rx_queue, port_socket(stream->rx_port),
	       stream->tx_port, stream->tx_queue, port_socket(stream->tx_port), addr);
}

void
fwd_show_streams(const struct fwd_settings *settings, const struct streams *streams)
{
	unsigned int i, s;

	printf("%s packet forwarding%s - ports=%u - cores=%u - streams=%u - NUMA support enabled, "
	       "MP allocation mode: native\n", settings->engine->name, with_retry(settings),
	       streams->nb_ports, streams->nb_workers, streams->nb);
	if (settings->retries)
		printf("TX retry num: %u, delay between TX retries: %uus\n", settings->retry.nb,
		       settings->retry.delay_us);
	for (i = 0; i < streams->nb_workers; i++) {
		const struct worker *worker = &streams->worker[i];

		printf("Logical Core %u (socket %u) forwards packets on %u streams:\n",
		       worker->lcore, rte_lcore_to_socket_id(worker->lcore), worker->nb_streams);
		for (s = 0; s < worker->nb_streams; s++)
			show_stream(&streams->stream[worker->first + s]);
	}
	printf("\n");
}

static void
show_thresholds(const char *direction, const struct rte_eth_thresh *thresh)
{
	printf("      %s threshold registers: pthresh=%u hthresh=%u  wthresh=%u\n", direction,
	       thresh->pthresh, thresh->hthresh, thresh->wthresh);
}

/* A driver that does not tell about its queues has what was asked for. */
static void
show_rx_queue(uint16_t id, const struct rte_eth_dev_info *dev, uint16_t nb_desc)
{
	struct rte_eth_rxq_info queue = { .conf = dev->default_rxconf, .nb_desc = nb_desc };

	(void)rte_eth_rx_queue_info_get(id, 0, &queue);
	printf("    RX queue: 0\n");
	printf("      RX desc=%u - RX free threshold=%u\n", queue.nb_desc,
	       queue.conf.rx_free_thresh);
	show_thresholds("RX", &queue.conf.rx_thresh);
	printf("      RX Offloads=0x%" PRIx64 "\n", queue.conf.offloads);
}

static void
show_tx_queue(uint16_t id, const struct rte_eth_dev_info *dev, uint16_t nb_desc)
{
	struct rte_eth_txq_info queue = { .conf = dev->default_txconf, .nb_desc = nb_desc };

	(void)rte_eth_tx_queue_info_get(id, 0, &queue);
	printf("    TX queue: 0\n");
	printf("      TX desc=%u - TX free threshold=%u\n", queue.nb_desc,
	       queue.conf.tx_free_thresh);
	show_thresholds("TX", &queue.conf.tx_thresh);
	printf("      TX offloads=0x%" PRIx64 " - TX RS bit threshold=%u\n", queue.conf.offloads,
	       queue.conf.tx_rs_thresh);
}

static void
show_port(uint16_t id)
{
	const struct port *port = port_get(id);
	struct rte_eth_dev_info dev;

	if (port == NULL || rte_eth_dev_info_get(id, &dev) != 0)
		return;
	printf("  port %u: RX queue number: %u Tx queue number: %u\n", id, ports_number(PORTS_RXQ),
	       ports_number(PORTS_TXQ));
	printf("    Rx offloads=0x%" PRIx64 " Tx offloads=0x%" PRIx64 "\n",
	       port->conf.rxmode.offloads, port->conf.txmode.offloads);
	show_rx_queue(id, &dev, ports_number(PORTS_RXD));
	show_tx_queue(id, &dev, ports_number(PORTS_TXD));
}

void
fwd_show_settings(const struct fwd_settings *settings, const struct traffic *traffic)
{
	uint16_t ids[RTE_MAX_ETHPORTS], lcores[RTE_MAX_LCORE];
	unsigned int nb, i;

	printf("  %s packet forwarding%s packets/burst=%u\n", settings->engine->name,
	       with_retry(settings), settings->burst);
	if (settings->engine->generates)
		printf("  packet len=%u - nb packet segments=%u\n", traffic->len,
		       traffic->nb_segs);
	printf("  nb forwarding cores=%u - nb forwarding ports=%u\n", layout_lcores(lcores),
	       layout_ports(ids));
	nb = ports_list(ids);
	for (i = 0; i < nb; i++)
		show_port(ids[i]);
}
