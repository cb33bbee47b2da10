/* SPDX-License-Identifier: BSD-3-Clause */

/* VLAN and QinQ tags, inserted here where the lower port cannot. */

#include <errno.h>
#include <string.h>

#include <rte_errno.h>

#include "driver_test.h"

#define TCI       0x2064
#define TCI_OUTER 0x4065

#define TAGS_OFF 12

#define OFFLOADS (TSO_OFFLOADS | RTE_ETH_TX_OFFLOAD_VLAN_INSERT | RTE_ETH_TX_OFFLOAD_QINQ_INSERT)

#define VLAN RTE_MBUF_F_TX_VLAN
#define QINQ RTE_MBUF_F_TX_QINQ

static struct rte_mbuf *
tagged(struct rte_mbuf *m, uint64_t tags)
{
	m->ol_flags |= tags;
	m->vlan_tci = TCI;
	m->vlan_tci_outer = TCI_OUTER;
	m->tso_segsz = 1000;
	return m;
}

/* A frame on the wire begins with the frame's addresses, these tags, and the frame's type. */
static void
assert_tags(unsigned int nth, uint64_t tags)
{
	const uint8_t *p = script.frames[nth].data;
	uint32_t off = TAGS_OFF;

	assert_true(nth < script.nb_frames);
	harness_assert_bytes(p, frame.data, TAGS_OFF);
	if (tags & QINQ) {
		assert_int_equal(harness_be16(p + off), 0x88a8);
		assert_int_equal(harness_be16(p + off + 2), TCI_OUTER);
		off += 4;
	}
	if (tags & (QINQ | VLAN)) {
		assert_int_equal(harness_be16(p + off), 0x8100);
		assert_int_equal(harness_be16(p + off + 2), TCI);
		off += 4;
	}
	harness_assert_bytes(p + off, frame.data + TAGS_OFF, 2);
	assert_int_equal(script.frames[nth].ol_flags & (VLAN | QINQ), 0);
}

/* What follows the tags is the frame, from behind the checksums. */
static void
assert_rest(unsigned int nth, uint32_t nb_tags)
{
	const uint32_t hdr_len = 14 + 20 + 20;

	assert_int_equal(script.frames[nth].len, frame.len + 4 * nb_tags);
	harness_assert_bytes(script.frames[nth].data + hdr_len + 4 * nb_tags,
			     frame.data + hdr_len, frame.len - hdr_len);
}

static void
each_kind_of_packet_is_tagged(void **state)
{
	static const uint64_t tags[] = { VLAN, QINQ, VLAN | QINQ };
	uint16_t port = started(RTE_ETH_TX_OFFLOAD_MULTI_SEGS, OFFLOADS);
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(tags); i++) {
		unsigned int j, nb_tags = tags[i] == VLAN ? 1 : 2;

		script_forget();
		assert_int_equal(send_one(port, tagged(tcp4(2500, TCP4_SEG), tags[i])), 1);
		assert_int_equal(script.nb_frames, 3);
		for (j = 0; j < 3; j++)
			assert_tags(j, tags[i]);
		assert_int_equal(send_one(port, tagged(tcp4(100, TCP4_CKSUM), tags[i])), 1);
		assert_tags(3, tags[i]);
		assert_rest(3, nb_tags);
		assert_good(0, 4);
		assert_int_equal(send_one(port, tagged(tcp4(100, 0), tags[i])), 1);
		assert_tags(4, tags[i]);
		assert_rest(4, nb_tags);
	}
	assert_int_equal(xstat(port, "tx_tagged_packets"), 9);
	assert_int_equal(xstat(port, "tx_segmented_packets"), 3);
	assert_int_equal(xstat(port, "tx_checksummed_packets"), 3);
	assert_int_equal(xstat(port, "tx_passed_packets"), 0);
	assert_int_equal(xstat(port, "tx_copied_packets"), 0);
	assert_int_equal(xstat(port, "tx_not_enabled_packets"), 0);
	port_close(port);
}

static void
tags_are_left_to_a_port_that_inserts_them(void **state)
{
	uint16_t port = started(RTE_ETH_TX_OFFLOAD_MULTI_SEGS | RTE_ETH_TX_OFFLOAD_VLAN_INSERT |
		RTE_ETH_TX_OFFLOAD_QINQ_INSERT, OFFLOADS);
	unsigned int i;

	(void)state;
	assert_int_equal(send_one(port, tagged(tcp4(100, 0), VLAN | QINQ)), 1);
	assert_int_equal(send_one(port, tagged(tcp4(100, TCP4_CKSUM), VLAN | QINQ)), 1);
	assert_int_equal(send_one(port, tagged(tcp4(500, TCP4_SEG), VLAN | QINQ)), 1);
	assert_int_equal(script.nb_frames, 3);
	for (i = 0; i < 3; i++) {
		assert_int_equal(script.frames[i].ol_flags & (VLAN | QINQ), VLAN | QINQ);
		assert_int_equal(script.frames[i].vlan_tci, TCI);
		assert_int_equal(script.frames[i].vlan_tci_outer, TCI_OUTER);
		harness_assert_bytes(script.frames[i].data, frame.data, 14);
	}
	assert_int_equal(xstat(port, "tx_tagged_packets"), 0);
	assert_int_equal(xstat(port, "tx_passed_packets"), 1);
	port_close(port);
}

