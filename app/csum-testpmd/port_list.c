/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <string.h>

#include "port.h"
#include "port_list.h"

static struct port ports[RTE_MAX_ETHPORTS];
static uint16_t port_ids[RTE_MAX_ETHPORTS]; /* ascending */
static unsigned int nb_ports;

/* Where a port is in port_ids, or where it would be. */
static unsigned int
find(uint16_t id)
{
	unsigned int i;

	for (i = 0; i < nb_ports && port_ids[i] < id; i++)
		;
	return i;
}

bool
port_list_has(uint16_t id)
{
	unsigned int i = find(id);

	return i < nb_ports && port_ids[i] == id;
}

void
port_list_add(uint16_t id)
{
	unsigned int i = find(id);

	if (port_list_has(id))
		return;
	memmove(&port_ids[i + 1], &port_ids[i], (nb_ports - i) * sizeof(port_ids[0]));
	port_ids[i] = id;
	nb_ports++;
	ports[id] = (struct port){ .stale = true, .csum.mac_swap = true };
}

void
port_list_remove(uint16_t id)
{
	unsigned int i = find(id);

	nb_ports--;
	memmove(&port_ids[i], &port_ids[i + 1], (nb_ports - i) * sizeof(port_ids[0]));
}

unsigned int
ports_list(uint16_t *ids)
{
	memcpy(ids, port_ids, nb_ports * sizeof(port_ids[0]));
	return nb_ports;
}

unsigned int
port_list_meant(uint16_t id, uint16_t *ids)
{
	if (id == PORT_ALL)
		return ports_list(ids);
	ids[0] = id;
	return port_get(id) != NULL ? 1 : 0;
}

void
port_list_make_stale(void)
{
	unsigned int i;

	for (i = 0; i < nb_ports; i++)
		ports[port_ids[i]].stale = true;
}

struct port *
port_get(uint16_t id)
{
	if (port_list_has(id))
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

bool
ports_all_started(void)
{
	unsigned int i;

	for (i = 0; i < nb_ports && ports[port_ids[i]].started; i++)
		;
	return i == nb_ports;
}

bool
ports_all_stopped(void)
{
	unsigned int i;

	for (i = 0; i < nb_ports && !ports[port_ids[i]].started; i++)
		;
	return i == nb_ports;
}
