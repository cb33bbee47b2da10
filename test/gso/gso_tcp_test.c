/* SPDX-License-Identifier: BSD-3-Clause */

#include "gso_test.h"

/* Offsets in Ethernet, IPv4, TCP. */
#define IP 14
#define IP_LEN (IP + 2)
#define IP_ID (IP + 4)
#define IP_CHECK (IP + 10)
#define TCP 34
#define TCP_SEQ (TCP + 4)
#define TCP_WORD (TCP + 12)
#define TCP_CHECK (TCP + 16)
#define TCP_URGENT (TCP + 18)
#define PAYLOAD (TCP + 20)
/* The same with IPv6. */
#define IP6_LEN (14 + 4)
#define TCP6 54

#define ACK 0x10
#define URG 0x20

static void
b25_parity_is_not_carried_over(void **state)
{
	gso_frame_tcp4(ACK, 300);
	assert_int_equal(gso_cut_frame(TSO4, 113), 3);
	assert_lens(PAYLOAD + 113, PAYLOAD + 113, PAYLOAD + 74);
	assert_be16s(TCP_CHECK, 0xe70c, 0xa4ca, 0x0710);
	gso_assert_payload(PAYLOAD, 300);
}

static void
b46_fin_and_push_on_the_last_b47_cwr_on_the_first(void **state)
{
	gso_frame_tcp4(0xd9, 2500);
	assert_int_equal(gso_cut_frame(TSO4, 1000), 3);
	assert_be16s(TCP_WORD, 0x50d0, 0x5050, 0x5059);
	assert_int_equal(gso_be32(0, TCP_SEQ), 1000);
	assert_int_equal(gso_be32(1, TCP_SEQ), 2000);
	assert_int_equal(gso_be32(2, TCP_SEQ), 3000);
	assert_be16s(IP_ID, 0x1000, 0x1001, 0x1002);
	assert_be16s(TCP_CHECK, 0x4502, 0x3992, 0x49a6);
	assert_be16s(IP_CHECK, 0x52e6, 0x52e5, 0x54d8);
}

static void
accecn_keeps_cwr_and_ae_on_all(void **state)
{
	uint32_t tcp;

	gso_frame_tcp4(0xd9, 2500);
	tcp = frame_off(&gso_frame, FRAME_TCP, 0);
	gso_frame.data[tcp + 12] |= 1;
	gso_conf.flags = CSUM_GSO_F_ACCECN;
	assert_int_equal(gso_cut_frame(TSO4, 1000), 3);
	assert_be16s(TCP_WORD, 0x51d0, 0x51d0, 0x51d9);
}

static void
b49_id_is_increased_and_wraps(void **state)
{
	gso_frame_tcp4(ACK, 3000);
	harness_put_be16(gso_frame.data + IP_ID, 0xfffe);
	assert_int_equal(gso_cut_frame(TSO4, 1000), 3);
	assert_be16s(IP_ID, 0xfffe, 0xffff, 0x0000);
	assert_be16s(IP_CHECK, 0x62e7, 0x62e6, 0x62e6);
}

static void
id_stays_where_asked(void **state)
{
	gso_frame_tcp4(ACK, 3000);
	gso_conf.flags = CSUM_GSO_F_IPID_FIXED;
	assert_int_equal(gso_cut_frame(TSO4, 1000), 3);
	assert_be16s(IP_ID, 0x1000, 0x1000, 0x1000);
}

static void
b51_payload_of_one_segment_is_not_cut(void **state)
{
	gso_frame_tcp4(ACK, 1460);
	assert_int_equal(gso_cut_frame(TSO4, 1460), 1);
	assert_be16s(TCP_CHECK, 0xc188);

	frame_init(&gso_frame);
	gso_frame_tcp4(ACK, 1461);
	assert_int_equal(gso_cut_frame(TSO4, 1460), 2);
	assert_lens(1514, 55);
	assert_int_equal(gso_be32(1, TCP_SEQ), 2460);
	assert_int_equal(gso_be16(1, TCP_CHECK), 0x9914);
}

static void
b52_short_payload_is_completed(void **state)
{
	gso_frame_tcp4(ACK, 100);
	assert_int_equal(gso_cut_frame(TSO4, 1460), 1);
	assert_be16s(TCP_CHECK, 0xcf98);
}

