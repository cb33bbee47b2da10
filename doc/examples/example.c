/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdlib.h>
#include <string.h>

#include <rte_debug.h>
#include <rte_eal.h>

#include <csum_mbuf.h>

#include "example.h"

#define NB_MBUFS 255

struct rte_mempool *
example_start(int argc, char **argv)
{
	struct rte_mempool *pool;

	if (rte_eal_init(argc, argv) < 0)
		rte_exit(EXIT_FAILURE, "cannot start the EAL\n");
	pool = rte_pktmbuf_pool_create("example", NB_MBUFS, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
		SOCKET_ID_ANY);
	if (pool == NULL)
		rte_exit(EXIT_FAILURE, "cannot make a pool\n");
	return pool;
}

/* A chain with room for this many bytes, its lengths set. */
static struct rte_mbuf *
chain_alloc(struct rte_mempool *pool, uint32_t len)
{
	struct rte_mbuf *head = NULL, *m;

	do {
		m = rte_pktmbuf_alloc(pool);
		if (m == NULL || (head != NULL && rte_pktmbuf_chain(head, m) != 0))
			rte_exit(EXIT_FAILURE, "cannot make a packet\n");
		if (head == NULL)
			head = m;
		m->data_len = RTE_MIN(len, rte_pktmbuf_tailroom(m));
		head->pkt_len += m->data_len;
		len -= m->data_len;
	} while (len > 0);
	return head;
}

struct rte_mbuf *
example_packet(struct rte_mempool *pool, uint32_t payload_len)
{
	static const uint8_t hdr[EXAMPLE_HDR_LEN] = {
		2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0,
		0x45, 0, 0, 0, 0, 1, 0, 0, 64, 6, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2,
		0x9c, 0x40, 0, 80, 0, 0, 0, 1, 0, 0, 0, 1, 0x50, 0x18, 2, 0, 0, 0, 0, 0,
	};
	struct rte_mbuf *m = chain_alloc(pool, sizeof(hdr) + payload_len);
	uint32_t ip_len = EXAMPLE_L3_LEN + EXAMPLE_L4_LEN + payload_len;
	uint8_t len_field[] = { (uint8_t)(ip_len >> 8), (uint8_t)ip_len }, byte;
	uint32_t i;

	csum_mbuf_write(m, 0, hdr, sizeof(hdr));
	csum_mbuf_write(m, EXAMPLE_L2_LEN + 2, len_field, sizeof(len_field));
	for (i = 0; i < payload_len; i++) {
		byte = (uint8_t)(i % 251);
		csum_mbuf_write(m, (uint32_t)sizeof(hdr) + i, &byte, 1);
	}
	return m;
}
