/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What net_soft_csum costs: the same bursts through it, and directly on a port of the kind below
 * it, in turns. A table, tab-separated; one line a case. "extra_cycles" is the difference, in
 * cycles of the core a packet.
 *
 * What the application does before is not timed, but has just been done: it makes a burst of
 * packets, so that their mbufs are in the first level of cache. Ticks are read around each burst.
 */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_ethdev.h>

#include <csum_gso.h>

#include "csum_bench.h"
#include "harness.h"

#define BURST 32
#define NB_REPEATS 128          /* bursts a sample */
#define MAX_ROUNDS 301
#define HDR_LEN (14 + 20 + 20)
#define SEGSZ 1448
#define NB_SEGS 45
#define SUPER_LEN (NB_SEGS * SEGSZ)
#define ROOM 2048

#define TCP4_CKSUM (RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_CKSUM)
#define TCP4_SEG (RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_SEG)

enum kind {
	PASS,     /* nothing to do */
	CHECKSUM, /* IPv4 and TCP; directly: none */
	SEGMENT,  /* one packet of 64 KB; directly: csum_gso_segment() and a burst */
};

static const char *const kind_names[] = { "pass", "checksum", "tso" };

struct bench {
	enum kind kind;
	const char *lower;
	bool rx;
	uint32_t size;          /* payload bytes */
};

static const struct bench benches[] = {
	{ PASS, "null", false, 64 },
	{ PASS, "null", true, 64 },
	{ PASS, "ring", false, 64 },
	{ PASS, "ring", true, 64 },
	{ PASS, "ring", false, SEGSZ },
	{ CHECKSUM, "null", false, 64 },
	{ CHECKSUM, "null", false, SEGSZ },
	{ CHECKSUM, "ring", false, 64 },
	{ CHECKSUM, "ring", false, SEGSZ },
	{ SEGMENT, "null", false, SUPER_LEN },
};

static struct rte_mempool *pool, *seg_pool;
static struct rte_mbuf *pkts[BURST];
static double cycles_per_tick;

static void
die(const char *what)
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

static struct rte_mempool *
make_pool(const char *name)
{
	struct rte_mempool *mp = rte_pktmbuf_pool_create(name, 4095, 256, 0,
		ROOM + RTE_PKTMBUF_HEADROOM, SOCKET_ID_ANY);

	if (mp == NULL)
		die("no pool");
	rte_mempool_obj_iter(mp, write_headers, NULL);
	return mp;
}

static uint16_t
start_port(const char *name)
{
	struct rte_eth_conf conf = {
		.txmode.offloads = RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM |
			RTE_ETH_TX_OFFLOAD_TCP_TSO | RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
	};
	struct rte_eth_dev_info info;
	uint16_t port;

	if (rte_eth_dev_get_port_by_name(name, &port) != 0 ||
			rte_eth_dev_info_get(port, &info) != 0)
		die(name);
	conf.txmode.offloads &= info.tx_offload_capa;
	if (rte_eth_dev_configure(port, 1, 1, &conf) != 0 ||
			rte_eth_rx_queue_setup(port, 0, 512, SOCKET_ID_ANY, NULL, pool) != 0 ||
			rte_eth_tx_queue_setup(port, 0, 512, SOCKET_ID_ANY, NULL) != 0 ||
			rte_eth_dev_start(port) != 0)
		die(name);
	return port;
}

/* A packet of a burst. */
static void
shape(struct rte_mbuf *m, uint32_t size, uint64_t flags)
{
	uint8_t *ip = rte_pktmbuf_mtod_offset(m, uint8_t *, 14);

	harness_put_be16(ip + 2, (uint16_t)(HDR_LEN - 14 + size));
	m->data_len = (uint16_t)(HDR_LEN + size);
	m->pkt_len = m->data_len;
	m->ol_flags = flags;
	m->l2_len = 14;
	m->l3_len = 20;
	m->l4_len = 20;
}

static void
make_packets(const struct bench *bench, uint64_t flags)
{
	unsigned int i;

	if (rte_pktmbuf_alloc_bulk(pool, pkts, BURST) != 0)
		die("pool is empty");
	for (i = 0; i < BURST; i++)
		shape(pkts[i], bench->size, flags);
}

static uint64_t
send_all(uint16_t port)
{
	uint64_t begin = rte_rdtsc();
	uint16_t sent = rte_eth_tx_burst(port, 0, pkts, BURST);

	begin = rte_rdtsc() - begin;
	if (sent != BURST)
		die("not all was sent");
	return begin;
}

static uint64_t
receive_all(uint16_t port)
{
	uint64_t begin = rte_rdtsc();
	uint16_t nb = rte_eth_rx_burst(port, 0, pkts, BURST);

	begin = rte_rdtsc() - begin;
	if (nb != BURST)
		die("not all was received");
	rte_pktmbuf_free_bulk(pkts, BURST);
	return begin;
}

/* Ticks of one burst. What goes into a ring comes out of it. */
static uint64_t
burst_ticks(const struct bench *bench, uint16_t port, bool ours)
{
	bool ring = strcmp(bench->lower, "ring") == 0;
	uint64_t ticks = 0;

	if (!bench->rx || ring) {
		make_packets(bench, ours && bench->kind == CHECKSUM ? TCP4_CKSUM : 0);
		ticks = send_all(port);
	}
	if (bench->rx)
		return receive_all(port);
	if (ring)
		receive_all(port);
	return ticks;
}

