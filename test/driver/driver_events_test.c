/* SPDX-License-Identifier: BSD-3-Clause */

/* What the lower port tells is told to the application; and it may go at any time. */

#include <errno.h>
#include <pthread.h>

#include <rte_alarm.h>
#include <rte_cycles.h>
#include <rte_lcore.h>

#include "driver_test.h"
#include "script_ops.h"

/* Events that the port under test had. */
static atomic_uint nb_events[RTE_ETH_EVENT_MAX];
static uint16_t soft;

static int
on_event(uint16_t id, enum rte_eth_event_type event, void *arg, void *ret_param)
{
	(void)ret_param;
	if (id != soft)
		return 0;
	if (arg != NULL) {
		rte_eth_dev_stop(id);
		rte_eth_dev_close(id);
	}
	atomic_fetch_add(&nb_events[event], 1);
	return 0;
}

static void
listen_to(enum rte_eth_event_type event, void *arg)
{
	atomic_store(&nb_events[event], 0);
	soft = port_id(SOFT);
	/* All ports: to be unregistered also when this one is closed. */
	assert_int_equal(rte_eth_dev_callback_register(RTE_ETH_ALL, event, on_event, arg), 0);
}

static void
listen_no_more(enum rte_eth_event_type event, void *arg)
{
	assert_int_equal(rte_eth_dev_callback_unregister(RTE_ETH_ALL, event, on_event, arg), 0);
}

static bool
wait_event(enum rte_eth_event_type event)
{
	unsigned int ms;

	for (ms = 0; ms < 2000 && atomic_load(&nb_events[event]) == 0; ms++)
		rte_delay_us_sleep(1000);
	return atomic_load(&nb_events[event]) == 1;
}

static uint16_t
started_with_events(uint16_t nb_queues)
{
	struct rte_eth_conf conf = {
		.txmode.offloads = TSO_OFFLOADS, .intr_conf = { .lsc = 1, .rmv = 1 },
	};
	uint16_t port = port_id(SOFT), q;

	assert_int_equal(rte_eth_dev_configure(port, nb_queues, nb_queues, &conf), 0);
	for (q = 0; q < nb_queues; q++) {
		assert_int_equal(rte_eth_rx_queue_setup(port, q, 64, 0, NULL, app_pool), 0);
		assert_int_equal(rte_eth_tx_queue_setup(port, q, 64, 0, NULL), 0);
	}
	assert_int_equal(rte_eth_dev_start(port), 0);
	return port;
}

