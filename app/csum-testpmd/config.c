/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>

#include <rte_ethdev.h>

#include "config.h"
#include "port.h"

/* librte_ethdev's own function for it is experimental in 22.11. */
const char *
config_format_speed(uint32_t speed, char buf[CONFIG_SPEED_LEN])
{
	if (speed == RTE_ETH_SPEED_NUM_NONE)
		return "None";
	if (speed == RTE_ETH_SPEED_NUM_UNKNOWN)
		return "Unknown";
	if (speed % 1000 == 0)
		snprintf(buf, CONFIG_SPEED_LEN, "%u Gbps", speed / 1000);
	else
		snprintf(buf, CONFIG_SPEED_LEN, "%u Mbps", speed);
	return buf;
}

static void
show_summary_line(uint16_t id)
{
	char name[RTE_ETH_NAME_MAX_LEN] = "";
	char addr_str[RTE_ETHER_ADDR_FMT_SIZE];
	struct rte_ether_addr addr = { 0 };
	struct rte_eth_dev_info info = { 0 };
	struct rte_eth_link link = { 0 };
	char speed[CONFIG_SPEED_LEN];

	(void)rte_eth_dev_info_get(id, &info);
	(void)rte_eth_dev_get_name_by_port(id, name);
	(void)rte_eth_macaddr_get(id, &addr);
	(void)rte_eth_link_get_nowait(id, &link);
	rte_ether_format_addr(addr_str, sizeof(addr_str), &addr);
	printf("%-4u %-17s %-12s %-14s %-8s %s\n", id, addr_str, name,
	       info.driver_name != NULL ? info.driver_name : "",
	       link.link_status == RTE_ETH_LINK_UP ? "up" : "down",
	       config_format_speed(link.link_speed, speed));
}

void
config_show_summary(uint16_t id)
{
	uint16_t all[RTE_MAX_ETHPORTS], ids[RTE_MAX_ETHPORTS] = { id };
	unsigned int nb_all = ports_list(all);
	unsigned int nb = id == PORT_ALL ? ports_list(ids) : 1;
	unsigned int i;

	printf("Number of available ports: %u\n", nb_all);
	printf("%s %-17s %-12s %-14s %-8s %s\n", "Port", "MAC Address", "Name", "Driver",
	       "Status", "Link");
	for (i = 0; i < nb; i++)
		show_summary_line(ids[i]);
}

static void
print_offloads(const char *label, enum port_dir dir, uint64_t offloads)
{
	unsigned int i;

	printf("%s", label);
	for (i = 0; i < 64; i++) {
		if ((offloads & RTE_BIT64(i)) != 0)
			printf(" %s", port_offload_name(dir, RTE_BIT64(i)));
	}
	printf("\n");
}

static const char *
dir_name(enum port_dir dir)
{
	return dir == PORT_RX ? "Rx" : "Tx";
}

void
config_show_capa(uint16_t id, enum port_dir dir)
{
	struct rte_eth_dev_info info;
	uint64_t queue;

	if (rte_eth_dev_info_get(id, &info) != 0)
		return;
	queue = dir == PORT_RX ? info.rx_queue_offload_capa : info.tx_queue_offload_capa;
	printf("%s Offloading Capabilities of port %u :\n", dir_name(dir), id);
	print_offloads("  Per Queue :", dir, queue);
	print_offloads("  Per Port  :", dir, port_capa(id, dir) & ~queue);
	printf("\n");
}

/* The port has what it was configured with, its queues get what is set now. */
void
config_show_offloads(uint16_t id, enum port_dir dir)
{
	struct port *port = port_get(id);
	struct rte_eth_dev_info info;
	char label[32];
	uint16_t q, nb;

	if (port == NULL || rte_eth_dev_info_get(id, &info) != 0)
		return;
	nb = dir == PORT_RX ? info.nb_rx_queues : info.nb_tx_queues;
	printf("%s Offloading Configuration of port %u :\n", dir_name(dir), id);
	print_offloads("  Port :", dir, port->applied[dir]);
	for (q = 0; q < nb; q++) {
		snprintf(label, sizeof(label), "  Queue[%2u] :", q);
		print_offloads(label, dir, *port_offloads(port, dir));
	}
	printf("\n");
}

void
config_show_csum(uint16_t id)
{
	static const struct {
		const char *name; /* of the setting */
		const char *what; /* in the warning */
		uint64_t offload;
	} kinds[] = {
		{ "IP", "IP", RTE_ETH_TX_OFFLOAD_IPV4_CKSUM },
		{ "UDP", "UDP", RTE_ETH_TX_OFFLOAD_UDP_CKSUM },
		{ "TCP", "TCP", RTE_ETH_TX_OFFLOAD_TCP_CKSUM },
		{ "SCTP", "SCTP", RTE_ETH_TX_OFFLOAD_SCTP_CKSUM },
		{ "Outer-Ip", "outer IP", RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM },
		{ "Outer-Udp", "outer UDP", RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM },
	};
	const struct port *port = port_get(id);
	uint64_t enabled, capa;
	unsigned int i;

	if (port == NULL)
		return;
	enabled = port->conf.txmode.offloads;
	capa = port_capa(id, PORT_TX);
	printf("Parse tunnel is %s\n", port->csum.parse_tunnel ? "on" : "off");
	for (i = 0; i < RTE_DIM(kinds); i++)
		printf("%s checksum offload is %s\n", kinds[i].name,
		       (enabled & kinds[i].offload) != 0 ? "hw" : "sw");
	for (i = 0; i < RTE_DIM(kinds); i++) {
		if ((enabled & ~capa & kinds[i].offload) != 0)
			fprintf(stderr, "Warning: hardware %s checksum enabled but not supported "
				"by port %u\n", kinds[i].what, id);
	}
}
