/* SPDX-License-Identifier: BSD-3-Clause */

#include "prepare_util.h"

/*
 * Values come from public fault reports (by their numbers) and from scapy. Each frame is tried in
 * both of DPDK's tunnel conventions.
 */

#define TX_VXLAN    (TX(TUNNEL_VXLAN) | TX_OUTER4 | TX(OUTER_UDP_CKSUM))
#define TX_VXLAN6   (TX(TUNNEL_VXLAN) | TX(OUTER_IPV6) | TX(OUTER_UDP_CKSUM))

#define IP_CHECK    10
#define TCP_CHECK   16
#define UDP_CHECK   6

static struct frame f;

static void
vxlan(bool outer6)
{
	frame_init(&f);
	frame_ether(&f);
	if (outer6)
		frame_outer6(&f);
	else
		frame_outer4(&f);
	frame_udp(&f, 50000, 4789);
	frame_vxlan(&f, 42);
	frame_ether_inner(&f);
}

static void
end_tcp(uint32_t payload)
{
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, payload);
	frame_finish(&f);
}

static void
vxlan_i4_tcp(bool outer6, uint32_t payload)
{
	vxlan(outer6);
	frame_i4(&f);
	end_tcp(payload);
}

static uint32_t
at(enum frame_type type, unsigned int nth, uint32_t field)
{
	return frame_off(&f, type, nth) + field;
}

static void
b78_b80_vxlan_over_ipv4(void **state)
{
	vxlan_i4_tcp(false, 1000);
	const struct field all[] = {
		{ at(FRAME_IPV4, 0, IP_CHECK), 0xd2a7 }, { at(FRAME_UDP, 0, UDP_CHECK), 0x758a },
		{ at(FRAME_IPV4, 1, IP_CHECK), 0x52e6 }, { at(FRAME_TCP, 0, TCP_CHECK), 0x45c2 },
	};

	prepare_expect_tunnel(&f, TX_VXLAN | TX_TCP4, all, RTE_DIM(all));
	prepare_expect_tunnel(&f, TX_VXLAN & ~TX(OUTER_UDP_CKSUM), all, 1);
	/* Who says OUTER_IPV4 and no tunnel type means a tunnel all the same. */
	prepare_expect_tunnel(&f, TX_OUTER4 | TX(OUTER_UDP_CKSUM) | TX_TCP4, all, RTE_DIM(all));
}

static void
b81_vxlan_over_ipv6(void **state)
{
	vxlan_i4_tcp(true, 1000);
	const struct field all[] = {
		{ at(FRAME_UDP, 0, UDP_CHECK), 0x9e07 }, { at(FRAME_IPV4, 0, IP_CHECK), 0x52e6 },
		{ at(FRAME_TCP, 0, TCP_CHECK), 0x45c2 },
	};

	prepare_expect_tunnel(&f, TX_VXLAN6 | TX_TCP4, all, RTE_DIM(all));
}

static void
b82_an_outer_checksum_not_asked_for_stays(void **state)
{
	vxlan_i4_tcp(false, 1000);
	const struct field inner[] = {
		{ at(FRAME_IPV4, 1, IP_CHECK), 0x52e6 }, { at(FRAME_TCP, 0, TCP_CHECK), 0x45c2 },
	};

	prepare_expect_tunnel(&f, TX(TUNNEL_VXLAN) | TX(OUTER_IPV4) | TX_TCP4, inner, 2);
	prepare_expect_tunnel(&f, TX(TUNNEL_VXLAN) | TX_TCP4, inner, 2);
	harness_put_be16(f.data + at(FRAME_UDP, 0, UDP_CHECK), 0x1234);
	prepare_expect_tunnel(&f, TX(TUNNEL_VXLAN) | TX(OUTER_IPV4) | TX_TCP4, inner, 2);
}

