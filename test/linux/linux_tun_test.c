/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Between two Linux stacks: what the one sends through a TUN device with virtio-net headers,
 * super-packets of real TCP connections above all, the other must accept, and count no wrong
 * checksum but those made wrong on purpose.
 */

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <netinet/udp.h>

#include <ref_judge.h>

#include "frame.h"
#include "tun_link.h"

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

#define SECONDS    30
#define WRITE_SIZE 65536
#define PORT       7878

/* A sender and a receiver, far from each other. */
static struct tun_end sender, receiver;
static struct tun_link there, back;
static struct rte_mempool *routed_pool;
static const char *why_not;

static void
ends_open(uint32_t sender_hdr, uint32_t receiver_hdr)
{
	tun_ns_make(&sender.ns);
	tun_dev_open(&sender.dev, sender_hdr, false, 1, 1);
	tun_ns_make(&receiver.ns);
	tun_dev_open(&receiver.dev, receiver_hdr, true, 1, 2);
	there = (struct tun_link) { .from = &sender.dev, .to = &receiver.dev };
	back = (struct tun_link) { .from = &receiver.dev, .to = &sender.dev };
}

static void
ends_close(void)
{
	tun_dev_close(&sender.dev);
	tun_dev_close(&receiver.dev);
	tun_ns_close(&sender.ns);
	tun_ns_close(&receiver.ns);
}

static int
socket_open(const struct tun_end *end, int family, int type)
{
	int fd;

	tun_ns_enter(&end->ns);
	fd = socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	return fd;
}

/* The receiver's address. */
static socklen_t
address_of(int family, struct sockaddr_storage *addr)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)addr;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)addr;

	memset(addr, 0, sizeof(*addr));
	if (family == AF_INET) {
		v4->sin_family = AF_INET;
		v4->sin_port = htons(PORT);
		assert_int_equal(inet_pton(family, "10.78.1.2", &v4->sin_addr), 1);
		return sizeof(*v4);
	}
	v6->sin6_family = AF_INET6;
	v6->sin6_port = htons(PORT);
	assert_int_equal(inet_pton(family, "fd00:78:1::2", &v6->sin6_addr), 1);
	return sizeof(*v6);
}

static int
receiver_bind(int family, int type)
{
	struct sockaddr_storage addr;
	socklen_t len = address_of(family, &addr);
	int fd = socket_open(&receiver, family, type);

	assert_int_equal(bind(fd, (struct sockaddr *)&addr, len), 0);
	return fd;
}

static int
sender_connect(int family, int type)
{
	struct sockaddr_storage addr;
	socklen_t len = address_of(family, &addr);
	int fd = socket_open(&sender, family, type);

	assert_true(connect(fd, (struct sockaddr *)&addr, len) == 0 || errno == EINPROGRESS);
	return fd;
}

/* Byte i of the stream. */
static void
stream_fill(uint8_t *buf, size_t off, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		buf[i] = (uint8_t)((off + i) % 65521 * 7 >> 3);
}

static bool
links_carry(void)
{
	unsigned int nb = tun_link_carry(&there);

	return nb + tun_link_carry(&back) != 0;
}

/* Wait for the timers of TCP, when there is nothing else to do. */
static void
idle(void)
{
	struct pollfd fds[] = {
		{ .fd = sender.dev.fd, .events = POLLIN },
		{ .fd = receiver.dev.fd, .events = POLLIN },
	};

	poll(fds, RTE_DIM(fds), 10);
}

static bool
is_readable(int fd, bool wait)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };

	return poll(&pollfd, 1, wait ? 2000 : 0) == 1;
}

static bool
send_some(int fd, size_t *sent, size_t total)
{
	static uint8_t buf[WRITE_SIZE];
	size_t len = RTE_MIN(total - *sent, sizeof(buf));
	ssize_t n;

	stream_fill(buf, *sent, len);
	n = len != 0 ? send(fd, buf, len, MSG_NOSIGNAL) : 0;
	if (n > 0)
		*sent += n;
	return n > 0;
}

static bool
receive_some(int fd, size_t *got)
{
	static uint8_t buf[WRITE_SIZE], want[WRITE_SIZE];
	ssize_t n = recv(fd, buf, sizeof(buf), 0);

	if (n <= 0)
		return false;
	stream_fill(want, *got, n);
	harness_assert_bytes(buf, want, n);
	*got += n;
	return true;
}

