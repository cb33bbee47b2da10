/* SPDX-License-Identifier: BSD-3-Clause */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_devargs.h>
#include <rte_ethdev.h>

#include "config.h"
#include "port.h"

#define FIRMWARE_LEN 64

/* A line of RSS types ends before it gets longer. */
#define RSS_LINE_LEN 64

/* Names by bit, for tables that are printed bit by bit. */
struct bit_name {
	uint64_t bit;
	const char *name;
};

static const struct bit_name rss_types[] = {
	{ RTE_ETH_RSS_IPV4, "ipv4" },
	{ RTE_ETH_RSS_FRAG_IPV4, "ipv4-frag" },
	{ RTE_ETH_RSS_NONFRAG_IPV4_TCP, "ipv4-tcp" },
	{ RTE_ETH_RSS_NONFRAG_IPV4_UDP, "ipv4-udp" },
	{ RTE_ETH_RSS_NONFRAG_IPV4_SCTP, "ipv4-sctp" },
	{ RTE_ETH_RSS_NONFRAG_IPV4_OTHER, "ipv4-other" },
	{ RTE_ETH_RSS_IPV6, "ipv6" },
	{ RTE_ETH_RSS_FRAG_IPV6, "ipv6-frag" },
	{ RTE_ETH_RSS_NONFRAG_IPV6_TCP, "ipv6-tcp" },
	{ RTE_ETH_RSS_NONFRAG_IPV6_UDP, "ipv6-udp" },
	{ RTE_ETH_RSS_NONFRAG_IPV6_SCTP, "ipv6-sctp" },
	{ RTE_ETH_RSS_NONFRAG_IPV6_OTHER, "ipv6-other" },
	{ RTE_ETH_RSS_L2_PAYLOAD, "l2-payload" },
	{ RTE_ETH_RSS_IPV6_EX, "ipv6-ex" },
	{ RTE_ETH_RSS_IPV6_TCP_EX, "ipv6-tcp-ex" },
	{ RTE_ETH_RSS_IPV6_UDP_EX, "ipv6-udp-ex" },
	{ RTE_ETH_RSS_PORT, "port" },
	{ RTE_ETH_RSS_VXLAN, "vxlan" },
	{ RTE_ETH_RSS_GENEVE, "geneve" },
	{ RTE_ETH_RSS_NVGRE, "nvgre" },
	{ RTE_ETH_RSS_GTPU, "gtpu" },
	{ RTE_ETH_RSS_ETH, "eth" },
	{ RTE_ETH_RSS_S_VLAN, "s-vlan" },
	{ RTE_ETH_RSS_C_VLAN, "c-vlan" },
	{ RTE_ETH_RSS_ESP, "esp" },
	{ RTE_ETH_RSS_AH, "ah" },
	{ RTE_ETH_RSS_L2TPV3, "l2tpv3" },
	{ RTE_ETH_RSS_PFCP, "pfcp" },
	{ RTE_ETH_RSS_PPPOE, "pppoe" },
	{ RTE_ETH_RSS_ECPRI, "ecpri" },
	{ RTE_ETH_RSS_MPLS, "mpls" },
	{ RTE_ETH_RSS_IPV4_CHKSUM, "ipv4-chksum" },
	{ RTE_ETH_RSS_L4_CHKSUM, "l4-chksum" },
	{ RTE_ETH_RSS_L2TPV2, "l2tpv2" },
	{ RTE_ETH_RSS_L3_PRE96, "l3-pre96" },
	{ RTE_ETH_RSS_L3_PRE64, "l3-pre64" },
	{ RTE_ETH_RSS_L3_PRE56, "l3-pre56" },
	{ RTE_ETH_RSS_L3_PRE48, "l3-pre48" },
	{ RTE_ETH_RSS_L3_PRE40, "l3-pre40" },
	{ RTE_ETH_RSS_L3_PRE32, "l3-pre32" },
	{ RTE_ETH_RSS_L2_DST_ONLY, "l2-dst-only" },
	{ RTE_ETH_RSS_L2_SRC_ONLY, "l2-src-only" },
	{ RTE_ETH_RSS_L4_DST_ONLY, "l4-dst-only" },
	{ RTE_ETH_RSS_L4_SRC_ONLY, "l4-src-only" },
	{ RTE_ETH_RSS_L3_DST_ONLY, "l3-dst-only" },
	{ RTE_ETH_RSS_L3_SRC_ONLY, "l3-src-only" },
};

static const struct bit_name device_capas[] = {
	{ RTE_ETH_DEV_CAPA_RUNTIME_RX_QUEUE_SETUP, "RUNTIME_RX_QUEUE_SETUP" },
	{ RTE_ETH_DEV_CAPA_RUNTIME_TX_QUEUE_SETUP, "RUNTIME_TX_QUEUE_SETUP" },
	{ RTE_ETH_DEV_CAPA_RXQ_SHARE, "RXQ_SHARE" },
	{ RTE_ETH_DEV_CAPA_FLOW_RULE_KEEP, "FLOW_RULE_KEEP" },
	{ RTE_ETH_DEV_CAPA_FLOW_SHARED_OBJECT_KEEP, "FLOW_SHARED_OBJECT_KEEP" },
};

static const char *
on_off(bool on)
{
	return on ? "on" : "off";
}

static void
show_firmware(uint16_t id)
{
	char version[FIRMWARE_LEN];

	if (rte_eth_dev_fw_version_get(id, version, sizeof(version)) == 0)
		printf("Firmware-version: %s\n", version);
	else
		printf("Firmware-version: not available\n");
}

