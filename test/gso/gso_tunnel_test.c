/* SPDX-License-Identifier: BSD-3-Clause */

#include "gso_test.h"

/* Offsets in E/IPv4/UDP/VXLAN/E/IPv4/TCP. */
#define IP 14
#define IP_LEN (IP + 2)
#define IP_ID (IP + 4)
#define IP_FRAG (IP + 6)
#define IP_CHECK (IP + 10)
#define UDP 34
#define UDP_LEN (UDP + 4)
#define UDP_CHECK (UDP + 6)
#define INNER 64
#define INNER_TCP 84
#define TCP_CHECK 16
#define ACK 0x10

/* With an outer IPv6 header all behind it lies so much farther. */
#define V6 20

static void
add_tcp4(uint32_t n)
{
	frame_i4(&gso_frame);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, n);
}

static void
b78_outer_udp_checksum_after_the_inner_one(void **state)
{
	gso_frame_vxlan(4);
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | VXLAN | OUTER4 | OUTER_CKSUM, 1000), 3);
	assert_be16s(UDP_CHECK, 0x758a, 0x758a, 0x777e);
	assert_be16s(UDP_LEN, 1070, 1070, 570);
	assert_be16s(IP_LEN, 1090, 1090, 590);
	assert_be16s(IP_ID, 0x2000, 0x2001, 0x2002);
	assert_be16s(INNER + 4, 0x1000, 0x1001, 0x1002);
	assert_be16s(INNER_TCP + TCP_CHECK, 0x45c2, 0x39d2, 0x49ef);
	assert_be16s(INNER + 10, 0x52e6, 0x52e5, 0x54d8);
	gso_assert_payload(INNER_TCP + 20, 2500);
}

static void
b80_old_outer_checksum_does_not_count(void **state)
{
	gso_frame_vxlan(4);
	add_tcp4(2500);
	harness_put_be16(gso_frame.data + IP_CHECK, 0xbeef);
	assert_int_equal(gso_cut_frame(TSO4 | VXLAN | OUTER4, 1000), 3);
	assert_be16s(IP_CHECK, 0xd2a7, 0xd2a6, 0xd499);
}

static void
b81_over_ipv6_the_checksum_is_made(void **state)
{
	gso_frame_vxlan(6);
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | VXLAN | OUTER6, 1000), 3);
	assert_be16s(UDP_CHECK + V6, 0x9e07, 0x9e07, 0x9ffb);
	assert_be16s(14 + 4, 1070, 1070, 570);

	frame_init(&gso_frame);
	gso_frame_vxlan(6);
	add_tcp4(2500);
	gso_conf.flags = CSUM_GSO_F_UDP6_ZERO;
	assert_int_equal(gso_cut_frame(TSO4 | VXLAN | OUTER6, 1000), 3);
	assert_be16s(UDP_CHECK + V6, 0, 0, 0);
}

static void
b82_zero_stays_zero(void **state)
{
	gso_frame_vxlan(4);
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | VXLAN | OUTER4, 1000), 3);
	assert_be16s(UDP_CHECK, 0, 0, 0);
	assert_be16s(UDP_LEN, 1070, 1070, 570);
}

static void
stale_outer_checksum_is_made_anew(void **state)
{
	gso_frame_vxlan(4);
	add_tcp4(2500);
	harness_put_be16(gso_frame.data + UDP_CHECK, 0x1234);
	assert_int_equal(gso_cut_frame(TSO4 | VXLAN | OUTER4, 1000), 3);
	assert_be16s(UDP_CHECK, 0x758a, 0x758a, 0x777e);
}

/* 14555 is 50000 + 0x758a in ones' complement: it makes b78's checksum 0. */
static void
b21_outer_checksum_computed_as_zero_is_ffff(void **state)
{
	gso_frame_vxlan(4);
	add_tcp4(2500);
	harness_put_be16(gso_frame.data + UDP, 14555);
	assert_int_equal(gso_cut_frame(TSO4 | VXLAN | OUTER4 | OUTER_CKSUM, 1000), 3);
	assert_be16s(UDP_CHECK, 0xffff, 0xffff, 0x01f4);
}

