/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "config.h"
#include "port.h"

/* The checksums that `csum set` knows; testpmd's guide writes an underscore where it has a dash. */
static const struct {
	const char *word;
	const char *alias;
	const char *name;
	uint64_t offload;
} checksums[] = {
	{ "ip", NULL, "IP", RTE_ETH_TX_OFFLOAD_IPV4_CKSUM },
	{ "udp", NULL, "UDP", RTE_ETH_TX_OFFLOAD_UDP_CKSUM },
	{ "tcp", NULL, "TCP", RTE_ETH_TX_OFFLOAD_TCP_CKSUM },
	{ "sctp", NULL, "SCTP", RTE_ETH_TX_OFFLOAD_SCTP_CKSUM },
	{ "outer-ip", "outer_ip", "Outer IP", RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM },
	{ "outer-udp", "outer_udp", "Outer UDP", RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM },
};

static const struct {
	const char *name;
	uint64_t offload;
} tunnels[] = {
	{ "VXLAN", RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO },
	{ "GRE", RTE_ETH_TX_OFFLOAD_GRE_TNL_TSO },
	{ "IPIP", RTE_ETH_TX_OFFLOAD_IPIP_TNL_TSO },
	{ "GENEVE", RTE_ETH_TX_OFFLOAD_GENEVE_TNL_TSO },
	{ "IP", RTE_ETH_TX_OFFLOAD_IP_TNL_TSO },
	{ "UDP", RTE_ETH_TX_OFFLOAD_UDP_TNL_TSO },
};

/* The parser has let no other word through, so the last one needs no look. */
static unsigned int
find_checksum(const char *word)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(checksums) - 1; i++) {
		if (strcmp(word, checksums[i].word) == 0 ||
		    (checksums[i].alias != NULL && strcmp(word, checksums[i].alias) == 0))
			break;
	}
	return i;
}

static void
run_csum_set(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	unsigned int i = find_checksum(args->word[2]);
	struct port *port = port_get_stopped(args->num[0]);
	bool hw = strcmp(args->word[3], "hw") == 0;

	if (port == NULL)
		return;
	if (hw && (port_capa(args->num[0], PORT_TX) & checksums[i].offload) == 0)
		fprintf(stderr, "%s checksum offload is not supported by port %u\n",
			checksums[i].name, args->num[0]);
	else
		port_set_offload(port, PORT_TX, checksums[i].offload, hw);
	config_show_csum(args->num[0]);
}

static void
run_csum_show(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	if (port_get(args->num[0]) != NULL)
		config_show_csum(args->num[0]);
}

static void
run_parse_tunnel(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	struct port *port = port_get(args->num[0]);

	if (port == NULL)
		return;
	port->csum.parse_tunnel = strcmp(args->word[2], "on") == 0;
	config_show_csum(args->num[0]);
}

static void
run_mac_swap(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	struct port *port = port_get(args->num[0]);

	if (port != NULL)
		port->csum.mac_swap = strcmp(args->word[2], "on") == 0;
}

static void
show_tso(const struct port *port)
{
	if (port->csum.tso_segsz == 0)
		printf("TSO for non-tunneled packets is disabled\n");
	else
		printf("TSO segment size for non-tunneled packets is %u\n",
		       port->csum.tso_segsz);
}

static void
run_tso_set(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	struct port *port = port_get_stopped(args->num[1]);
	uint16_t segsz = args->num[0];

	if (port == NULL)
		return;
	if (segsz != 0 && (port_capa(args->num[1], PORT_TX) & RTE_ETH_TX_OFFLOAD_TCP_TSO) == 0) {
		fprintf(stderr, "Error: TSO is not supported by port %u\n", args->num[1]);
		return;
	}
	port->csum.tso_segsz = segsz;
	port_set_offload(port, PORT_TX, RTE_ETH_TX_OFFLOAD_TCP_TSO, segsz != 0);
	show_tso(port);
}

static void
run_tso_show(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	const struct port *port = port_get(args->num[0]);

	if (port != NULL)
		show_tso(port);
}

static void
show_tunnel_tso(const struct port *port)
{
	if (port->csum.tunnel_tso_segsz == 0)
		printf("TSO for tunneled packets is disabled\n");
	else if (!port->csum.parse_tunnel)
		fprintf(stderr, "Error: csum parse_tunnel must be set so that tunneled packets "
			"are recognized\n");
	else if ((port->conf.txmode.offloads & RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM) == 0)
		fprintf(stderr, "Error: csum set outer-ip must be set to hw if outer L3 is IPv4; "
			"not necessary for IPv6\n");
	else
		printf("TSO segment size for tunneled packets is %u\n",
		       port->csum.tunnel_tso_segsz);
}

