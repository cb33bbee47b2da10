/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include "prepare_util.h"

/*
 * Values come from public fault reports (by their numbers) and from scapy; prepare_expect() tries
 * each frame in many cuts.
 */

#define IP_CHECK   10
#define TCP_CHECK  16
#define UDP_CHECK  6
#define SCTP_CHECK 8

static struct frame f;

static void
tcp4(uint32_t payload)
{
	prepare_build(&f, false, false, NULL, payload);
}

static void
udp4(uint16_t sport, uint16_t dport, uint32_t payload)
{
	frame_init(&f);
	frame_ether(&f);
	frame_i4(&f);
	frame_udp(&f, sport, dport);
	frame_payload(&f, payload);
	frame_finish(&f);
}

static uint32_t
ip_check(void)
{
	return frame_off(&f, FRAME_IPV4, 0) + IP_CHECK;
}

static uint32_t
tcp_check(void)
{
	return frame_off(&f, FRAME_TCP, 0) + TCP_CHECK;
}

static uint32_t
udp_check(void)
{
	return frame_off(&f, FRAME_UDP, 0) + UDP_CHECK;
}

static void
tcp_and_udp_over_ipv4(void **state)
{
	tcp4(100);
	prepare_expect(&f, TX_TCP4, (struct field[]){ { ip_check(), 0x566a },
						      { tcp_check(), 0xcf98 } }, 2);
	tcp4(2500);
	prepare_expect(&f, TX_TCP4, (struct field[]){ { ip_check(), 0x4d0a },
						      { tcp_check(), 0xfda6 } }, 2);
	udp4(1024, 4096, 100);
	prepare_expect(&f, TX_UDP4, (struct field[]){ { ip_check(), 0x566b },
						      { udp_check(), 0x3b46 } }, 2);
}

static void
each_request_alone(void **state)
{
	tcp4(100);
	prepare_expect_one(&f, TX(IPV4) | TX(IP_CKSUM), ip_check(), 0x566a);
	prepare_expect_one(&f, TX(IP_CKSUM), ip_check(), 0x566a);
	prepare_expect_one(&f, TX(IPV4) | TX(TCP_CKSUM), tcp_check(), 0xcf98);
	prepare_expect(&f, TX(IPV4), NULL, 0);
	prepare_expect(&f, 0, NULL, 0);
}

static void
b04_tcp_and_udp_over_ipv6(void **state)
{
	prepare_build(&f, true, false, NULL, 100);
	prepare_expect_one(&f, TX_TCP6, tcp_check(), 0x8826);

	prepare_build(&f, true, true, NULL, 100);
	prepare_expect_one(&f, TX_UDP6, udp_check(), 0xf3d3);
}

static void
b16_b20_tcp_checksum_0_stays_0(void **state)
{
	prepare_build(&f, false, false, "\x6b\xc8", 2);
	prepare_expect_one(&f, TX(IPV4) | TX(TCP_CKSUM), tcp_check(), 0);
	prepare_build(&f, true, false, "\x24\x56", 2);
	prepare_expect_one(&f, TX_TCP6, tcp_check(), 0);
}

static void
b17_ipv4_checksum_0_is_written(void **state)
{
	frame_init(&f);
	frame_ether(&f);
	frame_ipv4(&f, "10.0.0.1", "10.0.0.2", 0x66ce);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_finish(&f);
	prepare_expect(&f, TX_TCP4, (struct field[]){ { ip_check(), 0 },
						      { tcp_check(), 0x6bca } }, 2);
}

