/* SPDX-License-Identifier: BSD-3-Clause */

#include "gso_test.h"
#include "ref_csum.h"

#define IP 14
#define IP_LEN (IP + 2)
#define IP_ID (IP + 4)
#define IP_FRAG (IP + 6)
#define UDP 34
#define UDP_LEN (UDP + 4)
#define UDP_CHECK (UDP + 6)
#define IP6_LEN (14 + 4)
#define IP6_NEXT (14 + 6)
#define UDP6 54

#define MF 0x2000
#define DF 0x4000
#define MORE6 1
#define NEXT_FRAGMENT 44
#define NEXT_UDP 17

static void
b53_uso_of_an_exact_multiple(void **state)
{
	gso_frame_udp4(3000);
	assert_int_equal(gso_cut_frame(USO4, 1000), 3);
	assert_be16s(UDP_LEN, 1008, 1008, 1008);
	assert_be16s(IP_ID, 0x1000, 0x1001, 0x1002);
	assert_be16s(UDP_CHECK, 0xadeb, 0xa5e3, 0x9ddb);
	gso_assert_payload(UDP + 8, 3000);
}

static void
uso_with_a_short_last(void **state)
{
	gso_frame_udp4(2001);
	assert_int_equal(gso_cut_frame(USO4, 1000), 3);
	assert_be16s(UDP_LEN, 1008, 1008, 9);
	gso_assert_payload(UDP + 8, 2001);
}

static void
uso_over_ipv6(void **state)
{
	gso_frame_udp6(2500);
	assert_int_equal(gso_cut_frame(USO6, 1000), 3);
	assert_be16s(UDP6 + 4, 1008, 1008, 508);
	assert_be16s(IP6_LEN, 1008, 1008, 508);
	gso_assert_payload(UDP6 + 8, 2500);
}

/* Payload 0x9065 makes the computed checksum of I6/U 0 (B22), 0xd7d7 that of I4/U (B21). */
static void
b21_b22_computed_zero_becomes_ffff_in_each_datagram(void **state)
{
	static const uint8_t v4[4] = { 0xd7, 0xd7, 0xd7, 0xd7 };
	static const uint8_t v6[4] = { 0x90, 0x65, 0x90, 0x65 };

	frame_ether(&gso_frame);
	frame_i4(&gso_frame);
	frame_udp(&gso_frame, 1024, 4096);
	frame_bytes(&gso_frame, v4, sizeof(v4));
	assert_int_equal(gso_cut_frame(USO4, 2), 2);
	assert_be16s(UDP_CHECK, 0xffff, 0xffff);

	frame_init(&gso_frame);
	frame_ether(&gso_frame);
	frame_i6(&gso_frame);
	frame_udp(&gso_frame, 1024, 4096);
	frame_bytes(&gso_frame, v6, sizeof(v6));
	assert_int_equal(gso_cut_frame(USO6, 2), 2);
	assert_be16s(UDP6 + 6, 0xffff, 0xffff);
}

static void
b50_ufo_cuts_at_multiples_of_8(void **state)
{
	gso_frame_udp4(3000);
	gso_conf.flags = CSUM_GSO_F_UFO;
	assert_int_equal(gso_cut_frame(USO4, 1480), 3);
	assert_lens(UDP + 1480, UDP + 1480, UDP + 48);
	assert_be16s(IP_FRAG, MF, MF | 185, 370);
	assert_be16s(IP_ID, 0x1000, 0x1000, 0x1000);
	assert_int_equal(gso_be16(0, UDP_CHECK), 0x41f3);
	assert_int_equal(gso_be16(0, UDP_LEN), 3008);
	harness_assert_bytes(gso_segs[1].data + UDP, gso_frame.data + UDP + 1480, 1480);
	harness_assert_bytes(gso_segs[2].data + UDP, gso_frame.data + UDP + 2960, 48);
}

/* As b21, over a datagram of 24 bytes. */
static void
ufo_checksum_computed_as_zero_is_ffff(void **state)
{
	static const uint8_t payload[16] = { 0xd7, 0xbb };

	frame_ether(&gso_frame);
	frame_i4(&gso_frame);
	frame_udp(&gso_frame, 1024, 4096);
	frame_bytes(&gso_frame, payload, sizeof(payload));
	gso_conf.flags = CSUM_GSO_F_UFO;
	assert_int_equal(gso_cut_frame(USO4, 16), 2);
	assert_int_equal(gso_be16(0, UDP_CHECK), 0xffff);
}

