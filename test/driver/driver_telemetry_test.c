/* SPDX-License-Identifier: BSD-3-Clause */

/* Telemetry as a client sees it, over the socket in EAL's runtime folder. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>
#include <sys/un.h>

#include <rte_eal.h>
#include <rte_mempool.h>

#include "driver_test.h"

static char answer[16384];

/* One command, one answer; a greeting comes before. */
static void
ask(const char *command)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	ssize_t len;

	assert_true(fd >= 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/dpdk_telemetry.v2",
		rte_eal_get_runtime_dir());
	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_true(recv(fd, answer, sizeof(answer), 0) > 0);
	assert_int_equal(send(fd, command, strlen(command), 0), strlen(command));
	len = recv(fd, answer, sizeof(answer) - 1, 0);
	assert_true(len > 0);
	answer[len] = '\0';
	close(fd);
}

static void
assert_answer_has(const char *text)
{
	if (strstr(answer, text) == NULL)
		fail_msg("no '%s' in: %s", text, answer);
}

static void
list(void **state)
{
	(void)state;
	ask("/net_soft_csum/list");
	assert_answer_has("{\"/net_soft_csum/list\":[1]}");
}

static void
info(void **state)
{
	(void)state;
	ask("/net_soft_csum/info,1");
	assert_answer_has("\"name\":\"" SOFT "\"");
	assert_answer_has("\"lower\":\"" LOWER "\"");
	assert_answer_has("\"lower_port\":0");
	assert_answer_has("\"runs\":\"no\"");
	started_plain();
	ask("/net_soft_csum/info,1");
	assert_answer_has("\"runs\":\"yes\"");
	port_remove(LOWER);
	ask("/net_soft_csum/info,1");
	assert_answer_has("\"lower_port\":-1");
	assert_int_equal(port_create(LOWER, NULL), 0);
}

static void
stats(void **state)
{
	uint16_t port = started_plain();

	(void)state;
	assert_int_equal(send_one(port, tcp4(100, TCP4_CKSUM)), 1);
	ask("/net_soft_csum/stats,1");
	assert_answer_has("\"tx_checksummed_packets\":1");
	assert_answer_has("\"tx_refused_segsz\":0");
}

/* Neither another driver's port, nor none, nor what is no number. */
static void
wrong_ports_have_no_answer(void **state)
{
	(void)state;
	ask("/net_soft_csum/info,0");
	assert_string_equal(answer, "{\"/net_soft_csum/info\":null}");
	ask("/net_soft_csum/stats,31");
	assert_string_equal(answer, "{\"/net_soft_csum/stats\":null}");
	ask("/net_soft_csum/info,4000000000");
	assert_string_equal(answer, "{\"/net_soft_csum/info\":null}");
	ask("/net_soft_csum/info,x");
	assert_string_equal(answer, "{\"/net_soft_csum/info\":null}");
	ask("/net_soft_csum/info");
	assert_string_equal(answer, "{\"/net_soft_csum/info\":null}");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, script_setup, script_teardown)

int
main(void)
{
	static const char *const args[] = { "--telemetry", NULL };
	const struct CMUnitTest tests[] = {
		CASE(list),
		CASE(info),
		CASE(stats),
		CASE(wrong_ports_have_no_answer),
	};

	driver_start(args);
	return harness_finish(cmocka_run_group_tests_name("driver-telemetry", tests, NULL, NULL));
}
