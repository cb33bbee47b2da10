/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What segmentation costs on top of copying the payload into segments.
 *
 * A super-packet of just below 64 KB is cut in turns by: the library; a copy limit (the same
 * mbufs, a header template and memcpy() of the payload, no sums and no patches); and two passes
 * (the copy limit, then checksums by the library's sum, and by DPDK's functions). Allocation and
 * free are included on all sides. Ratios are medians of those within one round, so that what
 * disturbs the machine meets all alike; hot: source and segments stay in the L2 cache or near it.
 * Not a test: it fails at nothing.
 */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_cycles.h>
#include <rte_ip.h>
#include <rte_mbuf.h>

#include <csum_gso.h>

#include "harness.h"

#define NB_ROUNDS 31
#define NB_CALLS 64
#define MAX_SEGS 256
#define SUPER_LEN 65200
#define POOL_CACHE 256

#define OUTER_LEN (14 + 20 + 8 + 8) /* Ethernet, IPv4, UDP, VXLAN */
#define LINK_LEN 14
#define IP_LEN 20
#define TCP_LEN 32

enum candidate { CUT, COPY_LIMIT, TWO_PASS, TWO_PASS_RTE, NB_CANDIDATES };

struct job {
	const char *proto;
	uint16_t segsz;
	bool tunnel;
	struct rte_mempool *pool;
	struct rte_mbuf *m;
	struct csum_gso_req req;
	uint32_t hdr_len;
};

static const uint8_t ipv4[IP_LEN] = {
	0x45, 0, 0, 0, 0x10, 0, 0, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2,
};
static const uint8_t tcp[TCP_LEN] = {
	4, 0, 0, 80, 0, 0, 3, 0xe8, 0, 0, 7, 0xd0, 0x80, 0x10, 0x20, 0, [20] = 1, 1, 8, 10,
};

static uint32_t
put(uint8_t *buf, uint32_t off, const void *bytes, uint32_t len)
{
	memcpy(buf + off, bytes, len);
	return off + len;
}

/* Headers, outer ones first where there is a tunnel; lengths and sums are 0. */
static uint32_t
put_headers(uint8_t *buf, bool tunnel)
{
	static const uint8_t link[LINK_LEN] = { 2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0 };
	static const uint8_t udp_vxlan[16] = { 0xc3, 0x50, 0x12, 0xb5, [8] = 8 };
	uint32_t off = 0;

	if (tunnel) {
		off = put(buf, off, link, sizeof(link));
		off = put(buf, off, ipv4, sizeof(ipv4));
		buf[off - IP_LEN + 9] = IPPROTO_UDP;
		off = put(buf, off, udp_vxlan, sizeof(udp_vxlan));
	}
	off = put(buf, off, link, sizeof(link));
	off = put(buf, off, ipv4, sizeof(ipv4));
	return put(buf, off, tcp, sizeof(tcp));
}

static struct rte_mempool *
make_pool(const char *name, unsigned int nb, uint16_t room)
{
	struct rte_mempool *pool = rte_pktmbuf_pool_create(name, nb, nb > 2 * POOL_CACHE ?
							   POOL_CACHE : 0, 0, room, SOCKET_ID_ANY);

	if (pool == NULL)
		rte_exit(EXIT_FAILURE, "no pool of %u mbufs\n", nb);
	return pool;
}

static void
job_init(struct job *job, struct rte_mempool *in)
{
	uint8_t *data;
	uint32_t i;

	job->m = rte_pktmbuf_alloc(in);
	if (job->m == NULL)
		rte_exit(EXIT_FAILURE, "no mbuf\n");
	data = (uint8_t *)rte_pktmbuf_append(job->m, SUPER_LEN);
	job->hdr_len = put_headers(data, job->tunnel);
	for (i = job->hdr_len; i < SUPER_LEN; i++)
		data[i] = (uint8_t)(i % 251);
	job->req = (struct csum_gso_req){
		.ol_flags = RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_IPV4, .l2_len = LINK_LEN,
		.l3_len = IP_LEN, .l4_len = TCP_LEN, .segsz = job->segsz,
	};
	if (job->tunnel) {
		job->req.ol_flags |= RTE_MBUF_F_TX_TUNNEL_VXLAN | RTE_MBUF_F_TX_OUTER_IPV4 |
			RTE_MBUF_F_TX_OUTER_UDP_CKSUM;
		job->req.outer_l2_len = LINK_LEN;
		job->req.outer_l3_len = IP_LEN;
		job->req.l2_len = 8 + 8 + LINK_LEN;
	}
}

static void
sum_by_library(uint8_t *l3, uint32_t len)
{
	uint32_t sum = csum_pseudo_ipv4(l3 + 12, IPPROTO_TCP, len);
	uint16_t check = csum_sum_check(csum_partial(l3, IP_LEN, 0));

	memcpy(l3 + 10, &check, sizeof(check));
	check = csum_sum_check(csum_partial(l3 + IP_LEN, len, sum));
	memcpy(l3 + IP_LEN + 16, &check, sizeof(check));
}