static void
ufo_rounds_down_all_but_the_last(void **state)
{
	gso_frame_udp4(1000);
	gso_conf.flags = CSUM_GSO_F_UFO;
	/* 1008 = 504 + 504: the last takes what 503 & ~7 = 496 would not. */
	assert_int_equal(gso_cut_frame(USO4, 503), 3);
	assert_lens(UDP + 496, UDP + 496, UDP + 16);

	frame_init(&gso_frame);
	gso_frame_udp4(991);
	assert_int_equal(gso_cut_frame(USO4, 503), 2);
	assert_lens(UDP + 496, UDP + 503);
	assert_be16s(IP_FRAG, MF, 62);
}

static void
ufo_leaves_a_datagram_that_fits(void **state)
{
	gso_frame_udp4(1472);
	harness_put_be16(gso_frame.data + IP_FRAG, DF);
	gso_conf.flags = CSUM_GSO_F_UFO;
	assert_int_equal(gso_cut_frame(USO4, 1480), 1);
	assert_be16s(IP_FRAG, DF);
	assert_be16s(UDP_LEN, 1480);
}

static void
ufo_refuses_df(void **state)
{
	gso_frame_udp4(1473);
	harness_put_be16(gso_frame.data + IP_FRAG, DF);
	gso_conf.flags = CSUM_GSO_F_UFO;
	assert_int_equal(gso_cut_frame(USO4, 1480), -ENOTSUP);
	assert_int_equal(gso_why, CSUM_REFUSAL_DF);
}

static void
ufo_refuses_what_cannot_be_put_together_again(void **state)
{
	gso_conf.flags = CSUM_GSO_F_UFO;
	gso_frame_udp4(65507);
	assert_int_equal(gso_cut_frame(USO4, 1480), 45);
	frame_init(&gso_frame);
	gso_frame_udp4(65508);
	assert_int_equal(gso_cut_frame(USO4, 1480), -ENOTSUP);
	assert_int_equal(gso_why, CSUM_REFUSAL_TOO_BIG);

	/* Not even the UDP header would fit the first fragment. */
	frame_init(&gso_frame);
	gso_frame_udp4(100);
	assert_int_equal(gso_cut_frame(USO4, 7), -EINVAL);
	assert_int_equal(gso_why, CSUM_REFUSAL_SEGSZ);
	frame_init(&gso_frame);
	gso_frame_udp6(100);
	assert_int_equal(gso_cut_frame(USO6, 15), -EINVAL);
	assert_int_equal(gso_why, CSUM_REFUSAL_SEGSZ);
}

/* RFC 791 section 3.1: options with the copied bit go into every fragment, the others do not. */
static void
ufo_copies_the_options_that_say_so(void **state)
{
	static const uint8_t opts[12] = { 7, 7, 4, 0, 0, 0, 0, 0x94, 4, 0, 0, 0 };
	static const uint8_t later[12] = { 1, 1, 1, 1, 1, 1, 1, 0x94, 4, 0, 0, 0 };

	frame_ether(&gso_frame);
	frame_ipv4_opts(&gso_frame, "10.0.0.1", "10.0.0.2", 0x1000, opts, sizeof(opts));
	frame_udp(&gso_frame, 1024, 4096);
	frame_payload(&gso_frame, 3000);
	gso_conf.flags = CSUM_GSO_F_UFO;
	assert_int_equal(gso_cut_frame(USO4, 1000), 4);
	harness_assert_bytes(gso_segs[0].data + IP + 20, opts, sizeof(opts));
	harness_assert_bytes(gso_segs[1].data + IP + 20, later, sizeof(later));
	harness_assert_bytes(gso_segs[3].data + IP + 20, later, sizeof(later));
}

