/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdio.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "port.h"

/* Wait at most this long for links to come up. */
#define LINK_TRIES 90
#define LINK_WAIT_MS 100

/* Two rounds, in case a sender was in the middle of a burst. */
#define FLUSH_ROUNDS 2
#define FLUSH_WAIT_MS 10
#define FLUSH_BURST 32

/* A port that never runs dry must not keep us from starting. */
#define FLUSH_MAX_BURSTS 4096

static struct port ports[RTE_MAX_ETHPORTS];
static uint16_t port_ids[RTE_MAX_ETHPORTS];
static unsigned int nb_ports;
static const struct forward_params *params;
static struct rte_mempool *rx_pool;

/* Index of a port in port_ids, nb_ports when we do not have it. */
static unsigned int
port_index(uint16_t id)
{
	unsigned int i;

	for (i = 0; i < nb_ports && port_ids[i] != id; i++)
		;
	return i;
}

unsigned int
ports_list(uint16_t *ids)
{
	unsigned int i;

	for (i = 0; i < nb_ports; i++)
		ids[i] = port_ids[i];
	return nb_ports;
}

struct port *
port_get(uint16_t id)
{
	if (port_index(id) != nb_ports)
		return &ports[id];
	fprintf(stderr, "Invalid port %u\n", id);
	return NULL;
}

struct port *
port_get_stopped(uint16_t id)
{
	struct port *port = port_get(id);

	if (port == NULL || !port->started)
		return port;
	fprintf(stderr, "Please stop port %u first\n", id);
	return NULL;
}

uint16_t
ports_nb_queues(void)
{
	return RTE_MIN(params->nb_rxq, params->nb_txq);
}

uint64_t
port_tx_capa(uint16_t id)
{
	struct rte_eth_dev_info info;

	return rte_eth_dev_info_get(id, &info) == 0 ? info.tx_offload_capa : 0;
}

void
port_set_tx_offload(struct port *port, uint64_t offloads, bool on)
{
	if (on)
		port->conf.txmode.offloads |= offloads;
	else
		port->conf.txmode.offloads &= ~offloads;
	port->stale = true;
}

unsigned int
port_socket(uint16_t id)
{
	int socket = rte_eth_dev_socket_id(id);

	return socket < 0 ? 0 : (unsigned int)socket;
}

bool
ports_all_started(void)
{
	unsigned int i;

	for (i = 0; i < nb_ports; i++) {
		if (!ports[port_ids[i]].started)
			return false;
	}
	return true;
}

/* Spreads packets over the Rx queues as far as the port can. */
static void
set_rss(struct rte_eth_conf *conf, const struct rte_eth_dev_info *info)
{
	const uint64_t wanted = RTE_ETH_RSS_IP | RTE_ETH_RSS_TCP | RTE_ETH_RSS_UDP;

	if (params->nb_rxq == 1 || (wanted & info->flow_type_rss_offloads) == 0)
		return;
	conf->rx_adv_conf.rss_conf.rss_hf = wanted & info->flow_type_rss_offloads;
	conf->rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
}

static int
setup_queues(uint16_t id, const struct rte_eth_dev_info *info)
{
	struct rte_eth_rxconf rxconf = info->default_rxconf;
	struct rte_eth_txconf txconf = info->default_txconf;
	uint16_t q;
	int ret;

	/* What the port enables, its queues have: nothing is asked of a queue alone. */
	rxconf.offloads = 0;
	txconf.offloads = 0;
	for (q = 0; q < params->nb_rxq; q++) {
		ret = rte_eth_rx_queue_setup(id, q, params->nb_rxd, port_socket(id), &rxconf,
					     rx_pool);
		if (ret != 0)
			return ret;
	}
	for (q = 0; q < params->nb_txq; q++) {
		ret = rte_eth_tx_queue_setup(id, q, params->nb_txd, port_socket(id), &txconf);
		if (ret != 0)
			return ret;
	}
	return 0;
}

static int
configure(uint16_t id)
{
	struct port *port = &ports[id];
	struct rte_eth_dev_info info;
	int ret;

	printf("Configuring Port %u (socket %u)\n", id, port_socket(id));
	ret = rte_eth_dev_info_get(id, &info);
	if (ret != 0)
		return ret;
	set_rss(&port->conf, &info);
	ret = rte_eth_dev_configure(id, params->nb_rxq, params->nb_txq, &port->conf);
	if (ret == 0)
		ret = setup_queues(id, &info);
	if (ret == 0)
		port->stale = false;
	return ret;
}

