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

/* By what comes out, not by lengths that mean nothing, nor by a UDP header in each fragment. */
static void
segments_that_just_fit_are_not_refused(void **state)
{
	uint16_t port;
	struct rte_mbuf *m;

	(void)state;
	recreate(OVER_LOWER ",udp_seg=ufo");
	port = started(0, TSO_OFFLOADS | RTE_ETH_TX_OFFLOAD_UDP_TSO);
	m = tcp4(9000, TCP4_SEG);
	m->tso_segsz = 1460;
	m->outer_l2_len = 14;
	m->outer_l3_len = 20;
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(script.nb_frames, 7);

	frame_init(&frame);
	frame_ether(&frame);
	frame_vlan(&frame, 0x8100, 7);
	frame_i4(&frame);
	frame_udp(&frame, 1024, 4096);
	frame_payload(&frame, 3000);
	frame_finish(&frame);
	m = frame_mbuf(&frame, app_pool, NULL, 0);
	m->ol_flags |= RTE_MBUF_F_TX_UDP_SEG | RTE_MBUF_F_TX_IPV4;
	m->tso_segsz = 1480;
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(script.nb_frames, 10);
	assert_int_equal(script.frames[7].len, 14 + 4 + 1500);
	assert_int_equal(xstat(port, "tx_refused_too_big"), 0);
	port_close(port);
}

static uint16_t
attaching(uint64_t lower_capa)
{
	recreate(OVER_LOWER ",form=attach");
	return started(lower_capa, TSO_OFFLOADS | RTE_ETH_TX_OFFLOAD_VLAN_INSERT);
}

