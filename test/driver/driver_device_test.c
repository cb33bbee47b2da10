/* SPDX-License-Identifier: BSD-3-Clause */

/* What an application asks of the hardware, the lower port is asked. */

#include <errno.h>

#include <rte_dev_info.h>

#include "driver_test.h"
#include "script_ops.h"

/* The last call went well, and reached this operation below with these arguments. */
static void
assert_passed(int ret, const char *op, uint64_t arg, uint64_t arg2)
{
	assert_int_equal(ret, 0);
	assert_non_null(script_device.op);
	assert_string_equal(script_device.op, op);
	assert_int_equal(script_device.arg[0], arg);
	assert_int_equal(script_device.arg[1], arg2);
	script_device.op = NULL;
}

#define PASSED(call, op) assert_passed(call, op, 0, 0)
#define PASSED_ONE(call, op, arg) assert_passed(call, op, (uint64_t)(arg), 0)
#define PASSED_TWO(call, op, arg, arg2) assert_passed(call, op, (uint64_t)(arg), (uint64_t)(arg2))

static void
priority_flow_control(void **state)
{
	struct rte_eth_conf conf = { 0 };
	struct rte_eth_pfc_queue_conf queue_conf = { .mode = RTE_ETH_FC_NONE };
	struct rte_eth_pfc_queue_info info;
	struct rte_eth_pfc_conf pfc = { 0 };
	uint16_t port = port_id(SOFT);

	(void)state;
	assert_int_equal(rte_eth_dev_configure(port, 1, 1, &conf), 0);
	PASSED_ONE(rte_eth_dev_priority_flow_ctrl_set(port, &pfc), "pfc_set", &pfc);
	PASSED_ONE(rte_eth_dev_priority_flow_ctrl_queue_info_get(port, &info), "pfc_queue_info",
		&info);
	PASSED_ONE(rte_eth_dev_priority_flow_ctrl_queue_configure(port, &queue_conf),
		"pfc_queue_set", &queue_conf);
}

static void
rate_limitation(void **state)
{
	(void)state;
	PASSED_TWO(rte_eth_set_queue_rate_limit(port_id(SOFT), 2, 0), "rate_limit", 2, 0);
}

static void
dcb(void **state)
{
	struct rte_eth_dcb_info info;

	(void)state;
	PASSED_ONE(rte_eth_dev_get_dcb_info(port_id(SOFT), &info), "dcb_info", &info);
}

static void
congestion_management(void **state)
{
	struct rte_eth_cman_config config = { 0 };
	struct rte_eth_cman_info info;
	uint16_t port = port_id(SOFT);

	(void)state;
	PASSED_ONE(rte_eth_cman_info_get(port, &info), "cman_info", &info);
	PASSED_ONE(rte_eth_cman_config_init(port, &config), "cman_init", &config);
	PASSED_ONE(rte_eth_cman_config_set(port, &config), "cman_set", &config);
	PASSED_ONE(rte_eth_cman_config_get(port, &config), "cman_get", &config);
}

static void
rx_available_threshold(void **state)
{
	uint16_t port = port_id(SOFT), queue = 0;
	struct rte_eth_conf conf = { 0 };
	uint8_t thresh;

	(void)state;
	assert_int_equal(rte_eth_dev_configure(port, 4, 1, &conf), 0);
	PASSED_TWO(rte_eth_rx_avail_thresh_set(port, 3, 50), "avail_thresh_set", 3, 50);
	PASSED_TWO(rte_eth_rx_avail_thresh_query(port, &queue, &thresh), "avail_thresh_query",
		&queue, &thresh);
}

static void
timesync(void **state)
{
	struct timespec time = { .tv_sec = 1 };
	uint16_t port = port_id(SOFT);
	uint64_t clock;

	(void)state;
	PASSED(rte_eth_timesync_enable(port), "timesync_enable");
	PASSED_TWO(rte_eth_timesync_read_rx_timestamp(port, &time, 5), "timesync_rx", &time, 5);
	PASSED_ONE(rte_eth_timesync_read_tx_timestamp(port, &time), "timesync_tx", &time);
	PASSED_ONE(rte_eth_timesync_adjust_time(port, -77), "timesync_adjust", -77);
	PASSED_ONE(rte_eth_timesync_read_time(port, &time), "timesync_read", &time);
	PASSED_ONE(rte_eth_timesync_write_time(port, &time), "timesync_write", &time);
	PASSED_ONE(rte_eth_read_clock(port, &clock), "clock_read", &clock);
	PASSED(rte_eth_timesync_disable(port), "timesync_disable");
}

