/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A port's life under traffic: started, stopped, configured and plugged again and again, its lower
 * port pulled away, and several threads at it. Nothing may be lost, left behind or sent astray.
 */

#include <errno.h>
#include <pthread.h>

#include <rte_cycles.h>
#include <rte_dev.h>
#include <rte_lcore.h>
#include <rte_mempool.h>
#include <rte_memzone.h>

#include "driver_test.h"

#define SEQ_OFF (14 + 20 + 4)

static struct rte_mbuf *
super_packet(uint32_t n)
{
	struct rte_mbuf *m = tcp4(n, TCP4_SEG);

	m->tso_segsz = 1000;
	return m;
}

/* Configure so many queues each way, and start. */
static void
queues_start(uint16_t port, uint16_t nb)
{
	struct rte_eth_conf conf = { .txmode.offloads = TSO_OFFLOADS };
	uint16_t q;

	assert_int_equal(rte_eth_dev_configure(port, nb, nb, &conf), 0);
	for (q = 0; q < nb; q++) {
		assert_int_equal(rte_eth_rx_queue_setup(port, q, 64, 0, NULL, app_pool), 0);
		assert_int_equal(rte_eth_tx_queue_setup(port, q, 64, 0, NULL), 0);
	}
	assert_int_equal(rte_eth_dev_start(port), 0);
}

static void
count_memzone(const struct rte_memzone *mz, void *arg)
{
	unsigned int *nb = arg;

	(void)mz;
	(*nb)++;
}

static unsigned int
nb_memzones(void)
{
	unsigned int nb = 0;

	rte_memzone_walk(count_memzone, &nb);
	return nb;
}

static void
start_needs_every_queue(void **state)
{
	struct rte_eth_conf conf = { 0 };
	uint16_t port = port_id(SOFT);

	(void)state;
	assert_int_equal(rte_eth_dev_configure(port, 2, 2, &conf), 0);
	assert_int_equal(rte_eth_dev_start(port), -EINVAL);
	assert_int_equal(rte_eth_tx_queue_setup(port, 0, 64, 0, NULL), 0);
	assert_int_equal(rte_eth_tx_queue_setup(port, 1, 64, 0, NULL), 0);
	assert_int_equal(rte_eth_rx_queue_setup(port, 1, 64, 0, NULL, app_pool), 0);
	assert_int_equal(rte_eth_dev_start(port), -EINVAL);
	assert_int_equal(rte_eth_rx_queue_setup(port, 0, 64, 0, NULL, app_pool), 0);
	assert_int_equal(rte_eth_dev_start(port), 0);
	port_close(port);
}

/* With a backlog at each stop, which stop sends. */
static void
stopped_and_started_100_times(void **state)
{
	uint16_t port = port_id(SOFT), nb, q;
	unsigned int i, zones = 0;
	struct rte_mbuf *m;

	(void)state;
	script.nb_accept = 1;
	script.accept[0] = 2;
	for (i = 0; i < 100; i++) {
		nb = 1 + i % 4;
		queues_start(port, nb);
		for (q = 0; q < nb; q++) {
			m = super_packet(9500);
			assert_int_equal(rte_eth_tx_burst(port, q, &m, 1), 1);
		}
		assert_int_equal(rte_eth_dev_stop(port), 0);
		assert_int_equal(script.nb_frames, 10 * nb);
		assert_good(0, 10 * nb);
		/* Once more without configuring in between. */
		assert_int_equal(rte_eth_dev_start(port), 0);
		assert_int_equal(rte_eth_dev_stop(port), 0);
		assert_int_equal(driver_in_use(), 0);
		assert_int_equal(harness_in_use(app_pool), 0);
		script_forget();
		if (i == 4)
			zones = nb_memzones();
		else if (i > 4)
			assert_int_equal(nb_memzones(), zones);
	}
	assert_int_equal(rte_eth_dev_close(port), 0);
}

