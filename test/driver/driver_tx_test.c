/* SPDX-License-Identifier: BSD-3-Clause */

/* What tx_burst does to single packets, by what the lower port can. */

#include <errno.h>
#include <string.h>

#include <rte_errno.h>

#include "driver_test.h"
#include "ref_csum.h"

#define IP_CHECK  (14 + 10)
#define TCP_CHECK (14 + 20 + 16)
#define UDP_CHECK (14 + 20 + 6)

#define WORK_FLAGS (RTE_MBUF_F_TX_L4_MASK | RTE_MBUF_F_TX_IP_CKSUM | \
	RTE_MBUF_F_TX_OUTER_IP_CKSUM | RTE_MBUF_F_TX_OUTER_UDP_CKSUM | \
	RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_UDP_SEG)

static void
capabilities_are_software_and_what_passes(void **state)
{
	const uint64_t software = TSO_OFFLOADS | RTE_ETH_TX_OFFLOAD_SCTP_CKSUM |
		RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM |
		RTE_ETH_TX_OFFLOAD_UDP_TSO | RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO |
		RTE_ETH_TX_OFFLOAD_GENEVE_TNL_TSO | RTE_ETH_TX_OFFLOAD_GRE_TNL_TSO |
		RTE_ETH_TX_OFFLOAD_IPIP_TNL_TSO | RTE_ETH_TX_OFFLOAD_UDP_TNL_TSO |
		RTE_ETH_TX_OFFLOAD_IP_TNL_TSO | RTE_ETH_TX_OFFLOAD_VLAN_INSERT |
		RTE_ETH_TX_OFFLOAD_QINQ_INSERT;
	struct rte_eth_dev_info info;

	(void)state;
	script.tx_capa = 0;
	assert_int_equal(rte_eth_dev_info_get(port_id(SOFT), &info), 0);
	assert_int_equal(info.tx_offload_capa, software);
	assert_int_equal(info.tx_queue_offload_capa, 0);
	/* An offload unknown here, and those that cannot be had over software, are dropped. */
	script.tx_capa = UINT64_MAX;
	assert_int_equal(rte_eth_dev_info_get(port_id(SOFT), &info), 0);
	assert_int_equal(info.tx_offload_capa,
		software | RTE_ETH_TX_OFFLOAD_SEND_ON_TIMESTAMP);
	assert_int_equal(info.switch_info.domain_id, RTE_ETH_DEV_SWITCH_DOMAIN_ID_INVALID);
	assert_int_equal(info.max_tx_queues, 8);
}

static void
lower_port_is_configured_with_what_it_has(void **state)
{
	(void)state;
	started(RTE_ETH_TX_OFFLOAD_TCP_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_TSO |
		RTE_ETH_TX_OFFLOAD_SCTP_CKSUM | RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE |
		RTE_ETH_TX_OFFLOAD_MULTI_SEGS, TSO_OFFLOADS);
	assert_int_equal(script.tx_enabled,
		RTE_ETH_TX_OFFLOAD_TCP_CKSUM | RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
	port_close(port_id(SOFT));
}

static void
burst_that_needs_nothing_is_handed_down_whole(void **state)
{
	uint16_t port = started(RTE_ETH_TX_OFFLOAD_VLAN_INSERT | RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
		RTE_ETH_TX_OFFLOAD_VLAN_INSERT);
	struct rte_mbuf *pkts[100];
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(pkts); i++) {
		pkts[i] = tcp4(i, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_VLAN);
		pkts[i]->vlan_tci = i;
	}
	assert_int_equal(rte_eth_tx_burst(port, 0, pkts, RTE_DIM(pkts)), RTE_DIM(pkts));
	assert_int_equal(script.bursts, 1);
	for (i = 0; i < RTE_DIM(pkts); i++) {
		assert_int_equal(script.frames[i].vlan_tci, i);
		assert_int_equal(script.frames[i].ol_flags,
			RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_VLAN);
	}
	assert_int_equal(xstat(port, "tx_passed_packets"), RTE_DIM(pkts));
	port_close(port);
}

static void
b33_clone_with_original_kept(void **state)
{
	uint16_t port = started_plain();
	struct rte_mbuf *original = tcp4(100, TCP4_CKSUM);
	struct rte_mbuf *clone = rte_pktmbuf_clone(original, app_pool);

	(void)state;
	assert_non_null(clone);
	assert_int_equal(send_one(port, clone), 1);
	assert_int_equal(field(0, IP_CHECK), 0x566a);
	assert_int_equal(field(0, TCP_CHECK), 0xcf98);
	harness_assert_chain(original, frame.data, frame.len);
	assert_int_equal(xstat(port, "tx_copied_packets"), 1);
	rte_pktmbuf_free(original);
	port_close(port);
}