/* Both tags of QinQ come from one place. */
static void
port_that_inserts_one_kind(void **state)
{
	uint16_t port = started(RTE_ETH_TX_OFFLOAD_MULTI_SEGS | RTE_ETH_TX_OFFLOAD_VLAN_INSERT,
		OFFLOADS);

	(void)state;
	assert_int_equal(send_one(port, tagged(tcp4(100, TCP4_CKSUM), VLAN | QINQ)), 1);
	assert_tags(0, QINQ);
	assert_int_equal(send_one(port, tagged(tcp4(100, TCP4_CKSUM), VLAN)), 1);
	assert_int_equal(script.frames[1].ol_flags, VLAN);
	port_close(port);

	recreate(OVER_LOWER ",force=vlan_insert");
	port = started(RTE_ETH_TX_OFFLOAD_MULTI_SEGS | RTE_ETH_TX_OFFLOAD_VLAN_INSERT |
		RTE_ETH_TX_OFFLOAD_QINQ_INSERT, OFFLOADS);
	assert_int_equal(script.tx_enabled,
		RTE_ETH_TX_OFFLOAD_MULTI_SEGS | RTE_ETH_TX_OFFLOAD_QINQ_INSERT);
	assert_int_equal(send_one(port, tagged(tcp4(100, TCP4_CKSUM), VLAN)), 1);
	assert_tags(2, VLAN);
	assert_int_equal(send_one(port, tagged(tcp4(100, TCP4_CKSUM), VLAN | QINQ)), 1);
	assert_int_equal(script.frames[3].ol_flags, VLAN | QINQ);
	port_close(port);
}

/* Not ours to write, without headroom, or with addresses that do not lie together. */
static void
where_a_tag_cannot_go_in_place_a_copy_gets_it(void **state)
{
	static const uint16_t split[] = { 7 };
	uint16_t port = started(RTE_ETH_TX_OFFLOAD_MULTI_SEGS, OFFLOADS);
	struct rte_mbuf *m[4];
	unsigned int i;

	(void)state;
	rte_pktmbuf_free(tcp4(100, 0));
	m[0] = frame_mbuf(&frame, app_pool, NULL, 0);
	rte_mbuf_refcnt_update(m[0], 1);
	m[1] = frame_mbuf_kind(&frame, app_pool, HARNESS_INDIRECT, NULL, 0);
	m[2] = frame_mbuf_kind(&frame, app_pool, HARNESS_EXTERNAL, NULL, 0);
	m[3] = frame_mbuf(&frame, app_pool, split, 1);
	for (i = 0; i < RTE_DIM(m); i++) {
		uint64_t flags = i % 2 == 0 ? TCP4_CKSUM : 0;

		m[i]->ol_flags |= flags;
		assert_int_equal(rte_eth_tx_prepare(port, 0, &m[i], 1), 1);
		assert_int_equal(send_one(port, tagged(m[i], QINQ)), 1);
		assert_tags(i, QINQ);
		assert_rest(i, 2);
		if (flags != 0)
			assert_good(i, i + 1);
	}
	harness_assert_chain(m[0], frame.data, frame.len);
	rte_pktmbuf_free(m[0]);
	assert_int_equal(xstat(port, "tx_copied_packets"), 4);
	assert_int_equal(xstat(port, "tx_tagged_packets"), 4);
	port_close(port);
}

static void
linearised_and_tagged(void **state)
{
	static const uint16_t lens[] = { 31, 31, 31 };
	uint16_t port = started(0, OFFLOADS);
	struct rte_mbuf *m;

	(void)state;
	rte_pktmbuf_free(tcp4(1446, 0));
	m = frame_mbuf(&frame, app_pool, lens, RTE_DIM(lens));
	m->ol_flags |= TCP4_CKSUM;
	assert_int_equal(send_one(port, tagged(m, QINQ)), 1);
	assert_int_equal(script.frames[0].nb_segs, 1);
	assert_tags(0, QINQ);
	assert_rest(0, 2);
	assert_good(0, 1);
	port_close(port);
}