/* The reference's sum over what fragments carry, put together. */
static uint16_t
udp6_raw(const uint8_t *ip6, const uint8_t *udp, uint16_t len)
{
	struct ref_sum sum = { 0 };

	ref_sum_add(&sum, ip6 + 8, 32);
	ref_sum_add16(&sum, len);
	ref_sum_add16(&sum, NEXT_UDP);
	ref_sum_add(&sum, udp, len);
	return sum.raw;
}

static void
ufo_over_ipv6_has_fragment_headers(void **state)
{
	uint8_t whole[3008];
	uint32_t id;
	unsigned int i;

	gso_frame_udp6(3000);
	gso_conf.flags = CSUM_GSO_F_UFO;
	assert_int_equal(gso_cut_frame(USO6, 1460), 3);
	/* (1460 - 8) & ~7 = 1448 */
	assert_be16s(IP6_LEN, 1456, 1456, 8 + 3008 - 2 * 1448);
	assert_be16s(UDP6, NEXT_UDP << 8, NEXT_UDP << 8, NEXT_UDP << 8);
	assert_be16s(UDP6 + 2, MORE6, 1448 | MORE6, 2896);
	id = gso_be32(0, UDP6 + 4);
	for (i = 0; i < 3; i++) {
		assert_int_equal(gso_segs[i].data[IP6_NEXT], NEXT_FRAGMENT);
		assert_int_equal(gso_be32(i, UDP6 + 4), id);
		memcpy(whole + i * 1448, gso_segs[i].data + UDP6 + 8, gso_segs[i].len - UDP6 - 8);
	}
	harness_assert_bytes(whole + 8, gso_frame.data + UDP6 + 8, 3000);
	assert_int_equal(harness_be16(whole + 4), 3008);
	assert_int_equal(udp6_raw(gso_segs[0].data + 14, whole, 3008), 0xffff);

	frame_init(&gso_frame);
	gso_frame_udp6(3000);
	assert_int_equal(gso_cut_frame(USO6, 1460), 3);
	assert_int_not_equal(gso_be32(0, UDP6 + 4), id);
}

/* RFC 8200 section 4.5: hop-by-hop and routing headers stand before the fragment header, the
 * destination options behind them in the first fragment alone. */
static void
ufo_over_ipv6_splits_extension_headers(void **state)
{
	static const uint8_t route[22] = { 4, 0, [6] = 0x20, 1, 0xd, 0xb8, [21] = 2 };
	const uint32_t frag = 14 + 40 + 8 + 24;

	frame_ether(&gso_frame);
	frame_i6(&gso_frame);
	frame_ipv6_ext(&gso_frame, 0, NULL, 0);
	frame_ipv6_ext(&gso_frame, 43, route, sizeof(route));
	frame_ipv6_ext(&gso_frame, 60, NULL, 0);
	frame_udp(&gso_frame, 1024, 4096);
	frame_payload(&gso_frame, 2000);
	gso_conf.flags = CSUM_GSO_F_UFO;
	assert_int_equal(gso_cut_frame(USO6, 1008), 3);
	assert_lens(frag + 1008, frag + 1008, frag + 8 + 16);
	assert_be16s(frag, 60 << 8, 60 << 8, 60 << 8);
	assert_be16s(frag + 2, MORE6, 1000 | MORE6, 2000);
	/* The routing header names the fragment header. */
	assert_int_equal(gso_segs[1].data[14 + 40 + 8], NEXT_FRAGMENT);
	/* First alone: destination options, then UDP. */
	assert_int_equal(gso_segs[0].data[frag + 8], NEXT_UDP);
	assert_int_equal(gso_be16(0, frag + 16), 1024);
	assert_int_equal(gso_be16(0, frag + 20), 2008);
	assert_int_equal(gso_segs[1].data[frag + 8], (1000 - 16) % 251);
}