static void
b89_tunnel_is_not_fragmented(void **state)
{
	gso_frame_vxlan(4);
	add_tcp4(2500);
	gso_conf.flags = CSUM_GSO_F_UFO;
	assert_int_equal(gso_cut_frame(TSO4 | VXLAN | OUTER4, 1000), 3);
	assert_be16s(IP_FRAG, 0, 0, 0);
	assert_lens(1104, 1104, 604);
}

static void
outer_id_stays_where_asked(void **state)
{
	gso_frame_vxlan(4);
	add_tcp4(2500);
	gso_conf.flags = CSUM_GSO_F_OUTER_IPID_FIXED;
	assert_int_equal(gso_cut_frame(TSO4 | VXLAN | OUTER4, 1000), 3);
	assert_be16s(IP_ID, 0x2000, 0x2000, 0x2000);
	assert_be16s(INNER + 4, 0x1000, 0x1001, 0x1002);
}

static void
both_conventions_give_the_same(void **state)
{
	struct rte_mbuf *m;

	gso_frame_vxlan(4);
	add_tcp4(2500);
	frame_finish(&gso_frame);
	m = frame_mbuf(&gso_frame, gso_in, NULL, 0);
	frame_tx_lens_flat(m);
	assert_int_equal(gso_cut(m, TSO4 | VXLAN | OUTER4 | OUTER_CKSUM, 1000), 3);
	assert_be16s(UDP_CHECK, 0x758a, 0x758a, 0x777e);
	assert_be16s(IP_CHECK, 0xd2a7, 0xd2a6, 0xd499);
}

static void
b75_ipip_has_no_udp_length(void **state)
{
	frame_ether(&gso_frame);
	frame_outer4(&gso_frame);
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | IPIP | OUTER4, 1000), 3);
	assert_be16s(IP_LEN, 1060, 1060, 560);
	assert_be16s(IP_CHECK, 0xd2d2, 0xd2d1, 0xd4c4);
	assert_be16s(34 + 10, 0x52e6, 0x52e5, 0x54d8);
	assert_be16s(54 + TCP_CHECK, 0x45c2, 0x39d2, 0x49ef);
}

static void
sit_4in6_6in6(void **state)
{
	unsigned int outer;

	for (outer = 4; outer <= 6; outer += 2) {
		frame_init(&gso_frame);
		frame_ether(&gso_frame);
		if (outer == 4)
			frame_outer4(&gso_frame);
		else
			frame_outer6(&gso_frame);
		frame_i6(&gso_frame);
		frame_tcp(&gso_frame, ACK, NULL, 0);
		frame_payload(&gso_frame, 2500);
		assert_int_equal(gso_cut_frame(TSO6 | IPIP, 1000), 3);
		assert_be16s((outer == 4 ? 34 : 54) + 40 + TCP_CHECK, 0xfe4f, 0xf25f, 0x027d);
	}
	frame_init(&gso_frame);
	frame_ether(&gso_frame);
	frame_outer6(&gso_frame);
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | IPIP, 1000), 3);
	assert_be16s(14 + 4, 1040, 1040, 540);
}

static void
b90_gre_checksum_and_sequence(void **state)
{
	unsigned int i;

	frame_ether(&gso_frame);
	frame_outer4(&gso_frame);
	frame_gre(&gso_frame, 0xb000, 7, 100);
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | GRE | OUTER4, 1000), 3);
	assert_be16s(34 + 4, 0x5f99, 0x5f98, 0x5da3);
	for (i = 0; i < 3; i++) {
		assert_int_equal(gso_be32(i, 34 + 8), 7);
		assert_int_equal(gso_be32(i, 34 + 12), 100 + i);
	}
}

static void
nvgre_carries_ethernet(void **state)
{
	frame_ether(&gso_frame);
	frame_outer4(&gso_frame);
	frame_gre(&gso_frame, 0x2000, 0x4200, 0);
	frame_ether_inner(&gso_frame);
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | GRE | OUTER4, 1000), 3);
	assert_be16s(34 + 8 + 14 + 20 + TCP_CHECK, 0x45c2, 0x39d2, 0x49ef);
}

