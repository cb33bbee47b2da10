/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <string.h>

#include "parse_frames.h"

static struct rte_mempool *pool;
static struct frame f;
static struct csum_pkt pkt;

/* Parse the frame as one linear piece of memory, as far as a pool's mbuf holds it. */
static const struct csum_pkt *
parse(void)
{
	struct rte_mbuf *m = frame_mbuf(&f, pool, NULL, 0);

	assert_int_equal(csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, &pkt), 0);
	rte_pktmbuf_free(m);
	return &pkt;
}

static const struct csum_layer *
layer(enum csum_layer_type type, unsigned int nth)
{
	return &pkt.layer[parse_find(&pkt, type, nth)];
}

/* Ethernet, IPv4 and TCP with some payload, not finished. */
static void
begin_tcp4(uint32_t payload)
{
	frame_init(&f);
	frame_ether(&f);
	frame_i4(&f);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, payload);
}

static void
begin_tcp6(uint32_t payload)
{
	frame_init(&f);
	frame_ether(&f);
	frame_i6(&f);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, payload);
}

/* One of parse_frames: its layers, each where the one before it ends. */
static void
header_kinds(void **state)
{
	const struct parse_frame *pf = *state;
	unsigned int i;

	parse_frame_build(pf, &f);
	parse();
	assert_string_equal(parse_layers(&pkt), pf->layers);
	assert_int_equal(pkt.len, f.len);
	assert_int_equal(pkt.flags, 0);
	assert_int_equal(pkt.layer[0].off, 0);
	for (i = 0; i + 1 < pkt.nb_layers; i++)
		assert_int_equal(pkt.layer[i].off + pkt.layer[i].hdr_len, pkt.layer[i + 1].off);
	assert_int_equal(pkt.layer[i].off + pkt.layer[i].len, f.len);
}

static void
offset_beyond_the_packet_is_refused(void **state)
{
	struct rte_mbuf *m;

	begin_tcp4(0);
	m = frame_mbuf(&f, pool, NULL, 0);
	pkt.nb_layers = 99;
	assert_int_equal(csum_pkt_parse(m, f.len + 1, CSUM_LINK_IP, 0, &pkt), -EINVAL);
	assert_int_equal(pkt.nb_layers, 99);
	assert_int_equal(csum_pkt_parse(m, f.len, CSUM_LINK_IP, 0, &pkt), 0);
	assert_string_equal(parse_layers(&pkt), "payload");
	rte_pktmbuf_free(m);
}

static void
links_other_than_ethernet(void **state)
{
	static const uint8_t snap[8] = { 0xaa, 0xaa, 0x03, 0, 0, 0, 0x86, 0xdd };
	struct rte_mbuf *m;

	begin_tcp6(3);
	frame_finish(&f);
	m = frame_mbuf(&f, pool, NULL, 0);
	csum_pkt_parse(m, 14, CSUM_LINK_IP, 0, &pkt);
	assert_string_equal(parse_layers(&pkt), "ipv6 tcp");
	csum_pkt_parse(m, 14, CSUM_LINK_TYPE, 0x86dd, &pkt);
	assert_string_equal(parse_layers(&pkt), "ipv6 tcp");
	csum_pkt_parse(m, 14, CSUM_LINK_TYPE, 0x0800, &pkt);
	assert_string_equal(parse_layers(&pkt), "payload");
	csum_pkt_parse(m, 14, CSUM_LINK_TYPE, 0x88cc, &pkt);
	assert_string_equal(parse_layers(&pkt), "payload");

	memcpy(rte_pktmbuf_mtod_offset(m, uint8_t *, 6), snap, sizeof(snap));
	csum_pkt_parse(m, 6, CSUM_LINK_TYPE, CSUM_ETHER_TYPE_LLC, &pkt);
	assert_string_equal(parse_layers(&pkt), "ether ipv6 tcp");
	rte_pktmbuf_free(m);
}

static void
b35_padding_belongs_to_no_layer(void **state)
{
	begin_tcp4(0);
	frame_finish(&f);
	frame_bytes(&f, "\xaa\xaa\xaa\xaa\xaa\xaa", 6);
	parse();
	assert_int_equal(layer(CSUM_LAYER_IPV4, 0)->len, 40);
	assert_int_equal(layer(CSUM_LAYER_TCP, 0)->len, 20);
	assert_int_equal(layer(CSUM_LAYER_TCP, 0)->flags, 0);
}

