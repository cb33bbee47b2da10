/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netinet/in.h>

#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_ethdev.h>

#include <csum_pkt.h>

#include "driver_bench.h"
#include "harness.h"

#define BURST 32
#define NB_MBUFS 2047
#define NB_BURSTS 128 /* a sample */
#define NB_SUPERS 24  /* the same */
#define LINK_LEN 14
#define IP_LEN 20
#define TCP_LEN 20
#define TCP_OFF (LINK_LEN + IP_LEN)
#define HDR_LEN (TCP_OFF + TCP_LEN)
#define ROOM 2048

#define TCP4_CKSUM (RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_CKSUM)

static struct driver_bench_ports ports[] = {
	{ .lower = "null" },
	{ .lower = "ring", .keeps = true },
};

static struct rte_mempool *pool;

void
driver_bench_die(const char *what)
{
	fprintf(stderr, "driver-bench: %s: %s\n", what, rte_strerror(rte_errno));
	exit(EXIT_FAILURE);
}

/* IPv4 and TCP with their lengths; payload as it is. Mbufs keep it from use to use. */
static void
write_headers(struct rte_mempool *mp, void *arg, void *obj, unsigned int i)
{
	static const uint8_t headers[HDR_LEN] = {
		0x02, 0, 0, 0, 0, 2, 0x02, 0, 0, 0, 0, 1, 0x08, 0,
		0x45, 0, 0, 0, 0x10, 0, 0, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2,
		4, 0, 0, 80, 0, 0, 3, 0xe8, 0, 0, 7, 0xd0, 0x50, 0x10, 0x20, 0, 0, 0, 0, 0,
	};
	struct rte_mbuf *m = obj;
	uint8_t *data = (uint8_t *)m->buf_addr + RTE_PKTMBUF_HEADROOM;

	(void)mp;
	(void)arg;
	(void)i;
	harness_pattern(data, ROOM);
	memcpy(data, headers, HDR_LEN);
}

static void
port_start(uint16_t port, uint16_t nb_queues)
{
	struct rte_eth_conf conf = {
		.txmode.offloads = RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM |
			RTE_ETH_TX_OFFLOAD_TCP_TSO | RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
	};
	uint16_t i;

	if (rte_eth_dev_configure(port, nb_queues, nb_queues, &conf) != 0)
		driver_bench_die("a port is not configured");
	for (i = 0; i < nb_queues; i++)
		if (rte_eth_rx_queue_setup(port, i, 512, SOCKET_ID_ANY, NULL, pool) != 0 ||
				rte_eth_tx_queue_setup(port, i, 512, SOCKET_ID_ANY, NULL) != 0)
			driver_bench_die("no queue");
	if (rte_eth_dev_start(port) != 0)
		driver_bench_die("a port is not started");
}

/*
 * EAL without huge pages gives each mbuf a page of its own, lest it lie in two. The first lines of
 * all mbufs then belong to one set of the first cache, which holds 8 of them: whoever touches a
 * burst of mbufs waits for the second cache, time and again. That is not how packets lie in huge
 * pages. Virtual ports do not need what it is done for.
 */
static struct rte_mempool *
make_pool(bool by_page)
{
	struct rte_mempool *mp = rte_mempool_create_empty("app", NB_MBUFS,
		sizeof(struct rte_mbuf) + RTE_PKTMBUF_HEADROOM + ROOM, 256,
		sizeof(struct rte_pktmbuf_pool_private), SOCKET_ID_ANY,
		by_page ? 0 : RTE_MEMPOOL_F_NO_IOVA_CONTIG);

	if (mp == NULL)
		driver_bench_die("no pool");
	rte_pktmbuf_pool_init(mp, NULL);
	if (rte_mempool_populate_default(mp) < 0)
		driver_bench_die("no memory for a pool");
	rte_mempool_obj_iter(mp, rte_pktmbuf_init, NULL);
	rte_mempool_obj_iter(mp, write_headers, NULL);
	return mp;
}

void
driver_bench_start(uint16_t nb_queues, bool by_page)
{
	char above[32], below[32], args[64];
	unsigned int i;

	pool = make_pool(by_page);
	for (i = 0; i < RTE_DIM(ports); i++) {
		snprintf(above, sizeof(above), "net_soft_csum_%s", ports[i].lower);
		snprintf(below, sizeof(below), "net_%s0", ports[i].lower);
		snprintf(args, sizeof(args), "lower=%s", below);
		rte_errno = ENODEV;
		if (rte_vdev_init(below, NULL) != 0 || rte_vdev_init(above, args) != 0 ||
				rte_eth_dev_get_port_by_name(above, &ports[i].above) != 0 ||
				rte_eth_dev_get_port_by_name(below, &ports[i].below) != 0)
			driver_bench_die(above);
		port_start(ports[i].above, nb_queues);
	}
}