static void
b21_b22_udp_checksum_0_becomes_ffff(void **state)
{
	frame_init(&f);
	frame_ether(&f);
	frame_ipv4(&f, "127.0.0.1", "127.0.0.1", 1);
	frame_udp(&f, 53, 53);
	frame_bytes(&f, "\xff\xff\x01\x6a", 4);
	frame_finish(&f);
	prepare_expect_one(&f, TX(IPV4) | TX(UDP_CKSUM), udp_check(), 0xffff);
	prepare_build(&f, false, true, "\xd7\xd7", 2);
	prepare_expect_one(&f, TX(IPV4) | TX(UDP_CKSUM), udp_check(), 0xffff);
	prepare_build(&f, true, true, "\x90\x65", 2);
	prepare_expect_one(&f, TX_UDP6, udp_check(), 0xffff);
}

static void
ext(uint8_t type, const void *body, uint32_t len, uint32_t payload)
{
	frame_init(&f);
	frame_ether(&f);
	frame_i6(&f);
	frame_ipv6_ext(&f, type, body, len);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, payload);
	frame_finish(&f);
}

static void
b26_upper_layer_length_behind_hop_by_hop(void **state)
{
	ext(0, NULL, 0, 16);
	prepare_expect_one(&f, TX_TCP6, tcp_check(), 0xec07);
	ext(60, NULL, 0, 16);
	prepare_expect_one(&f, TX_TCP6, tcp_check(), 0xec07);
}

/* Two addresses, 2001:db8::a and 2001:db8::b for given last bytes. */
static void
routing_body(uint8_t body[38], uint8_t type, uint8_t left, uint8_t a, uint8_t b)
{
	static const uint8_t prefix[4] = { 0x20, 0x01, 0x0d, 0xb8 };

	memset(body, 0, 38);
	body[0] = type;
	body[1] = left;
	memcpy(body + 6, prefix, 4);
	body[21] = a;
	memcpy(body + 22, prefix, 4);
	body[37] = b;
}

static void
final_destination_of_a_routing_header_counts(void **state)
{
	uint8_t body[38];

	routing_body(body, 0, 2, 0x99, 0x77);
	ext(43, body, sizeof(body), 16);
	prepare_expect_one(&f, TX_TCP6, tcp_check(), 0xeb92);
	/* A segment routing header lists the final destination first. */
	routing_body(body, 4, 1, 0x77, 0x99);
	body[2] = 1;
	ext(43, body, sizeof(body), 16);
	prepare_expect_one(&f, TX_TCP6, tcp_check(), 0xeb92);
	/* On its last leg the packet has it in the IPv6 header. */
	routing_body(body, 0, 0, 0x99, 0x77);
	ext(43, body, sizeof(body), 16);
	prepare_expect_one(&f, TX_TCP6, tcp_check(), 0xec07);
}

/* RFC 6554: of both addresses, only the last byte is there. */
static void
final_destination_of_a_compressed_route_counts(void **state)
{
	static const uint8_t body[14] = { 3, 1, 0xff, 0x60, 0, 0, 0x99, 0x77 };

	ext(43, body, sizeof(body), 16);
	prepare_expect_one(&f, TX_TCP6, tcp_check(), 0xeb92);
}

/* RFC 6275: 2001:db8::76 in place of 2001:db8::1. */
static void
home_address_counts_as_the_source(void **state)
{
	static const uint8_t body[22] = {
		1, 2, 0, 0, 0xc9, 16, 0x20, 1, 0xd, 0xb8, [21] = 0x76
	};

	ext(60, body, sizeof(body), 16);
	prepare_expect_one(&f, TX_TCP6, tcp_check(), 0xeb92);
}

static void
b28_ipv4_options_count(void **state)
{
	static const uint8_t opts[8] = { 7, 7, 4, 0, 0, 0, 0, 1 };

	frame_init(&f);
	frame_ether(&f);
	frame_ipv4_opts(&f, "10.0.0.1", "10.0.0.2", 0x1000, opts, sizeof(opts));
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 10);
	frame_finish(&f);
	prepare_expect(&f, TX_TCP4, (struct field[]){ { ip_check(), 0x49b4 },
						      { tcp_check(), 0x57a7 } }, 2);
}

