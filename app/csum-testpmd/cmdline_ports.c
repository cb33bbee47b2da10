/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "fwd.h"
#include "port.h"

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

/* port start|stop|close <port_id>|all */
static void
run_port(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	uint16_t id = data == &all_ports ? PORT_ALL : args->num[0];

	if (strcmp(args->word[1], "start") == 0)
		(void)port_start(id);
	else if (strcmp(args->word[1], "stop") == 0)
		stop(id);
	else
		port_close(id);
}

static cmdline_parse_inst_t cmd_port = COMMAND(run_port, NULL,
	"port start|stop|close <port_id>: Start, stop or close a port",
	WORD(0, "port"), WORD(1, "start#stop#close"), NUMBER16(0));

static cmdline_parse_inst_t cmd_port_all = COMMAND(run_port, &all_ports,
	"port start|stop|close all: Start, stop or close all ports",
	WORD(0, "port"), WORD(1, "start#stop#close"), WORD(2, "all"));

cmdline_parse_inst_t *const commands_ports[] = {
	&cmd_port,
	&cmd_port_all,
	NULL,
};