static void
fw_version(void **state)
{
	char version[8];

	(void)state;
	PASSED_TWO(rte_eth_dev_fw_version_get(port_id(SOFT), version, sizeof(version)),
		"fw_version", version, sizeof(version));
}

static void
registers_dump(void **state)
{
	struct rte_dev_reg_info info = { 0 };

	(void)state;
	PASSED_ONE(rte_eth_dev_get_reg_info(port_id(SOFT), &info), "registers", &info);
}

static void
eeprom_dump(void **state)
{
	char data[4];
	struct rte_dev_eeprom_info info = { .data = data, .length = sizeof(data) };
	uint16_t port = port_id(SOFT);

	(void)state;
	PASSED(rte_eth_dev_get_eeprom_length(port), "eeprom_length");
	PASSED_ONE(rte_eth_dev_get_eeprom(port, &info), "eeprom_get", &info);
	PASSED_ONE(rte_eth_dev_set_eeprom(port, &info), "eeprom_set", &info);
}

static void
module_eeprom_dump(void **state)
{
	char data[4];
	struct rte_dev_eeprom_info info = { .data = data, .length = sizeof(data) };
	struct rte_eth_dev_module_info module;
	uint16_t port = port_id(SOFT);

	(void)state;
	PASSED_ONE(rte_eth_dev_get_module_info(port, &module), "module_info", &module);
	PASSED_ONE(rte_eth_dev_get_module_eeprom(port, &info), "module_eeprom", &info);
}

static void
led(void **state)
{
	(void)state;
	PASSED(rte_eth_led_on(port_id(SOFT)), "led_on");
	PASSED(rte_eth_led_off(port_id(SOFT)), "led_off");
}

static void
fec(void **state)
{
	struct rte_eth_fec_capa capa[2];
	uint16_t port = port_id(SOFT);
	uint32_t mode;

	(void)state;
	PASSED_TWO(rte_eth_fec_get_capability(port, capa, 2), "fec_capability", capa, 2);
	PASSED_ONE(rte_eth_fec_get(port, &mode), "fec_get", &mode);
	PASSED_ONE(rte_eth_fec_set(port, 2), "fec_set", 2);
}

static void
rx_metadata(void **state)
{
	uint64_t features = RTE_ETH_RX_METADATA_USER_MARK;

	(void)state;
	PASSED_ONE(rte_eth_rx_metadata_negotiate(port_id(SOFT), &features), "metadata_negotiate",
		&features);
}

/* Nobody to ask: an error, and no crash. */
static void
nothing_is_asked_of_a_lower_port_that_is_gone(void **state)
{
	uint16_t port = started_plain();
	struct timespec time;

	(void)state;
	port_remove(LOWER);
	script_device.op = NULL;
	assert_int_equal(rte_eth_dev_get_eeprom_length(port), -ENODEV);
	assert_int_equal(rte_eth_timesync_read_time(port, &time), -ENODEV);
	assert_int_equal(rte_eth_led_on(port), -ENODEV);
	assert_null(script_device.op);
	assert_int_equal(port_create(LOWER, NULL), 0);
}

/* What the lower port can beside offloads; what needs more than to be passed on is not claimed. */
static void
device_capabilities(void **state)
{
	const uint64_t keep = RTE_ETH_DEV_CAPA_FLOW_RULE_KEEP |
		RTE_ETH_DEV_CAPA_FLOW_SHARED_OBJECT_KEEP;
	struct rte_eth_dev_info info;

	(void)state;
	assert_int_equal(rte_eth_dev_info_get(port_id(SOFT), &info), 0);
	assert_int_equal(info.dev_capa, 0);
	script.dev_capa = UINT64_MAX;
	assert_int_equal(rte_eth_dev_info_get(port_id(SOFT), &info), 0);
	assert_int_equal(info.dev_capa, keep | RTE_ETH_DEV_CAPA_RUNTIME_RX_QUEUE_SETUP);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, script_setup, script_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(priority_flow_control),
		CASE(rate_limitation),
		CASE(dcb),
		CASE(congestion_management),
		CASE(rx_available_threshold),
		CASE(timesync),
		CASE(fw_version),
		CASE(registers_dump),
		CASE(eeprom_dump),
		CASE(module_eeprom_dump),
		CASE(led),
		CASE(fec),
		CASE(rx_metadata),
		CASE(nothing_is_asked_of_a_lower_port_that_is_gone),
		CASE(device_capabilities),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-device", tests, NULL, NULL));
}
