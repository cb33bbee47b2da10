/* SPDX-License-Identifier: BSD-3-Clause */

#include "gso_test.h"

#define IP 14
#define TCP 34
#define ACK 0x10
#define SYN 0x02
#define RST 0x04

/* Cut gso_frame, which must be refused. */
static void
refused(uint64_t ol_flags, uint16_t segsz, int ret, enum csum_refusal why)
{
	assert_int_equal(gso_cut_frame(ol_flags, segsz), ret);
	assert_int_equal(gso_why, why);
}

static void
b61_no_flag_or_no_size(void **state)
{
	gso_frame_tcp4(ACK, 2500);
	refused(RTE_MBUF_F_TX_IPV4, 1, -EINVAL, CSUM_REFUSAL_FLAGS);
	refused(TSO4, 0, -EINVAL, CSUM_REFUSAL_SEGSZ);
}

static void
flags_that_contradict(void **state)
{
	gso_frame_tcp4(ACK, 2500);
	refused(RTE_MBUF_F_TX_TCP_SEG, 1000, -EINVAL, CSUM_REFUSAL_FLAGS);
	refused(TSO4 | TSO6, 1000, -EINVAL, CSUM_REFUSAL_FLAGS);
	refused(TSO4 | USO4, 1000, -EINVAL, CSUM_REFUSAL_FLAGS);
	refused(TSO4 | RTE_MBUF_F_TX_UDP_CKSUM, 1000, -EINVAL, CSUM_REFUSAL_FLAGS);
	refused(TSO4 | RTE_MBUF_F_TX_SCTP_CKSUM, 1000, -EINVAL, CSUM_REFUSAL_FLAGS);
	refused(TSO6, 1000, -EBADMSG, CSUM_REFUSAL_HEADER);
}

static void
b62_fragments(void **state)
{
	static const uint16_t frags[] = { 0x2000, 185, 0x2000 | 185 };
	static const uint8_t header[6] = { 0, 1 };
	unsigned int i;

	for (i = 0; i < RTE_DIM(frags); i++) {
		frame_init(&gso_frame);
		gso_frame_udp4(1472);
		harness_put_be16(gso_frame.data + IP + 6, frags[i]);
		refused(USO4, 500, -ENOTSUP, CSUM_REFUSAL_FRAGMENT);
	}
	frame_init(&gso_frame);
	frame_ether(&gso_frame);
	frame_i6(&gso_frame);
	frame_ipv6_ext(&gso_frame, 44, header, sizeof(header));
	frame_udp(&gso_frame, 1024, 4096);
	frame_payload(&gso_frame, 1472);
	refused(USO6, 500, -ENOTSUP, CSUM_REFUSAL_FRAGMENT);
}

static void
b73_lengths_that_the_headers_contradict(void **state)
{
	struct csum_gso_req req = {
		.ol_flags = TSO4, .l2_len = 14, .l3_len = 20, .l4_len = 20, .segsz = 1000,
	};

	gso_frame_tcp4(ACK, 2500);
	frame_finish(&gso_frame);
	/* Data offset 8, IHL 7, data offset 4. */
	gso_frame.data[TCP + 12] = 0x80;
	assert_int_equal(gso_cut_req(frame_mbuf(&gso_frame, gso_in, NULL, 0), &req), -EBADMSG);
	gso_frame.data[TCP + 12] = 0x50;
	gso_frame.data[IP] = 0x47;
	assert_int_equal(gso_cut_req(frame_mbuf(&gso_frame, gso_in, NULL, 0), &req), -EBADMSG);
	gso_frame.data[IP] = 0x45;
	gso_frame.data[TCP + 12] = 0x40;
	req.l4_len = 16;
	assert_int_equal(gso_cut_req(frame_mbuf(&gso_frame, gso_in, NULL, 0), &req), -EBADMSG);
	req.l4_len = 0;
	assert_int_equal(gso_cut_req(frame_mbuf(&gso_frame, gso_in, NULL, 0), &req), -EINVAL);
	req.l4_len = 20;
	req.l3_len = 0;
	assert_int_equal(gso_cut_req(frame_mbuf(&gso_frame, gso_in, NULL, 0), &req), -EINVAL);

	frame_init(&gso_frame);
	gso_frame_udp4(2500);
	refused(TSO4, 1000, -EBADMSG, CSUM_REFUSAL_HEADER);
}

