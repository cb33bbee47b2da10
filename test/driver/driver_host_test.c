/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Over ports that reach out of the process: what a super-packet becomes is received at the other
 * end, where the reference finds all checksums right.
 */

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sys/socket.h>

#include <rte_cycles.h>
#include <rte_interrupts.h>

#include "driver_test.h"
#include "ref_judge.h"

#define TRIES_MS 3000
#define FRAME_LEN (14 + 40 + 1000)

static char near[IFNAMSIZ], far[IFNAMSIZ];

static struct rte_mbuf *
super(void)
{
	struct rte_mbuf *m = tcp4(3000, TCP4_SEG);

	m->tso_segsz = 1000;
	return m;
}

static void
assert_frame(const uint8_t *data, uint32_t len)
{
	struct ref_report report;

	assert_int_equal(len, FRAME_LEN);
	assert_int_equal(ref_judge(data, len, len, REF_LINK_ETHER, &report), 0);
	assert_int_equal(report.count[REF_TCP], 1);
	assert_int_equal(report.list[REF_TCP][0], REF_GOOD);
	assert_int_equal(report.count[REF_IP], 1);
	assert_int_equal(report.list[REF_IP][0], REF_GOOD);
}

static void
skip_since(const char *what)
{
	print_message("# %s\n", what);
	skip();
}

/* The port under test, made over a port that may not be had here. */
static uint16_t
over(const char *driver, const char *args)
{
	need_driver(driver);
	if (port_create(SOFT, args) != 0)
		skip_since("the kernel does not let us make this port");
	port_start(port_id(SOFT), TSO_OFFLOADS);
	return port_id(SOFT);
}

static void
send_super(uint16_t port)
{
	struct rte_mbuf *m = super();
	unsigned int ms;

	for (ms = 0; ms < TRIES_MS && send_one(port, m) == 0; ms++)
		rte_delay_us_sleep(1000);
	assert_true(ms < TRIES_MS);
}

static void
removed(void)
{
	port_remove(SOFT);
	assert_int_equal(driver_in_use(), 0);
	assert_int_equal(harness_in_use(app_pool), 0);
}

/* Whatever arrives at a network interface of the kernel. */
static int
listen_at(const char *interface)
{
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = (int)if_nametoindex(interface),
	};
	int fd = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL));

	assert_true(address.sll_ifindex > 0);
	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

/*
 * The kernel speaks there as well: only ours are TCP. Some ports send only when they are called
 * once more.
 */
static void
assert_heard(int fd, uint16_t port)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	unsigned int n = 0, tries = 0;
	uint8_t data[2048];
	ssize_t len;

	while (n < 3) {
		if (poll(&poller, 1, 10) != 1) {
			assert_true(++tries < TRIES_MS / 10);
			rte_eth_tx_burst(port, 0, NULL, 0);
			continue;
		}
		len = recv(fd, data, sizeof(data), 0);
		if (len < 34 || harness_be16(data + 12) != 0x0800 || data[23] != IPPROTO_TCP)
			continue;
		assert_frame(data, (uint32_t)len);
		n++;
	}
	close(fd);
}

static void
veth_make(void)
{
	char command[256];

	snprintf(near, sizeof(near), "csa%d", (int)getpid());
	snprintf(far, sizeof(far), "csb%d", (int)getpid());
	snprintf(command, sizeof(command), "ip link add %s type veth peer name %s 2>/dev/null && "
		"ip link set %s up && ip link set %s up", near, far, near, far);
	if (system(command) != 0)
		skip_since("no right to make a pair of network interfaces");
}

static int
veth_remove(void **state)
{
	char command[64];

	(void)state;
	if (near[0] == '\0')
		return 0;
	snprintf(command, sizeof(command), "ip link del %s 2>/dev/null", near);
	near[0] = '\0';
	return system(command) == -1;
}

static void
over_a_veth(const char *driver, const char *args)
{
	char devargs[128];
	uint16_t port;
	int fd;

	need_driver(driver);
	veth_make();
	fd = listen_at(far);
	snprintf(devargs, sizeof(devargs), "dev(%s,iface=%s%s)", driver, near, args);
	port = over(driver, devargs);
	send_super(port);
	assert_heard(fd, port);
	port_remove(SOFT);
	assert_int_equal(driver_in_use(), 0);
}

static void
af_packet_on_a_veth(void **state)
{
	(void)state;
	over_a_veth("net_af_packet0", "");
	assert_int_equal(harness_in_use(app_pool), 0);
}

static void
af_xdp_on_a_veth(void **state)
{
	struct rte_mempool *pool = app_pool;

	(void)state;
	/* The port does not free what it gave to the kernel to receive in. */
	app_pool = harness_pool("xdp", 4096, 2048);
	over_a_veth("net_af_xdp0", ",start_queue=0,queue_count=1");
	app_pool = pool;
}

static void
tap(void **state)
{
	char devargs[128], name[IFNAMSIZ];
	uint16_t port;
	int fd;

	(void)state;
	snprintf(name, sizeof(name), "cst%d", (int)getpid());
	snprintf(devargs, sizeof(devargs), "force=all,dev(net_tap0,iface=%s)", name);
	port = over("net_tap0", devargs);
	fd = listen_at(name);
	send_super(port);
	assert_heard(fd, port);
	removed();
}