/* Flags, lengths, offset and bytes: as if it had never been tried. */
static void
unsent_packet_has_no_tag(void **state)
{
	uint16_t port = started(RTE_ETH_TX_OFFLOAD_MULTI_SEGS, OFFLOADS);
	struct rte_mbuf *m = tagged(tcp4(100, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_TCP_CKSUM), QINQ);
	struct rte_mbuf given;

	(void)state;
	memcpy(&given, m, sizeof(given));
	atomic_store(&script.stalled, true);
	assert_int_equal(send_one(port, m), 0);
	assert_int_equal(m->ol_flags, given.ol_flags);
	assert_int_equal(m->tx_offload, given.tx_offload);
	assert_int_equal(m->data_off, given.data_off);
	assert_int_equal(m->data_len, given.data_len);
	assert_int_equal(m->pkt_len, given.pkt_len);
	harness_assert_bytes(rte_pktmbuf_mtod(m, uint8_t *), frame.data, 14 + 20 + 16);
	atomic_store(&script.stalled, false);
	assert_int_equal(send_one(port, m), 1);
	assert_tags(0, QINQ);
	assert_rest(0, 2);
	assert_int_equal(xstat(port, "tx_tagged_packets"), 1);
	port_close(port);
}

static void
what_has_no_ethernet_header_is_refused(void **state)
{
	uint16_t port = started(RTE_ETH_TX_OFFLOAD_MULTI_SEGS, OFFLOADS);
	struct rte_mbuf *m = tcp4(100, 0);

	(void)state;
	rte_pktmbuf_trim(m, m->pkt_len - 13);
	tagged(m, VLAN);
	assert_int_equal(rte_eth_tx_prepare(port, 0, &m, 1), 0);
	assert_int_equal(rte_errno, EINVAL);
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(script.nb_frames, 0);
	assert_int_equal(xstat(port, "tx_refused_lengths"), 1);
	port_close(port);
}

/* The lower port finds the headers by lengths, which say where they are behind the tags. */
static void
lengths_follow_for_what_is_left(void **state)
{
	uint16_t port = started(RTE_ETH_TX_OFFLOAD_MULTI_SEGS | RTE_ETH_TX_OFFLOAD_TCP_CKSUM,
		OFFLOADS);
	struct rte_mbuf lens;

	(void)state;
	assert_int_equal(send_one(port, tagged(tcp4(100, TCP4_CKSUM), QINQ)), 1);
	assert_tags(0, QINQ);
	assert_int_equal(script.frames[0].ol_flags, RTE_MBUF_F_TX_TCP_CKSUM | RTE_MBUF_F_TX_IPV4);
	lens.tx_offload = script.frames[0].tx_offload;
	assert_int_equal(lens.l2_len, 14 + 8);
	assert_int_equal(lens.l3_len, 20);
	port_close(port);
}

/* 7 bits: a link layer of 126 bytes grows beyond what l2_len can say. */
static void
nothing_is_left_where_lengths_cannot_follow(void **state)
{
	uint16_t port = started(RTE_ETH_TX_OFFLOAD_MULTI_SEGS | RTE_ETH_TX_OFFLOAD_TCP_CKSUM,
		OFFLOADS);
	struct rte_mbuf *m;

	(void)state;
	frame_init(&frame);
	frame_ether(&frame);
	frame_add(&frame, FRAME_MPLS, NULL, 27 * 4);
	frame_mpls(&frame, 1, 1);
	frame_i4(&frame);
	frame_tcp(&frame, 0x10, NULL, 0);
	frame_payload(&frame, 100);
	frame_finish(&frame);
	m = harness_chain(app_pool, frame.data, frame.len, NULL, 0);
	m->l2_len = 14 + 28 * 4;
	m->l3_len = 20;
	m->ol_flags |= TCP4_CKSUM;
	assert_int_equal(send_one(port, tagged(m, VLAN)), 1);
	assert_tags(0, VLAN);
	assert_int_equal(script.frames[0].ol_flags, 0);
	assert_good(0, 1);
	port_close(port);
}

static void
tag_not_enabled_is_inserted_and_counted(void **state)
{
	uint16_t port = started(RTE_ETH_TX_OFFLOAD_MULTI_SEGS | RTE_ETH_TX_OFFLOAD_VLAN_INSERT,
		TSO_OFFLOADS);

	(void)state;
	assert_int_equal(send_one(port, tagged(tcp4(100, 0), VLAN)), 1);
	assert_tags(0, VLAN);
	assert_int_equal(xstat(port, "tx_not_enabled_packets"), 1);
	port_close(port);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, script_setup, script_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(each_kind_of_packet_is_tagged),
		CASE(tags_are_left_to_a_port_that_inserts_them),
		CASE(port_that_inserts_one_kind),
		CASE(where_a_tag_cannot_go_in_place_a_copy_gets_it),
		CASE(linearised_and_tagged),
		CASE(unsent_packet_has_no_tag),
		CASE(what_has_no_ethernet_header_is_refused),
		CASE(lengths_follow_for_what_is_left),
		CASE(nothing_is_left_where_lengths_cannot_follow),
		CASE(tag_not_enabled_is_inserted_and_counted),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-tags", tests, NULL, NULL));
}
