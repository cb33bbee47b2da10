/* SPDX-License-Identifier: BSD-3-Clause */

/* Arguments, finding and owning the lower port, and the life of the port. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_log.h>

#include "driver_test.h"

/* Create the port, with both words on the log; returns whether that went well. */
static bool
create_with_message(const char *args, const char *word, const char *word2)
{
	char *text = NULL;
	size_t size = 0;
	FILE *log = open_memstream(&text, &size);
	int ret;

	assert_non_null(log);
	rte_openlog_stream(log);
	ret = port_create(SOFT, args);
	rte_openlog_stream(NULL);
	fclose(log);
	if (strstr(text, word) == NULL || strstr(text, word2) == NULL)
		fail_msg("'%s': no '%s' and '%s' in: %s", args, word, word2, text);
	free(text);
	return ret == 0;
}

static void
assert_refused(const char *args, const char *word, const char *word2)
{
	if (create_with_message(args, word, word2))
		fail_msg("'%s' is accepted", args);
}

static int
lower_setup(void **state)
{
	(void)state;
	script_reset();
	return port_create(LOWER, NULL);
}

static int
lower_teardown(void **state)
{
	(void)state;
	port_remove(LOWER);
	assert_int_equal(rte_eth_dev_count_total(), 0);
	script_reset();
	return 0;
}

static void
wrong_arguments_are_refused_by_name(void **state)
{
	(void)state;
	assert_refused("", "lower=", "dev(");
	assert_refused("lower=", "lower=", "no name");
	assert_refused("lower", "lower", "value");
	assert_refused("lower=" SOFT, SOFT, "itself");
	assert_refused(OVER_LOWER ",lower=net_null0", "lower", "twice");
	assert_refused(OVER_LOWER ",dev(net_null0)", LOWER, "contradict");
	assert_refused("dev(net_null0),dev(net_null1)", "dev()", "twice");
	assert_refused("dev(net_null0", "dev(net_null0", "brackets");
	assert_refused("dev(net_nosuch0)", "dev(net_nosuch0)", "no such");
	assert_refused("dev(" LOWER ")", LOWER, "already");
	assert_refused(OVER_LOWER ",colour=red", "colour", "force=");
	assert_refused(OVER_LOWER ",force=blue", "blue", "TCP_TSO");
	assert_refused(OVER_LOWER ",force=[tcp_tso,blue]", "blue", "TCP_TSO");
	assert_refused(OVER_LOWER ",force=[tcp_tso", "force", "closed");
	assert_refused(OVER_LOWER ",force=", "force", "TCP_TSO");
	assert_refused(OVER_LOWER ",udp_seg=tso", "udp_seg=tso", "uso");
	assert_refused(OVER_LOWER ",form=fast", "form=fast", "copy");
	assert_refused(OVER_LOWER ",form=attach,force=multi_segs", "form=attach", "contradict");
	assert_refused(OVER_LOWER ",form=attach,force=all", "form=attach", "contradict");
	assert_refused(OVER_LOWER ",accecn=2", "accecn=2", "'1'");
	assert_refused(OVER_LOWER ",rx_csum=yes", "rx_csum=yes", "'auto'");
	assert_refused(OVER_LOWER ",pool_size=63", "pool_size=63", "64");
	assert_refused(OVER_LOWER ",pool_size=1k", "pool_size=1k", "number");
	assert_refused(OVER_LOWER ",pool_size=99999999999", "pool_size=99999999999", "number");
	assert_refused(OVER_LOWER ",pool_size=64,pool_size=65", "pool_size", "twice");
	assert_refused("lower=4000000000", "lower=4000000000", "port ids end");
	assert_refused("lower=1", "lower=1", "own id");
	/* A lower port that a failed attempt had taken would be owned still. */
	assert_int_equal(port_create(SOFT, OVER_LOWER), 0);
	port_remove(SOFT);
}

static unsigned int
nb_visible(void)
{
	unsigned int n = 0;
	uint16_t id;

	RTE_ETH_FOREACH_DEV(id)
		n++;
	return n;
}

static void
lower_port_is_owned_and_given_back(void **state)
{
	struct rte_eth_dev_owner owner;
	uint16_t lower = port_id(LOWER);
	uint16_t port;

	(void)state;
	assert_int_equal(nb_visible(), 1);
	assert_int_equal(port_create(SOFT, OVER_LOWER), 0);
	port = port_id(SOFT);
	/* An application sees one port, and the lower one keeps its number. */
	assert_int_equal(nb_visible(), 1);
	assert_int_equal(lower, 0);
	assert_int_equal(port, 1);
	assert_int_equal(rte_eth_dev_owner_get(lower, &owner), 0);
	assert_string_equal(owner.name, SOFT);
	port_start(port, TSO_OFFLOADS);
	port_close(port);
	assert_int_equal(rte_eth_dev_owner_get(lower, &owner), 0);
	assert_int_equal(owner.id, RTE_ETH_DEV_NO_OWNER);
	assert_int_equal(nb_visible(), 1);
	port_remove(SOFT);
}

