/* SPDX-License-Identifier: BSD-3-Clause */

/* Verdicts on packets whose checksums are constants from fault reports, scapy or the reference. */

#include <string.h>

#include <ref_csum.h>

#include "parse_frames.h"

static struct rte_mempool *pool;
static struct frame f;

/* Parse the frame's first bytes and judge a layer; nothing may change. */
static enum csum_verdict
verdict_of_cut(uint32_t caplen, enum csum_layer_type type, unsigned int nth)
{
	struct rte_mbuf *m = harness_chain_kind(pool, HARNESS_EXTERNAL, f.data, caplen, NULL, 0);
	enum csum_verdict verdict;
	struct csum_pkt pkt;

	m->pkt_len = f.len;
	assert_int_equal(csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, &pkt), 0);
	verdict = parse_verdict(m, &pkt, type, nth);
	m->pkt_len = caplen;
	harness_assert_chain(m, f.data, caplen);
	rte_pktmbuf_free(m);
	return verdict;
}

static enum csum_verdict
verdict(enum csum_layer_type type, unsigned int nth)
{
	return verdict_of_cut(f.len, type, nth);
}

static void
begin(uint32_t (*ip)(struct frame *f))
{
	frame_init(&f);
	frame_ether(&f);
	ip(&f);
}

static void
tcp(uint32_t (*ip)(struct frame *f), const void *payload, uint32_t len, uint16_t check)
{
	begin(ip);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_bytes(&f, payload, len);
	frame_finish(&f);
	harness_put_be16(f.data + frame_off(&f, FRAME_TCP, 0) + 16, check);
}

static void
udp(uint32_t (*ip)(struct frame *f), const void *payload, uint32_t len, uint16_t check)
{
	begin(ip);
	frame_udp(&f, 1024, 4096);
	frame_bytes(&f, payload, len);
	frame_finish(&f);
	harness_put_be16(f.data + frame_off(&f, FRAME_UDP, 0) + 6, check);
}

/* The first bytes of P(n). */
static const uint8_t *
pattern(void)
{
	static uint8_t bytes[2048];

	harness_pattern(bytes, sizeof(bytes));
	return bytes;
}

/* Raw sum of an IPv4 pseudo header; a length of 0 is left out. */
static uint16_t
seed4(uint32_t ip, uint8_t proto, uint32_t len)
{
	struct ref_sum sum = { 0 };

	ref_sum_add(&sum, f.data + ip + 12, 8);
	ref_sum_add16(&sum, proto);
	ref_sum_add16(&sum, (uint16_t)(len >> 16));
	ref_sum_add16(&sum, (uint16_t)len);
	return sum.raw;
}

static void
b16_both_zeros_of_tcp_are_good(void **state)
{
	tcp(frame_i4, "\x6b\xc8", 2, 0x0000);
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_GOOD);
	tcp(frame_i4, "\x6b\xc8", 2, 0xffff);
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_GOOD);
}

static void
b17_both_zeros_of_ipv4_are_good(void **state)
{
	static const uint8_t hdr[20] = {
		0x45, 0, 0, 0x28, 0x66, 0xce, 0, 0, 0x40, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2,
	};

	begin(frame_i4);
	frame_tcp(&f, 0x10, NULL, 0);
	memcpy(f.data + 14, hdr, sizeof(hdr));
	assert_int_equal(verdict(CSUM_LAYER_IPV4, 0), CSUM_VERDICT_GOOD);
	harness_put_be16(f.data + 24, 0xffff);
	assert_int_equal(verdict(CSUM_LAYER_IPV4, 0), CSUM_VERDICT_GOOD);
}

static void
b20_zero_is_an_ordinary_value_for_tcp_over_ipv6(void **state)
{
	tcp(frame_i6, "\x24\x56", 2, 0x0000);
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_GOOD);
}

static void
ipv4_zero_is_bad_unless_it_is_right(void **state)
{
	tcp(frame_i4, pattern(), 100, 0xcf98);
	assert_int_equal(verdict(CSUM_LAYER_IPV4, 0), CSUM_VERDICT_BAD);
	harness_put_be16(f.data + 24, 0x566a);
	assert_int_equal(verdict(CSUM_LAYER_IPV4, 0), CSUM_VERDICT_GOOD);
	f.data[23] ^= 1;
	assert_int_equal(verdict(CSUM_LAYER_IPV4, 0), CSUM_VERDICT_BAD);
}

