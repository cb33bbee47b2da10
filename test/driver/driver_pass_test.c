/* SPDX-License-Identifier: BSD-3-Clause */

/* What an application tells the port, the lower port is told. */

#include <errno.h>

#include <rte_flow.h>

#include "driver_test.h"
#include "script_ops.h"

static const struct rte_ether_addr first = { { 0x02, 0, 0, 0, 1, 1 } };
static const struct rte_ether_addr second = { { 0x02, 0, 0, 0, 1, 2 } };
static const struct rte_ether_addr group = { { 0x01, 0, 0x5e, 0, 0, 1 } };

static int
setup(void **state)
{
	memset(&script_calls, 0, sizeof(script_calls));
	return script_setup(state);
}

/* Configured over a lower port with these Rx offloads, all enabled. */
static uint16_t
configured(uint64_t rx_offloads)
{
	struct rte_eth_conf conf = {
		.rxmode = { .offloads = rx_offloads, .mq_mode = RTE_ETH_MQ_RX_RSS },
		.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_TCP,
		.intr_conf.rxq = 1,
	};

	script.rx_capa = rx_offloads;
	assert_int_equal(rte_eth_dev_configure(port_id(SOFT), 1, 1, &conf), 0);
	return port_id(SOFT);
}

static void
unicast_mac_filter(void **state)
{
	struct rte_ether_addr mac;
	uint16_t port = started_plain();

	(void)state;
	mac = first;
	assert_int_equal(rte_eth_dev_default_mac_addr_set(port, &mac), 0);
	assert_memory_equal(&script_calls.mac, &first, sizeof(first));
	assert_int_equal(rte_eth_macaddr_get(port_id(LOWER), &mac), 0);
	assert_memory_equal(&mac, &first, sizeof(first));
	mac = second;
	assert_int_equal(rte_eth_dev_mac_addr_add(port, &mac, 0), 0);
	assert_memory_equal(&script_calls.added, &second, sizeof(second));
	assert_int_equal(rte_eth_dev_mac_addr_remove(port, &mac), 0);
	assert_memory_equal(&script_calls.removed, &second, sizeof(second));
}

/* As many as the lower port takes. One address stays after a stop and start. */
static void
mac_addresses_have_the_lower_limit(void **state)
{
	struct rte_ether_addr mac = second;
	uint16_t port = started_plain();
	unsigned int i;

	(void)state;
	for (i = 1; i < SCRIPT_MAC_ADDRS; i++) {
		mac.addr_bytes[5] = (uint8_t)(10 + i);
		assert_int_equal(rte_eth_dev_mac_addr_add(port, &mac, 0), 0);
	}
	mac.addr_bytes[5] = 10;
	assert_int_equal(rte_eth_dev_mac_addr_add(port, &mac, 0), -ENOSPC);
	assert_int_equal(rte_eth_dev_stop(port), 0);
	memset(&script_calls, 0, sizeof(script_calls));
	assert_int_equal(rte_eth_dev_start(port), 0);
	assert_int_equal(script_calls.added.addr_bytes[5], 10 + SCRIPT_MAC_ADDRS - 1);
}

static void
multicast_mac_filter(void **state)
{
	struct rte_ether_addr list[2] = { second, group };

	(void)state;
	assert_int_equal(rte_eth_dev_set_mc_addr_list(port_id(SOFT), list, 2), 0);
	assert_int_equal(script_calls.nb_multicast, 2);
	assert_memory_equal(&script_calls.multicast, &group, sizeof(group));
}

static void
vlan_filter(void **state)
{
	uint16_t port = configured(RTE_ETH_RX_OFFLOAD_VLAN_FILTER |
		RTE_ETH_RX_OFFLOAD_VLAN_STRIP);

	(void)state;
	assert_int_equal(rte_eth_dev_vlan_filter(port, 77, 1), 0);
	assert_int_equal(script_calls.vlan_id, 77);
	assert_int_equal(script_calls.vlan_on, 1);
	assert_int_equal(rte_eth_dev_set_vlan_ether_type(port, RTE_ETH_VLAN_TYPE_OUTER, 0x9100),
		0);
	assert_int_equal(script_calls.tpid, 0x9100);
	assert_int_equal(script_calls.vlan_type, RTE_ETH_VLAN_TYPE_OUTER);
	assert_int_equal(rte_eth_dev_set_vlan_pvid(port, 5, 1), 0);
	assert_int_equal(script_calls.pvid, 5);
	assert_int_equal(rte_eth_rx_queue_setup(port, 0, 64, 0, NULL, app_pool), 0);
	assert_int_equal(rte_eth_dev_set_vlan_strip_on_queue(port, 0, 1), 0);
	assert_int_equal(script_calls.strip_on, 1);
}

