/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Bursts whose packets all ask for the same are dealt with as one. They are in every way what they
 * would be one by one, and so are those that end with another packet, or hold one.
 */

#include <string.h>

#include "pressure.h"

#define NB 12
#define NB_MOST 70

/* How one packet of a burst is not like the others. */
enum other { OTHER_NONE, OTHER_FLAGS, OTHER_SHARED, OTHER_CHAIN, OTHER_SUPER, NB_OTHERS };

static struct rte_mbuf *
chain(unsigned int k)
{
	static uint8_t data[UINT16_MAX];
	struct rte_mbuf *m = pressure_packet(k, 300, TCP4_CKSUM), *copy;
	const uint16_t lens[] = { 101 };
	uint32_t len = harness_flatten(m, data, sizeof(data));

	copy = harness_chain(app_pool, data, len, lens, RTE_DIM(lens));
	copy->ol_flags = m->ol_flags;
	copy->tx_offload = m->tx_offload;
	rte_pktmbuf_free(m);
	return copy;
}

static struct rte_mbuf *
make(unsigned int k, enum other other)
{
	struct rte_mbuf *m;

	switch (other) {
	case OTHER_FLAGS:
		/* As a forwarder leaves it. */
		return pressure_packet(k, 100 + k, TCP4_CKSUM | RTE_MBUF_F_RX_RSS_HASH);
	case OTHER_CHAIN:
		return chain(k);
	case OTHER_SUPER:
		return pressure_super(k, 2);
	case OTHER_SHARED:
		m = pressure_packet(k, 100 + k, TCP4_CKSUM);
		rte_mbuf_refcnt_update(m, 1);
		return m;
	default:
		return pressure_packet(k, 100 + k, TCP4_CKSUM);
	}
}

/* Send a burst of which the lower port takes so many at first. */
static void
send_in_part(enum other other, unsigned int at, uint16_t nb_taken)
{
	static struct pressure_given given[NB];
	struct rte_mbuf *pkts[NB], *shared;
	unsigned int i, sent;

	for (i = 0; i < NB; i++) {
		pkts[i] = make(i, i == at ? other : OTHER_NONE);
		pressure_remember(&given[i], pkts[i]);
		pressure_expect(i, i == at && other == OTHER_SUPER ? 2 : 1);
	}
	shared = pkts[at];
	PRESSURE_TAKE(nb_taken, 0, 64);
	sent = rte_eth_tx_burst(pressure_port, 0, pkts, NB);
	assert_true(sent <= (unsigned int)nb_taken + (other == OTHER_SUPER));
	for (i = sent; i < NB; i++)
		pressure_assert_given(&given[i], pkts[i]);
	pressure_send(pkts + sent, NB - sent);
	if (other == OTHER_SHARED) {
		given[at].refcnt = 1;
		pressure_assert_given(&given[at], shared);
		rte_pktmbuf_free(shared);
	}
	pressure_assert_wire();
	script_forget();
	assert_int_equal(driver_in_use(), 0);
	assert_int_equal(harness_in_use(app_pool), 0);
}

static void
each_count_of_a_burst_with_another_packet_in_it(void **state)
{
	static const unsigned int places[] = { 0, 1, 5, NB - 1 };
	unsigned int other, i;
	uint16_t nb_taken;

	(void)state;
	for (other = OTHER_NONE; other < NB_OTHERS; other++)
		for (i = 0; i < RTE_DIM(places); i++)
			for (nb_taken = 0; nb_taken <= NB; nb_taken++)
				send_in_part((enum other)other, places[i], nb_taken);
}

static void
bursts_of_more_than_are_handled_at_a_time(void **state)
{
	static const uint16_t taken[] = { 0, 31, 32, 33, 64 };
	struct rte_mbuf *pkts[NB_MOST];
	unsigned int i, k;

	(void)state;
	for (i = 0; i < RTE_DIM(taken); i++) {
		for (k = 0; k < NB_MOST; k++) {
			pkts[k] = make(k, OTHER_NONE);
			pressure_expect(k, 1);
		}
		PRESSURE_TAKE(RTE_MIN(taken[i], 32), RTE_MAX(taken[i], 32) - 32, 0, 7);
		assert_int_equal(rte_eth_tx_burst(pressure_port, 0, pkts, NB_MOST), taken[i]);
		pressure_send(pkts + taken[i], NB_MOST - taken[i]);
		pressure_assert_wire();
		script_forget();
	}
}

static void
counters_do_not_depend_on_who_is_in_a_burst(void **state)
{
	struct rte_mbuf *pkts[] = {
		make(0, OTHER_NONE), make(1, OTHER_NONE), make(2, OTHER_FLAGS),
		pressure_packet(3, 100, 0), make(4, OTHER_CHAIN), make(5, OTHER_SHARED),
		make(6, OTHER_NONE), make(7, OTHER_NONE),
	};
	struct rte_mbuf *shared = pkts[5];
	struct rte_eth_stats stats;
	uint64_t bytes = 0;
	unsigned int i;

	(void)state;
	PRESSURE_TAKE(7, 0, 8);
	pressure_send(pkts, RTE_DIM(pkts));
	rte_pktmbuf_free(shared);
	assert_int_equal(script.nb_frames, RTE_DIM(pkts));
	for (i = 0; i < script.nb_frames; i++)
		bytes += script.frames[i].len;
	assert_int_equal(rte_eth_stats_get(pressure_port, &stats), 0);
	assert_int_equal(stats.opackets, RTE_DIM(pkts));
	assert_int_equal(stats.obytes, bytes);
	assert_int_equal(xstat(pressure_port, "tx_checksummed_packets"), 7);
	assert_int_equal(xstat(pressure_port, "tx_passed_packets"), 1);
	assert_int_equal(xstat(pressure_port, "tx_copied_packets"), 1);
	assert_int_equal(xstat(pressure_port, "tx_not_enabled_packets"), 0);
}

/* ethdev keeps the queues of a port that is configured anew. */
static void
what_is_left_to_the_lower_port_may_change(void **state)
{
	const struct rte_eth_conf conf = { .txmode.offloads = TSO_OFFLOADS };

	(void)state;
	assert_int_equal(send_one(pressure_port, make(0, OTHER_NONE)), 1);
	assert_int_equal(script.frames[0].ol_flags & RTE_MBUF_F_TX_L4_MASK, 0);
	assert_int_equal(rte_eth_dev_stop(pressure_port), 0);
	script.tx_capa |= TSO_OFFLOADS;
	assert_int_equal(rte_eth_dev_configure(pressure_port, 1, 1, &conf), 0);
	assert_int_equal(rte_eth_dev_start(pressure_port), 0);
	assert_int_equal(send_one(pressure_port, make(1, OTHER_NONE)), 1);
	assert_int_equal(script.frames[1].ol_flags & TCP4_CKSUM, TCP4_CKSUM);
	assert_int_equal(xstat(pressure_port, "tx_left_to_lower_packets"), 1);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, pressure_setup, pressure_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(each_count_of_a_burst_with_another_packet_in_it),
		CASE(bursts_of_more_than_are_handled_at_a_time),
		CASE(counters_do_not_depend_on_who_is_in_a_burst),
		CASE(what_is_left_to_the_lower_port_may_change),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-alike", tests, NULL, NULL));
}
