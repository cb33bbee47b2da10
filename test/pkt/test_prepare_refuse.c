/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>

#include "prepare_util.h"

/* What csum_pkt_prepare() and csum_pkt_check() refuse, for which reason, leaving all as it was. */

static struct frame f;

static uint8_t *
ip(void)
{
	return f.data + 14;
}

static struct rte_mbuf *
with(uint64_t flags)
{
	struct rte_mbuf *m = frame_mbuf(&f, prepare_pool, NULL, 0);

	m->ol_flags |= flags;
	return m;
}

static void
contradicting_flags(void **state)
{
	static const uint64_t flags[] = {
		TX(TCP_CKSUM),
		TX(IPV4) | TX(IPV6) | TX(TCP_CKSUM),
		TX(IPV4) | TX(IP_CKSUM) | TX(OUTER_IPV4) | TX(OUTER_IPV6),
		TX(OUTER_IP_CKSUM),
		TX(OUTER_IP_CKSUM) | TX(OUTER_IPV6),
		TX(OUTER_UDP_CKSUM),
	};
	unsigned int i;

	prepare_build(&f, false, false, NULL, 100);
	for (i = 0; i < RTE_DIM(flags); i++)
		prepare_refused(with(flags[i]), CSUM_REFUSAL_FLAGS, -EINVAL);
}

static void
b23_ip_length_below_its_headers(void **state)
{
	static const uint16_t lens[] = { 0, 10, 19, 20, 39 };
	unsigned int i;

	for (i = 0; i < RTE_DIM(lens); i++) {
		prepare_build(&f, false, false, NULL, 0);
		harness_put_be16(ip() + 2, lens[i]);
		prepare_frame_refused(&f, TX_TCP4, CSUM_REFUSAL_IP_LENGTH, -EBADMSG);
		prepare_build(&f, true, false, NULL, 0);
		harness_put_be16(ip() + 4, lens[i] % 20);
		prepare_frame_refused(&f, TX_TCP6, CSUM_REFUSAL_IP_LENGTH, -EBADMSG);
	}
	/* The header's own checksum does not depend on it. */
	prepare_build(&f, false, false, NULL, 0);
	harness_put_be16(ip() + 2, 10);
	prepare_expect_one(&f, TX(IPV4) | TX(IP_CKSUM), 14 + 10, 0x56ec);
}

static void
udp_length_that_makes_no_sense(void **state)
{
	static const uint16_t lens[] = { 0, 7, 109, 0xffff };
	unsigned int i;

	for (i = 0; i < RTE_DIM(lens); i++) {
		prepare_build(&f, false, true, NULL, 100);
		harness_put_be16(ip() + 24, lens[i]);
		prepare_frame_refused(&f, TX_UDP4, CSUM_REFUSAL_HEADER, -EBADMSG);
	}
}

static void
b38_lengths_beyond_the_packet(void **state)
{
	struct rte_mbuf *m;

	prepare_build(&f, false, false, NULL, 0);
	m = with(TX_TCP4);
	m->l2_len = 127;
	m->l3_len = 508;
	prepare_refused(m, CSUM_REFUSAL_LENGTHS, -EINVAL);
	m = with(TX_TCP4 | TX(TUNNEL_VXLAN) | TX_OUTER4);
	m->outer_l2_len = 127;
	m->outer_l3_len = 511;
	prepare_refused(m, CSUM_REFUSAL_LENGTHS, -EINVAL);
	/* One byte less than the headers need. */
	m = with(TX_TCP4);
	rte_pktmbuf_trim(m, 1);
	prepare_refused(m, CSUM_REFUSAL_LENGTHS, -EINVAL);
	/* The head promises more than the chain has. */
	m = with(TX_TCP4);
	rte_pktmbuf_trim(m, 1);
	m->pkt_len = 1000;
	assert_int_equal(csum_pkt_check(m, NULL), -EINVAL);
	assert_int_equal(csum_pkt_prepare(m, UINT64_MAX, NULL), -EINVAL);
	rte_pktmbuf_free(m);
}

static void
b94_zero_and_short_lengths(void **state)
{
	static const uint16_t lens[] = { 0, 8, 19 };
	struct rte_mbuf *m;
	unsigned int i;

	for (i = 0; i < RTE_DIM(lens); i++) {
		prepare_build(&f, false, false, NULL, 100);
		m = with(TX(IPV4) | TX(TCP_CKSUM));
		m->l3_len = lens[i];
		prepare_refused(m, CSUM_REFUSAL_LENGTHS, -EINVAL);
		prepare_build(&f, true, false, NULL, 100);
		m = with(TX_TCP6);
		m->l3_len = lens[i] + 20;
		prepare_refused(m, CSUM_REFUSAL_LENGTHS, -EINVAL);
	}
}