static void
pppoe_gtpu_and_802_3_lengths_end_the_packet(void **state)
{
	parse_frame_build(parse_frame_named("pppoe_udplite"), &f);
	harness_put_be16(f.data + 18, 2 + 20 + 8);
	parse();
	assert_int_equal(layer(CSUM_LAYER_IPV4, 0)->len, 28);
	assert_true(layer(CSUM_LAYER_IPV4, 0)->flags & CSUM_LAYER_F_TRUNCATED);

	parse_frame_build(parse_frame_named("gtpu"), &f);
	harness_put_be16(f.data + 44, 8 + 20 + 8);
	parse();
	assert_int_equal(layer(CSUM_LAYER_IPV4, 1)->len, 28);
	assert_true(layer(CSUM_LAYER_IPV4, 1)->flags & CSUM_LAYER_F_TRUNCATED);

	parse_frame_build(parse_frame_named("snap_sctp"), &f);
	harness_put_be16(f.data + 12, 8 + 20 + 12);
	parse();
	assert_int_equal(layer(CSUM_LAYER_IPV4, 0)->len, 32);
	assert_true(layer(CSUM_LAYER_IPV4, 0)->flags & CSUM_LAYER_F_TRUNCATED);
}

static void
b103_ipv4_length_0_is_the_frames(void **state)
{
	begin_tcp4(50);
	parse();
	assert_int_equal(layer(CSUM_LAYER_IPV4, 0)->flags, CSUM_LAYER_F_ZERO_LEN);
	assert_int_equal(layer(CSUM_LAYER_TCP, 0)->len, 70);
	assert_int_equal(pkt.flags, CSUM_PKT_F_SUPER);
}

static void
ipv6_length_0_is_0_in_a_plain_frame(void **state)
{
	begin_tcp6(1440);
	parse();
	assert_int_equal(f.len, 1514);
	assert_int_equal(layer(CSUM_LAYER_IPV6, 0)->field_len, 40);
	assert_true(layer(CSUM_LAYER_TCP, 0)->flags & CSUM_LAYER_F_HDR_CUT);
	assert_int_equal(pkt.flags, 0);
}

static void
ipv6_length_0_before_tcp_in_a_longer_frame(void **state)
{
	begin_tcp6(1441);
	parse();
	assert_int_equal(layer(CSUM_LAYER_IPV6, 0)->flags, CSUM_LAYER_F_ZERO_LEN);
	assert_int_equal(layer(CSUM_LAYER_TCP, 0)->len, 1461);
	assert_int_equal(pkt.flags, CSUM_PKT_F_SUPER);
}

/* The final next header decides, not that of the fixed header. */
static void
ipv6_length_0_before_extension_headers(void **state)
{
	frame_init(&f);
	frame_ether(&f);
	frame_i6(&f);
	frame_ipv6_ext(&f, 60, NULL, 6);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 1500);
	parse();
	assert_int_equal(layer(CSUM_LAYER_TCP, 0)->len, 1520);
	assert_int_equal(layer(CSUM_LAYER_IPV6, 0)->hdr_len, 48);
}

static void
ipv6_length_0_before_udp(void **state)
{
	frame_init(&f);
	frame_ether(&f);
	frame_i6(&f);
	frame_udp(&f, 1, 2);
	frame_payload(&f, 65535 - 8);
	parse();
	assert_int_equal(layer(CSUM_LAYER_IPV6, 0)->field_len, 40);
	frame_payload(&f, 1);
	parse();
	assert_int_equal(layer(CSUM_LAYER_IPV6, 0)->field_len, 40 + 65536);
	assert_int_equal(layer(CSUM_LAYER_UDP, 0)->field_len, 65536);
	assert_true(layer(CSUM_LAYER_UDP, 0)->flags & CSUM_LAYER_F_ZERO_LEN);
}

static void
b64_jumbo_option_gives_the_length(void **state)
{
	static const uint8_t jumbo[6] = { 0xc2, 4, 0, 1, 0x38, 0xb4 }; /* 80052 */

	frame_init(&f);
	frame_ether(&f);
	frame_i6(&f);
	frame_ipv6_ext(&f, 0, jumbo, sizeof(jumbo));
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 80024);
	frame_bytes(&f, "trailer", 7);
	parse();
	assert_int_equal(layer(CSUM_LAYER_IPV6, 0)->flags, CSUM_LAYER_F_JUMBO);
	assert_int_equal(layer(CSUM_LAYER_TCP, 0)->len, 80044);
	assert_int_equal(pkt.flags, CSUM_PKT_F_SUPER);
}