const struct driver_bench_ports *
driver_bench_ports_find(const char *lower)
{
	unsigned int i = 0;

	while (strcmp(ports[i].lower, lower) != 0)
		i++;
	return &ports[i];
}

/* A packet of a burst, as an application makes it. */
static void
shape(struct rte_mbuf *m, uint32_t size, uint64_t flags)
{
	uint8_t *ip = rte_pktmbuf_mtod_offset(m, uint8_t *, LINK_LEN);

	harness_put_be16(ip + 2, (uint16_t)(HDR_LEN - LINK_LEN + size));
	m->data_len = (uint16_t)(HDR_LEN + size);
	m->pkt_len = m->data_len;
	m->ol_flags = flags;
	m->l2_len = LINK_LEN;
	m->l3_len = IP_LEN;
	m->l4_len = TCP_LEN;
}

/* The sums alone, of headers that are known. What the fields hold is taken out of them. */
static void
fill(struct rte_mbuf *m)
{
	uint8_t *ip = rte_pktmbuf_mtod_offset(m, uint8_t *, LINK_LEN), *tcp = ip + IP_LEN;
	uint32_t len = m->pkt_len - TCP_OFF, sum;
	uint16_t ip_check, check;

	memcpy(&ip_check, ip + 10, sizeof(ip_check));
	memcpy(&check, tcp + 16, sizeof(check));
	sum = csum_partial(tcp, len, csum_pseudo_ipv4(ip + 12, IPPROTO_TCP, len));
	check = csum_sum_check(csum_sum_sub(sum, check));
	ip_check = csum_sum_check(csum_sum_sub(csum_partial_inline(ip, IP_LEN, 0), ip_check));
	memcpy(ip + 10, &ip_check, sizeof(ip_check));
	memcpy(tcp + 16, &check, sizeof(check));
}

static void
make(const struct driver_bench_work *work, struct rte_mbuf **pkts, bool ours)
{
	bool checksum = work->kind == DRIVER_BENCH_CHECKSUM;
	uint64_t flags = checksum && ours ? TCP4_CKSUM : 0;
	unsigned int i;

	if (rte_pktmbuf_alloc_bulk(pool, pkts, BURST) != 0)
		driver_bench_die("pool is empty");
	for (i = 0; i < BURST; i++)
		shape(pkts[i], work->size, flags);
	for (i = 0; checksum && !ours && i < BURST; i++)
		fill(pkts[i]);
}

/* What goes into a port that keeps it comes out of it. */
static void
one_burst(const struct driver_bench_work *work, bool ours)
{
	const struct driver_bench_ports *p = work->ports;
	struct rte_mbuf *pkts[BURST];

	if (!work->rx || p->keeps) {
		make(work, pkts, ours);
		if (rte_eth_tx_burst(ours && !work->rx ? p->above : p->below, work->queue, pkts,
				BURST) != BURST)
			driver_bench_die("not all was sent");
	}
	if (work->rx || p->keeps) {
		if (rte_eth_rx_burst(ours && work->rx ? p->above : p->below, work->queue, pkts,
				BURST) != BURST)
			driver_bench_die("not all was received");
		rte_pktmbuf_free_bulk(pkts, BURST);
	}
}

static void
one_super(const struct driver_bench_work *work, bool ours)
{
	const struct driver_bench_ports *p = work->ports;
	struct rte_mbuf *m = work->set->slots[0].source, *segs[GSO_BENCH_MAX_SEGS];
	uint16_t nb, sent;

	/* It is sent again and again. */
	rte_mbuf_refcnt_update(m, 1);
	if (ours) {
		nb = 1;
		sent = rte_eth_tx_burst(p->above, work->queue, &m, 1);
	} else {
		nb = (uint16_t)gso_bench_copy(&work->set->packet, m, segs);
		sent = rte_eth_tx_burst(p->below, work->queue, segs, nb);
		rte_pktmbuf_free(m);
	}
	if (sent != nb)
		driver_bench_die("not all was sent");
	if (p->keeps) {
		nb = rte_eth_rx_burst(p->below, work->queue, segs, GSO_BENCH_MAX_SEGS);
		rte_pktmbuf_free_bulk(segs, nb);
	}
}

double
driver_bench_sample(const struct driver_bench_work *work, bool ours)
{
	bool super = work->kind == DRIVER_BENCH_SEGMENT;
	unsigned int i, nb = super ? NB_SUPERS : NB_BURSTS;
	uint64_t begin = rte_rdtsc();

	for (i = 0; i < nb; i++)
		if (super)
			one_super(work, ours);
		else
			one_burst(work, ours);
	return (double)(rte_rdtsc() - begin) / (super ? nb : nb * BURST);
}
