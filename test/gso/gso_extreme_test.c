/* SPDX-License-Identifier: BSD-3-Clause */

/* Right packets at the limits of what headers, fields and mbufs hold. */

#include <stdlib.h>

#include "gso_test.h"

#define ACK 0x10
#define URG 0x20
#define IP 14
#define TCP 34
#define PAYLOAD 54

#define VXLAN_UDP4 34
#define VXLAN_UDP6 54

static void
headers_of_512_and_of_513_bytes(void **state)
{
	/* What a link layer of no known kind makes of them. */
	static const uint8_t link[473];
	struct csum_gso_req req = { .ol_flags = TSO4, .l3_len = 20, .l4_len = 20, .segsz = 1000 };
	unsigned int over;

	(void)state;
	for (over = 0; over <= 1; over++) {
		req.l2_len = (uint16_t)(472 + over);
		frame_init(&gso_frame);
		frame_add(&gso_frame, FRAME_ETHER, link, req.l2_len);
		frame_i4(&gso_frame);
		frame_tcp(&gso_frame, ACK, NULL, 0);
		frame_payload(&gso_frame, 2500);
		frame_finish(&gso_frame);
		harness_put_be16(gso_frame.data + 12, 0x88b5);
		assert_int_equal(gso_cut_req(frame_mbuf(&gso_frame, gso_in, NULL, 0), &req),
				 over ? -ENOTSUP : 3);
		assert_int_equal(gso_why, over ? CSUM_REFUSAL_TOO_BIG : CSUM_REFUSAL_NONE);
		if (over)
			continue;
		gso_assert_payload(512, 2500);
		assert_be16s(472 + 20 + 16, 0x45c2, 0x39d2, 0x49ef);
		assert_be16s(472 + 10, 0x52e6, 0x52e5, 0x54d8);
	}
}

/* 60 bytes of IPv4, 60 bytes of TCP. */
static void
options_of_40_bytes(void **state)
{
	uint8_t nops[40];
	unsigned int i;

	(void)state;
	memset(nops, 1, sizeof(nops));
	frame_ether(&gso_frame);
	frame_ipv4_opts(&gso_frame, "10.0.0.1", "10.0.0.2", 0x1000, nops, sizeof(nops));
	frame_tcp(&gso_frame, ACK, nops, sizeof(nops));
	frame_payload(&gso_frame, 2501);
	assert_int_equal(gso_cut_frame(TSO4, 625), 5);
	assert_lens(134 + 625, 134 + 625, 134 + 625, 134 + 625, 134 + 1);
	gso_assert_payload(134, 2501);
	for (i = 0; i < gso_nb; i++) {
		harness_assert_bytes(gso_segs[i].data + 34, nops, sizeof(nops));
		harness_assert_bytes(gso_segs[i].data + 94, nops, sizeof(nops));
	}
}

/* Options, 255 bytes by their length byte, that go beyond their header are copied as they are. */
static void
options_whose_length_lies(void **state)
{
	static const uint8_t tcp_opts[4] = { 30, 255, 0, 0 };
	static const uint8_t ip_opts[4] = { 0x94, 255, 0, 0 };
	static const uint64_t flags[] = { TSO4, USO4 };
	unsigned int i, j;

	(void)state;
	gso_conf.flags = CSUM_GSO_F_UFO;
	for (i = 0; i < RTE_DIM(flags); i++) {
		frame_init(&gso_frame);
		frame_ether(&gso_frame);
		frame_ipv4_opts(&gso_frame, "10.0.0.1", "10.0.0.2", 0x1000, ip_opts, 4);
		if (flags[i] == TSO4)
			frame_tcp(&gso_frame, ACK, tcp_opts, sizeof(tcp_opts));
		else
			frame_udp(&gso_frame, 1024, 4096);
		frame_payload(&gso_frame, 2500);
		assert_int_equal(gso_cut_frame(flags[i], 1000), 3);
		for (j = 0; j < gso_nb; j++)
			harness_assert_bytes(gso_segs[j].data + IP + 20, ip_opts, 4);
	}
}

