/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A lower port that does not take everything at once. Not one packet may be lost, doubled,
 * reordered or leaked, and what was not sent is as it was given.
 */

#include <string.h>

#include <rte_cycles.h>
#include <rte_mempool.h>

#include "pressure.h"

/* Send a super-packet of which the lower port takes so many segments, and then nothing more. */
static void
send_part(struct rte_mbuf *m, unsigned int nb)
{
	script.stall_at = nb;
	assert_int_equal(send_one(pressure_port, m), 1);
	assert_int_equal(script.nb_frames, nb);
	assert_int_equal(xstat(pressure_port, "tx_backlogs_now"), 1);
}

static void
resume(void)
{
	atomic_store(&script.stalled, false);
}

static void
r16_unsent_is_as_given(void **state)
{
	struct rte_mbuf *m = pressure_packet(0, 100, TCP4_CKSUM);
	struct pressure_given given;

	(void)state;
	pressure_remember(&given, m);
	PRESSURE_TAKE(0, 1);
	assert_int_equal(send_one(pressure_port, m), 0);
	pressure_assert_given(&given, m);
	assert_int_equal(send_one(pressure_port, m), 1);
	pressure_expect(0, 1);
	pressure_assert_wire();
}

static void
r17_super_packet_of_which_two_of_five_are_taken(void **state)
{
	struct rte_mbuf *m = pressure_super(0, 5);

	(void)state;
	atomic_store(&script.stalled, true);
	assert_int_equal(send_one(pressure_port, m), 0);
	assert_int_equal(driver_in_use(), 0);
	resume();
	/* Once one segment is out the packet is sent. */
	send_part(m, 2);
	resume();
	pressure_send(NULL, 0);
	pressure_expect(0, 5);
	pressure_assert_wire();
	assert_int_equal(driver_in_use(), 0);
}

static void
b95_each_count_of_a_burst_of_super_packets(void **state)
{
	struct rte_mbuf *pkts[4];
	unsigned int i, count;

	(void)state;
	for (count = 0; count <= 3; count++) {
		for (i = 0; i < 4; i++) {
			pkts[i] = pressure_super(i, 3);
			pressure_expect(i, 3);
		}
		PRESSURE_TAKE(3, count, 1);
		pressure_send(pkts, 4);
		pressure_assert_wire();
		script_forget();
		assert_int_equal(driver_in_use(), 0);
		assert_int_equal(harness_in_use(app_pool), 0);
	}
}

static void
copy_of_a_shared_packet_is_dropped_when_unsent(void **state)
{
	struct rte_mbuf *m = pressure_packet(0, 100, TCP4_CKSUM);
	struct pressure_given given;

	(void)state;
	rte_mbuf_refcnt_update(m, 1);
	pressure_remember(&given, m);
	PRESSURE_TAKE(0, 1);
	assert_int_equal(send_one(pressure_port, m), 0);
	assert_int_equal(rte_mbuf_refcnt_read(m), 2);
	assert_int_equal(driver_in_use(), 0);
	assert_int_equal(send_one(pressure_port, m), 1);
	given.refcnt = 1;
	pressure_assert_given(&given, m);
	rte_pktmbuf_free(m);
	pressure_expect(0, 1);
	pressure_assert_wire();
}

static void
b66_861_segments_over_many_bursts(void **state)
{
	struct rte_mbuf *m = tcp4(65400, TCP4_SEG);
	unsigned int i;

	(void)state;
	m->tso_segsz = 76;
	PRESSURE_TAKE(7, 0, 13);
	assert_true(pressure_send(&m, 1) > 1);
	assert_int_equal(script.nb_frames, 861);
	for (i = 0; i < 861; i++)
		assert_int_equal(harness_be32(script.frames[i].data + PRESSURE_SEQ_OFF),
				 1000 + i * 76);
	assert_good(0, 861);
}