/* A thread that sleeps until the tap has something, by the interrupt of our own queue. */
static void
rx_interrupt_of_a_tap(void **state)
{
	struct rte_eth_conf conf = { .intr_conf.rxq = 1 };
	char devargs[128], name[IFNAMSIZ];
	struct rte_epoll_event event;
	struct rte_mbuf *m;
	uint16_t port;
	int fd;

	(void)state;
	need_driver("net_tap0");
	snprintf(name, sizeof(name), "csi%d", (int)getpid());
	snprintf(devargs, sizeof(devargs), "dev(net_tap0,iface=%s)", name);
	if (port_create(SOFT, devargs) != 0)
		skip_since("the kernel does not let us make this port");
	port = port_id(SOFT);
	assert_int_equal(rte_eth_dev_configure(port, 1, 1, &conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(port, 0, 256, SOCKET_ID_ANY, NULL, app_pool), 0);
	assert_int_equal(rte_eth_tx_queue_setup(port, 0, 256, SOCKET_ID_ANY, NULL), 0);
	assert_int_equal(rte_eth_dev_start(port), 0);
	assert_int_equal(rte_eth_dev_rx_intr_ctl_q(port, 0, RTE_EPOLL_PER_THREAD,
		RTE_INTR_EVENT_ADD, NULL), 0);
	rte_eth_dev_rx_intr_enable(port, 0);

	fd = listen_at(name);
	rte_pktmbuf_free(tcp4(100, 0));
	assert_int_equal(send(fd, frame.data, frame.len, 0), frame.len);
	assert_int_equal(rte_epoll_wait(RTE_EPOLL_PER_THREAD, &event, 1, TRIES_MS), 1);
	assert_int_equal(rte_eth_rx_burst(port, 0, &m, 1), 1);
	rte_pktmbuf_free(m);
	close(fd);
	assert_int_equal(rte_eth_dev_rx_intr_ctl_q(port, 0, RTE_EPOLL_PER_THREAD,
		RTE_INTR_EVENT_DEL, NULL), 0);
	removed();
}

/* From the port at the other end, in this process too. */
static void
assert_received(uint16_t port, uint16_t sender)
{
	uint8_t data[2048];
	struct rte_mbuf *m;
	unsigned int n = 0, ms;

	for (ms = 0; ms < TRIES_MS && n < 3; ms++) {
		rte_eth_tx_burst(sender, 0, NULL, 0);
		while (rte_eth_rx_burst(port, 0, &m, 1) == 1) {
			assert_frame(data, harness_flatten(m, data, sizeof(data)));
			rte_pktmbuf_free(m);
			n++;
		}
		rte_delay_us_sleep(1000);
	}
	assert_int_equal(n, 3);
}

static void
memif(void **state)
{
	char path[64], args[128];
	uint16_t port, peer;

	(void)state;
	need_driver("net_memif0");
	snprintf(path, sizeof(path), "/tmp/csum-memif-%d", (int)getpid());
	snprintf(args, sizeof(args), "role=server,socket-abstract=no,socket=%s", path);
	assert_int_equal(port_create("net_memif1", args), 0);
	peer = port_id("net_memif1");
	port_start(peer, 0);
	snprintf(args, sizeof(args), "dev(net_memif0,role=client,socket-abstract=no,socket=%s)",
		path);
	port = over("net_memif0", args);
	send_super(port);
	assert_received(peer, port);
	removed();
	port_close(peer);
	port_remove("net_memif1");
	unlink(path);
}

static void
vhost_and_virtio_user(void **state)
{
	char path[64], args[128];
	uint16_t port, peer;

	(void)state;
	need_driver("net_vhost0");
	need_driver("net_virtio_user0");
	snprintf(path, sizeof(path), "/tmp/csum-vhost-%d", (int)getpid());
	snprintf(args, sizeof(args), "iface=%s,queues=1", path);
	assert_int_equal(port_create("net_vhost0", args), 0);
	peer = port_id("net_vhost0");
	port_start(peer, 0);
	snprintf(args, sizeof(args), "dev(net_virtio_user0,path=%s,queues=1)", path);
	port = over("net_virtio_user0", args);
	send_super(port);
	assert_received(peer, port);
	removed();
	port_close(peer);
	port_remove("net_vhost0");
}

/* LeakSanitizer asks for it: net_af_xdp of DPDK 22.11 forgets its umem when it is closed. */
const char *__lsan_default_suppressions(void);

const char *
__lsan_default_suppressions(void)
{
	return "leak:xsk_umem__create";
}

#define CASE(f) cmocka_unit_test_teardown(f, veth_remove)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(af_packet_on_a_veth),
		CASE(af_xdp_on_a_veth),
		CASE(tap),
		CASE(rx_interrupt_of_a_tap),
		CASE(memif),
		CASE(vhost_and_virtio_user),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-host", tests, NULL, NULL));
}
