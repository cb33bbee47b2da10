/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <string.h>

#include "colour.h"
#include "eal_args.h"
#include "parameters.h"
#include "replay.h"
#include "testpmd.h"
#include "validate.h"

/* Finds the `--` that ends the EAL's arguments: its index, 0 when there is none. */
static int
find_separator(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") == 0)
			return i;
	}
	return 0;
}

static int
run_with_eal(const struct parameters *params)
{
	if (params->job == APP_JOB_REPLAY)
		return replay_run(&params->replay);
	return testpmd_run(&params->forward);
}

int
main(int argc, char **argv)
{
	int separator = find_separator(argc, argv);
	struct parameters params;
	char *prog = argv[0];
	int ret;

	/* The separator takes the program's name: what follows it is a command line of its own. */
	argv[separator] = prog;
	if (parameters_parse(argc - separator, argv + separator, &params) != 0) {
		fprintf(stderr, "Try %s --help\n", prog);
		return APP_EXIT_ERROR;
	}
	if (separator != 0 && params.vdevs.nb != 0) {
		fprintf(stderr, "--vdev goes before --, to the EAL\n");
		return APP_EXIT_ERROR;
	}
	if (params.job == APP_JOB_DONE)
		return 0;
	colour_init(params.color);
	if (params.job == APP_JOB_VALIDATE) {
		if (separator > 1)
			fprintf(stderr, "--validate needs no EAL: what precedes -- is unused\n");
		return validate_run(&params.validate);
	}
	if (separator != 0) {
		argv[separator] = NULL;
		ret = eal_start_verbatim(separator, argv);
	} else {
		ret = eal_start(prog, &params);
	}
	if (ret != 0)
		return APP_EXIT_ERROR;
	ret = run_with_eal(&params);
	eal_stop();
	return ret;
}