/* TCP, then UDP as datagrams, then as fragments that have all but the last two headers. */
static void
eight_ipv6_extension_headers(void **state)
{
	static const uint8_t types[8] = { 0, 60, 43, 60, 43, 43, 60, 60 };
	static const uint64_t flags[3] = { TSO6, USO6, USO6 };
	static const uint8_t no_segments_left[22] = { 4 };
	unsigned int round, i;
	uint32_t hdr_len;

	(void)state;
	for (round = 0; round < 3; round++) {
		gso_conf.flags = round == 2 ? CSUM_GSO_F_UFO : 0;
		frame_init(&gso_frame);
		frame_ether(&gso_frame);
		frame_i6(&gso_frame);
		for (i = 0; i < 8; i++)
			frame_ipv6_ext(&gso_frame, types[i],
				       types[i] == 43 ? no_segments_left : NULL,
				       types[i] == 43 ? sizeof(no_segments_left) : 0);
		assert_int_equal(gso_frame.len, IP + 40 + 5 * 8 + 3 * 24);
		if (flags[round] == TSO6)
			frame_tcp(&gso_frame, ACK, NULL, 0);
		else
			frame_udp(&gso_frame, 1024, 4096);
		hdr_len = gso_frame.len;
		frame_payload(&gso_frame, 2500);
		assert_int_equal(gso_cut_frame(flags[round], 1000), 3);
		if (round < 2) {
			gso_assert_payload(hdr_len, 2500);
			assert_be16s(IP + 4, hdr_len - 54 + 1000, hdr_len - 54 + 1000,
				     hdr_len - 54 + 500);
			continue;
		}
		/* 96 bytes of headers on each; 16 of headers, 8 of UDP and the payload in all. */
		assert_be16s(IP + 40 + 96 + 2, 1, 992 | 1, 1984);
		assert_lens(150 + 8 + 992, 150 + 8 + 992, 150 + 8 + 24 + 2500 - 1984);
	}
}

/* In an mbuf chain that is as long as it gets: the frame of the other tests is shorter. */
static void
super_packets_of_512_kb(void **state)
{
	uint32_t len = 512 * 1024 - 100, hdr_len;
	uint8_t *data = malloc(512 * 1024);
	struct rte_mbuf *m;
	unsigned int family;

	(void)state;
	assert_non_null(data);
	for (family = 4; family <= 6; family += 2) {
		frame_init(&gso_frame);
		if (family == 4)
			gso_frame_tcp4(ACK, 0);
		else
			gso_frame_tcp6(ACK, 0);
		harness_put_be32(gso_frame.data + gso_frame.len - 16, 0xffffff00);
		hdr_len = gso_frame.len;
		memcpy(data, gso_frame.data, hdr_len);
		harness_pattern(data + hdr_len, len);
		m = harness_chain(gso_in, data, hdr_len + len, NULL, 0);
		frame_tx_lens(&gso_frame, m);
		assert_int_equal(gso_cut(m, family == 4 ? TSO4 : TSO6, 1448),
				 (len + 1447) / 1448);
		gso_assert_payload(hdr_len, len);
		assert_int_equal(gso_be32(gso_nb - 1, hdr_len - 16),
				 0xffffff00 + (gso_nb - 1) * 1448);
	}
	free(data);
}

/* Sizes beyond which a 16-bit length field of a segment would wrap. */
static void
segments_of_64_kb(void **state)
{
	static const struct {
		uint16_t segsz;
		bool fits;
	} sizes[] = { { 65495, true }, { 65496, false }, { 65535, false } };
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(sizes); i++) {
		frame_init(&gso_frame);
		gso_frame_tcp4(ACK, 70000);
		assert_int_equal(gso_cut_frame(TSO4, sizes[i].segsz),
				 sizes[i].fits ? 2 : -ENOTSUP);
		if (sizes[i].fits) {
			assert_be16s(IP + 2, 65535, 40 + 70000 - 65495);
			gso_assert_payload(PAYLOAD, 70000);
		}
	}
}

static void
urgent_pointer_at_each_boundary(void **state)
{
	static const uint16_t pointers[] = {
		0, 1, 999, 1000, 1001, 1999, 2000, 2001, 2999, 3000, 3001, 65535,
	};
	unsigned int i, j;

	(void)state;
	for (i = 0; i < RTE_DIM(pointers); i++) {
		frame_init(&gso_frame);
		gso_frame_tcp4(ACK | URG, 3000);
		harness_put_be16(gso_frame.data + TCP + 18, pointers[i]);
		assert_int_equal(gso_cut_frame(TSO4, 1000), 3);
		assert_int_equal(gso_segs[0].data[TCP + 13], ACK | URG);
		assert_int_equal(gso_be16(0, TCP + 18), pointers[i]);
		for (j = 1; j < 3; j++) {
			bool ahead = pointers[i] > j * 1000;

			assert_int_equal(gso_segs[j].data[TCP + 13], ahead ? ACK | URG : ACK);
			assert_int_equal(gso_be16(j, TCP + 18),
					 ahead ? pointers[i] - j * 1000 : 0);
		}
	}
}