static void
plugged_and_unplugged_50_times(void **state)
{
	unsigned int i, zones = 0;

	(void)state;
	port_remove(SOFT);
	for (i = 0; i < 50; i++) {
		assert_int_equal(rte_eal_hotplug_add("vdev", SOFT, OVER_LOWER), 0);
		port_start(port_id(SOFT), TSO_OFFLOADS);
		script.stall_at = 3;
		assert_int_equal(send_one(port_id(SOFT), super_packet(9500)), 1);
		atomic_store(&script.stalled, false);
		if (i % 2 == 0)
			port_close(port_id(SOFT));
		assert_int_equal(rte_eal_hotplug_remove("vdev", SOFT), 0);
		assert_int_equal(script.nb_frames, 10);
		assert_int_equal(driver_in_use(), 0);
		assert_int_equal(harness_in_use(app_pool), 0);
		script_forget();
		if (i == 0)
			zones = nb_memzones();
		assert_int_equal(nb_memzones(), zones);
	}
	assert_int_equal(port_create(SOFT, OVER_LOWER), 0);
}

/* Its number goes to another port, which must see nothing of what was on its way. */
static void
backlog_of_a_lower_port_that_is_gone_goes_nowhere(void **state)
{
	uint16_t port = started_plain(), number = port_id(LOWER);

	(void)state;
	script.stall_at = 3;
	assert_int_equal(send_one(port, super_packet(9500)), 1);
	port_remove(LOWER);
	assert_int_equal(port_create("net_script1", NULL), 0);
	assert_int_equal(port_id("net_script1"), number);
	port_start(number, 0);
	atomic_store(&script.stalled, false);
	rte_delay_us_sleep(2000);
	assert_int_equal(script.nb_frames, 3);
	assert_int_equal(rte_eth_tx_done_cleanup(port, 0, 0), -ENODEV);
	assert_int_equal(script.nb_frames, 3);
	assert_int_equal(rte_eth_dev_stop(port), 0);
	assert_int_equal(script.nb_frames, 3);
	assert_int_equal(xstat(port, "tx_dropped_at_stop"), 7);
	assert_int_equal(driver_in_use(), 0);
	assert_int_equal(harness_in_use(app_pool), 0);
	port_close(number);
	port_remove("net_script1");
	assert_int_equal(port_create(LOWER, NULL), 0);
	assert_int_equal(rte_eth_dev_close(port), 0);
}

/* The alarm's thread drains meanwhile: the lower queue still belongs to one thread at a time. */
static void
done_cleanup_while_the_alarm_drains(void **state)
{
	uint16_t port = started_plain();
	unsigned int i;

	(void)state;
	script.nb_accept = 1;
	script.accept[0] = 1;
	script.burst_us = 300;
	for (i = 0; i < 3; i++) {
		assert_int_equal(send_one(port, super_packet(20000)), 1);
		/* By then the alarm's thread is inside a burst. */
		for (; xstat(port, "tx_backlogs_now") != 0; rte_delay_us_sleep(150))
			assert_int_equal(rte_eth_tx_done_cleanup(port, 0, 0), 0);
		assert_int_equal(script.nb_frames, 20 * (i + 1));
	}
	rte_delay_us_sleep(1000);
	assert_int_equal(script.overlaps, 0);
	port_close(port);
}

#define NB_THREADS 2
#define NB_PACKETS 100
#define NB_SEGS    20

static struct rte_mbuf *thread_pkts[NB_THREADS][NB_PACKETS];

/* cmocka's assertions belong to the main thread: this one returns whether all went well. */
static void *
sender(void *arg)
{
	uint16_t queue = (uint16_t)(uintptr_t)arg, port = port_id(SOFT);
	struct rte_mbuf **pkts = thread_pkts[queue];
	unsigned int sent = 0, tries = 0;
	bool registered = rte_thread_register() == 0;

	while (sent < NB_PACKETS && tries++ < 10000000)
		sent += rte_eth_tx_burst(port, queue, pkts + sent, RTE_MIN(NB_PACKETS - sent, 5u));
	if (registered)
		rte_thread_unregister();
	return (void *)(uintptr_t)(registered && sent == NB_PACKETS);
}