static struct rte_mbuf *
make_super(void)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool), *tail = m, *next;
	uint32_t left = SUPER_LEN, len;

	if (m == NULL)
		die("pool is empty");
	shape(m, 0, TCP4_SEG);
	m->tso_segsz = SEGSZ;
	while (left != 0) {
		next = rte_pktmbuf_alloc(pool);
		if (next == NULL)
			die("pool is empty");
		len = RTE_MIN(left, (uint32_t)ROOM);
		next->data_len = (uint16_t)len;
		m->pkt_len += len;
		m->nb_segs++;
		tail->next = next;
		tail = next;
		left -= len;
	}
	return m;
}

static uint64_t
super_ticks(uint16_t port, bool ours)
{
	const struct csum_gso_conf conf = { .pool = seg_pool, .headroom = RTE_PKTMBUF_HEADROOM };
	struct rte_mbuf *m = make_super(), *segs[NB_SEGS];
	enum csum_refusal why;
	struct csum_gso_req req;
	uint64_t begin = rte_rdtsc();
	int nb = 1;

	if (ours) {
		nb = rte_eth_tx_burst(port, 0, &m, 1);
	} else {
		csum_gso_req_from_mbuf(&req, m);
		nb = csum_gso_segment(m, &req, &conf, segs, NB_SEGS, &why);
		if (nb == NB_SEGS)
			nb = rte_eth_tx_burst(port, 0, segs, NB_SEGS) == NB_SEGS;
		rte_pktmbuf_free(m);
	}
	begin = rte_rdtsc() - begin;
	if (nb != 1)
		die("not all was sent");
	return begin;
}

/* Cycles a packet. */
static double
sample(const struct bench *bench, uint16_t port, bool ours)
{
	unsigned int i, nb = bench->kind == SEGMENT ? 1 : BURST;
	uint64_t ticks = 0;

	for (i = 0; i < NB_REPEATS; i++)
		ticks += bench->kind == SEGMENT ? super_ticks(port, ours) :
			burst_ticks(bench, port, ours);
	return (double)ticks * cycles_per_tick / (nb * NB_REPEATS);
}

/* Rounds that were disturbed are made again, as often at most as there are rounds. */
static void
run(const struct bench *bench, unsigned int nb_rounds)
{
	double ours[MAX_ROUNDS], direct[MAX_ROUNDS], extra[MAX_ROUNDS], cycles, base, more;
	char name[32];
	uint16_t above, below;
	unsigned int i, again = 0;

	snprintf(name, sizeof(name), "net_%s0", bench->lower);
	if (rte_eth_dev_get_port_by_name(name, &below) != 0)
		die(name);
	snprintf(name, sizeof(name), "net_soft_csum_%s", bench->lower);
	if (rte_eth_dev_get_port_by_name(name, &above) != 0)
		die(name);
	sample(bench, above, true);
	for (i = 0; i < nb_rounds; i++) {
		ours[i] = sample(bench, above, true);
		direct[i] = sample(bench, below, false);
		extra[i] = ours[i] - direct[i];
		if (!clock_is_quiet() && again++ < nb_rounds)
			i--;
	}
	cycles = median(ours, nb_rounds);
	base = median(direct, nb_rounds);
	more = median(extra, nb_rounds);
	printf("%s\t%s\t%s\t%u\t%.1f\t%.1f\t%.1f\t%.3f\n", kind_names[bench->kind], bench->lower,
		bench->rx ? "rx" : "tx", bench->size, cycles, base, more, cycles / base);
	fflush(stdout);
}

static void
start_ports(void)
{
	static const char *const devices[][2] = {
		{ "net_null0", NULL }, { "net_ring0", NULL },
		{ "net_soft_csum_null", "dev(net_null1)" },
		{ "net_soft_csum_ring", "dev(net_ring1)" },
	};
	unsigned int i;

	for (i = 0; i < RTE_DIM(devices); i++) {
		rte_errno = ENODEV;
		if (rte_vdev_init(devices[i][0], devices[i][1]) != 0)
			die(devices[i][0]);
		start_port(devices[i][0]);
	}
}

static int
usage(void)
{
	fprintf(stderr, "usage: driver-bench [--rounds N]\n"
		"N: 1 to %u, 101 if not given. Bind it to a quiet CPU, by taskset for example.\n",
		MAX_ROUNDS);
	return 2;
}

int
main(int argc, char **argv)
{
	static const struct option options[] = { { "rounds", 1, NULL, 'r' }, { 0 } };
	unsigned int i, nb_rounds = 101;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option != 'r')
			return usage();
		nb_rounds = (unsigned int)strtoul(optarg, NULL, 10);
	}
	if (optind != argc || nb_rounds == 0 || nb_rounds > MAX_ROUNDS)
		return usage();
	harness_start(256, NULL);
	pool = make_pool("app");
	seg_pool = make_pool("segments");
	start_ports();
	clock_start(1e9);
	cycles_per_tick = clock_core_ghz() * 1e9 / (double)rte_get_tsc_hz();
	printf("case\tlower\tdir\tsize\tours_cycles\tdirect_cycles\textra_cycles\tratio\n");
	for (i = 0; i < RTE_DIM(benches); i++)
		run(&benches[i], nb_rounds);
	return harness_finish(0);
}