/* Send bytes over a TCP connection; each must arrive, whatever is lost on the way. */
static void
transfer(int family, size_t total)
{
	int listener = receiver_bind(family, SOCK_STREAM), to = -1, from;
	time_t end = time(NULL) + SECONDS;
	size_t sent = 0, got = 0;

	assert_int_equal(listen(listener, 1), 0);
	from = sender_connect(family, SOCK_STREAM);
	while (got < total) {
		bool busy = links_carry();

		if (to < 0)
			to = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		busy |= send_some(from, &sent, total);
		busy |= to >= 0 && receive_some(to, &got);
		if (!busy)
			idle();
		assert_true(time(NULL) < end);
	}
	close(from);
	close(to);
	close(listener);
}

/* Wrong checksums that an end has counted; sender and receiver are new, so from 0. */
static uint64_t
errors_at(const struct tun_end *end)
{
	tun_ns_enter(&end->ns);
	return tun_ns_csum_errors();
}

static void
skip_if_not(bool can)
{
	if (!can)
		skip();
}

static int
family_of(void **state)
{
	return *(const int *)*state;
}

/* ---- cut: the receiving device has no offload at all */

static void
tcp_super_packets_are_cut(void **state)
{
	skip_if_not(why_not == NULL);
	ends_open(CSUM_VIRTIO_HDR_LEN, 0);
	transfer(family_of(state), 8 << 20);
	assert_true(there.supers > 20);
	assert_true(there.longest > 20000);
	assert_true(there.segments > 1000);
	assert_int_equal(errors_at(&receiver), 0);
	assert_int_equal(errors_at(&sender), 0);
	ends_close();
}

static void
tcp_segments_made_wrong_are_counted(void **state)
{
	skip_if_not(why_not == NULL);
	ends_open(CSUM_VIRTIO_MRG_HDR_LEN, 0);
	there.break_nth = 100;
	transfer(family_of(state), 2 << 20);
	assert_true(there.broken > 0);
	assert_int_equal(errors_at(&receiver), there.broken);
	tun_ns_enter(&receiver.ns);
	assert_int_equal(tun_ns_counter("Tcp", "InCsumErrors"), there.broken);
	ends_close();
}

/* One datagram of the sender's socket, or so many of the receiver's. */
static void
udp_super_packet_is_cut(void **state)
{
	static uint8_t sent[60000], got[2000];
	int size = 1200, from, to, i;

	skip_if_not(why_not == NULL);
	ends_open(CSUM_VIRTIO_HDR_LEN, 0);
	skip_if_not(sender.dev.uso);
	to = receiver_bind(family_of(state), SOCK_DGRAM);
	from = sender_connect(family_of(state), SOCK_DGRAM);
	assert_int_equal(setsockopt(from, IPPROTO_UDP, UDP_SEGMENT, &size, sizeof(size)), 0);
	stream_fill(sent, 0, sizeof(sent));
	assert_int_equal(send(from, sent, sizeof(sent), 0), sizeof(sent));
	links_carry();
	assert_int_equal(there.supers, 1);
	assert_int_equal(there.segments, 50);
	for (i = 0; i < 50; i++) {
		assert_true(is_readable(to, true));
		assert_int_equal(recv(to, got, sizeof(got), 0), size);
		harness_assert_bytes(got, sent + i * size, size);
	}
	assert_int_equal(errors_at(&receiver), 0);
	close(from);
	close(to);
	ends_close();
}

/* ---- left whole: the receiving device takes what the sending one gives */

static void
tcp_super_packets_go_on_whole(void **state)
{
	skip_if_not(why_not == NULL);
	ends_open(CSUM_VIRTIO_HDR_LEN, CSUM_VIRTIO_MRG_HDR_LEN);
	transfer(family_of(state), 8 << 20);
	assert_true(there.supers > 20);
	assert_true(there.longest > 20000);
	assert_int_equal(there.segments, 0);
	assert_int_equal(errors_at(&receiver), 0);
	assert_int_equal(errors_at(&sender), 0);
	ends_close();
}