static void
mbuf_held_twice_is_changed_in_nothing(void **state)
{
	uint16_t port = started_plain();
	struct rte_mbuf *m = tcp4(100, TCP4_CKSUM);

	(void)state;
	rte_mbuf_refcnt_update(m, 1);
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(rte_mbuf_refcnt_read(m), 1);
	assert_int_equal(m->ol_flags, TCP4_CKSUM);
	harness_assert_chain(m, frame.data, frame.len);
	assert_int_equal(field(0, TCP_CHECK), 0xcf98);
	rte_pktmbuf_free(m);
	port_close(port);
}

static void
b52_tso_flag_below_mss(void **state)
{
	uint16_t port = started_plain();
	struct rte_mbuf *m = tcp4(100, TCP4_SEG);

	(void)state;
	m->tso_segsz = 1460;
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(script.nb_frames, 1);
	assert_int_equal(field(0, IP_CHECK), 0x566a);
	assert_int_equal(field(0, TCP_CHECK), 0xcf98);
	assert_int_equal(script.frames[0].ol_flags & WORK_FLAGS, 0);
	port_close(port);
}

/* B57 and B93: TCP_SEG alone, without a checksum bit. */
static void
b93_seg_implies_checksums(void **state)
{
	uint16_t port = started_plain();
	struct rte_mbuf *m = tcp4(2500, RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_IPV4);

	(void)state;
	m->tso_segsz = 1000;
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(script.nb_frames, 3);
	assert_int_equal(field(0, TCP_CHECK), 0x45c2);
	assert_int_equal(field(1, TCP_CHECK), 0x39d2);
	assert_int_equal(field(2, TCP_CHECK), 0x49ef);
	assert_good(0, 3);
	port_close(port);
}

static void
b71_no_request_is_left_on_finished_frames(void **state)
{
	uint16_t port = started_plain();
	struct rte_mbuf *pkts[3] = {
		tcp4(100, TCP4_CKSUM),
		udp4(100, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_UDP_CKSUM),
		tcp4(2500, TCP4_SEG),
	};
	unsigned int i;

	(void)state;
	pkts[2]->tso_segsz = 1000;
	assert_int_equal(rte_eth_tx_burst(port, 0, pkts, 3), 3);
	assert_int_equal(script.nb_frames, 5);
	for (i = 0; i < 5; i++)
		assert_int_equal(script.frames[i].ol_flags & WORK_FLAGS, 0);
	assert_int_equal(script.frames[0].ol_flags, 0);
	port_close(port);
}

static void
b92_udp_is_not_tcp(void **state)
{
	uint16_t port = started_plain();
	struct rte_mbuf *m = udp4(100, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_UDP_CKSUM);

	(void)state;
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(field(0, UDP_CHECK), 0x3b46);
	assert_int_equal(field(0, TCP_CHECK), harness_be16(frame.data + TCP_CHECK));
	port_close(port);
}

static void
b94_l3_len_zero_is_refused(void **state)
{
	uint16_t port = started_plain();
	struct rte_mbuf *m = tcp4(100, TCP4_CKSUM);
	struct rte_eth_stats stats;

	(void)state;
	m->l3_len = 0;
	assert_int_equal(rte_eth_tx_prepare(port, 0, &m, 1), 0);
	assert_int_equal(rte_errno, EINVAL);
	/* Consumed, so that no application retries it for ever; and counted. */
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(script.nb_frames, 0);
	assert_int_equal(rte_eth_stats_get(port, &stats), 0);
	assert_int_equal(stats.oerrors, 1);
	assert_int_equal(stats.opackets, 0);
	assert_int_equal(xstat(port, "tx_refused_lengths"), 1);
	port_close(port);
}

static void
b94_l4_len_zero_is_fine(void **state)
{
	uint16_t port = started_plain();
	struct rte_mbuf *m = tcp4(100, TCP4_CKSUM);

	(void)state;
	m->l4_len = 0;
	assert_int_equal(rte_eth_tx_prepare(port, 0, &m, 1), 1);
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(field(0, TCP_CHECK), 0xcf98);
	port_close(port);
}

#define LOWER_CKSUMS (RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM | \
	RTE_ETH_TX_OFFLOAD_UDP_CKSUM | RTE_ETH_TX_OFFLOAD_MULTI_SEGS)

