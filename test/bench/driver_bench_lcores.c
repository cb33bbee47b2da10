/* SPDX-License-Identifier: BSD-3-Clause */

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include <rte_common.h>
#include <rte_lcore.h>
#include <rte_pause.h>

#include "driver_bench.h"

/* The second thread: takes a sample each time that `turn` goes up, and ends when it falls to 0. */
struct second {
	struct driver_bench_work work;
	cpu_set_t cpu;
	double ticks;
	atomic_uint turn, done;
};

/* The first CPU from @p from on that we may run on; CPU_SETSIZE if there is none. */
static int
next_cpu(const cpu_set_t *set, int from)
{
	while (from < CPU_SETSIZE && !CPU_ISSET(from, set))
		from++;
	return from;
}

bool
driver_bench_has_two_cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 1;
}

static void
run_on(int cpu, cpu_set_t *set)
{
	CPU_ZERO(set);
	CPU_SET(cpu, set);
}

static void *
second_main(void *arg)
{
	struct second *second = arg;
	unsigned int seen = 0, turn;

	/* A number of its own for the caches of pools. */
	if (sched_setaffinity(0, sizeof(second->cpu), &second->cpu) != 0 ||
			rte_thread_register() != 0)
		driver_bench_die("no second lcore");
	for (;;) {
		while ((turn = atomic_load(&second->turn)) == seen)
			rte_pause();
		if (turn == 0)
			break;
		seen = turn;
		second->ticks = driver_bench_sample(&second->work, true);
		atomic_store(&second->done, turn);
	}
	rte_thread_unregister();
	return NULL;
}

static void
wait_for(struct second *second, unsigned int turn)
{
	while (atomic_load(&second->done) != turn)
		rte_pause();
}

void
driver_bench_two(const struct driver_bench_work *work, unsigned int nb_rounds, double *one,
		 double *two)
{
	struct second second = { .work = *work };
	cpu_set_t before, first;
	pthread_t thread;
	unsigned int i;
	int cpu;

	second.work.queue = DRIVER_BENCH_QUEUE_2;
	if (work->kind == DRIVER_BENCH_SEGMENT)
		second.work.set = gso_bench_set_make("tcp4", work->set->packet.req.segsz,
			GSO_BENCH_HOT);
	sched_getaffinity(0, sizeof(before), &before);
	cpu = next_cpu(&before, 0);
	run_on(cpu, &first);
	run_on(next_cpu(&before, cpu + 1), &second.cpu);
	if (sched_setaffinity(0, sizeof(first), &first) != 0 ||
			pthread_create(&thread, NULL, second_main, &second) != 0)
		driver_bench_die("no second thread");
	/* The first turn is there to warm up, and for the thread to come into being. */
	for (i = 0; i <= nb_rounds; i++) {
		one[i == 0 ? 0 : i - 1] = driver_bench_sample(work, true);
		atomic_store(&second.turn, i + 1);
		two[i == 0 ? 0 : i - 1] = driver_bench_sample(work, true);
		wait_for(&second, i + 1);
		/* Both have sent the same number of packets; the slower one says when. */
		two[i == 0 ? 0 : i - 1] = RTE_MAX(two[i == 0 ? 0 : i - 1], second.ticks) / 2;
	}
	atomic_store(&second.turn, 0);
	pthread_join(thread, NULL);
	sched_setaffinity(0, sizeof(before), &before);
	if (work->kind == DRIVER_BENCH_SEGMENT)
		gso_bench_set_free(second.work.set);
}