/* The device judges what it is not told to complete: the counters above can move. */
static void
wrong_checksum_without_the_flag(void **state)
{
	static struct frame f;
	uint32_t udp;

	skip_if_not(why_not == NULL);
	(void)state;
	ends_open(CSUM_VIRTIO_HDR_LEN, CSUM_VIRTIO_MRG_HDR_LEN);
	frame_init(&f);
	frame_ipv4(&f, "10.78.1.1", "10.78.1.2", 1);
	udp = frame_udp(&f, 1, PORT);
	frame_payload(&f, 100);
	frame_finish(&f);
	harness_put_be16(f.data + udp + 6, 0xbeef);
	tun_link_write_bytes(&receiver.dev, f.data, f.len);
	assert_int_equal(errors_at(&receiver), 1);
	ends_close();
}

/* ---- through: a router completes and cuts what our header says, and the reference judges */

struct routed {
	const char *name;
	bool v6, udp;
	uint64_t flags;
	uint16_t segsz;
	uint32_t payload;
	uint32_t options;   /* of csum_virtio_from_mbuf() */
	unsigned int nb;    /* packets that must come out */
};

#define TX(name) RTE_MBUF_F_TX_##name

static const struct routed routed[] = {
	{ "route_tcp4_checksum", false, false, TX(IPV4) | TX(TCP_CKSUM), 0, 1001, 0, 1 },
	{ "route_tcp6_checksum", true, false, TX(IPV6) | TX(TCP_CKSUM), 0, 1001, 0, 1 },
	{ "route_udp4_checksum", false, true, TX(IPV4) | TX(UDP_CKSUM), 0, 1001, 0, 1 },
	{ "route_udp6_checksum", true, true, TX(IPV6) | TX(UDP_CKSUM), 0, 1001, 0, 1 },
	{ "route_tcp4_super", false, false, TX(IPV4) | TX(TCP_SEG), 1400, 60001, 0, 43 },
	{ "route_tcp6_super", true, false, TX(IPV6) | TX(TCP_SEG), 1400, 60001, 0, 43 },
	{ "route_udp4_super", false, true, TX(IPV4) | TX(UDP_SEG), 1200, 60001, 0, 51 },
	{ "route_udp6_super", true, true, TX(IPV6) | TX(UDP_SEG), 1200, 60001, 0, 51 },
	{ "route_udp4_fragments", false, true, TX(IPV4) | TX(UDP_SEG), 1480, 9001,
	  CSUM_VIRTIO_F_UFO, 7 },
	{ "route_udp6_fragments", true, true, TX(IPV6) | TX(UDP_SEG), 1456, 9001,
	  CSUM_VIRTIO_F_UFO, 7 },
};

/*
 * Read a packet of the other device; returns its length, 0 when there is none. Where there must be
 * one, a busy kernel may take its time.
 */
static uint32_t
read_routed(const struct tun_dev *dev, uint8_t *bytes, uint32_t room, bool expected)
{
	ssize_t n;

	while (is_readable(dev->fd, expected)) {
		n = read(dev->fd, bytes, room);
		assert_true(n > 0);
		if (tun_link_is_ours(bytes))
			return (uint32_t)n;
	}
	return 0;
}

/* All checksums are good; those of fragments only when they are put together. */
static void
assert_routed_good(const uint8_t *bytes, uint32_t len, bool fragment)
{
	struct ref_report report;
	enum ref_verdict want = fragment ? REF_FRAGMENT : REF_GOOD;

	assert_int_equal(ref_judge(bytes, len, len, REF_LINK_RAW, &report), 0);
	assert_int_equal(report.count[REF_TCP] + report.count[REF_UDP], 1);
	assert_int_equal(report.list[report.count[REF_TCP] != 0 ? REF_TCP : REF_UDP][0], want);
	if (report.count[REF_IP] != 0)
		assert_int_equal(report.list[REF_IP][0], REF_GOOD);
}

/* The datagram put together again: a UDP header and what follows, under the IP header it had. */
static void
assert_datagram_good(struct frame *f, uint32_t l4, const uint8_t *datagram)
{
	struct ref_report report;

	memcpy(f->data + l4, datagram, f->len - l4);
	assert_int_equal(ref_judge(f->data, f->len, f->len, REF_LINK_RAW, &report), 0);
	assert_int_equal(report.count[REF_UDP], 1);
	assert_int_equal(report.list[REF_UDP][0], REF_GOOD);
}

