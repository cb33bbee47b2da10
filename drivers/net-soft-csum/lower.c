/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_bus.h>
#include <rte_dev.h>
#include <rte_devargs.h>
#include <rte_errno.h>
#include <rte_string_fns.h>

#include "soft_csum.h"

/* A PCI address may be given without its domain. */
#define PCI_DOMAIN_0 "0000:"

static bool
is_device(const struct rte_device *device, const char *name)
{
	const char *device_name = device != NULL ? rte_dev_name(device) : NULL;

	if (device_name == NULL)
		return false;
	if (strcmp(device_name, name) == 0)
		return true;
	return strncmp(device_name, PCI_DOMAIN_0, strlen(PCI_DOMAIN_0)) == 0 &&
		strcmp(device_name + strlen(PCI_DOMAIN_0), name) == 0;
}

/* Tell whether the arguments name this very port. */
static bool
is_port_named(const struct soft_csum_port *port, uint16_t id)
{
	if (id == port->port_id)
		return false;
	if (soft_csum_is_number(port->lower_name))
		return strtoul(port->lower_name, NULL, 10) == id;
	return strcmp(rte_eth_devices[id].data->name, port->lower_name) == 0;
}

/* Tell whether they name its device, which may have other ports. */
static bool
is_device_named(const struct soft_csum_port *port, uint16_t id)
{
	return id != port->port_id && !soft_csum_is_number(port->lower_name) &&
		is_device(rte_eth_devices[id].device, port->lower_name);
}

static void
say_ports_of_device(const struct soft_csum_port *port)
{
	char list[512] = "";
	size_t n = 0;
	uint16_t id;

	for (id = 0; id < RTE_MAX_ETHPORTS && n < sizeof(list); id++)
		if (rte_eth_dev_is_valid_port(id) && is_device_named(port, id))
			n += snprintf(list + n, sizeof(list) - n, " %s (port %u)",
				rte_eth_devices[id].data->name, id);
	SOFT_CSUM_LOG(ERR, soft_csum_name(port), "lower=%s: this device has several ports, name "
		"one of them:%s", port->lower_name, list);
}

/* Find the port that the arguments name: 0; -ENODEV for none, -EINVAL for several. */
static int
find(const struct soft_csum_port *port, uint16_t *found)
{
	unsigned int nb = 0;
	uint16_t id;

	for (id = 0; id < RTE_MAX_ETHPORTS; id++) {
		if (!rte_eth_dev_is_valid_port(id))
			continue;
		if (is_port_named(port, id)) {
			*found = id;
			return 0;
		}
		if (is_device_named(port, id) && nb++ == 0)
			*found = id;
	}
	if (nb > 1)
		say_ports_of_device(port);
	return nb == 1 ? 0 : nb == 0 ? -ENODEV : -EINVAL;
}

/* Instances can be stacked, but not in a ring: a call passed down would never end. */
static bool
reaches(uint16_t id, uint16_t target)
{
	while (id != SOFT_CSUM_NO_PORT && id != target) {
		if (rte_eth_devices[id].dev_ops != &soft_csum_ops)
			return false;
		id = soft_csum_port(&rte_eth_devices[id])->lower_id;
	}
	return id == target;
}

/* Events that the lower port has are those that the application can ask for. */
static void
flags_set(struct rte_eth_dev *dev, uint32_t lower_flags)
{
	const uint32_t mask = RTE_ETH_DEV_INTR_LSC | RTE_ETH_DEV_INTR_RMV;

	dev->data->dev_flags = (dev->data->dev_flags & ~mask) | (lower_flags & mask);
}

/* Works from within the new-port event too, when the port does not count as valid yet. */
static int
take(struct soft_csum_port *port, uint16_t id)
{
	const struct rte_eth_dev *lower = &rte_eth_devices[id];
	const char *name = soft_csum_name(port);
	struct rte_eth_dev_owner other;
	int ret;

	if (reaches(id, port->port_id)) {
		SOFT_CSUM_LOG(ERR, name, "%s sits on this port: it cannot be below it as well",
			lower->data->name);
		return -ELOOP;
	}
	ret = rte_eth_dev_owner_set(id, &port->owner);
	if (ret != 0) {
		if (rte_eth_dev_owner_get(id, &other) != 0 || other.id == RTE_ETH_DEV_NO_OWNER)
			strcpy(other.name, "nobody");
		SOFT_CSUM_LOG(ERR, name, "cannot own %s (port %u), which is %s's: %s",
			lower->data->name, id, other.name, rte_strerror(-ret));
		return ret;
	}
	port->lower_id = id;
	port->lower_serial++;
	flags_set(&rte_eth_devices[port->port_id], lower->data->dev_flags);
	if (lower->data->mac_addrs != NULL)
		port->macs[0] = lower->data->mac_addrs[0];
	SOFT_CSUM_LOG(INFO, name, "on %s (port %u)", lower->data->name, id);
	return 0;
}

