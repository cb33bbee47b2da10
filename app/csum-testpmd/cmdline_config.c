/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>

#include "commands.h"
#include "fwd.h"

static void
run_set_fwd(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	fwd_set_engine(engine_find(args->word[2]));
	printf("Set %s packet forwarding mode\n", args->word[2]);
}

static void
run_set_burst(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;
	uint16_t burst = args->num[0];

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

static void
run_set_verbose(void *parsed, struct cmdline *cl, void *data)
{
	const struct command_args *args = parsed;

	printf("Change verbose level from %u to %u\n", fwd_set_verbose(args->num[0]),
	       args->num[0]);
}

static cmdline_parse_inst_t cmd_set_fwd = COMMAND(run_set_fwd, NULL,
	"set fwd io|csum: Set packet forwarding mode",
	WORD(0, "set"), WORD(1, "fwd"), WORD(2, ENGINE_WORDS));

static cmdline_parse_inst_t cmd_set_burst = COMMAND(run_set_burst, NULL,
	"set burst <num>: Set number of packets per burst",
	WORD(0, "set"), WORD(1, "burst"), NUMBER16(0));

static cmdline_parse_inst_t cmd_set_verbose = COMMAND(run_set_verbose, NULL,
	"set verbose <level>: Print packets in the csum engine (above 0), or not",
	WORD(0, "set"), WORD(1, "verbose"), NUMBER16(0));

cmdline_parse_inst_t *const commands_config[] = {
	&cmd_set_fwd,
	&cmd_set_burst,
	&cmd_set_verbose,
	NULL,
};