static uint32_t
build_routed(struct frame *f, const struct routed *r)
{
	uint32_t l4;

	frame_init(f);
	if (r->v6)
		frame_ipv6(f, "fd00:78:1::1", "fd00:78:2::2");
	else
		frame_ipv4(f, "10.78.1.1", "10.78.2.2", 1);
	l4 = r->udp ? frame_udp(f, 1024, 9) : frame_tcp(f, 0x98, NULL, 0);
	frame_payload(f, r->payload);
	frame_finish(f);
	harness_put_be16(f->data + l4 + (r->udp ? 6 : 16), 0xbeef);
	return l4;
}

static void
a_router_finishes_it(void **state)
{
	static uint8_t bytes[65536], joined[65536];
	static struct frame f;
	const struct routed *r = *state;
	bool ufo = (r->options & CSUM_VIRTIO_F_UFO) != 0;
	uint32_t l4, skip_len, len, total = 0;
	struct tun_dev in, out;
	struct rte_mbuf *m;
	struct tun_ns ns;
	unsigned int nb = 0;

	skip_if_not(why_not == NULL);
	tun_ns_make(&ns);
	skip_if_not(tun_ns_sysctl("ipv4/ip_forward", "1") &&
		    tun_ns_sysctl("ipv6/conf/all/forwarding", "1"));
	tun_dev_open(&in, CSUM_VIRTIO_MRG_HDR_LEN, true, 1, 9);
	tun_dev_open(&out, 0, false, 2, 9);
	skip_if_not(!r->udp || r->segsz == 0 || ufo || in.uso);
	l4 = build_routed(&f, r);
	m = frame_mbuf(&f, routed_pool, (uint16_t[]){ 33, 7 }, 2);
	m->ol_flags |= r->flags | ((r->flags & TX(IPV4)) != 0 ? TX(IP_CKSUM) : 0);
	m->tso_segsz = r->segsz;
	tun_link_write(&in, m, r->options);

	skip_len = (ufo ? l4 : l4 + (r->udp ? 8 : 20)) + (ufo && r->v6 ? 8 : 0);
	while ((len = read_routed(&out, bytes, sizeof(bytes), nb < r->nb)) != 0) {
		assert_true(len <= 1500);
		assert_routed_good(bytes, len, ufo);
		memcpy(joined + total, bytes + skip_len, len - skip_len);
		total += len - skip_len;
		nb++;
	}
	assert_int_equal(nb, r->nb);
	assert_int_equal(total, r->payload + (ufo ? 8 : 0));
	harness_assert_bytes(joined + (ufo ? 8 : 0), f.data + f.len - r->payload, r->payload);
	if (ufo)
		assert_datagram_good(&f, l4, joined);
	tun_dev_close(&in);
	tun_dev_close(&out);
	tun_ns_close(&ns);
}

/* ---- */

#define OF(test, family) { \
	.name = #test "_" #family, .test_func = test, \
	.teardown_func = tun_link_pools_are_whole, .initial_state = (void *)(uintptr_t)&family, \
}

static const int ipv4 = AF_INET, ipv6 = AF_INET6;

int
main(void)
{
	static struct CMUnitTest tests[32] = {
		OF(tcp_super_packets_are_cut, ipv4),
		OF(tcp_super_packets_are_cut, ipv6),
		OF(tcp_segments_made_wrong_are_counted, ipv4),
		OF(tcp_segments_made_wrong_are_counted, ipv6),
		OF(udp_super_packet_is_cut, ipv4),
		OF(udp_super_packet_is_cut, ipv6),
		OF(tcp_super_packets_go_on_whole, ipv4),
		OF(tcp_super_packets_go_on_whole, ipv6),
		OF(wrong_checksum_without_the_flag, ipv4),
	};
	static char names[RTE_DIM(tests)][128];
	unsigned int nb = 9, i;

	for (i = 0; i < RTE_DIM(routed); i++)
		tests[nb++] = (struct CMUnitTest) {
			.name = routed[i].name,
			.test_func = a_router_finishes_it,
			.teardown_func = tun_link_pools_are_whole,
			.initial_state = (void *)(uintptr_t)&routed[i],
		};
	why_not = tun_ns_start();
	for (i = 0; i < nb && why_not != NULL; i++) {
		snprintf(names[i], sizeof(names[i]), "%s (%s)", tests[i].name, why_not);
		tests[i].name = names[i];
	}
	harness_start(0, NULL);
	tun_link_start();
	routed_pool = harness_pool("routed", 64, 2048);
	return harness_finish(_cmocka_run_group_tests("linux-tun", tests, nb, NULL, NULL));
}
