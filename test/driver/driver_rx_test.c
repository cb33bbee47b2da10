/* SPDX-License-Identifier: BSD-3-Clause */

/* Verification on the Rx side: verdicts are those of the reference. */

#include <stdlib.h>
#include <string.h>

#include "driver_test.h"
#include "ref_judge.h"

#define RX(name)    RTE_ETH_RX_OFFLOAD_ ## name ## _CKSUM
#define RX_PLAIN    (RX(IPV4) | RX(TCP) | RX(UDP))
#define RX_ALL      (RX_PLAIN | RX(SCTP) | RX(OUTER_IPV4) | RX(OUTER_UDP))

#define IP_MASK     RTE_MBUF_F_RX_IP_CKSUM_MASK
#define IP_GOOD     RTE_MBUF_F_RX_IP_CKSUM_GOOD
#define IP_BAD      RTE_MBUF_F_RX_IP_CKSUM_BAD
#define L4_MASK     RTE_MBUF_F_RX_L4_CKSUM_MASK
#define L4_GOOD     RTE_MBUF_F_RX_L4_CKSUM_GOOD
#define L4_BAD      RTE_MBUF_F_RX_L4_CKSUM_BAD
#define OUTER_BAD   RTE_MBUF_F_RX_OUTER_IP_CKSUM_BAD
#define OUTER4_MASK RTE_MBUF_F_RX_OUTER_L4_CKSUM_MASK
#define OUTER4_GOOD RTE_MBUF_F_RX_OUTER_L4_CKSUM_GOOD
#define OUTER4_BAD  RTE_MBUF_F_RX_OUTER_L4_CKSUM_BAD
#define ALL_VERDICTS (IP_MASK | L4_MASK | OUTER_BAD | OUTER4_MASK)

/* Whatever is on its way up has all checksums right to begin with, by the reference. */
static struct script_frame good;

