/* SPDX-License-Identifier: BSD-3-Clause */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>

#include "port.h"
#include "stats_chosen.h"

#define MAX_CHOSEN 64

static char chosen[MAX_CHOSEN][RTE_ETH_XSTATS_NAME_SIZE];
static unsigned int nb_chosen;

/* A port's values when they were last printed. */
static struct snapshot {
	uint64_t value[MAX_CHOSEN];
	uint64_t cycles; /* 0: never */
} shown[RTE_MAX_ETHPORTS];

static bool
read_value(uint16_t id, const char *name, uint64_t *value)
{
	uint64_t xstat;

	return rte_eth_xstats_get_id_by_name(id, name, &xstat) == 0 &&
		rte_eth_xstats_get_by_id(id, &xstat, value, 1) == 1;
}

static void
warn_about_missing(uint16_t id)
{
	uint64_t value;
	unsigned int i;

	for (i = 0; i < nb_chosen; i++) {
		if (!read_value(id, chosen[i], &value))
			fprintf(stderr, "No xstat '%s' on port %u - skip it %u\n", chosen[i], id,
				i);
	}
}

void
stats_chosen_init(const char *names)
{
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = ports_list(ids);
	unsigned int i;

	while (names != NULL && nb_chosen < MAX_CHOSEN) {
		size_t len = strcspn(names, ",");

		snprintf(chosen[nb_chosen++], sizeof(chosen[0]), "%.*s", (int)len, names);
		names = names[len] == ',' ? names + len + 1 : NULL;
	}
	if (names != NULL)
		fprintf(stderr, "--display-xstats: more than %u names; '%s' is left out\n",
			MAX_CHOSEN, names);
	for (i = 0; i < nb; i++)
		warn_about_missing(ids[i]);
}

void
stats_chosen_show(uint16_t id)
{
	struct snapshot *before = &shown[id];
	uint64_t now = rte_get_tsc_cycles();
	uint64_t value, rate;
	unsigned int i;

	if (nb_chosen == 0)
		return;
	printf("\n%36s%16s (since last show)\n", "Value", "Rate");
	for (i = 0; i < nb_chosen; i++) {
		if (!read_value(id, chosen[i], &value))
			continue;
		rate = 0;
		/* Counters that were cleared meanwhile have gone back. */
		if (before->cycles != 0 && value >= before->value[i])
			rate = (double)(value - before->value[i]) * rte_get_tsc_hz() /
				(now - before->cycles);
		printf("  %-22s%15"PRIu64"%16"PRIu64"\n", chosen[i], value, rate);
		before->value[i] = value;
	}
	before->cycles = now;
}