/* RFC 6275 section 6.3: it stands before the fragment header. */
static void
ufo_keeps_the_home_address_in_each_fragment(void **state)
{
	static const uint8_t home[22] = { 1, 2, 0, 0, 0xc9, 16, 0x20, 1, 0xd, 0xb8, [21] = 1 };
	const uint32_t frag = 14 + 40 + 24;
	unsigned int i;

	frame_ether(&gso_frame);
	frame_ipv6(&gso_frame, "2001:db8::7", "2001:db8::2");
	frame_ipv6_ext(&gso_frame, 60, home, sizeof(home));
	frame_ipv6_ext(&gso_frame, 60, NULL, 0);
	frame_udp(&gso_frame, 1024, 4096);
	frame_payload(&gso_frame, 2000);
	gso_conf.flags = CSUM_GSO_F_UFO;
	assert_int_equal(gso_cut_frame(USO6, 1008), 3);
	assert_lens(frag + 1008, frag + 1008, frag + 8 + 16);
	assert_be16s(frag, 60 << 8, 60 << 8, 60 << 8);
	assert_be16s(frag + 2, MORE6, 1000 | MORE6, 2000);
	for (i = 0; i < 3; i++) {
		assert_int_equal(gso_segs[i].data[14 + 40], NEXT_FRAGMENT);
		assert_memory_equal(gso_segs[i].data + 14 + 40 + 2, home, sizeof(home));
	}
}

/* RFC 6946: a fragment header that says "the whole" makes no fragment, and serves for some. */
static void
ufo_uses_an_atomic_fragments_header(void **state)
{
	static const uint8_t header[6] = { [2] = 0x12, 0x34, 0x56, 0x78 };
	const uint32_t frag = 14 + 40;
	unsigned int i;

	frame_ether(&gso_frame);
	frame_i6(&gso_frame);
	frame_ipv6_ext(&gso_frame, 44, header, sizeof(header));
	frame_ipv6_ext(&gso_frame, 60, NULL, 0);
	frame_udp(&gso_frame, 1024, 4096);
	frame_payload(&gso_frame, 2000);
	gso_conf.flags = CSUM_GSO_F_UFO;
	assert_int_equal(gso_cut_frame(USO6, 1008), 3);
	assert_lens(frag + 1008, frag + 1008, frag + 8 + 16);
	assert_be16s(frag, 60 << 8, 60 << 8, 60 << 8);
	assert_be16s(frag + 2, MORE6, 1000 | MORE6, 2000);
	for (i = 0; i < 3; i++)
		assert_int_equal(gso_be32(i, frag + 4), 0x12345678);
	/* The header, too, is to fit. */
	assert_int_equal(gso_cut_frame(USO6, 8 + 8 + 2008), 1);
	assert_be16s(frag + 2, 0);
	assert_int_equal(gso_cut_frame(USO6, 8 + 8 + 2008 - 1), 2);
	assert_be16s(frag + 2, MORE6, 2008);
}

static void
atomic_fragments_are_cut(void **state)
{
	static const uint8_t header[6] = { [2] = 0x12, 0x34, 0x56, 0x78 };

	frame_ether(&gso_frame);
	frame_i6(&gso_frame);
	frame_ipv6_ext(&gso_frame, 44, header, sizeof(header));
	frame_udp(&gso_frame, 1024, 4096);
	frame_payload(&gso_frame, 2500);
	assert_int_equal(gso_cut_frame(USO6, 1000), 3);
	assert_be16s(IP6_LEN, 1016, 1016, 516);
	assert_be16s(UDP6 + 2, 0, 0, 0);
	gso_assert_payload(UDP6 + 8 + 8, 2500);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		gso_test(b53_uso_of_an_exact_multiple),
		gso_test(uso_with_a_short_last),
		gso_test(uso_over_ipv6),
		gso_test(b21_b22_computed_zero_becomes_ffff_in_each_datagram),
		gso_test(b50_ufo_cuts_at_multiples_of_8),
		gso_test(ufo_checksum_computed_as_zero_is_ffff),
		gso_test(ufo_rounds_down_all_but_the_last),
		gso_test(ufo_leaves_a_datagram_that_fits),
		gso_test(ufo_refuses_df),
		gso_test(ufo_refuses_what_cannot_be_put_together_again),
		gso_test(ufo_copies_the_options_that_say_so),
		gso_test(ufo_over_ipv6_has_fragment_headers),
		gso_test(ufo_over_ipv6_splits_extension_headers),
		gso_test(ufo_keeps_the_home_address_in_each_fragment),
		gso_test(ufo_uses_an_atomic_fragments_header),
		gso_test(atomic_fragments_are_cut),
	};

	gso_main(tests);
}