static uint16_t
rx_started(uint64_t lower_capa, uint64_t rx_offloads)
{
	struct rte_eth_conf conf = { .rxmode.offloads = rx_offloads };
	uint16_t port = port_id(SOFT);

	script.rx_capa = lower_capa;
	assert_int_equal(rte_eth_dev_configure(port, 1, 1, &conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(port, 0, 256, SOCKET_ID_ANY, NULL, app_pool), 0);
	assert_int_equal(rte_eth_tx_queue_setup(port, 0, 256, SOCKET_ID_ANY, NULL), 0);
	assert_int_equal(rte_eth_dev_start(port), 0);
	return port;
}

static void
finish(uint16_t port, struct rte_mbuf *m)
{
	script_forget();
	assert_int_equal(send_one(port, m), 1);
	assert_good_or_zero(0, 1);
	good = script.frames[0];
	good.data = malloc(good.len);
	assert_non_null(good.data);
	memcpy(good.data, script.frames[0].data, good.len);
}

static void
done(void)
{
	free(good.data);
	good.data = NULL;
}

/* Send the frame up in odd pieces, with these flags of the lower port's; what comes out. */
static struct rte_mbuf *
receive_mbuf(uint16_t port, uint64_t lower_flags)
{
	static const uint16_t lens[] = { 17, 0, 21, 5 };
	struct rte_mbuf *m = harness_chain(app_pool, good.data, good.len, lens, RTE_DIM(lens));

	m->ol_flags |= lower_flags;
	m->packet_type = 0;
	script_feed(m);
	m = NULL;
	assert_int_equal(rte_eth_rx_burst(port, 0, &m, 1), 1);
	assert_int_equal(m->port, port);
	harness_assert_chain(m, good.data, good.len);
	return m;
}

static uint64_t
receive(uint16_t port, uint64_t lower_flags)
{
	struct rte_mbuf *m = receive_mbuf(port, lower_flags);
	uint64_t flags = m->ol_flags & ALL_VERDICTS;

	rte_pktmbuf_free(m);
	return flags;
}

static void
poke(uint32_t off)
{
	good.data[off] ^= 0x10;
}

static struct rte_mbuf *
vxlan(uint64_t ol_flags)
{
	return tcp4_in_vxlan(333, ol_flags | TCP4_CKSUM | RTE_MBUF_F_TX_OUTER_IP_CKSUM);
}

static void
capabilities_are_advertised_and_left_out_below(void **state)
{
	struct rte_eth_dev_info info;

	(void)state;
	assert_int_equal(rte_eth_dev_info_get(port_id(SOFT), &info), 0);
	assert_int_equal(info.rx_offload_capa, RX_ALL);
	assert_int_equal(info.rx_queue_offload_capa, 0);
	rx_started(RX(IPV4) | RTE_ETH_RX_OFFLOAD_SCATTER, RX_PLAIN | RTE_ETH_RX_OFFLOAD_SCATTER);
	assert_int_equal(script.rx_enabled, RX(IPV4) | RTE_ETH_RX_OFFLOAD_SCATTER);
	port_close(port_id(SOFT));

	recreate(OVER_LOWER ",rx_csum=off");
	assert_int_equal(rte_eth_dev_info_get(port_id(SOFT), &info), 0);
	assert_int_equal(info.rx_offload_capa, RX(IPV4) | RTE_ETH_RX_OFFLOAD_SCATTER);

	recreate(OVER_LOWER ",rx_csum=on");
	rx_started(RX_PLAIN, RX_PLAIN);
	assert_int_equal(script.rx_enabled, 0);
	port_close(port_id(SOFT));
}

static void
good_and_bad_of_plain_packets(void **state)
{
	uint16_t port = rx_started(0, RX_PLAIN);

	(void)state;
	finish(port, tcp4(333, TCP4_CKSUM));
	assert_int_equal(receive(port, 0), IP_GOOD | L4_GOOD);
	poke(14 + 8);
	assert_int_equal(receive(port, 0), IP_BAD | L4_GOOD);
	poke(100);
	assert_int_equal(receive(port, 0), IP_BAD | L4_BAD);
	poke(14 + 8);
	assert_int_equal(receive(port, 0), IP_GOOD | L4_BAD);
	/* What the lower port may say of what it was not asked for is worth nothing. */
	assert_int_equal(receive(port, IP_BAD), IP_GOOD | L4_BAD);
	done();

	finish(port, tcp6(100, RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_CKSUM));
	assert_int_equal(receive(port, 0), L4_GOOD);
	poke(80);
	assert_int_equal(receive(port, L4_GOOD), L4_BAD);
	done();
	assert_int_equal(xstat(port, "rx_verified_packets"), 7);
	assert_int_equal(xstat(port, "rx_bad_ip"), 2);
	assert_int_equal(xstat(port, "rx_bad_l4"), 4);
	port_close(port);
}

/* A field that holds the sum of the pseudo header: nobody has finished the packet. */
static void
partial_is_bad(void **state)
{
	uint16_t port = rx_started(0, RX_PLAIN);

	(void)state;
	finish(port, tcp4(100, TCP4_CKSUM));
	/* 10.0.0.1 + 10.0.0.2 + 6 + 120 */
	harness_put_be16(good.data + 14 + 20 + 16, 0x0a00 + 0x0a00 + 1 + 2 + 6 + 120);
	assert_int_equal(receive(port, 0) & L4_MASK, L4_BAD);
	done();
	port_close(port);
}

static void
udp_zero_is_good_over_ipv4(void **state)
{
	uint16_t port = rx_started(0, RX_PLAIN);

	(void)state;
	finish(port, udp4(100, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM));
	assert_int_equal(harness_be16(good.data + 14 + 20 + 6), 0);
	assert_int_equal(receive(port, 0), IP_GOOD | L4_GOOD);
	done();
	port_close(port);
}

static void
udp_zero_is_bad_over_ipv6(void **state)
{
	uint16_t port = rx_started(0, RX_PLAIN);
	struct rte_mbuf *m;

	(void)state;
	frame_init(&frame);
	frame_ether(&frame);
	frame_i6(&frame);
	frame_udp(&frame, 1024, 4096);
	frame_payload(&frame, 100);
	frame_finish(&frame);
	m = frame_mbuf(&frame, app_pool, NULL, 0);
	m->ol_flags |= RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_UDP_CKSUM;
	finish(port, m);
	assert_int_equal(receive(port, 0), L4_GOOD);
	harness_put_be16(good.data + 14 + 40 + 6, 0);
	assert_int_equal(receive(port, 0), L4_BAD);
	done();
	port_close(port);
}

static void
fragments_and_truncated_are_unknown(void **state)
{
	uint16_t port = rx_started(0, RX_PLAIN);

	(void)state;
	finish(port, tcp4(333, TCP4_CKSUM));
	good.len -= 10;
	assert_int_equal(receive(port, L4_GOOD), IP_GOOD);
	good.len += 10;
	/* More fragments; the header's checksum corrected by hand: 0x2000 was added. */
	harness_put_be16(good.data + 14 + 6, 0x2000);
	harness_put_be16(good.data + 14 + 10, harness_be16(good.data + 14 + 10) - 0x2000);
	assert_int_equal(receive(port, 0), IP_GOOD);
	done();
	port_close(port);
}

static void
what_is_no_ip_gets_no_verdict(void **state)
{
	uint16_t port = rx_started(0, RX_PLAIN);

	(void)state;
	finish(port, tcp4(100, TCP4_CKSUM));
	harness_put_be16(good.data + 12, 0x88cc);
	assert_int_equal(receive(port, 0), 0);
	done();
	assert_int_equal(xstat(port, "rx_verified_packets"), 0);
	port_close(port);
}

/* Only what was enabled and the lower port lacks; of the rest its word counts. */
static void
lower_port_keeps_what_it_can(void **state)
{
	uint16_t port = rx_started(RX(IPV4) | RX(UDP), RX_PLAIN);

	(void)state;
	finish(port, tcp4(100, TCP4_CKSUM));
	assert_int_equal(receive(port, IP_BAD), IP_BAD | L4_GOOD);
	done();
	finish(port, udp4(100, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM |
		RTE_MBUF_F_TX_UDP_CKSUM));
	assert_int_equal(receive(port, IP_GOOD | L4_BAD), IP_GOOD | L4_BAD);
	done();
	assert_int_equal(rte_eth_dev_stop(port), 0);

	port = rx_started(0, RX(UDP));
	finish(port, tcp4(100, TCP4_CKSUM));
	assert_int_equal(receive(port, 0), 0);
	done();
	port_close(port);
}

static void
nothing_is_verified_when_off_or_not_enabled(void **state)
{
	uint16_t port = rx_started(0, 0);

	(void)state;
	finish(port, tcp4(100, TCP4_CKSUM));
	poke(100);
	assert_int_equal(receive(port, 0), 0);
	assert_int_equal(receive(port, L4_GOOD), L4_GOOD);
	port_close(port);
	recreate(OVER_LOWER ",rx_csum=off");
	port = rx_started(RX_PLAIN, RX_PLAIN);
	assert_int_equal(script.rx_enabled, RX_PLAIN);
	assert_int_equal(receive(port, L4_GOOD), L4_GOOD);
	done();
	port_close(port);
}

static void
on_overrules_the_lower_port(void **state)
{
	uint16_t port;

	(void)state;
	recreate(OVER_LOWER ",rx_csum=on");
	port = rx_started(RX_ALL, 0);
	finish(port, tcp4(100, TCP4_CKSUM));
	poke(100);
	assert_int_equal(receive(port, IP_BAD | L4_GOOD | OUTER_BAD | OUTER4_GOOD),
		IP_GOOD | L4_BAD);
	done();
	port_close(port);
}

static void
tunnels_are_told_apart_for_who_asked(void **state)
{
	uint16_t port = rx_started(0, RX_ALL);
	const uint32_t inner = 14 + 20 + 8 + 8 + 14;

	(void)state;
	finish(port, vxlan(RTE_MBUF_F_TX_OUTER_UDP_CKSUM));
	assert_int_equal(receive(port, 0), IP_GOOD | L4_GOOD | OUTER4_GOOD);
	poke(14 + 8);
	assert_int_equal(receive(port, 0), IP_GOOD | L4_GOOD | OUTER4_GOOD | OUTER_BAD);
	poke(14 + 8);
	poke(inner + 8);
	assert_int_equal(receive(port, OUTER_BAD), IP_BAD | L4_GOOD | OUTER4_BAD);
	poke(inner + 8);
	poke(200);
	assert_int_equal(receive(port, 0), IP_GOOD | L4_BAD | OUTER4_BAD);
	assert_int_equal(xstat(port, "rx_bad_outer_ip"), 1);
	assert_int_equal(xstat(port, "rx_bad_outer_l4"), 2);
	assert_int_equal(rte_eth_dev_stop(port), 0);

	/* Who knows no tunnels asks about the headers in front, and gets that. */
	port = rx_started(0, RX_PLAIN);
	assert_int_equal(receive(port, 0), IP_GOOD | L4_BAD);
	done();
	finish(port, vxlan(0));
	poke(200);
	assert_int_equal(receive(port, 0), IP_GOOD | L4_GOOD);
	assert_int_equal(rte_eth_dev_stop(port), 0);
	port = rx_started(0, RX_ALL);
	assert_int_equal(receive(port, 0), IP_GOOD | L4_BAD | OUTER4_GOOD);
	done();
	port_close(port);
}

static void
sctp_is_verified_by_crc32c(void **state)
{
	uint16_t port = rx_started(0, RX(SCTP));
	struct rte_mbuf *m;

	(void)state;
	frame_init(&frame);
	frame_ether(&frame);
	frame_i4(&frame);
	frame_sctp(&frame, 1024, 80, 0x12345678);
	frame_sctp_data(&frame, 1, "0123456789abcdef", 16);
	frame_finish(&frame);
	m = frame_mbuf(&frame, app_pool, NULL, 0);
	m->ol_flags |= RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_SCTP_CKSUM;
	finish(port, m);
	assert_int_equal(receive(port, 0), L4_GOOD);
	poke(14 + 20 + 12 + 20);
	assert_int_equal(receive(port, 0), L4_BAD);
	done();
	port_close(port);
}

static void
assert_ptype(uint16_t port, struct rte_mbuf *tx, uint32_t want)
{
	struct rte_mbuf *m;

	finish(port, tx);
	m = receive_mbuf(port, 0);
	assert_int_equal(m->packet_type, want);
	rte_pktmbuf_free(m);
	done();
}

static void
packet_types_where_the_lower_port_sets_none(void **state)
{
	uint16_t port = rx_started(0, RX_PLAIN);
	uint32_t list[64];
	struct rte_mbuf *m;

	(void)state;
	assert_true(rte_eth_dev_get_supported_ptypes(port, RTE_PTYPE_ALL_MASK, list,
						     RTE_DIM(list)) > 20);
	assert_ptype(port, tcp4(100, TCP4_CKSUM),
		RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4 | RTE_PTYPE_L4_TCP);
	assert_ptype(port, tcp6(100, RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_CKSUM),
		RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV6 | RTE_PTYPE_L4_TCP);
	m = udp4(100, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_UDP_CKSUM |
		RTE_MBUF_F_TX_QINQ);
	assert_ptype(port, m, RTE_PTYPE_L2_ETHER_QINQ | RTE_PTYPE_L3_IPV4 | RTE_PTYPE_L4_UDP);
	assert_ptype(port, vxlan(0), RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4 | RTE_PTYPE_L4_UDP |
		RTE_PTYPE_TUNNEL_VXLAN | RTE_PTYPE_INNER_L2_ETHER | RTE_PTYPE_INNER_L3_IPV4 |
		RTE_PTYPE_INNER_L4_TCP);

	/* One that is set stays. */
	finish(port, tcp4(100, TCP4_CKSUM));
	m = harness_chain(app_pool, good.data, good.len, NULL, 0);
	m->packet_type = RTE_PTYPE_L2_ETHER_ARP;
	script_feed(m);
	assert_int_equal(rte_eth_rx_burst(port, 0, &m, 1), 1);
	assert_int_equal(m->packet_type, RTE_PTYPE_L2_ETHER_ARP);
	rte_pktmbuf_free(m);
	done();
	assert_int_equal(rte_eth_dev_stop(port), 0);

	/* Without a look at packets there is nothing to tell. */
	port = rx_started(0, 0);
	assert_int_equal(rte_eth_dev_get_supported_ptypes(port, RTE_PTYPE_ALL_MASK, NULL, 0), 0);
	assert_ptype(port, tcp4(100, TCP4_CKSUM), 0);
	port_close(port);
}

/* The flag that a verdict of the reference stands for. */
static uint64_t
flag_for(const struct ref_report *report, enum ref_column column, unsigned int nth,
	 uint64_t good_flag, uint64_t bad_flag)
{
	if (nth >= report->count[column])
		return 0;
	switch (report->list[column][nth]) {
	case REF_GOOD:
	case REF_ZERO:
		return good_flag;
	case REF_BAD:
	case REF_PARTIAL:
		return bad_flag;
	default:
		return 0;
	}
}

/* One bit wrong anywhere in a tunnel packet: each verdict is the reference's. */
static void
any_wrong_bit_is_judged_as_by_the_reference(void **state)
{
	uint16_t port = rx_started(0, RX_ALL);
	struct ref_report report;
	uint64_t want;
	uint32_t bit;

	(void)state;
	finish(port, vxlan(RTE_MBUF_F_TX_OUTER_UDP_CKSUM));
	for (bit = 14 * 8; bit < 120 * 8; bit++) {
		good.data[bit / 8] ^= 1 << bit % 8;
		assert_int_equal(ref_judge(good.data, good.len, good.len, REF_LINK_ETHER,
					   &report), 0);
		if (report.count[REF_IP] == 2)
			want = flag_for(&report, REF_IP, 0, 0, OUTER_BAD) |
				flag_for(&report, REF_IP, 1, IP_GOOD, IP_BAD) |
				flag_for(&report, REF_UDP, 0, OUTER4_GOOD, OUTER4_BAD) |
				flag_for(&report, REF_UDP, 1, L4_GOOD, L4_BAD) |
				flag_for(&report, REF_TCP, 0, L4_GOOD, L4_BAD) |
				flag_for(&report, REF_SCTP, 0, L4_GOOD, L4_BAD);
		else
			want = flag_for(&report, REF_IP, 0, IP_GOOD, IP_BAD) |
				flag_for(&report, REF_UDP, 0, L4_GOOD, L4_BAD) |
				flag_for(&report, REF_TCP, 0, L4_GOOD, L4_BAD) |
				flag_for(&report, REF_SCTP, 0, L4_GOOD, L4_BAD);
		if (receive(port, 0) != want)
			fail_msg("bit %u of byte %u", bit % 8, bit / 8);
		good.data[bit / 8] ^= 1 << bit % 8;
	}
	done();
	port_close(port);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, script_setup, script_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(capabilities_are_advertised_and_left_out_below),
		CASE(good_and_bad_of_plain_packets),
		CASE(partial_is_bad),
		CASE(udp_zero_is_good_over_ipv4),
		CASE(udp_zero_is_bad_over_ipv6),
		CASE(fragments_and_truncated_are_unknown),
		CASE(what_is_no_ip_gets_no_verdict),
		CASE(lower_port_keeps_what_it_can),
		CASE(nothing_is_verified_when_off_or_not_enabled),
		CASE(on_overrules_the_lower_port),
		CASE(tunnels_are_told_apart_for_who_asked),
		CASE(sctp_is_verified_by_crc32c),
		CASE(packet_types_where_the_lower_port_sets_none),
		CASE(any_wrong_bit_is_judged_as_by_the_reference),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-rx", tests, NULL, NULL));
}
