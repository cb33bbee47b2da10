/* SPDX-License-Identifier: BSD-3-Clause */

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <rte_mbuf_dyn.h>

#include "gso_test.h"

/* Offsets in Ethernet, IPv4, TCP. */
#define IP_LEN 16
#define TCP_CHECK 50
#define PAYLOAD 54
#define ACK 0x10

#define SUPER_LEN (256 * 1024)

static void
b31_external_input_is_the_callers(void **state)
{
	struct rte_mempool *pool = harness_pool("b31", 64, 2048);
	unsigned int freed = harness_external_freed(), i;
	struct rte_mbuf *segs[16], *m;
	struct csum_gso_req req;

	gso_frame_tcp4(ACK, 9000);
	frame_finish(&gso_frame);
	gso_conf.pool = pool;
	for (i = 0; i < 1000; i++) {
		m = frame_mbuf_kind(&gso_frame, pool, HARNESS_EXTERNAL, NULL, 0);
		m->ol_flags |= TSO4;
		m->tso_segsz = 1448;
		csum_gso_req_from_mbuf(&req, m);
		assert_int_equal(csum_gso_segment(m, &req, &gso_conf, segs, 16, NULL), 7);
		assert_int_equal(harness_external_freed() - freed, i);
		rte_pktmbuf_free(m);
		rte_pktmbuf_free_bulk(segs, 7);
		assert_int_equal(harness_in_use(pool), 0);
		assert_int_equal(harness_external_freed() - freed, i + 1);
	}
	rte_mempool_free(pool);
}

static void
b32_r3_headers_spread_over_segments(void **state)
{
	static const uint16_t parts[] = { 14, 20, 7, 13 };
	uint16_t bytes[60];
	unsigned int i;

	gso_frame_tcp4(ACK, 2500);
	frame_finish(&gso_frame);
	assert_int_equal(gso_cut(frame_mbuf(&gso_frame, gso_in, parts, RTE_DIM(parts)), TSO4,
				 1000), 3);
	assert_be16s(TCP_CHECK, 0x45c2, 0x39d2, 0x49ef);
	for (i = 0; i < RTE_DIM(bytes); i++)
		bytes[i] = i % 10 != 9;
	assert_int_equal(gso_cut(frame_mbuf(&gso_frame, gso_in, bytes, RTE_DIM(bytes)), TSO4,
				 1000), 3);
	assert_be16s(TCP_CHECK, 0x45c2, 0x39d2, 0x49ef);
	gso_assert_payload(PAYLOAD, 2500);
}

static void
r15_headers_that_fill_the_first_segment(void **state)
{
	static const uint16_t parts[] = { 54 };

	gso_frame_tcp4(ACK, 2500);
	frame_finish(&gso_frame);
	assert_int_equal(gso_cut(frame_mbuf(&gso_frame, gso_in, parts, 1), TSO4, 1000), 3);
	assert_lens(1054, 1054, 554);
	assert_int_equal(gso_segs[0].nb_mbufs, 1);
}

static void
b36_external_and_indirect_inputs(void **state)
{
	static const uint16_t parts[] = { 33, 0, 1001, 0 };

	gso_frame_tcp4(ACK, 3000);
	frame_finish(&gso_frame);
	assert_int_equal(gso_cut(frame_mbuf_kind(&gso_frame, gso_in, HARNESS_EXTERNAL, NULL, 0),
				 TSO4, 1000), 3);
	assert_be16s(TCP_CHECK, 0x45c2, 0x39d2, 0x2de2);
	assert_int_equal(gso_cut(frame_mbuf_kind(&gso_frame, gso_in, HARNESS_INDIRECT, parts, 4),
				 TSO4, 1000), 3);
	assert_be16s(TCP_CHECK, 0x45c2, 0x39d2, 0x2de2);
}

static atomic_bool flipping;

static void *
flip(void *arg)
{
	volatile uint8_t *payload = arg;
	unsigned int i;

	for (i = 0; atomic_load(&flipping); i++)
		payload[i % 2000] ^= 0xa5;
	return NULL;
}