void
soft_csum_lower_offer(struct soft_csum_port *port, uint16_t id)
{
	if (port->lower_id == SOFT_CSUM_NO_PORT &&
			(is_port_named(port, id) || is_device_named(port, id)))
		take(port, id);
}

int
soft_csum_lower_take(struct soft_csum_port *port)
{
	uint16_t id;
	int ret;

	if (soft_csum_is_number(port->lower_name) &&
			strtoul(port->lower_name, NULL, 10) == port->port_id) {
		SOFT_CSUM_LOG(ERR, soft_csum_name(port), "lower=%s: that is this port's own id",
			port->lower_name);
		return -EINVAL;
	}
	ret = find(port, &id);
	return ret == 0 ? take(port, id) : ret;
}

/* A port that appeared later was taken before it could be known that its device has another one. */
int
soft_csum_lower_check(const struct soft_csum_port *port)
{
	uint16_t id;

	if (port->lower_id == SOFT_CSUM_NO_PORT) {
		SOFT_CSUM_LOG(ERR, soft_csum_name(port), "the port below, %s, is absent",
			port->lower_name);
		return -ENODEV;
	}
	return !port->lower_made && find(port, &id) == -EINVAL ? -EINVAL : 0;
}

/*
 * A device that dev(...) made outlives the instance, without a port: it cannot be unplugged within
 * the instance's own removal, during which EAL's clean-up may hold a pointer to it. It would
 * keep its name taken.
 */
static void
unplug_leftover(const char *bus, const char *device_name)
{
	struct rte_dev_iterator it;
	struct rte_device *device;
	char filter[64];

	snprintf(filter, sizeof(filter), "bus=%s", bus);
	RTE_DEV_FOREACH(device, filter, &it) {
		if (strcmp(rte_dev_name(device), device_name) == 0) {
			rte_dev_remove(device);
			return;
		}
	}
}

static bool
has_port(const char *device_name)
{
	uint16_t id;

	for (id = 0; id < RTE_MAX_ETHPORTS; id++)
		if (rte_eth_dev_is_valid_port(id) &&
				is_device(rte_eth_devices[id].device, device_name))
			return true;
	return false;
}

int
soft_csum_lower_make(struct soft_csum_port *port, const char *devargs)
{
	const char *name = soft_csum_name(port);
	struct rte_devargs parsed;
	int ret;

	memset(&parsed, 0, sizeof(parsed));
	ret = rte_devargs_parse(&parsed, devargs);
	if (ret != 0) {
		SOFT_CSUM_LOG(ERR, name, "dev(%s): no such kind of device", devargs);
		return ret;
	}
	strlcpy(port->lower_name, parsed.name, sizeof(port->lower_name));
	if (has_port(port->lower_name)) {
		SOFT_CSUM_LOG(ERR, name, "dev(%s): it is there already; sit on it by lower=%s",
			devargs, port->lower_name);
		rte_devargs_reset(&parsed);
		return -EEXIST;
	}
	unplug_leftover(rte_bus_name(parsed.bus), port->lower_name);
	rte_devargs_reset(&parsed);

	/* The new-port event takes it, before anybody else sees it. */
	port->lower_made = true;
	ret = rte_dev_probe(devargs);
	if (ret == 0 && port->lower_id == SOFT_CSUM_NO_PORT)
		ret = -ENODEV;
	if (ret != 0)
		SOFT_CSUM_LOG(ERR, name, "dev(%s): cannot be created: %s", devargs,
			rte_strerror(-ret));
	return ret;
}

void
soft_csum_lower_give_back(struct soft_csum_port *port)
{
	uint16_t id = port->lower_id;

	if (id == SOFT_CSUM_NO_PORT)
		return;
	/* Being closed, a port has no owner any more. */
	if (port->lower_made)
		rte_eth_dev_close(id);
	else
		rte_eth_dev_owner_unset(id, port->owner.id);
	port->lower_id = SOFT_CSUM_NO_PORT;
}