/* 40 + 2^32 - 1 bytes: a length that does not fit must not wrap. */
static void
jumbo_length_does_not_wrap(void **state)
{
	static const uint8_t jumbo[6] = { 0xc2, 4, 0xff, 0xff, 0xff, 0xff };

	frame_init(&f);
	frame_ether(&f);
	frame_i6(&f);
	frame_ipv6_ext(&f, 0, jumbo, sizeof(jumbo));
	frame_tcp(&f, 0x10, NULL, 0);
	parse();
	assert_int_equal(layer(CSUM_LAYER_IPV6, 0)->field_len, UINT32_MAX);
	assert_true(layer(CSUM_LAYER_TCP, 0)->flags & CSUM_LAYER_F_TRUNCATED);
}

static void
super_packets_begin_above_1500_bytes_of_ip(void **state)
{
	begin_tcp4(1460);
	frame_finish(&f);
	assert_int_equal(parse()->flags, 0);
	begin_tcp4(1461);
	frame_finish(&f);
	assert_int_equal(parse()->flags, CSUM_PKT_F_SUPER);
	/* What is not there makes none. */
	begin_tcp4(100);
	frame_finish(&f);
	harness_put_be16(f.data + 16, 9000);
	assert_int_equal(parse()->flags, 0);
}

static void
udp_length_0_is_legal_in_super_packets_only(void **state)
{
	frame_init(&f);
	frame_ether(&f);
	frame_i4(&f);
	frame_udp(&f, 1, 2);
	frame_payload(&f, 1473);
	frame_finish(&f);
	memset(f.data + 38, 0, 2);
	parse();
	assert_int_equal(layer(CSUM_LAYER_UDP, 0)->flags, CSUM_LAYER_F_ZERO_LEN);
	assert_int_equal(layer(CSUM_LAYER_UDP, 0)->field_len, 1481);

	f.len--;
	harness_put_be16(f.data + 16, 1500);
	parse();
	assert_int_equal(layer(CSUM_LAYER_UDP, 0)->flags, 0);
	assert_int_equal(layer(CSUM_LAYER_UDP, 0)->field_len, 0);
}

static void
b23_ipv4_length_below_its_header(void **state)
{
	begin_tcp4(20);
	harness_put_be16(f.data + 16, 10);
	parse();
	assert_int_equal(layer(CSUM_LAYER_IPV4, 0)->len, 20);
	assert_true(layer(CSUM_LAYER_TCP, 0)->flags & CSUM_LAYER_F_HDR_CUT);
}

static void
not_an_ip_header(void **state)
{
	begin_tcp4(0);
	frame_finish(&f);
	f.data[14] = 0x44; /* header of 16 bytes */
	parse();
	assert_string_equal(parse_layers(&pkt), "ether ipv4");
	assert_int_equal(layer(CSUM_LAYER_IPV4, 0)->hdr_len, 0);
	f.data[14] = 0x65; /* version 6 */
	parse();
	assert_string_equal(parse_layers(&pkt), "ether payload");
}

static void
fragments(void **state)
{
	begin_tcp4(40);
	frame_finish(&f);
	harness_put_be16(f.data + 20, 0x2000);
	parse();
	assert_int_equal(layer(CSUM_LAYER_IPV4, 0)->flags, CSUM_LAYER_F_FRAGMENT);
	assert_int_equal(layer(CSUM_LAYER_TCP, 0)->flags, CSUM_LAYER_F_FRAGMENT);
	assert_int_equal(layer(CSUM_LAYER_TCP, 0)->hdr_len, 20);

	harness_put_be16(f.data + 20, 0x0001);
	parse();
	assert_int_equal(layer(CSUM_LAYER_IPV4, 0)->flags,
			 CSUM_LAYER_F_FRAGMENT | CSUM_LAYER_F_LATER);
	assert_int_equal(layer(CSUM_LAYER_TCP, 0)->flags, CSUM_LAYER_F_FRAGMENT);
	assert_int_equal(layer(CSUM_LAYER_TCP, 0)->hdr_len, 0);
	assert_int_equal(layer(CSUM_LAYER_TCP, 0)->len, 60);
}

/* What is inside a first fragment's tunnel lies in a fragment too. */
static void
fragment_of_a_tunnel(void **state)
{
	parse_frame_build(parse_frame_named("gre"), &f);
	harness_put_be16(f.data + 20, 0x2000);
	parse();
	assert_string_equal(parse_layers(&pkt), "ether ipv4 gre ipv4 tcp");
	assert_int_equal(layer(CSUM_LAYER_IPV4, 1)->flags, CSUM_LAYER_F_IN_TUNNEL);
	assert_int_equal(layer(CSUM_LAYER_TCP, 0)->flags,
			 CSUM_LAYER_F_IN_TUNNEL | CSUM_LAYER_F_FRAGMENT);
}

