/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <rte_errno.h>

#include "commands.h"
#include "fwd.h"
#include "port.h"

/* The words of the offloads there are: librte_ethdev's names in lower case. */
#define RX_OFFLOADS \
	"vlan_strip#ipv4_cksum#udp_cksum#tcp_cksum#tcp_lro#qinq_strip#outer_ipv4_cksum#" \
	"macsec_strip#vlan_filter#vlan_extend#scatter#buffer_split#timestamp#security#keep_crc#" \
	"sctp_cksum#outer_udp_cksum#rss_hash"
#define TX_OFFLOADS \
	"vlan_insert#ipv4_cksum#udp_cksum#tcp_cksum#sctp_cksum#tcp_tso#udp_tso#" \
	"outer_ipv4_cksum#qinq_insert#vxlan_tnl_tso#gre_tnl_tso#ipip_tnl_tso#geneve_tnl_tso#" \
	"macsec_insert#mt_lockfree#multi_segs#mbuf_fast_free#security#udp_tnl_tso#ip_tnl_tso#" \
	"outer_udp_cksum"

/* In a command's data: it is meant for all ports. */
static char all_ports;

static void
stop(uint16_t id)
{
	if (fwd_is_running())
		fprintf(stderr, "Please stop forwarding first\n");
	else
		port_stop(id);
}

/* port start|stop|close|reset <port_id>|all */
static void
run_port(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	uint16_t id = data == &all_ports ? PORT_ALL : args->num[0];

	if (strcmp(args->word[1], "start") == 0)
		(void)port_start(id);
	else if (strcmp(args->word[1], "stop") == 0)
		stop(id);
	else if (strcmp(args->word[1], "close") == 0)
		port_close(id);
	else
		port_reset(id);
}

static void
run_attach(void *parsed, struct cmdline *cl, void *data)
{
	struct command_args *args = parsed;

	port_attach(command_text(args));
}

static void
run_detach(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	port_detach(args->num[0]);
}

static uint64_t
find_offload(enum port_dir dir, const char *word)
{
	unsigned int i;

	for (i = 0; i < 64; i++) {
		if (strcasecmp(port_offload_name(dir, RTE_BIT64(i)), word) == 0)
			return RTE_BIT64(i);
	}
	return 0;
}

/* port config <port_id> rx_offload|tx_offload <offload> on|off */
static void
run_offload(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	enum port_dir dir = strcmp(args->word[2], "rx_offload") == 0 ? PORT_RX : PORT_TX;
	uint64_t offload = find_offload(dir, args->word[3]);
	bool on = strcmp(args->word[4], "on") == 0;
	uint16_t id = args->num[0];
	struct port *port = port_get(id);

	if (port == NULL)
		return;
	if (port->started)
		fprintf(stderr, "Error: Can't config offload when Port %u is not stopped\n", id);
	else if (on && (port_capa(id, dir) & offload) == 0)
		fprintf(stderr, "Error: %s %s is not supported by port %u\n", args->word[2],
			args->word[3], id);
	else
		port_set_offload(port, dir, offload, on);
}

/* port config all rxq|txq|rxd|txd|max-pkt-len|burst <value> */
static void
run_config_all(void *parsed, struct cmdline *cl, void *data)
{
	static const char *const numbers[] = {
		[PORTS_RXQ] = "rxq", [PORTS_TXQ] = "txq", [PORTS_RXD] = "rxd", [PORTS_TXD] = "txd",
	};
	const struct command_args *args = parsed;
	unsigned int i;

	if (!ports_all_stopped()) {
		fprintf(stderr, "Please stop all ports first\n");
		return;
	}
	if (strcmp(args->word[3], "max-pkt-len") == 0)
		ports_set_max_pkt_len(args->num[0]);
	for (i = 0; i < RTE_DIM(numbers); i++) {
		if (strcmp(args->word[3], numbers[i]) == 0)
			ports_set_number(i, args->num[0]);
	}
}

static void
run_mtu(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	port_set_mtu(args->num[0], args->num[1]);
}