static void
ipv6_in_vxlan(void **state)
{
	vxlan(false);
	frame_i6(&f);
	end_tcp(101);
	const struct field all[] = {
		{ at(FRAME_IPV4, 0, IP_CHECK), 0xd616 }, { at(FRAME_UDP, 0, UDP_CHECK), 0x7f4b },
		{ at(FRAME_TCP, 0, TCP_CHECK), 0x2425 },
	};

	prepare_expect_tunnel(&f, TX_VXLAN | TX_TCP6, all, RTE_DIM(all));

	vxlan(true);
	frame_i6(&f);
	frame_ipv6_ext(&f, 0, NULL, 0);
	end_tcp(16);
	const struct field ext[] = {
		{ at(FRAME_UDP, 0, UDP_CHECK), 0xa756 }, { at(FRAME_TCP, 0, TCP_CHECK), 0xec07 },
	};

	prepare_expect_tunnel(&f, TX_VXLAN6 | TX_TCP6, ext, RTE_DIM(ext));
}

static void
udp_in_vxlan(void **state)
{
	vxlan(false);
	frame_i4(&f);
	frame_udp(&f, 1024, 4096);
	frame_payload(&f, 101);
	frame_finish(&f);
	const struct field all[] = {
		{ at(FRAME_IPV4, 0, IP_CHECK), 0xd636 }, { at(FRAME_UDP, 0, UDP_CHECK), 0x7924 },
		{ at(FRAME_IPV4, 1, IP_CHECK), 0x566a }, { at(FRAME_UDP, 1, UDP_CHECK), 0xd743 },
	};

	prepare_expect_tunnel(&f, TX_VXLAN | TX_UDP4, all, RTE_DIM(all));
}

/* A CRC says nothing of the Internet checksum of what it covers. */
static void
sctp_in_vxlan_is_summed_whole(void **state)
{
	vxlan(false);
	frame_i4(&f);
	frame_sctp(&f, 1, 2, 3);
	frame_sctp_data(&f, 1, "abcd", 4);
	frame_finish(&f);
	const struct field all[] = {
		{ at(FRAME_IPV4, 0, IP_CHECK), 0xd683 }, { at(FRAME_UDP, 0, UDP_CHECK), 0xe420 },
		{ at(FRAME_IPV4, 1, IP_CHECK), 0x5644 }, { at(FRAME_SCTP, 0, 8), 0x385f },
		{ at(FRAME_SCTP, 0, 10), 0x83d8 },
	};

	prepare_expect_tunnel(&f, TX_VXLAN | TX(IPV4) | TX(IP_CKSUM) | TX(SCTP_CKSUM), all,
			      RTE_DIM(all));
}

/* With its checksums as they are, the inner packet is payload like any other. */
static void
an_inner_packet_without_requests_is_summed_whole(void **state)
{
	vxlan_i4_tcp(false, 1000);
	harness_put_be16(f.data + at(FRAME_IPV4, 1, IP_CHECK), 0x52e6);
	harness_put_be16(f.data + at(FRAME_TCP, 0, TCP_CHECK), 0x45c2);
	const struct field outer[] = {
		{ at(FRAME_IPV4, 0, IP_CHECK), 0xd2a7 }, { at(FRAME_UDP, 0, UDP_CHECK), 0x758a },
	};

	prepare_expect_tunnel(&f, TX_VXLAN, outer, 2);

	vxlan(false);
	frame_i4(&f);
	frame_icmp(&f);
	frame_payload(&f, 33);
	frame_finish(&f);
	harness_put_be16(f.data + at(FRAME_ICMP, 0, 2), 0xe6fe);
	const struct field icmp[] = {
		{ at(FRAME_IPV4, 0, IP_CHECK), 0xd67a }, { at(FRAME_UDP, 0, UDP_CHECK), 0x652b },
		{ at(FRAME_IPV4, 1, IP_CHECK), 0x56be },
	};

	prepare_expect_tunnel(&f, TX_VXLAN | TX(IPV4) | TX(IP_CKSUM), icmp, RTE_DIM(icmp));
}