static void
tail_arrives_while_the_application_is_silent(void **state)
{
	struct rte_mbuf *m = pressure_super(0, 20);

	(void)state;
	PRESSURE_TAKE(1, 0, 5);
	assert_int_equal(send_one(pressure_port, m), 1);
	pressure_expect(0, 20);
	assert_true(script_wait(20));
	/* The last frame may be there before its mbuf is given back. */
	rte_delay_us_sleep(1000);
	pressure_assert_wire();
	assert_int_equal(driver_in_use(), 0);
}

static void
tail_arrives_after_a_stall(void **state)
{
	(void)state;
	send_part(pressure_super(0, 20), 1);
	rte_delay_us_sleep(1000);
	resume();
	pressure_expect(0, 20);
	assert_true(script_wait(20));
	rte_delay_us_sleep(1000);
	pressure_assert_wire();
}

static void
backlog_goes_before_later_packets(void **state)
{
	struct rte_mbuf *pkts[2] = { pressure_super(0, 4), pressure_packet(1, 9, TCP4_CKSUM) };

	(void)state;
	PRESSURE_TAKE(2, 0, 1);
	pressure_expect(0, 4);
	pressure_expect(1, 1);
	pressure_send(pkts, 2);
	pressure_assert_wire();
}

static void
done_cleanup_drains(void **state)
{
	(void)state;
	send_part(pressure_super(0, 4), 2);
	resume();
	assert_int_equal(rte_eth_tx_done_cleanup(pressure_port, 0, 0), 0);
	pressure_expect(0, 4);
	assert_true(script_wait(4));
	rte_delay_us_sleep(1000);
	pressure_assert_wire();
}

static void
stop_sends_what_waits(void **state)
{
	struct rte_mbuf *m = pressure_super(0, 40);

	(void)state;
	PRESSURE_TAKE(1);
	assert_int_equal(send_one(pressure_port, m), 1);
	assert_int_equal(rte_eth_dev_stop(pressure_port), 0);
	pressure_expect(0, 40);
	pressure_assert_wire();
	assert_int_equal(driver_in_use(), 0);
}

static void
stop_gives_up_in_bounded_time_and_counts(void **state)
{
	struct rte_eth_stats stats;
	uint64_t begin;

	(void)state;
	send_part(pressure_super(0, 40), 3);
	begin = rte_get_timer_cycles();
	assert_int_equal(rte_eth_dev_stop(pressure_port), 0);
	assert_true(rte_get_timer_cycles() - begin < rte_get_timer_hz());
	assert_int_equal(driver_in_use(), 0);
	assert_int_equal(harness_in_use(app_pool), 0);
	assert_int_equal(xstat(pressure_port, "tx_dropped_at_stop"), 37);
	assert_int_equal(rte_eth_stats_get(pressure_port, &stats), 0);
	assert_int_equal(stats.oerrors, 37);
	assert_int_equal(stats.opackets, 3);
}

/* Take all mbufs of a pool; returns how many. */
static unsigned int
take_pool(struct rte_mempool *pool, struct rte_mbuf **mbufs)
{
	unsigned int nb = 0;

	while ((mbufs[nb] = rte_pktmbuf_alloc(pool)) != NULL)
		nb++;
	return nb;
}

static void
empty_pool_holds_back(void **state)
{
	static struct rte_mbuf *mbufs[16384];
	struct rte_mempool *pool = driver_pool(0);
	struct rte_mbuf *pkts[2] = { pressure_super(0, 30), pressure_packet(1, 100, TCP4_CKSUM) };
	struct pressure_given given;
	unsigned int nb;

	(void)state;
	assert_true(pool->size <= RTE_DIM(mbufs));

	nb = take_pool(pool, mbufs);
	pressure_remember(&given, pkts[1]);
	assert_int_equal(rte_eth_tx_burst(pressure_port, 0, pkts, 2), 0);
	pressure_assert_given(&given, pkts[1]);
	assert_int_equal(script.nb_frames, 0);
	assert_int_equal(xstat(pressure_port, "tx_held_by_pool"), 1);

	/* One mbuf is enough to go on. */
	rte_pktmbuf_free(mbufs[--nb]);
	pressure_expect(0, 30);
	pressure_expect(1, 1);
	pressure_send(pkts, 2);
	pressure_assert_wire();
	rte_pktmbuf_free_bulk(mbufs, nb);
	assert_int_equal(driver_in_use(), 0);
}