static void
second_owner_is_refused(void **state)
{
	(void)state;
	assert_int_equal(port_create("net_soft_csum1", OVER_LOWER), 0);
	assert_refused(OVER_LOWER, LOWER, "net_soft_csum1");
	port_remove("net_soft_csum1");
	assert_int_equal(port_create(SOFT, OVER_LOWER), 0);
	port_remove(SOFT);
}

static void
send_and_see(uint16_t port)
{
	port_start(port, TSO_OFFLOADS);
	script_forget();
	assert_int_equal(send_one(port, tcp4(100, TCP4_CKSUM)), 1);
	assert_int_equal(script.nb_frames, 1);
	assert_good(0, 1);
}

static void
lower_by_port_id(void **state)
{
	char args[32];

	(void)state;
	snprintf(args, sizeof(args), "lower=%u", port_id(LOWER));
	assert_int_equal(port_create(SOFT, args), 0);
	send_and_see(port_id(SOFT));
	port_remove(SOFT);
}

/* By the name of a device it would be anybody's guess which of them is meant. */
static void
device_with_several_ports_is_refused_and_they_are_listed(void **state)
{
	struct rte_eth_conf conf = { 0 };

	(void)state;
	assert_int_equal(port_create("net_script2", SCRIPT_TWO_PORTS), 0);
	assert_refused("lower=net_script2", "net_script2_a (port 1)", "net_script2_b (port 2)");
	assert_int_equal(port_create(SOFT, "lower=net_script2_b"), 0);
	send_and_see(port_id(SOFT));
	port_remove(SOFT);
	port_remove("net_script2");

	/* When they appear later the first one has been taken before the second is there. */
	assert_int_equal(port_create(SOFT, "lower=net_script2"), 0);
	assert_int_equal(port_create("net_script2", SCRIPT_TWO_PORTS), 0);
	assert_int_equal(rte_eth_dev_configure(port_id(SOFT), 1, 1, &conf), -EINVAL);
	port_remove(SOFT);
	port_remove("net_script2");
}

