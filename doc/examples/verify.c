/* SPDX-License-Identifier: BSD-3-Clause */

/* Parse a packet, judge its checksums, and fill in those that are wrong. */

#include <stdio.h>

#include <rte_eal.h>

#include <csum_mbuf.h>
#include <csum_pkt.h>

#include "example.h"

static const char *const verdict_names[] = {
	[CSUM_VERDICT_NONE] = "none",
	[CSUM_VERDICT_GOOD] = "good",
	[CSUM_VERDICT_BAD] = "bad",
	[CSUM_VERDICT_PARTIAL] = "partial",
	[CSUM_VERDICT_ZERO] = "zero",
	[CSUM_VERDICT_FRAGMENT] = "fragment",
	[CSUM_VERDICT_TRUNCATED] = "truncated",
};

/* begin: verify */
static void
show(const struct rte_mbuf *m)
{
	struct csum_pkt pkt;
	unsigned int i;

	if (csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, &pkt) != 0)
		return;
	for (i = 0; i < pkt.nb_layers; i++)
		printf("layer %u: type %u at %u, %u bytes, %s\n", i, pkt.layer[i].type,
			pkt.layer[i].off, pkt.layer[i].len,
			verdict_names[csum_pkt_verify(m, &pkt, i)]);
}
/* end: verify */

/* begin: fill */
/* Innermost first: outer checksums cover inner ones. */
static int
repair(struct rte_mbuf *m)
{
	struct csum_pkt pkt;
	unsigned int i;
	int ret;

	ret = csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, &pkt);
	if (ret != 0)
		return ret;
	if (!csum_mbuf_is_writable(m, m->pkt_len))
		return -1;
	for (i = pkt.nb_layers; i-- > 0 && ret == 0;) {
		switch (csum_pkt_verify(m, &pkt, i)) {
		case CSUM_VERDICT_BAD:
		case CSUM_VERDICT_PARTIAL:
			ret = csum_pkt_fill(m, &pkt, i);
			break;
		default:
			break;
		}
	}
	return ret;
}
/* end: fill */

int
main(int argc, char **argv)
{
	struct rte_mempool *pool = example_start(argc, argv);
	struct rte_mbuf *m = example_packet(pool, 100);

	show(m);
	if (repair(m) != 0)
		return 1;
	printf("repaired:\n");
	show(m);
	rte_pktmbuf_free(m);
	rte_mempool_free(pool);
	return rte_eal_cleanup();
}
