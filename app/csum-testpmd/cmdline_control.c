/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "fwd.h"
#include "prompt.h"

/* In a command's data: it comes with a number. */
static char many;

static const struct {
	const char *name;
	const char *what;
	cmdline_parse_inst_t *const *commands;
} sections[] = {
	{ "control", "Start and stop forwarding.", commands_control },
	{ "display", "Displaying port, stats and config information.", commands_display },
	{ "config", "Configuring forwarding.", commands_config },
	{ "csum", "Checksums and segmentation.", commands_csum },
	{ "gso", "Segmentation and reassembly in software.", commands_gso },
	{ "ports", "Configuring ports.", commands_ports },
};

static void
run_help(void *parsed, struct cmdline *cl, void *data)
{
	unsigned int i;

	cmdline_printf(cl, "\nHelp is available for the following sections:\n\n");
	for (i = 0; i < RTE_DIM(sections); i++)
		cmdline_printf(cl, "    help %-26s : %s\n", sections[i].name, sections[i].what);
	cmdline_printf(cl, "    help all                        : All of the above sections.\n\n");
}

static void
run_help_section(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	unsigned int i, c;

	for (i = 0; i < RTE_DIM(sections); i++) {
		if (strcmp(args->word[1], "all") != 0 &&
		    strcmp(args->word[1], sections[i].name) != 0)
			continue;
		cmdline_printf(cl, "\n%s\n\n", sections[i].what);
		for (c = 0; sections[i].commands[c] != NULL; c++)
			cmdline_printf(cl, "  %s\n", sections[i].commands[c]->help_str);
	}
	cmdline_printf(cl, "\n");
}

static void
run_quit(void *parsed, struct cmdline *cl, void *data)
{
	cmdline_quit(cl);
}

static void
run_start(void *parsed, struct cmdline *cl, void *data)
{
	fwd_start(0);
}

static void
run_start_tx_first(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	fwd_start(data == NULL ? 1 : args->wide[0]);
}

static void
run_stop(void *parsed, struct cmdline *cl, void *data)
{
	fwd_stop();
}

static void
run_load(void *parsed, struct cmdline *cl, void *data)
{
	struct command_args *args = parsed;

	prompt_load(command_text(args));
}

static cmdline_parse_inst_t cmd_help = COMMAND(run_help, NULL,
	"help: Show the sections of the help",
	WORD(0, "help"));

static cmdline_parse_inst_t cmd_help_section = COMMAND(run_help_section, NULL,
	"help all|control|display|config|csum|gso|ports: Show the commands of a section",
	WORD(0, "help"), WORD(1, "all#control#display#config#csum#gso#ports"));

static cmdline_parse_inst_t cmd_start = COMMAND(run_start, NULL,
	"start: Start packet forwarding",
	WORD(0, "start"));

static cmdline_parse_inst_t cmd_start_tx_first = COMMAND(run_start_tx_first, NULL,
	"start tx_first: Start packet forwarding, after a burst of packets from each stream",
	WORD(0, "start"), WORD(1, "tx_first"));

static cmdline_parse_inst_t cmd_start_tx_first_n = COMMAND(run_start_tx_first, &many,
	"start tx_first <num>: The same after so many bursts",
	WORD(0, "start"), WORD(1, "tx_first"), NUMBER32(0));

static cmdline_parse_inst_t cmd_stop = COMMAND(run_stop, NULL,
	"stop: Stop packet forwarding, and show what was forwarded",
	WORD(0, "stop"));

static cmdline_parse_inst_t cmd_load = COMMAND(run_load, NULL,
	"load <filename>: Run the commands in a file",
	WORD(0, "load"), TEXT);

static cmdline_parse_inst_t cmd_quit = COMMAND(run_quit, NULL,
	"quit: Exit the program",
	WORD(0, "quit"));

cmdline_parse_inst_t *const commands_control[] = {
	&cmd_help,
	&cmd_help_section,
	&cmd_start,
	&cmd_start_tx_first,
	&cmd_start_tx_first_n,
	&cmd_stop,
	&cmd_load,
	&cmd_quit,
	NULL,
};
