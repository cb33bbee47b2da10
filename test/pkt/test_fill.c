/* SPDX-License-Identifier: BSD-3-Clause */

/* Filled checksums against constants from fault reports and against the reference. */

#include <errno.h>
#include <string.h>

#include <ref_csum.h>
#include <ref_judge.h>

#include "parse_frames.h"

static struct rte_mempool *pool;
static struct frame f;

/* Put a value in a layer's field, fill it, and compare the field and all bytes around it. */
static void
filled(uint32_t off, enum csum_layer_type type, unsigned int nth, uint16_t before, uint16_t want)
{
	static uint8_t expect[FRAME_MAX_LEN];
	struct csum_pkt pkt;
	struct rte_mbuf *m;

	harness_put_be16(f.data + off, before);
	memcpy(expect, f.data, f.len);
	harness_put_be16(expect + off, want);
	m = harness_chain(pool, f.data, f.len, (uint16_t[]){ (uint16_t)(off + 1) }, 1);
	csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, &pkt);
	assert_int_equal(csum_pkt_fill(m, &pkt, parse_find(&pkt, type, nth)), 0);
	harness_assert_chain(m, expect, f.len);
	rte_pktmbuf_free(m);
}

static void
begin(uint32_t (*ip)(struct frame *f))
{
	frame_init(&f);
	frame_ether(&f);
	ip(&f);
}

static uint32_t
tcp(uint32_t (*ip)(struct frame *f), const void *payload, uint32_t len)
{
	uint32_t off;

	begin(ip);
	off = frame_tcp(&f, 0x10, NULL, 0);
	frame_bytes(&f, payload, len);
	frame_finish(&f);
	return off + 16;
}

static uint32_t
udp(uint32_t (*ip)(struct frame *f), const void *payload, uint32_t len)
{
	uint32_t off;

	begin(ip);
	off = frame_udp(&f, 1024, 4096);
	frame_bytes(&f, payload, len);
	frame_finish(&f);
	return off + 6;
}

/* Nothing is stored when a layer cannot be filled. */
static void
refused(uint32_t caplen, enum csum_layer_type type, int want)
{
	struct csum_pkt pkt;
	struct rte_mbuf *m;

	m = harness_chain(pool, f.data, caplen, NULL, 0);
	csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, &pkt);
	assert_int_equal(csum_pkt_fill(m, &pkt, parse_find(&pkt, type, 0)), want);
	harness_assert_chain(m, f.data, caplen);
	rte_pktmbuf_free(m);
}

/* Bytes from a layer's first to its checksum field, and bytes of the field; 0 if it has none. */
static uint32_t
field_of(uint8_t type, uint32_t *len)
{
	*len = 2;
	switch (type) {
	case CSUM_LAYER_IPV4:
		return 10;
	case CSUM_LAYER_TCP:
		return 16;
	case CSUM_LAYER_UDP:
	case CSUM_LAYER_UDPLITE:
	case CSUM_LAYER_DCCP:
		return 6;
	case CSUM_LAYER_ICMP:
	case CSUM_LAYER_ICMPV6:
	case CSUM_LAYER_IGMP:
		return 2;
	case CSUM_LAYER_SCTP:
		*len = 4;
		return 8;
	default:
		return 0;
	}
}

/* One of parse_frames, with its fields set to something. */
static struct rte_mbuf *
frame_with_fields(const struct parse_frame *pf, uint8_t value, struct csum_pkt *pkt)
{
	struct rte_mbuf *m;
	unsigned int i;

	parse_frame_build(pf, &f);
	m = frame_mbuf(&f, pool, NULL, 0);
	csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, pkt);
	for (i = 0; i < pkt->nb_layers; i++) {
		uint32_t len, off = field_of(pkt->layer[i].type, &len);

		if (off != 0)
			memset(rte_pktmbuf_mtod_offset(m, uint8_t *, pkt->layer[i].off + off),
			       value, len);
	}
	return m;
}

/* Whatever the fields held, the reference finds all of them good afterwards. */
static void
header_kinds(void **state)
{
	static const uint8_t before[] = { 0x00, 0xff, 0xa5 };
	struct ref_report report;
	struct csum_pkt pkt;
	struct rte_mbuf *m;
	unsigned int i, j, column;

	for (i = 0; i < RTE_DIM(before); i++) {
		m = frame_with_fields(*state, before[i], &pkt);
		parse_fill(m, &pkt);
		harness_flatten(m, f.data, f.len);
		rte_pktmbuf_free(m);
		assert_int_equal(ref_judge(f.data, f.len, f.len, REF_LINK_ETHER, &report), 0);
		for (column = 0; column < REF_NB_COLUMNS; column++)
			for (j = 0; j < report.count[column]; j++)
				assert_int_equal(report.list[column][j], REF_GOOD);
	}
}

static void
b20_tcp_zero_stays_zero(void **state)
{
	filled(tcp(frame_i4, "\x6b\xc8", 2), CSUM_LAYER_TCP, 0, 0xbeef, 0x0000);
	filled(tcp(frame_i6, "\x24\x56", 2), CSUM_LAYER_TCP, 0, 0xbeef, 0x0000);
}

