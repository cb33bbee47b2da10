/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _DRIVER_BENCH_H_
#define _DRIVER_BENCH_H_

/*
 * What the files of driver-bench share.
 */

#include <stdbool.h>
#include <stdint.h>

#include "gso_bench.h"

#define DRIVER_BENCH_ROUNDS_MAX 301

/* driver_bench_traffic.c: an application that makes packets, sends and receives them. */

enum driver_bench_kind {
	DRIVER_BENCH_PASS,     /* nothing to do */
	DRIVER_BENCH_CHECKSUM, /* IPv4 and TCP; directly: the application's sums alone */
	DRIVER_BENCH_SEGMENT,  /* one packet of 64 KB; directly: gso-bench's copy form */
};

/* A port of ours, and the one below it. */
struct driver_bench_ports {
	const char *lower;     /* kind of the lower port: "null" or "ring" */
	uint16_t above, below;
	bool keeps;            /* what is sent is received */
};

/* One thread's work on one queue. */
struct driver_bench_work {
	enum driver_bench_kind kind;
	const struct driver_bench_ports *ports;
	uint16_t queue;
	bool rx;               /* what is measured is receiving */
	uint32_t size;         /* payload bytes */
	struct gso_bench_set *set;
};

/*
 * Make all ports with that many queues; ends the program where that is not possible. The
 * application's mbufs lie close together, or each in a page of its own.
 */
void driver_bench_start(uint16_t nb_queues, bool by_page);

const struct driver_bench_ports *driver_bench_ports_find(const char *lower);

/* Ticks a packet, through our port or directly on the one below it. */
double driver_bench_sample(const struct driver_bench_work *work, bool ours);

void driver_bench_die(const char *what);

/* driver_bench_lcores.c: two threads at once. */

/* Queues apart from one another: virtual ports have counters of neighbours in one cache line. */
#define DRIVER_BENCH_QUEUES 8
#define DRIVER_BENCH_QUEUE_2 (DRIVER_BENCH_QUEUES - 1)

/* Whether there are two CPUs to run on. */
bool driver_bench_has_two_cpus(void);

/*
 * Measure the same through our port by one thread, and by two that take a queue each: ticks a
 * packet, in each round.
 */
void driver_bench_two(const struct driver_bench_work *work, unsigned int nb_rounds, double *one,
		      double *two);

#endif /* _DRIVER_BENCH_H_ */