static void
pool_that_runs_empty_on_the_way(void **state)
{
	struct rte_mbuf *m = tcp4(65400, TCP4_SEG);
	unsigned int tries;

	(void)state;
	m->tso_segsz = 76;
	/* The lower port sits on what it gets, as one with a slow ring does. */
	script.keep_mbufs = true;
	assert_int_equal(send_one(pressure_port, m), 1);
	assert_true(xstat(pressure_port, "tx_held_by_pool") > 0);
	for (tries = 0; tries < 1000 && script.nb_frames < 861; tries++) {
		script_free_kept();
		rte_delay_us_sleep(1000);
	}
	assert_int_equal(script.nb_frames, 861);
	assert_good(0, 861);
}

/*
 * The lower port holds on to what it gets, and nobody calls but the alarm: each mbuf that comes
 * back is progress.
 */
static void
pool_of_64_mbufs_and_861_segments(void **state)
{
	struct rte_mbuf *m;
	unsigned int i, tries;

	(void)state;
	assert_int_equal(rte_eth_dev_stop(pressure_port), 0);
	recreate(OVER_LOWER ",pool_size=64");
	pressure_port = port_id(SOFT);
	port_start(pressure_port, TSO_OFFLOADS);
	assert_int_equal(driver_pool(0)->size, 64);
	/* What one thread frees must be there for another. */
	assert_int_equal(driver_pool(0)->cache_size, 0);
	m = tcp4(65400, TCP4_SEG);
	m->tso_segsz = 76;
	script.keep_mbufs = true;
	assert_int_equal(send_one(pressure_port, m), 1);
	assert_int_equal(script.nb_frames, 64);
	for (tries = 0; tries < 1000 && script.nb_frames < 861; tries++) {
		script_free_kept();
		rte_delay_us_sleep(200);
	}
	assert_int_equal(script.nb_frames, 861);
	for (i = 0; i < 861; i++)
		assert_int_equal(harness_be32(script.frames[i].data + PRESSURE_SEQ_OFF),
				 1000 + i * 76);
	assert_good(0, 861);
	assert_true(xstat(pressure_port, "tx_held_by_pool") >= 861 / 64);
	script_free_kept();
	rte_delay_us_sleep(1000);
	pressure_assert_pools();
}

static void
descriptors_are_full_while_a_backlog_waits(void **state)
{

	(void)state;
	script.desc_status = RTE_ETH_TX_DESC_DONE;
	assert_int_equal(rte_eth_tx_descriptor_status(pressure_port, 0, 0), RTE_ETH_TX_DESC_DONE);
	send_part(pressure_super(0, 4), 2);
	assert_int_equal(rte_eth_tx_descriptor_status(pressure_port, 0, 0), RTE_ETH_TX_DESC_FULL);
	resume();
	pressure_send(NULL, 0);
	assert_int_equal(rte_eth_tx_descriptor_status(pressure_port, 0, 0), RTE_ETH_TX_DESC_DONE);
	script.desc_status = -ENOTSUP;
	assert_int_equal(rte_eth_tx_descriptor_status(pressure_port, 0, 0), -ENOTSUP);
	pressure_expect(0, 4);
	pressure_assert_wire();
}

