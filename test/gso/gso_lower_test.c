/* SPDX-License-Identifier: BSD-3-Clause */

/* Checksums left to the port below, and padding. */

#include <errno.h>

#include <rte_ethdev.h>
#include <rte_net.h>

#include "gso_test.h"

#define ACK 0x10
#define ALL UINT64_MAX
#define INNER (RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM | \
	RTE_ETH_TX_OFFLOAD_UDP_CKSUM)
#define OUTER (RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM)

#define V4 RTE_MBUF_F_TX_IPV4
#define V6 RTE_MBUF_F_TX_IPV6
#define IP RTE_MBUF_F_TX_IP_CKSUM
#define TCP RTE_MBUF_F_TX_TCP_CKSUM
#define UDP RTE_MBUF_F_TX_UDP_CKSUM
#define OUTER_IP RTE_MBUF_F_TX_OUTER_IP_CKSUM

/* gso_cut_frame() fills what is left, and the reference judges it; here it counts what that is. */
static void
expect_flags(uint64_t ol_flags, uint64_t capa, uint64_t want)
{
	unsigned int i;

	gso_conf.lower_capa = capa;
	assert_int_equal(gso_cut_frame(ol_flags, 1000), 3);
	for (i = 0; i < 3; i++)
		assert_int_equal(gso_segs[i].ol_flags, want);
}

static void
plain_packets(void **state)
{
	(void)state;
	gso_frame_tcp4(ACK, 2500);
	expect_flags(TSO4, 0, V4);
	expect_flags(TSO4, OUTER, V4);
	expect_flags(TSO4, ALL, V4 | IP | TCP);
	expect_flags(TSO4, RTE_ETH_TX_OFFLOAD_IPV4_CKSUM, V4 | IP);
	expect_flags(TSO4, RTE_ETH_TX_OFFLOAD_TCP_CKSUM, V4 | TCP);
	expect_flags(TSO4, RTE_ETH_TX_OFFLOAD_UDP_CKSUM, V4);
	frame_init(&gso_frame);
	gso_frame_tcp6(ACK, 2500);
	expect_flags(TSO6, ALL, V6 | TCP);
	frame_init(&gso_frame);
	gso_frame_udp4(2500);
	expect_flags(USO4, ALL, V4 | IP | UDP);
	expect_flags(USO4, RTE_ETH_TX_OFFLOAD_TCP_CKSUM, V4);
	frame_init(&gso_frame);
	gso_frame_udp6(2500);
	expect_flags(USO6, ALL, V6 | UDP);
}

/* Neither a port nor its tx_prepare finds the L4 protocol behind them. */
static void
ipv6_extension_headers_keep_the_l4_checksum_here(void **state)
{
	(void)state;
	frame_ether(&gso_frame);
	frame_i6(&gso_frame);
	frame_ipv6_ext(&gso_frame, 60, NULL, 0);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, 2500);
	expect_flags(TSO6, ALL, V6);
}

static void
fragments_have_no_l4_checksum_of_their_own(void **state)
{
	(void)state;
	gso_frame_udp4(2500);
	gso_frame.data[14 + 6] = 0;
	gso_conf.flags |= CSUM_GSO_F_UFO;
	expect_flags(USO4, ALL, V4 | IP);
}

static void
tunnels(void **state)
{
	const uint64_t outer4 = VXLAN | OUTER4, outer6 = VXLAN | OUTER6;

	(void)state;
	gso_frame_vxlan(4);
	frame_i4(&gso_frame);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, 2500);
	expect_flags(TSO4 | outer4, ALL, V4 | IP | TCP | outer4 | OUTER_IP);
	expect_flags(TSO4 | outer4 | OUTER_CKSUM, ALL,
		     V4 | IP | TCP | outer4 | OUTER_IP | OUTER_CKSUM);
	expect_flags(TSO4 | outer4 | OUTER_CKSUM, OUTER, V4 | outer4 | OUTER_IP | OUTER_CKSUM);
	expect_flags(TSO4 | outer4 | OUTER_CKSUM,
		     INNER | RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM,
		     V4 | IP | TCP | outer4 | OUTER_IP);
	/* Such a port would look for no inner header. */
	expect_flags(TSO4 | outer4 | OUTER_CKSUM, INNER, V4);
	frame_init(&gso_frame);
	gso_frame_vxlan(6);
	frame_i6(&gso_frame);
	frame_udp(&gso_frame, 1024, 4096);
	frame_payload(&gso_frame, 2500);
	expect_flags(USO6 | outer6 | OUTER_CKSUM, ALL, V6 | UDP | outer6 | OUTER_CKSUM);
}

