/* SPDX-License-Identifier: BSD-3-Clause */

/* Tunnels that have a length or a number of their own, and those of which nothing is known. */

#include "gso_test.h"

#define ACK 0x10

/* Offsets in E/IPv4/UDP/GTP-U. */
#define UDP 34
#define GTPU 42
#define GTPU_LEN (GTPU + 2)
#define GTPU_SEQ (GTPU + 8)
#define TCP_CHECK 16

static void
add_tcp4(uint32_t n)
{
	frame_i4(&gso_frame);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, n);
}

static void
begin_udp(uint16_t port)
{
	frame_init(&gso_frame);
	frame_ether(&gso_frame);
	frame_outer4(&gso_frame);
	frame_udp(&gso_frame, 50000, port);
}

static void
begin_gtpu(uint8_t flags, const void *opt, uint32_t len)
{
	begin_udp(2152);
	frame_gtpu(&gso_frame, flags, opt, len);
	add_tcp4(2500);
}

/* Begin Ethernet, IPv4 with a protocol number that no header of the frame's has set. */
static void
begin_ip(uint8_t proto)
{
	frame_init(&gso_frame);
	frame_ether(&gso_frame);
	frame_outer4(&gso_frame);
	gso_frame.data[14 + 9] = proto;
}

static void
assert_inner_tcp4(uint32_t ip)
{
	assert_be16s(ip + 2, 1040, 1040, 540);
	assert_be16s(ip + 4, 0x1000, 0x1001, 0x1002);
	assert_be16s(ip + 20 + TCP_CHECK, 0x45c2, 0x39d2, 0x49ef);
	gso_assert_payload(ip + 40, 2500);
}

static void
gtpu_length_is_each_segments_own(void **state)
{
	begin_gtpu(0, "", 0);
	harness_put_be16(gso_frame.data + GTPU_LEN, 0xbeef);
	/* So that frame_finish() leaves it alone. */
	gso_frame.layer[3].type = FRAME_PAYLOAD;
	assert_int_equal(gso_cut_frame(TSO4 | GTP | OUTER4 | OUTER_CKSUM, 1000), 3);
	assert_be16s(GTPU_LEN, 1040, 1040, 540);
	assert_be16s(UDP + 4, 1056, 1056, 556);
	assert_inner_tcp4(GTPU + 8);
}

static void
gtpu_options_count_and_stay(void **state)
{
	/* Sequence number, N-PDU number, PDU session container of 4 bytes, another of 8. */
	static const uint8_t opt[16] = {
		0xff, 0xff, 9, 0x85, 1, 0x10, 5, 0xc0, 2, 1, 2, 3, 4, 5, 6, 0,
	};
	unsigned int i;

	begin_gtpu(7, opt, sizeof(opt));
	assert_int_equal(gso_cut_frame(TSO4 | GTP | OUTER4 | OUTER_CKSUM, 1000), 3);
	assert_be16s(GTPU_LEN, 1056, 1056, 556);
	assert_be16s(GTPU_SEQ, 0xffff, 0, 1);
	for (i = 0; i < 3; i++)
		harness_assert_bytes(gso_segs[i].data + GTPU_SEQ + 2, opt + 2, sizeof(opt) - 2);
	assert_inner_tcp4(GTPU + 8 + 16);
}

/* With any of the three flags all optional fields are there, those of other flags unused. */
static void
gtpu_number_that_is_unused_does_not_count(void **state)
{
	static const uint8_t opt[4] = { 0x12, 0x34, 9, 0x85 };

	begin_gtpu(1, opt, sizeof(opt));
	assert_int_equal(gso_cut_frame(TSO4 | GTP | OUTER4, 1000), 3);
	assert_be16s(GTPU_SEQ, 0x1234, 0x1234, 0x1234);
	assert_be16s(GTPU_LEN, 1044, 1044, 544);
	assert_be16s(UDP + 6, 0, 0, 0);
}