static void
refused_packets_are_consumed_in_order_and_counted_by_reason(void **state)
{
	struct rte_mbuf *pkts[6] = {
		pressure_packet(0, 9, TCP4_CKSUM), pressure_packet(1, 9, TCP4_CKSUM),
		pressure_packet(2, 9, TCP4_CKSUM),
		pressure_super(3, 3), pressure_super(4, 3), pressure_packet(5, 9, TCP4_CKSUM),
	};
	struct rte_eth_stats stats;

	(void)state;
	pkts[1]->l3_len = 0;
	pkts[2]->ol_flags |= RTE_MBUF_F_TX_IPV6;
	pkts[3]->tso_segsz = 0;
	/* SYN with payload. */
	*rte_pktmbuf_mtod_offset(pkts[4], uint8_t *, 14 + 20 + 13) = 0x02;

	/* Nothing behind what was not taken is consumed. */
	atomic_store(&script.stalled, true);
	assert_int_equal(rte_eth_tx_burst(pressure_port, 0, pkts, 6), 0);
	assert_int_equal(rte_eth_stats_get(pressure_port, &stats), 0);
	assert_int_equal(stats.oerrors, 0);
	resume();
	assert_int_equal(rte_eth_tx_burst(pressure_port, 0, pkts, 6), 6);
	pressure_expect(0, 1);
	pressure_expect(5, 1);
	pressure_assert_wire();
	assert_int_equal(xstat(pressure_port, "tx_refused_lengths"), 1);
	assert_int_equal(xstat(pressure_port, "tx_refused_flags"), 1);
	assert_int_equal(xstat(pressure_port, "tx_refused_segsz"), 1);
	assert_int_equal(xstat(pressure_port, "tx_refused_tcp_flags"), 1);
	assert_int_equal(rte_eth_stats_get(pressure_port, &stats), 0);
	assert_int_equal(stats.oerrors, 4);
	assert_int_equal(stats.opackets, 2);
}

static void
statistics_count_frames_on_the_wire(void **state)
{
	struct rte_mbuf *pkts[2] = { pressure_packet(0, 100, 0), pressure_super(1, 3) };
	struct rte_eth_stats stats;
	uint64_t bytes = 0;
	unsigned int i;

	(void)state;
	PRESSURE_TAKE(1, 0, 2);
	pressure_send(pkts, 2);
	for (i = 0; i < 4; i++)
		bytes += script.frames[i].len;
	assert_int_equal(rte_eth_stats_get(pressure_port, &stats), 0);
	assert_int_equal(stats.opackets, 4);
	assert_int_equal(stats.obytes, bytes);
	assert_int_equal(xstat(pressure_port, "tx_q0_packets"), 4);
	assert_int_equal(stats.oerrors, 0);
	assert_int_equal(xstat(pressure_port, "tx_passed_packets"), 1);
	assert_int_equal(xstat(pressure_port, "tx_segmented_packets"), 1);
	assert_int_equal(xstat(pressure_port, "tx_segments"), 3);
	assert_true(xstat(pressure_port, "tx_held_by_ring") > 0);
	assert_int_equal(rte_eth_stats_reset(pressure_port), 0);
	assert_int_equal(rte_eth_stats_get(pressure_port, &stats), 0);
	assert_int_equal(stats.opackets + stats.obytes, 0);
	assert_int_equal(xstat(pressure_port, "tx_segments"), 0);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, pressure_setup, pressure_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(r16_unsent_is_as_given),
		CASE(r17_super_packet_of_which_two_of_five_are_taken),
		CASE(b95_each_count_of_a_burst_of_super_packets),
		CASE(copy_of_a_shared_packet_is_dropped_when_unsent),
		CASE(b66_861_segments_over_many_bursts),
		CASE(tail_arrives_while_the_application_is_silent),
		CASE(tail_arrives_after_a_stall),
		CASE(backlog_goes_before_later_packets),
		CASE(done_cleanup_drains),
		CASE(stop_sends_what_waits),
		CASE(stop_gives_up_in_bounded_time_and_counts),
		CASE(empty_pool_holds_back),
		CASE(pool_that_runs_empty_on_the_way),
		CASE(pool_of_64_mbufs_and_861_segments),
		CASE(descriptors_are_full_while_a_backlog_waits),
		CASE(refused_packets_are_consumed_in_order_and_counted_by_reason),
		CASE(statistics_count_frames_on_the_wire),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-pressure", tests, NULL, NULL));
}