static void
b56_ipv6_payload_length(void **state)
{
	gso_frame_tcp6(ACK, 2500);
	harness_put_be32(gso_frame.data + 14, 0x6ab12345);
	gso_frame.data[14 + 7] = 33;
	assert_int_equal(gso_cut_frame(TSO6, 1000), 3);
	assert_be16s(IP6_LEN, 1020, 1020, 520);
	assert_be16s(TCP6 + 16, 0xfe4f, 0xf25f, 0x027d);
	assert_int_equal(gso_be32(2, 14), 0x6ab12345);
	assert_int_equal(gso_segs[2].data[14 + 7], 33);
	gso_assert_payload(TCP6 + 20, 2500);
}

static void
b57_b68_whatever_the_fields_hold(void **state)
{
	gso_frame_tcp4(ACK, 2500);
	frame_finish(&gso_frame);
	harness_put_be16(gso_frame.data + IP_LEN, 0);
	harness_put_be16(gso_frame.data + IP_CHECK, 0xbeef);
	harness_put_be16(gso_frame.data + TCP_CHECK, 0x1409);
	assert_int_equal(gso_cut(frame_mbuf(&gso_frame, gso_in, NULL, 0), TSO4, 1000), 3);
	assert_be16s(TCP_CHECK, 0x45c2, 0x39d2, 0x49ef);
	assert_be16s(IP_CHECK, 0x52e6, 0x52e5, 0x54d8);
	assert_be16s(IP_LEN, 1040, 1040, 540);
}

static void
b58_options_are_copied(void **state)
{
	static const uint8_t opts[12] = {
		1, 1, 8, 10, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88,
	};
	unsigned int i;

	frame_ether(&gso_frame);
	frame_i4(&gso_frame);
	frame_tcp(&gso_frame, ACK, opts, sizeof(opts));
	frame_payload(&gso_frame, 2896);
	assert_int_equal(gso_cut_frame(TSO4, 1448), 2);
	assert_lens(1514, 1514);
	assert_be16s(TCP_CHECK, 0x1fd7, 0x8196);
	for (i = 0; i < gso_nb; i++)
		harness_assert_bytes(gso_segs[i].data + PAYLOAD, opts, sizeof(opts));
	gso_assert_payload(PAYLOAD + 12, 2896);
}

static void
b60_vlan_and_qinq_are_in_l2(void **state)
{
	frame_ether(&gso_frame);
	frame_vlan(&gso_frame, 0x8100, 100);
	frame_i4(&gso_frame);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, 2500);
	assert_int_equal(gso_cut_frame(TSO4, 1000), 3);
	assert_lens(1058, 1058, 558);
	assert_be16s(TCP_CHECK + 4, 0x45c2, 0x39d2, 0x49ef);
	assert_be16s(14, 100, 100, 100);

	frame_init(&gso_frame);
	frame_ether(&gso_frame);
	frame_vlan(&gso_frame, 0x88a8, 10);
	frame_vlan(&gso_frame, 0x8100, 100);
	frame_i4(&gso_frame);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, 2500);
	assert_int_equal(gso_cut_frame(TSO4, 1000), 3);
	assert_lens(1062, 1062, 562);
	assert_be16s(TCP_CHECK + 8, 0x45c2, 0x39d2, 0x49ef);
	assert_be16s(14, 10, 10, 10);
	assert_be16s(18, 100, 100, 100);
}

static void
pppoe_length_is_each_segments_own(void **state)
{
	frame_ether(&gso_frame);
	frame_pppoe(&gso_frame, 7);
	frame_i4(&gso_frame);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, 2500);
	assert_int_equal(gso_cut_frame(TSO4, 1000), 3);
	assert_be16s(14 + 4, 1042, 1042, 542);
	assert_be16s(TCP_CHECK + 8, 0x45c2, 0x39d2, 0x49ef);
}

static void
mpls_labels_are_opaque(void **state)
{
	frame_ether(&gso_frame);
	frame_mpls(&gso_frame, 16, 0);
	frame_mpls(&gso_frame, 17, 1);
	frame_i4(&gso_frame);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, 2500);
	assert_int_equal(gso_cut_frame(TSO4, 1000), 3);
	assert_be16s(TCP_CHECK + 8, 0x45c2, 0x39d2, 0x49ef);
}