static void
b29_sctp_gets_a_crc32c(void **state)
{
	uint32_t sctp;

	frame_init(&f);
	frame_ether(&f);
	frame_i4(&f);
	sctp = frame_sctp(&f, 1, 2, 3);
	frame_sctp_data(&f, 1, "abcd", 4);
	frame_finish(&f);
	prepare_expect(&f, TX(IPV4) | TX(SCTP_CKSUM),
		       (struct field[]){ { sctp + SCTP_CHECK, 0x385f },
					 { sctp + SCTP_CHECK + 2, 0x83d8 } }, 2);
}

static void
b35_ethernet_padding_is_never_summed(void **state)
{
	static const uint8_t pads[2][6] = { { 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa }, { 0 } };
	int i;

	for (i = 0; i < 2; i++) {
		tcp4(0);
		frame_bytes(&f, pads[i], 6);
		prepare_expect_one(&f, TX(IPV4) | TX(TCP_CKSUM), tcp_check(), 0x6bca);
	}
}

/* What follows a datagram inside its IP packet is no part of it. */
static void
udp_ends_by_its_own_length(void **state)
{
	udp4(1024, 4096, 100);
	frame_bytes(&f, "\x12\x34\x56", 3);
	frame_finish(&f);
	harness_put_be16(f.data + frame_off(&f, FRAME_UDP, 0) + 4, 108);
	prepare_expect_one(&f, TX(IPV4) | TX(UDP_CKSUM), udp_check(), 0x3b46);
}

/* The rest of a packet was lost: what is there is summed, and no more. */
static void
an_ip_length_beyond_the_packet_is_capped(void **state)
{
	tcp4(100);
	harness_put_be16(f.data + frame_off(&f, FRAME_IPV4, 0) + 2, 1400);
	prepare_expect_one(&f, TX(IPV4) | TX(TCP_CKSUM), tcp_check(), 0xcf98);
}

/* No 16-bit field can say how long BIG TCP is. */
static void
b64_length_0_of_more_than_64_kb_is_to_the_end(void **state)
{
	tcp4(70000);
	assert_int_equal(harness_be16(f.data + frame_off(&f, FRAME_IPV4, 0) + 2), 0);
	prepare_expect_one(&f, TX(IPV4) | TX(TCP_CKSUM), tcp_check(), 0x0495);

	prepare_build(&f, true, false, NULL, 70000);
	prepare_expect_one(&f, TX_TCP6, tcp_check(), 0xbd22);

	prepare_build(&f, true, true, NULL, 70000);
	prepare_expect_one(&f, TX_UDP6, udp_check(), 0x293c);
}

static void
b60_vlan_tags_are_part_of_l2(void **state)
{
	frame_init(&f);
	frame_ether(&f);
	frame_vlan(&f, 0x88a8, 10);
	frame_vlan(&f, 0x8100, 100);
	frame_i4(&f);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 100);
	frame_finish(&f);
	prepare_expect(&f, TX_TCP4, (struct field[]){ { ip_check(), 0x566a },
						      { tcp_check(), 0xcf98 } }, 2);
}

static void
a_packet_may_begin_with_ip(void **state)
{
	frame_init(&f);
	frame_i4(&f);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 100);
	frame_finish(&f);
	prepare_expect(&f, TX_TCP4, (struct field[]){ { ip_check(), 0x566a },
						      { tcp_check(), 0xcf98 } }, 2);
}

static void
b62_a_fragment_gets_its_ip_checksum(void **state)
{
	static const uint16_t frag[] = { 0x2000, 185 };
	static const uint16_t want[] = { 0x410e, 0x6055 };
	int i;

	for (i = 0; i < 2; i++) {
		frame_init(&f);
		frame_ether(&f);
		frame_ipv4(&f, "10.0.0.1", "10.0.0.2", 1);
		frame_udp(&f, 1024, 4096);
		frame_payload(&f, 1472);
		frame_finish(&f);
		harness_put_be16(f.data + frame_off(&f, FRAME_IPV4, 0) + 6, frag[i]);
		prepare_expect_one(&f, TX(IPV4) | TX(IP_CKSUM), ip_check(), want[i]);
	}
}

