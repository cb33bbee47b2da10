/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Traffic on two queues while the port is reconfigured at random: stopped and started, with other
 * queue counts and MTUs, closed and made anew, its lower port removed and plugged in again.
 * Two seconds; SOAK_SECONDS in the environment makes it longer.
 */

#include <pthread.h>
#include <stdlib.h>

#include <rte_cycles.h>
#include <rte_lcore.h>

#include "driver_test.h"
#include "script_ops.h"

#define NB_THREADS 2
#define STEP_US 500

/* Held by a thread while it is in a burst, and by whoever does what ethdev forbids at that time. */
static pthread_mutex_t at_queue[NB_THREADS] = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
};
static uint16_t nb_queues;      /* 0: the port is not started */
static uint16_t port;
static atomic_bool done;
static atomic_uint nb_sent;
static atomic_bool removed;

static void
hands_off(void)
{
	unsigned int i;

	for (i = 0; i < NB_THREADS; i++)
		pthread_mutex_lock(&at_queue[i]);
}

static void
hands_on(void)
{
	unsigned int i;

	for (i = 0; i < NB_THREADS; i++)
		pthread_mutex_unlock(&at_queue[i]);
}

/* A packet like the template; every other one is to be cut. */
static struct rte_mbuf *
packet(const struct rte_mbuf *template, unsigned int i)
{
	struct rte_mbuf *m = rte_pktmbuf_copy(template, app_pool, 0, UINT32_MAX);

	if (m != NULL && i % 2 == 0) {
		m->ol_flags = TCP4_SEG;
		m->tso_segsz = 100;
	}
	return m;
}

static void *
sender(void *arg)
{
	struct rte_mbuf **template = arg, *m = NULL, *received[4];
	uint16_t queue = template[1] != NULL ? 0 : 1, nb;
	bool registered = rte_thread_register() == 0;
	unsigned int i = 0;

	while (!atomic_load(&done)) {
		pthread_mutex_lock(&at_queue[queue]);
		if (queue < nb_queues) {
			nb = rte_eth_rx_burst(port, queue, received, 4);
			rte_pktmbuf_free_bulk(received, nb);
			if (m == NULL)
				m = packet(*template, i++);
			if (m != NULL && rte_eth_tx_burst(port, queue, &m, 1) == 1) {
				atomic_fetch_add(&nb_sent, 1);
				m = NULL;
			}
		}
		pthread_mutex_unlock(&at_queue[queue]);
		sched_yield();
	}
	rte_pktmbuf_free(m);
	if (registered)
		rte_thread_unregister();
	return NULL;
}

static int
on_removal(uint16_t id, enum rte_eth_event_type event, void *arg, void *ret_param)
{
	(void)event;
	(void)arg;
	(void)ret_param;
	if (id == port)
		atomic_store(&removed, true);
	return 0;
}

static void
start(struct harness_rng *rng)
{
	struct rte_eth_conf conf = { .txmode.offloads = TSO_OFFLOADS };
	uint16_t nb = (uint16_t)(1 + harness_rand_below(rng, NB_THREADS)), q;

	assert_int_equal(rte_eth_dev_configure(port, nb, nb, &conf), 0);
	if (harness_rand_below(rng, 2) == 0)
		assert_int_equal(rte_eth_dev_set_mtu(port,
			(uint16_t)(1000 + harness_rand_below(rng, 8000))), 0);
	for (q = 0; q < nb; q++) {
		assert_int_equal(rte_eth_rx_queue_setup(port, q, 64, 0, NULL, app_pool), 0);
		assert_int_equal(rte_eth_tx_queue_setup(port, q, 64, 0, NULL), 0);
	}
	assert_int_equal(rte_eth_dev_start(port), 0);
	nb_queues = nb;
}

static void
stop(void)
{
	assert_int_equal(rte_eth_dev_stop(port), 0);
	nb_queues = 0;
}

/* While both threads send. */
static void
remove_lower(void)
{
	unsigned int ms;

	atomic_store(&removed, false);
	script_event(port_id(LOWER), RTE_ETH_EVENT_INTR_RMV);
	for (ms = 0; ms < 5000 && !atomic_load(&removed); ms++)
		rte_delay_us_sleep(1000);
	assert_true(atomic_load(&removed));
	assert_int_equal(script.late, 0);
	hands_off();
	stop();
	assert_int_equal(port_create(LOWER, NULL), 0);
}

static void
step(struct harness_rng *rng)
{
	switch (harness_rand_below(rng, 4)) {
	case 0:
		remove_lower();
		break;
	case 1:
		hands_off();
		stop();
		assert_int_equal(rte_eth_dev_close(port), 0);
		port_remove(SOFT);
		assert_int_equal(port_create(SOFT, OVER_LOWER), 0);
		port = port_id(SOFT);
		break;
	default:
		hands_off();
		stop();
		break;
	}
	start(rng);
	hands_on();
	rte_delay_us_sleep(harness_rand_below(rng, STEP_US));
}

static void
soak(void **state)
{
	const char *seconds = getenv("SOAK_SECONDS");
	uint64_t end = rte_get_timer_cycles() +
		rte_get_timer_hz() * (seconds != NULL ? strtoul(seconds, NULL, 10) : 2);
	struct rte_mbuf *template = tcp4(1400, TCP4_CKSUM);
	struct rte_mbuf *args[NB_THREADS][2] = { { template, template }, { template, NULL } };
	pthread_t threads[NB_THREADS];
	struct harness_rng rng;
	unsigned int i;

	(void)state;
	harness_rng_init(&rng);
	script.forget_all = true;
	script.nb_accept = 3;
	script.accept[0] = 5;
	script.accept[1] = 0;
	script.accept[2] = 32;
	port = port_id(SOFT);
	assert_int_equal(rte_eth_dev_callback_register(RTE_ETH_ALL, RTE_ETH_EVENT_INTR_RMV,
						       on_removal, NULL), 0);
	start(&rng);
	for (i = 0; i < NB_THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, sender, args[i]), 0);
	while (rte_get_timer_cycles() < end)
		step(&rng);
	atomic_store(&done, true);
	for (i = 0; i < NB_THREADS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	assert_true(atomic_load(&nb_sent) > 0);
	assert_int_equal(script.overlaps, 0);
	assert_int_equal(script.late, 0);
	stop();
	rte_pktmbuf_free(template);
	assert_int_equal(harness_in_use(app_pool), 0);
	assert_int_equal(rte_eth_dev_callback_unregister(RTE_ETH_ALL, RTE_ETH_EVENT_INTR_RMV,
							 on_removal, NULL), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(soak, script_setup, script_teardown),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-soak", tests, NULL, NULL));
}