/* 802.3 with LLC and SNAP: what stands in the EtherType's place counts LLC, SNAP and the rest. */
static void
length_of_802_3_is_each_segments_own(void **state)
{
	static const uint8_t link[22] = {
		2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0, 0, 0xaa, 0xaa, 3, 0, 0, 0, 8, 0,
	};

	frame_add(&gso_frame, FRAME_ETHER, link, sizeof(link));
	frame_i4(&gso_frame);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, 2500);
	assert_int_equal(gso_cut_frame(TSO4, 1000), 3);
	assert_be16s(12, 1048, 1048, 548);
	assert_be16s(TCP_CHECK + 8, 0x45c2, 0x39d2, 0x49ef);
}

static void
sequence_number_wraps(void **state)
{
	gso_frame_tcp4(ACK, 2500);
	harness_put_be32(gso_frame.data + TCP_SEQ, 0xffffff00);
	assert_int_equal(gso_cut_frame(TSO4, 1000), 3);
	assert_int_equal(gso_be32(0, TCP_SEQ), 0xffffff00);
	assert_int_equal(gso_be32(1, TCP_SEQ), 0x000002e8);
	assert_int_equal(gso_be32(2, TCP_SEQ), 0x000006d0);
}

static void
urgent_pointer_is_decreased_then_dropped(void **state)
{
	gso_frame_tcp4(ACK | URG, 3500);
	harness_put_be16(gso_frame.data + TCP_URGENT, 1500);
	assert_int_equal(gso_cut_frame(TSO4, 1000), 4);
	assert_be16s(TCP_URGENT, 1500, 500, 0, 0);
	assert_be16s(TCP_WORD, 0x5030, 0x5030, 0x5010, 0x5010);

	/* It points behind the urgent data (RFC 6093 section 3.1), here at the second segment. */
	frame_init(&gso_frame);
	gso_frame_tcp4(ACK | URG, 2000);
	harness_put_be16(gso_frame.data + TCP_URGENT, 1000);
	assert_int_equal(gso_cut_frame(TSO4, 1000), 2);
	assert_be16s(TCP_URGENT, 1000, 0);
	assert_be16s(TCP_WORD, 0x5030, 0x5010);
}

static void
ipv4_options_are_kept(void **state)
{
	static const uint8_t opts[8] = { 7, 7, 4, 0, 0, 0, 0, 1 };
	unsigned int i;

	frame_ether(&gso_frame);
	frame_ipv4_opts(&gso_frame, "10.0.0.1", "10.0.0.2", 0x1000, opts, sizeof(opts));
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, 2500);
	assert_int_equal(gso_cut_frame(TSO4, 1000), 3);
	assert_be16s(IP_LEN, 1048, 1048, 548);
	assert_be16s(TCP_CHECK + 8, 0x45c2, 0x39d2, 0x49ef);
	for (i = 0; i < gso_nb; i++)
		harness_assert_bytes(gso_segs[i].data + 34, opts, sizeof(opts));
}

static void
r14_extension_headers_count_in_the_length_alone(void **state)
{
	frame_ether(&gso_frame);
	frame_i6(&gso_frame);
	frame_ipv6_ext(&gso_frame, 60, NULL, 0);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, 2500);
	assert_int_equal(gso_cut_frame(TSO6, 1000), 3);
	assert_be16s(IP6_LEN, 1028, 1028, 528);
	/* Those of b56: the pseudo header knows of no extension header. */
	assert_be16s(TCP6 + 8 + 16, 0xfe4f, 0xf25f, 0x027d);
}

static void
final_destination_is_in_the_routing_header(void **state)
{
	/* Types 0 and 4: 2001:db8::2 is the last of two addresses, and the first. */
	static const uint8_t hop[16] = { 0x20, 1, 0xd, 0xb8, [15] = 9 };
	static const uint8_t final[16] = { 0x20, 1, 0xd, 0xb8, [15] = 2 };
	uint8_t body[38] = { 0, 1 };
	unsigned int type;

	for (type = 0; type <= 4; type += 4) {
		frame_init(&gso_frame);
		frame_ether(&gso_frame);
		frame_ipv6(&gso_frame, "2001:db8::1", "2001:db8::7");
		body[0] = (uint8_t)type;
		memcpy(body + 6, type == 0 ? hop : final, 16);
		memcpy(body + 22, type == 0 ? final : hop, 16);
		frame_ipv6_ext(&gso_frame, 43, body, sizeof(body));
		frame_tcp(&gso_frame, ACK, NULL, 0);
		frame_payload(&gso_frame, 2500);
		assert_int_equal(gso_cut_frame(TSO6, 1000), 3);
		assert_be16s(TCP6 + 40 + 16, 0xfe4f, 0xf25f, 0x027d);
	}
}