static void
an_atomic_ipv6_fragment_is_none(void **state)
{
	static const uint8_t body[6] = { 0, 0, 0, 0, 0, 7 };

	frame_init(&f);
	frame_ether(&f);
	frame_i6(&f);
	frame_ipv6_ext(&f, 44, body, sizeof(body));
	frame_udp(&f, 1024, 4096);
	frame_payload(&f, 33);
	frame_finish(&f);
	prepare_expect_one(&f, TX_UDP6, udp_check(), 0x7f26);
}

static void
b68_seeds_in_the_field_do_not_matter(void **state)
{
	static const uint16_t seeds[] = { 0x1481, 0x1409 };
	struct rte_mbuf *m;
	int i;

	for (i = 0; i < 2; i++) {
		tcp4(100);
		harness_put_be16(f.data + tcp_check(), seeds[i]);
		m = frame_mbuf(&f, prepare_pool, NULL, 0);
		m->ol_flags |= TX(IPV4) | TX(TCP_CKSUM);
		assert_int_equal(csum_pkt_prepare(m, CSUM_PKT_TX_CKSUM_MASK, NULL), 0);
		harness_put_be16(f.data + tcp_check(), 0xcf98);
		harness_assert_chain(m, f.data, f.len);
		rte_pktmbuf_free(m);
	}
}

static void
b85_a_port_number_makes_no_tunnel(void **state)
{
	udp4(1, 4789, 100);
	prepare_expect_one(&f, TX(IPV4) | TX(UDP_CKSUM), udp_check(), 0x3c90);
}

/* TCP 1, SCTP 2, UDP 3: taken for bits, UDP would be TCP too. */
static void
b92_the_l4_type_is_a_number(void **state)
{
	udp4(1024, 4096, 100);
	prepare_expect_one(&f, TX(IPV4) | TX(UDP_CKSUM), udp_check(), 0x3b46);
}

static void
b94_l4_len_is_not_needed(void **state)
{
	struct rte_mbuf *m;

	tcp4(100);
	m = frame_mbuf(&f, prepare_pool, NULL, 0);
	m->l4_len = 0;
	m->ol_flags |= TX(IPV4) | TX(TCP_CKSUM);
	assert_int_equal(csum_pkt_check(m, NULL), 0);
	assert_int_equal(csum_pkt_prepare(m, CSUM_PKT_TX_CKSUM_MASK, NULL), 0);
	harness_put_be16(f.data + tcp_check(), 0xcf98);
	harness_assert_chain(m, f.data, f.len);
	rte_pktmbuf_free(m);
}

static void
b98_hint_bits_are_legal(void **state)
{
	tcp4(100);
	prepare_expect_one(&f, TX(IPV4) | TX(TCP_CKSUM) | TX(VLAN) | TX(IEEE1588_TMST),
			   tcp_check(), 0xcf98);
}

static void
b100_ip_checksum_of_ipv6_is_ignored(void **state)
{
	prepare_build(&f, true, false, NULL, 100);
	prepare_expect(&f, TX(IPV6) | TX(IP_CKSUM), NULL, 0);
	prepare_expect_one(&f, TX_TCP6 | TX(IP_CKSUM), tcp_check(), 0x8826);
}

