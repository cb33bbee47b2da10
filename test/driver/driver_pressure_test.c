/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A lower port that does not take everything at once. Not one packet may be lost, doubled,
 * reordered or leaked, and what was not sent is as it was given.
 */

#include <string.h>

#include <rte_cycles.h>
#include <rte_mempool.h>

#include "driver_test.h"

#define SEGSZ 1000

/* Packet k has sequence numbers from k << 20: on the wire each frame tells whose it is. */
#define SEQ_OF(k) ((uint32_t)(k) << 20)
#define SEQ_OFF   (14 + 20 + 4)
#define HDR_LEN   (14 + 20 + 20)

static uint16_t port;

/* What the wire must show. */
static uint32_t want[SCRIPT_MAX_FRAMES];
static unsigned int nb_want;

static int
pressure_setup(void **state)
{
	nb_want = 0;
	script_setup(state);
	port = port_id(SOFT);
	port_start(port, TSO_OFFLOADS);
	return 0;
}

static int
pressure_teardown(void **state)
{
	port_close(port);
	return script_teardown(state);
}

/* What the lower port takes from here on: so many a burst, again and again. */
static void
take(unsigned int nb, const uint16_t *counts)
{
	script.bursts = 0;
	script.nb_accept = nb;
	memcpy(script.accept, counts, nb * sizeof(*counts));
}

#define TAKE(...) do { \
	const uint16_t counts_[] = { __VA_ARGS__ }; \
	take(RTE_DIM(counts_), counts_); \
} while (0)

static struct rte_mbuf *
packet(unsigned int k, uint32_t n, uint64_t ol_flags)
{
	struct rte_mbuf *m = tcp4(n, ol_flags);

	harness_put_be32(rte_pktmbuf_mtod_offset(m, uint8_t *, SEQ_OFF), SEQ_OF(k));
	m->tso_segsz = SEGSZ;
	return m;
}

/* A super-packet of @p nb segments, the last one short. */
static struct rte_mbuf *
super_packet(unsigned int k, unsigned int nb)
{
	return packet(k, nb * SEGSZ - 500, TCP4_SEG);
}

static void
expect(unsigned int k, unsigned int nb_frames)
{
	unsigned int i;

	for (i = 0; i < nb_frames; i++)
		want[nb_want++] = SEQ_OF(k) + i * SEGSZ;
}

static void
assert_wire(void)
{
	unsigned int i;

	for (i = 0; i < RTE_MIN(nb_want, script.nb_frames); i++)
		if (harness_be32(script.frames[i].data + SEQ_OFF) != want[i])
			fail_msg("frame %u is %x, not %x", i,
				harness_be32(script.frames[i].data + SEQ_OFF), want[i]);
	assert_int_equal(script.nb_frames, nb_want);
	assert_good(0, nb_want);
	nb_want = 0;
}

/* Send until all are consumed; returns how many calls that took. */
static unsigned int
send_all(struct rte_mbuf **pkts, unsigned int nb)
{
	unsigned int calls = 0, sent = 0;

	while (sent < nb) {
		sent += rte_eth_tx_burst(port, 0, pkts + sent, nb - sent);
		assert_true(++calls < 10000);
	}
	/* What waits goes without a further packet; the alarm's thread may be at it too. */
	for (; xstat(port, "tx_backlogs_now") != 0; rte_delay_us_sleep(1)) {
		rte_eth_tx_burst(port, 0, NULL, 0);
		assert_true(++calls < 10000);
	}
	return calls;
}

/* Send a super-packet of which the lower port takes so many segments, and then nothing more. */
static void
send_part(struct rte_mbuf *m, unsigned int nb)
{
	script.stall_at = nb;
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(script.nb_frames, nb);
	assert_int_equal(xstat(port, "tx_backlogs_now"), 1);
}

static void
resume(void)
{
	atomic_store(&script.stalled, false);
}

/* An mbuf as given, to compare with. */
struct given {
	uint64_t ol_flags;
	uint64_t tx_offload;
	uint16_t data_off;
	uint16_t nb_segs;
	uint16_t refcnt;
	uint32_t len;
	uint8_t data[61 * 1000];
};

static void
remember(struct given *given, const struct rte_mbuf *m)
{
	*given = (struct given){
		m->ol_flags, m->tx_offload, m->data_off, m->nb_segs, rte_mbuf_refcnt_read(m),
	};
	given->len = harness_flatten(m, given->data, sizeof(given->data));
}

