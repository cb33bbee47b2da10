/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>

#include <rte_ethdev.h>

#include "config.h"
#include "port.h"

/* "4294967 Gbps" is the longest. */
#define SPEED_LEN 16

/* A speed in Mbps, as people write it; librte_ethdev's own function is experimental in 22.11. */
static const char *
format_speed(uint32_t speed, char *buf, size_t size)
{
	if (speed == RTE_ETH_SPEED_NUM_NONE)
		return "None";
	if (speed == RTE_ETH_SPEED_NUM_UNKNOWN)
		return "Unknown";
	if (speed % 1000 == 0)
		snprintf(buf, size, "%u Gbps", speed / 1000);
	else
		snprintf(buf, size, "%u Mbps", speed);
	return buf;
}

static void
show_link(uint16_t id)
{
	struct rte_eth_link link = { 0 };
	char speed[SPEED_LEN];

	if (rte_eth_link_get_nowait(id, &link) != 0)
		return;
	printf("Link status: %s\n", link.link_status == RTE_ETH_LINK_UP ? "up" : "down");
	printf("Link speed: %s\n", format_speed(link.link_speed, speed, sizeof(speed)));
	printf("Link duplex: %s\n",
	       link.link_duplex == RTE_ETH_LINK_FULL_DUPLEX ? "full-duplex" : "half-duplex");
	printf("Autoneg status: %s\n", link.link_autoneg == RTE_ETH_LINK_AUTONEG ? "On" : "Off");
}

static void
show_limits(const struct rte_eth_dev_info *info)
{
	printf("Maximum number of MAC addresses: %u\n", info->max_mac_addrs);
	printf("Minimum size of RX buffer: %u\n", info->min_rx_bufsize);
	printf("Maximum configurable length of RX packet: %u\n", info->max_rx_pktlen);
	printf("Current number of RX queues: %u\n", info->nb_rx_queues);
	printf("Max possible RX queues: %u\n", info->max_rx_queues);
	printf("Max possible number of RXDs per queue: %u\n", info->rx_desc_lim.nb_max);
	printf("Min possible number of RXDs per queue: %u\n", info->rx_desc_lim.nb_min);
	printf("RXDs number alignment: %u\n", info->rx_desc_lim.nb_align);
	printf("Current number of TX queues: %u\n", info->nb_tx_queues);
	printf("Max possible TX queues: %u\n", info->max_tx_queues);
	printf("Max possible number of TXDs per queue: %u\n", info->tx_desc_lim.nb_max);
	printf("Min possible number of TXDs per queue: %u\n", info->tx_desc_lim.nb_min);
	printf("TXDs number alignment: %u\n", info->tx_desc_lim.nb_align);
	printf("Max segment number per packet: %u\n", info->tx_desc_lim.nb_seg_max);
	printf("Max segment number per MTU/TSO: %u\n", info->tx_desc_lim.nb_mtu_seg_max);
}

void
config_show_port(uint16_t id)
{
	static const char border[] = "*********************";
	char name[RTE_ETH_NAME_MAX_LEN] = "";
	char addr_str[RTE_ETHER_ADDR_FMT_SIZE];
	struct rte_ether_addr addr = { 0 };
	struct rte_eth_dev_info info;
	uint16_t mtu = 0;

	if (rte_eth_dev_info_get(id, &info) != 0) {
		fprintf(stderr, "Port %u tells nothing about itself\n", id);
		return;
	}
	(void)rte_eth_dev_get_name_by_port(id, name);
	(void)rte_eth_macaddr_get(id, &addr);
	(void)rte_eth_dev_get_mtu(id, &mtu);
	rte_ether_format_addr(addr_str, sizeof(addr_str), &addr);
	printf("\n%s Infos for port %-2u %s\n", border, id, border);
	printf("MAC address: %s\n", addr_str);
	printf("Device name: %s\n", name);
	printf("Driver name: %s\n", info.driver_name);
	printf("Connect to socket: %u\n", port_socket(id));
	show_link(id);
	printf("MTU: %u\n", mtu);
	printf("Promiscuous mode: %s\n",
	       rte_eth_promiscuous_get(id) == 1 ? "enabled" : "disabled");
	printf("Allmulticast mode: %s\n",
	       rte_eth_allmulticast_get(id) == 1 ? "enabled" : "disabled");
	show_limits(&info);
}

void
config_show_summary(void)
{
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = ports_list(ids);
	unsigned int i;

	printf("Number of available ports: %u\n", nb);
	printf("%s %-17s %-12s %-14s %-8s %s\n", "Port", "MAC Address", "Name", "Driver",
	       "Status", "Link");
	for (i = 0; i < nb; i++) {
		char name[RTE_ETH_NAME_MAX_LEN] = "";
		char addr_str[RTE_ETHER_ADDR_FMT_SIZE];
		struct rte_ether_addr addr = { 0 };
		struct rte_eth_dev_info info = { 0 };
		struct rte_eth_link link = { 0 };
		char speed[SPEED_LEN];

		(void)rte_eth_dev_info_get(ids[i], &info);
		(void)rte_eth_dev_get_name_by_port(ids[i], name);
		(void)rte_eth_macaddr_get(ids[i], &addr);
		(void)rte_eth_link_get_nowait(ids[i], &link);
		rte_ether_format_addr(addr_str, sizeof(addr_str), &addr);
		printf("%-4u %-17s %-12s %-14s %-8s %s\n", ids[i], addr_str, name,
		       info.driver_name != NULL ? info.driver_name : "",
		       link.link_status == RTE_ETH_LINK_UP ? "up" : "down",
		       format_speed(link.link_speed, speed, sizeof(speed)));
	}
}

static void
print_offloads(const char *label, uint64_t offloads)
{
	unsigned int i;

	printf("%s", label);
	for (i = 0; i < 64; i++) {
		if ((offloads & RTE_BIT64(i)) != 0)
			printf(" %s", rte_eth_dev_tx_offload_name(RTE_BIT64(i)));
	}
	printf("\n");
}

void
config_show_tx_capa(uint16_t id)
{
	struct rte_eth_dev_info info;

	if (rte_eth_dev_info_get(id, &info) != 0)
		return;
	printf("Tx Offloading Capabilities of port %u :\n", id);
	print_offloads("  Per Queue :", info.tx_queue_offload_capa);
	print_offloads("  Per Port  :", info.tx_offload_capa & ~info.tx_queue_offload_capa);
	printf("\n");
}

void
config_show_tx_offloads(uint16_t id)
{
	const struct port *port = port_get(id);
	struct rte_eth_dev_info info;
	char label[32];
	uint16_t q;

	if (port == NULL || rte_eth_dev_info_get(id, &info) != 0)
		return;
	printf("Tx Offloading Configuration of port %u :\n", id);
	print_offloads("  Port :", port->conf.txmode.offloads);
	for (q = 0; q < info.nb_tx_queues; q++) {
		snprintf(label, sizeof(label), "  Queue[%2u] :", q);
		print_offloads(label, port->conf.txmode.offloads);
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
	capa = port_tx_capa(id);
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
