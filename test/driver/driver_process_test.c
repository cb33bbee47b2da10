/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The port in a secondary process. This program runs itself again as the primary process, and as
 * a secondary one, and tells both by pipes what to do. Processes share memory through hugetlbfs,
 * which is mounted on a folder of the test's own; the lower port is a ring, which gives back what
 * was sent.
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mount.h>
#include <sys/wait.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_mempool.h>
#include <rte_version.h>

#include "driver_test.h"
#include "ref_judge.h"

#define HUGE_PAGES 40
#define HUGE_COUNT "/proc/sys/vm/nr_hugepages"
#define POOL "process"
#define SEGSZ 1000
#define NB_SEGS 60

/* What a role does when it is told. */

static bool
send_checksum(uint16_t port, long n)
{
	(void)n;
	return send_one(port, tcp4(100, TCP4_CKSUM)) == 1;
}

static bool
send_nothing(uint16_t port, long n)
{
	struct rte_mbuf *m = tcp4(100, TCP4_CKSUM), *received;
	bool none = send_one(port, m) == 0 && rte_eth_rx_burst(port, 0, &received, 1) == 0;

	(void)n;
	rte_pktmbuf_free(m);
	return none;
}

static bool
send_super(uint16_t port, long n)
{
	struct rte_mbuf *m = tcp4((uint32_t)n * SEGSZ, TCP4_SEG);

	m->tso_segsz = SEGSZ;
	if (send_one(port, m) == 1)
		return true;
	rte_pktmbuf_free(m);
	return false;
}

/* Super-packets, until the ring is full and a backlog waits; there have to be @p n. */
static bool
fill_ring(uint16_t port, long n)
{
	long i = 0;

	while (xstat(port, "tx_backlogs_now") == 0 && send_super(port, NB_SEGS))
		i++;
	return i == n;
}

static bool
is_good(const struct rte_mbuf *m)
{
	const uint64_t good = RTE_MBUF_F_RX_IP_CKSUM_GOOD | RTE_MBUF_F_RX_L4_CKSUM_GOOD;
	static uint8_t flat[2048];
	uint32_t len = harness_flatten(m, flat, sizeof(flat));
	struct ref_report report;

	return ref_judge(flat, len, len, REF_LINK_ETHER, &report) == 0 &&
		report.count[REF_TCP] == 1 && report.list[REF_TCP][0] == REF_GOOD &&
		report.list[REF_IP][0] == REF_GOOD && (m->ol_flags & good) == good;
}

/* Just so many frames come, in two seconds at most; @p drain: send nothing meanwhile. */
static bool
receive_frames(uint16_t port, long n, bool drain)
{
	struct rte_mbuf *pkts[32];
	uint16_t i, nb;
	long got = 0;
	int ms;

	for (ms = 0; ms < 2000 && got < n; ms++) {
		while ((nb = rte_eth_rx_burst(port, 0, pkts, RTE_DIM(pkts))) != 0) {
			for (i = 0; i < nb; i++) {
				got += is_good(pkts[i]);
				rte_pktmbuf_free(pkts[i]);
			}
			if (drain)
				rte_eth_tx_burst(port, 0, NULL, 0);
		}
		rte_delay_us_sleep(1000);
	}
	return got == n;
}

static bool
receive(uint16_t port, long n)
{
	return receive_frames(port, n, false);
}

static bool
receive_and_drain(uint16_t port, long n)
{
	return receive_frames(port, n, true);
}

static bool
count_segments(uint16_t port, long n)
{
	return xstat(port, "tx_segments") == (uint64_t)n;
}

static bool
nothing_in_use(uint16_t port, long n)
{
	(void)port;
	(void)n;
	return rte_mempool_in_use_count(app_pool) == 0 && driver_in_use() == 0;
}

