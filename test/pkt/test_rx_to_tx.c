/* SPDX-License-Identifier: BSD-3-Clause */

/* What a forwarder asks the next port for, by what the last one said. */

#include <errno.h>
#include <string.h>

#include <ref_csum.h>
#include <ref_judge.h>

#include "virtio_util.h"

static struct frame f;

#define NONE RX(L4_CKSUM_NONE)

static struct rte_mbuf *
received(uint64_t rx, uint16_t segsz)
{
	struct rte_mbuf *m = harness_chain(virtio_pool, f.data, f.len, (uint16_t[]){ 13, 0, 8, 1 },
					   f.len > 22 ? 4 : 0);

	m->ol_flags = rx | RX(VLAN) | TX(TUNNEL_GENEVE) | TX(SCTP_CKSUM);
	m->outer_l2_len = 1;
	m->l4_len = 1;
	m->tso_segsz = segsz;
	return m;
}

static void
becomes(uint64_t rx, uint16_t segsz, const struct virtio_tx *want)
{
	enum csum_refusal why = CSUM_REFUSAL_MAX;
	struct rte_mbuf *m = received(rx, segsz);

	assert_int_equal(csum_pkt_rx_to_tx(m, CSUM_LINK_ETHER, &why), 0);
	assert_int_equal(why, CSUM_REFUSAL_NONE);
	virtio_assert_tx(m, want);
	assert_int_equal(m->ol_flags & ~VIRTIO_TX_MASK, rx | RX(VLAN));
	harness_assert_chain(m, f.data, f.len);
	rte_pktmbuf_free(m);
}

static void
refused(uint64_t rx, uint16_t segsz, enum csum_refusal want, int result)
{
	enum csum_refusal why = CSUM_REFUSAL_MAX;
	struct rte_mbuf *m = received(rx, segsz), before = *m;

	assert_int_equal(csum_pkt_rx_to_tx(m, CSUM_LINK_ETHER, &why), result);
	assert_int_equal(why, want);
	assert_int_equal(csum_pkt_rx_to_tx(m, CSUM_LINK_ETHER, NULL), result);
	virtio_assert_metadata(m, &before);
	rte_pktmbuf_free(m);
}

static void
build(uint32_t (*ip)(struct frame *f), uint32_t (*l4)(struct frame *f), uint32_t len)
{
	frame_init(&f);
	frame_ether(&f);
	ip(&f);
	l4(&f);
	frame_payload(&f, len);
	frame_finish(&f);
}

static uint32_t
tcp(struct frame *frame)
{
	return frame_tcp(frame, 0x10, "\1\1\1\1", 4);
}

static uint32_t
udp(struct frame *frame)
{
	return frame_udp(frame, 5, 6);
}

static uint32_t
sctp(struct frame *frame)
{
	return frame_sctp(frame, 5, 6, 7);
}

static void
what_is_known_stays(void **state)
{
	static const uint64_t rx[] = {
		0, RX(L4_CKSUM_GOOD), RX(L4_CKSUM_BAD), RX(IP_CKSUM_GOOD) | RX(L4_CKSUM_GOOD),
		RX(IP_CKSUM_BAD) | RX(L4_CKSUM_BAD),
	};
	unsigned int i;

	(void)state;
	build(frame_i4, tcp, 3000);
	for (i = 0; i < RTE_DIM(rx); i++) {
		struct rte_mbuf *m = received(rx[i], 1000), before = *m;

		assert_int_equal(csum_pkt_rx_to_tx(m, CSUM_LINK_ETHER, NULL), 0);
		virtio_assert_metadata(m, &before);
		rte_pktmbuf_free(m);
	}
}

static void
checksums_that_are_not_there(void **state)
{
	(void)state;
	build(frame_i4, tcp, 100);
	becomes(NONE, 0, &(struct virtio_tx){ TX(IPV4) | TX(TCP_CKSUM), 14, 20, 24, 0 });
	becomes(NONE | RX(IP_CKSUM_GOOD), 7,
		&(struct virtio_tx){ TX(IPV4) | TX(TCP_CKSUM), 14, 20, 24, 0 });
	becomes(NONE | RX(IP_CKSUM_NONE), 0,
		&(struct virtio_tx){ TX(IPV4) | TX(IP_CKSUM) | TX(TCP_CKSUM), 14, 20, 24, 0 });
	becomes(RX(IP_CKSUM_NONE) | RX(L4_CKSUM_BAD), 0,
		&(struct virtio_tx){ TX(IPV4) | TX(IP_CKSUM), 14, 20, 0, 0 });
	build(frame_i6, udp, 100);
	becomes(NONE, 0, &(struct virtio_tx){ TX(IPV6) | TX(UDP_CKSUM), 14, 40, 8, 0 });
	becomes(RX(IP_CKSUM_NONE), 0, &(struct virtio_tx){ TX(IPV6), 14, 40, 0, 0 });
	build(frame_i4, sctp, 100);
	becomes(NONE, 0, &(struct virtio_tx){ TX(IPV4) | TX(SCTP_CKSUM), 14, 20, 12, 0 });
}

static void
ip_headers_that_no_length_describes(void **state)
{
	(void)state;
	build(frame_i4, tcp, 100);
	f.data[14] = 0x42;
	refused(RX(IP_CKSUM_NONE), 0, CSUM_REFUSAL_HEADER, -EBADMSG);
}