static void
b62_fragments_have_no_l4_checksum(void **state)
{
	static const uint16_t frag[] = { 0x2000, 0x0001, 0x1fff, 0x20b9 };
	static const uint8_t bodies[2][6] = { { 0, 1 }, { 0, 8 } };
	unsigned int i;

	for (i = 0; i < RTE_DIM(frag); i++) {
		prepare_build(&f, false, true, NULL, 100);
		harness_put_be16(ip() + 6, frag[i]);
		prepare_frame_refused(&f, TX_UDP4, CSUM_REFUSAL_FRAGMENT, -ENOTSUP);
	}
	/* The last one may hold less than a header. */
	frame_init(&f);
	frame_ether(&f);
	frame_i4(&f);
	frame_payload(&f, 4);
	frame_finish(&f);
	harness_put_be16(ip() + 6, 185);
	ip()[9] = 17;
	prepare_frame_refused(&f, TX_UDP4, CSUM_REFUSAL_FRAGMENT, -ENOTSUP);
	for (i = 0; i < 2; i++) {
		frame_init(&f);
		frame_ether(&f);
		frame_i6(&f);
		frame_ipv6_ext(&f, 44, bodies[i], 6);
		frame_udp(&f, 1024, 4096);
		frame_payload(&f, 100);
		frame_finish(&f);
		/* A first fragment has a header, a later one has not. */
		prepare_frame_refused(&f, TX_UDP6, CSUM_REFUSAL_FRAGMENT, -ENOTSUP);
	}
}

static void
b73_headers_that_contradict_the_lengths(void **state)
{
	struct rte_mbuf *m;

	/* IHL 7 where l3_len says 20. */
	prepare_build(&f, false, false, NULL, 100);
	ip()[0] = 0x47;
	prepare_frame_refused(&f, TX_TCP4, CSUM_REFUSAL_HEADER, -EBADMSG);
	/* An extension header that l3_len leaves out, and one that it cuts. */
	frame_init(&f);
	frame_ether(&f);
	frame_i6(&f);
	frame_ipv6_ext(&f, 0, NULL, 0);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 100);
	frame_finish(&f);
	m = with(TX_TCP6);
	m->l3_len = 40;
	prepare_refused(m, CSUM_REFUSAL_HEADER, -EBADMSG);
	m = with(TX_TCP6);
	m->l3_len = 44;
	prepare_refused(m, CSUM_REFUSAL_HEADER, -EBADMSG);
	m = with(TX_TCP6);
	m->l3_len = 56;
	prepare_refused(m, CSUM_REFUSAL_HEADER, -EBADMSG);
}

static void
headers_that_contradict_the_flags(void **state)
{
	struct rte_mbuf *m;

	prepare_build(&f, false, false, NULL, 100);
	prepare_frame_refused(&f, TX_UDP4, CSUM_REFUSAL_HEADER, -EBADMSG);
	prepare_frame_refused(&f, TX(IPV4) | TX(SCTP_CKSUM), CSUM_REFUSAL_HEADER, -EBADMSG);
	m = with(TX_TCP6);
	m->l3_len = 40;
	prepare_refused(m, CSUM_REFUSAL_HEADER, -EBADMSG);
	prepare_build(&f, true, false, NULL, 100);
	prepare_frame_refused(&f, TX_TCP4, CSUM_REFUSAL_HEADER, -EBADMSG);
	prepare_frame_refused(&f, TX(IP_CKSUM), CSUM_REFUSAL_HEADER, -EBADMSG);
	prepare_build(&f, false, true, NULL, 100);
	prepare_frame_refused(&f, TX_TCP4, CSUM_REFUSAL_HEADER, -EBADMSG);
	/* What would be UDP's length makes sense. */
	prepare_build(&f, false, false, NULL, 100);
	harness_put_be16(ip() + 24, 100);
	prepare_frame_refused(&f, TX_UDP4, CSUM_REFUSAL_HEADER, -EBADMSG);
}

static void
super_packets_are_left_alone(void **state)
{
	static const uint64_t segs[] = { TX(TCP_SEG), TX(UDP_SEG) };
	struct rte_mbuf *m;
	unsigned int i;

	for (i = 0; i < RTE_DIM(segs); i++) {
		prepare_build(&f, false, i == 1, NULL, 100);
		m = with((i == 1 ? TX_UDP4 : TX_TCP4) | segs[i]);
		assert_int_equal(csum_pkt_prepare(m, UINT64_MAX, NULL), 0);
		harness_assert_chain(m, f.data, f.len);
		rte_pktmbuf_free(m);
	}
}