/* The tunnels whose UDP port a NIC may want to know. */
static const struct {
	const char *word;
	uint8_t type;
} udp_tunnels[] = {
	{ "vxlan", RTE_ETH_TUNNEL_TYPE_VXLAN },
	{ "geneve", RTE_ETH_TUNNEL_TYPE_GENEVE },
	{ "ecpri", RTE_ETH_TUNNEL_TYPE_ECPRI },
};

static int
set_udp_tunnel(uint16_t id, const char *verb, uint8_t type, uint16_t udp_port)
{
	struct rte_eth_udp_tunnel tunnel = { .udp_port = udp_port, .prot_type = type };

	if (strcmp(verb, "add") == 0)
		return rte_eth_dev_udp_tunnel_port_add(id, &tunnel);
	return rte_eth_dev_udp_tunnel_port_delete(id, &tunnel);
}

/* port config <port_id> udp_tunnel_port add|rm <tunnel> <udp_port> */
static void
run_udp_tunnel_port(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	unsigned int i = 0;
	int ret;

	/* The parser has let no other word through. */
	while (strcmp(args->word[4], udp_tunnels[i].word) != 0)
		i++;
	ret = set_udp_tunnel(args->num[0], args->word[3], udp_tunnels[i].type, args->num[1]);
	if (ret < 0)
		fprintf(stderr, "udp tunneling port add error: (%s)\n", rte_strerror(-ret));
}

/* rx_vxlan_port add|rm <udp_port> <port_id> */
static void
run_vxlan_port(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	int ret = set_udp_tunnel(args->num[1], args->word[1], RTE_ETH_TUNNEL_TYPE_VXLAN,
				 args->num[0]);

	if (ret < 0)
		fprintf(stderr, "udp tunneling add error: (%s)\n", rte_strerror(-ret));
}

/* Which packets a port receives besides its own: a switch, and its name in messages. */
static const struct reception {
	const char *word;
	const char *name;
	int (*enable)(uint16_t id);
	int (*disable)(uint16_t id);
} receptions[] = {
	{ "promisc", "promiscuous", rte_eth_promiscuous_enable, rte_eth_promiscuous_disable },
	{ "allmulti", "all-multicast", rte_eth_allmulticast_enable, rte_eth_allmulticast_disable },
};

/* set promisc|allmulti <port_id>|all on|off */
static void
run_reception(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	const struct reception *what =
		&receptions[strcmp(args->word[1], receptions[0].word) == 0 ? 0 : 1];
	bool on = strcmp(args->word[3], "on") == 0;
	uint16_t ids[RTE_MAX_ETHPORTS] = { args->num[0] };
	unsigned int nb = data == &all_ports ? ports_list(ids) : 1;
	unsigned int i;
	int ret;

	for (i = 0; i < nb; i++) {
		ret = on ? what->enable(ids[i]) : what->disable(ids[i]);
		if (ret != 0)
			fprintf(stderr, "Error during %s %s mode for port %u: %s\n",
				on ? "enabling" : "disabling", what->name, ids[i],
				rte_strerror(-ret));
	}
}

/* set link-up|link-down port <port_id> */
static void
run_link(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	bool up = strcmp(args->word[1], "link-up") == 0;
	int ret = up ? rte_eth_dev_set_link_up(args->num[0]) :
		       rte_eth_dev_set_link_down(args->num[0]);

	if (ret != 0)
		fprintf(stderr, "\nSet link %s fail.\n", up ? "up" : "down");
}

static cmdline_parse_inst_t cmd_port = COMMAND(run_port, NULL,
	"port start|stop|close|reset <port_id>: Start, stop, close or reset a port",
	WORD(0, "port"), WORD(1, "start#stop#close#reset"), NUMBER16(0));

static cmdline_parse_inst_t cmd_port_all = COMMAND(run_port, &all_ports,
	"port start|stop|close|reset all: Start, stop, close or reset all ports",
	WORD(0, "port"), WORD(1, "start#stop#close#reset"), WORD(2, "all"));

