/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Random bursts of all kinds of packets over lower ports that take a random number each time: not
 * one packet is lost, doubled, reordered or leaked, and what was not taken is as it was given.
 */

#include <string.h>

#include "pressure.h"

#define MAX_BURST 64
#define NB_ROUNDS 20

#define TAGS (RTE_ETH_TX_OFFLOAD_VLAN_INSERT | RTE_ETH_TX_OFFLOAD_QINQ_INSERT)

static struct harness_rng rng;

static uint32_t
below(uint32_t n)
{
	return harness_rand_below(&rng, n);
}

/* A packet that somebody else holds as well. */
static struct rte_mbuf *
shared(struct rte_mbuf *m, struct rte_mbuf **held)
{
	rte_mbuf_refcnt_update(m, 1);
	*held = m;
	return m;
}

/* The packet again, as a chain. */
static struct rte_mbuf *
in_pieces(struct rte_mbuf *m)
{
	static uint8_t data[4096];
	uint32_t len = harness_flatten(m, data, sizeof(data));
	struct rte_mbuf *chain;
	uint16_t lens[20];
	unsigned int nb = harness_rand_lens(&rng, len, lens, RTE_DIM(lens));

	chain = harness_chain(app_pool, data, len, lens, nb);
	chain->ol_flags |= m->ol_flags;
	chain->tx_offload = m->tx_offload;
	rte_pktmbuf_free(m);
	return chain;
}

/* A packet of a random kind; adds what it makes to what is expected. */
static struct rte_mbuf *
random_packet(unsigned int k, bool cuts_below, struct rte_mbuf **held)
{
	unsigned int nb = 1 + below(60);
	struct rte_mbuf *m;

	*held = NULL;
	switch (below(8)) {
	case 0:
	case 1:
		/* One segment is not worth handing down whole. */
		pressure_expect(k, cuts_below && nb > 1 ? 1 : nb);
		m = pressure_super(k, nb);
		break;
	case 2:
		/* Refused: it has no IP header. */
		m = pressure_packet(k, nb, TCP4_CKSUM);
		m->l3_len = 0;
		return m;
	case 3:
		m = shared(pressure_packet(k, nb, TCP4_CKSUM), held);
		pressure_expect(k, 1);
		break;
	case 4:
		m = in_pieces(pressure_packet(k, nb, TCP4_CKSUM));
		pressure_expect(k, 1);
		break;
	default:
		m = pressure_packet(k, nb, TCP4_CKSUM);
		pressure_expect(k, 1);
	}
	if (below(3) == 0)
		m->ol_flags |= below(2) == 0 ? RTE_MBUF_F_TX_VLAN : RTE_MBUF_F_TX_QINQ;
	return m;
}

static void
random_burst(bool cuts_below)
{
	static struct pressure_given given[MAX_BURST];
	struct rte_mbuf *pkts[MAX_BURST], *held[MAX_BURST];
	unsigned int i, nb = 1 + below(MAX_BURST);
	unsigned int tries, sent = 0;

	for (i = 0; i < nb; i++) {
		pkts[i] = random_packet(i, cuts_below, &held[i]);
		pressure_remember(&given[i], pkts[i]);
	}
	for (tries = 0; sent < nb; tries++) {
		assert_true(tries < 100000);
		sent += rte_eth_tx_burst(pressure_port, 0, pkts + sent, nb - sent);
		for (i = sent; i < nb; i++)
			pressure_assert_given(&given[i], pkts[i]);
	}
	pressure_send(NULL, 0);
	if (cuts_below)
		pressure_assert_order();
	else
		pressure_assert_wire();
	script_forget();
	for (i = 0; i < nb; i++)
		rte_pktmbuf_free(held[i]);
	pressure_assert_pools();
}

static void
random_bursts_over(uint64_t lower_capa, const char *args)
{
	bool cuts_below = (lower_capa & RTE_ETH_TX_OFFLOAD_TCP_TSO) != 0;
	uint16_t counts[16];
	unsigned int round, i;

	assert_int_equal(rte_eth_dev_stop(pressure_port), 0);
	recreate(args);
	pressure_port = started(lower_capa, TSO_OFFLOADS | TAGS);
	for (round = 0; round < NB_ROUNDS; round++) {
		for (i = 0; i < RTE_DIM(counts); i++)
			counts[i] = below(3) == 0 ? 40 : below(4);
		counts[0] = 1;
		pressure_take(RTE_DIM(counts), counts);
		random_burst(cuts_below);
	}
}

static void
over_a_port_that_takes_chains(void **state)
{
	(void)state;
	random_bursts_over(RTE_ETH_TX_OFFLOAD_MULTI_SEGS, OVER_LOWER);
}

static void
over_a_port_that_can_do_nothing(void **state)
{
	(void)state;
	random_bursts_over(0, OVER_LOWER);
}

static void
over_a_port_that_can_do_most(void **state)
{
	(void)state;
	random_bursts_over(RTE_ETH_TX_OFFLOAD_MULTI_SEGS | RTE_ETH_TX_OFFLOAD_TCP_CKSUM |
		RTE_ETH_TX_OFFLOAD_TCP_TSO, OVER_LOWER);
}

static void
from_a_pool_of_64_mbufs(void **state)
{
	(void)state;
	random_bursts_over(RTE_ETH_TX_OFFLOAD_MULTI_SEGS, OVER_LOWER ",pool_size=64");
}

static void
segments_refer_to_the_payload(void **state)
{
	(void)state;
	random_bursts_over(RTE_ETH_TX_OFFLOAD_MULTI_SEGS, OVER_LOWER ",form=attach");
}

static void
segments_refer_to_the_payload_from_64_mbufs(void **state)
{
	(void)state;
	random_bursts_over(RTE_ETH_TX_OFFLOAD_MULTI_SEGS, OVER_LOWER ",form=attach,pool_size=64");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, pressure_setup, pressure_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(over_a_port_that_takes_chains),
		CASE(over_a_port_that_can_do_nothing),
		CASE(over_a_port_that_can_do_most),
		CASE(from_a_pool_of_64_mbufs),
		CASE(segments_refer_to_the_payload),
		CASE(segments_refer_to_the_payload_from_64_mbufs),
	};

	driver_start(NULL);
	harness_rng_init(&rng);
	return harness_finish(cmocka_run_group_tests_name("driver-storm", tests, NULL, NULL));
}