/* Only checksum fields that were asked for may differ: those of IPv4 and TCP. */
static void
assert_as_given(const struct given *given, const struct rte_mbuf *m)
{
	uint8_t data[sizeof(given->data)];

	assert_int_equal(m->ol_flags, given->ol_flags);
	assert_int_equal(m->tx_offload, given->tx_offload);
	assert_int_equal(m->data_off, given->data_off);
	assert_int_equal(m->nb_segs, given->nb_segs);
	assert_int_equal(rte_mbuf_refcnt_read(m), given->refcnt);
	assert_int_equal(m->pkt_len, given->len);
	assert_int_equal(harness_flatten(m, data, sizeof(data)), given->len);
	if ((m->ol_flags & (RTE_MBUF_F_TX_TCP_CKSUM | RTE_MBUF_F_TX_IP_CKSUM)) != 0) {
		harness_put_be16(data + 14 + 10, 0);
		harness_put_be16(data + 14 + 20 + 16, 0);
	}
	harness_assert_bytes(data, given->data, given->len);
}

static void
r16_unsent_is_as_given(void **state)
{
	struct rte_mbuf *m = packet(0, 100, TCP4_CKSUM);
	struct given given;

	(void)state;
	remember(&given, m);
	TAKE(0, 1);
	assert_int_equal(send_one(port, m), 0);
	assert_as_given(&given, m);
	assert_int_equal(send_one(port, m), 1);
	expect(0, 1);
	assert_wire();
}

static void
r17_super_packet_of_which_two_of_five_are_taken(void **state)
{
	struct rte_mbuf *m = super_packet(0, 5);

	(void)state;
	atomic_store(&script.stalled, true);
	assert_int_equal(send_one(port, m), 0);
	assert_int_equal(driver_in_use(), 0);
	resume();
	/* Once one segment is out the packet is sent. */
	send_part(m, 2);
	resume();
	send_all(NULL, 0);
	expect(0, 5);
	assert_wire();
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
			pkts[i] = super_packet(i, 3);
			expect(i, 3);
		}
		TAKE(3, count, 1);
		send_all(pkts, 4);
		assert_wire();
		script_forget();
		assert_int_equal(driver_in_use(), 0);
		assert_int_equal(harness_in_use(app_pool), 0);
	}
}

static void
copy_of_a_shared_packet_is_dropped_when_unsent(void **state)
{
	struct rte_mbuf *m = packet(0, 100, TCP4_CKSUM);
	struct given given;

	(void)state;
	rte_mbuf_refcnt_update(m, 1);
	remember(&given, m);
	TAKE(0, 1);
	assert_int_equal(send_one(port, m), 0);
	assert_int_equal(rte_mbuf_refcnt_read(m), 2);
	assert_int_equal(driver_in_use(), 0);
	assert_int_equal(send_one(port, m), 1);
	given.refcnt = 1;
	assert_as_given(&given, m);
	rte_pktmbuf_free(m);
	expect(0, 1);
	assert_wire();
}

/* A packet of a random kind; adds what it makes to what is expected. */
static struct rte_mbuf *
random_packet(struct harness_rng *rng, unsigned int k, struct rte_mbuf **held)
{
	unsigned int nb = 1 + harness_rand_below(rng, 60);
	struct rte_mbuf *m;

	*held = NULL;
	switch (harness_rand_below(rng, 5)) {
	case 0:
		expect(k, nb);
		return super_packet(k, nb);
	case 1:
		m = packet(k, nb, TCP4_CKSUM);
		rte_mbuf_refcnt_update(m, 1);
		*held = m;
		break;
	case 2:
		/* Refused: it has no IP header. */
		m = packet(k, nb, TCP4_CKSUM);
		m->l3_len = 0;
		return m;
	default:
		m = packet(k, nb, TCP4_CKSUM);
	}
	expect(k, 1);
	return m;
}

#define MAX_RANDOM 64

static void
random_burst(struct harness_rng *rng)
{
	static struct given given[MAX_RANDOM];
	struct rte_mbuf *pkts[MAX_RANDOM], *held[MAX_RANDOM];
	unsigned int i, nb = 1 + harness_rand_below(rng, MAX_RANDOM);
	unsigned int tries, sent = 0;

	for (i = 0; i < nb; i++) {
		pkts[i] = random_packet(rng, i, &held[i]);
		remember(&given[i], pkts[i]);
	}
	for (tries = 0; sent < nb; tries++) {
		assert_true(tries < 100000);
		sent += rte_eth_tx_burst(port, 0, pkts + sent, nb - sent);
		if (sent < nb)
			assert_as_given(&given[sent], pkts[sent]);
	}
	send_all(NULL, 0);
	assert_wire();
	script_forget();
	for (i = 0; i < nb; i++)
		rte_pktmbuf_free(held[i]);
	assert_int_equal(driver_in_use(), 0);
	assert_int_equal(harness_in_use(app_pool), 0);
}