static void
vlan_offload_changes(void **state)
{
	uint16_t port = configured(RTE_ETH_RX_OFFLOAD_VLAN_FILTER |
		RTE_ETH_RX_OFFLOAD_VLAN_STRIP);

	(void)state;
	assert_int_equal(rte_eth_dev_set_vlan_offload(port, RTE_ETH_VLAN_FILTER_OFFLOAD), 0);
	assert_int_equal(script_calls.vlan_mask, RTE_ETH_VLAN_STRIP_OFFLOAD);
	assert_int_equal(rte_eth_dev_get_vlan_offload(port_id(LOWER)),
		RTE_ETH_VLAN_FILTER_OFFLOAD);
}

static void
rss_key_update(void **state)
{
	uint8_t key[SCRIPT_KEY_SIZE] = { 1, 2, 3 }, got[SCRIPT_KEY_SIZE];
	struct rte_eth_rss_conf conf = {
		.rss_hf = RTE_ETH_RSS_IP, .rss_key = key, .rss_key_len = sizeof(key),
	};
	uint16_t port = configured(RTE_ETH_RX_OFFLOAD_RSS_HASH);
	struct rte_eth_dev_info info;

	(void)state;
	assert_int_equal(rte_eth_dev_info_get(port, &info), 0);
	assert_int_equal(info.hash_key_size, SCRIPT_KEY_SIZE);
	assert_int_equal(rte_eth_dev_rss_hash_update(port, &conf), 0);
	assert_int_equal(script_calls.rss_hf, RTE_ETH_RSS_IP);
	conf.rss_key = got;
	assert_int_equal(rte_eth_dev_rss_hash_conf_get(port, &conf), 0);
	assert_memory_equal(got, key, sizeof(key));
}

static void
rss_reta_update(void **state)
{
	struct rte_eth_rss_reta_entry64 table = { .mask = 3, .reta = { 0, 0 } };
	uint16_t port = configured(RTE_ETH_RX_OFFLOAD_RSS_HASH);
	struct rte_eth_dev_info info;

	(void)state;
	assert_int_equal(rte_eth_dev_info_get(port, &info), 0);
	assert_int_equal(info.reta_size, SCRIPT_RETA_SIZE);
	assert_int_equal(rte_eth_dev_rss_reta_update(port, &table, SCRIPT_RETA_SIZE), 0);
	assert_int_equal(script_calls.reta.mask, 3);
	assert_int_equal(rte_eth_dev_rss_reta_query(port, &table, SCRIPT_RETA_SIZE), 0);
}

static void
flow_control(void **state)
{
	struct rte_eth_fc_conf conf = { .mode = RTE_ETH_FC_FULL, .high_water = 1234 };

	(void)state;
	assert_int_equal(rte_eth_dev_flow_ctrl_set(port_id(SOFT), &conf), 0);
	assert_int_equal(script_calls.flow_ctrl.high_water, 1234);
	conf.high_water = 0;
	assert_int_equal(rte_eth_dev_flow_ctrl_get(port_id(SOFT), &conf), 0);
	assert_int_equal(conf.high_water, 1234);
}

static void
udp_tunnel_ports(void **state)
{
	struct rte_eth_udp_tunnel tunnel = { 4789, RTE_ETH_TUNNEL_TYPE_VXLAN };

	(void)state;
	assert_int_equal(rte_eth_dev_udp_tunnel_port_add(port_id(SOFT), &tunnel), 0);
	assert_int_equal(script_calls.tunnel_added, 4789);
	assert_int_equal(rte_eth_dev_udp_tunnel_port_delete(port_id(SOFT), &tunnel), 0);
	assert_int_equal(script_calls.tunnel_deleted, 4789);
}

static void
rx_interrupt(void **state)
{
	uint16_t port = configured(0);

	(void)state;
	assert_int_equal(rte_eth_rx_queue_setup(port, 0, 64, 0, NULL, app_pool), 0);
	assert_int_equal(rte_eth_dev_rx_intr_enable(port, 0), 0);
	assert_int_equal(script_calls.intr_queue, 0);
	assert_int_equal(rte_eth_dev_rx_intr_disable(port, 0), 0);
	assert_int_equal(script_calls.intr_queue, -1);
}

