/* SPDX-License-Identifier: BSD-3-Clause */

/* Over ports that DPDK brings: net_ring in a loop, net_pcap, net_null. */

#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_ring.h>

#include "driver_test.h"
#include "ref_judge.h"

/* What net_ring calls the ring of a vdev without arguments, which it reads from as well. */
#define LOOP "ETH_RXTX0_net_ring0"

static void
assert_bytes_good(const uint8_t *data, uint32_t len)
{
	struct ref_report report;
	unsigned int i;

	assert_int_equal(ref_judge(data, len, len, REF_LINK_ETHER, &report), 0);
	assert_int_equal(report.count[REF_TCP], 1);
	assert_int_equal(report.list[REF_TCP][0], REF_GOOD);
	for (i = 0; i < report.count[REF_IP]; i++)
		assert_int_equal(report.list[REF_IP][i], REF_GOOD);
}

static struct rte_mbuf *
super4(uint32_t n, uint16_t segsz)
{
	struct rte_mbuf *m = tcp4(n, TCP4_SEG);

	m->tso_segsz = segsz;
	return m;
}

static uint16_t
over(const char *args)
{
	assert_int_equal(port_create(SOFT, args), 0);
	port_start(port_id(SOFT), TSO_OFFLOADS);
	return port_id(SOFT);
}

static void
removed(const char *lower)
{
	port_remove(SOFT);
	port_remove(lower);
	assert_int_equal(driver_in_use(), 0);
	assert_int_equal(harness_in_use(app_pool), 0);
}

static void
ring_loops_segments_back(void **state)
{
	uint16_t port, i, nb;
	struct rte_mbuf *pkts[64];
	struct rte_eth_stats stats;
	uint64_t bytes = 0;

	(void)state;
	assert_int_equal(port_create("net_ring0", NULL), 0);
	port = over("lower=net_ring0");
	assert_int_equal(send_one(port, super4(9000, 1000)), 1);
	assert_int_equal(rte_ring_count(rte_ring_lookup(LOOP)), 9);
	nb = rte_eth_rx_burst(port, 0, pkts, RTE_DIM(pkts));
	assert_int_equal(nb, 9);
	for (i = 0; i < nb; i++) {
		assert_int_equal(pkts[i]->port, port);
		assert_bytes_good(rte_pktmbuf_mtod(pkts[i], uint8_t *), pkts[i]->pkt_len);
		bytes += pkts[i]->pkt_len;
	}
	rte_pktmbuf_free_bulk(pkts, nb);
	assert_int_equal(rte_eth_stats_get(port, &stats), 0);
	assert_int_equal(stats.ipackets, 9);
	assert_int_equal(stats.ibytes, bytes);
	assert_int_equal(stats.opackets, 9);
	assert_int_equal(stats.obytes, bytes);
	removed("net_ring0");
}

/* Nobody reads until it is full: then all comes out, each payload byte in its place. */
static void
ring_that_gets_full(void **state)
{
	uint32_t next[32] = { 0 };
	struct rte_mbuf *pkts[32], *m = NULL;
	unsigned int sent = 0, got = 0, idle = 0;
	uint16_t port, nb, i;

	(void)state;
	assert_int_equal(port_create("net_ring0", NULL), 0);
	port = over("lower=net_ring0");
	while (got < 32 * 40) {
		if (sent < 32 && m == NULL) {
			m = super4(40000, 1000);
			harness_put_be16(rte_pktmbuf_mtod_offset(m, uint8_t *, 14 + 20), sent);
		}
		if (m != NULL && send_one(port, m) == 1) {
			m = NULL;
			sent++;
			continue;
		}
		nb = rte_eth_rx_burst(port, 0, pkts, 7);
		for (i = 0; i < nb; i++) {
			const uint8_t *p = rte_pktmbuf_mtod(pkts[i], uint8_t *);
			uint16_t flow = harness_be16(p + 14 + 20);

			assert_int_equal(harness_be32(p + 14 + 20 + 4), 1000 + next[flow]);
			next[flow] += pkts[i]->pkt_len - 54;
			assert_bytes_good(p, pkts[i]->pkt_len);
		}
		rte_pktmbuf_free_bulk(pkts, nb);
		got += nb;
		idle = nb == 0 ? idle + 1 : 0;
		assert_true(idle < 1000000);
	}
	assert_true(xstat(port, "tx_held_by_ring") + xstat(port, "tx_held_by_pool") > 0);
	for (i = 0; i < 32; i++)
		assert_int_equal(next[i], 40000);
	removed("net_ring0");
}

