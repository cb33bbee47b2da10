/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * From Tx requests to a virtio-net header. The peer is played by the reference: it completes what
 * the header says is partial, knowing nothing of the packet, and then judges all checksums.
 */

#include <errno.h>
#include <string.h>

#include <ref_csum.h>
#include <ref_judge.h>

#include "virtio_util.h"

static struct frame f;

#define NEEDS CSUM_VIRTIO_NEEDS_CSUM
#define TO_DRIVER CSUM_VIRTIO_F_TO_DRIVER
#define TCP4 (TX(IPV4) | TX(IP_CKSUM) | TX(TCP_CKSUM))
#define TSO4 (TX(IPV4) | TX(IP_CKSUM) | TX(TCP_SEG))

/* The packet as a port gets it: nothing in its checksum fields may matter. */
static struct rte_mbuf *
to_send(uint64_t flags, uint16_t segsz)
{
	struct rte_mbuf *m = frame_mbuf_kind(&f, virtio_pool, HARNESS_EXTERNAL,
					     (uint16_t[]){ 15, 22, 0, 1 }, f.len > 38 ? 4 : 0);

	m->ol_flags |= flags;
	m->tso_segsz = segsz;
	return m;
}

static void
peer_completes(uint8_t *data, uint32_t len, const struct csum_virtio_hdr *hdr)
{
	uint16_t check;

	if ((hdr->flags & NEEDS) == 0)
		return;
	check = ref_check(data + hdr->csum_start, len - hdr->csum_start);
	harness_put_be16(data + hdr->csum_start + hdr->csum_offset, check != 0 ? check : 0xffff);
}

/* All bytes but the checksum and length fields must be as they were. */
static void
becomes(uint64_t ol_flags, uint16_t segsz, uint32_t flags, const struct csum_virtio_hdr *want)
{
	static uint8_t got[FRAME_MAX_LEN];
	enum csum_refusal why = CSUM_REFUSAL_MAX;
	struct rte_mbuf *m = to_send(ol_flags, segsz), before = *m;
	struct csum_virtio_hdr hdr;

	memset(&hdr, 0xee, sizeof(hdr));
	assert_int_equal(csum_virtio_from_mbuf(&hdr, m, flags, &why), 0);
	assert_int_equal(why, CSUM_REFUSAL_NONE);
	assert_memory_equal(&hdr, want, sizeof(hdr));
	virtio_assert_metadata(m, &before);
	assert_int_equal(harness_flatten(m, got, sizeof(got)), f.len);
	rte_pktmbuf_free(m);
	peer_completes(got, f.len, &hdr);
	virtio_assert_good(got, f.len, REF_LINK_ETHER);
}

static uint32_t
build(uint32_t (*ip)(struct frame *f), bool udp, uint8_t tcp_flags, uint32_t len)
{
	uint32_t l4;

	frame_init(&f);
	frame_ether(&f);
	ip(&f);
	l4 = udp ? frame_udp(&f, 1024, 4096) : frame_tcp(&f, tcp_flags, "\1\1\1\1", 4);
	frame_payload(&f, len);
	frame_finish(&f);
	harness_put_be16(f.data + l4 + (udp ? 6 : 16), 0xbeef);
	return l4;
}

static void
checksums_for_the_peer(void **state)
{
	(void)state;
	build(frame_i4, false, 0x10, 101);
	becomes(TCP4, 0, 0, &(struct csum_virtio_hdr){ NEEDS, 0, 0, 0, 34, 16, 0 });
	becomes(TCP4 | RTE_MBUF_F_RX_L4_CKSUM_GOOD, 0, TO_DRIVER,
		&(struct csum_virtio_hdr){ NEEDS, 0, 0, 0, 34, 16, 1 });
	build(frame_i6, true, 0, 101);
	becomes(TX(IPV6) | TX(UDP_CKSUM), 0, 0,
		&(struct csum_virtio_hdr){ NEEDS, 0, 0, 0, 54, 6, 0 });
}

