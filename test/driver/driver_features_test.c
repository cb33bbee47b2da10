/* SPDX-License-Identifier: BSD-3-Clause */

/* A case for each line of the driver's table of features, of the same name. */

#include "driver_test.h"

#define RX(name) RTE_ETH_RX_OFFLOAD_ ## name

/* What a lower port has on the Rx side is there above, and below when it is enabled above. */
static void
assert_rx_offload_passes(uint64_t offload)
{
	struct rte_eth_conf conf = { .rxmode.offloads = offload };
	struct rte_eth_dev_info info;
	uint16_t port = port_id(SOFT);

	assert_int_equal(rte_eth_dev_info_get(port, &info), 0);
	assert_int_equal(info.rx_offload_capa & offload, 0);
	assert_int_not_equal(rte_eth_dev_configure(port, 1, 1, &conf), 0);
	script.rx_capa = offload;
	assert_int_equal(rte_eth_dev_info_get(port, &info), 0);
	assert_int_equal(info.rx_offload_capa & offload, offload);
	/* Without these LRO and RSS_HASH make no sense. */
	conf.rxmode.max_lro_pkt_size = RTE_ETHER_MAX_LEN;
	conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
	conf.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_TCP;
	assert_int_equal(rte_eth_dev_configure(port, 1, 1, &conf), 0);
	assert_int_equal(script.rx_enabled, offload);
}

static void
speed_capabilities(void **state)
{
	struct rte_eth_dev_info info;

	(void)state;
	script.speed_capa = RTE_ETH_LINK_SPEED_10G | RTE_ETH_LINK_SPEED_25G;
	assert_int_equal(rte_eth_dev_info_get(port_id(SOFT), &info), 0);
	assert_int_equal(info.speed_capa, script.speed_capa);
}