static void
final_destination_by_routing_header(void **state)
{
	/* Type, segments left, then two addresses. */
	static const struct {
		uint8_t type, left, address; /* 0: that of the IPv6 header, from 1: in the list */
	} cases[] = {
		{ 0, 1, 2 }, { 0, 2, 2 }, { 0, 0, 0 }, { 0, 3, 0 }, { 4, 1, 1 }, { 4, 0, 0 },
		{ 2, 1, 2 }, { 3, 1, 2 }, { 5, 1, 0 },
	};
	uint8_t body[38] = { 0 };
	unsigned int i;

	for (i = 0; i < RTE_DIM(cases); i++) {
		uint32_t want = cases[i].address == 0 ? 14 + 24 : 46 + 16 * cases[i].address;

		body[0] = cases[i].type;
		body[1] = cases[i].left;
		frame_init(&f);
		frame_ether(&f);
		frame_i6(&f);
		frame_ipv6_ext(&f, 43, body, sizeof(body));
		frame_tcp(&f, 0x10, NULL, 0);
		frame_finish(&f);
		parse();
		assert_int_equal(layer(CSUM_LAYER_IPV6, 0)->dst_off, want);
	}
}

/* Behind 6 bytes of header and of padding each come a byte of the hop's and one of the last's. */
static void
final_destination_by_compressed_routing_header(void **state)
{
	/* Segments left, CmprI and CmprE, padding; then what is expected. */
	static const struct {
		uint8_t left, cmpr, pad;
		uint8_t off, elided;
	} cases[] = {
		{ 1, 0xff, 6, 63, 15 }, { 2, 0xff, 6, 63, 15 }, { 0, 0xff, 6, 38, 0 },
		{ 3, 0xff, 6, 38, 0 }, { 1, 0xfe, 6, 62, 14 }, { 1, 0xf0, 0, 38, 0 },
		{ 1, 0xcd, 1, 66, 13 }, { 1, 0xdc, 6, 38, 0 },
	};
	uint8_t body[14] = { 3 };
	unsigned int i;

	for (i = 0; i < RTE_DIM(cases); i++) {
		body[1] = cases[i].left;
		body[2] = cases[i].cmpr;
		body[3] = cases[i].pad << 4;
		frame_init(&f);
		frame_ether(&f);
		frame_i6(&f);
		frame_ipv6_ext(&f, 43, body, sizeof(body));
		frame_tcp(&f, 0x10, NULL, 0);
		frame_finish(&f);
		parse();
		assert_int_equal(layer(CSUM_LAYER_IPV6, 0)->dst_off, cases[i].off);
		assert_int_equal(layer(CSUM_LAYER_IPV6, 0)->dst_elided, cases[i].elided);
	}
}

static void
home_address_by_destination_option(void **state)
{
	/* Four bytes of padding before it, as its alignment wants; then those that are none. */
	static const struct {
		uint8_t kind, option, len;
		uint32_t src;
	} cases[] = {
		{ 60, 0xc9, 16, 62 }, { 60, 0xc9, 15, 22 }, { 60, 0xc8, 16, 22 },
		{ 0, 0xc9, 16, 22 }, { 60, 0xc9, 17, 22 },
	};
	uint8_t body[22] = { 1, 2 };
	unsigned int i;

	for (i = 0; i < RTE_DIM(cases); i++) {
		body[4] = cases[i].option;
		body[5] = cases[i].len;
		frame_init(&f);
		frame_ether(&f);
		frame_i6(&f);
		frame_ipv6_ext(&f, cases[i].kind, body, sizeof(body));
		frame_tcp(&f, 0x10, NULL, 0);
		frame_finish(&f);
		parse();
		assert_int_equal(layer(CSUM_LAYER_IPV6, 0)->src_off, cases[i].src);
	}
}

static void
authentication_headers_are_flagged(void **state)
{
	parse_frame_build(parse_frame_named("authenticated"), &f);
	parse();
	assert_int_equal(layer(CSUM_LAYER_IPV4, 0)->flags, CSUM_LAYER_F_AH);
	assert_int_equal(layer(CSUM_LAYER_IPV4, 0)->hdr_len, 20 + 24);
	assert_int_equal(layer(CSUM_LAYER_IPV4, 0)->proto, 6);
}