static void
random_bursts_over_random_counts(void **state)
{
	struct harness_rng rng;
	uint16_t counts[16];
	unsigned int round, i;

	(void)state;
	harness_rng_init(&rng);
	for (round = 0; round < 40; round++) {
		for (i = 0; i < RTE_DIM(counts); i++)
			counts[i] = harness_rand_below(&rng, 3) == 0 ? 40 :
				harness_rand_below(&rng, 4);
		counts[0] = 1;
		take(RTE_DIM(counts), counts);
		random_burst(&rng);
	}
}

static void
b66_861_segments_over_many_bursts(void **state)
{
	struct rte_mbuf *m = tcp4(65400, TCP4_SEG);
	unsigned int i;

	(void)state;
	m->tso_segsz = 76;
	TAKE(7, 0, 13);
	assert_true(send_all(&m, 1) > 1);
	assert_int_equal(script.nb_frames, 861);
	for (i = 0; i < 861; i++)
		assert_int_equal(harness_be32(script.frames[i].data + SEQ_OFF), 1000 + i * 76);
	assert_good(0, 861);
}

static void
tail_arrives_while_the_application_is_silent(void **state)
{
	struct rte_mbuf *m = super_packet(0, 20);

	(void)state;
	TAKE(1, 0, 5);
	assert_int_equal(send_one(port, m), 1);
	expect(0, 20);
	assert_true(script_wait(20));
	/* The last frame may be there before its mbuf is given back. */
	rte_delay_us_sleep(1000);
	assert_wire();
	assert_int_equal(driver_in_use(), 0);
}

static void
tail_arrives_after_a_stall(void **state)
{
	(void)state;
	send_part(super_packet(0, 20), 1);
	rte_delay_us_sleep(1000);
	resume();
	expect(0, 20);
	assert_true(script_wait(20));
	rte_delay_us_sleep(1000);
	assert_wire();
}

static void
backlog_goes_before_later_packets(void **state)
{
	struct rte_mbuf *pkts[2] = { super_packet(0, 4), packet(1, 9, TCP4_CKSUM) };

	(void)state;
	TAKE(2, 0, 1);
	expect(0, 4);
	expect(1, 1);
	send_all(pkts, 2);
	assert_wire();
}

static void
done_cleanup_drains(void **state)
{
	(void)state;
	send_part(super_packet(0, 4), 2);
	resume();
	assert_int_equal(rte_eth_tx_done_cleanup(port, 0, 0), 0);
	expect(0, 4);
	assert_true(script_wait(4));
	rte_delay_us_sleep(1000);
	assert_wire();
}

static void
stop_sends_what_waits(void **state)
{
	struct rte_mbuf *m = super_packet(0, 40);

	(void)state;
	TAKE(1);
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(rte_eth_dev_stop(port), 0);
	expect(0, 40);
	assert_wire();
	assert_int_equal(driver_in_use(), 0);
}

static void
stop_gives_up_in_bounded_time_and_counts(void **state)
{
	struct rte_eth_stats stats;
	uint64_t begin;

	(void)state;
	send_part(super_packet(0, 40), 3);
	begin = rte_get_timer_cycles();
	assert_int_equal(rte_eth_dev_stop(port), 0);
	assert_true(rte_get_timer_cycles() - begin < rte_get_timer_hz());
	assert_int_equal(driver_in_use(), 0);
	assert_int_equal(harness_in_use(app_pool), 0);
	assert_int_equal(xstat(port, "tx_dropped_at_stop"), 37);
	assert_int_equal(rte_eth_stats_get(port, &stats), 0);
	assert_int_equal(stats.oerrors, 37);
	assert_int_equal(stats.opackets, 3);
}

static void
find_pool(struct rte_mempool *pool, void *arg)
{
	struct rte_mempool **found = arg;

	if (strncmp(pool->name, "soft_csum_", strlen("soft_csum_")) == 0)
		*found = pool;
}