/* The port fills the inner checksums later: the outer one must be right then. */
static void
outer_checksum_stands_for_inner_ones_left_to_the_port(void **state)
{
	struct rte_mbuf *m;

	vxlan_i4_tcp(false, 1000);
	m = frame_mbuf(&f, prepare_pool, NULL, 0);
	m->ol_flags |= TX_VXLAN | TX_TCP4;
	assert_int_equal(csum_pkt_prepare(m, TX(OUTER_IP_CKSUM) | TX(OUTER_UDP_CKSUM), NULL), 0);
	harness_put_be16(f.data + at(FRAME_IPV4, 0, IP_CHECK), 0xd2a7);
	harness_put_be16(f.data + at(FRAME_UDP, 0, UDP_CHECK), 0x758a);
	harness_assert_chain(m, f.data, f.len);
	rte_pktmbuf_free(m);
}

/* Without TCP or UDP inside, the outer checksum is that of the bytes as they will be sent. */
static void
inner_header_is_filled_before_an_outer_checksum_covers_it(void **state)
{
	struct rte_mbuf *m;

	vxlan(false);
	frame_i4(&f);
	frame_icmp(&f);
	frame_payload(&f, 33);
	frame_finish(&f);
	harness_put_be16(f.data + at(FRAME_ICMP, 0, 2), 0xe6fe);
	m = frame_mbuf(&f, prepare_pool, NULL, 0);
	m->ol_flags |= TX_VXLAN | TX(IPV4) | TX(IP_CKSUM);
	assert_int_equal(csum_pkt_prepare(m, TX(OUTER_IP_CKSUM) | TX(OUTER_UDP_CKSUM), NULL), 0);
	harness_put_be16(f.data + at(FRAME_IPV4, 0, IP_CHECK), 0xd67a);
	harness_put_be16(f.data + at(FRAME_UDP, 0, UDP_CHECK), 0x652b);
	harness_put_be16(f.data + at(FRAME_IPV4, 1, IP_CHECK), 0x56be);
	harness_assert_chain(m, f.data, f.len);
	rte_pktmbuf_free(m);
}

/* Local checksum offload reads no payload: it may even be somewhere that cannot be read. */
static void
outer_checksum_is_made_from_headers_alone(void **state)
{
	const uint16_t hdr_len = 14 + 20 + 30 + 20 + 20;
	struct rte_mbuf *m, *payload;
	void *own;

	vxlan_i4_tcp(false, 1000);
	m = frame_mbuf(&f, prepare_pool, &hdr_len, 1);
	m->ol_flags |= TX_VXLAN | TX_TCP4;
	payload = m->next;
	own = payload->buf_addr;
	payload->buf_addr = NULL;
	assert_int_equal(csum_pkt_prepare(m, TX(OUTER_UDP_CKSUM) | TX(IP_CKSUM), NULL), 0);
	payload->buf_addr = own;
	harness_put_be16(f.data + at(FRAME_UDP, 0, UDP_CHECK), 0x758a);
	harness_put_be16(f.data + at(FRAME_IPV4, 1, IP_CHECK), 0x52e6);
	harness_assert_chain(m, f.data, f.len);
	rte_pktmbuf_free(m);
}

static void
b76_geneve_options_are_part_of_l2(void **state)
{
	static const uint8_t opts[8] = { 0x01, 0x02, 0x80, 0x01 };

	frame_init(&f);
	frame_ether(&f);
	frame_outer4(&f);
	frame_udp(&f, 50000, 6081);
	frame_geneve(&f, 42, opts, sizeof(opts));
	frame_ether_inner(&f);
	frame_i4(&f);
	end_tcp(100);
	assert_int_equal(harness_be16(f.data + at(FRAME_UDP, 0, 4)), 178);
	const struct field all[] = {
		{ at(FRAME_UDP, 0, UDP_CHECK), 0x9396 }, { at(FRAME_IPV4, 1, IP_CHECK), 0x566a },
		{ at(FRAME_TCP, 0, TCP_CHECK), 0xcf98 },
	};

	prepare_expect_tunnel(&f, TX(TUNNEL_GENEVE) | TX(OUTER_IPV4) | TX(OUTER_UDP_CKSUM) |
			      TX_TCP4, all, RTE_DIM(all));
}