static void
show_identity(uint16_t id, const struct rte_eth_dev_info *info)
{
	const struct rte_devargs *devargs = rte_dev_devargs(info->device);
	char name[RTE_ETH_NAME_MAX_LEN] = "";
	char addr_str[RTE_ETHER_ADDR_FMT_SIZE];
	struct rte_ether_addr addr = { 0 };

	(void)rte_eth_dev_get_name_by_port(id, name);
	(void)rte_eth_macaddr_get(id, &addr);
	rte_ether_format_addr(addr_str, sizeof(addr_str), &addr);
	printf("MAC address: %s\n", addr_str);
	printf("Device name: %s\n", name);
	printf("Driver name: %s\n", info->driver_name);
	show_firmware(id);
	printf("Devargs: %s\n", devargs != NULL && devargs->args != NULL ? devargs->args : "");
	printf("Connect to socket: %u\n", port_socket(id));
	printf("memory allocation on the socket: %u\n", port_socket(id));
}

static void
show_link(uint16_t id)
{
	struct rte_eth_link link = { 0 };
	char speed[CONFIG_SPEED_LEN];

	if (rte_eth_link_get_nowait(id, &link) != 0)
		return;
	printf("Link status: %s\n", link.link_status == RTE_ETH_LINK_UP ? "up" : "down");
	printf("Link speed: %s\n", config_format_speed(link.link_speed, speed));
	printf("Link duplex: %s\n",
	       link.link_duplex == RTE_ETH_LINK_FULL_DUPLEX ? "full-duplex" : "half-duplex");
	printf("Autoneg status: %s\n", link.link_autoneg == RTE_ETH_LINK_AUTONEG ? "On" : "Off");
}

static void
show_reception(uint16_t id, const struct rte_eth_dev_info *info)
{
	int vlan = rte_eth_dev_get_vlan_offload(id);
	uint16_t mtu = 0;

	(void)rte_eth_dev_get_mtu(id, &mtu);
	printf("MTU: %u\n", mtu);
	printf("Promiscuous mode: %s\n",
	       rte_eth_promiscuous_get(id) == 1 ? "enabled" : "disabled");
	printf("Allmulticast mode: %s\n",
	       rte_eth_allmulticast_get(id) == 1 ? "enabled" : "disabled");
	printf("Maximum number of MAC addresses: %u\n", info->max_mac_addrs);
	printf("Maximum number of MAC addresses of hash filtering: %u\n",
	       info->max_hash_mac_addrs);
	if (vlan < 0)
		return;
	printf("VLAN offload: \n  strip %s, filter %s, extend %s, qinq strip %s\n",
	       on_off((vlan & RTE_ETH_VLAN_STRIP_OFFLOAD) != 0),
	       on_off((vlan & RTE_ETH_VLAN_FILTER_OFFLOAD) != 0),
	       on_off((vlan & RTE_ETH_VLAN_EXTEND_OFFLOAD) != 0),
	       on_off((vlan & RTE_ETH_QINQ_STRIP_OFFLOAD) != 0));
}

static void
show_rss(const struct rte_eth_dev_info *info)
{
	unsigned int i, len, used = 0;

	if (info->hash_key_size > 0)
		printf("Hash key size in bytes: %u\n", info->hash_key_size);
	if (info->reta_size > 0)
		printf("Redirection table size: %u\n", info->reta_size);
	if (info->flow_type_rss_offloads == 0) {
		printf("No RSS offload flow type is supported.\n");
		return;
	}
	printf("Supported RSS offload flow types:\n");
	for (i = 0; i < RTE_DIM(rss_types); i++) {
		if ((info->flow_type_rss_offloads & rss_types[i].bit) == 0)
			continue;
		len = 2 + strlen(rss_types[i].name);
		if (used != 0 && used + len > RSS_LINE_LEN) {
			printf("\n");
			used = 0;
		}
		printf("  %s", rss_types[i].name);
		used += len;
	}
	printf("\n");
}

static void
show_limits(const struct rte_eth_dev_info *info)
{
	printf("Minimum size of RX buffer: %u\n", info->min_rx_bufsize);
	printf("Maximum configurable length of RX packet: %u\n", info->max_rx_pktlen);
	printf("Maximum configurable size of LRO aggregated packet: %u\n",
	       info->max_lro_pkt_size);
	if (info->max_vfs != 0)
		printf("Maximum number of VFs: %u\n", info->max_vfs);
	if (info->max_vmdq_pools != 0)
		printf("Maximum number of VMDq pools: %u\n", info->max_vmdq_pools);
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

static void
show_device(const struct rte_eth_dev_info *info)
{
	unsigned int i;

	printf("Device capabilities: 0x%"PRIx64"(", info->dev_capa);
	for (i = 0; i < RTE_DIM(device_capas); i++) {
		if ((info->dev_capa & device_capas[i].bit) != 0)
			printf(" %s", device_capas[i].name);
	}
	printf(" )\n");
	printf("Device error handling mode: %s\n",
	       info->err_handle_mode == RTE_ETH_ERROR_HANDLE_MODE_PASSIVE ? "passive" :
	       info->err_handle_mode == RTE_ETH_ERROR_HANDLE_MODE_PROACTIVE ? "proactive" :
	       "none");
}

void
config_show_port(uint16_t id)
{
	static const char border[] = "*********************";
	struct rte_eth_dev_info info;

	if (rte_eth_dev_info_get(id, &info) != 0) {
		fprintf(stderr, "Port %u tells nothing about itself\n", id);
		return;
	}
	printf("\n%s Infos for port %-2u %s\n", border, id, border);
	show_identity(id, &info);
	show_link(id);
	show_reception(id, &info);
	show_rss(&info);
	show_limits(&info);
	show_device(&info);
}