/* The sequence number tells the thread, the packet and the segment. */
static void
prepare_packets(void)
{
	unsigned int i, j;

	for (i = 0; i < NB_THREADS; i++) {
		for (j = 0; j < NB_PACKETS; j++) {
			struct rte_mbuf *m = tcp4(NB_SEGS * 7, TCP4_SEG);

			harness_put_be32(rte_pktmbuf_mtod_offset(m, uint8_t *, SEQ_OFF),
					 i << 24 | j * NB_SEGS * 7);
			m->tso_segsz = 7;
			thread_pkts[i][j] = m;
		}
	}
}

static void
two_threads_on_two_queues(void **state)
{
	unsigned int i, next[NB_THREADS] = { 0 };
	uint16_t port = port_id(SOFT);
	pthread_t threads[NB_THREADS];
	void *well;

	(void)state;
	queues_start(port, NB_THREADS);
	prepare_packets();
	script.nb_accept = 7;
	for (i = 0; i < 7; i++)
		script.accept[i] = (uint16_t)(i * 3 % 8);
	for (i = 0; i < NB_THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, sender,
						(void *)(uintptr_t)i), 0);
	for (i = 0; i < NB_THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &well), 0);
		assert_non_null(well);
	}
	assert_true(script_wait(NB_THREADS * NB_PACKETS * NB_SEGS));
	rte_delay_us_sleep(1000);
	assert_int_equal(script.overlaps, 0);
	for (i = 0; i < script.nb_frames; i++) {
		uint32_t seq = harness_be32(script.frames[i].data + SEQ_OFF);

		assert_true(seq >> 24 < NB_THREADS);
		assert_int_equal(seq & 0xffffff, next[seq >> 24]);
		next[seq >> 24] += 7;
	}
	assert_good(0, script.nb_frames);
	port_close(port);
	assert_int_equal(harness_in_use(app_pool), 0);
}

/* Each of the two has a backlog, and one alarm's thread drains both. */
static void
stacked_ports_under_pressure(void **state)
{
	uint16_t port;

	(void)state;
	assert_int_equal(port_create("net_soft_csum1", "lower=" SOFT), 0);
	port = port_id("net_soft_csum1");
	port_start(port, TSO_OFFLOADS);
	script.nb_accept = 3;
	script.accept[0] = 1;
	script.accept[2] = 2;
	assert_int_equal(send_one(port, super_packet(60000)), 1);
	assert_true(script_wait(60));
	rte_delay_us_sleep(1000);
	assert_good(0, 60);
	assert_int_equal(driver_in_use(), 0);
	port_close(port);
	port_remove("net_soft_csum1");
}

static void
nothing_is_sent_on_a_stopped_port(void **state)
{
	uint16_t port = started_plain();
	struct rte_mbuf *m = tcp4(100, TCP4_CKSUM);

	(void)state;
	assert_int_equal(rte_eth_tx_burst(port, 0, NULL, 0), 0);
	assert_int_equal(rte_eth_dev_stop(port), 0);
	assert_int_equal(send_one(port, m), 0);
	assert_int_equal(m->ol_flags, TCP4_CKSUM);
	rte_pktmbuf_free(m);
	assert_int_equal(script.nb_frames, 0);
	assert_int_equal(rte_eth_dev_close(port), 0);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, script_setup, script_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(start_needs_every_queue),
		CASE(stopped_and_started_100_times),
		CASE(plugged_and_unplugged_50_times),
		CASE(backlog_of_a_lower_port_that_is_gone_goes_nowhere),
		CASE(done_cleanup_while_the_alarm_drains),
		CASE(two_threads_on_two_queues),
		CASE(stacked_ports_under_pressure),
		CASE(nothing_is_sent_on_a_stopped_port),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-life", tests, NULL, NULL));
}