/* What DPDK would prepare for such ports, from garbage in the fields. */
static void
seeds_are_those_of_tx_prepare(void **state)
{
	struct rte_mbuf *segs[3], *m;
	struct csum_gso_req req;
	uint8_t before[1100];
	unsigned int i;

	(void)state;
	gso_frame_tcp4(ACK, 2500);
	frame_finish(&gso_frame);
	m = frame_mbuf(&gso_frame, gso_in, NULL, 0);
	m->ol_flags |= TSO4;
	m->tso_segsz = 1000;
	csum_gso_req_from_mbuf(&req, m);
	gso_conf.lower_capa = ALL;
	assert_int_equal(csum_gso_segment(m, &req, &gso_conf, segs, 3, NULL), 3);
	for (i = 0; i < 3; i++) {
		uint8_t *data = rte_pktmbuf_mtod(segs[i], uint8_t *);

		memcpy(before, data, segs[i]->pkt_len);
		memset(data + 14 + 10, 0xa5, 2);
		memset(data + 34 + 16, 0xa5, 2);
		assert_int_equal(rte_net_intel_cksum_prepare(segs[i]), 0);
		harness_assert_bytes(data, before, segs[i]->pkt_len);
		assert_int_equal(segs[i]->l2_len, 14);
		assert_int_equal(segs[i]->l3_len, 20);
		assert_int_equal(segs[i]->l4_len, 20);
	}
	rte_pktmbuf_free_bulk(segs, 3);
	rte_pktmbuf_free(m);
}

/* Raw IP, as a tunnel that encrypts takes it. */
static void
cut_padded(uint32_t payload, uint16_t pad_to, uint16_t pad_max, int nb)
{
	frame_init(&gso_frame);
	frame_i4(&gso_frame);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, payload);
	frame_finish(&gso_frame);
	gso_conf.pad_to = pad_to;
	gso_conf.pad_max = pad_max;
	assert_int_equal(gso_cut_frame(TSO4, 1380), nb);
	gso_assert_payload(40, payload);
}

static void
padding_to_a_multiple(void **state)
{
	struct rte_mempool *small = harness_pool("small", 64, 256);

	(void)state;
	/* 1420 bytes a segment become 1424; at most 1420 leaves the last one padded alone. */
	cut_padded(2 * 1380 + 1, 16, 0, 3);
	cut_padded(2 * 1380 + 1, 16, 1420, 3);
	cut_padded(2 * 1380 + 1, 16, 1422, 3);
	cut_padded(2 * 1380 + 1, 16, 1, 3);
	cut_padded(2 * 1380 + 1, 1, 0, 3);
	cut_padded(2 * 1380, 7, 0, 2);
	cut_padded(1, 4096, 0, 1);
	cut_padded(0, 16, 0, 1);
	/* In mbufs of 256 bytes, padding begins in one and ends in another. */
	gso_conf.pool = small;
	cut_padded(2 * 1380 + 216, 16, 0, 3);
	cut_padded(2 * 1380 + 200, 600, 0, 3);
	rte_mempool_free(small);
}

static void
the_longest_segment_is_told_with_its_padding(void **state)
{
	struct csum_gso_iter it;
	struct csum_gso_req req;
	struct rte_mbuf *m;

	(void)state;
	gso_frame_tcp4(ACK, 2500);
	frame_finish(&gso_frame);
	m = frame_mbuf(&gso_frame, gso_in, NULL, 0);
	m->ol_flags |= TSO4;
	m->tso_segsz = 1000;
	csum_gso_req_from_mbuf(&req, m);
	gso_conf.pad_to = 16;
	assert_int_equal(csum_gso_iter_init(&it, m, &req, &gso_conf, NULL), 0);
	assert_int_equal(csum_gso_iter_max_len(&it), 1056);
	rte_pktmbuf_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		gso_test(plain_packets),
		gso_test(ipv6_extension_headers_keep_the_l4_checksum_here),
		gso_test(fragments_have_no_l4_checksum_of_their_own),
		gso_test(tunnels),
		gso_test(seeds_are_those_of_tx_prepare),
		gso_test(padding_to_a_multiple),
		gso_test(the_longest_segment_is_told_with_its_padding),
	};

	gso_main(tests);
}