/* What only the primary process can do, and what both can. */
static bool
control(uint16_t port, long n)
{
	struct rte_eth_conf conf = { 0 };
	struct rte_eth_dev_info info;
	struct rte_eth_rxq_info rxq;
	struct rte_eth_link link;

	(void)n;
	return rte_eth_dev_configure(port, 1, 1, &conf) < 0 &&
		rte_eth_rx_queue_setup(port, 0, 64, 0, NULL, app_pool) < 0 &&
		rte_eth_tx_queue_setup(port, 0, 64, 0, NULL) < 0 &&
		rte_eth_dev_start(port) <= 0 && rte_eth_promiscuous_enable(port) < 0 &&
		rte_eth_dev_set_mtu(port, 1000) < 0 &&
		rte_eth_dev_info_get(port, &info) == 0 &&
		(info.tx_offload_capa & RTE_ETH_TX_OFFLOAD_TCP_TSO) != 0 &&
		rte_eth_rx_queue_info_get(port, 0, &rxq) == 0 && rxq.nb_desc == 64 &&
		rte_eth_link_get_nowait(port, &link) == 0 && link.link_status != 0;
}

static bool
restart(uint16_t port, long n)
{
	(void)n;
	return rte_eth_dev_stop(port) == 0 && rte_eth_dev_start(port) == 0;
}

static bool
leave(uint16_t port, long n)
{
	(void)port;
	(void)n;
	return rte_eal_cleanup() == 0;
}

static bool
close_here(uint16_t port, long n)
{
	(void)n;
	rte_eth_dev_stop(port);
	return rte_eth_dev_close(port) == 0;
}

static const struct {
	const char *name;
	bool (*run)(uint16_t port, long n);
} commands[] = {
	{ "checksum", send_checksum },
	{ "nothing", send_nothing },
	{ "super", send_super },
	{ "fill", fill_ring },
	{ "receive", receive },
	{ "receive-and-drain", receive_and_drain },
	{ "segments", count_segments },
	{ "nothing-in-use", nothing_in_use },
	{ "control", control },
	{ "restart", restart },
	{ "close", close_here },
	{ "leave", leave },
};

static void
primary_init(void)
{
	struct rte_eth_conf conf = { .txmode.offloads = TSO_OFFLOADS };
	uint16_t port;

	if (rte_eth_dev_count_total() < 3) {
		puts("absent");
		exit(EXIT_SUCCESS);
	}
	app_pool = rte_pktmbuf_pool_create(POOL, 2047, 0, 0, 2048 + RTE_PKTMBUF_HEADROOM, 0);
	if (app_pool == NULL)
		exit(EXIT_FAILURE);
	port = port_id(SOFT);
	if (rte_eth_dev_configure(port, 1, 1, &conf) != 0 ||
			rte_eth_rx_queue_setup(port, 0, 64, 0, NULL, app_pool) != 0 ||
			rte_eth_tx_queue_setup(port, 0, 64, 0, NULL) != 0 ||
			rte_eth_dev_start(port) != 0)
		exit(EXIT_FAILURE);
}