/* The reader of a ring may hold our mbufs for longer than the port lives. */
static void
mbufs_that_outlive_the_port(void **state)
{
	struct rte_mbuf *pkts[16];
	uint16_t nb;

	(void)state;
	assert_int_equal(port_create("net_ring0", NULL), 0);
	assert_int_equal(send_one(over("lower=net_ring0"), super4(9000, 1000)), 1);
	nb = rte_eth_rx_burst(port_id(SOFT), 0, pkts, RTE_DIM(pkts));
	assert_int_equal(nb, 9);
	port_remove(SOFT);
	assert_bytes_good(rte_pktmbuf_mtod(pkts[8], uint8_t *), pkts[8]->pkt_len);
	rte_pktmbuf_free_bulk(pkts, nb);
	over("lower=net_ring0");
	removed("net_ring0");
}

static void
null_takes_everything(void **state)
{
	struct rte_eth_stats stats;
	uint16_t port;

	(void)state;
	port = over("dev(net_null0,size=64)");
	assert_int_equal(send_one(port, super4(50000, 1000)), 1);
	assert_int_equal(rte_eth_stats_get(port, &stats), 0);
	assert_int_equal(stats.opackets, 50);
	assert_int_equal(stats.obytes, 50 * (54 + 1000));
	assert_int_equal(xstat(port, "lower_tx_good_packets"), 50);
	removed("net_null0");
}

static char folder[] = "/tmp/soft-csum-test-XXXXXX";

/* A capture of one frame: 3000 bytes of TCP that nobody has cut. */
static void
write_capture(const char *path)
{
	pcap_t *pcap = pcap_open_dead(DLT_EN10MB, 65535);
	pcap_dumper_t *dumper = pcap_dump_open(pcap, path);
	struct pcap_pkthdr hdr = { .len = frame.len, .caplen = frame.len };

	assert_non_null(dumper);
	pcap_dump((u_char *)dumper, &hdr, frame.data);
	pcap_dump_close(dumper);
	pcap_close(pcap);
}

static unsigned int
judge_capture(const char *path, uint32_t longest)
{
	char error[PCAP_ERRBUF_SIZE];
	pcap_t *pcap = pcap_open_offline(path, error);
	struct pcap_pkthdr *hdr;
	const u_char *data;
	unsigned int n = 0;

	assert_non_null(pcap);
	while (pcap_next_ex(pcap, &hdr, &data) == 1) {
		assert_true(hdr->caplen <= longest);
		assert_bytes_good(data, hdr->caplen);
		n++;
	}
	pcap_close(pcap);
	return n;
}

static void
pcap_from_file_to_file(void **state)
{
	char in[64], out[64], args[256];
	struct rte_mbuf *m;
	uint16_t port;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(in, sizeof(in), "%s/in.pcap", folder);
	snprintf(out, sizeof(out), "%s/out.pcap", folder);
	rte_pktmbuf_free(tcp4(3000, 0));
	write_capture(in);
	snprintf(args, sizeof(args), "dev(net_pcap0,rx_pcap=%s,tx_pcap=%s)", in, out);
	port = over(args);
	assert_int_equal(rte_eth_rx_burst(port, 0, &m, 1), 1);
	assert_int_equal(m->port, port);
	assert_true(m->nb_segs > 1);
	m->ol_flags |= TCP4_SEG;
	frame_tx_lens(&frame, m);
	m->tso_segsz = 1000;
	assert_int_equal(send_one(port, m), 1);
	removed("net_pcap0");
	assert_int_equal(judge_capture(out, 1054), 3);
	unlink(in);
	unlink(out);
	rmdir(folder);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ring_loops_segments_back),
		cmocka_unit_test(ring_that_gets_full),
		cmocka_unit_test(mbufs_that_outlive_the_port),
		cmocka_unit_test(null_takes_everything),
		cmocka_unit_test(pcap_from_file_to_file),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-real", tests, NULL, NULL));
}