static void
gtpu_that_makes_no_sense_is_refused(void **state)
{
	static const uint8_t empty_ext[8] = { 0, 0, 0, 0x85, 0, 1, 2, 0 };
	static const uint8_t long_ext[8] = { 0, 0, 0, 0x85, 200, 1, 2, 0 };
	static const uint8_t no_end[8] = { 0, 0, 0, 0x85, 1, 1, 2, 0x85 };

	begin_gtpu(4, empty_ext, 8);
	assert_int_equal(gso_cut_frame(TSO4 | GTP | OUTER4, 1000), -EBADMSG);
	begin_gtpu(4, long_ext, 8);
	assert_int_equal(gso_cut_frame(TSO4 | GTP | OUTER4, 1000), -EBADMSG);
	begin_gtpu(4, no_end, 8);
	assert_int_equal(gso_cut_frame(TSO4 | GTP | OUTER4, 1000), -EBADMSG);
	/* An echo request; GTP'; version 2. */
	begin_gtpu(0, "", 0);
	gso_frame.data[GTPU + 1] = 1;
	assert_int_equal(gso_cut_frame(TSO4 | GTP | OUTER4, 1000), -ENOTSUP);
	begin_gtpu(0, "", 0);
	gso_frame.data[GTPU] = 0x20;
	assert_int_equal(gso_cut_frame(TSO4 | GTP | OUTER4, 1000), -ENOTSUP);
	begin_gtpu(0, "", 0);
	gso_frame.data[GTPU] = 0x50;
	assert_int_equal(gso_cut_frame(TSO4 | GTP | OUTER4, 1000), -ENOTSUP);
	assert_int_equal(gso_why, CSUM_REFUSAL_TUNNEL);
}

static void
mpls_in_udp(void **state)
{
	begin_udp(6635);
	frame_mpls(&gso_frame, 16, 0);
	frame_mpls(&gso_frame, 17, 1);
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | MPLSINUDP | OUTER4 | OUTER_CKSUM, 1000), 3);
	assert_be16s(UDP + 4, 1056, 1056, 556);
	assert_inner_tcp4(UDP + 8 + 8);
	/* Without a last label. */
	gso_frame.data[UDP + 8 + 4 + 2] &= 0xfe;
	assert_int_equal(gso_cut_frame(TSO4 | MPLSINUDP | OUTER4, 1000), -ENOTSUP);
}

/* The checksum field of such a header lies at an odd distance from what the inner one covers. */
static void
udp_tunnel_of_which_nothing_is_known(void **state)
{
	static const uint8_t header[5] = { 1, 2, 3, 4, 5 };
	unsigned int family, i;

	for (family = 4; family <= 6; family += 2) {
		begin_udp(30000);
		frame_add(&gso_frame, FRAME_VXLAN, header, sizeof(header));
		if (family == 4)
			frame_i4(&gso_frame);
		else
			frame_i6(&gso_frame);
		frame_tcp(&gso_frame, ACK, NULL, 0);
		frame_payload(&gso_frame, 2500);
		/* The reference takes it for plain UDP, and judges all of it. */
		assert_int_equal(gso_cut_frame((family == 4 ? TSO4 : TSO6) | ANY_UDP | OUTER4 |
					       OUTER_CKSUM, 1000), 3);
		for (i = 0; i < 3; i++) {
			harness_assert_bytes(gso_segs[i].data + UDP + 8, header, sizeof(header));
			assert_int_not_equal(gso_be16(i, UDP + 6), 0);
		}
		if (family == 4)
			assert_inner_tcp4(UDP + 8 + sizeof(header));
	}
}

/* B85 the other way round: the flag decides, whatever the port. */
static void
b85_port_of_another_tunnel(void **state)
{
	begin_udp(2152);
	frame_vxlan(&gso_frame, 42);
	frame_ether_inner(&gso_frame);
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | VXLAN | OUTER4, 1000), 3);
	assert_inner_tcp4(UDP + 30);
	assert_be16s(UDP + 8 + 2, 0, 0, 0);
	assert_int_equal(gso_cut_frame(TSO4 | GTP | OUTER4, 1000), -ENOTSUP);
}

static void
ip_tunnels_by_protocol_number(void **state)
{
	begin_ip(0);
	frame_ether_inner(&gso_frame);
	frame_vlan(&gso_frame, 0x8100, 5);
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | ANY_IP | OUTER4, 1000), 3);
	assert_inner_tcp4(34 + 18);

	begin_ip(0);
	frame_mpls(&gso_frame, 16, 1);
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | ANY_IP | OUTER4, 1000), 3);
	assert_inner_tcp4(34 + 4);

	begin_ip(0);
	frame_gre(&gso_frame, 0xb000, 7, 100);
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | ANY_IP | OUTER4, 1000), 3);
	assert_be16s(34 + 4, 0x5f99, 0x5f98, 0x5da3);

	begin_ip(0);
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | ANY_IP | OUTER4, 1000), 3);
	assert_inner_tcp4(34);
}