static int
start_one(uint16_t id)
{
	struct port *port = &ports[id];
	char addr[RTE_ETHER_ADDR_FMT_SIZE];
	int ret = 0;

	if (port->started) {
		fprintf(stderr, "Port %u is now not stopped\n", id);
		return 0;
	}
	if (port->stale)
		ret = configure(id);
	if (ret == 0)
		ret = rte_eth_dev_start(id);
	if (ret != 0) {
		fprintf(stderr, "Fail to start port %u: %s\n", id, rte_strerror(-ret));
		return ret;
	}
	port->started = true;
	/* Not every port has the switch, and those without receive everything anyway. */
	(void)rte_eth_promiscuous_enable(id);
	rte_eth_macaddr_get(id, &port->addr);
	rte_ether_format_addr(addr, sizeof(addr), &port->addr);
	printf("Port %u: %s\n", id, addr);
	return 0;
}

static void
stop_one(uint16_t id)
{
	int ret;

	if (!ports[id].started)
		return;
	ret = rte_eth_dev_stop(id);
	if (ret != 0)
		fprintf(stderr, "rte_eth_dev_stop failed for port %u: %s\n", id,
			rte_strerror(-ret));
	else
		ports[id].started = false;
}

/* Takes a closed port out of the list. */
static void
forget(uint16_t id)
{
	unsigned int i;

	nb_ports--;
	for (i = port_index(id); i < nb_ports; i++)
		port_ids[i] = port_ids[i + 1];
}

static void
close_one(uint16_t id)
{
	if (ports[id].started) {
		fprintf(stderr, "Cannot close started device (port %u)\n", id);
		return;
	}
	if (rte_eth_dev_close(id) == 0)
		printf("Port %u is closed\n", id);
	forget(id);
}

static bool
is_link_up(uint16_t id)
{
	struct rte_eth_link link;

	return rte_eth_link_get_nowait(id, &link) != 0 ||
		link.link_status == RTE_ETH_LINK_UP;
}

static void
wait_for_links(void)
{
	unsigned int tries, i;

	printf("Checking link statuses...\n");
	for (tries = 0; tries < LINK_TRIES; tries++) {
		for (i = 0; i < nb_ports; i++) {
			if (ports[port_ids[i]].started && !is_link_up(port_ids[i]))
				break;
		}
		if (i == nb_ports)
			break;
		rte_delay_ms(LINK_WAIT_MS);
	}
	printf("Done\n");
}

/* The ports meant by an id or by PORT_ALL; none when the id is wrong, which has been printed. */
static unsigned int
ports_meant(uint16_t id, uint16_t *ids)
{
	if (id == PORT_ALL)
		return ports_list(ids);
	ids[0] = id;
	return port_get(id) != NULL ? 1 : 0;
}

int
port_start(uint16_t id)
{
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = ports_meant(id, ids);
	unsigned int i;
	int ret = 0;

	for (i = 0; i < nb && ret == 0; i++)
		ret = start_one(ids[i]);
	if (nb != 0)
		wait_for_links();
	return ret;
}

void
port_stop(uint16_t id)
{
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = ports_meant(id, ids);
	unsigned int i;

	printf("Stopping ports...\n");
	for (i = 0; i < nb; i++)
		stop_one(ids[i]);
	printf("Done\n");
}

void
port_close(uint16_t id)
{
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = ports_meant(id, ids);
	unsigned int i;

	printf("Closing ports...\n");
	for (i = 0; i < nb; i++)
		close_one(ids[i]);
	printf("Done\n");
}

static void
drain(uint16_t id, uint16_t queue)
{
	struct rte_mbuf *pkts[FLUSH_BURST];
	unsigned int bursts;
	uint16_t nb;

	for (bursts = 0; bursts < FLUSH_MAX_BURSTS; bursts++) {
		nb = rte_eth_rx_burst(id, queue, pkts, FLUSH_BURST);
		if (nb == 0)
			break;
		rte_pktmbuf_free_bulk(pkts, nb);
	}
}

void
ports_flush_rx(void)
{
	unsigned int round, i;
	uint16_t q;

	for (round = 0; round < FLUSH_ROUNDS; round++) {
		for (i = 0; i < nb_ports; i++) {
			for (q = 0; q < params->nb_rxq; q++)
				drain(port_ids[i], q);
		}
		rte_delay_ms(FLUSH_WAIT_MS);
	}
}

int
ports_init(const struct forward_params *fwd_params, struct rte_mempool *pool)
{
	uint16_t id;

	params = fwd_params;
	rx_pool = pool;
	nb_ports = 0;
	RTE_ETH_FOREACH_DEV(id) {
		port_ids[nb_ports++] = id;
		ports[id] = (struct port){ .stale = true, .csum.mac_swap = true };
	}
	if (nb_ports == 0) {
		fprintf(stderr, "No probed ethernet devices\n");
		return 0;
	}
	return port_start(PORT_ALL);
}

void
ports_fini(void)
{
	port_stop(PORT_ALL);
	port_close(PORT_ALL);
}
