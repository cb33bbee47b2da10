/* SPDX-License-Identifier: BSD-3-Clause */

/* Checksums over a chain of mbufs. */

#include <netinet/in.h>
#include <stdio.h>

#include <rte_byteorder.h>
#include <rte_eal.h>

#include <csum_mbuf.h>
#include <csum_pkt.h>

#include "example.h"

#define IPV4_ADDRS 12

/* begin: sum */
/* The partial sum that a TCP checksum is made of: pseudo header, then all of the segment. */
static int
tcp_sum(const struct rte_mbuf *m, uint32_t l3, uint32_t l4, uint32_t *sum)
{
	uint32_t len = m->pkt_len - l4;
	uint8_t addrs[8];

	if (csum_mbuf_read(m, l3 + IPV4_ADDRS, addrs, sizeof(addrs)) != 0)
		return -1;
	*sum = csum_pseudo_ipv4(addrs, IPPROTO_TCP, len);
	return csum_mbuf_partial(m, l4, len, sum);
}
/* end: sum */

/* begin: copy */
/* Make flat memory of a chain, and sum what is stored there. */
static int
linearise(uint8_t *dst, const struct rte_mbuf *m, uint32_t *sum)
{
	struct csum_mbuf_pos pos;

	*sum = 0;
	if (csum_mbuf_seek(m, 0, &pos) != 0)
		return -1;
	return csum_mbuf_sum_copy(dst, &pos, m->pkt_len, sum);
}
/* end: copy */

int
main(int argc, char **argv)
{
	struct rte_mempool *pool = example_start(argc, argv);
	struct rte_mbuf *m = example_packet(pool, 3001);
	static uint8_t flat[4096];
	uint32_t sum, of_chain = 0;

	if (tcp_sum(m, EXAMPLE_L2_LEN, EXAMPLE_L2_LEN + EXAMPLE_L3_LEN, &sum) != 0)
		return 1;
	printf("%u segments, %u bytes\n", m->nb_segs, m->pkt_len);
	printf("the TCP checksum would be %04x\n", rte_be_to_cpu_16(csum_sum_check(sum)));

	if (linearise(flat, m, &sum) != 0 ||
			csum_mbuf_partial(m, 0, m->pkt_len, &of_chain) != 0)
		return 1;
	printf("flat and chain: %s\n", csum_sum_fold(sum) == csum_sum_fold(of_chain) ?
		"the same sum" : "different sums");
	rte_pktmbuf_free(m);
	rte_mempool_free(pool);
	return rte_eal_cleanup();
}