static void
geneve_options_and_inner_vlan(void **state)
{
	static const uint8_t opts[8] = { 1, 2, 3, 1, 5, 6, 7, 8 };
	unsigned int i;

	frame_ether(&gso_frame);
	frame_outer4(&gso_frame);
	frame_udp(&gso_frame, 50000, 6081);
	frame_geneve(&gso_frame, 42, opts, sizeof(opts));
	frame_ether_inner(&gso_frame);
	frame_vlan(&gso_frame, 0x8100, 5);
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | GENEVE | OUTER4 | OUTER_CKSUM, 1000), 3);
	assert_be16s(34 + 8 + 16 + 18 + 20 + TCP_CHECK, 0x45c2, 0x39d2, 0x49ef);
	for (i = 0; i < 3; i++)
		harness_assert_bytes(gso_segs[i].data + 34 + 16, opts, sizeof(opts));
}

static void
geneve_with_more_options_than_an_mbuf_can_say(void **state)
{
	static const uint8_t opts[252];
	struct csum_gso_req req;
	struct rte_mbuf *m;

	frame_ether(&gso_frame);
	frame_outer4(&gso_frame);
	frame_udp(&gso_frame, 50000, 6081);
	frame_geneve(&gso_frame, 42, opts, sizeof(opts));
	frame_ether_inner(&gso_frame);
	add_tcp4(2500);
	frame_finish(&gso_frame);
	m = frame_mbuf(&gso_frame, gso_in, NULL, 0);
	req = (struct csum_gso_req){
		.ol_flags = TSO4 | GENEVE | OUTER4 | OUTER_CKSUM, .outer_l2_len = 14,
		.outer_l3_len = 20, .l2_len = 8 + 8 + 252 + 14, .l3_len = 20, .l4_len = 20,
		.segsz = 1000,
	};
	assert_int_equal(gso_cut_req(m, &req), 3);
	assert_be16s(34 + 282 + 20 + TCP_CHECK, 0x45c2, 0x39d2, 0x49ef);
}

static void
vxlan_gpe_names_its_payload(void **state)
{
	static const uint8_t gpe4[8] = { 0x0c, 0, 0, 1, 0, 0, 42, 0 };
	static const uint8_t gpe_ether[8] = { 0x0c, 0, 0, 3, 0, 0, 42, 0 };
	static const uint8_t gpe_nsh[8] = { 0x0c, 0, 0, 4, 0, 0, 42, 0 };
	const uint8_t *const hdrs[] = { gpe4, gpe_ether, gpe_nsh };
	unsigned int i;
	int ret;

	for (i = 0; i < RTE_DIM(hdrs); i++) {
		frame_init(&gso_frame);
		frame_ether(&gso_frame);
		frame_outer4(&gso_frame);
		frame_udp(&gso_frame, 50000, 4790);
		frame_add(&gso_frame, FRAME_VXLAN, hdrs[i], 8);
		if (hdrs[i] == gpe_ether)
			frame_ether_inner(&gso_frame);
		add_tcp4(2500);
		ret = gso_cut_frame(TSO4 | GPE | OUTER4 | OUTER_CKSUM, 1000);
		assert_int_equal(ret, hdrs[i] == gpe_nsh ? -ENOTSUP : 3);
		if (hdrs[i] == gpe4)
			assert_be16s(50 + 20 + TCP_CHECK, 0x45c2, 0x39d2, 0x49ef);
	}
}

static void
uso_in_a_tunnel(void **state)
{
	gso_frame_vxlan(6);
	frame_i6(&gso_frame);
	frame_udp(&gso_frame, 1024, 4096);
	frame_payload(&gso_frame, 2501);
	assert_int_equal(gso_cut_frame(USO6 | VXLAN | OUTER6, 1000), 3);
	assert_be16s(INNER_TCP + V6 + 20 + 4, 1008, 1008, 509);
}