static void
send_tcp_and_expect_all_done(void)
{
	uint16_t port = started(LOWER_CKSUMS, TSO_OFFLOADS);

	assert_int_equal(send_one(port, tcp4(100, TCP4_CKSUM)), 1);
	assert_int_equal(script.frames[0].ol_flags, 0);
	assert_int_equal(field(0, IP_CHECK), 0x566a);
	assert_int_equal(field(0, TCP_CHECK), 0xcf98);
	port_close(port);
}

static void
b97_force_all(void **state)
{
	(void)state;
	recreate(OVER_LOWER ",force=all");
	send_tcp_and_expect_all_done();
	assert_int_equal(script.tx_enabled, 0);
}

static void
b97_force_some(void **state)
{
	(void)state;
	recreate("force=[ipv4_cksum,TCP_CKSUM]," OVER_LOWER);
	send_tcp_and_expect_all_done();
	assert_int_equal(script.tx_enabled,
		RTE_ETH_TX_OFFLOAD_UDP_CKSUM | RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
}

static void
force_of_one_leaves_the_others(void **state)
{
	uint16_t port;

	(void)state;
	recreate(OVER_LOWER ",force=ipv4_cksum");
	port = started(LOWER_CKSUMS, TSO_OFFLOADS);
	assert_int_equal(send_one(port, tcp4(100, TCP4_CKSUM)), 1);
	assert_int_equal(field(0, IP_CHECK), 0x566a);
	assert_int_equal(field(0, TCP_CHECK), 0);
	assert_int_equal(script.frames[0].ol_flags,
		RTE_MBUF_F_TX_TCP_CKSUM | RTE_MBUF_F_TX_IPV4);
	port_close(port);
}

static void
b98_prepare_accepts_legal_flags(void **state)
{
	uint16_t port = started_plain();
	struct rte_mbuf *m = tcp4(100, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_TCP_CKSUM);

	(void)state;
	assert_int_equal(rte_eth_tx_prepare(port, 0, &m, 1), 1);
	harness_assert_chain(m, frame.data, frame.len);
	rte_pktmbuf_free(m);
	port_close(port);
}

static void
prepare_stops_at_the_first_bad_packet(void **state)
{
	uint16_t port = started_plain();
	struct rte_mbuf *pkts[3] = { tcp4(9, TCP4_CKSUM), tcp4(2500, TCP4_SEG), tcp4(9, 0) };

	(void)state;
	pkts[1]->tso_segsz = 0;
	assert_int_equal(rte_eth_tx_prepare(port, 0, pkts, 3), 1);
	assert_int_equal(rte_errno, EINVAL);
	rte_pktmbuf_free_bulk(pkts, 3);
	port_close(port);
}

static void
b100_ip_cksum_does_nothing_to_ipv6(void **state)
{
	const uint64_t flags = RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_IP_CKSUM |
		RTE_MBUF_F_TX_TCP_CKSUM;
	uint16_t port = started(LOWER_CKSUMS, TSO_OFFLOADS);

	(void)state;
	assert_int_equal(send_one(port, tcp6(100, flags)), 1);
	assert_int_equal(field(0, IP_CHECK), 0x0db8);
	/* Nor does the port below see it. */
	assert_int_equal(script.frames[0].ol_flags & RTE_MBUF_F_TX_IP_CKSUM, 0);
	port_close(port);
}

static struct rte_mbuf *
sctp4(void)
{
	struct rte_mbuf *m;

	frame_init(&frame);
	frame_ether(&frame);
	frame_i4(&frame);
	frame_sctp(&frame, 1024, 80, 0x12345678);
	frame_sctp_data(&frame, 1, "0123456789abcdef", 16);
	frame_finish(&frame);
	m = frame_mbuf(&frame, app_pool, NULL, 0);
	m->ol_flags |= RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_SCTP_CKSUM;
	return m;
}

static void
b102_each_missing_ability_falls_back_on_its_own(void **state)
{
	uint16_t port = started(RTE_ETH_TX_OFFLOAD_TCP_CKSUM | RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
		TSO_OFFLOADS | RTE_ETH_TX_OFFLOAD_SCTP_CKSUM);
	struct rte_mbuf *pkts[3] = { tcp4(100, TCP4_CKSUM), sctp4(), tcp4(2500, TCP4_SEG) };

	(void)state;
	pkts[2]->tso_segsz = 1000;
	assert_int_equal(rte_eth_tx_burst(port, 0, pkts, 3), 3);
	/* TCP is left, its IPv4 header is not: the port cannot do that. */
	assert_int_equal(script.frames[0].ol_flags,
		RTE_MBUF_F_TX_TCP_CKSUM | RTE_MBUF_F_TX_IPV4);
	assert_int_equal(field(0, IP_CHECK), 0x566a);
	assert_int_equal(field(0, TCP_CHECK), 0);
	assert_int_equal(script.frames[1].ol_flags, 0);
	assert_int_equal(script.nb_frames, 5);
	assert_good(1, 5);
	assert_int_equal(xstat(port, "tx_left_to_lower_packets"), 1);
	assert_int_equal(xstat(port, "tx_checksummed_packets"), 1);
	assert_int_equal(xstat(port, "tx_segmented_packets"), 1);
	assert_int_equal(xstat(port, "tx_segments"), 3);
	port_close(port);
}

static int
seed_tcp(struct rte_mbuf *m)
{
	harness_put_be16(rte_pktmbuf_mtod_offset(m, uint8_t *, TCP_CHECK), 0x1234);
	return 0;
}

static int
refuse_all(struct rte_mbuf *m)
{
	seed_tcp(m);
	return ENOTSUP;
}

static void
what_is_left_goes_through_the_lower_prepare(void **state)
{
	uint16_t port = started(LOWER_CKSUMS, TSO_OFFLOADS);
	struct rte_mbuf *shared = tcp4(100, TCP4_CKSUM);

	(void)state;
	script.prepare = seed_tcp;
	assert_int_equal(send_one(port, tcp4(100, TCP4_CKSUM)), 1);
	assert_int_equal(script.nb_prepared, 1);
	assert_int_equal(script.frames[0].ol_flags, TCP4_CKSUM);
	assert_int_equal(field(0, TCP_CHECK), 0x1234);
	/* Where that would write to what somebody else holds, it gets a copy. */
	rte_mbuf_refcnt_update(shared, 1);
	assert_int_equal(send_one(port, shared), 1);
	assert_int_equal(field(1, TCP_CHECK), 0x1234);
	harness_assert_chain(shared, frame.data, frame.len);
	rte_pktmbuf_free(shared);
	port_close(port);
}

static void
what_the_lower_prepare_refuses_is_done_here(void **state)
{
	uint16_t port = started(LOWER_CKSUMS, TSO_OFFLOADS);

	(void)state;
	script.prepare = refuse_all;
	assert_int_equal(send_one(port, tcp4(100, TCP4_CKSUM)), 1);
	assert_int_equal(script.frames[0].ol_flags, 0);
	assert_int_equal(field(0, IP_CHECK), 0x566a);
	assert_int_equal(field(0, TCP_CHECK), 0xcf98);
	assert_int_equal(xstat(port, "tx_lower_prepare_refused_packets"), 1);
	port_close(port);
}

static void
requests_not_enabled_are_carried_out_and_counted(void **state)
{
	uint16_t port = started(LOWER_CKSUMS, RTE_ETH_TX_OFFLOAD_IPV4_CKSUM);
	struct rte_mbuf *super = tcp4(2500, TCP4_SEG);

	(void)state;
	super->tso_segsz = 1000;
	assert_int_equal(send_one(port, tcp4(100, TCP4_CKSUM)), 1);
	assert_int_equal(field(0, TCP_CHECK), 0xcf98);
	assert_int_equal(xstat(port, "tx_not_enabled_packets"), 1);
	assert_int_equal(send_one(port, super), 1);
	assert_int_equal(script.nb_frames, 4);
	assert_good(1, 4);
	assert_int_equal(xstat(port, "tx_not_enabled_packets"), 2);
	port_close(port);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, script_setup, script_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(capabilities_are_software_and_what_passes),
		CASE(lower_port_is_configured_with_what_it_has),
		CASE(burst_that_needs_nothing_is_handed_down_whole),
		CASE(b33_clone_with_original_kept),
		CASE(mbuf_held_twice_is_changed_in_nothing),
		CASE(b52_tso_flag_below_mss),
		CASE(b93_seg_implies_checksums),
		CASE(b71_no_request_is_left_on_finished_frames),
		CASE(b92_udp_is_not_tcp),
		CASE(b94_l3_len_zero_is_refused),
		CASE(b94_l4_len_zero_is_fine),
		CASE(b97_force_all),
		CASE(b97_force_some),
		CASE(force_of_one_leaves_the_others),
		CASE(b98_prepare_accepts_legal_flags),
		CASE(prepare_stops_at_the_first_bad_packet),
		CASE(b100_ip_cksum_does_nothing_to_ipv6),
		CASE(b102_each_missing_ability_falls_back_on_its_own),
		CASE(what_is_left_goes_through_the_lower_prepare),
		CASE(what_the_lower_prepare_refuses_is_done_here),
		CASE(requests_not_enabled_are_carried_out_and_counted),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-tx", tests, NULL, NULL));
}