static void
b21_b22_udp_zero_becomes_ffff(void **state)
{
	filled(udp(frame_i4, "\xd7\xd7", 2), CSUM_LAYER_UDP, 0, 0xbeef, 0xffff);
	filled(udp(frame_i6, "\x90\x65", 2), CSUM_LAYER_UDP, 0, 0, 0xffff);
}

static void
b68_what_the_field_held_does_not_matter(void **state)
{
	static const uint16_t before[] = { 0, 0x1481, 0x1409, 0xffff, 0xcf98 };
	uint8_t payload[100];
	unsigned int i;

	harness_pattern(payload, sizeof(payload));
	for (i = 0; i < RTE_DIM(before); i++) {
		filled(tcp(frame_i4, payload, sizeof(payload)), CSUM_LAYER_TCP, 0, before[i],
		       0xcf98);
		filled(24, CSUM_LAYER_IPV4, 0, before[i], 0x566a);
	}
}

/* All other bytes are 0, so that only the exact sum of 0 gives 0xffff. */
static void
zeros_have_a_sum_of_zero(void **state)
{
	static const uint8_t zeros[12];
	uint32_t off;

	begin(frame_i4);
	off = frame_icmp(&f);
	memset(f.data + off, 0, 8);
	frame_bytes(&f, zeros, sizeof(zeros));
	frame_finish(&f);
	filled(off + 2, CSUM_LAYER_ICMP, 0, 0x1234, 0xffff);
}

static void
b29_sctp_stores_a_crc32c(void **state)
{
	struct csum_pkt pkt;
	struct rte_mbuf *m;
	uint32_t off;

	begin(frame_i4);
	off = frame_sctp(&f, 1, 2, 3);
	frame_sctp_data(&f, 1, "abcd", 4);
	frame_finish(&f);
	memset(f.data + off + 8, 0xee, 4);
	m = harness_chain(pool, f.data, f.len, (uint16_t[]){ 37, 0, 7, 1 }, 4);
	csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, &pkt);
	assert_int_equal(csum_pkt_fill(m, &pkt, parse_find(&pkt, CSUM_LAYER_SCTP, 0)), 0);
	memcpy(f.data + off + 8, "\x38\x5f\x83\xd8", 4);
	harness_assert_chain(m, f.data, f.len);
	rte_pktmbuf_free(m);
}

static void
b62_fragments_are_refused(void **state)
{
	static const uint8_t payload[1472];

	udp(frame_i4, payload, sizeof(payload));
	harness_put_be16(f.data + 20, 0x2000);
	refused(f.len, CSUM_LAYER_UDP, -ENOTSUP);
	harness_put_be16(f.data + 24, 0);
	filled(24, CSUM_LAYER_IPV4, 0, 0, ref_check(f.data + 14, 20));
	harness_put_be16(f.data + 20, 185);
	refused(f.len, CSUM_LAYER_UDP, -ENOTSUP);
}

static void
layers_without_a_checksum_are_refused(void **state)
{
	tcp(frame_i6, "x", 1);
	refused(f.len, CSUM_LAYER_ETHER, -ENOTSUP);
	refused(f.len, CSUM_LAYER_IPV6, -ENOTSUP);
	begin(frame_outer4);
	frame_gre(&f, 0x2000, 7, 0);
	frame_i4(&f);
	frame_finish(&f);
	refused(f.len, CSUM_LAYER_GRE, -ENOTSUP);
}

static void
b23_b107_what_is_not_there_is_refused(void **state)
{
	tcp(frame_i4, "data", 4);
	refused(f.len - 1, CSUM_LAYER_TCP, -EBADMSG);
	refused(50, CSUM_LAYER_TCP, -EBADMSG);
	refused(30, CSUM_LAYER_IPV4, -EBADMSG);
	harness_put_be16(f.data + 16, 10);
	refused(f.len, CSUM_LAYER_TCP, -EBADMSG);
	udp(frame_i4, "data", 4);
	harness_put_be16(f.data + 38, 7);
	refused(f.len, CSUM_LAYER_UDP, -EBADMSG);
	harness_put_be16(f.data + 38, 13);
	refused(f.len, CSUM_LAYER_UDP, -EBADMSG);
}

int
main(void)
{
	static const struct CMUnitTest own[] = {
		cmocka_unit_test(b20_tcp_zero_stays_zero),
		cmocka_unit_test(b21_b22_udp_zero_becomes_ffff),
		cmocka_unit_test(b68_what_the_field_held_does_not_matter),
		cmocka_unit_test(zeros_have_a_sum_of_zero),
		cmocka_unit_test(b29_sctp_stores_a_crc32c),
		cmocka_unit_test(b62_fragments_are_refused),
		cmocka_unit_test(layers_without_a_checksum_are_refused),
		cmocka_unit_test(b23_b107_what_is_not_there_is_refused),
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
	pool = harness_pool("fill", 256, 2048);
	return harness_finish(_cmocka_run_group_tests("fill", tests, nb, NULL, NULL));
}