static void
power_mgmt_address_monitor(void **state)
{
	struct rte_power_monitor_cond cond = { 0 };

	(void)state;
	assert_int_equal(rte_eth_get_monitor_addr(started_plain(), 0, &cond), 0);
	assert_non_null(cond.addr);
	assert_int_equal(cond.size, sizeof(uint64_t));
}

static void
link_is_set_up_and_down(void **state)
{
	(void)state;
	assert_int_equal(rte_eth_dev_set_link_up(port_id(SOFT)), 0);
	assert_true(script_calls.link_up);
	assert_int_equal(rte_eth_dev_set_link_down(port_id(SOFT)), 0);
	assert_false(script_calls.link_up);
}

static void
reset_stops_and_resets_the_lower_port(void **state)
{
	uint16_t port = started_plain();

	(void)state;
	assert_int_equal(rte_eth_dev_reset(port), 0);
	assert_int_equal(script_calls.nb_resets, 1);
	port_start(port, TSO_OFFLOADS);
	assert_int_equal(send_one(port, tcp4(100, TCP4_CKSUM)), 1);
	assert_good(0, 1);
}

static void
flow_rules(void **state)
{
	static const struct rte_flow_attr attr = { .ingress = 1 };
	static const struct rte_flow_item eth[] = {
		{ .type = RTE_FLOW_ITEM_TYPE_ETH }, { .type = RTE_FLOW_ITEM_TYPE_END },
	};
	static const struct rte_flow_action drop[] = {
		{ .type = RTE_FLOW_ACTION_TYPE_DROP }, { .type = RTE_FLOW_ACTION_TYPE_END },
	};
	struct rte_flow_query_count count = { 0 };
	uint16_t port = port_id(SOFT);
	struct rte_flow_error error;
	struct rte_flow *flow;

	(void)state;
	assert_int_equal(rte_flow_isolate(port, 1, &error), 0);
	assert_true(script_calls.isolated);
	assert_int_equal(rte_flow_validate(port, &attr, eth, drop, &error), 0);
	assert_int_equal(rte_flow_validate(port, &attr, eth + 1, drop, &error), -ENOTSUP);
	assert_string_equal(error.message, "not ETH");
	flow = rte_flow_create(port, &attr, eth, drop, &error);
	assert_non_null(flow);
	assert_int_equal(script_calls.nb_flows, 1);
	assert_int_equal(rte_flow_query(port, flow, drop, &count, &error), 0);
	assert_int_equal(count.hits, 77);
	assert_int_equal(rte_flow_destroy(port, flow, &error), 0);
	assert_int_equal(script_calls.nb_flows, 0);
	flow = rte_flow_create(port, &attr, eth, drop, &error);
	assert_int_equal(rte_flow_flush(port, &error), 0);
	assert_int_equal(script_calls.nb_flows, 0);
}

/* Nobody to tell: an error, and no crash. */
static void
nothing_is_told_to_a_lower_port_that_is_gone(void **state)
{
	struct rte_ether_addr mac = second;
	uint16_t port = started_plain();
	struct rte_eth_fc_conf conf = { 0 };
	struct rte_flow_error error;

	(void)state;
	port_remove(LOWER);
	assert_int_equal(rte_eth_dev_flow_ctrl_get(port, &conf), -ENODEV);
	assert_int_equal(rte_eth_dev_default_mac_addr_set(port, &mac), -ENODEV);
	assert_int_equal(rte_eth_dev_set_mc_addr_list(port, &mac, 1), -ENODEV);
	assert_int_equal(rte_eth_dev_set_link_up(port), -ENODEV);
	assert_int_equal(rte_flow_flush(port, &error), -ENODEV);
	assert_int_equal(rte_eth_dev_reset(port), -ENODEV);
	assert_int_equal(port_create(LOWER, NULL), 0);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, script_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(unicast_mac_filter),
		CASE(mac_addresses_have_the_lower_limit),
		CASE(multicast_mac_filter),
		CASE(vlan_filter),
		CASE(vlan_offload_changes),
		CASE(rss_key_update),
		CASE(rss_reta_update),
		CASE(flow_control),
		CASE(udp_tunnel_ports),
		CASE(rx_interrupt),
		CASE(power_mgmt_address_monitor),
		CASE(link_is_set_up_and_down),
		CASE(reset_stops_and_resets_the_lower_port),
		CASE(flow_rules),
		CASE(nothing_is_told_to_a_lower_port_that_is_gone),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-pass", tests, NULL, NULL));
}