static void
sum_by_dpdk(uint8_t *l3, uint32_t len)
{
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)l3;
	uint16_t check;

	ip->total_length = rte_cpu_to_be_16((uint16_t)(IP_LEN + len));
	ip->hdr_checksum = rte_ipv4_cksum(ip);
	check = rte_ipv4_udptcp_cksum(ip, l3 + IP_LEN);
	memcpy(l3 + IP_LEN + 16, &check, sizeof(check));
}

static unsigned int
cut_by_copy(const struct job *job, enum candidate candidate, struct rte_mbuf **segs)
{
	const uint8_t *src = rte_pktmbuf_mtod(job->m, const uint8_t *);
	uint32_t done = job->hdr_len, l3 = job->hdr_len - TCP_LEN - IP_LEN, n;
	unsigned int nb = 0;
	uint8_t *dst;

	for (; done < SUPER_LEN; done += n) {
		n = RTE_MIN((uint32_t)job->segsz, SUPER_LEN - done);
		segs[nb] = rte_pktmbuf_alloc(job->pool);
		dst = (uint8_t *)rte_pktmbuf_append(segs[nb++], (uint16_t)(job->hdr_len + n));
		memcpy(dst, src, job->hdr_len);
		memcpy(dst + job->hdr_len, src + done, n);
		if (candidate == TWO_PASS)
			sum_by_library(dst + l3, TCP_LEN + n);
		else if (candidate == TWO_PASS_RTE)
			sum_by_dpdk(dst + l3, TCP_LEN + n);
	}
	return nb;
}

static unsigned int
run(const struct job *job, enum candidate candidate)
{
	const struct csum_gso_conf conf = { .pool = job->pool, .headroom = RTE_PKTMBUF_HEADROOM };
	struct rte_mbuf *segs[MAX_SEGS];
	int nb;

	if (candidate == CUT)
		nb = csum_gso_segment(job->m, &job->req, &conf, segs, MAX_SEGS, NULL);
	else
		nb = (int)cut_by_copy(job, candidate, segs);
	if (nb <= 0)
		rte_exit(EXIT_FAILURE, "not cut: %d\n", nb);
	rte_pktmbuf_free_bulk(segs, (unsigned int)nb);
	return (unsigned int)nb;
}

static double
measure(const struct job *job, enum candidate candidate, unsigned int *nb_segs)
{
	uint64_t begin;
	unsigned int i;

	*nb_segs = run(job, candidate);
	begin = rte_rdtsc_precise();
	for (i = 0; i < NB_CALLS; i++)
		run(job, candidate);
	return (double)(rte_rdtsc_precise() - begin) * 1e9 / (double)rte_get_tsc_hz() / NB_CALLS;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(double *values)
{
	qsort(values, NB_ROUNDS, sizeof(*values), compare);
	return values[NB_ROUNDS / 2];
}

static void
job_report(const struct job *job)
{
	double ns[NB_CANDIDATES], cut[NB_ROUNDS], ratio[NB_CANDIDATES][NB_ROUNDS];
	unsigned int round, i, candidate, nb_segs = 0;

	for (round = 0; round < NB_ROUNDS; round++) {
		for (i = 0; i < NB_CANDIDATES; i++) {
			candidate = round % 2 == 0 ? i : NB_CANDIDATES - 1 - i;
			ns[candidate] = measure(job, (enum candidate)candidate, &nb_segs);
		}
		cut[round] = ns[CUT];
		ratio[COPY_LIMIT][round] = ns[CUT] / ns[COPY_LIMIT];
		ratio[TWO_PASS][round] = ns[TWO_PASS] / ns[CUT];
		ratio[TWO_PASS_RTE][round] = ns[TWO_PASS_RTE] / ns[CUT];
	}
	printf("copy\t%s\t%u\thot\t%.0f\t%.1f\t%.3f\t%.2f\t%.2f\n", job->proto, job->segsz,
	       median(cut), median(cut) / nb_segs, median(ratio[COPY_LIMIT]),
	       median(ratio[TWO_PASS]), median(ratio[TWO_PASS_RTE]));
}

int
main(void)
{
	struct job jobs[] = {
		{ .proto = "tcp4", .segsz = 1448 },
		{ .proto = "tcp4", .segsz = 500 },
		{ .proto = "tcp4", .segsz = 8960 },
		{ .proto = "tcp4-vxlan", .segsz = 1448, .tunnel = true },
	};
	struct rte_mempool *in, *small, *large;
	unsigned int i;

	harness_start(128, NULL);
	in = make_pool("in", RTE_DIM(jobs), UINT16_MAX);
	small = make_pool("small", 2047, RTE_MBUF_DEFAULT_BUF_SIZE);
	large = make_pool("large", 1023, RTE_PKTMBUF_HEADROOM + 9216);
	printf("form\tproto\tsegsz\tresidency\tns\tns_per_segment\tvs_copy_limit\tvs_two_pass\t"
	       "vs_two_pass_rte\n");
	for (i = 0; i < RTE_DIM(jobs); i++) {
		jobs[i].pool = jobs[i].segsz > 2000 ? large : small;
		job_init(&jobs[i], in);
		job_report(&jobs[i]);
		rte_pktmbuf_free(jobs[i].m);
	}
	return harness_finish(0);
}