static void
b37_payload_that_changes_meanwhile(void **state)
{
	struct rte_mbuf *segs[2], *m;
	struct ref_report report;
	struct csum_gso_req req;
	pthread_t thread;
	unsigned int i, j;

	gso_frame_tcp4(ACK, 1900);
	frame_finish(&gso_frame);
	m = frame_mbuf(&gso_frame, gso_in, NULL, 0);
	m->ol_flags |= TSO4;
	m->tso_segsz = 1000;
	csum_gso_req_from_mbuf(&req, m);
	atomic_store(&flipping, true);
	assert_int_equal(pthread_create(&thread, NULL, flip,
					rte_pktmbuf_mtod_offset(m, uint8_t *, PAYLOAD)), 0);
	for (i = 0; i < 5000; i++) {
		assert_int_equal(csum_gso_segment(m, &req, &gso_conf, segs, 2, NULL), 2);
		for (j = 0; j < 2; j++) {
			ref_judge(rte_pktmbuf_mtod(segs[j], const uint8_t *), segs[j]->pkt_len,
				  segs[j]->pkt_len, REF_LINK_ETHER, &report);
			assert_int_equal(report.count[REF_TCP], 1);
			assert_int_equal(report.list[REF_TCP][0], REF_GOOD);
		}
		rte_pktmbuf_free_bulk(segs, 2);
	}
	atomic_store(&flipping, false);
	pthread_join(thread, NULL);
	rte_pktmbuf_free(m);
}

static void
b38_lengths_beyond_the_packet(void **state)
{
	struct csum_gso_req req = {
		.ol_flags = TSO4, .l2_len = 14, .l3_len = 20, .l4_len = 20, .segsz = 1000,
	};
	struct rte_mbuf *m;

	gso_frame_tcp4(ACK, 0);
	frame_finish(&gso_frame);
	req.l4_len = 24;
	assert_int_equal(gso_cut_req(frame_mbuf(&gso_frame, gso_in, NULL, 0), &req), -EINVAL);
	assert_int_equal(gso_why, CSUM_REFUSAL_LENGTHS);
	req.l4_len = 20;
	req.ol_flags |= VXLAN | OUTER4;
	req.outer_l2_len = 127;
	req.outer_l3_len = 511;
	assert_int_equal(gso_cut_req(frame_mbuf(&gso_frame, gso_in, NULL, 0), &req), -EINVAL);
	assert_int_equal(gso_why, CSUM_REFUSAL_LENGTHS);

	/* A chain that is shorter than pkt_len says. */
	frame_init(&gso_frame);
	gso_frame_tcp4(ACK, 2500);
	frame_finish(&gso_frame);
	req.ol_flags = TSO4;
	m = frame_mbuf(&gso_frame, gso_in, NULL, 0);
	m->pkt_len++;
	assert_int_equal(csum_gso_segment(m, &req, &gso_conf, NULL, 0, &gso_why), -EINVAL);
	assert_int_equal(gso_why, CSUM_REFUSAL_LENGTHS);
	rte_pktmbuf_free(m);
}

static void
headers_beyond_the_limit(void **state)
{
	static const uint8_t link[473];
	struct csum_gso_req req = {
		.ol_flags = TSO4, .l2_len = sizeof(link), .l3_len = 20, .l4_len = 20, .segsz = 1000,
	};

	frame_add(&gso_frame, FRAME_ETHER, link, sizeof(link));
	frame_i4(&gso_frame);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, 2500);
	frame_finish(&gso_frame);
	assert_int_equal(gso_cut_req(frame_mbuf(&gso_frame, gso_in, NULL, 0), &req), -ENOTSUP);
	assert_int_equal(gso_why, CSUM_REFUSAL_TOO_BIG);
}

static void
b40_segment_larger_than_an_mbuf(void **state)
{
	gso_frame_tcp4(ACK, 30000);
	gso_conf.tailroom = 17;
	assert_int_equal(gso_cut_frame(TSO4, 8960), 4);
	assert_lens(PAYLOAD + 8960, PAYLOAD + 8960, PAYLOAD + 8960, PAYLOAD + 3120);
	assert_int_equal(gso_segs[0].nb_mbufs, 5);
	gso_assert_payload(PAYLOAD, 30000);
}

/* An odd number of payload bytes in each mbuf of a segment. */
static void
chained_segments_of_odd_pieces(void **state)
{
	struct rte_mempool *pool = harness_pool("odd", 64, 0);

	gso_conf.pool = pool;
	gso_conf.headroom = 1;
	gso_conf.tailroom = 0;
	gso_frame_tcp4(ACK, 700);
	assert_int_equal(gso_cut_frame(TSO4, 311), 3);
	gso_assert_payload(PAYLOAD, 700);
	/* 128 bytes: the first mbuf holds 73 of payload, each further one 128. */
	assert_int_equal(gso_segs[0].nb_mbufs, 3);
	gso_conf.tailroom = 1;
	assert_int_equal(gso_cut_frame(TSO4, 311), 3);
	gso_assert_payload(PAYLOAD, 700);
	rte_mempool_free(pool);
}