/* What todo leaves out is left to the port. */
static void
only_what_is_to_do_is_filled(void **state)
{
	static const uint64_t todo[] = { TX(IP_CKSUM), TX(L4_MASK), 0, TX(OUTER_IP_CKSUM) };
	struct rte_mbuf *m;
	unsigned int i;

	for (i = 0; i < RTE_DIM(todo); i++) {
		tcp4(100);
		m = frame_mbuf(&f, prepare_pool, NULL, 0);
		m->ol_flags |= TX_TCP4;
		assert_int_equal(csum_pkt_prepare(m, todo[i], NULL), 0);
		if (i == 0)
			harness_put_be16(f.data + ip_check(), 0x566a);
		if (i == 1)
			harness_put_be16(f.data + tcp_check(), 0xcf98);
		harness_assert_chain(m, f.data, f.len);
		rte_pktmbuf_free(m);
	}
}

static void
b93_checksums_of_a_super_packet_are_left_to_segmentation(void **state)
{
	struct rte_mbuf *m;

	tcp4(2500);
	m = frame_mbuf(&f, prepare_pool, NULL, 0);
	m->ol_flags |= TX(IPV4) | TX(TCP_SEG);
	m->tso_segsz = 1000;
	assert_int_equal(csum_pkt_check(m, NULL), 0);
	m->ol_flags |= TX_TCP4;
	assert_int_equal(csum_pkt_check(m, NULL), 0);
	assert_int_equal(csum_pkt_prepare(m, CSUM_PKT_TX_CKSUM_MASK, NULL), 0);
	harness_assert_chain(m, f.data, f.len);
	rte_pktmbuf_free(m);
}

/* Without a segmentation flag a segment size is no request. */
static void
b61_a_stale_segment_size_is_ignored(void **state)
{
	struct rte_mbuf *m;

	tcp4(100);
	m = frame_mbuf(&f, prepare_pool, NULL, 0);
	m->ol_flags |= TX(IPV4) | TX(TCP_CKSUM);
	m->tso_segsz = 1;
	assert_int_equal(csum_pkt_check(m, NULL), 0);
	assert_int_equal(csum_pkt_prepare(m, CSUM_PKT_TX_CKSUM_MASK, NULL), 0);
	harness_put_be16(f.data + tcp_check(), 0xcf98);
	harness_assert_chain(m, f.data, f.len);
	rte_pktmbuf_free(m);
}

#define CASE(name) cmocka_unit_test_teardown(name, prepare_pool_is_whole)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(tcp_and_udp_over_ipv4),
		CASE(each_request_alone),
		CASE(b04_tcp_and_udp_over_ipv6),
		CASE(b16_b20_tcp_checksum_0_stays_0),
		CASE(b17_ipv4_checksum_0_is_written),
		CASE(b21_b22_udp_checksum_0_becomes_ffff),
		CASE(b26_upper_layer_length_behind_hop_by_hop),
		CASE(final_destination_of_a_routing_header_counts),
		CASE(final_destination_of_a_compressed_route_counts),
		CASE(home_address_counts_as_the_source),
		CASE(b28_ipv4_options_count),
		CASE(b29_sctp_gets_a_crc32c),
		CASE(b35_ethernet_padding_is_never_summed),
		CASE(udp_ends_by_its_own_length),
		CASE(an_ip_length_beyond_the_packet_is_capped),
		CASE(b64_length_0_of_more_than_64_kb_is_to_the_end),
		CASE(b60_vlan_tags_are_part_of_l2),
		CASE(a_packet_may_begin_with_ip),
		CASE(b62_a_fragment_gets_its_ip_checksum),
		CASE(an_atomic_ipv6_fragment_is_none),
		CASE(b68_seeds_in_the_field_do_not_matter),
		CASE(b85_a_port_number_makes_no_tunnel),
		CASE(b92_the_l4_type_is_a_number),
		CASE(b94_l4_len_is_not_needed),
		CASE(b98_hint_bits_are_legal),
		CASE(b100_ip_checksum_of_ipv6_is_ignored),
		CASE(only_what_is_to_do_is_filled),
		CASE(b93_checksums_of_a_super_packet_are_left_to_segmentation),
		CASE(b61_a_stale_segment_size_is_ignored),
	};

	prepare_start("prepare");
	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
