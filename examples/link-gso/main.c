/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * link-gso [EAL options] -- [PAYLOAD [SEGSZ]]
 *
 * The smallest program that links libdpdk_csum: it makes a TCP super-packet of PAYLOAD bytes, cuts
 * it to segments of SEGSZ, and sends those by the first port, which needs no offload for that.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>

#include <csum_gso.h>

#define NB_MBUFS    4095
#define NB_DESC     512
#define MAX_SEGS    2048
#define MAX_PAYLOAD (1 << 20)
#define PATIENCE_MS 1000

/* Ethernet, IPv4 and TCP (ACK, PSH; to discard), as a stack hands them to a port with TSO: lengths
 * and checksums are open.
 */
static const uint8_t headers[] = {
	0x02, 0, 0, 0, 0, 2, 0x02, 0, 0, 0, 0, 1, 0x08, 0x00,
	0x45, 0, 0, 0, 0, 1, 0, 0, 64, 6, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2,
	0x9c, 0x40, 0, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0x50, 0x18, 0x20, 0, 0, 0, 0, 0,
};

/* A chain with the metadata that DPDK defines for TSO. NULL: the pool is empty. */
static struct rte_mbuf *
super_packet(struct rte_mempool *pool, uint32_t payload_len, uint16_t segsz)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool), *seg;
	uint32_t i, len, done;
	char *byte;

	if (m == NULL)
		return NULL;
	memcpy(rte_pktmbuf_append(m, sizeof(headers)), headers, sizeof(headers));
	for (done = 0; done < payload_len; done += len) {
		seg = rte_pktmbuf_alloc(pool);
		if (seg == NULL || rte_pktmbuf_chain(m, seg) != 0) {
			rte_pktmbuf_free(seg);
			rte_pktmbuf_free(m);
			return NULL;
		}
		len = RTE_MIN(payload_len - done, (uint32_t)rte_pktmbuf_tailroom(seg));
		byte = rte_pktmbuf_append(m, (uint16_t)len);
		for (i = 0; i < len; i++)
			byte[i] = (char)((done + i) % 251);
	}
	m->l2_len = 14;
	m->l3_len = 20;
	m->l4_len = 20;
	m->tso_segsz = segsz;
	m->ol_flags |= RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_SEG;
	return m;
}

/* begin: cut */
/* Segments made, complete with checksums; a negative errno, and why, if there are none. */
static int
cut(const struct rte_mbuf *m, struct rte_mempool *pool, struct rte_mbuf **segs)
{
	const struct csum_gso_conf conf = { .pool = pool, .headroom = RTE_PKTMBUF_HEADROOM };
	enum csum_refusal why;
	struct csum_gso_req req;
	int nb;

	csum_gso_req_from_mbuf(&req, m);
	nb = csum_gso_segment(m, &req, &conf, segs, MAX_SEGS, &why);
	if (nb < 0)
		fprintf(stderr, "not cut: %s\n",
			why != CSUM_REFUSAL_NONE ? csum_refusal_name(why) : rte_strerror(-nb));
	return nb;
}
/* end: cut */

/* Sends what the port takes in a second, and frees the rest. Returns how many went out. */
static uint16_t
send_all(uint16_t port, struct rte_mbuf **segs, uint16_t nb)
{
	unsigned int ms;
	uint16_t sent = rte_eth_tx_burst(port, 0, segs, nb);

	for (ms = 0; sent < nb && ms < PATIENCE_MS; ms++) {
		rte_delay_ms(1);
		sent += rte_eth_tx_burst(port, 0, segs + sent, nb - sent);
	}
	rte_pktmbuf_free_bulk(segs + sent, nb - sent);
	return sent;
}

/* No offload is asked of the port. Returns 0 or a negative errno. */
static int
start_port(uint16_t port, struct rte_mempool *pool)
{
	const struct rte_eth_conf conf = { 0 };
	int ret = rte_eth_dev_configure(port, 1, 1, &conf);

	if (ret == 0)
		ret = rte_eth_rx_queue_setup(port, 0, NB_DESC, SOCKET_ID_ANY, NULL, pool);
	if (ret == 0)
		ret = rte_eth_tx_queue_setup(port, 0, NB_DESC, SOCKET_ID_ANY, NULL);
	return ret == 0 ? rte_eth_dev_start(port) : ret;
}

static uint32_t
number(const char *text, uint32_t max)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*end != '\0' || value == 0 || value > max)
		rte_exit(EXIT_FAILURE, "'%s' is not a number from 1 to %u\n", text, max);
	return (uint32_t)value;
}

int
main(int argc, char **argv)
{
	uint32_t payload_len = 64000, segsz = 1448;
	struct rte_mbuf *m, *segs[MAX_SEGS];
	int nb, ret, nb_eal = rte_eal_init(argc, argv);
	struct rte_mempool *pool;
	uint16_t port, sent = 0;

	if (nb_eal < 0)
		rte_exit(EXIT_FAILURE, "cannot start the EAL: %s\n", rte_strerror(rte_errno));
	if (argc - nb_eal > 1)
		payload_len = number(argv[nb_eal + 1], MAX_PAYLOAD);
	if (argc - nb_eal > 2)
		segsz = number(argv[nb_eal + 2], UINT16_MAX);
	port = (uint16_t)rte_eth_find_next(0);
	if (port == RTE_MAX_ETHPORTS)
		rte_exit(EXIT_FAILURE, "no port: name one with -a or --vdev\n");

	pool = rte_pktmbuf_pool_create("link-gso", NB_MBUFS, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
		SOCKET_ID_ANY);
	if (pool == NULL)
		rte_exit(EXIT_FAILURE, "no memory for %u mbufs\n", NB_MBUFS);
	ret = start_port(port, pool);
	if (ret != 0)
		rte_exit(EXIT_FAILURE, "port %u: %s\n", port, rte_strerror(-ret));
	m = super_packet(pool, payload_len, (uint16_t)segsz);
	if (m == NULL)
		rte_exit(EXIT_FAILURE, "no mbufs for %u bytes\n", payload_len);

	nb = cut(m, pool, segs);
	if (nb > 0) {
		sent = send_all(port, segs, (uint16_t)nb);
		printf("1 packet of %u bytes in %u mbufs: %d segments, %u sent by port %u\n",
			m->pkt_len, m->nb_segs, nb, sent, port);
	}

	rte_pktmbuf_free(m);
	rte_eth_dev_stop(port);
	rte_eth_dev_close(port);
	rte_mempool_free(pool);
	rte_eal_cleanup();
	return nb > 0 && sent == nb ? EXIT_SUCCESS : EXIT_FAILURE;
}