static void
headroom_and_tailroom_that_leave_no_room(void **state)
{
	gso_frame_tcp4(ACK, 1000);
	gso_conf.headroom = 2048;
	gso_conf.tailroom = 128 - PAYLOAD;
	assert_int_equal(gso_cut_frame(TSO4, 500), 2);
	gso_assert_payload(PAYLOAD, 1000);
	gso_conf.tailroom++;
	assert_int_equal(gso_cut_frame(TSO4, 500), -EINVAL);
	assert_int_equal(gso_why, CSUM_REFUSAL_LENGTHS);
}

/* An iterator must go on where the pool left it, the batch must leave nothing behind. */
static void
cut_with_few_mbufs(uint32_t payload, uint16_t segsz, unsigned int nb_segs, unsigned int nb_mbufs)
{
	struct rte_mempool *pool = harness_pool("few", nb_mbufs, 2048);
	struct rte_mbuf *segs[8], *seg, *m;
	struct csum_gso_req req;
	struct csum_gso_iter it;
	unsigned int made = 0;
	uint8_t flat[16384];
	uint32_t done = 0;
	int ret;

	frame_init(&gso_frame);
	gso_frame_tcp4(ACK, payload);
	frame_finish(&gso_frame);
	gso_conf.pool = pool;
	m = frame_mbuf(&gso_frame, gso_in, NULL, 0);
	m->ol_flags |= TSO4;
	m->tso_segsz = segsz;
	csum_gso_req_from_mbuf(&req, m);
	assert_int_equal(csum_gso_segment(m, &req, &gso_conf, segs, 8, NULL), -ENOMEM);
	assert_int_equal(harness_in_use(pool), 0);
	harness_assert_chain(m, gso_frame.data, gso_frame.len);
	assert_int_equal(m->ol_flags, TSO4);

	assert_int_equal(csum_gso_iter_init(&it, m, &req, &gso_conf, NULL), 0);
	while (csum_gso_iter_left(&it) > 0) {
		unsigned int held = 0;

		for (;;) {
			ret = csum_gso_iter_next(&it, &seg);
			if (ret != 1)
				break;
			assert_int_equal(csum_gso_iter_left(&it), nb_segs - ++made);
			segs[held++] = seg;
			harness_flatten(seg, flat, sizeof(flat));
			harness_assert_bytes(flat + PAYLOAD, gso_frame.data + PAYLOAD + done,
					     seg->pkt_len - PAYLOAD);
			done += seg->pkt_len - PAYLOAD;
		}
		rte_pktmbuf_free_bulk(segs, held);
		assert_int_equal(harness_in_use(pool), 0);
		if (held == 0)
			break;
		assert_int_equal(ret, made == nb_segs ? 0 : -ENOMEM);
	}
	/* A pool too small for a single segment leaves the iterator at its beginning. */
	if (made == 0)
		assert_int_equal(csum_gso_iter_left(&it), nb_segs);
	else
		assert_int_equal(done, payload);
	rte_pktmbuf_free(m);
	rte_mempool_free(pool);
}

static void
b44_b70_no_mbuf_at_the_nth_allocation(void **state)
{
	unsigned int n;

	/* Four segments of an mbuf each; two of four mbufs each. */
	for (n = 1; n < 4; n++)
		cut_with_few_mbufs(3500, 1000, 4, n);
	for (n = 1; n < 8; n++)
		cut_with_few_mbufs(14000, 7000, 2, n);
}

static void
too_few_places_for_segments(void **state)
{
	struct rte_mbuf *segs[2], *m;
	struct csum_gso_req req;

	gso_frame_tcp4(ACK, 2500);
	frame_finish(&gso_frame);
	m = frame_mbuf(&gso_frame, gso_in, NULL, 0);
	m->ol_flags |= TSO4;
	m->tso_segsz = 1000;
	csum_gso_req_from_mbuf(&req, m);
	assert_int_equal(csum_gso_segment(m, &req, &gso_conf, segs, 2, NULL), -ENOSPC);
	assert_int_equal(harness_in_use(gso_out), 0);
	rte_pktmbuf_free(m);
}

