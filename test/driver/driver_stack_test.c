/* SPDX-License-Identifier: BSD-3-Clause */

/* Above and below ports that are made of other ports: net_bonding and net_failsafe. */

#include <rte_cycles.h>
#include <rte_version.h>

#include "driver_test.h"

#define BOND "net_bonding0"
#define SAFE "net_failsafe0"

#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
#define BOND_OVER(name) "mode=0,member=" name
#else
#define BOND_OVER(name) "mode=0,slave=" name
#endif

/* A bond and a failsafe notice by alarms that the port below is up. */
#define TRIES_MS 2000

/* Send a super-packet: its segments arrive below, right in all checksums. */
static void
assert_cut(uint16_t port)
{
	struct rte_mbuf *m = tcp4(2500, TCP4_SEG);
	unsigned int ms;

	m->tso_segsz = 1000;
	for (ms = 0; ms < TRIES_MS && send_one(port, m) == 0; ms++)
		rte_delay_us_sleep(1000);
	assert_true(ms < TRIES_MS);
	assert_true(script_wait(3));
	assert_good(0, 3);
}

static void
assert_all_freed(void)
{
	assert_int_equal(driver_in_use(), 0);
	assert_int_equal(harness_in_use(app_pool), 0);
	assert_int_equal(rte_eth_dev_count_total(), 0);
}

static void
over_a_bond(void **state)
{
	(void)state;
	need_driver(BOND);
	script_reset();
	assert_int_equal(port_create(LOWER, NULL), 0);
	assert_int_equal(port_create(BOND, BOND_OVER(LOWER)), 0);
	assert_int_equal(port_create(SOFT, "lower=" BOND), 0);
	port_start(port_id(SOFT), TSO_OFFLOADS);
	assert_cut(port_id(SOFT));
	port_remove(SOFT);
	assert_int_equal(rte_eth_dev_close(port_id(BOND)), 0);
	port_remove(BOND);
	port_remove(LOWER);
	assert_all_freed();
}

static void
under_a_bond(void **state)
{
	struct rte_eth_conf conf = { 0 };

	(void)state;
	need_driver(BOND);
	script_reset();
	assert_int_equal(port_create(LOWER, NULL), 0);
	assert_int_equal(port_create(SOFT, "lower=" LOWER), 0);
	assert_int_equal(port_create(BOND, BOND_OVER(SOFT)), 0);
	/* A bond looks for its ports when it is configured, and has their offloads from then on. */
	assert_int_equal(rte_eth_dev_configure(port_id(BOND), 1, 1, &conf), 0);
	port_start(port_id(BOND), TSO_OFFLOADS);
	assert_cut(port_id(BOND));
	port_close(port_id(BOND));
	port_remove(BOND);
	port_remove(SOFT);
	port_remove(LOWER);
	assert_all_freed();
}

static void
over_a_failsafe(void **state)
{
	(void)state;
	need_driver(SAFE);
	script_reset();
	assert_int_equal(port_create(SAFE, "dev(" LOWER ")"), 0);
	assert_int_equal(port_create(SOFT, "lower=" SAFE), 0);
	port_start(port_id(SOFT), TSO_OFFLOADS);
	assert_cut(port_id(SOFT));
	port_remove(SOFT);
	port_remove(SAFE);
	assert_all_freed();
}

static void
under_a_failsafe(void **state)
{
	(void)state;
	need_driver(SAFE);
	script_reset();
	assert_int_equal(port_create(SAFE, "dev(" SOFT ",dev(" LOWER "))"), 0);
	port_start(port_id(SAFE), TSO_OFFLOADS);
	assert_cut(port_id(SAFE));
	port_remove(SAFE);
	assert_all_freed();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(over_a_bond),
		cmocka_unit_test(under_a_bond),
		cmocka_unit_test(over_a_failsafe),
		cmocka_unit_test(under_a_failsafe),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-stack", tests, NULL, NULL));
}
