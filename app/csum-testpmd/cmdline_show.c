/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "config.h"
#include "fwd.h"
#include "layout.h"
#include "port.h"
#include "stats.h"

/* In a command's data: it is meant for all ports. */
static char all_ports;

/* A display or an action for one port, by the words that call for it. */
struct port_action {
	const char *verb;
	const char *noun;
	void (*run)(uint16_t id);
};

static const struct port_action actions[] = {
	{ "show", "info", config_show_port },
	{ "show", "stats", stats_show_nic },
	{ "show", "xstats", stats_show_xstats },
	{ "clear", "stats", stats_clear_nic },
	{ "clear", "xstats", stats_clear_xstats },
};

/* <verb> port <noun> <port_id>|all */
static void
run_port(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = 1;
	unsigned int a, i;

	if (data == &all_ports)
		nb = ports_list(ids);
	else if (port_get(args->num[0]) != NULL)
		ids[0] = args->num[0];
	else
		return;
	for (a = 0; a < RTE_DIM(actions); a++) {
		if (strcmp(args->word[0], actions[a].verb) != 0 ||
		    strcmp(args->word[2], actions[a].noun) != 0)
			continue;
		for (i = 0; i < nb; i++)
			actions[a].run(ids[i]);
	}
}

/* show port summary <port_id>|all */
static void
run_summary(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	if (data == &all_ports)
		config_show_summary(PORT_ALL);
	else if (port_get(args->num[0]) != NULL)
		config_show_summary(args->num[0]);
}

/* show port <port_id> rx_offload|tx_offload capabilities|configuration */
static void
run_offload(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	enum port_dir dir = strcmp(args->word[2], "rx_offload") == 0 ? PORT_RX : PORT_TX;

	if (port_get(args->num[0]) == NULL)
		return;
	if (strcmp(args->word[3], "capabilities") == 0)
		config_show_capa(args->num[0], dir);
	else
		config_show_offloads(args->num[0], dir);
}

/* show rxq|txq info <port_id> <queue_id> */
static void
run_queue(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	if (strcmp(args->word[1], "rxq") == 0)
		config_show_rxq(args->num[0], args->num[1]);
	else
		config_show_txq(args->num[0], args->num[1]);
}

static void
run_fwd_stats(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	if (strcmp(args->word[0], "show") == 0)
		stats_show_forward();
	else
		stats_clear_forward();
}

static void
run_config(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	if (strcmp(args->word[2], "rxtx") == 0)
		fwd_show_rxtx();
	else if (strcmp(args->word[2], "cores") == 0)
		layout_show_lcores();
	else if (strcmp(args->word[2], "fwd") == 0)
		fwd_show_config();
	else
		traffic_show_segments();
}

static cmdline_parse_inst_t cmd_show_port = COMMAND(run_port, NULL,
	"show port info|stats|xstats <port_id>: Show a port, or what it has counted",
	WORD(0, "show"), WORD(1, "port"), WORD(2, "info#stats#xstats"), NUMBER16(0));

static cmdline_parse_inst_t cmd_show_port_all = COMMAND(run_port, &all_ports,
	"show port info|stats|xstats all: The same for all ports",
	WORD(0, "show"), WORD(1, "port"), WORD(2, "info#stats#xstats"), WORD(3, "all"));

static cmdline_parse_inst_t cmd_clear_port = COMMAND(run_port, NULL,
	"clear port stats|xstats <port_id>: Set a port's counters to 0",
	WORD(0, "clear"), WORD(1, "port"), WORD(2, "stats#xstats"), NUMBER16(0));

static cmdline_parse_inst_t cmd_clear_port_all = COMMAND(run_port, &all_ports,
	"clear port stats|xstats all: The same for all ports",
	WORD(0, "clear"), WORD(1, "port"), WORD(2, "stats#xstats"), WORD(3, "all"));

static cmdline_parse_inst_t cmd_summary = COMMAND(run_summary, NULL,
	"show port summary <port_id>: Show a port in one line",
	WORD(0, "show"), WORD(1, "port"), WORD(2, "summary"), NUMBER16(0));

static cmdline_parse_inst_t cmd_summary_all = COMMAND(run_summary, &all_ports,
	"show port summary all: Show all ports, one a line",
	WORD(0, "show"), WORD(1, "port"), WORD(2, "summary"), WORD(3, "all"));

static cmdline_parse_inst_t cmd_offload = COMMAND(run_offload, NULL,
	"show port <port_id> rx_offload|tx_offload capabilities|configuration: "
	"Show the offloads that a port can do, or has enabled",
	WORD(0, "show"), WORD(1, "port"), NUMBER16(0), WORD(2, "rx_offload#tx_offload"),
	WORD(3, "capabilities#configuration"));

static cmdline_parse_inst_t cmd_queue = COMMAND(run_queue, NULL,
	"show rxq|txq info <port_id> <queue_id>: Show how a queue is set up",
	WORD(0, "show"), WORD(1, "rxq#txq"), WORD(2, "info"), NUMBER16(0), NUMBER16(1));

static cmdline_parse_inst_t cmd_fwd_stats = COMMAND(run_fwd_stats, NULL,
	"show|clear fwd stats all: Show what was forwarded, or begin to count anew",
	WORD(0, "show#clear"), WORD(1, "fwd"), WORD(2, "stats"), WORD(3, "all"));

static cmdline_parse_inst_t cmd_config = COMMAND(run_config, NULL,
	"show config rxtx|cores|fwd|txpkts: Show settings, who forwards what, or what is sent",
	WORD(0, "show"), WORD(1, "config"), WORD(2, "rxtx#cores#fwd#txpkts"));

cmdline_parse_inst_t *const commands_display[] = {
	&cmd_show_port,
	&cmd_show_port_all,
	&cmd_clear_port,
	&cmd_clear_port_all,
	&cmd_summary,
	&cmd_summary_all,
	&cmd_offload,
	&cmd_queue,
	&cmd_fwd_stats,
	&cmd_config,
	NULL,
};
