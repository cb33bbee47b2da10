/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_bitops.h>
#include <rte_lcore.h>

#include "items.h"
#include "layout.h"
#include "port.h"

static struct {
	uint16_t ports[RTE_MAX_ETHPORTS];
	unsigned int nb_ports_listed;
	unsigned int nb_ports;             /* the first of those listed */
	bool known[RTE_MAX_ETHPORTS];      /* ports there were at the last look */
	uint16_t lcores[RTE_MAX_LCORE];
	unsigned int nb_lcores_listed;
	unsigned int nb_lcores;
	bool needs_thread;
	struct rte_ether_addr peers[RTE_MAX_ETHPORTS];
} layout;

/* Parses "port,address". */
static int
parse_peer(const char *text)
{
	unsigned long port;
	char *end;

	errno = 0;
	port = strtoul(text, &end, 10);
	if (errno == 0 && end != text && *end == ',' && port < RTE_MAX_ETHPORTS &&
	    rte_ether_unformat_addr(end + 1, &layout.peers[port]) == 0)
		return 0;
	fprintf(stderr, "--eth-peer: %s is not a port below %u, a comma and an Ethernet address\n",
		text, RTE_MAX_ETHPORTS);
	return -EINVAL;
}

int
layout_parse(const struct forward_params *params)
{
	unsigned int i;

	for (i = 0; i < RTE_MAX_ETHPORTS; i++)
		layout.peers[i] = (struct rte_ether_addr){ { 0x02, 0, 0, 0, i >> 8, i & 0xff } };
	for (i = 0; i < params->eth_peers.nb; i++) {
		if (parse_peer(params->eth_peers.str[i]) != 0)
			return -EINVAL;
	}
	return 0;
}

/* Ports come and go at the prompt: those that are gone leave the list, new ones join it. */
static void
follow_ports(void)
{
	bool present[RTE_MAX_ETHPORTS] = { false };
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = ports_list(ids);
	unsigned int kept = 0;
	unsigned int i;

	for (i = 0; i < nb; i++)
		present[ids[i]] = true;
	if (memcmp(layout.known, present, sizeof(present)) == 0)
		return;
	for (i = 0; i < layout.nb_ports; i++) {
		if (present[layout.ports[i]])
			layout.ports[kept++] = layout.ports[i];
	}
	for (i = 0; i < nb; i++) {
		if (!layout.known[ids[i]])
			layout.ports[kept++] = ids[i];
	}
	memcpy(layout.known, present, sizeof(present));
	layout.nb_ports = kept;
	layout.nb_ports_listed = kept;
}

static void
list_lcores(void)
{
	unsigned int lcore;

	RTE_LCORE_FOREACH_WORKER(lcore)
		layout.lcores[layout.nb_lcores_listed++] = lcore;
	layout.needs_thread = layout.nb_lcores_listed == 0;
	if (layout.needs_thread)
		layout.lcores[layout.nb_lcores_listed++] = rte_get_main_lcore();
}

int
layout_init(const struct forward_params *params)
{
	follow_ports();
	list_lcores();
	if (params->nb_cores > layout.nb_lcores_listed) {
		fprintf(stderr, "--nb-cores: the EAL has %u lcores to forward on\n",
			layout.nb_lcores_listed);
		return -EINVAL;
	}
	if (params->portmask != 0 && layout_set_port_mask(params->portmask) != 0)
		return -EINVAL;
	if (params->nb_ports > layout.nb_ports_listed) {
		fprintf(stderr, "--nb-ports: there are %u ports\n", layout.nb_ports_listed);
		return -EINVAL;
	}
	layout.nb_lcores = params->nb_cores;
	if (params->nb_ports != 0)
		layout.nb_ports = params->nb_ports;
	return 0;
}

unsigned int
layout_ports(uint16_t *ids)
{
	follow_ports();
	memcpy(ids, layout.ports, layout.nb_ports * sizeof(*ids));
	return layout.nb_ports;
}

unsigned int
layout_lcores(uint16_t *lcores)
{
	memcpy(lcores, layout.lcores, layout.nb_lcores * sizeof(*lcores));
	return layout.nb_lcores;
}

bool
layout_needs_thread(void)
{
	return layout.needs_thread;
}

