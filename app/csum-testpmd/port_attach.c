/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>

#include <rte_dev.h>
#include <rte_errno.h>
#include <rte_ethdev.h>

#include "port.h"
#include "port_config.h"
#include "port_list.h"

void
port_attach(const char *devargs)
{
	bool was_there[RTE_MAX_ETHPORTS] = { false };
	uint16_t ids[RTE_MAX_ETHPORTS];
	bool found = false;
	uint16_t id;

	printf("Attaching a new port...\n");
	RTE_ETH_FOREACH_DEV(id)
		was_there[id] = true;
	if (rte_dev_probe(devargs) < 0) {
		fprintf(stderr, "Failed to attach port %s\n", devargs);
		return;
	}
	RTE_ETH_FOREACH_DEV(id) {
		if (was_there[id])
			continue;
		port_list_add(id);
		port_config_first(id, port_get(id));
		printf("Port %u is attached. Now total ports is %u\n", id, ports_list(ids));
		found = true;
	}
	/* It was there before, or another port, stacked upon it, owns it. */
	if (!found)
		fprintf(stderr, "%s brought no port to forward on\n", devargs);
	printf("Done\n");
}

void
port_detach(uint16_t id)
{
	const struct port *port = port_get(id);
	uint16_t ids[RTE_MAX_ETHPORTS];
	struct rte_eth_dev_info info;
	int ret;

	if (port == NULL)
		return;
	if (port->started) {
		fprintf(stderr, "Port not stopped\n");
		return;
	}
	ret = rte_eth_dev_info_get(id, &info);
	if (ret != 0) {
		fprintf(stderr, "Port %u tells no device: %s\n", id, rte_strerror(-ret));
		return;
	}
	fprintf(stderr, "Port was not closed\n");
	printf("Removing a device...\n");
	if (rte_eth_dev_close(id) == 0)
		printf("Port %u is closed\n", id);
	port_list_remove(id);
	ret = rte_dev_remove(info.device);
	if (ret != 0)
		fprintf(stderr, "Failed to detach device: %s\n", rte_strerror(-ret));
	else
		printf("Device is detached\n");
	printf("Now total ports is %u\nDone\n", ports_list(ids));
}

static void
reset_one(uint16_t id)
{
	int ret = rte_eth_dev_reset(id);

	if (ret != 0)
		fprintf(stderr, "Failed to reset port %u. diag=%d\n", id, ret);
	else
		port_get(id)->stale = true;
}

void
port_reset(uint16_t id)
{
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = port_list_meant(id, ids);
	unsigned int i;

	if (nb == 0)
		return;
	for (i = 0; i < nb; i++) {
		if (port_get(ids[i])->started) {
			fprintf(stderr, "Can not reset port(s), please stop port(s) first.\n");
			return;
		}
	}
	printf("Resetting ports...\n");
	for (i = 0; i < nb; i++)
		reset_one(ids[i]);
	printf("Done\n");
}
