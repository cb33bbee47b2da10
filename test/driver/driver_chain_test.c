/* SPDX-License-Identifier: BSD-3-Clause */

/* Shapes: chains that the lower port does not take, and what is made of super-packets. */

#include <errno.h>

#include <rte_errno.h>

#include "driver_test.h"

#define TCP_CHECK (14 + 20 + 16)

/* The frame again, as a chain of pieces of @p piece bytes. */
static struct rte_mbuf *
pieces(uint16_t piece, uint64_t ol_flags)
{
	uint16_t lens[64];
	unsigned int i, nb = RTE_MIN(frame.len / piece, RTE_DIM(lens));
	struct rte_mbuf *m;

	for (i = 0; i < nb; i++)
		lens[i] = piece;
	m = frame_mbuf(&frame, app_pool, lens, nb);
	m->ol_flags |= ol_flags;
	return m;
}

static void
chains_are_linearised_for_a_port_without_multi_segs(void **state)
{
	uint16_t port = started(0, TSO_OFFLOADS);
	struct rte_mbuf *pkts[2];

	(void)state;
	rte_pktmbuf_free(tcp4(100, 0));
	pkts[0] = pieces(31, 0);
	pkts[1] = pieces(31, TCP4_CKSUM);
	assert_int_equal(rte_eth_tx_prepare(port, 0, pkts, 2), 2);
	assert_int_equal(rte_eth_tx_burst(port, 0, pkts, 2), 2);
	assert_int_equal(script.frames[0].nb_segs, 1);
	harness_assert_bytes(script.frames[0].data, frame.data, frame.len);
	assert_int_equal(script.frames[1].nb_segs, 1);
	assert_int_equal(field(1, TCP_CHECK), 0xcf98);
	assert_int_equal(xstat(port, "tx_linearised_packets"), 2);
	port_close(port);
}

static void
chains_are_shortened_to_what_the_port_takes(void **state)
{
	uint16_t port;

	(void)state;
	script.max_segs = 3;
	port = started_plain();
	rte_pktmbuf_free(tcp4(100, 0));
	assert_int_equal(send_one(port, pieces(60, 0)), 1);
	assert_int_equal(send_one(port, pieces(31, 0)), 1);
	assert_int_equal(script.frames[0].nb_segs, 3);
	assert_int_equal(script.frames[1].nb_segs, 1);
	harness_assert_bytes(script.frames[1].data, frame.data, frame.len);
	port_close(port);
}

static void
what_no_single_mbuf_holds_is_refused_without_multi_segs(void **state)
{
	uint16_t port = started(0, TSO_OFFLOADS);
	struct rte_mbuf *pkts[2];

	(void)state;
	pkts[0] = tcp4(9000, 0);
	pkts[1] = tcp4(9000, TCP4_SEG);
	pkts[1]->tso_segsz = 4000;
	assert_int_equal(rte_eth_tx_prepare(port, 0, pkts, 1), 0);
	assert_int_equal(rte_errno, ENOTSUP);
	assert_int_equal(rte_eth_tx_prepare(port, 0, pkts + 1, 1), 0);
	assert_int_equal(rte_errno, ENOTSUP);
	assert_int_equal(rte_eth_tx_burst(port, 0, pkts, 2), 2);
	assert_int_equal(script.nb_frames, 0);
	assert_int_equal(xstat(port, "tx_refused_too_big"), 2);
	port_close(port);
}

static void
segments_are_linear_within_the_mtu(void **state)
{
	uint16_t port = started(0, TSO_OFFLOADS);
	struct rte_mbuf *m = tcp4(9000, TCP4_SEG);
	unsigned int i;

	(void)state;
	m->tso_segsz = 1460;
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(script.nb_frames, 7);
	for (i = 0; i < 7; i++)
		assert_int_equal(script.frames[i].nb_segs, 1);
	assert_good(0, 7);
	port_close(port);
}

static void
udp_seg_is_uso_or_ufo(void **state)
{
	const uint64_t flags = RTE_MBUF_F_TX_UDP_SEG | RTE_MBUF_F_TX_IPV4 |
		RTE_MBUF_F_TX_IP_CKSUM;
	struct rte_mbuf *m;
	uint16_t port = started(0, TSO_OFFLOADS | RTE_ETH_TX_OFFLOAD_UDP_TSO);

	(void)state;
	m = udp4(2500, flags);
	m->tso_segsz = 1000;
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(script.nb_frames, 3);
	/* Datagrams: each has its own UDP length. */
	assert_int_equal(field(2, 14 + 20 + 4), 8 + 500);
	assert_good(0, 3);
	port_close(port);

	recreate(OVER_LOWER ",udp_seg=ufo");
	script_forget();
	port = started(0, TSO_OFFLOADS | RTE_ETH_TX_OFFLOAD_UDP_TSO);
	m = udp4(2500, flags);
	m->tso_segsz = 1000;
	assert_int_equal(send_one(port, m), 1);
	/* Fragments: the UDP header is in the first alone. */
	assert_int_equal(script.nb_frames, 3);
	assert_int_equal(field(0, 14 + 6), 0x2000);
	assert_int_equal(field(1, 14 + 6), 0x2000 | 1000 / 8);
	assert_int_equal(field(2, 14 + 6), 2000 / 8);
	port_close(port);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, script_setup, script_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(chains_are_linearised_for_a_port_without_multi_segs),
		CASE(chains_are_shortened_to_what_the_port_takes),
		CASE(what_no_single_mbuf_holds_is_refused_without_multi_segs),
		CASE(segments_are_linear_within_the_mtu),
		CASE(udp_seg_is_uso_or_ufo),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-chain", tests, NULL, NULL));
}