static void
r2_b71_metadata_of_segments(void **state)
{
	static const struct rte_mbuf_dynflag launch = {
		.name = RTE_MBUF_DYNFLAG_TX_TIMESTAMP_NAME,
	};
	static const struct rte_mbuf_dynflag other = { .name = "gso_test_flag" };
	static const struct rte_mbuf_dynfield field = {
		.name = "gso_test_field", .size = 8, .align = 8,
	};
	uint64_t launch_flag = RTE_BIT64(rte_mbuf_dynflag_register(&launch));
	uint64_t other_flag = RTE_BIT64(rte_mbuf_dynflag_register(&other));
	int off = rte_mbuf_dynfield_register(&field), i;
	struct rte_mbuf *segs[3], *m;
	struct csum_gso_req req;

	gso_frame_tcp4(ACK, 2500);
	frame_finish(&gso_frame);
	m = frame_mbuf(&gso_frame, gso_in, NULL, 0);
	m->ol_flags |= TSO4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_CKSUM |
		RTE_MBUF_F_TX_VLAN | RTE_MBUF_F_TX_IEEE1588_TMST | launch_flag | other_flag;
	m->tso_segsz = 1000;
	m->vlan_tci = 100;
	m->vlan_tci_outer = 200;
	m->port = 7;
	m->packet_type = 0x1234;
	m->hash.rss = 0xcafe;
	m->hash.fdir.hi = 0xbeef;
	m->timesync = 3;
	*RTE_MBUF_DYNFIELD(m, off, uint64_t *) = 0x1122334455667788;
	csum_gso_req_from_mbuf(&req, m);
	assert_int_equal(csum_gso_segment(m, &req, &gso_conf, segs, 3, NULL), 3);
	for (i = 0; i < 3; i++) {
		assert_int_equal(segs[i]->ol_flags, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_VLAN |
				 other_flag | (i == 0 ? launch_flag : 0) |
				 (i == 2 ? RTE_MBUF_F_TX_IEEE1588_TMST : 0));
		assert_int_equal(segs[i]->vlan_tci, 100);
		assert_int_equal(segs[i]->vlan_tci_outer, 200);
		assert_int_equal(segs[i]->port, 7);
		assert_int_equal(segs[i]->packet_type, 0x1234);
		assert_int_equal(segs[i]->hash.rss, 0xcafe);
		assert_int_equal(segs[i]->hash.fdir.hi, 0xbeef);
		assert_int_equal(segs[i]->timesync, 3);
		assert_int_equal(*RTE_MBUF_DYNFIELD(segs[i], off, uint64_t *), 0x1122334455667788);
		assert_int_equal(segs[i]->l2_len, 14);
		assert_int_equal(segs[i]->l3_len, 20);
		assert_int_equal(segs[i]->l4_len, 20);
		assert_int_equal(segs[i]->tso_segsz, 0);
	}
	rte_pktmbuf_free_bulk(segs, 3);
	rte_pktmbuf_free(m);
}

static void
a_tunnels_segments_are_described_by_their_outer_headers(void **state)
{
	struct rte_mbuf *segs[3], *m;
	struct csum_gso_req req;

	gso_frame_vxlan(6);
	frame_i4(&gso_frame);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, 2500);
	frame_finish(&gso_frame);
	m = frame_mbuf(&gso_frame, gso_in, NULL, 0);
	m->ol_flags |= TSO4 | VXLAN | OUTER6;
	m->tso_segsz = 1000;
	csum_gso_req_from_mbuf(&req, m);
	assert_int_equal(csum_gso_segment(m, &req, &gso_conf, segs, 3, NULL), 3);
	assert_int_equal(segs[1]->ol_flags, RTE_MBUF_F_TX_IPV6);
	assert_int_equal(segs[1]->l2_len, 14);
	assert_int_equal(segs[1]->l3_len, 40);
	assert_int_equal(segs[1]->l4_len, 8);
	assert_int_equal(segs[1]->outer_l2_len, 0);
	rte_pktmbuf_free_bulk(segs, 3);
	rte_pktmbuf_free(m);
}

/* gso_frame's headers, which count for nothing, and @p n bytes of payload behind them. */
static struct rte_mbuf *
super_packet(uint32_t n)
{
	uint8_t *data = malloc(SUPER_LEN);
	struct rte_mbuf *m;

	assert_non_null(data);
	memcpy(data, gso_frame.data, gso_frame.len);
	harness_pattern(data + gso_frame.len, n);
	m = harness_chain(gso_in, data, gso_frame.len + n, NULL, 0);
	frame_tx_lens(&gso_frame, m);
	free(data);
	return m;
}

static const uint8_t timestamp[12] = { 1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2 };