static void
headers_quoted_by_icmp_are_no_layers(void **state)
{
	frame_init(&f);
	frame_ether(&f);
	frame_i4(&f);
	frame_icmp(&f);
	f.data[34] = 3;
	frame_i4(&f);
	frame_udp(&f, 1, 2);
	frame_finish(&f);
	parse();
	assert_string_equal(parse_layers(&pkt), "ether ipv4 icmp");
}

static void
b85_tunnel_ports_without_a_tunnel(void **state)
{
	static const uint16_t ports[] = { 4789, 4790, 6081, 2152 };
	static const uint8_t nonsense[16] = { 0xf7, 0xf7 };
	unsigned int i;

	for (i = 0; i < RTE_DIM(ports); i++) {
		frame_init(&f);
		frame_ether(&f);
		frame_i4(&f);
		frame_udp(&f, 1, ports[i]);
		frame_bytes(&f, nonsense, sizeof(nonsense));
		frame_finish(&f);
		parse();
		assert_string_equal(parse_layers(&pkt), "ether ipv4 udp");
	}
}

static void
gre_of_another_version_is_payload(void **state)
{
	parse_frame_build(parse_frame_named("gre"), &f);
	f.data[35] = 1;
	parse();
	assert_string_equal(parse_layers(&pkt), "ether ipv4 payload");
}

static void
deep_nesting_ends_with_payload(void **state)
{
	static const uint8_t tag[4] = { 0x81, 0x00, 0, 1 };
	uint8_t tags[60 * sizeof(tag)];
	unsigned int i;

	for (i = 0; i < sizeof(tags); i++)
		tags[i] = tag[i % sizeof(tag)];
	frame_init(&f);
	frame_bytes(&f, "\2\0\0\0\0\1\2\0\0\0\0\2", 12);
	frame_bytes(&f, tags, sizeof(tags));
	parse();
	assert_int_equal(pkt.flags, CSUM_PKT_F_TOO_DEEP);
	assert_int_equal(pkt.nb_layers, CSUM_PKT_MAX_LAYERS);
	assert_int_equal(pkt.layer[CSUM_PKT_MAX_LAYERS - 1].type, CSUM_LAYER_PAYLOAD);
}

int
main(void)
{
	static const struct CMUnitTest own[] = {
		cmocka_unit_test(offset_beyond_the_packet_is_refused),
		cmocka_unit_test(links_other_than_ethernet),
		cmocka_unit_test(b35_padding_belongs_to_no_layer),
		cmocka_unit_test(pppoe_gtpu_and_802_3_lengths_end_the_packet),
		cmocka_unit_test(b103_ipv4_length_0_is_the_frames),
		cmocka_unit_test(ipv6_length_0_is_0_in_a_plain_frame),
		cmocka_unit_test(ipv6_length_0_before_tcp_in_a_longer_frame),
		cmocka_unit_test(ipv6_length_0_before_extension_headers),
		cmocka_unit_test(ipv6_length_0_before_udp),
		cmocka_unit_test(b64_jumbo_option_gives_the_length),
		cmocka_unit_test(jumbo_length_does_not_wrap),
		cmocka_unit_test(super_packets_begin_above_1500_bytes_of_ip),
		cmocka_unit_test(udp_length_0_is_legal_in_super_packets_only),
		cmocka_unit_test(b23_ipv4_length_below_its_header),
		cmocka_unit_test(not_an_ip_header),
		cmocka_unit_test(fragments),
		cmocka_unit_test(fragment_of_a_tunnel),
		cmocka_unit_test(final_destination_by_routing_header),
		cmocka_unit_test(final_destination_by_compressed_routing_header),
		cmocka_unit_test(home_address_by_destination_option),
		cmocka_unit_test(authentication_headers_are_flagged),
		cmocka_unit_test(headers_quoted_by_icmp_are_no_layers),
		cmocka_unit_test(b85_tunnel_ports_without_a_tunnel),
		cmocka_unit_test(gre_of_another_version_is_payload),
		cmocka_unit_test(deep_nesting_ends_with_payload),
	};
	static struct CMUnitTest tests[RTE_DIM(own) + 64];
	unsigned int nb = RTE_DIM(own), i;

	memcpy(tests, own, sizeof(own));
	for (i = 0; i < nb_parse_frames; i++)
		tests[nb++] = (struct CMUnitTest){
			.name = parse_frames[i].name,
			.test_func = header_kinds,
			.initial_state = (void *)(uintptr_t)&parse_frames[i],
		};
	harness_start(0, NULL);
	pool = harness_pool("parse", 256, 2048);
	return harness_finish(_cmocka_run_group_tests("parse", tests, nb, NULL, NULL));
}
