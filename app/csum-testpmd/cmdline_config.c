/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "fwd.h"
#include "layout.h"

/* In a command's data: packets that are not taken are offered again. */
static char retry;

/* Tells whether settings can change that hold while packets are forwarded; prints it if not. */
static bool
is_stopped(void)
{
	if (fwd_is_running())
		fprintf(stderr, "Please stop forwarding first\n");
	return !fwd_is_running();
}

static void
run_set_fwd(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	fwd_set_engine(engine_find(args->word[2]), data == &retry);
	printf("Set %s packet forwarding mode%s\n", args->word[2],
	       data == &retry ? " with retry" : "");
}

static void
run_set_retry(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	fwd_set_retry(&(struct fwd_retry){ .delay_us = args->wide[0], .nb = args->wide[1] });
}

static void
set_burst(uint16_t burst)
{
	if (burst == 0) {
		fprintf(stderr, "nb pkt per burst: 0 < 1  ignored\n");
	} else if (burst > APP_MAX_BURST) {
		fprintf(stderr, "nb pkt per burst: %u > %u (maximum packet per burst)  ignored\n",
			burst, APP_MAX_BURST);
	} else {
		fwd_set_burst(burst);
		printf("Number of packets per burst set to %u\n", burst);
	}
}

/* set nbport|nbcore|burst|verbose <value> */
static void
run_set_number(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	uint16_t value = args->num[0];

	if (strcmp(args->word[1], "burst") == 0)
		set_burst(value);
	else if (strcmp(args->word[1], "verbose") == 0)
		printf("Change verbose level from %u to %u\n", fwd_set_verbose(value), value);
	else if (!is_stopped())
		return;
	else if (strcmp(args->word[1], "nbport") == 0)
		layout_set_nb_ports(value);
	else
		layout_set_nb_lcores(value);
}

/* set corelist|portlist <list> */
static void
run_set_list(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	if (!is_stopped())
		return;
	if (strcmp(args->word[1], "corelist") == 0)
		layout_set_lcores(args->word[2]);
	else
		layout_set_ports(args->word[2]);
}

static void
run_set_portmask(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	if (is_stopped())
		(void)layout_set_port_mask(args->wide[0]);
}

static void
run_set_txpkts(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	(void)traffic_set_segments(args->word[2]);
}

static void
run_set_peer(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	if (is_stopped())
		layout_set_peer(args->num[0], args->word[2]);
}

static cmdline_parse_inst_t cmd_set_fwd = COMMAND(run_set_fwd, NULL,
	"set fwd io|mac|macswap|flowgen|rxonly|txonly|csum|icmpecho: Set packet forwarding mode",
	WORD(0, "set"), WORD(1, "fwd"), WORD(2, ENGINE_WORDS));

static cmdline_parse_inst_t cmd_set_fwd_retry = COMMAND(run_set_fwd, &retry,
	"set fwd <mode> retry: The same, and offer packets again that are not taken",
	WORD(0, "set"), WORD(1, "fwd"), WORD(2, ENGINE_WORDS), WORD(3, "retry"));

static cmdline_parse_inst_t cmd_set_retry = COMMAND(run_set_retry, NULL,
	"set burst tx delay <microseconds> retry <num>: Set how often, and the wait before each",
	WORD(0, "set"), WORD(1, "burst"), WORD(2, "tx"), WORD(3, "delay"), NUMBER32(0),
	WORD(4, "retry"), NUMBER32(1));

static cmdline_parse_inst_t cmd_set_number = COMMAND(run_set_number, NULL,
	"set nbport|nbcore|burst|verbose <value>: Set how many ports or lcores forward, "
	"packets per burst, or whether packets are printed (1 those received, 2 sent, 3 both)",
	WORD(0, "set"), WORD(1, "nbport#nbcore#burst#verbose"), NUMBER16(0));

static cmdline_parse_inst_t cmd_set_list = COMMAND(run_set_list, NULL,
	"set corelist|portlist <x[,y]*>: Set which lcores or ports forward, and their order",
	WORD(0, "set"), WORD(1, "corelist#portlist"), WORD(2, NULL));

static cmdline_parse_inst_t cmd_set_portmask = COMMAND(run_set_portmask, NULL,
	"set portmask <mask>: Set which ports forward, a bit each",
	WORD(0, "set"), WORD(1, "portmask"), NUMBER32(0));

static cmdline_parse_inst_t cmd_set_txpkts = COMMAND(run_set_txpkts, NULL,
	"set txpkts <x[,y]*>: Set the bytes of each segment of packets made here",
	WORD(0, "set"), WORD(1, "txpkts"), WORD(2, NULL));

static cmdline_parse_inst_t cmd_set_peer = COMMAND(run_set_peer, NULL,
	"set eth-peer <port_id> <peer_addr>: Set the address of a port's neighbour",
	WORD(0, "set"), WORD(1, "eth-peer"), NUMBER16(0), WORD(2, NULL));

cmdline_parse_inst_t *const commands_config[] = {
	&cmd_set_fwd,
	&cmd_set_fwd_retry,
	&cmd_set_retry,
	&cmd_set_number,
	&cmd_set_list,
	&cmd_set_portmask,
	&cmd_set_txpkts,
	&cmd_set_peer,
	NULL,
};