static void
lower_that_appears_later_is_taken_then(void **state)
{
	struct rte_eth_conf conf = { 0 };
	struct rte_eth_dev_info info;
	struct rte_eth_link link;
	struct rte_eth_stats stats;
	uint16_t port;

	(void)state;
	port_remove(LOWER);
	assert_int_equal(port_create(SOFT, OVER_LOWER), 0);
	port = port_id(SOFT);
	/* What an application asks first must neither fail nor crash. */
	assert_int_equal(rte_eth_dev_info_get(port, &info), 0);
	assert_int_equal(rte_eth_link_get_nowait(port, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_DOWN);
	assert_int_equal(rte_eth_stats_get(port, &stats), 0);
	assert_int_equal(rte_eth_stats_reset(port), 0);
	assert_true(rte_eth_xstats_get(port, NULL, 0) > 0);
	assert_int_equal(rte_eth_dev_configure(port, 1, 1, &conf), -ENODEV);

	assert_int_equal(port_create(LOWER, NULL), 0);
	assert_int_equal(nb_visible(), 1);
	send_and_see(port);
	assert_int_equal(rte_eth_link_get_nowait(port, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_UP);
	port_remove(SOFT);
}

static void
lower_that_goes_and_comes_again(void **state)
{
	struct rte_mbuf *m;
	uint16_t port;

	(void)state;
	assert_int_equal(port_create(SOFT, OVER_LOWER), 0);
	port = port_id(SOFT);
	send_and_see(port);
	/* Gone while we are started: nothing is sent, nothing crashes. */
	port_remove(LOWER);
	m = tcp4(100, TCP4_CKSUM);
	assert_int_equal(send_one(port, m), 0);
	rte_pktmbuf_free(m);
	assert_int_equal(rte_eth_dev_stop(port), 0);
	assert_int_equal(port_create(LOWER, NULL), 0);
	send_and_see(port);
	port_close(port);
	port_remove(SOFT);
}

/* ethdev keeps the queues of a port that is configured with as many again. */
static void
queues_of_a_lower_port_that_is_gone_do_not_start(void **state)
{
	struct rte_eth_conf conf = { 0 };
	uint16_t port;

	(void)state;
	assert_int_equal(port_create(SOFT, OVER_LOWER), 0);
	port = port_id(SOFT);
	send_and_see(port);
	port_remove(LOWER);
	assert_int_equal(rte_eth_dev_stop(port), 0);
	assert_int_equal(port_create(LOWER, NULL), 0);
	assert_int_equal(rte_eth_dev_configure(port, 1, 1, &conf), 0);
	assert_int_equal(rte_eth_dev_start(port), -EINVAL);
	send_and_see(port);
	port_close(port);
	port_remove(SOFT);
}

static void
closing_with_the_lower_port_gone(void **state)
{
	(void)state;
	assert_int_equal(port_create(SOFT, OVER_LOWER), 0);
	send_and_see(port_id(SOFT));
	port_remove(LOWER);
	port_close(port_id(SOFT));
	port_remove(SOFT);
	assert_int_equal(port_create(LOWER, NULL), 0);
}

static void
removal_while_started(void **state)
{
	struct rte_mbuf *m;

	(void)state;
	assert_int_equal(port_create(SOFT, OVER_LOWER), 0);
	send_and_see(port_id(SOFT));
	/* A backlog waits at that. */
	m = tcp4(20000, TCP4_SEG);
	m->tso_segsz = 1000;
	script.stall_at = 3;
	assert_int_equal(send_one(port_id(SOFT), m), 1);
	port_remove(SOFT);
	assert_int_equal(harness_in_use(app_pool), 0);
	assert_int_equal(driver_in_use(), 0);
}

/* Whoever would close the ring does not: it goes on waiting for another port of that name. */
static void
ring_of_ports_is_not_closed(void **state)
{
	struct rte_eth_conf conf = { 0 };

	(void)state;
	assert_int_equal(port_create("net_soft_csum1", "lower=" SOFT), 0);
	assert_true(create_with_message("lower=net_soft_csum1", "net_soft_csum1", "below"));
	assert_int_equal(rte_eth_dev_configure(port_id(SOFT), 1, 1, &conf), -ENODEV);
	port_remove(SOFT);
	port_remove("net_soft_csum1");
}

static void
stacked_twice(void **state)
{
	struct rte_mbuf *m = tcp4(2500, TCP4_SEG);

	(void)state;
	m->tso_segsz = 1000;
	assert_int_equal(port_create("net_soft_csum1", OVER_LOWER), 0);
	assert_int_equal(port_create(SOFT, "lower=net_soft_csum1"), 0);
	port_start(port_id(SOFT), TSO_OFFLOADS);
	assert_int_equal(send_one(port_id(SOFT), m), 1);
	assert_int_equal(script.nb_frames, 3);
	assert_good(0, 3);
	port_remove(SOFT);
	port_remove("net_soft_csum1");
}

static void
dev_makes_the_lower_port_again_and_again(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		assert_int_equal(port_create(SOFT, "force=all,dev(net_script1,a=1,b=[2,3])"), 0);
		assert_int_equal(nb_visible(), 2);
		send_and_see(port_id(SOFT));
		port_close(port_id(SOFT));
		/* What it made is closed with it. */
		assert_int_equal(rte_eth_dev_count_total(), 1);
		port_remove(SOFT);
	}
	port_remove("net_script1");
}

static void
failures_of_the_lower_port_are_passed_on(void **state)
{
	struct rte_eth_conf conf = { 0 };
	uint16_t port;

	(void)state;
	script.fail_start = true;
	assert_int_equal(port_create(SOFT, OVER_LOWER), 0);
	port = port_id(SOFT);
	assert_int_equal(rte_eth_dev_configure(port, 1, 1, &conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(port, 0, 64, 0, NULL, app_pool), 0);
	assert_int_equal(rte_eth_tx_queue_setup(port, 0, 64, 0, NULL), 0);
	assert_int_equal(rte_eth_dev_start(port), -EIO);
	script.fail_start = false;
	assert_int_equal(rte_eth_dev_start(port), 0);
	port_remove(SOFT);
}

static void
mtu_is_passed_down_and_the_pool_follows(void **state)
{
	uint16_t port, mtu;
	struct rte_mbuf *m;

	(void)state;
	assert_int_equal(port_create(SOFT, OVER_LOWER), 0);
	port = port_id(SOFT);
	port_start(port, TSO_OFFLOADS);
	/* The pool in use is made for less. */
	assert_int_equal(rte_eth_dev_set_mtu(port, 9000), -EBUSY);
	assert_int_equal(rte_eth_dev_set_mtu(port, 1400), 0);
	assert_int_equal(rte_eth_dev_stop(port), 0);
	assert_int_equal(rte_eth_dev_set_mtu(port, 9000), 0);
	assert_int_equal(rte_eth_dev_get_mtu(port_id(LOWER), &mtu), 0);
	assert_int_equal(mtu, 9000);
	assert_int_equal(rte_eth_dev_start(port), 0);
	m = tcp4(20000, TCP4_SEG);
	m->tso_segsz = 8960;
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(script.nb_frames, 3);
	assert_int_equal(script.frames[0].nb_segs, 1);
	assert_good(0, 3);
	port_remove(SOFT);
}

static void
mac_is_that_of_the_lower_port(void **state)
{
	struct rte_ether_addr mac, lower;

	(void)state;
	assert_int_equal(port_create(SOFT, OVER_LOWER), 0);
	assert_int_equal(rte_eth_macaddr_get(port_id(SOFT), &mac), 0);
	assert_int_equal(rte_eth_macaddr_get(port_id(LOWER), &lower), 0);
	assert_memory_equal(&mac, &lower, sizeof(mac));
	port_remove(SOFT);
}

static void
many_queues(void **state)
{
	struct rte_eth_conf conf = { .txmode.offloads = TSO_OFFLOADS };
	struct rte_mbuf *m;
	uint16_t port, q;

	(void)state;
	assert_int_equal(port_create(SOFT, OVER_LOWER), 0);
	port = port_id(SOFT);
	assert_int_equal(rte_eth_dev_configure(port, 4, 8, &conf), 0);
	for (q = 0; q < 4; q++)
		assert_int_equal(rte_eth_rx_queue_setup(port, q, 64, 0, NULL, app_pool), 0);
	for (q = 0; q < 8; q++)
		assert_int_equal(rte_eth_tx_queue_setup(port, q, 64, 0, NULL), 0);
	assert_int_equal(rte_eth_dev_start(port), 0);
	for (q = 0; q < 8; q++) {
		m = tcp4(2500, TCP4_SEG);
		m->tso_segsz = 1000;
		assert_int_equal(rte_eth_tx_burst(port, q, &m, 1), 1);
	}
	assert_int_equal(script.nb_frames, 24);
	/* Fewer queues the next time. */
	assert_int_equal(rte_eth_dev_stop(port), 0);
	port_start(port, 0);
	port_close(port);
	port_remove(SOFT);
}

/* Every name has its value, and lower_ is what the lower port says. */
static void
xstats_names_and_values_agree(void **state)
{
	struct rte_eth_xstat_name *names;
	struct rte_eth_xstat *values;
	int i, n;

	(void)state;
	assert_int_equal(port_create("net_soft_csum1", OVER_LOWER), 0);
	assert_int_equal(port_create(SOFT, "lower=net_soft_csum1"), 0);
	send_and_see(port_id(SOFT));
	n = rte_eth_xstats_get_names(port_id(SOFT), NULL, 0);
	assert_true(n > 0);
	names = calloc(n, sizeof(*names));
	values = calloc(n, sizeof(*values));
	assert_int_equal(rte_eth_xstats_get_names(port_id(SOFT), names, n), n);
	assert_int_equal(rte_eth_xstats_get(port_id(SOFT), values, n), n);
	for (i = 0; i < n; i++) {
		assert_int_equal(values[i].id, i);
		assert_true(names[i].name[0] != '\0');
	}
	free(names);
	free(values);
	/* The port below can do it: it is left to that one. */
	assert_int_equal(xstat(port_id(SOFT), "tx_left_to_lower_packets"), 1);
	assert_int_equal(xstat(port_id(SOFT), "tx_checksummed_packets"), 0);
	assert_int_equal(xstat(port_id(SOFT), "lower_tx_checksummed_packets"), 1);
	assert_int_equal(xstat(port_id(SOFT), "lower_tx_good_packets"), 1);
	assert_int_equal(rte_eth_xstats_reset(port_id(SOFT)), 0);
	assert_int_equal(xstat(port_id(SOFT), "lower_tx_checksummed_packets"), 0);
	port_remove(SOFT);
	port_remove("net_soft_csum1");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, lower_setup, lower_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(wrong_arguments_are_refused_by_name),
		CASE(lower_port_is_owned_and_given_back),
		CASE(second_owner_is_refused),
		CASE(lower_by_port_id),
		CASE(device_with_several_ports_is_refused_and_they_are_listed),
		CASE(lower_that_appears_later_is_taken_then),
		CASE(lower_that_goes_and_comes_again),
		CASE(queues_of_a_lower_port_that_is_gone_do_not_start),
		CASE(closing_with_the_lower_port_gone),
		CASE(removal_while_started),
		CASE(ring_of_ports_is_not_closed),
		CASE(stacked_twice),
		CASE(dev_makes_the_lower_port_again_and_again),
		CASE(failures_of_the_lower_port_are_passed_on),
		CASE(mtu_is_passed_down_and_the_pool_follows),
		CASE(mac_is_that_of_the_lower_port),
		CASE(many_queues),
		CASE(xstats_names_and_values_agree),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-port", tests, NULL, NULL));
}