static void
b26_pseudo_header_behind_extension_headers(void **state)
{
	uint32_t off;

	begin(frame_i6);
	frame_ipv6_ext(&f, 0, NULL, 6);
	off = frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 16);
	frame_finish(&f);
	harness_put_be16(f.data + off + 16, 0xec07);
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_GOOD);
	harness_put_be16(f.data + off + 16, 0xec05);
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_BAD);
}

static void
b28_ipv4_options(void **state)
{
	static const uint8_t options[8] = { 7, 7, 4, 0, 0, 0, 0, 1 };
	uint32_t off;

	frame_init(&f);
	frame_ether(&f);
	frame_ipv4_opts(&f, "10.0.0.1", "10.0.0.2", 0x1000, options, sizeof(options));
	off = frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 10);
	frame_finish(&f);
	harness_put_be16(f.data + 24, 0x49b4);
	harness_put_be16(f.data + off + 16, 0x57a7);
	assert_int_equal(verdict(CSUM_LAYER_IPV4, 0), CSUM_VERDICT_GOOD);
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_GOOD);
}

static void
b35_padding_is_not_summed(void **state)
{
	tcp(frame_i4, NULL, 0, 0x6bca);
	frame_bytes(&f, "\xaa\xaa\xaa\xaa\xaa\xaa", 6);
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_GOOD);
	harness_put_be16(f.data + 50, 0x6bc4);
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_BAD);
}

/* Each verdict() compares all bytes afterwards; this one with checksums that are not 0. */
static void
b45_verification_is_read_only(void **state)
{
	tcp(frame_i6, pattern(), 100, 0x1234);
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_BAD);
}

static void
b62_fragments_are_not_judged(void **state)
{
	udp(frame_i4, pattern(), 1472, 0x1234);
	harness_put_be16(f.data + 20, 0x2000);
	assert_int_equal(verdict(CSUM_LAYER_UDP, 0), CSUM_VERDICT_FRAGMENT);
	harness_put_be16(f.data + 20, 185);
	assert_int_equal(verdict(CSUM_LAYER_UDP, 0), CSUM_VERDICT_FRAGMENT);
	/* The header of such a packet is judged. */
	harness_put_be16(f.data + 24, ref_check(f.data + 14, 20));
	assert_int_equal(verdict(CSUM_LAYER_IPV4, 0), CSUM_VERDICT_GOOD);
}

static void
b68_seeds_with_and_without_length_are_partial(void **state)
{
	tcp(frame_i4, pattern(), 100, 0x1481);
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_PARTIAL);
	tcp(frame_i4, pattern(), 100, 0x1409);
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_PARTIAL);
	tcp(frame_i4, pattern(), 100, 0x1480);
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_BAD);
	tcp(frame_i4, pattern(), 100, 0xcf98);
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_GOOD);
}

/* Payload chosen so that the seed is the right checksum. */
static void
good_beats_partial(void **state)
{
	uint16_t raw;

	tcp(frame_i4, "\0\0", 2, 0);
	harness_put_be16(f.data + 50, seed4(14, 6, 22));
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_PARTIAL);
	raw = ref_raw_from(seed4(14, 6, 22), f.data + 34, 22);
	harness_put_be16(f.data + 54, (uint16_t)~raw);
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_GOOD);
}

static void
b64_pseudo_header_of_more_than_65535_bytes(void **state)
{
	uint16_t raw;

	begin(frame_i4);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 80000);
	frame_finish(&f);
	assert_int_equal(harness_be16(f.data + 16), 0);
	raw = ref_raw_from(seed4(14, 6, 80020), f.data + 34, 80020);
	harness_put_be16(f.data + 50, (uint16_t)~raw);
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_GOOD);
	harness_put_be16(f.data + 50, seed4(14, 6, 80020));
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_PARTIAL);
	/* 16 bits of the length would be 14484. */
	harness_put_be16(f.data + 50, (uint16_t)~ref_raw_from(seed4(14, 6, 14484), f.data + 34,
							      80020));
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_BAD);
}

static void
b107_what_is_not_there_is_not_judged(void **state)
{
	tcp(frame_i4, pattern(), 100, 0xcf98);
	assert_int_equal(verdict_of_cut(f.len - 1, CSUM_LAYER_TCP, 0), CSUM_VERDICT_TRUNCATED);
	assert_int_equal(verdict_of_cut(53, CSUM_LAYER_TCP, 0), CSUM_VERDICT_TRUNCATED);
	assert_int_equal(verdict_of_cut(34, CSUM_LAYER_TCP, 0), CSUM_VERDICT_TRUNCATED);
	assert_int_equal(verdict_of_cut(33, CSUM_LAYER_IPV4, 0), CSUM_VERDICT_TRUNCATED);
	assert_int_equal(verdict_of_cut(14, CSUM_LAYER_IPV4, 0), CSUM_VERDICT_TRUNCATED);
	harness_put_be16(f.data + 16, 20 + 20 + 101);
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_TRUNCATED);
}