/* The driver's own pool, of which there is one. */
static struct rte_mempool *
driver_pool(void)
{
	struct rte_mempool *pool = NULL;

	rte_mempool_walk(find_pool, &pool);
	assert_non_null(pool);
	return pool;
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
	struct rte_mempool *pool = driver_pool();
	struct rte_mbuf *pkts[2] = { super_packet(0, 30), packet(1, 100, TCP4_CKSUM) };
	struct given given;
	unsigned int nb;

	(void)state;
	assert_true(pool->size <= RTE_DIM(mbufs));

	nb = take_pool(pool, mbufs);
	remember(&given, pkts[1]);
	assert_int_equal(rte_eth_tx_burst(port, 0, pkts, 2), 0);
	assert_as_given(&given, pkts[1]);
	assert_int_equal(script.nb_frames, 0);
	assert_int_equal(xstat(port, "tx_held_by_pool"), 1);

	/* One mbuf is enough to go on. */
	rte_pktmbuf_free(mbufs[--nb]);
	expect(0, 30);
	expect(1, 1);
	send_all(pkts, 2);
	assert_wire();
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
	assert_int_equal(send_one(port, m), 1);
	assert_true(xstat(port, "tx_held_by_pool") > 0);
	for (tries = 0; tries < 1000 && script.nb_frames < 861; tries++) {
		script_free_kept();
		rte_delay_us_sleep(1000);
	}
	assert_int_equal(script.nb_frames, 861);
	assert_good(0, 861);
}

static void
refused_packets_are_consumed_in_order_and_counted_by_reason(void **state)
{
	struct rte_mbuf *pkts[6] = {
		packet(0, 9, TCP4_CKSUM), packet(1, 9, TCP4_CKSUM), packet(2, 9, TCP4_CKSUM),
		super_packet(3, 3), super_packet(4, 3), packet(5, 9, TCP4_CKSUM),
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
	assert_int_equal(rte_eth_tx_burst(port, 0, pkts, 6), 0);
	assert_int_equal(rte_eth_stats_get(port, &stats), 0);
	assert_int_equal(stats.oerrors, 0);
	resume();
	assert_int_equal(rte_eth_tx_burst(port, 0, pkts, 6), 6);
	expect(0, 1);
	expect(5, 1);
	assert_wire();
	assert_int_equal(xstat(port, "tx_refused_lengths"), 1);
	assert_int_equal(xstat(port, "tx_refused_flags"), 1);
	assert_int_equal(xstat(port, "tx_refused_segsz"), 1);
	assert_int_equal(xstat(port, "tx_refused_tcp_flags"), 1);
	assert_int_equal(rte_eth_stats_get(port, &stats), 0);
	assert_int_equal(stats.oerrors, 4);
	assert_int_equal(stats.opackets, 2);
}

static void
statistics_count_frames_on_the_wire(void **state)
{
	struct rte_mbuf *pkts[2] = { packet(0, 100, 0), super_packet(1, 3) };
	struct rte_eth_stats stats;
	uint64_t bytes = 0;
	unsigned int i;

	(void)state;
	TAKE(1, 0, 2);
	send_all(pkts, 2);
	for (i = 0; i < 4; i++)
		bytes += script.frames[i].len;
	assert_int_equal(rte_eth_stats_get(port, &stats), 0);
	assert_int_equal(stats.opackets, 4);
	assert_int_equal(stats.obytes, bytes);
	assert_int_equal(xstat(port, "tx_q0_packets"), 4);
	assert_int_equal(stats.oerrors, 0);
	assert_int_equal(xstat(port, "tx_passed_packets"), 1);
	assert_int_equal(xstat(port, "tx_segmented_packets"), 1);
	assert_int_equal(xstat(port, "tx_segments"), 3);
	assert_true(xstat(port, "tx_held_by_ring") > 0);
	assert_int_equal(rte_eth_stats_reset(port), 0);
	assert_int_equal(rte_eth_stats_get(port, &stats), 0);
	assert_int_equal(stats.opackets + stats.obytes, 0);
	assert_int_equal(xstat(port, "tx_segments"), 0);
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
		CASE(random_bursts_over_random_counts),
		CASE(b66_861_segments_over_many_bursts),
		CASE(tail_arrives_while_the_application_is_silent),
		CASE(tail_arrives_after_a_stall),
		CASE(backlog_goes_before_later_packets),
		CASE(done_cleanup_drains),
		CASE(stop_sends_what_waits),
		CASE(stop_gives_up_in_bounded_time_and_counts),
		CASE(empty_pool_holds_back),
		CASE(pool_that_runs_empty_on_the_way),
		CASE(refused_packets_are_consumed_in_order_and_counted_by_reason),
		CASE(statistics_count_frames_on_the_wire),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-pressure", tests, NULL, NULL));
}