/* What becomes of the outer UDP checksum, by IP version, field, flag and RFC 6935's licence. */
static void
outer_udp_checksum_of_every_kind(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 32; i++) {
		unsigned int version = i & 1 ? 6 : 4, inner = i & 16 ? 6 : 4;
		bool given = (i & 2) != 0, asked = (i & 4) != 0, licence = (i & 8) != 0;
		bool zero = !given && !asked && (version == 4 || licence);
		uint32_t field = (version == 4 ? VXLAN_UDP4 : VXLAN_UDP6) + 6;
		unsigned int j;

		gso_conf.flags = licence ? CSUM_GSO_F_UDP6_ZERO : 0;
		frame_init(&gso_frame);
		gso_frame_vxlan(version);
		harness_put_be16(gso_frame.data + field, given ? 0xbeef : 0);
		if (inner == 4)
			frame_i4(&gso_frame);
		else
			frame_i6(&gso_frame);
		frame_tcp(&gso_frame, ACK, NULL, 0);
		frame_payload(&gso_frame, 2500);
		assert_int_equal(gso_cut_frame((inner == 4 ? TSO4 : TSO6) | VXLAN |
				(version == 4 ? OUTER4 : OUTER6) | (asked ? OUTER_CKSUM : 0),
				1000), 3);
		/* Where there is one the reference has judged it on the way. */
		for (j = 0; j < gso_nb; j++)
			assert_int_equal(gso_be16(j, field) == 0, zero);
	}
}

/* Every segment of every size that mbufs of 1 to 300 bytes make is right. */
static void
mbufs_of_every_small_size(void **state)
{
	struct rte_mempool *pool;
	unsigned int room;

	(void)state;
	for (room = 0; room < 100; room += 7) {
		pool = harness_pool("tiny", 256, (uint16_t)room);
		gso_conf.pool = pool;
		for (gso_conf.headroom = 0; gso_conf.headroom < 30; gso_conf.headroom += 13) {
			gso_conf.tailroom = gso_conf.headroom / 2;
			frame_init(&gso_frame);
			gso_frame_tcp6(ACK, 3001);
			assert_int_equal(gso_cut_frame(TSO6, 999), 4);
			gso_assert_payload(74, 3001);
		}
		rte_mempool_free(pool);
	}
}

static void
no_segment_is_longer_than_was_said(void **state)
{
	static const uint32_t payloads[] = { 1, 999, 1000, 1001, 2500 };
	struct csum_gso_req req;
	struct csum_gso_iter it;
	struct rte_mbuf *m, *seg;
	uint32_t max, said;
	unsigned int i;

	(void)state;
	for (i = 0; i < 2 * RTE_DIM(payloads); i++) {
		bool fragments = i >= RTE_DIM(payloads);

		gso_conf.flags = fragments ? CSUM_GSO_F_UFO : 0;
		frame_init(&gso_frame);
		gso_frame_udp6(payloads[i % RTE_DIM(payloads)]);
		frame_finish(&gso_frame);
		m = frame_mbuf(&gso_frame, gso_in, NULL, 0);
		m->ol_flags |= USO6;
		m->tso_segsz = 1000;
		csum_gso_req_from_mbuf(&req, m);
		assert_int_equal(csum_gso_iter_init(&it, m, &req, &gso_conf, NULL), 0);
		said = csum_gso_iter_max_len(&it);
		assert_true(said <= IP + 40 + (fragments ? 0 : 8) + 1000);
		for (max = 0; csum_gso_iter_next(&it, &seg) == 1;) {
			max = RTE_MAX(max, seg->pkt_len);
			assert_true(seg->pkt_len <= said);
			rte_pktmbuf_free(seg);
		}
		/* It says no more than the rounding of fragments makes of it. */
		assert_true(said < max + 8);
		assert_int_equal(csum_gso_iter_max_len(&it), 0);
		rte_pktmbuf_free(m);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		gso_test(headers_of_512_and_of_513_bytes),
		gso_test(options_of_40_bytes),
		gso_test(options_whose_length_lies),
		gso_test(eight_ipv6_extension_headers),
		gso_test(super_packets_of_512_kb),
		gso_test(segments_of_64_kb),
		gso_test(urgent_pointer_at_each_boundary),
		gso_test(outer_udp_checksum_of_every_kind),
		gso_test(mbufs_of_every_small_size),
		gso_test(no_segment_is_longer_than_was_said),
	};

	gso_main(tests);
}
