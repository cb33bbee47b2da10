/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdio.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "port.h"
#include "port_config.h"
#include "port_list.h"

/* Wait at most this long for links to come up. */
#define LINK_TRIES 90
#define LINK_WAIT_MS 100

/* Two rounds, in case a sender was in the middle of a burst. */
#define FLUSH_ROUNDS 2
#define FLUSH_WAIT_MS 10
#define FLUSH_BURST 32

/* A port that never runs dry must not keep us from starting. */
#define FLUSH_MAX_BURSTS 4096

unsigned int
port_socket(uint16_t id)
{
	int socket = rte_eth_dev_socket_id(id);

	return socket < 0 ? 0 : (unsigned int)socket;
}

static int
start_one(uint16_t id)
{
	struct port *port = port_get(id);
	char addr[RTE_ETHER_ADDR_FMT_SIZE];
	int ret = 0;

	if (port->stale)
		ret = port_config_apply(id, port);
	if (ret == 0)
		ret = rte_eth_dev_start(id);
	if (ret != 0) {
		fprintf(stderr, "Fail to start port %u: %s\n", id, rte_strerror(-ret));
		return ret;
	}
	port->started = true;
	/* Not every port has the switch, and those without receive everything anyway. */
	if (!port->was_started)
		(void)rte_eth_promiscuous_enable(id);
	port->was_started = true;
	rte_eth_macaddr_get(id, &port->addr);
	rte_ether_format_addr(addr, sizeof(addr), &port->addr);
	printf("Port %u: %s\n", id, addr);
	return 0;
}

static void
stop_one(uint16_t id)
{
	struct port *port = port_get(id);
	int ret;

	if (!port->started)
		return;
	ret = rte_eth_dev_stop(id);
	if (ret != 0)
		fprintf(stderr, "rte_eth_dev_stop failed for port %u: %s\n", id,
			rte_strerror(-ret));
	else
		port->started = false;
}

static void
close_one(uint16_t id)
{
	if (port_get(id)->started) {
		fprintf(stderr, "Cannot close started device (port %u)\n", id);
		return;
	}
	if (rte_eth_dev_close(id) == 0)
		printf("Port %u is closed\n", id);
	port_list_remove(id);
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
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = ports_list(ids);
	unsigned int tries, i;

	printf("Checking link statuses...\n");
	for (tries = 0; tries < LINK_TRIES; tries++) {
		for (i = 0; i < nb; i++) {
			if (port_get(ids[i])->started && !is_link_up(ids[i]))
				break;
		}
		if (i == nb)
			break;
		rte_delay_ms(LINK_WAIT_MS);
	}
}

int
port_start(uint16_t id)
{
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = port_list_meant(id, ids);
	unsigned int nb_started = 0;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < nb && ret == 0; i++) {
		if (port_get(ids[i])->started) {
			fprintf(stderr, "Port %u is now not stopped\n", ids[i]);
			continue;
		}
		ret = start_one(ids[i]);
		nb_started++;
	}
	if (nb_started != 0)
		wait_for_links();
	else if (nb != 0)
		fprintf(stderr, "Please stop the ports first\n");
	if (nb != 0)
		printf("Done\n");
	return ret;
}

void
port_stop(uint16_t id)
{
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = port_list_meant(id, ids);
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
	unsigned int nb = port_list_meant(id, ids);
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
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = ports_list(ids);
	unsigned int round, i;
	uint16_t q;

	for (round = 0; round < FLUSH_ROUNDS; round++) {
		for (i = 0; i < nb; i++) {
			for (q = 0; q < ports_number(PORTS_RXQ); q++)
				drain(ids[i], q);
		}
		rte_delay_ms(FLUSH_WAIT_MS);
	}
}

int
ports_init(const struct forward_params *params, struct rte_mempool *pool)
{
	uint16_t ids[RTE_MAX_ETHPORTS];
	uint16_t id;

	port_config_init(params, pool);
	RTE_ETH_FOREACH_DEV(id) {
		port_list_add(id);
		port_config_first(id, port_get(id));
	}
	if (ports_list(ids) == 0) {
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
