/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * rte_eal_cleanup() with everything still running: it removes devices in the order in which they
 * were made, so that one lower port goes before the port above it and another one after. A crash
 * at the end of this program, or a sanitizer's report, is what would fail.
 */

#include "driver_test.h"

static void
start_with_a_backlog(const char *name)
{
	struct rte_mbuf *m = tcp4(60000, TCP4_SEG);

	m->tso_segsz = 100;
	port_start(port_id(name), TSO_OFFLOADS);
	assert_int_equal(send_one(port_id(name), m), 1);
}

static void
ports_from_the_command_line_in_any_order(void **state)
{
	unsigned int n = 0;
	uint16_t id;

	(void)state;
	/* net_script0 and net_script2 come after the ports above them, net_script1 before. */
	RTE_ETH_FOREACH_DEV(id)
		n++;
	assert_int_equal(n, 3);
	script.nb_accept = 1;
	script.accept[0] = 1;
	start_with_a_backlog("net_soft_csum0");
	start_with_a_backlog("net_soft_csum1");
	start_with_a_backlog("net_soft_csum2");
	atomic_store(&script.stalled, true);
}

int
main(void)
{
	static const char *const args[] = {
		"--vdev", "net_soft_csum0,lower=net_script0",
		"--vdev", "net_script0",
		"--vdev", "net_script1",
		"--vdev", "net_soft_csum1,force=[tcp_tso,ipv4_cksum],lower=net_script1",
		"--vdev", "net_soft_csum2,dev(net_script2)",
		NULL,
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ports_from_the_command_line_in_any_order),
	};

	driver_start(args);
	return harness_finish(cmocka_run_group_tests_name("driver-cleanup", tests, NULL, NULL));
}