const struct rte_ether_addr *
layout_peer(uint16_t port)
{
	return &layout.peers[port];
}

void
layout_set_nb_ports(uint16_t nb)
{
	follow_ports();
	if (nb == 0) {
		fprintf(stderr, "nb fwd ports 0 < 1 - ignored\n");
	} else if (nb > layout.nb_ports_listed) {
		fprintf(stderr, "nb fwd ports %u > %u (number of configured ports) - ignored\n",
			nb, layout.nb_ports_listed);
	} else {
		layout.nb_ports = nb;
		printf("Number of forwarding ports set to %u\n", nb);
	}
}

void
layout_set_nb_lcores(uint16_t nb)
{
	if (nb == 0) {
		fprintf(stderr, "nb fwd cores 0 < 1 - ignored\n");
	} else if (nb > layout.nb_lcores_listed) {
		fprintf(stderr, "nb fwd cores %u > %u (max. number of configured lcores) - "
			"ignored\n", nb, layout.nb_lcores_listed);
	} else {
		layout.nb_lcores = nb;
		printf("Number of forwarding cores set to %u\n", nb);
	}
}

/* Says it when a new list has another length than what was in use. */
static void
tell_change(const char *what, unsigned int before, unsigned int after)
{
	if (before != after)
		printf("previous number of forwarding %s %u - changed to number of configured "
		       "%s %u\n", what, before, what, after);
}

static void
use_ports(const uint16_t *ids, unsigned int nb)
{
	memcpy(layout.ports, ids, nb * sizeof(*ids));
	tell_change("ports", layout.nb_ports, nb);
	layout.nb_ports = nb;
	layout.nb_ports_listed = nb;
}

void
layout_set_ports(const char *list)
{
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = items_parse_unique(list, "port", ids, RTE_DIM(ids));
	unsigned int i;

	for (i = 0; i < nb; i++) {
		if (port_get(ids[i]) == NULL)
			return;
	}
	if (nb == 0)
		return;
	follow_ports();
	use_ports(ids, nb);
}

int
layout_set_port_mask(uint64_t mask)
{
	uint16_t all[RTE_MAX_ETHPORTS], ids[RTE_MAX_ETHPORTS];
	unsigned int nb_all = ports_list(all), nb = 0, i;

	for (i = 0; i < nb_all; i++) {
		if (all[i] < 64 && (mask & RTE_BIT64(all[i])) != 0)
			ids[nb++] = all[i];
	}
	if (nb == 0) {
		fprintf(stderr, "portmask 0x%" PRIx64 ": there is none of these ports\n", mask);
		return -EINVAL;
	}
	follow_ports();
	use_ports(ids, nb);
	return 0;
}

static bool
can_forward(uint16_t lcore)
{
	if (!rte_lcore_is_enabled(lcore)) {
		fprintf(stderr, "lcore %u not enabled\n", lcore);
		return false;
	}
	if (lcore == rte_get_main_lcore()) {
		fprintf(stderr, "lcore %u cannot be masked on for running packet forwarding, which "
			"is the main lcore and reserved for command line parsing only\n", lcore);
		return false;
	}
	return true;
}

void
layout_set_lcores(const char *list)
{
	uint16_t lcores[RTE_MAX_LCORE];
	unsigned int nb = items_parse_unique(list, "core", lcores, RTE_DIM(lcores));
	unsigned int i;

	for (i = 0; i < nb; i++) {
		if (!can_forward(lcores[i]))
			return;
	}
	if (nb == 0)
		return;
	memcpy(layout.lcores, lcores, nb * sizeof(*lcores));
	tell_change("cores", layout.nb_lcores, nb);
	layout.nb_lcores = nb;
	layout.nb_lcores_listed = nb;
}

void
layout_set_peer(uint16_t port, const char *address)
{
	struct rte_ether_addr peer;

	if (port_get(port) == NULL)
		return;
	if (rte_ether_unformat_addr(address, &peer) != 0)
		fprintf(stderr, "Error: Invalid ethernet address: %s\n", address);
	else
		layout.peers[port] = peer;
}

void
layout_show_lcores(void)
{
	unsigned int i;

	printf("List of forwarding lcores:");
	for (i = 0; i < layout.nb_lcores_listed; i++)
		printf(" %2u", layout.lcores[i]);
	printf("\n");
}