/* Headers and references: to one mbuf, or to two where the payload of a segment changes over. */
static void
segments_may_refer_to_the_payload(void **state)
{
	uint16_t port = attaching(RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
	struct rte_mbuf *m = tcp4(9000, TCP4_SEG | RTE_MBUF_F_TX_VLAN);
	unsigned int i;

	(void)state;
	m->tso_segsz = 1460;
	script.keep_mbufs = true;
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(script.nb_frames, 7);
	for (i = 0; i < 7; i++) {
		assert_in_range(script.frames[i].nb_segs, 2, 3);
		assert_int_equal(field(i, 12), 0x8100);
	}
	assert_good(0, 7);
	/* The payload lives as long as they do. */
	assert_true(harness_in_use(app_pool) > 0);
	script_free_kept();
	assert_int_equal(harness_in_use(app_pool), 0);
	port_close(port);
}

static void
segments_are_copies_where_references_cannot_be(void **state)
{
	uint16_t port;
	struct rte_mbuf *m;
	unsigned int i;

	(void)state;
	/* No chains at all, and none of five, when the packet is of five. */
	for (i = 0; i < 2; i++) {
		script_forget();
		script.max_segs = 5;
		port = attaching(i == 0 ? 0 : RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
		m = tcp4(9000, TCP4_SEG);
		assert_int_equal(m->nb_segs, 5);
		m->tso_segsz = 1460;
		assert_int_equal(send_one(port, m), 1);
		assert_int_equal(script.nb_frames, 7);
		assert_int_equal(script.frames[6].nb_segs, 1);
		assert_good(0, 7);
		port_close(port);
	}
}

/* What would be copied, whatever the reason, must fit. */
static void
prepare_refuses_copies_that_do_not_fit(void **state)
{
	uint16_t port = started(0, TSO_OFFLOADS);
	struct rte_mbuf *m;

	(void)state;
	rte_pktmbuf_free(tcp4(4000, 0));
	m = harness_chain_kind(app_pool, HARNESS_EXTERNAL, frame.data, frame.len, NULL, 0);
	frame_tx_lens(&frame, m);
	m->ol_flags |= TCP4_CKSUM;
	assert_int_equal(rte_eth_tx_prepare(port, 0, &m, 1), 1);
	rte_mbuf_refcnt_update(m, 1);
	assert_int_equal(rte_eth_tx_prepare(port, 0, &m, 1), 0);
	assert_int_equal(rte_errno, ENOTSUP);
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(script.nb_frames, 0);
	assert_int_equal(xstat(port, "tx_refused_too_big"), 1);
	rte_pktmbuf_free(m);
	port_close(port);
}

/* A copy goes by pkt_len: no byte is there for what it says too much. */
static void
chain_shorter_than_it_says_is_refused(void **state)
{
	const uint16_t lens[] = { 60, 60 };
	uint16_t port = started(0, TSO_OFFLOADS);
	struct rte_mbuf *m;

	(void)state;
	rte_pktmbuf_free(tcp4(200, 0));
	m = frame_mbuf(&frame, app_pool, lens, RTE_DIM(lens));
	m->ol_flags |= TCP4_CKSUM;
	m->pkt_len += 3;
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(script.nb_frames, 0);
	assert_int_equal(xstat(port, "tx_refused_lengths"), 1);
	port_close(port);
}

/* To be freed as what it is: an indirect mbuf gives back another one than itself. */
static void
copies_are_direct_mbufs(void **state)
{
	static const enum harness_kind kinds[] = { HARNESS_INDIRECT, HARNESS_EXTERNAL };
	uint16_t port = started_plain();
	struct rte_mbuf *m, *clone;
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(kinds); i++) {
		rte_pktmbuf_free(tcp4(100, 0));
		m = frame_mbuf_kind(&frame, app_pool, kinds[i], NULL, 0);
		m->ol_flags |= TCP4_CKSUM;
		clone = rte_pktmbuf_clone(m, app_pool);
		assert_non_null(clone);
		assert_int_equal(send_one(port, clone), 1);
		assert_int_equal(script.frames[i].ol_flags, 0);
		assert_int_equal(field(i, TCP_CHECK), 0xcf98);
		harness_assert_chain(m, frame.data, frame.len);
		rte_pktmbuf_free(m);
	}
	port_close(port);
}

/* Of what was sent, whoever holds it sees lengths, offset and chain as they were given. */
static void
b42_lengths_are_those_given(void **state)
{
	const uint16_t lens[] = { 20, 0, 33, 1 };
	uint16_t port = started_plain();
	struct rte_mbuf *m, *seg;
	struct rte_mbuf given[5];
	unsigned int i = 0;

	(void)state;
	rte_pktmbuf_free(tcp4(100, 0));
	m = frame_mbuf(&frame, app_pool, lens, RTE_DIM(lens));
	m->ol_flags = TCP4_CKSUM;
	for (seg = m; seg != NULL; seg = seg->next)
		memcpy(&given[i++], seg, sizeof(*seg));
	script.keep_mbufs = true;
	assert_int_equal(send_one(port, m), 1);
	for (seg = m, i = 0; seg != NULL; seg = seg->next, i++) {
		assert_int_equal(seg->data_off, given[i].data_off);
		assert_int_equal(seg->data_len, given[i].data_len);
		assert_int_equal(seg->pkt_len, given[i].pkt_len);
		assert_int_equal(seg->nb_segs, given[i].nb_segs);
		assert_ptr_equal(seg->next, given[i].next);
	}
	assert_int_equal(i, RTE_DIM(given));
	assert_int_equal(m->tx_offload, given[0].tx_offload);
	assert_int_equal(field(0, TCP_CHECK), 0xcf98);
	script_free_kept();
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
		CASE(segments_that_just_fit_are_not_refused),
		CASE(segments_may_refer_to_the_payload),
		CASE(segments_are_copies_where_references_cannot_be),
		CASE(prepare_refuses_copies_that_do_not_fit),
		CASE(chain_shorter_than_it_says_is_refused),
		CASE(copies_are_direct_mbufs),
		CASE(b42_lengths_are_those_given),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-chain", tests, NULL, NULL));
}
