/* SPDX-License-Identifier: BSD-3-Clause */

#include <rte_ethdev.h>

#include "gso_model.h"

#define NB_ROUNDS 3000
#define MAX_PIECES 60

static struct harness_rng rng;

/* The input as a chain of a random kind, cut at random places. */
static struct rte_mbuf *
random_chain(void)
{
	uint16_t lens[MAX_PIECES];
	unsigned int nb = harness_rand_lens(&rng, gso_frame.len, lens, MAX_PIECES);

	if (harness_rand_below(&rng, 3) == 0)
		nb = 0;
	return frame_mbuf_kind(&gso_frame, gso_in, (enum harness_kind)harness_rand_below(&rng, 3),
			       lens, nb);
}

/* What is left to the port below, and padding, most of the time none. */
static void
random_conf(void)
{
	static const uint64_t capa[] = {
		RTE_ETH_TX_OFFLOAD_IPV4_CKSUM, RTE_ETH_TX_OFFLOAD_TCP_CKSUM,
		RTE_ETH_TX_OFFLOAD_UDP_CKSUM, RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM,
		RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM,
	};
	unsigned int i;

	gso_conf.headroom = (uint16_t)harness_rand_below(&rng, 129);
	gso_conf.tailroom = (uint16_t)harness_rand_below(&rng, 100);
	gso_conf.prefetch = (uint16_t)harness_rand_below(&rng, 4);
	gso_conf.lower_capa = 0;
	for (i = 0; i < RTE_DIM(capa) && harness_rand_below(&rng, 3) == 0; i++)
		gso_conf.lower_capa |= capa[(i + harness_rand_below(&rng, 5)) % RTE_DIM(capa)];
	gso_conf.pad_to = harness_rand_below(&rng, 4) == 0 ?
		(uint16_t)harness_rand_below(&rng, 70) : 0;
	gso_conf.pad_max = harness_rand_below(&rng, 2) == 0 ?
		(uint16_t)harness_rand_below(&rng, 3000) : 0;
}

static void
random_super_packets(void **state)
{
	struct rte_mempool *small = harness_pool("small", 2048, 512);
	struct gso_model model;
	unsigned int i;

	harness_rng_init(&rng);
	for (i = 0; i < NB_ROUNDS; i++) {
		gso_conf.pool = harness_rand_below(&rng, 2) == 0 ? gso_out : small;
		random_conf();
		gso_model_make(&model, &rng);
		assert_true(gso_cut_req(random_chain(), &model.req) > 0);
		gso_model_judge(&model);
	}
	rte_mempool_free(small);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		gso_test(random_super_packets),
	};

	gso_main(tests);
}
