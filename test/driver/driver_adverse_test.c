/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Packets whose metadata and headers lie. Each is sent or refused and counted, none is lost; and
 * tx_prepare tells beforehand which.
 */

#include <string.h>

#include <rte_mempool.h>

#include "driver_test.h"

#define NB_ROUNDS 6000
#define MAX_HEADERS 110

#define TX_BITS (RTE_MBUF_F_TX_L4_MASK | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TUNNEL_MASK | \
	RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_UDP_SEG | RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6 | \
	RTE_MBUF_F_TX_OUTER_IPV4 | RTE_MBUF_F_TX_OUTER_IPV6 | RTE_MBUF_F_TX_OUTER_IP_CKSUM | \
	RTE_MBUF_F_TX_OUTER_UDP_CKSUM | RTE_MBUF_F_TX_VLAN)

static struct harness_rng rng;

static uint32_t
below(uint32_t n)
{
	return harness_rand_below(&rng, n);
}

/* A frame, and the flags that fit it. */
static uint64_t
make_frame(void)
{
	uint64_t flags = 0;

	frame_init(&frame);
	frame_ether(&frame);
	if (below(4) == 0) {
		frame_outer4(&frame);
		frame_udp(&frame, 50000, 4789);
		frame_vxlan(&frame, 42);
		frame_ether_inner(&frame);
		flags |= RTE_MBUF_F_TX_TUNNEL_VXLAN | RTE_MBUF_F_TX_OUTER_IPV4 |
			RTE_MBUF_F_TX_OUTER_IP_CKSUM | RTE_MBUF_F_TX_OUTER_UDP_CKSUM;
	}
	if (below(2) == 0) {
		frame_i4(&frame);
		flags |= RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM;
	} else {
		frame_i6(&frame);
		flags |= RTE_MBUF_F_TX_IPV6;
	}
	if (below(2) == 0) {
		frame_tcp(&frame, 0x10, NULL, 0);
		flags |= below(2) == 0 ? RTE_MBUF_F_TX_TCP_SEG : RTE_MBUF_F_TX_TCP_CKSUM;
	} else {
		frame_udp(&frame, 1024, 4096);
		flags |= below(2) == 0 ? RTE_MBUF_F_TX_UDP_SEG : RTE_MBUF_F_TX_UDP_CKSUM;
	}
	frame_payload(&frame, below(4) == 0 ? below(9000) : below(200));
	frame_finish(&frame);
	return flags;
}

static void
harm(struct rte_mbuf *m)
{
	static const uint16_t lens[] = { 0, 1, 7, 8, 14, 20, 40, 60, 127, 255, 511 };
	uint16_t len = lens[below(RTE_DIM(lens))];

	m->tso_segsz = below(8) == 0 ? below(65536) : 100 + below(1400);
	switch (below(16)) {
	case 0:
		m->l2_len = len;
		break;
	case 1:
		m->l3_len = len;
		break;
	case 2:
		m->l4_len = len;
		break;
	case 3:
		m->outer_l2_len = len;
		break;
	case 4:
		m->outer_l3_len = len;
		break;
	case 5:
		m->ol_flags ^= harness_rand(&rng) & TX_BITS;
		break;
	case 6:
		m->tx_offload = harness_rand(&rng);
		break;
	case 7:
		m->tso_segsz = below(3);
		break;
	}
}

/* A chain of any kind, in 1-byte mbufs perhaps, of what may end anywhere. */
static struct rte_mbuf *
harmed_packet(void)
{
	uint64_t flags = make_frame();
	uint32_t len = below(8) == 0 ? 1 + below(frame.len) : frame.len;
	unsigned int nb = 0, i;
	uint16_t lens[MAX_HEADERS];
	struct rte_mbuf *m;

	for (i = below(4); i > 2; i--)
		frame.data[below(RTE_MIN(frame.len, 90u))] = (uint8_t)harness_rand(&rng);
	if (below(3) == 0)
		for (nb = 0; nb < RTE_MIN(len, (uint32_t)MAX_HEADERS); nb++)
			lens[nb] = below(2);
	m = harness_chain_kind(app_pool, (enum harness_kind)below(3), frame.data, len, lens, nb);
	frame_tx_lens(&frame, m);
	m->ol_flags |= flags;
	harm(m);
	return m;
}

static uint64_t
nb_refused(uint16_t port)
{
	struct rte_eth_stats stats;

	assert_int_equal(rte_eth_stats_get(port, &stats), 0);
	return stats.oerrors;
}

/* No mbuf is missing, and none is there twice, which the pool's own count does not show. */
static void
assert_driver_pool_whole(void)
{
	static struct rte_mbuf *mbufs[4096];
	struct rte_mempool *pool = driver_pool(0);
	unsigned int nb = 0;

	assert_non_null(pool);
	while (nb < RTE_DIM(mbufs) && (mbufs[nb] = rte_pktmbuf_alloc(pool)) != NULL)
		nb++;
	assert_int_equal(nb, pool->size);
	rte_pktmbuf_free_bulk(mbufs, nb);
}

static void
one_packet(uint16_t port)
{
	uint64_t refused = nb_refused(port), fragments;
	struct rte_mbuf *m = harmed_packet();
	uint32_t len = m->pkt_len;
	uint64_t ol_flags = m->ol_flags;
	uint16_t prepared;

	fragments = xstat(port, "tx_fragments_without_l4_packets");
	prepared = rte_eth_tx_prepare(port, 0, &m, 1);
	harness_assert_chain(m, frame.data, len);
	assert_int_equal(m->ol_flags, ol_flags);
	assert_int_equal(send_one(port, m), 1);
	refused = nb_refused(port) - refused;
	fragments = xstat(port, "tx_fragments_without_l4_packets") - fragments;
	assert_int_equal(refused, script.nb_frames == 0);
	/* What is left to the lower port is its to refuse, as is a fragment's checksum ours. */
	if (prepared == 1)
		assert_int_equal(refused, 0);
	else if (fragments == 0 && (script.tx_capa & RTE_ETH_TX_OFFLOAD_TCP_CKSUM) == 0)
		assert_int_equal(refused, 1);
	script_forget();
	assert_int_equal(harness_in_use(app_pool), 0);
	assert_driver_pool_whole();
}

static void
prepare_and_burst_agree(void **state)
{
	static const uint64_t lower_capas[] = {
		RTE_ETH_TX_OFFLOAD_MULTI_SEGS, 0, RTE_ETH_TX_OFFLOAD_MULTI_SEGS |
		RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM |
		RTE_ETH_TX_OFFLOAD_VLAN_INSERT,
	};
	unsigned int i, round;
	uint16_t port;

	(void)state;
	harness_rng_init(&rng);
	for (i = 0; i < RTE_DIM(lower_capas); i++) {
		port = started(lower_capas[i], TSO_OFFLOADS);
		for (round = 0; round < NB_ROUNDS / RTE_DIM(lower_capas); round++)
			one_packet(port);
		port_close(port);
		recreate(i % 2 == 0 ? OVER_LOWER ",udp_seg=ufo" : OVER_LOWER);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(prepare_and_burst_agree, script_setup,
						script_teardown),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-adverse", tests, NULL, NULL));
}
