/* SPDX-License-Identifier: BSD-3-Clause */

#include <rte_common.h>
#include <rte_cycles.h>

#include "pace.h"

void
pace_begin(struct pace *pace, const struct pace_params *params)
{
	*pace = (struct pace){ .params = params };
}

/* A step of time stamps that is longer is no pause, but a clock that was set, or no clock. */
#define STEP_NS (3600 * UINT64_C(1000000000))

/* Behind this many ticks of the time stamp counter nobody waits any more, and nothing wraps. */
#define TICKS_MAX 1e18

/* A packet older than one before it is late, so that it takes no time. */
static void
take_time(struct pace *pace, uint64_t ns)
{
	bool later = ns > pace->latest_ns;
	uint64_t step = later ? ns - pace->latest_ns : pace->latest_ns - ns;

	if (step > STEP_NS) {
		pace->nb_steps++;
		pace->latest_ns = ns;
	} else if (later) {
		pace->elapsed_ns += step;
		pace->latest_ns = ns;
	}
}

/* Seconds from the first packet to one that follows these packets, bytes and nanoseconds. */
static double
seconds_until(struct pace *pace, uint64_t ns)
{
	const struct pace_params *params = pace->params;

	if (params->pps != 0)
		return (double)pace->nb_packets / params->pps;
	if (params->mbps != 0)
		return (double)pace->nb_bytes * 8 / 1e6 / params->mbps;
	take_time(pace, ns);
	return (double)pace->elapsed_ns / 1e9 / (params->speed != 0 ? params->speed : 1);
}

uint64_t
pace_due(struct pace *pace, uint64_t ns, uint32_t nb_packets, uint32_t nb_bytes)
{
	double ticks;

	if (pace->params->topspeed)
		return 0;
	if (!pace->begun) {
		pace->begun = true;
		pace->start = rte_rdtsc();
		pace->latest_ns = ns;
	}
	ticks = seconds_until(pace, ns) * (double)rte_get_tsc_hz();
	pace->nb_packets += nb_packets;
	pace->nb_bytes += nb_bytes;
	return pace->start + (uint64_t)RTE_MIN(ticks, TICKS_MAX);
}