/* L2TPv3 over IP: a session ID, a cookie, a sublayer, as long as the two ends have agreed. */
static void
ip_tunnel_of_which_nothing_is_known(void **state)
{
	static const uint8_t header[11] = { 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8 };

	begin_ip(115);
	frame_add(&gso_frame, FRAME_VXLAN, header, sizeof(header));
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | ANY_IP | OUTER4, 1000), 3);
	assert_inner_tcp4(34 + sizeof(header));
	assert_be16s(16, 1071, 1071, 571);
}

/* What has a length, a checksum or a signature that would not be right. */
static void
ip_tunnel_that_is_none_is_refused(void **state)
{
	static const struct {
		uint8_t proto;
		int ret;
	} protos[] = { { 6, -ENOTSUP }, { 50, -ENOTSUP }, { 51, -ENOTSUP }, { 17, -EBADMSG } };
	static const uint8_t header[24];
	unsigned int i;

	for (i = 0; i < RTE_DIM(protos); i++) {
		begin_ip(protos[i].proto);
		frame_add(&gso_frame, FRAME_VXLAN, header, sizeof(header));
		add_tcp4(2500);
		assert_int_equal(gso_cut_frame(TSO4 | ANY_IP | OUTER4, 1000), protos[i].ret);
	}
}

static void
gpe_carries_mpls(void **state)
{
	static const uint8_t gpe[8] = { 0x0c, 0, 0, 5, 0, 0, 42, 0 };

	begin_udp(4790);
	frame_add(&gso_frame, FRAME_VXLAN, gpe, sizeof(gpe));
	frame_mpls(&gso_frame, 16, 1);
	add_tcp4(2500);
	assert_int_equal(gso_cut_frame(TSO4 | GPE | OUTER4 | OUTER_CKSUM, 1000), 3);
	assert_inner_tcp4(UDP + 16 + 4);
}

/* In the super-packet's 802.3 length stands what reads as an EtherType; PPPoE carries MPLS. */
static void
link_lengths_inside_and_outside_of_a_tunnel(void **state)
{
	static const uint16_t stale[] = { 0, 2048, 0x8100, 0x86dd, 1500, 5000 };
	unsigned int i;

	for (i = 0; i < RTE_DIM(stale); i++) {
		frame_init(&gso_frame);
		frame_ether(&gso_frame);
		frame_pppoe(&gso_frame, 7);
		frame_mpls(&gso_frame, 16, 1);
		frame_outer4(&gso_frame);
		frame_udp(&gso_frame, 50000, 4789);
		frame_vxlan(&gso_frame, 42);
		frame_ether_inner(&gso_frame);
		frame_snap(&gso_frame);
		add_tcp4(2500);
		harness_put_be16(gso_frame.data + frame_off(&gso_frame, FRAME_SNAP, 0) - 2,
				 stale[i]);
		/* So that frame_finish() leaves it alone. */
		gso_frame.layer[7].type = FRAME_PAYLOAD;
		assert_int_equal(gso_cut_frame(TSO4 | VXLAN | OUTER4 | OUTER_CKSUM, 1000), 3);
		assert_be16s(14 + 4, 64 + 1040, 64 + 1040, 64 + 540);
		assert_be16s(26 + 28 + 8 + 12, 1048, 1048, 548);
		assert_inner_tcp4(26 + 28 + 8 + 14 + 8);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		gso_test(gtpu_length_is_each_segments_own),
		gso_test(gtpu_options_count_and_stay),
		gso_test(gtpu_number_that_is_unused_does_not_count),
		gso_test(gtpu_that_makes_no_sense_is_refused),
		gso_test(mpls_in_udp),
		gso_test(udp_tunnel_of_which_nothing_is_known),
		gso_test(b85_port_of_another_tunnel),
		gso_test(ip_tunnels_by_protocol_number),
		gso_test(ip_tunnel_of_which_nothing_is_known),
		gso_test(ip_tunnel_that_is_none_is_refused),
		gso_test(gpe_carries_mpls),
		gso_test(link_lengths_inside_and_outside_of_a_tunnel),
	};

	gso_main(tests);
}