static cmdline_parse_inst_t cmd_attach = COMMAND(run_attach, NULL,
	"port attach <device>[,<arguments>]: Create a device, and take its port",
	WORD(0, "port"), WORD(1, "attach"), TEXT);

static cmdline_parse_inst_t cmd_detach = COMMAND(run_detach, NULL,
	"port detach <port_id>: Close a port that is stopped, and remove its device",
	WORD(0, "port"), WORD(1, "detach"), NUMBER16(0));

static cmdline_parse_inst_t cmd_rx_offload = COMMAND(run_offload, NULL,
	"port config <port_id> rx_offload <offload> on|off: "
	"Enable or disable an Rx offload; the port must be stopped",
	WORD(0, "port"), WORD(1, "config"), NUMBER16(0), WORD(2, "rx_offload"),
	WORD(3, RX_OFFLOADS), WORD(4, "on#off"));

static cmdline_parse_inst_t cmd_tx_offload = COMMAND(run_offload, NULL,
	"port config <port_id> tx_offload <offload> on|off: The same of a Tx offload",
	WORD(0, "port"), WORD(1, "config"), NUMBER16(0), WORD(2, "tx_offload"),
	WORD(3, TX_OFFLOADS), WORD(4, "on#off"));

static cmdline_parse_inst_t cmd_config_all = COMMAND(run_config_all, NULL,
	"port config all rxq|txq|rxd|txd|max-pkt-len <value>: Set the number of queues or of "
	"descriptors, or the longest packet; all ports must be stopped",
	WORD(0, "port"), WORD(1, "config"), WORD(2, "all"), WORD(3, "rxq#txq#rxd#txd#max-pkt-len"),
	NUMBER16(0));

static cmdline_parse_inst_t cmd_mtu = COMMAND(run_mtu, NULL,
	"port config mtu <port_id> <value>: Set the MTU of a port",
	WORD(0, "port"), WORD(1, "config"), WORD(2, "mtu"), NUMBER16(0), NUMBER16(1));

static cmdline_parse_inst_t cmd_udp_tunnel_port = COMMAND(run_udp_tunnel_port, NULL,
	"port config <port_id> udp_tunnel_port add|rm vxlan|geneve|ecpri <udp_port>: "
	"Tell a port by which UDP port tunnels come",
	WORD(0, "port"), WORD(1, "config"), NUMBER16(0), WORD(2, "udp_tunnel_port"),
	WORD(3, "add#rm"), WORD(4, "vxlan#geneve#ecpri"), NUMBER16(1));

static cmdline_parse_inst_t cmd_vxlan_port = COMMAND(run_vxlan_port, NULL,
	"rx_vxlan_port add|rm <udp_port> <port_id>: The same of VXLAN",
	WORD(0, "rx_vxlan_port"), WORD(1, "add#rm"), NUMBER16(0), NUMBER16(1));

static cmdline_parse_inst_t cmd_reception = COMMAND(run_reception, NULL,
	"set promisc|allmulti <port_id> on|off: Receive all packets, or all multicast, or not",
	WORD(0, "set"), WORD(1, "promisc#allmulti"), NUMBER16(0), WORD(3, "on#off"));

static cmdline_parse_inst_t cmd_reception_all = COMMAND(run_reception, &all_ports,
	"set promisc|allmulti all on|off: The same on all ports",
	WORD(0, "set"), WORD(1, "promisc#allmulti"), WORD(2, "all"), WORD(3, "on#off"));

static cmdline_parse_inst_t cmd_link = COMMAND(run_link, NULL,
	"set link-up|link-down port <port_id>: Set a port's link up or down",
	WORD(0, "set"), WORD(1, "link-up#link-down"), WORD(2, "port"), NUMBER16(0));

cmdline_parse_inst_t *const commands_ports[] = {
	&cmd_port,
	&cmd_port_all,
	&cmd_attach,
	&cmd_detach,
	&cmd_rx_offload,
	&cmd_tx_offload,
	&cmd_config_all,
	&cmd_mtu,
	&cmd_udp_tunnel_port,
	&cmd_vxlan_port,
	&cmd_reception,
	&cmd_reception_all,
	&cmd_link,
	NULL,
};