/* "To the end of the frame" is the end of the frame that was captured in part. */
static void
b107_super_packet_cut(void **state)
{
	begin(frame_i4);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 1900);
	harness_put_be16(f.data + 50, (uint16_t)~ref_raw_from(seed4(14, 6, 1020), f.data + 34,
							      1020));
	assert_int_equal(verdict_of_cut(34 + 1020, CSUM_LAYER_TCP, 0), CSUM_VERDICT_TRUNCATED);
}

static void
udp_zero(void **state)
{
	udp(frame_i4, pattern(), 100, 0);
	assert_int_equal(verdict(CSUM_LAYER_UDP, 0), CSUM_VERDICT_ZERO);
	assert_int_equal(verdict_of_cut(60, CSUM_LAYER_UDP, 0), CSUM_VERDICT_ZERO);
	assert_int_equal(verdict_of_cut(41, CSUM_LAYER_UDP, 0), CSUM_VERDICT_TRUNCATED);
	harness_put_be16(f.data + 20, 0x2000);
	assert_int_equal(verdict(CSUM_LAYER_UDP, 0), CSUM_VERDICT_ZERO);

	udp(frame_i6, pattern(), 100, 0);
	assert_int_equal(verdict(CSUM_LAYER_UDP, 0), CSUM_VERDICT_BAD);
}

static void
b82_udp_zero_of_a_tunnel_over_ipv6(void **state)
{
	parse_frame_build(parse_frame_named("vxlan"), &f);
	assert_int_equal(verdict(CSUM_LAYER_UDP, 0), CSUM_VERDICT_ZERO);
	parse_frame_build(parse_frame_named("mpls_in_udp"), &f);
	assert_int_equal(verdict(CSUM_LAYER_UDP, 0), CSUM_VERDICT_ZERO);
}

static void
b21_b22_udp_ffff_is_good(void **state)
{
	udp(frame_i4, "\xd7\xd7", 2, 0xffff);
	assert_int_equal(verdict(CSUM_LAYER_UDP, 0), CSUM_VERDICT_GOOD);
	udp(frame_i6, "\x90\x65", 2, 0xffff);
	assert_int_equal(verdict(CSUM_LAYER_UDP, 0), CSUM_VERDICT_GOOD);
}

static void
udp_is_judged_by_its_own_length(void **state)
{
	udp(frame_i4, pattern(), 100, 0x3b46);
	assert_int_equal(verdict(CSUM_LAYER_UDP, 0), CSUM_VERDICT_GOOD);
	/* Bytes behind it, inside the IP packet. */
	frame_bytes(&f, "xyz", 3);
	harness_put_be16(f.data + 16, 20 + 108 + 3);
	assert_int_equal(verdict(CSUM_LAYER_UDP, 0), CSUM_VERDICT_GOOD);
	/* One byte more than the IP packet has, though the frame has it. */
	harness_put_be16(f.data + 16, 20 + 107);
	assert_int_equal(verdict(CSUM_LAYER_UDP, 0), CSUM_VERDICT_TRUNCATED);
	harness_put_be16(f.data + 38, 7);
	assert_int_equal(verdict(CSUM_LAYER_UDP, 0), CSUM_VERDICT_BAD);
}

static void
udplite(uint16_t coverage, uint32_t covered)
{
	uint16_t raw;

	begin(frame_i4);
	frame_udplite(&f, 1024, 4096, coverage);
	frame_payload(&f, 60);
	frame_finish(&f);
	raw = ref_raw_from(seed4(14, 136, 68), f.data + 34, covered);
	harness_put_be16(f.data + 40, (uint16_t)~raw);
}