/* The lengths that applications leave stale are set; CWR becomes the ECN bit. */
static void
super_packets(void **state)
{
	unsigned int stale;

	(void)state;
	for (stale = 0; stale < 2; stale++) {
		build(frame_i4, false, 0x18, 3000);
		harness_put_be16(f.data + 16, stale * 1500);
		becomes(TSO4, 1448, 0, &(struct csum_virtio_hdr){ NEEDS, 1, 58, 1448, 34, 16, 0 });
		build(frame_i4, false, 0x98, 3000);
		harness_put_be16(f.data + 16, stale * 52);
		becomes(TSO4, 2999, TO_DRIVER,
			&(struct csum_virtio_hdr){ NEEDS, 0x81, 58, 2999, 34, 16, 1 });
		build(frame_i6, false, 0x90, 65535 - 40 - 24);
		harness_put_be16(f.data + 18, stale * 999);
		becomes(TX(IPV6) | TX(TCP_SEG), 1428, 0,
			&(struct csum_virtio_hdr){ NEEDS, 0x84, 78, 1428, 54, 16, 0 });
		build(frame_i4, true, 0, 3000);
		harness_put_be16(f.data + 16, stale * 28);
		harness_put_be16(f.data + 38, stale * 8);
		becomes(TX(IPV4) | TX(UDP_SEG), 1200, 0,
			&(struct csum_virtio_hdr){ NEEDS, 5, 42, 1200, 34, 6, 0 });
		becomes(TX(IPV4) | TX(UDP_SEG), 1480, CSUM_VIRTIO_F_UFO,
			&(struct csum_virtio_hdr){ NEEDS, 3, 42, 1480, 34, 6, 0 });
		build(frame_i6, true, 0, 3000);
		becomes(TX(IPV6) | TX(UDP_SEG), 1456, CSUM_VIRTIO_F_UFO,
			&(struct csum_virtio_hdr){ NEEDS, 3, 62, 1448, 54, 6, 0 });
	}
}

static void
payload_of_one_segment(void **state)
{
	(void)state;
	build(frame_i4, false, 0x98, 1448);
	harness_put_be16(f.data + 16, 40);
	becomes(TSO4, 1448, 0, &(struct csum_virtio_hdr){ NEEDS, 0, 0, 0, 34, 16, 0 });
	build(frame_i4, true, 0, 1472);
	becomes(TX(IPV4) | TX(UDP_SEG), 1480, CSUM_VIRTIO_F_UFO,
		&(struct csum_virtio_hdr){ NEEDS, 0, 0, 0, 34, 6, 0 });
}

/* What virtio has no word for is filled here. */
static void
filled_here(void **state)
{
	const struct csum_virtio_hdr none = { 0 };

	(void)state;
	build(frame_i4, false, 0x10, 7);
	frame_bytes(&f, "trailer", 7);
	becomes(TCP4, 0, 0, &none);

	frame_init(&f);
	frame_ether(&f);
	frame_i4(&f);
	frame_sctp(&f, 1, 2, 3);
	frame_sctp_data(&f, 1, "abcd", 4);
	frame_finish(&f);
	becomes(TX(IPV4) | TX(IP_CKSUM) | TX(SCTP_CKSUM), 0, 0, &none);

	frame_init(&f);
	frame_ether(&f);
	frame_outer4(&f);
	frame_udp(&f, 50000, 4789);
	frame_vxlan(&f, 42);
	frame_ether_inner(&f);
	frame_i4(&f);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 100);
	frame_finish(&f);
	becomes(TCP4 | TX(OUTER_IPV4) | TX(OUTER_IP_CKSUM) | TX(OUTER_UDP_CKSUM) | TX(TUNNEL_VXLAN),
		0, 0, &none);
}

/* Only the header checksum: the L4 one is final, and may be known to be good. */
static void
data_valid(void **state)
{
	const uint64_t flags = TX(IPV4) | TX(IP_CKSUM);
	uint32_t l4;

	(void)state;
	l4 = build(frame_i4, true, 0, 20);
	virtio_seed(&f, 14, l4);
	harness_put_be16(f.data + l4 + 6, ref_check(f.data + l4, f.len - l4));
	harness_put_be16(f.data + 24, 0xbeef);
	becomes(flags, 0, TO_DRIVER, &(struct csum_virtio_hdr){ .num_buffers = 1 });
	becomes(flags | RX(L4_CKSUM_BAD), 0, TO_DRIVER,
		&(struct csum_virtio_hdr){ .num_buffers = 1 });
	becomes(flags | RX(L4_CKSUM_GOOD), 0, 0, &(struct csum_virtio_hdr){ 0 });
	becomes(flags | RX(L4_CKSUM_GOOD), 0, TO_DRIVER,
		&(struct csum_virtio_hdr){ CSUM_VIRTIO_DATA_VALID, .num_buffers = 1 });
}

/* A packet that asks for nothing may be shared, and may be anything. */
static void
nothing_asked(void **state)
{
	struct csum_virtio_hdr hdr, none = { 0 };
	struct rte_mbuf *m = harness_chain(virtio_pool, "x", 1, NULL, 0);

	(void)state;
	rte_mbuf_refcnt_update(m, 1);
	assert_int_equal(csum_virtio_from_mbuf(&hdr, m, 0, NULL), 0);
	assert_memory_equal(&hdr, &none, sizeof(hdr));
	rte_mbuf_refcnt_update(m, -1);
	rte_pktmbuf_free(m);
}

