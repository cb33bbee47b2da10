/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Every extended statistic: by what it is said to count, and whether the guide knows it. Each case
 * notes which ones have moved; the last ones compare with the guide, from its table of counters on.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rte_cycles.h>

#include "driver_test.h"

#define MAX_XSTATS 128
#define ALL_OFFLOADS (TSO_OFFLOADS | RTE_ETH_TX_OFFLOAD_VLAN_INSERT | \
	RTE_ETH_TX_OFFLOAD_QINQ_INSERT | RTE_ETH_TX_OFFLOAD_SCTP_CKSUM | \
	RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM | \
	RTE_ETH_TX_OFFLOAD_UDP_TSO | RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO)
#define UDP4 (RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_UDP_CKSUM)
#define OUTER_CKSUMS (RTE_MBUF_F_TX_OUTER_IP_CKSUM | RTE_MBUF_F_TX_OUTER_UDP_CKSUM)

static char moved[MAX_XSTATS][RTE_ETH_XSTATS_NAME_SIZE];
static unsigned int nb_moved;

static bool
is_among(const char *name, char names[][RTE_ETH_XSTATS_NAME_SIZE], unsigned int nb)
{
	unsigned int i;

	for (i = 0; i < nb; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Not the lower port's, nor those that ethdev adds for every port. */
static bool
is_own(const char *name)
{
	return strncmp(name, "lower_", strlen("lower_")) != 0 && strstr(name, "_q0_") == NULL &&
		strstr(name, "_good_") == NULL && strstr(name, "_errors") == NULL;
}

static void
note_moved(uint16_t port)
{
	struct rte_eth_xstat_name names[MAX_XSTATS];
	struct rte_eth_xstat values[MAX_XSTATS];
	int i, nb = rte_eth_xstats_get(port, values, MAX_XSTATS);

	assert_int_equal(rte_eth_xstats_get_names(port, names, MAX_XSTATS), nb);
	for (i = 0; i < nb; i++)
		if (values[i].value != 0 && !is_among(names[i].name, moved, nb_moved))
			strcpy(moved[nb_moved++], names[i].name);
}

static void
finish(uint16_t port)
{
	note_moved(port);
	script_free_kept();
	port_close(port);
}

static struct rte_mbuf *
super_packet(struct rte_mbuf *m)
{
	m->tso_segsz = 1000;
	return m;
}

static struct rte_mbuf *
sctp4(void)
{
	struct rte_mbuf *m;

	frame_init(&frame);
	frame_ether(&frame);
	frame_i4(&frame);
	frame_sctp(&frame, 1024, 80, 7);
	frame_sctp_data(&frame, 1, "data", 4);
	frame_finish(&frame);
	m = frame_mbuf(&frame, app_pool, NULL, 0);
	m->ol_flags |= RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_SCTP_CKSUM;
	return m;
}

/* A burst of several ways: each packet is counted on its own, with its bytes. */
static void
packets_and_bytes_by_path(void **state)
{
	uint16_t port = started(RTE_ETH_TX_OFFLOAD_MULTI_SEGS, ALL_OFFLOADS);
	uint64_t passed, checksummed, segmented, segments;
	struct rte_mbuf *pkts[6];
	struct rte_eth_stats stats;

	(void)state;
	pkts[0] = tcp4(100, 0);
	pkts[1] = tcp4(200, TCP4_CKSUM);
	pkts[2] = tcp4(300, TCP4_CKSUM);
	pkts[3] = super_packet(tcp4(2500, TCP4_SEG));
	pkts[4] = tcp4(400, 0);
	pkts[5] = tcp4(500, TCP4_CKSUM | RTE_MBUF_F_TX_VLAN);
	passed = pkts[0]->pkt_len + pkts[4]->pkt_len;
	checksummed = pkts[1]->pkt_len + pkts[2]->pkt_len + pkts[5]->pkt_len;
	segmented = pkts[3]->pkt_len;
	segments = segmented + 2 * 54;
	assert_int_equal(rte_eth_tx_burst(port, 0, pkts, 6), 6);
	/* And one whose packets all pass, which takes another way. */
	pkts[0] = tcp4(600, 0);
	passed += pkts[0]->pkt_len;
	assert_int_equal(rte_eth_tx_burst(port, 0, pkts, 1), 1);
	assert_int_equal(xstat(port, "tx_passed_packets"), 3);
	assert_int_equal(xstat(port, "tx_passed_bytes"), passed);
	assert_int_equal(xstat(port, "tx_checksummed_packets"), 3);
	assert_int_equal(xstat(port, "tx_checksummed_bytes"), checksummed);
	assert_int_equal(xstat(port, "tx_segmented_packets"), 1);
	assert_int_equal(xstat(port, "tx_segmented_bytes"), segmented);
	assert_int_equal(xstat(port, "tx_segments"), 3);
	assert_int_equal(xstat(port, "tx_tagged_packets"), 1);
	assert_int_equal(xstat(port, "tx_tagged_bytes"), 554);
	assert_int_equal(rte_eth_stats_get(port, &stats), 0);
	assert_int_equal(stats.opackets, 3 + 3 + 3);
	assert_int_equal(stats.obytes, passed + checksummed + 4 + segments);
	finish(port);
}

static void
requests_by_kind(void **state)
{
	static const char *const names[] = {
		"ipv4_cksum", "tcp_cksum", "udp_cksum", "sctp_cksum", "outer_ipv4_cksum",
		"outer_udp_cksum", "tcp_tso", "udp_tso", "tnl_tso", "vlan_insert", "qinq_insert",
	};
	uint16_t port = started(RTE_ETH_TX_OFFLOAD_MULTI_SEGS, ALL_OFFLOADS);
	static const unsigned int expected[] = { 5, 2, 1, 1, 2, 2, 1, 1, 1, 1, 1 };
	struct rte_mbuf *pkts[8];
	char name[64];
	unsigned int i;

	(void)state;
	pkts[0] = tcp4(100, TCP4_CKSUM | RTE_MBUF_F_TX_VLAN);
	pkts[1] = udp4(100, UDP4);
	pkts[2] = sctp4();
	pkts[3] = tcp4_in_vxlan(100, TCP4_CKSUM | OUTER_CKSUMS);
	pkts[4] = super_packet(tcp4(2500, TCP4_SEG));
	pkts[5] = super_packet(udp4(2500, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_UDP_SEG |
		RTE_MBUF_F_TX_IP_CKSUM));
	pkts[6] = super_packet(tcp4_in_vxlan(2500, TCP4_SEG | OUTER_CKSUMS));
	pkts[7] = tcp4(100, RTE_MBUF_F_TX_QINQ);
	assert_int_equal(rte_eth_tx_burst(port, 0, pkts, RTE_DIM(pkts)), RTE_DIM(pkts));
	for (i = 0; i < RTE_DIM(names); i++) {
		snprintf(name, sizeof(name), "tx_requests_%s", names[i]);
		if (xstat(port, name) != expected[i])
			fail_msg("%s: %u", name, (unsigned int)xstat(port, name));
	}
	/* Nobody had asked for it at configuration. */
	finish(port);
	recreate(OVER_LOWER);
	port = started_plain();
	assert_int_equal(send_one(port, sctp4()), 1);
	assert_int_equal(xstat(port, "tx_not_enabled_packets"), 1);
	finish(port);
}

static int
refuse_all(struct rte_mbuf *m)
{
	(void)m;
	return ENOTSUP;
}

static void
left_to_the_lower_port(void **state)
{
	uint16_t port = started(TSO_OFFLOADS, TSO_OFFLOADS);
	struct rte_mbuf *m = tcp4(100, TCP4_CKSUM);
	uint64_t len = m->pkt_len;

	(void)state;
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(xstat(port, "tx_left_to_lower_packets"), 1);
	assert_int_equal(xstat(port, "tx_left_to_lower_bytes"), len);
	script.prepare = refuse_all;
	assert_int_equal(send_one(port, tcp4(100, TCP4_CKSUM)), 1);
	assert_int_equal(xstat(port, "tx_lower_prepare_refused_packets"), 1);
	assert_int_equal(xstat(port, "tx_passed_packets"), 0);
	finish(port);
}

static void
copied_and_linearised(void **state)
{
	static const uint16_t lens[] = { 60, 50, 44 };
	uint16_t port = started(0, TSO_OFFLOADS);
	struct rte_mbuf *m = tcp4(100, TCP4_CKSUM);
	uint64_t len = m->pkt_len;

	(void)state;
	rte_mbuf_refcnt_update(m, 1);
	assert_int_equal(send_one(port, m), 1);
	rte_pktmbuf_free(m);
	assert_int_equal(xstat(port, "tx_copied_packets"), 1);
	assert_int_equal(xstat(port, "tx_copied_bytes"), len);
	m = frame_mbuf(&frame, app_pool, lens, RTE_DIM(lens));
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(xstat(port, "tx_linearised_packets"), 1);
	assert_int_equal(xstat(port, "tx_linearised_bytes"), len);
	assert_int_equal(xstat(port, "tx_passed_packets"), 0);
	/* Longer than an mbuf of the pool, with nothing to chain it by. */
	frame_payload(&frame, 4000);
	assert_int_equal(send_one(port, frame_mbuf(&frame, app_pool, lens, RTE_DIM(lens))), 1);
	assert_int_equal(xstat(port, "tx_refused_too_big"), 1);
	finish(port);
}

static void
held_back_and_dropped(void **state)
{
	struct rte_mbuf *m;
	uint16_t port;

	(void)state;
	recreate("pool_size=64," OVER_LOWER);
	port = started_plain();
	script.keep_mbufs = true;
	assert_int_equal(send_one(port, super_packet(tcp4(60000, TCP4_SEG))), 1);
	m = super_packet(tcp4(60000, TCP4_SEG));
	assert_int_equal(send_one(port, m), 1);
	assert_true(xstat(port, "tx_held_by_pool") > 0);
	script_free_kept();
	script.keep_mbufs = false;
	rte_eth_tx_done_cleanup(port, 0, 0);
	script.stall_at = script.nb_frames + 2;
	assert_int_equal(send_one(port, super_packet(tcp4(9500, TCP4_SEG))), 1);
	assert_true(xstat(port, "tx_held_by_ring") > 0);
	rte_delay_us_sleep(10);
	assert_int_equal(xstat(port, "tx_backlogs_now"), 1);
	assert_int_equal(xstat(port, "tx_backlog_most_segments") >= 8, 1);
	assert_true(xstat(port, "tx_backlog_oldest_us") > 0);
	note_moved(port);
	assert_int_equal(rte_eth_dev_stop(port), 0);
	assert_int_equal(xstat(port, "tx_dropped_at_stop"), 8);
	note_moved(port);
	assert_int_equal(rte_eth_dev_close(port), 0);
}

static void
assert_refused(uint16_t port, struct rte_mbuf *m, const char *name)
{
	uint64_t before = xstat(port, name);

	assert_int_equal(send_one(port, m), 1);
	if (xstat(port, name) != before + 1)
		fail_msg("%s did not move", name);
}

/* A packet of the frame as it is now, to be cut. */
static struct rte_mbuf *
poked_super(uint64_t ol_flags)
{
	struct rte_mbuf *m = frame_mbuf(&frame, app_pool, NULL, 0);

	m->ol_flags |= ol_flags;
	return super_packet(m);
}

static void
refused_by_each_reason(void **state)
{
	uint16_t port = started(RTE_ETH_TX_OFFLOAD_MULTI_SEGS, ALL_OFFLOADS);
	struct rte_mbuf *m;

	(void)state;
	assert_refused(port, tcp4(100, TCP4_CKSUM | RTE_MBUF_F_TX_IPV6), "tx_refused_flags");
	m = tcp4(100, TCP4_CKSUM);
	m->l3_len = 0;
	assert_refused(port, m, "tx_refused_lengths");
	assert_refused(port, tcp4(100, UDP4), "tx_refused_header");
	m = tcp4(100, TCP4_CKSUM);
	harness_put_be16(rte_pktmbuf_mtod_offset(m, uint8_t *, 16), 21);
	assert_refused(port, m, "tx_refused_ip_length");
	assert_refused(port, tcp4(2500, TCP4_SEG), "tx_refused_segsz");
	rte_pktmbuf_free(tcp4(2500, 0));
	harness_put_be16(frame.data + 20, 0x2000);
	assert_refused(port, poked_super(TCP4_SEG), "tx_refused_fragment");
	rte_pktmbuf_free(tcp4(2500, 0));
	frame.data[14 + 20 + 13] |= 2;
	assert_refused(port, poked_super(TCP4_SEG), "tx_refused_tcp_flags");
	rte_pktmbuf_free(tcp6(2500, 0));
	frame.data[14 + 6] = 135;
	assert_refused(port, poked_super(RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_SEG),
		"tx_refused_protocol");
	m = super_packet(tcp4(2500, TCP4_SEG | RTE_MBUF_F_TX_OUTER_IPV4));
	assert_refused(port, m, "tx_refused_tunnel");
	finish(port);
	recreate("udp_seg=ufo," OVER_LOWER);
	port = started(RTE_ETH_TX_OFFLOAD_MULTI_SEGS, ALL_OFFLOADS);
	rte_pktmbuf_free(udp4(2500, 0));
	harness_put_be16(frame.data + 20, 0x4000);
	assert_refused(port, poked_super(RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_UDP_SEG),
		"tx_refused_df");
	/* A fragment that only wants a checksum goes, without. */
	rte_pktmbuf_free(udp4(100, 0));
	harness_put_be16(frame.data + 20, 0x2000);
	m = frame_mbuf(&frame, app_pool, NULL, 0);
	m->ol_flags |= UDP4;
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(xstat(port, "tx_fragments_without_l4_packets"), 1);
	finish(port);
}

static void
verdicts(void **state)
{
	struct rte_mbuf *m;
	uint16_t port;

	(void)state;
	recreate("rx_csum=on," OVER_LOWER);
	port = started_plain();
	script_feed(tcp4_in_vxlan(100, 0));
	rte_pktmbuf_free(tcp4_in_vxlan(100, 0));
	/* Without a checksum it would be good. */
	harness_put_be16(frame.data + 40, 0xbad);
	script_feed(frame_mbuf(&frame, app_pool, NULL, 0));
	while (rte_eth_rx_burst(port, 0, &m, 1) == 1)
		rte_pktmbuf_free(m);
	assert_int_equal(xstat(port, "rx_verified_packets"), 2);
	assert_int_equal(xstat(port, "rx_bad_ip"), 2);
	assert_int_equal(xstat(port, "rx_bad_l4"), 2);
	assert_int_equal(xstat(port, "rx_bad_outer_ip"), 2);
	assert_int_equal(xstat(port, "rx_bad_outer_l4"), 1);
	finish(port);
}

static void
reset_sets_all_to_zero(void **state)
{
	struct rte_eth_xstat values[MAX_XSTATS];
	uint16_t port = started_plain();
	int i, nb;

	(void)state;
	assert_int_equal(send_one(port, tcp4(100, 0)), 1);
	assert_int_equal(send_one(port, tcp4(100, TCP4_CKSUM | RTE_MBUF_F_TX_VLAN)), 1);
	assert_int_equal(send_one(port, super_packet(tcp4(2500, TCP4_SEG))), 1);
	assert_int_equal(rte_eth_xstats_reset(port), 0);
	nb = rte_eth_xstats_get(port, values, MAX_XSTATS);
	assert_true(nb > 50);
	for (i = 0; i < nb; i++)
		assert_int_equal(values[i].value, 0);
	port_close(port);
}

/* The names in the first column of the guide's table. */
static unsigned int
guide_names(char names[][RTE_ETH_XSTATS_NAME_SIZE])
{
	FILE *file = fopen(GUIDE, "r");
	bool column = false;
	unsigned int nb = 0;
	char line[256], *p, *end;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL && strcmp(line, "Counters\n") != 0)
		;
	while (fgets(line, sizeof(line), file) != NULL && strcmp(line, "Telemetry\n") != 0) {
		if (strncmp(line, "   * - ", 7) == 0)
			column = true;
		else if (strncmp(line, "     - ", 7) == 0)
			column = false;
		for (p = line; column && (p = strstr(p, "``")) != NULL; p = end + 2) {
			p += 2;
			end = strstr(p, "``");
			assert_non_null(end);
			*end = '\0';
			assert_true(nb < MAX_XSTATS);
			snprintf(names[nb++], RTE_ETH_XSTATS_NAME_SIZE, "%s", p);
		}
	}
	fclose(file);
	return nb;
}

static void
each_is_in_the_guide_and_has_moved(void **state)
{
	static char guide[MAX_XSTATS][RTE_ETH_XSTATS_NAME_SIZE];
	struct rte_eth_xstat_name names[MAX_XSTATS];
	unsigned int i, nb = guide_names(guide);
	int j, nb_there;
	uint64_t id;

	(void)state;
	assert_true(nb > 40);
	for (i = 0; i < nb; i++) {
		if (!is_own(guide[i]))
			continue;
		if (rte_eth_xstats_get_id_by_name(port_id(SOFT), guide[i], &id) != 0)
			fail_msg("the guide has %s, the port has not", guide[i]);
		if (!is_among(guide[i], moved, nb_moved))
			fail_msg("%s has not moved", guide[i]);
	}
	nb_there = rte_eth_xstats_get_names(port_id(SOFT), names, MAX_XSTATS);
	assert_in_range(nb_there, 1, MAX_XSTATS);
	for (j = 0; j < nb_there; j++)
		if (is_own(names[j].name) && !is_among(names[j].name, guide, nb))
			fail_msg("the guide does not have %s", names[j].name);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, script_setup, script_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(packets_and_bytes_by_path),
		CASE(requests_by_kind),
		CASE(left_to_the_lower_port),
		CASE(copied_and_linearised),
		CASE(held_back_and_dropped),
		CASE(refused_by_each_reason),
		CASE(verdicts),
		CASE(reset_sets_all_to_zero),
		CASE(each_is_in_the_guide_and_has_moved),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-xstats", tests, NULL, NULL));
}