static void
udplite_coverage(void **state)
{
	uint16_t coverage;

	udplite(0, 68);
	assert_int_equal(verdict(CSUM_LAYER_UDPLITE, 0), CSUM_VERDICT_GOOD);
	assert_int_equal(verdict_of_cut(f.len - 1, CSUM_LAYER_UDPLITE, 0),
			 CSUM_VERDICT_TRUNCATED);
	for (coverage = 8; coverage <= 68; coverage++) {
		udplite(coverage, coverage);
		assert_int_equal(verdict(CSUM_LAYER_UDPLITE, 0), CSUM_VERDICT_GOOD);
		assert_int_equal(verdict_of_cut(34 + coverage, CSUM_LAYER_UDPLITE, 0),
				 CSUM_VERDICT_GOOD);
		assert_int_equal(verdict_of_cut(34 + coverage - 1, CSUM_LAYER_UDPLITE, 0),
				 CSUM_VERDICT_TRUNCATED);
	}
	udplite(69, 68);
	assert_int_equal(verdict(CSUM_LAYER_UDPLITE, 0), CSUM_VERDICT_BAD);
	for (coverage = 1; coverage < 8; coverage++) {
		udplite(coverage, coverage);
		assert_int_equal(verdict(CSUM_LAYER_UDPLITE, 0), CSUM_VERDICT_BAD);
	}
	udplite(20, 20);
	harness_put_be16(f.data + 40, 0);
	assert_int_equal(verdict(CSUM_LAYER_UDPLITE, 0), CSUM_VERDICT_BAD);
	harness_put_be16(f.data + 40, seed4(14, 136, 68));
	assert_int_equal(verdict(CSUM_LAYER_UDPLITE, 0), CSUM_VERDICT_PARTIAL);
}

static void
b29_sctp_has_a_crc32c(void **state)
{
	uint32_t off;

	begin(frame_i4);
	off = frame_sctp(&f, 1, 2, 3);
	frame_sctp_data(&f, 1, "abcd", 4);
	frame_finish(&f);
	assert_int_equal(verdict(CSUM_LAYER_SCTP, 0), CSUM_VERDICT_BAD);
	memcpy(f.data + off + 8, "\x38\x5f\x83\xd8", 4);
	assert_int_equal(verdict(CSUM_LAYER_SCTP, 0), CSUM_VERDICT_GOOD);
}

static void
b90_gre_checksum_covers_its_payload(void **state)
{
	begin(frame_outer4);
	frame_gre(&f, 0xb000, 7, 100);
	frame_i4(&f);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 1000);
	frame_finish(&f);
	harness_put_be16(f.data + 60, 0x52e6);
	harness_put_be16(f.data + 86, 0x45c2);
	harness_put_be16(f.data + 38, 0x5f99);
	assert_int_equal(verdict(CSUM_LAYER_TCP, 0), CSUM_VERDICT_GOOD);
	assert_int_equal(verdict(CSUM_LAYER_GRE, 0), CSUM_VERDICT_GOOD);
	f.data[f.len - 1] ^= 1;
	assert_int_equal(verdict(CSUM_LAYER_GRE, 0), CSUM_VERDICT_BAD);
	f.data[34] &= 0x7f;
	assert_int_equal(verdict(CSUM_LAYER_GRE, 0), CSUM_VERDICT_NONE);
}

static void
layers_without_a_checksum(void **state)
{
	tcp(frame_i6, pattern(), 10, 0);
	assert_int_equal(verdict(CSUM_LAYER_ETHER, 0), CSUM_VERDICT_NONE);
	assert_int_equal(verdict(CSUM_LAYER_IPV6, 0), CSUM_VERDICT_NONE);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(b16_both_zeros_of_tcp_are_good),
		cmocka_unit_test(b17_both_zeros_of_ipv4_are_good),
		cmocka_unit_test(b20_zero_is_an_ordinary_value_for_tcp_over_ipv6),
		cmocka_unit_test(ipv4_zero_is_bad_unless_it_is_right),
		cmocka_unit_test(b26_pseudo_header_behind_extension_headers),
		cmocka_unit_test(b28_ipv4_options),
		cmocka_unit_test(b35_padding_is_not_summed),
		cmocka_unit_test(b45_verification_is_read_only),
		cmocka_unit_test(b62_fragments_are_not_judged),
		cmocka_unit_test(b68_seeds_with_and_without_length_are_partial),
		cmocka_unit_test(good_beats_partial),
		cmocka_unit_test(b64_pseudo_header_of_more_than_65535_bytes),
		cmocka_unit_test(b107_what_is_not_there_is_not_judged),
		cmocka_unit_test(b107_super_packet_cut),
		cmocka_unit_test(udp_zero),
		cmocka_unit_test(b82_udp_zero_of_a_tunnel_over_ipv6),
		cmocka_unit_test(b21_b22_udp_ffff_is_good),
		cmocka_unit_test(udp_is_judged_by_its_own_length),
		cmocka_unit_test(udplite_coverage),
		cmocka_unit_test(b29_sctp_has_a_crc32c),
		cmocka_unit_test(b90_gre_checksum_covers_its_payload),
		cmocka_unit_test(layers_without_a_checksum),
	};

	harness_start(0, NULL);
	pool = harness_pool("verify", 512, 2048);
	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