/* ---- there and back */

static void
round_trip(const struct csum_virtio_hdr *hdr, uint32_t flags)
{
	struct csum_virtio_hdr back;
	struct rte_mbuf *m = harness_chain(virtio_pool, f.data, f.len, (uint16_t[]){ 15 }, 1);

	assert_int_equal(csum_virtio_to_mbuf(m, hdr, CSUM_LINK_ETHER, NULL), 0);
	assert_int_equal(csum_virtio_from_mbuf(&back, m, flags, NULL), 0);
	assert_memory_equal(&back, hdr, sizeof(back));
	harness_assert_chain(m, f.data, f.len);
	rte_pktmbuf_free(m);
}

/* What a guest sends is what the next one gets, each byte of it. */
static void
from_port_to_port(void **state)
{
	uint32_t (*const ip[])(struct frame *f) = { frame_i4, frame_i6 };
	uint32_t i, l4;

	(void)state;
	for (i = 0; i < 2; i++) {
		l4 = build(ip[i], false, 0x90, 3000);
		virtio_seed(&f, 14, l4);
		round_trip(&(struct csum_virtio_hdr){ NEEDS, 0, 0, 0, l4, 16, 0 }, 0);
		round_trip(&(struct csum_virtio_hdr){ NEEDS, i == 0 ? 0x81 : 0x84, l4 + 24, 1400,
						      l4, 16, 1 }, TO_DRIVER);
		l4 = build(ip[i], true, 0, 3000);
		virtio_seed(&f, 14, l4);
		round_trip(&(struct csum_virtio_hdr){ NEEDS, 5, l4 + 8, 1400, l4, 6, 0 }, 0);
		round_trip(&(struct csum_virtio_hdr){ NEEDS, 3, l4 + 8, 1400, l4, 6, 0 },
			   CSUM_VIRTIO_F_UFO);
		round_trip(&(struct csum_virtio_hdr){ CSUM_VIRTIO_DATA_VALID, .num_buffers = 1 },
			   TO_DRIVER);
	}
}

/* ---- refusals */

static void
mbuf_refused(struct rte_mbuf *m, enum csum_refusal want, int result)
{
	enum csum_refusal why = CSUM_REFUSAL_MAX;
	struct csum_virtio_hdr hdr, untouched;
	struct rte_mbuf before = *m;

	memset(&hdr, 0xee, sizeof(hdr));
	memset(&untouched, 0xee, sizeof(untouched));
	assert_int_equal(csum_virtio_from_mbuf(&hdr, m, 0, &why), result);
	assert_int_equal(why, want);
	assert_int_equal(csum_virtio_from_mbuf(&hdr, m, 0, NULL), result);
	assert_memory_equal(&hdr, &untouched, sizeof(hdr));
	virtio_assert_metadata(m, &before);
	harness_assert_chain(m, f.data, f.len);
	rte_pktmbuf_free(m);
}

static void
refused(uint64_t flags, uint16_t segsz, enum csum_refusal want, int result)
{
	mbuf_refused(to_send(flags, segsz), want, result);
}

static void
requests_that_contradict(void **state)
{
	struct rte_mbuf *m;

	(void)state;
	build(frame_i4, false, 0x10, 3000);
	refused(TX(TCP_CKSUM), 0, CSUM_REFUSAL_FLAGS, -EINVAL);
	refused(TX(TCP_SEG), 1000, CSUM_REFUSAL_FLAGS, -EINVAL);
	refused(TSO4 | TX(UDP_SEG), 1000, CSUM_REFUSAL_FLAGS, -EINVAL);
	refused(TSO4 | TX(IPV6), 1000, CSUM_REFUSAL_FLAGS, -EINVAL);
	refused(TSO4, 0, CSUM_REFUSAL_SEGSZ, -EINVAL);
	refused(TX(IPV6) | TX(TCP_SEG), 1000, CSUM_REFUSAL_LENGTHS, -EINVAL);
	refused(TX(IPV4) | TX(UDP_SEG), 1000, CSUM_REFUSAL_HEADER, -EBADMSG);
	refused(TX(IPV4) | TX(UDP_CKSUM), 0, CSUM_REFUSAL_HEADER, -EBADMSG);
	m = to_send(TSO4, 1000);
	m->l4_len = 20;
	mbuf_refused(m, CSUM_REFUSAL_HEADER, -EBADMSG);
	m = to_send(TSO4, 1000);
	m->l3_len = 24;
	mbuf_refused(m, CSUM_REFUSAL_HEADER, -EBADMSG);
	m = to_send(TCP4, 1000);
	m->l3_len = 0;
	mbuf_refused(m, CSUM_REFUSAL_LENGTHS, -EINVAL);
	f.len = 34 + 23;
	refused(TSO4, 1000, CSUM_REFUSAL_LENGTHS, -EINVAL);
	harness_put_be16(f.data + 20, 0x2000);
	refused(TSO4, 1000, CSUM_REFUSAL_FRAGMENT, -ENOTSUP);
	refused(TCP4, 0, CSUM_REFUSAL_FRAGMENT, -ENOTSUP);
}