/* Run as one of the two: argv is EAL's, with "primary" or "secondary" in front. */
static int
role(int argc, char *argv[])
{
	bool primary = strcmp(argv[1], "primary") == 0, well = true;
	char line[64], name[32];
	unsigned int i;
	uint16_t port;
	long n;

	if (rte_eal_init(argc - 1, argv + 1) < 0)
		return EXIT_FAILURE;
	if (primary)
		primary_init();
	else
		app_pool = rte_mempool_lookup(POOL);
	if (app_pool == NULL || rte_eth_dev_get_port_by_name(SOFT, &port) != 0)
		return EXIT_FAILURE;
	puts("ready");
	while (fflush(stdout) == 0 && fgets(line, sizeof(line), stdin) != NULL) {
		n = 0;
		if (sscanf(line, "%31s %ld", name, &n) < 1)
			return EXIT_FAILURE;
		for (i = 0; i < RTE_DIM(commands) && strcmp(commands[i].name, name) != 0; i++)
			;
		well = i < RTE_DIM(commands) && commands[i].run(port, n);
		puts(well ? "ready" : "failed");
		if (strcmp(name, "leave") == 0)
			break;
	}
	/* What EAL leaves allocated in a secondary process is no finding. */
	fflush(stdout);
	_exit(well ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* The test. */

struct process {
	pid_t pid;
	FILE *to, *from;
};

static char huge_dir[] = "/tmp/csum_huge_XXXXXX";
static char prefix[32];
static long huge_before;
static const char *why_not;

static void
expect_ready(struct process *p, const char *what)
{
	char line[64];

	if (fgets(line, sizeof(line), p->from) == NULL)
		fail_msg("%s: the process is gone", what);
	if (strcmp(line, "absent\n") == 0) {
		print_message("# a driver of the ports below is not installed\n");
		skip();
	}
	if (strcmp(line, "ready\n") != 0)
		fail_msg("%s: failed", what);
}

static void
tell(struct process *p, const char *what)
{
	fprintf(p->to, "%s\n", what);
	fflush(p->to);
	expect_ready(p, what);
}

static void
ends(struct process *p)
{
	int status;

	fclose(p->to);
	fclose(p->from);
	assert_int_equal(waitpid(p->pid, &status, 0), p->pid);
	assert_int_equal(status, 0);
}

static void
run(struct process *p, const char *const args[])
{
	int in[2], out[2];

	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	p->pid = fork();
	assert_true(p->pid >= 0);
	if (p->pid == 0) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		execv("/proc/self/exe", (char *const *)(uintptr_t)args);
		_exit(EXIT_FAILURE);
	}
	close(in[0]);
	close(out[1]);
	p->to = fdopen(in[1], "w");
	p->from = fdopen(out[0], "r");
	expect_ready(p, args[1]);
}

/*
 * @p lower: net_ring0, or another port, which @p more makes. The lcores of both processes differ,
 * if only by their numbers: caches of pools belong to them. Their memory is where AddressSanitizer
 * has no shadow and the kernel maps nothing by chance: the second process can have it there, too.
 */
static void
run_primary(struct process *p, const char *lower, const char *more)
{
	static unsigned int nb;
	char soft[96];
	const char *const args[] = {
		"driver-process", "primary", "--huge-dir", huge_dir, "--file-prefix", prefix,
		"-m", "64", "--no-pci", "--no-telemetry", "--base-virtaddr", "0x200000000000",
		"--lcores", "0@0", "--vdev", "net_ring0", "--vdev", "net_null0", "--vdev", soft,
		more != NULL ? "--vdev" : NULL, more, NULL,
	};

	/* A case that failed may have left the processes of its own. */
	snprintf(prefix, sizeof(prefix), "csum_%d_%u", (int)getpid(), nb++);
	snprintf(soft, sizeof(soft), SOFT ",rx_csum=on,pool_size=2047,lower=%s", lower);
	run(p, args);
}

static void
run_secondary(struct process *p)
{
	const char *const args[] = {
		"driver-process", "secondary", "--proc-type", "secondary", "--huge-dir", huge_dir,
		"--file-prefix", prefix, "--no-pci", "--no-telemetry", "--lcores", "1@0", NULL,
	};

	run(p, args);
}

static void
need_shared_memory(void)
{
	if (why_not == NULL)
		return;
	print_message("# no shared memory for two processes: %s\n", why_not);
	skip();
}

/* Bursts, statistics, and what is refused. */
static void
multiprocess_aware(void **state)
{
	struct process primary, secondary;

	(void)state;
	need_shared_memory();
	run_primary(&primary, "net_ring0", NULL);
	run_secondary(&secondary);
	tell(&secondary, "checksum");
	tell(&secondary, "super 20");
	tell(&secondary, "receive 21");
	/* Each counts in both, and one receives what the other sends. */
	tell(&secondary, "segments 20");
	tell(&primary, "segments 20");
	tell(&primary, "super 5");
	tell(&secondary, "receive 5");
	tell(&secondary, "super 7");
	tell(&primary, "receive 7");
	tell(&secondary, "segments 32");
	tell(&secondary, "control");
	/* The primary process starts the port anew, and this one goes on. */
	tell(&primary, "restart");
	tell(&secondary, "super 3");
	tell(&secondary, "receive 3");
	tell(&secondary, "leave");
	ends(&secondary);
	tell(&primary, "nothing-in-use");
	tell(&primary, "leave");
	ends(&primary);
}

/* By the alarm of the process that left a backlog, or by the other when that process is gone. */
static void
backlog_of_a_secondary_process(void **state)
{
	struct process primary, secondary;

	(void)state;
	need_shared_memory();
	run_primary(&primary, "net_ring0", NULL);
	run_secondary(&secondary);
	tell(&secondary, "fill 18");
	tell(&primary, "receive 1080");
	tell(&secondary, "fill 18");
	tell(&secondary, "leave");
	ends(&secondary);
	tell(&primary, "receive-and-drain 1080");
	tell(&primary, "nothing-in-use");
	tell(&primary, "leave");
	ends(&primary);
}

static void
primary_ends_first(void **state)
{
	struct process primary, secondary;

	(void)state;
	need_shared_memory();
	run_primary(&primary, "net_ring0", NULL);
	run_secondary(&secondary);
	tell(&secondary, "super 4");
	tell(&secondary, "receive 4");
	tell(&primary, "leave");
	ends(&primary);
	tell(&secondary, "leave");
	ends(&secondary);
}

/* Then all that this process has of the port is its place. */
static void
primary_closes_first(void **state)
{
	struct process primary, secondary;

	(void)state;
	need_shared_memory();
	run_primary(&primary, "net_ring0", NULL);
	run_secondary(&secondary);
	tell(&secondary, "super 4");
	tell(&secondary, "receive 4");
	tell(&primary, "close");
	tell(&secondary, "close");
	tell(&secondary, "leave");
	ends(&secondary);
	tell(&primary, "leave");
	ends(&primary);
}

/* And cleans EAL up later, as applications do: the primary process goes on meanwhile. */
static void
secondary_closes_first(void **state)
{
	struct process primary, secondary;

	(void)state;
	need_shared_memory();
	run_primary(&primary, "net_ring0", NULL);
	run_secondary(&secondary);
	tell(&secondary, "super 4");
	tell(&secondary, "receive 4");
	tell(&secondary, "close");
	tell(&primary, "super 5");
	tell(&primary, "receive 5");
	tell(&secondary, "leave");
	ends(&secondary);
	tell(&primary, "super 5");
	tell(&primary, "receive 5");
	tell(&primary, "close");
	tell(&primary, "leave");
	ends(&primary);
}

/* Neither a burst below that is a NULL pointer, nor one of a port that is not there. */
static void
lower_port_that_does_not_work_in_a_secondary_process(void **state)
{
	struct process primary, secondary;

	(void)state;
	need_shared_memory();
#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
	run_primary(&primary, "net_bonding0", "net_bonding0,mode=0,member=net_null0");
#else
	run_primary(&primary, "net_bonding0", "net_bonding0,mode=0,slave=net_null0");
#endif
	run_secondary(&secondary);
	tell(&secondary, "nothing");
	tell(&secondary, "leave");
	ends(&secondary);
	/* No cleanup: an alarm of DPDK's bond may look at a member that is closed by then. */
	ends(&primary);
}

static void
pages_set(long nb)
{
	FILE *file = fopen(HUGE_COUNT, "w");

	if (file == NULL)
		return;
	fprintf(file, "%ld\n", nb);
	fclose(file);
}

static long
pages_get(void)
{
	FILE *file = fopen(HUGE_COUNT, "r");
	long nb = 0;

	if (file == NULL)
		return 0;
	if (fscanf(file, "%ld", &nb) != 1)
		nb = 0;
	fclose(file);
	return nb;
}

static int
setup(void **state)
{
	(void)state;
	huge_before = pages_get();
	if (huge_before < HUGE_PAGES)
		pages_set(HUGE_PAGES);
	if (mkdtemp(huge_dir) == NULL)
		why_not = "no folder";
	else if (pages_get() < HUGE_PAGES)
		why_not = "the kernel has no huge pages";
	else if (mount("none", huge_dir, "hugetlbfs", 0, "pagesize=2M") != 0)
		why_not = "hugetlbfs cannot be mounted";
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	umount2(huge_dir, MNT_DETACH);
	rmdir(huge_dir);
	if (huge_before < HUGE_PAGES)
		pages_set(huge_before);
	return 0;
}

#define CASE(f) cmocka_unit_test(f)

int
main(int argc, char *argv[])
{
	const struct CMUnitTest tests[] = {
		CASE(multiprocess_aware),
		CASE(backlog_of_a_secondary_process),
		CASE(primary_ends_first),
		CASE(primary_closes_first),
		CASE(secondary_closes_first),
		CASE(lower_port_that_does_not_work_in_a_secondary_process),
	};

	if (argc > 1)
		return role(argc, argv);
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests_name("driver-process", tests, setup, teardown);
}