static void
extension_headers_outside_of_l3_len(void **state)
{
	struct csum_gso_req req = {
		.ol_flags = TSO6, .l2_len = 14, .l3_len = 40, .l4_len = 20, .segsz = 1000,
	};

	frame_ether(&gso_frame);
	frame_i6(&gso_frame);
	frame_ipv6_ext(&gso_frame, 60, NULL, 0);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, 2500);
	frame_finish(&gso_frame);
	assert_int_equal(gso_cut_req(frame_mbuf(&gso_frame, gso_in, NULL, 0), &req), -EBADMSG);
	req.l3_len = 56;
	assert_int_equal(gso_cut_req(frame_mbuf(&gso_frame, gso_in, NULL, 0), &req), -EBADMSG);
}

/* More segments left than there are addresses, by one and by far; one of a kind not known. */
static void
route_that_leads_nowhere(void **state)
{
	static const uint8_t left[] = { 2, 255 };
	uint8_t route[22] = { 4, 1, [6] = 0x20, 1, 0xd, 0xb8, [21] = 99 };
	unsigned int i;

	for (i = 0; i < 3; i++) {
		route[0] = i == 2 ? 5 : 4;
		route[1] = i == 2 ? 1 : left[i];
		frame_init(&gso_frame);
		frame_ether(&gso_frame);
		frame_i6(&gso_frame);
		frame_ipv6_ext(&gso_frame, 43, route, sizeof(route));
		frame_tcp(&gso_frame, ACK, NULL, 0);
		frame_payload(&gso_frame, 2500);
		if (i == 2)
			refused(TSO6, 1000, -ENOTSUP, CSUM_REFUSAL_PROTOCOL);
		else
			refused(TSO6, 1000, -EBADMSG, CSUM_REFUSAL_HEADER);
	}
}

static void
b74_neither_tcp_nor_udp(void **state)
{
	struct csum_gso_req req = {
		.ol_flags = TSO4, .l2_len = 14, .l3_len = 20, .l4_len = 20, .segsz = 1000,
	};

	frame_ether(&gso_frame);
	frame_i4(&gso_frame);
	frame_icmp(&gso_frame);
	frame_payload(&gso_frame, 2500);
	frame_finish(&gso_frame);
	assert_int_equal(gso_cut_req(frame_mbuf(&gso_frame, gso_in, NULL, 0), &req), -ENOTSUP);
	assert_int_equal(gso_why, CSUM_REFUSAL_PROTOCOL);
	frame_init(&gso_frame);
	frame_ether(&gso_frame);
	frame_i4(&gso_frame);
	frame_udplite(&gso_frame, 1, 2, 0);
	frame_payload(&gso_frame, 2500);
	refused(USO4, 1000, -ENOTSUP, CSUM_REFUSAL_PROTOCOL);
}

static void
syn_and_rst_are_not_cut(void **state)
{
	static const uint8_t flags[] = { SYN, RST | ACK, SYN | ACK };
	unsigned int i;

	for (i = 0; i < RTE_DIM(flags); i++) {
		frame_init(&gso_frame);
		gso_frame_tcp4(flags[i], 2500);
		refused(TSO4, 1000, -ENOTSUP, CSUM_REFUSAL_TCP_FLAGS);
		/* What is one segment anyway needs no cutting. */
		frame_init(&gso_frame);
		gso_frame_tcp4(flags[i], 0);
		assert_int_equal(gso_cut_frame(TSO4, 1000), 1);
	}
}

static void
segments_too_long_for_their_length_fields(void **state)
{
	gso_frame_tcp4(ACK, 65535);
	assert_int_equal(gso_cut_frame(TSO4, 65495), 2);
	refused(TSO4, 65496, -ENOTSUP, CSUM_REFUSAL_TOO_BIG);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		gso_test(b61_no_flag_or_no_size),
		gso_test(flags_that_contradict),
		gso_test(b62_fragments),
		gso_test(b73_lengths_that_the_headers_contradict),
		gso_test(extension_headers_outside_of_l3_len),
		gso_test(route_that_leads_nowhere),
		gso_test(b74_neither_tcp_nor_udp),
		gso_test(syn_and_rst_are_not_cut),
		gso_test(segments_too_long_for_their_length_fields),
	};

	gso_main(tests);
}
