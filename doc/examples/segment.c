/* SPDX-License-Identifier: BSD-3-Clause */

/* Cut a super-packet: whole, and one segment at a time. */

#include <errno.h>
#include <stdio.h>

#include <rte_eal.h>

#include <csum_gso.h>

#include "example.h"

#define MAX_SEGS 64

static void
request_tso(struct rte_mbuf *m, uint16_t segsz)
{
	m->l2_len = EXAMPLE_L2_LEN;
	m->l3_len = EXAMPLE_L3_LEN;
	m->l4_len = EXAMPLE_L4_LEN;
	m->tso_segsz = segsz;
	m->ol_flags |= RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_SEG;
}

/* begin: whole */
/* All segments or none. They are the caller's, and so is the input. */
static int
cut(const struct rte_mbuf *m, struct rte_mempool *pool, struct rte_mbuf **segs)
{
	const struct csum_gso_conf conf = { .pool = pool, .headroom = RTE_PKTMBUF_HEADROOM };
	enum csum_refusal why;
	struct csum_gso_req req;
	int nb;

	csum_gso_req_from_mbuf(&req, m);
	nb = csum_gso_segment(m, &req, &conf, segs, MAX_SEGS, &why);
	if (nb < 0 && why != CSUM_REFUSAL_NONE)
		printf("refused: %s\n", csum_refusal_name(why));
	return nb;
}
/* end: whole */

/* begin: iterate */
/*
 * One segment at a time, so that a single free mbuf is progress. Returns 1 when all is sent, 0 to
 * be called again. `it` outlives the calls, and the input outlives `it`.
 */
static int
cut_and_send(struct csum_gso_iter *it, void (*send)(struct rte_mbuf *seg))
{
	struct rte_mbuf *seg;
	int ret;

	while ((ret = csum_gso_iter_next(it, &seg)) == 1)
		send(seg);
	return ret == -ENOMEM ? 0 : 1;
}
/* end: iterate */

static void
show(struct rte_mbuf *seg)
{
	printf("  %u bytes\n", seg->pkt_len);
	rte_pktmbuf_free(seg);
}

static int
show_whole(const struct rte_mbuf *m, struct rte_mempool *pool)
{
	struct rte_mbuf *segs[MAX_SEGS];
	int i, nb = cut(m, pool, segs);

	for (i = 0; i < nb; i++)
		show(segs[i]);
	return nb;
}

int
main(int argc, char **argv)
{
	struct rte_mempool *pool = example_start(argc, argv);
	const struct csum_gso_conf conf = { .pool = pool };
	struct rte_mbuf *m = example_packet(pool, 4000);
	struct csum_gso_req req;
	struct csum_gso_iter it;

	request_tso(m, 1460);
	printf("whole:\n");
	if (show_whole(m, pool) < 0)
		return 1;

	csum_gso_req_from_mbuf(&req, m);
	req.segsz = 2000;
	if (csum_gso_iter_init(&it, m, &req, &conf, NULL) != 0)
		return 1;
	printf("one at a time, %u to come:\n", csum_gso_iter_left(&it));
	while (cut_and_send(&it, show) == 0)
		;

	m->tso_segsz = 0;
	printf("without a size: %d\n", show_whole(m, pool));
	rte_pktmbuf_free(m);
	rte_mempool_free(pool);
	return rte_eal_cleanup();
}