static void
link_status_event(void **state)
{
	uint16_t port = started_with_events(1);
	struct rte_eth_link link;

	(void)state;
	assert_int_equal(rte_eth_link_get_nowait(port, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_UP);
	listen_to(RTE_ETH_EVENT_INTR_LSC, NULL);
	script_link_set(port_id(LOWER), false);
	script_event(port_id(LOWER), RTE_ETH_EVENT_INTR_LSC);
	assert_true(wait_event(RTE_ETH_EVENT_INTR_LSC));
	assert_int_equal(rte_eth_link_get_nowait(port, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_DOWN);
	listen_no_more(RTE_ETH_EVENT_INTR_LSC, NULL);
	port_close(port);
}

static void
queue_status_event(void **state)
{
	(void)state;
	started_plain();
	listen_to(RTE_ETH_EVENT_QUEUE_STATE, NULL);
	script_event(port_id(LOWER), RTE_ETH_EVENT_QUEUE_STATE);
	assert_true(wait_event(RTE_ETH_EVENT_QUEUE_STATE));
	listen_no_more(RTE_ETH_EVENT_QUEUE_STATE, NULL);
}

/* Two at once, below different ports, do not hear each other's. */
static void
events_of_other_ports_are_not_told(void **state)
{
	(void)state;
	assert_int_equal(port_create("net_script1", NULL), 0);
	listen_to(RTE_ETH_EVENT_INTR_RMV, NULL);
	script_event(port_id("net_script1"), RTE_ETH_EVENT_INTR_RMV);
	rte_delay_us_sleep(2000);
	assert_int_equal(nb_events[RTE_ETH_EVENT_INTR_RMV], 0);
	listen_no_more(RTE_ETH_EVENT_INTR_RMV, NULL);
	port_remove("net_script1");
}

static atomic_bool done;
static atomic_uint nb_sent[2];

/* Receives and sends as fast as it can; the packet that does not go is tried again. */
static void *
forward(void *arg)
{
	uint16_t queue = (uint16_t)(uintptr_t)arg, port = port_id(SOFT);
	struct rte_mbuf *m = NULL, *received[4];
	bool registered = rte_thread_register() == 0;

	while (!atomic_load(&done)) {
		if (m == NULL) {
			m = rte_pktmbuf_alloc(app_pool);
			if (m != NULL)
				rte_pktmbuf_append(m, 60);
		}
		rte_eth_rx_burst(port, queue, received, 4);
		if (m != NULL && rte_eth_tx_burst(port, queue, &m, 1) == 1) {
			m = NULL;
			atomic_fetch_add(&nb_sent[queue], 1);
		}
	}
	rte_pktmbuf_free(m);
	if (registered)
		rte_thread_unregister();
	return NULL;
}

/* Its port is closed, and not before the last burst has left it; its device may come again. */
static void
removal_event(void **state)
{
	uint16_t port = started_with_events(2);
	pthread_t threads[2];
	unsigned int i;

	(void)state;
	script.forget_all = true;
	script.burst_us = 20;
	atomic_store(&done, false);
	listen_to(RTE_ETH_EVENT_INTR_RMV, NULL);
	for (i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, forward, (void *)(uintptr_t)i),
			0);
	for (i = 0; i < 2; i++)
		while (atomic_load(&nb_sent[i]) < 100)
			rte_delay_us_sleep(1000);
	script_event(port_id(LOWER), RTE_ETH_EVENT_INTR_RMV);
	assert_true(wait_event(RTE_ETH_EVENT_INTR_RMV));
	assert_int_equal(rte_eth_dev_count_total(), 1);
	rte_delay_us_sleep(5000);
	atomic_store(&done, true);
	for (i = 0; i < 2; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	assert_int_equal(script.late, 0);
	assert_int_equal(script.overlaps, 0);
	assert_int_equal(rte_eth_dev_stop(port), 0);
	script.forget_all = false;

	/* Plugged in again, it is taken, and works. */
	assert_int_equal(port_create(LOWER, NULL), 0);
	port_start(port, TSO_OFFLOADS);
	assert_int_equal(send_one(port, tcp4(100, TCP4_CKSUM)), 1);
	assert_good(script.nb_frames - 1, script.nb_frames);
	listen_no_more(RTE_ETH_EVENT_INTR_RMV, NULL);
}

static void
removal_with_a_backlog(void **state)
{
	uint16_t port = started_with_events(1);
	struct rte_mbuf *m = tcp4(9500, TCP4_SEG);

	(void)state;
	m->tso_segsz = 1000;
	script.stall_at = 3;
	listen_to(RTE_ETH_EVENT_INTR_RMV, NULL);
	assert_int_equal(send_one(port, m), 1);
	script_event(port_id(LOWER), RTE_ETH_EVENT_INTR_RMV);
	assert_true(wait_event(RTE_ETH_EVENT_INTR_RMV));
	assert_int_equal(rte_eth_dev_stop(port), 0);
	assert_int_equal(xstat(port, "tx_dropped_at_stop"), 7);
	assert_int_equal(harness_in_use(app_pool), 0);
	listen_no_more(RTE_ETH_EVENT_INTR_RMV, NULL);
	assert_int_equal(port_create(LOWER, NULL), 0);
}

/* From within the event, as an application may do it. */
static void
closed_when_the_lower_port_is_removed(void **state)
{
	(void)state;
	started_with_events(1);
	listen_to(RTE_ETH_EVENT_INTR_RMV, &nb_events);
	script_event(port_id(LOWER), RTE_ETH_EVENT_INTR_RMV);
	assert_true(wait_event(RTE_ETH_EVENT_INTR_RMV));
	rte_delay_us_sleep(1000);
	assert_int_equal(rte_eth_dev_count_total(), 0);
	listen_no_more(RTE_ETH_EVENT_INTR_RMV, &nb_events);
	assert_int_equal(port_create(LOWER, NULL), 0);
}

/* Whatever the event is, the application may close the port from within. */
static void
closed_from_within_each_event(void **state)
{
	static const enum rte_eth_event_type events[] = {
		RTE_ETH_EVENT_INTR_LSC, RTE_ETH_EVENT_INTR_RESET, RTE_ETH_EVENT_QUEUE_STATE,
		RTE_ETH_EVENT_FLOW_AGED, RTE_ETH_EVENT_RX_AVAIL_THRESH,
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(events); i++) {
		started_with_events(1);
		listen_to(events[i], &nb_events);
		script_event(port_id(LOWER), events[i]);
		assert_true(wait_event(events[i]));
		listen_no_more(events[i], &nb_events);
		assert_int_equal(rte_eth_dev_count_total(), 1);
		/* Nobody listens any more for the port that is gone. */
		script_event(port_id(LOWER), events[i]);
		assert_true(wait_event(events[i]));
		recreate(OVER_LOWER);
	}
}

static int
close_soft(uint16_t id, enum rte_eth_event_type event, void *arg, void *ret_param)
{
	(void)event;
	(void)arg;
	(void)ret_param;
	if (id != soft) {
		rte_eth_dev_stop(soft);
		rte_eth_dev_close(soft);
	}
	return 0;
}

/* Within the last event of the lower port, and within that which follows from it. */
static void
closed_when_the_lower_port_is_closed(void **state)
{
	(void)state;
	soft = started_with_events(1);
	assert_int_equal(rte_eth_dev_callback_register(RTE_ETH_ALL, RTE_ETH_EVENT_DESTROY,
						       close_soft, NULL), 0);
	port_remove(LOWER);
	assert_int_equal(rte_eth_dev_callback_unregister(RTE_ETH_ALL, RTE_ETH_EVENT_DESTROY,
							 close_soft, NULL), 0);
	assert_int_equal(rte_eth_dev_count_total(), 0);
	assert_int_equal(port_create(LOWER, NULL), 0);
	recreate(OVER_LOWER);
	started_with_events(1);
	listen_to(RTE_ETH_EVENT_INTR_LSC, &nb_events);
	port_remove(LOWER);
	assert_true(wait_event(RTE_ETH_EVENT_INTR_LSC));
	listen_no_more(RTE_ETH_EVENT_INTR_LSC, &nb_events);
	assert_int_equal(rte_eth_dev_count_total(), 0);
	assert_int_equal(port_create(LOWER, NULL), 0);
}

static atomic_bool alarms_go_on;

static void
hold_alarms(void *arg)
{
	(void)arg;
	while (!atomic_load(&alarms_go_on))
		rte_delay_us_sleep(100);
}

/* Its number is the same; but by the time of the alarm the one that was removed is gone. */
static void
removal_does_not_hit_the_next_lower_port(void **state)
{
	uint16_t port = started_with_events(1), id = port_id(LOWER);

	(void)state;
	listen_to(RTE_ETH_EVENT_INTR_RMV, NULL);
	atomic_store(&alarms_go_on, false);
	assert_int_equal(rte_eal_alarm_set(1, hold_alarms, NULL), 0);
	script_event(id, RTE_ETH_EVENT_INTR_RMV);
	port_remove(LOWER);
	assert_int_equal(port_create(LOWER, NULL), 0);
	assert_int_equal(port_id(LOWER), id);
	atomic_store(&alarms_go_on, true);
	assert_true(wait_event(RTE_ETH_EVENT_INTR_RMV));
	assert_int_equal(rte_eth_dev_count_total(), 2);
	listen_no_more(RTE_ETH_EVENT_INTR_RMV, NULL);
	port_close(port);
}

static int monitor_result;

/* The application's poller is about to sleep while the lower port is being closed. */
static int
ask_monitor_addr(uint16_t id, enum rte_eth_event_type event, void *arg, void *ret_param)
{
	struct rte_power_monitor_cond cond;

	(void)event;
	(void)arg;
	(void)ret_param;
	if (id != soft)
		monitor_result = rte_eth_get_monitor_addr(soft, 0, &cond);
	return 0;
}

static void
no_monitor_address_of_a_port_that_goes(void **state)
{
	struct rte_power_monitor_cond cond;

	(void)state;
	soft = started_with_events(1);
	assert_int_equal(rte_eth_get_monitor_addr(soft, 0, &cond), 0);
	assert_int_equal(rte_eth_dev_stop(soft), 0);
	assert_int_equal(rte_eth_get_monitor_addr(soft, 0, &cond), -ENODEV);
	assert_int_equal(rte_eth_dev_start(soft), 0);
	monitor_result = 0;
	assert_int_equal(rte_eth_dev_callback_register(RTE_ETH_ALL, RTE_ETH_EVENT_DESTROY,
						       ask_monitor_addr, NULL), 0);
	port_remove(LOWER);
	assert_int_equal(monitor_result, -ENODEV);
	assert_int_equal(rte_eth_dev_callback_unregister(RTE_ETH_ALL, RTE_ETH_EVENT_DESTROY,
							 ask_monitor_addr, NULL), 0);
	assert_int_equal(port_create(LOWER, NULL), 0);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, script_setup, script_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(link_status_event),
		CASE(queue_status_event),
		CASE(events_of_other_ports_are_not_told),
		CASE(removal_event),
		CASE(removal_with_a_backlog),
		CASE(closed_when_the_lower_port_is_removed),
		CASE(closed_from_within_each_event),
		CASE(closed_when_the_lower_port_is_closed),
		CASE(removal_does_not_hit_the_next_lower_port),
		CASE(no_monitor_address_of_a_port_that_goes),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-events", tests, NULL, NULL));
}