static void
b64_big_tcp(void **state)
{
	static const uint8_t jumbo[6] = { 0xc2, 4, 0, 1, 0x38, 0xa8 };
	unsigned int family;

	for (family = 4; family <= 6; family += 2) {
		frame_init(&gso_frame);
		frame_ether(&gso_frame);
		if (family == 4) {
			frame_i4(&gso_frame);
		} else {
			frame_i6(&gso_frame);
			frame_ipv6_ext(&gso_frame, 0, jumbo, sizeof(jumbo));
		}
		frame_tcp(&gso_frame, ACK, timestamp, sizeof(timestamp));
		assert_int_equal(gso_cut(super_packet(80000), family == 4 ? TSO4 : TSO6, 1448), 56);
		gso_assert_payload(family == 4 ? 66 : 86, 80000);
		if (family == 4) {
			assert_int_equal(gso_be16(0, IP_LEN), 1500);
			continue;
		}
		assert_int_equal(gso_be16(0, 14 + 4), 32 + 1448);
		assert_int_equal(gso_be16(55, 14 + 4), 32 + 360);
		assert_int_equal(gso_segs[0].data[14 + 6], 6);
	}
}

static void
jumbo_option_beside_another_becomes_padding(void **state)
{
	static const uint8_t opts[14] = { 0xc2, 4, 0, 1, 0x38, 0xb0, 5, 2, 0, 0, 1, 2, 0, 0 };
	static const uint8_t padded[14] = { 1, 4, 0, 0, 0, 0, 5, 2, 0, 0, 1, 2, 0, 0 };

	frame_ether(&gso_frame);
	frame_i6(&gso_frame);
	frame_ipv6_ext(&gso_frame, 0, opts, sizeof(opts));
	frame_tcp(&gso_frame, ACK, NULL, 0);
	assert_int_equal(gso_cut(super_packet(80000), TSO6, 1448), 56);
	assert_int_equal(gso_be16(0, 14 + 4), 16 + 20 + 1448);
	harness_assert_bytes(gso_segs[1].data + 54 + 2, padded, sizeof(padded));
}

static void
big_tcp_of_200_kb_and_in_a_tunnel(void **state)
{
	frame_ether(&gso_frame);
	frame_i6(&gso_frame);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	assert_int_equal(gso_cut(super_packet(210001), TSO6, 1440), 146);
	gso_assert_payload(74, 210001);

	frame_init(&gso_frame);
	gso_frame_vxlan(6);
	frame_i6(&gso_frame);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	assert_int_equal(gso_cut(super_packet(210001), TSO6 | VXLAN | OUTER6, 1440), 146);
	gso_assert_payload(144, 210001);
}

static void
b66_a_segment_a_byte(void **state)
{
	struct rte_mbuf *m, *seg;
	struct csum_gso_req req;
	struct csum_gso_iter it;
	uint32_t i;

	frame_ether(&gso_frame);
	frame_i4(&gso_frame);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	m = super_packet(65400);
	m->ol_flags |= TSO4;
	m->tso_segsz = 1;
	csum_gso_req_from_mbuf(&req, m);
	assert_int_equal(csum_gso_iter_init(&it, m, &req, &gso_conf, NULL), 0);
	for (i = 0; i < 65400; i++) {
		assert_int_equal(csum_gso_iter_left(&it), 65400 - i);
		assert_int_equal(csum_gso_iter_next(&it, &seg), 1);
		assert_int_equal(seg->pkt_len, PAYLOAD + 1);
		assert_int_equal(*rte_pktmbuf_mtod_offset(seg, uint8_t *, PAYLOAD), i % 251);
		rte_pktmbuf_free(seg);
	}
	assert_int_equal(csum_gso_iter_next(&it, &seg), 0);
	rte_pktmbuf_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		gso_test(b31_external_input_is_the_callers),
		gso_test(b32_r3_headers_spread_over_segments),
		gso_test(r15_headers_that_fill_the_first_segment),
		gso_test(b36_external_and_indirect_inputs),
		gso_test(b37_payload_that_changes_meanwhile),
		gso_test(b38_lengths_beyond_the_packet),
		gso_test(headers_beyond_the_limit),
		gso_test(b40_segment_larger_than_an_mbuf),
		gso_test(chained_segments_of_odd_pieces),
		gso_test(headroom_and_tailroom_that_leave_no_room),
		gso_test(b44_b70_no_mbuf_at_the_nth_allocation),
		gso_test(too_few_places_for_segments),
		gso_test(r2_b71_metadata_of_segments),
		gso_test(a_tunnels_segments_are_described_by_their_outer_headers),
		gso_test(b64_big_tcp),
		gso_test(jumbo_option_beside_another_becomes_padding),
		gso_test(big_tcp_of_200_kb_and_in_a_tunnel),
		gso_test(b66_a_segment_a_byte),
	};

	gso_main(tests);
}
