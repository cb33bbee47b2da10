/* SPDX-License-Identifier: BSD-3-Clause */

/* Carry out an mbuf's Tx requests in software. */

#include <stdio.h>

#include <rte_eal.h>

#include <csum_mbuf.h>
#include <csum_pkt.h>

#include "example.h"

/* begin: request */
/* What an application does for a port that has the offloads. */
static void
request_checksums(struct rte_mbuf *m)
{
	m->l2_len = EXAMPLE_L2_LEN;
	m->l3_len = EXAMPLE_L3_LEN;
	m->ol_flags |= RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_CKSUM;
}
/* end: request */

/* begin: prepare */
/* What is done for a port that has only some of them: their Tx flags are in `port_has`. */
static int
carry_out(struct rte_mbuf *m, uint64_t port_has)
{
	uint64_t todo = m->ol_flags & CSUM_PKT_TX_CKSUM_MASK & ~port_has;
	enum csum_refusal why = CSUM_REFUSAL_NONE;
	int ret;

	if (!csum_mbuf_is_writable(m, EXAMPLE_HDR_LEN))
		return -1; /* the caller copies it first */
	ret = csum_pkt_prepare(m, todo, &why);
	if (ret == 0)
		m->ol_flags &= ~todo;
	else
		printf("refused: %s\n", csum_refusal_name(why));
	return ret;
}
/* end: prepare */

int
main(int argc, char **argv)
{
	struct rte_mempool *pool = example_start(argc, argv);
	struct rte_mbuf *m = example_packet(pool, 100);

	request_checksums(m);
	if (carry_out(m, RTE_MBUF_F_TX_IP_CKSUM) != 0)
		return 1;
	printf("left to the port: %s\n",
		rte_get_tx_ol_flag_name(m->ol_flags & CSUM_PKT_TX_CKSUM_MASK));

	m->l3_len = 24;
	m->ol_flags |= RTE_MBUF_F_TX_TCP_CKSUM;
	printf("with a wrong length: %d\n", carry_out(m, 0));
	rte_pktmbuf_free(m);
	rte_mempool_free(pool);
	return rte_eal_cleanup();
}
