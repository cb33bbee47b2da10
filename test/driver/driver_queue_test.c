/* SPDX-License-Identifier: BSD-3-Clause */

/* Single queues: started and stopped by themselves, and what they tell. */

#include <errno.h>
#include <string.h>

#include <rte_cycles.h>

#include "driver_test.h"
#include "script_ops.h"

static int
setup(void **state)
{
	memset(&script_calls, 0, sizeof(script_calls));
	return script_setup(state);
}

static void
queue_start_stop(void **state)
{
	const struct rte_eth_rxconf rx_conf = { .rx_deferred_start = 1 };
	const struct rte_eth_txconf tx_conf = { .tx_deferred_start = 1 };
	struct rte_eth_conf conf = { .txmode.offloads = TSO_OFFLOADS };
	uint16_t port = port_id(SOFT);
	struct rte_eth_rxq_info rx;
	struct rte_eth_txq_info tx;

	(void)state;
	assert_int_equal(rte_eth_dev_configure(port, 1, 1, &conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(port, 0, 64, 0, &rx_conf, app_pool), 0);
	assert_int_equal(rte_eth_tx_queue_setup(port, 0, 64, 0, &tx_conf), 0);
	assert_true(script_calls.rx_deferred);
	assert_true(script_calls.tx_deferred);
	assert_int_equal(rte_eth_dev_start(port), 0);
	assert_int_equal(rte_eth_rx_queue_info_get(port, 0, &rx), 0);
	assert_int_equal(rx.queue_state, RTE_ETH_QUEUE_STATE_STOPPED);
	assert_int_equal(rte_eth_tx_queue_info_get(port, 0, &tx), 0);
	assert_int_equal(tx.queue_state, RTE_ETH_QUEUE_STATE_STOPPED);

	assert_int_equal(rte_eth_dev_rx_queue_start(port, 0), 0);
	assert_int_equal(rte_eth_dev_tx_queue_start(port, 0), 0);
	assert_int_equal(script_calls.nb_started_rxq, 1);
	assert_int_equal(script_calls.nb_started_txq, 1);
	assert_int_equal(rte_eth_rx_queue_info_get(port, 0, &rx), 0);
	assert_int_equal(rx.queue_state, RTE_ETH_QUEUE_STATE_STARTED);
	assert_int_equal(send_one(port, tcp4(100, TCP4_CKSUM)), 1);
	assert_good(0, 1);
	assert_int_equal(rte_eth_dev_rx_queue_stop(port, 0), 0);
	assert_int_equal(rte_eth_dev_tx_queue_stop(port, 0), 0);
	assert_int_equal(script_calls.nb_started_rxq, 0);
	assert_int_equal(script_calls.nb_started_txq, 0);
}

/* What waits goes first, or is freed and counted. */
static void
backlog_of_a_queue_that_stops(void **state)
{
	uint16_t port = started_plain();
	struct rte_mbuf *m = tcp4(9500, TCP4_SEG);

	(void)state;
	m->tso_segsz = 1000;
	script.nb_accept = 1;
	script.accept[0] = 2;
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(rte_eth_dev_tx_queue_stop(port, 0), 0);
	assert_int_equal(script.nb_frames, 10);
	assert_good(0, 10);
	assert_int_equal(rte_eth_dev_tx_queue_start(port, 0), 0);

	m = tcp4(9500, TCP4_SEG);
	m->tso_segsz = 1000;
	script.stall_at = 13;
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(rte_eth_dev_tx_queue_stop(port, 0), 0);
	assert_int_equal(xstat(port, "tx_dropped_at_stop"), 7);
	assert_int_equal(harness_in_use(app_pool), 0);
	assert_int_equal(driver_in_use(), 0);
}

static void
size_and_age_of_the_backlog(void **state)
{
	uint16_t port = started_plain();
	struct rte_mbuf *m = tcp4(9500, TCP4_SEG);

	(void)state;
	m->tso_segsz = 1000;
	assert_int_equal(xstat(port, "tx_backlog_most_segments"), 0);
	script.stall_at = 3;
	assert_int_equal(send_one(port, m), 1);
	rte_delay_us_sleep(3000);
	assert_true(xstat(port, "tx_backlog_oldest_us") >= 3000);
	assert_int_equal(xstat(port, "tx_backlog_most_segments"), 7);
	atomic_store(&script.stalled, false);
	assert_true(script_wait(10));
	rte_delay_us_sleep(1000);
	assert_int_equal(xstat(port, "tx_backlogs_now"), 0);
	assert_int_equal(xstat(port, "tx_backlog_oldest_us"), 0);
	assert_int_equal(xstat(port, "tx_backlog_most_segments"), 7);
	assert_int_equal(rte_eth_xstats_reset(port), 0);
	assert_int_equal(xstat(port, "tx_backlog_most_segments"), 0);
}

static void
queue_info(void **state)
{
	const struct rte_eth_txconf tx_conf = { .tx_free_thresh = 17 };
	const struct rte_eth_rxconf rx_conf = { .rx_free_thresh = 19 };
	struct rte_eth_conf conf = { 0 };
	uint16_t port = port_id(SOFT);
	struct rte_eth_rxq_info rx;
	struct rte_eth_txq_info tx;

	(void)state;
	assert_int_equal(rte_eth_dev_configure(port, 1, 1, &conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(port, 0, 64, 0, &rx_conf, app_pool), 0);
	assert_int_equal(rte_eth_tx_queue_setup(port, 0, 128, 0, &tx_conf), 0);
	assert_int_equal(rte_eth_rx_queue_info_get(port, 0, &rx), 0);
	assert_ptr_equal(rx.mp, app_pool);
	assert_int_equal(rx.nb_desc, 64);
	assert_int_equal(rx.conf.rx_free_thresh, 19);
	assert_int_equal(rte_eth_tx_queue_info_get(port, 0, &tx), 0);
	assert_int_equal(tx.nb_desc, 128);
	assert_int_equal(tx.conf.tx_free_thresh, 17);
}

static void
burst_mode_info(void **state)
{
	uint16_t port = started_plain();
	struct rte_eth_burst_mode mode;

	(void)state;
	assert_int_equal(rte_eth_tx_burst_mode_get(port, 0, &mode), 0);
	assert_string_equal(mode.info, "Any Chain over By the Script");
	assert_int_equal(rte_eth_rx_burst_mode_get(port, 0, &mode), 0);
	assert_string_equal(mode.info, "Passed over By the Script");
}

static void
rx_descriptor_status(void **state)
{
	uint16_t port = started_plain();
	struct rte_mbuf *m;

	(void)state;
	script_feed(tcp4(100, 0));
	assert_int_equal(rte_eth_rx_descriptor_status(port, 0, 0), RTE_ETH_RX_DESC_DONE);
	assert_int_equal(rte_eth_rx_descriptor_status(port, 0, 1), RTE_ETH_RX_DESC_AVAIL);
	assert_int_equal(rte_eth_rx_burst(port, 0, &m, 1), 1);
	rte_pktmbuf_free(m);
}

/* Arrays of the application's that it may free are not kept. */
static void
queue_info_keeps_no_foreign_array(void **state)
{
	struct rte_mempool *pools[2] = { app_pool, app_pool };
	struct rte_eth_rxconf rx_conf = { .rx_mempools = pools, .rx_nmempool = 2 };
	struct rte_eth_conf conf = { 0 };
	uint16_t port = port_id(SOFT);
	struct rte_eth_rxq_info info;

	(void)state;
	script.max_rx_mempools = 2;
	assert_int_equal(rte_eth_dev_configure(port, 1, 1, &conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(port, 0, 64, 0, &rx_conf, NULL), 0);
	assert_int_equal(rte_eth_rx_queue_info_get(port, 0, &info), 0);
	assert_null(info.conf.rx_mempools);
	assert_int_equal(info.conf.rx_nmempool, 0);
}

/* It works as it would have been set up before the start. */
static void
runtime_rx_queue_setup(void **state)
{
	struct rte_eth_conf conf = { .rxmode.offloads = RTE_ETH_RX_OFFLOAD_IPV4_CKSUM };
	uint16_t port = port_id(SOFT);
	struct rte_mbuf *m;

	(void)state;
	assert_int_equal(rte_eth_dev_configure(port, 1, 1, &conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(port, 0, 64, 0, NULL, app_pool), 0);
	assert_int_equal(rte_eth_tx_queue_setup(port, 0, 64, 0, NULL), 0);
	assert_int_equal(rte_eth_dev_start(port), 0);
	assert_int_equal(rte_eth_rx_queue_setup(port, 0, 64, 0, NULL, app_pool), -EBUSY);
	script.dev_capa = RTE_ETH_DEV_CAPA_RUNTIME_RX_QUEUE_SETUP;
	assert_int_equal(rte_eth_dev_rx_queue_stop(port, 0), 0);
	assert_int_equal(rte_eth_rx_queue_setup(port, 0, 64, 0, NULL, app_pool), 0);
	assert_int_equal(rte_eth_dev_rx_queue_start(port, 0), 0);
	script_feed(tcp4(100, 0));
	assert_int_equal(rte_eth_rx_burst(port, 0, &m, 1), 1);
	assert_int_equal(m->ol_flags & RTE_MBUF_F_RX_IP_CKSUM_MASK, RTE_MBUF_F_RX_IP_CKSUM_BAD);
	rte_pktmbuf_free(m);
	port_close(port);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, script_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(queue_start_stop),
		CASE(backlog_of_a_queue_that_stops),
		CASE(size_and_age_of_the_backlog),
		CASE(queue_info),
		CASE(burst_mode_info),
		CASE(rx_descriptor_status),
		CASE(queue_info_keeps_no_foreign_array),
		CASE(runtime_rx_queue_setup),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-queue", tests, NULL, NULL));
}
