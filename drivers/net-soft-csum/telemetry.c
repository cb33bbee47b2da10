/* SPDX-License-Identifier: BSD-3-Clause */

/* What dpdk-telemetry.py can ask of all instances in the process. */

#include <errno.h>
#include <stdlib.h>

#include <rte_common.h>
#include <rte_telemetry.h>

#include "soft_csum.h"

/* Of a port that the primary process has closed nothing but its place is left. */
static bool
is_ours(uint16_t id)
{
	return rte_eth_dev_is_valid_port(id) && soft_csum_is_ours(&rte_eth_devices[id]) &&
		soft_csum_port(&rte_eth_devices[id]) != NULL;
}

/* The port that a command's parameter names; NULL unless it is one of ours. */
static struct rte_eth_dev *
port_of(const char *params)
{
	unsigned long id;

	if (params == NULL || !soft_csum_is_number(params))
		return NULL;
	id = strtoul(params, NULL, 10);
	return id < RTE_MAX_ETHPORTS && is_ours((uint16_t)id) ? &rte_eth_devices[id] : NULL;
}

static int
list(const char *cmd __rte_unused, const char *params __rte_unused, struct rte_tel_data *data)
{
	uint16_t id;

	rte_tel_data_start_array(data, RTE_TEL_INT_VAL);
	for (id = 0; id < RTE_MAX_ETHPORTS; id++)
		if (is_ours(id))
			rte_tel_data_add_array_int(data, id);
	return 0;
}

static int
info(const char *cmd __rte_unused, const char *params, struct rte_tel_data *data)
{
	static const char *const rx_csum[] = {
		[SOFT_CSUM_RX_AUTO] = "auto", [SOFT_CSUM_RX_ON] = "on", [SOFT_CSUM_RX_OFF] = "off",
	};
	const struct rte_eth_dev *dev = port_of(params);
	const struct soft_csum_port *port;

	if (dev == NULL)
		return -EINVAL;
	port = soft_csum_port(dev);
	rte_tel_data_start_dict(data);
	rte_tel_data_add_dict_string(data, "name", dev->data->name);
	rte_tel_data_add_dict_string(data, "lower", port->lower_name);
	rte_tel_data_add_dict_int(data, "lower_port",
		port->lower_id != SOFT_CSUM_NO_PORT ? port->lower_id : -1);
	rte_tel_data_add_dict_string(data, "runs", atomic_load(&port->lower_runs) ? "yes" : "no");
	rte_tel_data_add_dict_string(data, "rx_csum", rx_csum[port->rx_csum]);
	soft_csum_tel_add_uint(data, "forced_offloads", port->force);
	soft_csum_tel_add_uint(data, "lower_offloads", port->lower_enabled);
	rte_tel_data_add_dict_int(data, "lower_max_segs", port->lower_max_segs);
	rte_tel_data_add_dict_int(data, "pool_size",
		port->gso.pool != NULL ? (int)port->gso.pool->size : 0);
	rte_tel_data_add_dict_int(data, "pool_room", port->seg_room);
	return 0;
}

static int
stats(const char *cmd __rte_unused, const char *params, struct rte_tel_data *data)
{
	struct rte_eth_dev *dev = port_of(params);
	unsigned int i, nb = soft_csum_own_stats(dev, NULL, NULL);
	struct rte_eth_xstat_name *names;
	struct rte_eth_xstat *values;
	int ret = -ENOMEM;

	if (dev == NULL)
		return -EINVAL;
	names = calloc(nb, sizeof(*names));
	values = calloc(nb, sizeof(*values));
	if (names != NULL && values != NULL) {
		soft_csum_own_stats(dev, names, values);
		rte_tel_data_start_dict(data);
		for (i = 0; i < nb; i++)
			soft_csum_tel_add_uint(data, names[i].name, values[i].value);
		ret = 0;
	}
	free(names);
	free(values);
	return ret;
}

RTE_INIT(soft_csum_telemetry_init)
{
	rte_telemetry_register_cmd("/net_soft_csum/list", list,
		"Ids of the net_soft_csum ports. Takes no parameters");
	rte_telemetry_register_cmd("/net_soft_csum/info", info,
		"A port's lower port, settings and pool. Parameters: int port_id");
	rte_telemetry_register_cmd("/net_soft_csum/stats", stats,
		"A port's own counters, as among its xstats. Parameters: int port_id");
}