/* Bytes in the first mbuf that do not belong to the packet. */
static void
data_beyond_the_packet(void **state)
{
	static const uint64_t flags[] = { TX_TCP4, TX_UDP4 };
	struct rte_mbuf *m, *shorter;
	unsigned int i;

	for (i = 0; i < RTE_DIM(flags); i++) {
		prepare_build(&f, false, i == 1, NULL, 100);
		if (i == 1)
			harness_put_be16(ip() + 24, 98);
		m = with(flags[i]);
		m->pkt_len -= 10;
		assert_int_equal(csum_pkt_prepare(m, UINT64_MAX, NULL), 0);
		shorter = with(flags[i]);
		rte_pktmbuf_trim(shorter, 10);
		assert_int_equal(csum_pkt_prepare(shorter, UINT64_MAX, NULL), 0);
		harness_assert_bytes(rte_pktmbuf_mtod(m, uint8_t *),
			rte_pktmbuf_mtod(shorter, uint8_t *), shorter->pkt_len);
		rte_pktmbuf_free(m);
		rte_pktmbuf_free(shorter);
	}
}

static void
vxlan(void)
{
	frame_init(&f);
	frame_ether(&f);
	frame_outer4(&f);
	frame_udp(&f, 50000, 4789);
	frame_vxlan(&f, 42);
	frame_ether_inner(&f);
	frame_i4(&f);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 2500);
	frame_finish(&f);
}

/* The IP header that l3 points at would be the outer UDP header as well. */
static void
no_room_for_an_outer_udp_header(void **state)
{
	frame_init(&f);
	frame_ether(&f);
	frame_outer4(&f);
	frame_i4(&f);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 100);
	frame_finish(&f);
	ip()[9] = 17;
	prepare_frame_refused(&f, TX(TUNNEL_VXLAN) | TX_OUTER4 | TX(OUTER_UDP_CKSUM) | TX_TCP4,
			      CSUM_REFUSAL_LENGTHS, -EINVAL);
}

static void
outer_headers_beyond_l2_len(void **state)
{
	struct rte_mbuf *m;
	uint16_t len;

	for (len = 1; len < 34; len++) {
		vxlan();
		m = with(TX(TUNNEL_VXLAN) | TX_OUTER4);
		m->outer_l2_len = 0;
		m->outer_l3_len = 0;
		m->l2_len = len;
		prepare_refused(m, CSUM_REFUSAL_HEADER, -EBADMSG);
	}
}

static void
outer_headers_that_contradict_the_request(void **state)
{
	const uint64_t outer = TX(TUNNEL_VXLAN) | TX_OUTER4 | TX(OUTER_UDP_CKSUM);
	struct rte_mbuf *m;

	vxlan();
	/* An outer fragment has an IP checksum, but no UDP one. */
	harness_put_be16(ip() + 6, 0x2000);
	prepare_frame_refused(&f, outer | TX_TCP4, CSUM_REFUSAL_FRAGMENT, -ENOTSUP);
	vxlan();
	ip()[9] = 47;
	prepare_frame_refused(&f, outer | TX_TCP4, CSUM_REFUSAL_HEADER, -EBADMSG);
	vxlan();
	prepare_frame_refused(&f, TX(TUNNEL_VXLAN) | TX(OUTER_IPV6) | TX(OUTER_UDP_CKSUM),
			      CSUM_REFUSAL_LENGTHS, -EINVAL);
	/* All in l2_len, but no IP header is found in it. */
	vxlan();
	f.data[12] = 0x12;
	m = with(outer);
	frame_tx_lens_flat(m);
	prepare_refused(m, CSUM_REFUSAL_HEADER, -EBADMSG);
}

#define CASE(name) cmocka_unit_test_teardown(name, prepare_pool_is_whole)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(contradicting_flags),
		CASE(b23_ip_length_below_its_headers),
		CASE(udp_length_that_makes_no_sense),
		CASE(b38_lengths_beyond_the_packet),
		CASE(b94_zero_and_short_lengths),
		CASE(b62_fragments_have_no_l4_checksum),
		CASE(b73_headers_that_contradict_the_lengths),
		CASE(headers_that_contradict_the_flags),
		CASE(super_packets_are_left_alone),
		CASE(data_beyond_the_packet),
		CASE(no_room_for_an_outer_udp_header),
		CASE(outer_headers_beyond_l2_len),
		CASE(outer_headers_that_contradict_the_request),
	};

	prepare_start("prepare_refuse");
	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
