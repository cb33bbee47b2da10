/* SPDX-License-Identifier: BSD-3-Clause */

#include <rte_cycles.h>

#include "pace.h"

void
pace_begin(struct pace *pace, const struct pace_params *params)
{
	*pace = (struct pace){ .params = params };
}

/* Seconds from the first packet to one that follows these packets, bytes and nanoseconds. */
static double
seconds_until(const struct pace *pace, uint64_t ns)
{
	const struct pace_params *params = pace->params;

	if (params->pps != 0)
		return (double)pace->nb_packets / params->pps;
	if (params->mbps != 0)
		return (double)pace->nb_bytes * 8 / 1e6 / params->mbps;
	/* A packet older than the first one is late already. */
	if (ns < pace->first_ns)
		return 0;
	return (double)(ns - pace->first_ns) / 1e9 / (params->speed != 0 ? params->speed : 1);
}

uint64_t
pace_due(struct pace *pace, uint64_t ns, uint32_t nb_packets, uint32_t nb_bytes)
{
	uint64_t due;

	if (pace->params->topspeed)
		return 0;
	if (!pace->begun) {
		pace->begun = true;
		pace->start = rte_rdtsc();
		pace->first_ns = ns;
	}
	due = pace->start + (uint64_t)(seconds_until(pace, ns) * (double)rte_get_tsc_hz());
	pace->nb_packets += nb_packets;
	pace->nb_bytes += nb_bytes;
	return due;
}