static void
run_tunnel_tso_set(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	struct port *port = port_get_stopped(args->num[1]);
	uint64_t all = 0;
	uint64_t capa;
	unsigned int i;

	if (port == NULL)
		return;
	capa = port_capa(args->num[1], PORT_TX);
	for (i = 0; i < RTE_DIM(tunnels); i++)
		all |= tunnels[i].offload;
	if (args->num[0] != 0 && (capa & all) == 0) {
		fprintf(stderr, "Error: port=%u don't support tunnel TSO offloads.\n",
			args->num[1]);
		return;
	}
	for (i = 0; i < RTE_DIM(tunnels) && args->num[0] != 0; i++) {
		if ((capa & tunnels[i].offload) == 0)
			fprintf(stderr, "Warning: %s TUNNEL TSO not supported therefore not "
				"enabled for port %u\n", tunnels[i].name, args->num[1]);
	}
	port->csum.tunnel_tso_segsz = args->num[0];
	port_set_offload(port, PORT_TX, capa & all, args->num[0] != 0);
	show_tunnel_tso(port);
}

static void
run_tunnel_tso_show(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	const struct port *port = port_get(args->num[0]);

	if (port != NULL)
		show_tunnel_tso(port);
}

static cmdline_parse_inst_t cmd_csum_set = COMMAND(run_csum_set, NULL,
	"csum set ip|udp|tcp|sctp|outer-ip|outer-udp hw|sw <port_id>: "
	"Let the port make a checksum, or make it here",
	WORD(0, "csum"), WORD(1, "set"),
	WORD(2, "ip#udp#tcp#sctp#outer-ip#outer_ip#outer-udp#outer_udp"), WORD(3, "hw#sw"),
	NUMBER16(0));

static cmdline_parse_inst_t cmd_csum_show = COMMAND(run_csum_show, NULL,
	"csum show <port_id>: Show who makes which checksum",
	WORD(0, "csum"), WORD(1, "show"), NUMBER16(0));

static cmdline_parse_inst_t cmd_parse_tunnel = COMMAND(run_parse_tunnel, NULL,
	"csum parse-tunnel on|off <port_id>: Treat packets inside tunnels, or the tunnels alone",
	WORD(0, "csum"), WORD(1, "parse-tunnel#parse_tunnel"), WORD(2, "on#off"), NUMBER16(0));

static cmdline_parse_inst_t cmd_mac_swap = COMMAND(run_mac_swap, NULL,
	"csum mac-swap on|off <port_id>: Write new Ethernet addresses, or keep those received",
	WORD(0, "csum"), WORD(1, "mac-swap"), WORD(2, "on#off"), NUMBER16(0));

static cmdline_parse_inst_t cmd_tso_set = COMMAND(run_tso_set, NULL,
	"tso set <tso_segsz> <port_id>: Let the port cut TCP packets into segments (0: not)",
	WORD(0, "tso"), WORD(1, "set"), NUMBER16(0), NUMBER16(1));

static cmdline_parse_inst_t cmd_tso_show = COMMAND(run_tso_show, NULL,
	"tso show <port_id>: Show the size of segments",
	WORD(0, "tso"), WORD(1, "show"), NUMBER16(0));

static cmdline_parse_inst_t cmd_tunnel_tso_set = COMMAND(run_tunnel_tso_set, NULL,
	"tunnel_tso set <tso_segsz> <port_id>: The same for TCP inside tunnels (0: not)",
	WORD(0, "tunnel_tso"), WORD(1, "set"), NUMBER16(0), NUMBER16(1));

static cmdline_parse_inst_t cmd_tunnel_tso_show = COMMAND(run_tunnel_tso_show, NULL,
	"tunnel_tso show <port_id>: Show the size of segments inside tunnels",
	WORD(0, "tunnel_tso"), WORD(1, "show"), NUMBER16(0));

cmdline_parse_inst_t *const commands_csum[] = {
	&cmd_csum_set,
	&cmd_csum_show,
	&cmd_parse_tunnel,
	&cmd_mac_swap,
	&cmd_tso_set,
	&cmd_tso_show,
	&cmd_tunnel_tso_set,
	&cmd_tunnel_tso_show,
	NULL,
};