static void
home_address_counts_as_the_source(void **state)
{
	/* Padding, then 2001:db8::1, whereas the IPv6 header has a care-of address. */
	static const uint8_t body[22] = {
		1, 2, 0, 0, 0xc9, 16, 0x20, 1, 0xd, 0xb8, [21] = 1
	};

	frame_ether(&gso_frame);
	frame_ipv6(&gso_frame, "2001:db8::7", "2001:db8::2");
	frame_ipv6_ext(&gso_frame, 60, body, sizeof(body));
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, 2500);
	assert_int_equal(gso_cut_frame(TSO6, 1000), 3);
	assert_be16s(TCP6 + 24 + 16, 0xfe4f, 0xf25f, 0x027d);
}

/* RFC 2460 section 4.4: there are half as many addresses as units of 8 bytes, rounded down. */
static void
final_destination_is_the_last_whole_address(void **state)
{
	static const uint8_t body[30] = {
		0, 1, [6] = 0x20, 1, 0xd, 0xb8, [21] = 2,
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe
	};

	frame_ether(&gso_frame);
	frame_ipv6(&gso_frame, "2001:db8::1", "2001:db8::7");
	frame_ipv6_ext(&gso_frame, 43, body, sizeof(body));
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, 2500);
	assert_int_equal(gso_cut_frame(TSO6, 1000), 3);
	assert_be16s(TCP6 + 32 + 16, 0xfe4f, 0xf25f, 0x027d);
}

static void
routing_header_at_its_end_has_no_say(void **state)
{
	static const uint8_t body[22] = { 4, 0, [6] = 0x20, 1, 0xd, 0xb8, [21] = 9 };

	frame_ether(&gso_frame);
	frame_i6(&gso_frame);
	frame_ipv6_ext(&gso_frame, 43, body, sizeof(body));
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, 2500);
	assert_int_equal(gso_cut_frame(TSO6, 1000), 3);
	assert_be16s(TCP6 + 24 + 16, 0xfe4f, 0xf25f, 0x027d);
}

static void
sizes_around_the_segment_size(void **state)
{
	static const struct {
		uint32_t payload;
		uint16_t segsz;
		int nb;
	} cases[] = {
		{ 0, 1, 1 }, { 0, 1000, 1 }, { 1, 1, 1 }, { 1, 1000, 1 }, { 999, 1000, 1 },
		{ 1000, 1000, 1 }, { 1001, 1000, 2 }, { 3000, 1000, 3 }, { 3001, 1000, 4 },
		{ 2999, 1000, 3 }, { 500, 1, 500 }, { 100, 3, 34 }, { 65400, 76, 861 },
	};
	unsigned int i;

	for (i = 0; i < RTE_DIM(cases); i++) {
		frame_init(&gso_frame);
		gso_frame_tcp4(0x19, cases[i].payload);
		assert_int_equal(gso_cut_frame(TSO4, cases[i].segsz), cases[i].nb);
		gso_assert_payload(PAYLOAD, cases[i].payload);
		assert_int_equal(gso_be16(gso_nb - 1, TCP_WORD), 0x5019);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		gso_test(b25_parity_is_not_carried_over),
		gso_test(b46_fin_and_push_on_the_last_b47_cwr_on_the_first),
		gso_test(accecn_keeps_cwr_and_ae_on_all),
		gso_test(b49_id_is_increased_and_wraps),
		gso_test(id_stays_where_asked),
		gso_test(b51_payload_of_one_segment_is_not_cut),
		gso_test(b52_short_payload_is_completed),
		gso_test(b56_ipv6_payload_length),
		gso_test(b57_b68_whatever_the_fields_hold),
		gso_test(b58_options_are_copied),
		gso_test(b60_vlan_and_qinq_are_in_l2),
		gso_test(pppoe_length_is_each_segments_own),
		gso_test(mpls_labels_are_opaque),
		gso_test(length_of_802_3_is_each_segments_own),
		gso_test(sequence_number_wraps),
		gso_test(urgent_pointer_is_decreased_then_dropped),
		gso_test(ipv4_options_are_kept),
		gso_test(r14_extension_headers_count_in_the_length_alone),
		gso_test(final_destination_is_in_the_routing_header),
		gso_test(home_address_counts_as_the_source),
		gso_test(final_destination_is_the_last_whole_address),
		gso_test(routing_header_at_its_end_has_no_say),
		gso_test(sizes_around_the_segment_size),
	};

	gso_main(tests);
}