static void
b84_ipip_and_gre(void **state)
{
	frame_init(&f);
	frame_ether(&f);
	frame_outer4(&f);
	frame_i4(&f);
	end_tcp(100);
	const struct field ipip[] = {
		{ at(FRAME_IPV4, 0, IP_CHECK), 0xd656 }, { at(FRAME_IPV4, 1, IP_CHECK), 0x566a },
		{ at(FRAME_TCP, 0, TCP_CHECK), 0xcf98 },
	};

	prepare_expect_tunnel(&f, TX(TUNNEL_IPIP) | TX_OUTER4 | TX_TCP4, ipip, RTE_DIM(ipip));

	frame_init(&f);
	frame_ether(&f);
	frame_outer4(&f);
	frame_gre(&f, 0, 0, 0);
	frame_i4(&f);
	end_tcp(100);
	const struct field gre[] = {
		{ at(FRAME_IPV4, 0, IP_CHECK), 0xd627 }, { at(FRAME_IPV4, 1, IP_CHECK), 0x566a },
		{ at(FRAME_TCP, 0, TCP_CHECK), 0xcf98 },
	};

	prepare_expect_tunnel(&f, TX(TUNNEL_GRE) | TX_OUTER4 | TX_TCP4, gre, RTE_DIM(gre));
}

/* Outer lengths are undefined where no flag speaks of a tunnel. */
static void
stale_outer_lengths_are_ignored_without_a_tunnel(void **state)
{
	struct rte_mbuf *m;

	frame_init(&f);
	frame_ether(&f);
	frame_i4(&f);
	end_tcp(100);
	m = frame_mbuf(&f, prepare_pool, NULL, 0);
	m->outer_l2_len = 127;
	m->outer_l3_len = 511;
	m->ol_flags |= TX(IPV4) | TX(TCP_CKSUM);
	assert_int_equal(csum_pkt_prepare(m, CSUM_PKT_TX_CKSUM_MASK, NULL), 0);
	harness_put_be16(f.data + at(FRAME_TCP, 0, TCP_CHECK), 0xcf98);
	harness_assert_chain(m, f.data, f.len);
	rte_pktmbuf_free(m);
}

/* A request for outer checksums alone need not describe anything inside. */
static void
outer_checksums_need_no_inner_lengths(void **state)
{
	struct rte_mbuf *m;

	vxlan_i4_tcp(false, 1000);
	harness_put_be16(f.data + at(FRAME_IPV4, 1, IP_CHECK), 0x52e6);
	harness_put_be16(f.data + at(FRAME_TCP, 0, TCP_CHECK), 0x45c2);
	m = frame_mbuf(&f, prepare_pool, NULL, 0);
	m->l2_len = 0;
	m->l3_len = 0;
	m->l4_len = 0;
	m->ol_flags |= TX_OUTER4 | TX(OUTER_UDP_CKSUM);
	assert_int_equal(csum_pkt_prepare(m, CSUM_PKT_TX_CKSUM_MASK, NULL), 0);
	harness_put_be16(f.data + at(FRAME_IPV4, 0, IP_CHECK), 0xd2a7);
	harness_put_be16(f.data + at(FRAME_UDP, 0, UDP_CHECK), 0x758a);
	harness_assert_chain(m, f.data, f.len);
	rte_pktmbuf_free(m);
}

#define CASE(name) cmocka_unit_test_teardown(name, prepare_pool_is_whole)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(b78_b80_vxlan_over_ipv4),
		CASE(b81_vxlan_over_ipv6),
		CASE(b82_an_outer_checksum_not_asked_for_stays),
		CASE(ipv6_in_vxlan),
		CASE(udp_in_vxlan),
		CASE(sctp_in_vxlan_is_summed_whole),
		CASE(an_inner_packet_without_requests_is_summed_whole),
		CASE(outer_checksum_stands_for_inner_ones_left_to_the_port),
		CASE(inner_header_is_filled_before_an_outer_checksum_covers_it),
		CASE(outer_checksum_is_made_from_headers_alone),
		CASE(b76_geneve_options_are_part_of_l2),
		CASE(b84_ipip_and_gre),
		CASE(stale_outer_lengths_are_ignored_without_a_tunnel),
		CASE(outer_checksums_need_no_inner_lengths),
	};

	prepare_start("prepare_tunnel");
	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