static void
coalesced(void **state)
{
	const uint64_t tcp4 = TX(IPV4) | TX(IP_CKSUM) | TX(TCP_SEG);

	(void)state;
	build(frame_i4, tcp, 3000);
	becomes(RX(LRO) | RX(L4_CKSUM_GOOD), 1448, &(struct virtio_tx){ tcp4, 14, 20, 24, 1448 });
	becomes(RX(LRO) | NONE, 2999, &(struct virtio_tx){ tcp4, 14, 20, 24, 2999 });
	becomes(RX(LRO) | NONE, 3000,
		&(struct virtio_tx){ TX(IPV4) | TX(TCP_CKSUM), 14, 20, 24, 0 });
	becomes(RX(LRO) | RX(L4_CKSUM_GOOD), 3000, &(struct virtio_tx){ TX(IPV4), 14, 20, 24, 0 });
	build(frame_i6, tcp, 3000);
	becomes(RX(LRO), 1428, &(struct virtio_tx){ TX(IPV6) | TX(TCP_SEG), 14, 40, 24, 1428 });
	build(frame_i6, udp, 3000);
	becomes(RX(LRO) | NONE, 1200, &(struct virtio_tx){ TX(IPV6) | TX(UDP_SEG), 14, 40, 8,
		1200 });
}

static void
what_no_request_can_say(void **state)
{
	(void)state;
	build(frame_i4, tcp, 3000);
	refused(RX(LRO), 0, CSUM_REFUSAL_SEGSZ, -EINVAL);
	f.data[46] = 0x40;
	refused(RX(LRO), 1000, CSUM_REFUSAL_HEADER, -EBADMSG);
	harness_put_be16(f.data + 20, 0x2000);
	refused(NONE, 0, CSUM_REFUSAL_FRAGMENT, -ENOTSUP);
	f.len = 30;
	refused(RX(IP_CKSUM_NONE), 0, CSUM_REFUSAL_HEADER, -EBADMSG);
	refused(NONE, 0, CSUM_REFUSAL_PROTOCOL, -ENOTSUP);
	build(frame_i4, frame_icmp, 100);
	refused(NONE, 0, CSUM_REFUSAL_PROTOCOL, -ENOTSUP);
	build(frame_i4, sctp, 3000);
	refused(RX(LRO), 1000, CSUM_REFUSAL_PROTOCOL, -ENOTSUP);
	frame_init(&f);
	frame_ether(&f);
	frame_payload(&f, 50);
	refused(RX(IP_CKSUM_NONE), 0, CSUM_REFUSAL_PROTOCOL, -ENOTSUP);
}

/* Of two checksums, the one that is partial; with both or none of them nobody can tell. */
static void
tunnels(void **state)
{
	uint32_t outer, outer_udp, inner, inner_tcp;

	(void)state;
	frame_init(&f);
	frame_ether(&f);
	outer = frame_outer4(&f);
	outer_udp = frame_udp(&f, 50000, 4789);
	frame_vxlan(&f, 42);
	frame_ether_inner(&f);
	inner = frame_i4(&f);
	inner_tcp = frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 3000);
	frame_finish(&f);

	refused(NONE, 0, CSUM_REFUSAL_TUNNEL, -ENOTSUP);
	virtio_seed(&f, inner, inner_tcp);
	becomes(NONE, 0, &(struct virtio_tx){ TX(IPV4) | TX(TCP_CKSUM), 64, 20, 20, 0 });
	refused(NONE | RX(LRO), 1000, CSUM_REFUSAL_TUNNEL, -ENOTSUP);
	refused(NONE | RX(IP_CKSUM_NONE), 0, CSUM_REFUSAL_TUNNEL, -ENOTSUP);
	virtio_seed(&f, outer, outer_udp);
	refused(NONE, 0, CSUM_REFUSAL_TUNNEL, -ENOTSUP);
	harness_put_be16(f.data + inner_tcp + 16, 0xbeef);
	becomes(NONE, 0, &(struct virtio_tx){ TX(IPV4) | TX(UDP_CKSUM), 14, 20, 8, 0 });
	refused(NONE | RX(LRO), 1000, CSUM_REFUSAL_TUNNEL, -ENOTSUP);

	frame_init(&f);
	frame_ether(&f);
	frame_outer6(&f);
	frame_gre(&f, 0, 0, 0);
	frame_i4(&f);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 3000);
	frame_finish(&f);
	becomes(NONE, 0, &(struct virtio_tx){ TX(IPV4) | TX(TCP_CKSUM), 58, 20, 20, 0 });
	refused(RX(LRO), 1000, CSUM_REFUSAL_TUNNEL, -ENOTSUP);
	refused(RX(IP_CKSUM_NONE), 0, CSUM_REFUSAL_TUNNEL, -ENOTSUP);
}

/* From the port's mark to the wire: the reference finds what the requests fill good. */
static void
requests_carried_out(void **state)
{
	uint32_t (*const l4[])(struct frame *f) = { tcp, udp };
	struct rte_mbuf *m;
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(l4); i++) {
		build(frame_i4, l4[i], 333);
		virtio_seed(&f, 14, 34);
		harness_put_be16(f.data + 24, 0);
		m = received(NONE | RX(IP_CKSUM_NONE), 0);
		assert_int_equal(csum_pkt_rx_to_tx(m, CSUM_LINK_ETHER, NULL), 0);
		assert_int_equal(csum_pkt_prepare(m, UINT64_MAX, NULL), 0);
		harness_flatten(m, f.data, f.len);
		rte_pktmbuf_free(m);
		virtio_assert_good(f.data, f.len, REF_LINK_ETHER);
	}
}

#define T(name) cmocka_unit_test_teardown(name, virtio_pool_is_whole)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(what_is_known_stays),
		T(checksums_that_are_not_there),
		T(ip_headers_that_no_length_describes),
		T(coalesced),
		T(what_no_request_can_say),
		T(tunnels),
		T(requests_carried_out),
	};

	virtio_start("rx_to_tx");
	return harness_finish(cmocka_run_group_tests_name("rx-to-tx", tests, NULL, NULL));
}
