/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rte_errno.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>

#include "fwd.h"
#include "input.h"
#include "layout.h"
#include "port.h"
#include "prompt.h"
#include "stats.h"
#include "stats_chosen.h"
#include "testpmd.h"

/* ECMA-48: erase the display, and move the cursor to its first line and column. */
#define CLEAR_SCREEN "\033[2J\033[1;1H"

static void
run_interactive(const struct forward_params *params)
{
	if (params->cmdline_file != NULL)
		prompt_load(params->cmdline_file);
	if (params->auto_start) {
		printf("Start automatic packet forwarding\n");
		fwd_start(0);
	}
	prompt_run();
}

static void
show_all_stats(void)
{
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = ports_list(ids);
	unsigned int i;

	if (isatty(STDOUT_FILENO))
		printf(CLEAR_SCREEN);
	printf("\nPort statistics ====================================");
	for (i = 0; i < nb; i++)
		stats_show_nic(ids[i]);
}

/* Forwards until the user presses enter; where statistics are shown, until a signal. */
static int
run_unattended(const struct forward_params *params)
{
	printf("No commandline core given, start packet forwarding\n");
	fwd_start(params->tx_first ? 1 : 0);
	if (!fwd_is_running())
		return APP_EXIT_ERROR;
	if (params->stats_period == 0) {
		printf("Press enter to exit\n");
		(void)input_wait(true, -1);
		return 0;
	}
	while (input_wait(false, params->stats_period) == INPUT_TIMEOUT)
		show_all_stats();
	return 0;
}

static int
run(const struct forward_params *params, struct rte_mempool *pool)
{
	int ret = 0;

	if (ports_init(params, pool) != 0)
		return APP_EXIT_ERROR;
	if (layout_init(params) != 0) {
		ports_fini();
		return APP_EXIT_ERROR;
	}
	stats_chosen_init(params->display_xstats);
	fwd_init(params, pool);
	if (params->interactive)
		run_interactive(params);
	else
		ret = run_unattended(params);
	if (fwd_is_running())
		fwd_stop();
	ports_fini();
	printf("\nBye...\n");
	return ret;
}

int
testpmd_run(const struct forward_params *params)
{
	struct rte_mempool *pool;
	int ret;

	/* In step with the prompt and with stderr, into a pipe too. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (input_init() != 0) {
		fprintf(stderr, "Cannot watch for signals\n");
		return APP_EXIT_ERROR;
	}
	if (params->interactive)
		printf("Interactive-mode selected\n");
	pool = rte_pktmbuf_pool_create("mb_pool_0", params->total_num_mbufs,
				       params->mbuf_cache, 0, params->mbuf_size, SOCKET_ID_ANY);
	if (pool == NULL) {
		fprintf(stderr, "Cannot make %u mbufs: %s\n", params->total_num_mbufs,
			rte_strerror(rte_errno));
		return APP_EXIT_ERROR;
	}
	ret = run(params, pool);
	rte_mempool_free(pool);
	return ret;
}