static void
what_virtio_cannot_say(void **state)
{
	(void)state;
	build(frame_i4, false, 0x10, 65536 - 20 - 24);
	refused(TSO4, 1000, CSUM_REFUSAL_TOO_BIG, -ENOTSUP);
	build(frame_i4, false, 0x10, 3000);
	refused(TSO4 | TX(TUNNEL_VXLAN), 1000, CSUM_REFUSAL_TUNNEL, -ENOTSUP);
	refused(TSO4 | TX(OUTER_IPV4), 1000, CSUM_REFUSAL_TUNNEL, -ENOTSUP);
}

/* UFO's segment size must hold the fragment header. */
static void
fragment_header_alone(void **state)
{
	struct csum_virtio_hdr hdr;
	enum csum_refusal why;
	struct rte_mbuf *m;

	(void)state;
	build(frame_i6, true, 0, 3000);
	m = to_send(TX(IPV6) | TX(UDP_SEG), 8);
	assert_int_equal(csum_virtio_from_mbuf(&hdr, m, CSUM_VIRTIO_F_UFO, &why), -EINVAL);
	assert_int_equal(why, CSUM_REFUSAL_SEGSZ);
	rte_pktmbuf_free(m);
}

static void
shared_headers(void **state)
{
	static const uint64_t flags[] = { TCP4, TSO4, TX(IPV4) | TX(IP_CKSUM) };
	struct csum_virtio_hdr hdr;
	unsigned int i;

	(void)state;
	build(frame_i4, false, 0x10, 3000);
	for (i = 0; i < RTE_DIM(flags); i++) {
		struct rte_mbuf *m = frame_mbuf(&f, virtio_pool, (uint16_t[]){ 58 }, 1);
		struct rte_mbuf *clone;

		/* Payload may be shared. */
		m->ol_flags |= flags[i];
		m->tso_segsz = 1000;
		rte_mbuf_refcnt_update(m->next, 1);
		assert_int_equal(csum_virtio_from_mbuf(&hdr, m, 0, NULL), 0);
		rte_mbuf_refcnt_update(m->next, -1);
		harness_flatten(m, f.data, f.len);
		clone = rte_pktmbuf_clone(m, virtio_pool);
		assert_non_null(clone);
		mbuf_refused(clone, CSUM_REFUSAL_NONE, -EBUSY);
		rte_mbuf_refcnt_update(m, 1);
		assert_int_equal(csum_virtio_from_mbuf(&hdr, m, 0, NULL), -EBUSY);
		rte_mbuf_refcnt_update(m, -1);
		rte_pktmbuf_free(m);
	}
}

/* A checksum that IPv6 has not is no reason to refuse headers that are shared. */
static void
nothing_to_write(void **state)
{
	struct csum_virtio_hdr hdr, want = { .num_buffers = 0 };
	struct rte_mbuf *m, *clone;

	(void)state;
	build(frame_i6, false, 0x10, 100);
	m = frame_mbuf(&f, virtio_pool, NULL, 0);
	m->ol_flags |= TX(IPV6) | TX(IP_CKSUM);
	clone = rte_pktmbuf_clone(m, virtio_pool);
	assert_non_null(clone);
	assert_int_equal(csum_virtio_from_mbuf(&hdr, clone, 0, NULL), 0);
	assert_memory_equal(&hdr, &want, sizeof(hdr));
	rte_pktmbuf_free(clone);
	rte_pktmbuf_free(m);
}

#define T(name) cmocka_unit_test_teardown(name, virtio_pool_is_whole)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(checksums_for_the_peer),
		T(super_packets),
		T(payload_of_one_segment),
		T(filled_here),
		T(data_valid),
		T(nothing_asked),
		T(from_port_to_port),
		T(requests_that_contradict),
		T(what_virtio_cannot_say),
		T(fragment_header_alone),
		T(shared_headers),
		T(nothing_to_write),
	};

	virtio_start("virtio_from");
	return harness_finish(cmocka_run_group_tests_name("virtio-from", tests, NULL, NULL));
}