static void
link_status(void **state)
{
	uint16_t port = started_plain();
	struct rte_eth_link link;

	(void)state;
	assert_int_equal(rte_eth_link_get_nowait(port, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_UP);
	assert_int_equal(rte_eth_dev_stop(port), 0);
	assert_int_equal(rte_eth_link_get(port, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_DOWN);
}

static void
free_tx_mbuf_on_demand(void **state)
{
	uint16_t port = started_plain();

	(void)state;
	assert_int_equal(rte_eth_tx_done_cleanup(port, 0, 0), 0);
	assert_int_equal(script.nb_cleanups, 1);
}

static void
mtu_update(void **state)
{
	uint16_t mtu;

	(void)state;
	assert_int_equal(rte_eth_dev_configure(port_id(SOFT), 1, 1,
					       &(struct rte_eth_conf){ 0 }), 0);
	assert_int_equal(rte_eth_dev_set_mtu(port_id(SOFT), 4000), 0);
	assert_int_equal(rte_eth_dev_get_mtu(port_id(LOWER), &mtu), 0);
	assert_int_equal(mtu, 4000);
}

static void
scattered_rx(void **state)
{
	(void)state;
	assert_rx_offload_passes(RX(SCATTER));
}

static void
lro(void **state)
{
	(void)state;
	assert_rx_offload_passes(RX(TCP_LRO));
}

static void
tso(void **state)
{
	uint16_t port = started_plain();
	struct rte_mbuf *m = tcp4(2500, TCP4_SEG);

	(void)state;
	m->tso_segsz = 1000;
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(script.nb_frames, 3);
	assert_good(0, 3);
}

static void
promiscuous_mode(void **state)
{
	(void)state;
	assert_int_equal(rte_eth_promiscuous_enable(port_id(SOFT)), 0);
	assert_true(script.promiscuous);
	assert_int_equal(rte_eth_promiscuous_disable(port_id(SOFT)), 0);
	assert_false(script.promiscuous);
}

static void
allmulticast_mode(void **state)
{
	(void)state;
	assert_int_equal(rte_eth_allmulticast_enable(port_id(SOFT)), 0);
	assert_true(script.allmulticast);
	assert_int_equal(rte_eth_allmulticast_disable(port_id(SOFT)), 0);
	assert_false(script.allmulticast);
}

static void
rss_hash(void **state)
{
	(void)state;
	assert_rx_offload_passes(RX(RSS_HASH));
	assert_int_equal(script.rss_enabled, RTE_ETH_RSS_TCP);
}

/* Stripped below, if at all; inserted in any case. */
static void
tags(uint64_t strip, uint64_t flag, uint16_t type)
{
	uint16_t port;
	struct rte_mbuf *m;

	assert_rx_offload_passes(strip);
	script.rx_capa = 0;
	port = started_plain();
	m = tcp4(100, flag);
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(field(0, 12), type);
}

static void
vlan_offload(void **state)
{
	(void)state;
	tags(RX(VLAN_STRIP), RTE_MBUF_F_TX_VLAN, 0x8100);
}

static void
qinq_offload(void **state)
{
	(void)state;
	tags(RX(QINQ_STRIP), RTE_MBUF_F_TX_QINQ, 0x88a8);
}

/* A VXLAN packet with all checksums to be filled. */
static struct rte_mbuf *
vxlan(void)
{
	return tcp4_in_vxlan(333, TCP4_CKSUM | RTE_MBUF_F_TX_OUTER_IP_CKSUM |
		RTE_MBUF_F_TX_OUTER_UDP_CKSUM);
}

/* Filled by software, as the reference says, and verified by software when it comes back. */
static void
checksums(struct rte_mbuf *m, uint64_t rx_offload, uint64_t rx_flag, uint64_t mask)
{
	struct rte_eth_conf conf = { .rxmode.offloads = rx_offload };
	uint16_t port = port_id(SOFT);

	assert_int_equal(rte_eth_dev_configure(port, 1, 1, &conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(port, 0, 64, SOCKET_ID_ANY, NULL, app_pool), 0);
	assert_int_equal(rte_eth_tx_queue_setup(port, 0, 64, SOCKET_ID_ANY, NULL), 0);
	assert_int_equal(rte_eth_dev_start(port), 0);
	assert_int_equal(send_one(port, m), 1);
	assert_good(0, 1);
	script_feed(harness_chain(app_pool, script.frames[0].data, script.frames[0].len, NULL,
				  0));
	assert_int_equal(rte_eth_rx_burst(port, 0, &m, 1), 1);
	assert_int_equal(m->ol_flags & mask, rx_flag);
	rte_pktmbuf_free(m);
}

static void
l3_checksum_offload(void **state)
{
	(void)state;
	checksums(tcp4(100, TCP4_CKSUM), RX(IPV4_CKSUM), RTE_MBUF_F_RX_IP_CKSUM_GOOD,
		RTE_MBUF_F_RX_IP_CKSUM_MASK);
}

static void
l4_checksum_offload(void **state)
{
	(void)state;
	checksums(tcp4(100, TCP4_CKSUM), RX(TCP_CKSUM), RTE_MBUF_F_RX_L4_CKSUM_GOOD,
		RTE_MBUF_F_RX_L4_CKSUM_MASK);
}

static void
timestamp_offload(void **state)
{
	(void)state;
	assert_rx_offload_passes(RX(TIMESTAMP));
}

static void
inner_l3_checksum(void **state)
{
	(void)state;
	checksums(vxlan(), RX(OUTER_IPV4_CKSUM) | RX(IPV4_CKSUM), RTE_MBUF_F_RX_IP_CKSUM_GOOD,
		RTE_MBUF_F_RX_IP_CKSUM_MASK | RTE_MBUF_F_RX_OUTER_IP_CKSUM_BAD);
}

static void
inner_l4_checksum(void **state)
{
	(void)state;
	checksums(vxlan(), RX(OUTER_UDP_CKSUM) | RX(TCP_CKSUM),
		RTE_MBUF_F_RX_L4_CKSUM_GOOD | RTE_MBUF_F_RX_OUTER_L4_CKSUM_GOOD,
		RTE_MBUF_F_RX_L4_CKSUM_MASK | RTE_MBUF_F_RX_OUTER_L4_CKSUM_MASK);
}

static void
packet_type_parsing(void **state)
{
	uint32_t types[64];
	struct rte_mbuf *m;

	(void)state;
	checksums(tcp4(100, TCP4_CKSUM), RX(TCP_CKSUM), 0, 0);
	assert_true(rte_eth_dev_get_supported_ptypes(port_id(SOFT), RTE_PTYPE_L4_MASK, types,
						     RTE_DIM(types)) > 3);
	script_feed(harness_chain(app_pool, script.frames[0].data, script.frames[0].len, NULL,
				  0));
	assert_int_equal(rte_eth_rx_burst(port_id(SOFT), 0, &m, 1), 1);
	assert_true(RTE_ETH_IS_IPV4_HDR(m->packet_type));
	rte_pktmbuf_free(m);
}

static void
tx_descriptor_status(void **state)
{
	uint16_t port = started_plain();

	(void)state;
	script.desc_status = RTE_ETH_TX_DESC_DONE;
	assert_int_equal(rte_eth_tx_descriptor_status(port, 0, 0), RTE_ETH_TX_DESC_DONE);
}

static void
basic_stats(void **state)
{
	uint16_t port = started_plain();
	struct rte_eth_stats stats;

	(void)state;
	assert_int_equal(send_one(port, tcp4(100, TCP4_CKSUM)), 1);
	assert_int_equal(rte_eth_stats_get(port, &stats), 0);
	assert_int_equal(stats.opackets, 1);
	assert_int_equal(stats.obytes, frame.len);
	assert_int_equal(rte_eth_stats_reset(port), 0);
	assert_int_equal(rte_eth_stats_get(port, &stats), 0);
	assert_int_equal(stats.opackets, 0);
}

static void
extended_stats(void **state)
{
	uint16_t port = started_plain();

	(void)state;
	assert_int_equal(send_one(port, tcp4(100, TCP4_CKSUM)), 1);
	assert_int_equal(xstat(port, "tx_checksummed_packets"), 1);
	assert_int_equal(rte_eth_xstats_reset(port), 0);
	assert_int_equal(xstat(port, "tx_checksummed_packets"), 0);
}

static void
stats_per_queue(void **state)
{
	uint16_t port = started_plain();

	(void)state;
	assert_int_equal(send_one(port, tcp4(100, TCP4_CKSUM)), 1);
	assert_int_equal(xstat(port, "tx_q0_packets"), 1);
	assert_int_equal(xstat(port, "tx_q0_bytes"), frame.len);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, script_setup, script_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(speed_capabilities),
		CASE(link_status),
		CASE(free_tx_mbuf_on_demand),
		CASE(mtu_update),
		CASE(scattered_rx),
		CASE(lro),
		CASE(tso),
		CASE(promiscuous_mode),
		CASE(allmulticast_mode),
		CASE(rss_hash),
		CASE(vlan_offload),
		CASE(qinq_offload),
		CASE(l3_checksum_offload),
		CASE(l4_checksum_offload),
		CASE(timestamp_offload),
		CASE(inner_l3_checksum),
		CASE(inner_l4_checksum),
		CASE(packet_type_parsing),
		CASE(tx_descriptor_status),
		CASE(basic_stats),
		CASE(extended_stats),
		CASE(stats_per_queue),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-features", tests, NULL, NULL));
}
