/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The burst functions of net_vnet_tap, with a pair of sockets in place of the TAP device: messages
 * keep their ends there too, and the test may be at the other end.
 */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <ref_judge.h>

#include "frame.h"
#include "../../app/csum-testpmd/vnet_tap.h"

#define ROOM 2000
#define POOL 256
#define SEGSZ 1448

/* A virtio-net header as it lies in memory, native byte order (virtio 1.2, section 5.1.6). */
struct raw_hdr {
	uint8_t flags;
	uint8_t gso_type;
	uint16_t hdr_len;
	uint16_t gso_size;
	uint16_t csum_start;
	uint16_t csum_offset;
};

static const struct raw_hdr nothing;
static const struct raw_hdr tcp4_super = {
	.flags = CSUM_VIRTIO_NEEDS_CSUM, .gso_type = CSUM_VIRTIO_GSO_TCPV4, .hdr_len = 54,
	.gso_size = SEGSZ, .csum_start = 34, .csum_offset = 16,
};

static struct rte_mempool *pool, *packets;
static struct vnet_tap_rxq rxq;
static struct vnet_tap_txq txq;
static int linux_end;
static struct frame frame;
static uint8_t message[sizeof(struct raw_hdr) + FRAME_MAX_LEN];

static int
setup(void **state)
{
	int fds[2], size = 1 << 20;

	(void)state;
	rxq = (struct vnet_tap_rxq){ 0 };
	txq = (struct vnet_tap_txq){ 0 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) != 0)
		return -1;
	(void)setsockopt(fds[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	(void)setsockopt(fds[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	rxq.fd = fds[0];
	txq.fd = fds[0];
	linux_end = fds[1];
	return vnet_tap_rx_setup(&rxq, pool);
}

static int
teardown(void **state)
{
	(void)state;
	vnet_tap_rx_release(&rxq);
	close(rxq.fd);
	close(linux_end);
	return harness_in_use(pool) == 0 && harness_in_use(packets) == 0 ? 0 : -1;
}

static void
make_tcp4(uint32_t nb_payload)
{
	frame_init(&frame);
	frame_ether(&frame);
	frame_i4(&frame);
	frame_tcp(&frame, 0x18, NULL, 0);
	frame_payload(&frame, nb_payload);
	frame_finish(&frame);
}

/* What Linux sends: the frame with a header. */
static void
linux_sends(const struct raw_hdr *hdr)
{
	memcpy(message, hdr, sizeof(*hdr));
	memcpy(message + sizeof(*hdr), frame.data, frame.len);
	assert_int_equal(write(linux_end, message, sizeof(*hdr) + frame.len),
			 sizeof(*hdr) + frame.len);
}

static struct rte_mbuf *
receive(void)
{
	struct rte_mbuf *m[2];

	assert_int_equal(vnet_tap_rx(&rxq, m, RTE_DIM(m)), 1);
	return m[0];
}

/* What Linux gets goes to `frame`. */
static struct raw_hdr
linux_receives(void)
{
	ssize_t len = read(linux_end, message, sizeof(message));
	struct raw_hdr hdr;

	assert_true(len > (ssize_t)sizeof(hdr));
	memcpy(&hdr, message, sizeof(hdr));
	frame.len = len - sizeof(hdr);
	memcpy(frame.data, message + sizeof(hdr), frame.len);
	return hdr;
}

static void
assert_judged(const void *data, uint32_t len, enum ref_column column, enum ref_verdict verdict)
{
	struct ref_report report;

	assert_int_equal(ref_judge(data, len, len, REF_LINK_ETHER, &report), 0);
	assert_int_equal(report.count[column], 1);
	assert_int_equal(report.list[column][0], verdict);
}

static void
packets_of_any_length_are_chained(void **state)
{
	static const uint32_t payloads[] = { 0, 1, ROOM - 55, ROOM - 54, ROOM - 53, 3 * ROOM - 54,
					     3 * ROOM - 53, 65535 - 40 };
	static uint8_t flat[FRAME_MAX_LEN];
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(payloads); i++) {
		struct rte_mbuf *m, *seg;

		make_tcp4(payloads[i]);
		linux_sends(&nothing);
		m = receive();
		assert_int_equal(m->nb_segs, (frame.len + ROOM - 1) / ROOM);
		for (seg = m; seg->next != NULL; seg = seg->next)
			assert_int_equal(seg->data_len, ROOM);
		assert_int_equal(harness_flatten(m, flat, sizeof(flat)), frame.len);
		assert_memory_equal(flat, frame.data, frame.len);
		assert_int_equal(m->ol_flags & RTE_MBUF_F_TX_OFFLOAD_MASK, 0);
		rte_pktmbuf_free(m);
	}
	assert_int_equal(rxq.counters.packets, RTE_DIM(payloads));
}

static void
super_packet_comes_with_its_requests(void **state)
{
	struct rte_mbuf *m;

	(void)state;
	make_tcp4(60001);
	linux_sends(&tcp4_super);
	m = receive();
	assert_int_equal(m->ol_flags & RTE_MBUF_F_TX_OFFLOAD_MASK,
			 RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_IPV4 |
			 (m->ol_flags & RTE_MBUF_F_TX_L4_MASK));
	assert_int_equal(m->tso_segsz, SEGSZ);
	assert_int_equal(m->l2_len, 14);
	assert_int_equal(m->l3_len, 20);
	assert_int_equal(m->l4_len, 20);
	rte_pktmbuf_free(m);
}

static void
packets_wait_for_mbufs(void **state)
{
	static struct rte_mbuf *all[POOL];
	struct rte_mbuf *m;

	(void)state;
	make_tcp4(5000);
	linux_sends(&nothing);
	assert_int_equal(rte_pktmbuf_alloc_bulk(pool, all, POOL), 0);
	assert_int_equal(vnet_tap_rx(&rxq, &m, 1), 0);
	assert_int_equal(rxq.no_mbuf, 1);
	rte_pktmbuf_free_bulk(all, POOL);
	m = receive();
	assert_int_equal(m->pkt_len, frame.len);
	rte_pktmbuf_free(m);
}

static void
senseless_header_is_counted_and_the_next_packet_comes(void **state)
{
	static const struct raw_hdr senseless[] = {
		{ .gso_type = CSUM_VIRTIO_GSO_TCPV6, .gso_size = 100 },
		{ .gso_type = CSUM_VIRTIO_GSO_TCPV4, .gso_size = 0 },
		{ .gso_type = 77, .gso_size = 100 },
		{ .flags = CSUM_VIRTIO_NEEDS_CSUM, .csum_start = 60000, .csum_offset = 16 },
		{ .flags = CSUM_VIRTIO_NEEDS_CSUM, .csum_start = 34, .csum_offset = 65535 },
	};
	struct rte_mbuf *m;
	unsigned int i;

	(void)state;
	make_tcp4(3000);
	for (i = 0; i < RTE_DIM(senseless); i++)
		linux_sends(&senseless[i]);
	linux_sends(&nothing);
	m = receive();
	assert_int_equal(m->pkt_len, frame.len);
	rte_pktmbuf_free(m);
	assert_int_equal(rxq.counters.errors, RTE_DIM(senseless));
	assert_int_equal(rxq.counters.packets, 1);
}

static void
checksum_that_no_request_can_name_is_completed(void **state)
{
	const struct raw_hdr hdr = {
		.flags = CSUM_VIRTIO_NEEDS_CSUM, .csum_start = 34, .csum_offset = 2,
	};
	static uint8_t flat[FRAME_MAX_LEN];
	struct rte_mbuf *m;
	uint32_t len;

	(void)state;
	frame_init(&frame);
	frame_ether(&frame);
	frame_i4(&frame);
	frame_icmp(&frame);
	frame_payload(&frame, 2500);
	frame_finish(&frame);
	linux_sends(&hdr);
	m = receive();
	len = harness_flatten(m, flat, sizeof(flat));
	assert_judged(flat, len, REF_ICMP, REF_GOOD);
	rte_pktmbuf_free(m);
}

static void
mbufs_too_small_for_64_kb_are_refused(void **state)
{
	struct rte_mempool *small = harness_pool("small", 8, VNET_TAP_MAX_FRAME /
						 VNET_TAP_MAX_SEGS);

	(void)state;
	assert_int_equal(vnet_tap_rx_setup(&rxq, small), -EINVAL);
	rte_mempool_free(small);
}

/* A TCP packet that asks for its checksum. */
static struct rte_mbuf *
tcp_request(uint32_t nb_payload, uint64_t flags)
{
	struct rte_mbuf *m;

	make_tcp4(nb_payload);
	m = frame_mbuf(&frame, packets, NULL, 0);
	m->ol_flags |= RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | flags;
	m->tso_segsz = (flags & RTE_MBUF_F_TX_TCP_SEG) != 0 ? SEGSZ : 0;
	return m;
}

static void
requests_are_left_to_linux(void **state)
{
	struct rte_mbuf *m[] = {
		tcp_request(777, RTE_MBUF_F_TX_TCP_CKSUM),
		tcp_request(60001, RTE_MBUF_F_TX_TCP_SEG),
	};
	struct raw_hdr hdr;

	(void)state;
	assert_int_equal(vnet_tap_tx(&txq, m, RTE_DIM(m)), RTE_DIM(m));
	hdr = linux_receives();
	assert_int_equal(hdr.flags & CSUM_VIRTIO_NEEDS_CSUM, CSUM_VIRTIO_NEEDS_CSUM);
	assert_int_equal(hdr.gso_type, CSUM_VIRTIO_GSO_NONE);
	assert_int_equal(hdr.csum_start, 34);
	assert_int_equal(hdr.csum_offset, 16);
	assert_judged(frame.data, frame.len, REF_IP, REF_GOOD);
	assert_judged(frame.data, frame.len, REF_TCP, REF_PARTIAL);
	hdr = linux_receives();
	assert_int_equal(hdr.gso_type, CSUM_VIRTIO_GSO_TCPV4);
	assert_int_equal(hdr.gso_size, SEGSZ);
	assert_int_equal(frame.len, 54 + 60001);
	assert_int_equal(txq.counters.packets, 2);
	assert_int_equal(txq.counters.bytes, 54 + 777 + 54 + 60001);
}

static void
shared_packet_is_copied_and_stays_as_it_is(void **state)
{
	static uint8_t before[FRAME_MAX_LEN], after[FRAME_MAX_LEN];
	struct rte_mbuf *m = tcp_request(777, RTE_MBUF_F_TX_TCP_CKSUM);
	struct rte_mbuf *clone = rte_pktmbuf_clone(m, packets);
	uint32_t len = harness_flatten(m, before, sizeof(before));

	(void)state;
	assert_non_null(clone);
	assert_int_equal(vnet_tap_tx(&txq, &clone, 1), 1);
	assert_int_equal(linux_receives().csum_start, 34);
	assert_judged(frame.data, frame.len, REF_IP, REF_GOOD);
	assert_judged(frame.data, frame.len, REF_TCP, REF_PARTIAL);
	assert_int_equal(harness_flatten(m, after, sizeof(after)), len);
	assert_memory_equal(before, after, len);
	rte_pktmbuf_free(m);
}

static void
full_device_leaves_packets_to_the_caller(void **state)
{
	struct rte_mbuf *m;
	unsigned int nb = 0;

	(void)state;
	for (;;) {
		m = tcp_request(60001, RTE_MBUF_F_TX_TCP_SEG);
		if (vnet_tap_tx(&txq, &m, 1) == 0)
			break;
		nb++;
	}
	assert_true(nb > 0);
	assert_int_equal(txq.counters.packets, nb);
	assert_int_equal(txq.counters.errors, 0);
	/* There is room again, and nothing of it has changed that matters. */
	linux_receives();
	assert_int_equal(vnet_tap_tx(&txq, &m, 1), 1);
	assert_int_equal(txq.counters.packets, nb + 1);
}

static void
what_cannot_be_sent_is_counted_and_gone(void **state)
{
	static const uint16_t ones[VNET_TAP_MAX_SEGS] = { [0 ... VNET_TAP_MAX_SEGS - 1] = 1 };
	struct rte_mbuf *m[3];

	(void)state;
	make_tcp4(300);
	m[0] = frame_mbuf(&frame, packets, ones, RTE_DIM(ones)); /* and one more behind them */
	m[1] = tcp_request(5000, RTE_MBUF_F_TX_TCP_SEG);
	m[1]->tso_segsz = 0;
	m[2] = tcp_request(10, RTE_MBUF_F_TX_TCP_CKSUM);
	assert_int_equal(vnet_tap_tx(&txq, m, RTE_DIM(m)), RTE_DIM(m));
	assert_int_equal(txq.counters.errors, 2);
	assert_int_equal(txq.counters.packets, 1);
	linux_receives();
	assert_int_equal(frame.len, 54 + 10);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(packets_of_any_length_are_chained),
		CASE(super_packet_comes_with_its_requests),
		CASE(packets_wait_for_mbufs),
		CASE(senseless_header_is_counted_and_the_next_packet_comes),
		CASE(checksum_that_no_request_can_name_is_completed),
		CASE(mbufs_too_small_for_64_kb_are_refused),
		CASE(requests_are_left_to_linux),
		CASE(shared_packet_is_copied_and_stays_as_it_is),
		CASE(full_device_leaves_packets_to_the_caller),
		CASE(what_cannot_be_sent_is_counted_and_gone),
	};

	harness_start(0, NULL);
	pool = harness_pool("rx", POOL, ROOM);
	packets = harness_pool("tx", POOL, 2048);
	return harness_finish(cmocka_run_group_tests_name("vnet_tap", tests, NULL, NULL));
}