static void
ufo_in_a_tunnel_fragments_the_inner_datagram(void **state)
{
	unsigned int family;

	gso_conf.flags = CSUM_GSO_F_UFO;
	for (family = 4; family <= 6; family += 2) {
		frame_init(&gso_frame);
		gso_frame_vxlan(4);
		if (family == 4)
			frame_i4(&gso_frame);
		else
			frame_i6(&gso_frame);
		frame_udp(&gso_frame, 1024, 4096);
		frame_payload(&gso_frame, 2501);
		/* The reference sums the whole inner fragment for the outer checksum. */
		assert_int_equal(gso_cut_frame((family == 4 ? USO4 : USO6) | VXLAN | OUTER4 |
					       OUTER_CKSUM, 1000), 3);
		assert_be16s(IP_FRAG, 0, 0, 0);
		if (family == 4)
			assert_be16s(INNER + 6, 0x2000, 0x2000 | 125, 250);
		else
			assert_be16s(INNER + 40 + 2, 1, 992 | 1, 1984);
	}
}

static void
unknown_tunnels_are_refused(void **state)
{
	static const uint64_t types[] = {
		RTE_MBUF_F_TX_TUNNEL_ESP, 9ULL << 45, RTE_MBUF_F_TX_TUNNEL_MASK, 0,
	};
	unsigned int i;

	for (i = 0; i < RTE_DIM(types); i++) {
		frame_init(&gso_frame);
		gso_frame_vxlan(4);
		add_tcp4(2500);
		assert_int_equal(gso_cut_frame(TSO4 | OUTER4 | types[i], 1000), -ENOTSUP);
		assert_int_equal(gso_why, CSUM_REFUSAL_TUNNEL);
	}
	/* GRE version 1 (RFC 2637). */
	frame_init(&gso_frame);
	frame_ether(&gso_frame);
	frame_outer4(&gso_frame);
	frame_gre(&gso_frame, 0x2001, 7, 0);
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | OUTER4 | GRE, 1000), -ENOTSUP);
	assert_int_equal(gso_why, CSUM_REFUSAL_TUNNEL);
}

static void
outer_headers_that_contradict_are_refused(void **state)
{
	gso_frame_vxlan(4);
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | OUTER6 | VXLAN, 1000), -EBADMSG);
	assert_int_equal(gso_cut_frame(TSO4 | OUTER4 | OUTER6 | VXLAN, 1000), -EINVAL);
	assert_int_equal(gso_cut_frame(TSO4 | OUTER4 | GRE, 1000), -EBADMSG);
	assert_int_equal(gso_cut_frame(TSO4 | OUTER4 | IPIP, 1000), -EBADMSG);
	assert_int_equal(gso_cut_frame(TSO6 | OUTER4 | VXLAN, 1000), -EBADMSG);
	gso_frame.data[IP] = 0x46;
	assert_int_equal(gso_cut_frame(TSO4 | OUTER4 | VXLAN, 1000), -EBADMSG);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		gso_test(b78_outer_udp_checksum_after_the_inner_one),
		gso_test(b80_old_outer_checksum_does_not_count),
		gso_test(b81_over_ipv6_the_checksum_is_made),
		gso_test(b82_zero_stays_zero),
		gso_test(stale_outer_checksum_is_made_anew),
		gso_test(b21_outer_checksum_computed_as_zero_is_ffff),
		gso_test(b89_tunnel_is_not_fragmented),
		gso_test(outer_id_stays_where_asked),
		gso_test(both_conventions_give_the_same),
		gso_test(b75_ipip_has_no_udp_length),
		gso_test(sit_4in6_6in6),
		gso_test(b90_gre_checksum_and_sequence),
		gso_test(nvgre_carries_ethernet),
		gso_test(geneve_options_and_inner_vlan),
		gso_test(geneve_with_more_options_than_an_mbuf_can_say),
		gso_test(vxlan_gpe_names_its_payload),
		gso_test(uso_in_a_tunnel),
		gso_test(ufo_in_a_tunnel_fragments_the_inner_datagram),
		gso_test(unknown_tunnels_are_refused),
		gso_test(outer_headers_that_contradict_are_refused),
	};

	gso_main(tests);
}
