/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "fwd.h"
#include "gro.h"
#include "gso.h"

/* set port <port_id> gso|gro on|off */
static void
run_enable(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	bool gso = strcmp(args->word[2], "gso") == 0;
	bool on = strcmp(args->word[3], "on") == 0;

	if (port_get(args->num[0]) == NULL)
		return;
	if (fwd_is_running() && gso)
		fprintf(stderr, "before %s GSO, please stop forwarding first\n",
			on ? "enabling" : "disabling");
	else if (fwd_is_running())
		fprintf(stderr, "Before enable/disable GRO, please stop forwarding first\n");
	else if (gso)
		gso_enable(args->num[0], on);
	else
		gro_enable(args->num[0], on);
}

static void
run_segsz(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	if (fwd_is_running())
		fprintf(stderr, "Before setting GSO segsz, please first stop forwarding\n");
	else if (args->num[0] < gso_min_size)
		fprintf(stderr, "gso_size should be larger than %u. Please input a legal value\n",
			gso_min_size);
	else
		gso_set_size(args->num[0]);
}

static void
run_flush(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	if (fwd_is_running())
		fprintf(stderr, "Before change flush interval for GRO, please stop forwarding "
			"first.\n");
	else
		gro_set_flush(args->num[0]);
}

static void
run_show(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	if (port_get(args->num[0]) == NULL)
		return;
	if (strcmp(args->word[2], "gso") == 0)
		gso_show(args->num[0]);
	else
		gro_show(args->num[0]);
}

static cmdline_parse_inst_t cmd_enable = COMMAND(run_enable, NULL,
	"set port <port_id> gso|gro on|off: Cut what leaves by a port, or merge what it receives, "
	"in the csum engine",
	WORD(0, "set"), WORD(1, "port"), NUMBER16(0), WORD(2, "gso#gro"), WORD(3, "on#off"));

static cmdline_parse_inst_t cmd_segsz = COMMAND(run_segsz, NULL,
	"set gso segsz <length>: Set the most bytes of a frame, for all ports (1514)",
	WORD(0, "set"), WORD(1, "gso"), WORD(2, "segsz"), NUMBER16(0));

static cmdline_parse_inst_t cmd_flush = COMMAND(run_flush, NULL,
	"set gro flush <cycles>: Set over how many bursts packets are merged, for all ports (1)",
	WORD(0, "set"), WORD(1, "gro"), WORD(2, "flush"), NUMBER16(0));

static cmdline_parse_inst_t cmd_show = COMMAND(run_show, NULL,
	"show port <port_id> gso|gro: Show whether and how packets are cut, or merged",
	WORD(0, "show"), WORD(1, "port"), NUMBER16(0), WORD(2, "gso#gro"));

cmdline_parse_inst_t *const commands_gso[] = {
	&cmd_enable,
	&cmd_segsz,
	&cmd_flush,
	&cmd_show,
	NULL,
};
