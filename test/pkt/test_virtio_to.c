/* SPDX-License-Identifier: BSD-3-Clause */

/* The virtio-net header in memory, and what of it becomes Tx requests. */

#include <errno.h>
#include <string.h>

#include <ref_judge.h>

#include "virtio_util.h"

static struct frame f;

#define NEEDS CSUM_VIRTIO_NEEDS_CSUM
#define VALID CSUM_VIRTIO_DATA_VALID

/* ---- in memory */

static void
forms_and_orders(void **state)
{
	/* Little-endian, by virtio 1.2 section 5.1.6: flags, type, hdr_len, size, start, offset. */
	static const uint8_t little[12] = {
		0x01, 0x81, 0x36, 0x00, 0xb4, 0x05, 0x22, 0x00, 0x10, 0x00, 0x02, 0x01,
	};
	const uint16_t native[5] = { 0x36, 1460, 34, 16, 0x102 };
	struct csum_virtio_hdr hdr, want = { 0x01, 0x81, 0x36, 1460, 34, 16, 0x102 };
	uint8_t buf[14], plain[12] = { 0x01, 0x81 };

	(void)state;
	memcpy(plain + 2, native, sizeof(native));
	assert_int_equal(csum_virtio_hdr_read(&hdr, little, 12, CSUM_VIRTIO_LITTLE), 0);
	assert_memory_equal(&hdr, &want, sizeof(hdr));
	assert_int_equal(csum_virtio_hdr_read(&hdr, plain, 12, CSUM_VIRTIO_NATIVE), 0);
	assert_memory_equal(&hdr, &want, sizeof(hdr));

	memset(buf, 0xee, sizeof(buf));
	assert_int_equal(csum_virtio_hdr_write(buf + 1, 12, CSUM_VIRTIO_LITTLE, &hdr), 0);
	assert_memory_equal(buf + 1, little, 12);
	assert_int_equal(csum_virtio_hdr_write(buf + 1, 12, CSUM_VIRTIO_NATIVE, &hdr), 0);
	assert_memory_equal(buf + 1, plain, 12);
	memset(buf, 0xee, sizeof(buf));
	assert_int_equal(csum_virtio_hdr_write(buf + 1, 10, CSUM_VIRTIO_LITTLE, &hdr), 0);
	assert_memory_equal(buf + 1, little, 10);
	assert_int_equal(buf[0], 0xee);
	assert_int_equal(buf[11], 0xee);

	want.num_buffers = 0;
	assert_int_equal(csum_virtio_hdr_read(&hdr, little, 10, CSUM_VIRTIO_LITTLE), 0);
	assert_memory_equal(&hdr, &want, sizeof(hdr));
}

static void
other_lengths(void **state)
{
	static const uint32_t lens[] = { 0, 9, 11, 13, 20, UINT32_MAX };
	struct csum_virtio_hdr hdr = { .hdr_len = 7 };
	uint8_t buf[24] = { 0 };
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(lens); i++) {
		assert_int_equal(csum_virtio_hdr_read(&hdr, buf, lens[i], 0), -EINVAL);
		assert_int_equal(hdr.hdr_len, 7);
		assert_int_equal(csum_virtio_hdr_write(buf, lens[i], 0, &hdr), -EINVAL);
		assert_int_equal(buf[2] | buf[3], 0);
	}
}

/* ---- requests */

static struct rte_mbuf *
frame_in(const uint16_t lens[], unsigned int nb)
{
	struct rte_mbuf *m = harness_chain_kind(virtio_pool, HARNESS_EXTERNAL, f.data, f.len, lens,
						nb);

	/* What it was asked for before is gone, what is not about checksums stays. */
	m->ol_flags |= TX(VLAN) | TX(OUTER_IPV4) | TX(TUNNEL_GENEVE) | TX(SCTP_CKSUM) | RX(VLAN) |
		       RX(L4_CKSUM_BAD);
	m->tx_offload = UINT64_MAX;
	return m;
}

static void
becomes(enum csum_link link, const struct csum_virtio_hdr *hdr, const struct virtio_tx *want)
{
	enum csum_refusal why = CSUM_REFUSAL_MAX;
	struct rte_mbuf *m = frame_in((uint16_t[]){ 13, 0, 30, 1 }, f.len > 44 ? 4 : 0);
	uint64_t verdict = (hdr->flags & NEEDS) != 0 ? RX(L4_CKSUM_NONE) :
			   (hdr->flags & VALID) != 0 ? RX(L4_CKSUM_GOOD) : 0;

	assert_int_equal(csum_virtio_to_mbuf(m, hdr, link, &why), 0);
	assert_int_equal(why, CSUM_REFUSAL_NONE);
	virtio_assert_tx(m, want);
	assert_int_equal(m->ol_flags & ~VIRTIO_TX_MASK & ~RTE_MBUF_F_EXTERNAL,
			 TX(VLAN) | RX(VLAN) | verdict);
	harness_assert_chain(m, f.data, f.len);
	rte_pktmbuf_free(m);
}

static void
build(uint32_t (*ip)(struct frame *f), bool udp, uint32_t len)
{
	frame_init(&f);
	frame_ether(&f);
	ip(&f);
	if (udp)
		frame_udp(&f, 1024, 4096);
	else
		frame_tcp(&f, 0x18, "\x01\x01\x08\x0a\0\0\0\1\0\0\0\2", 12);
	frame_payload(&f, len);
	frame_finish(&f);
}

static void
nothing_asked(void **state)
{
	const struct virtio_tx none = { 0 };

	(void)state;
	build(frame_i4, false, 100);
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ .hdr_len = 9999 }, &none);
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ VALID, .csum_start = 65535 }, &none);
	f.len = 0;
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ 0 }, &none);
}

static void
partial_checksums(void **state)
{
	(void)state;
	build(frame_i4, false, 100);
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ NEEDS, 0, 0, 0, 34, 16 },
		&(struct virtio_tx){ TX(IPV4) | TX(TCP_CKSUM), 14, 20, 32, 0 });
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ NEEDS | VALID, 0, 1, 0, 34, 16 },
		&(struct virtio_tx){ TX(IPV4) | TX(TCP_CKSUM), 14, 20, 32, 0 });
	build(frame_i6, true, 100);
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ NEEDS, 0, 0, 0, 54, 6 },
		&(struct virtio_tx){ TX(IPV6) | TX(UDP_CKSUM), 14, 40, 8, 0 });

	frame_init(&f);
	frame_ether(&f);
	frame_vlan(&f, 0x88a8, 1);
	frame_vlan(&f, 0x8100, 2);
	frame_i6(&f);
	frame_ipv6_ext(&f, 60, NULL, 6);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_finish(&f);
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ NEEDS, 0, 0, 0, 70, 16 },
		&(struct virtio_tx){ TX(IPV6) | TX(TCP_CKSUM), 22, 48, 20, 0 });
}

static void
super_packets(void **state)
{
	(void)state;
	build(frame_i4, false, 3000);
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ NEEDS, 1, 66, 1448, 34, 16 },
		&(struct virtio_tx){ TX(IPV4) | TX(IP_CKSUM) | TX(TCP_SEG), 14, 20, 32, 1448 });
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ NEEDS, 0x81, 1, 2999, 34, 16 },
		&(struct virtio_tx){ TX(IPV4) | TX(IP_CKSUM) | TX(TCP_SEG), 14, 20, 32, 2999 });
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ VALID, 1, 0, 1000, 0, 0 },
		&(struct virtio_tx){ TX(IPV4) | TX(IP_CKSUM) | TX(TCP_SEG), 14, 20, 32, 1000 });
	build(frame_i6, false, 3000);
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ NEEDS, 4, 0, 1428, 54, 16 },
		&(struct virtio_tx){ TX(IPV6) | TX(TCP_SEG), 14, 40, 32, 1428 });
	build(frame_i4, true, 3000);
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ NEEDS, 5, 42, 1200, 34, 6 },
		&(struct virtio_tx){ TX(IPV4) | TX(IP_CKSUM) | TX(UDP_SEG), 14, 20, 8, 1200 });
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ NEEDS, 3, 42, 1480, 34, 6 },
		&(struct virtio_tx){ TX(IPV4) | TX(IP_CKSUM) | TX(UDP_SEG), 14, 20, 8, 1480 });
	build(frame_i6, true, 3000);
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ NEEDS, 3, 62, 1448, 54, 6 },
		&(struct virtio_tx){ TX(IPV6) | TX(UDP_SEG), 14, 40, 8, 1456 });
	/* With the fragment header it would be more than tso_segsz can hold. */
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ NEEDS, 3, 62, 65535, 54, 6 },
		&(struct virtio_tx){ TX(IPV6) | TX(UDP_CKSUM), 14, 40, 8, 0 });
	build(frame_i6, true, 65527);
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ NEEDS, 3, 62, 65528, 54, 6 },
		&(struct virtio_tx){ TX(IPV6) | TX(UDP_SEG), 14, 40, 8, 65535 });
}

/* What fits in one segment is not cut, though its checksum may be partial. */
static void
payload_of_one_segment(void **state)
{
	(void)state;
	build(frame_i4, false, 1448);
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ NEEDS, 1, 66, 1448, 34, 16 },
		&(struct virtio_tx){ TX(IPV4) | TX(TCP_CKSUM), 14, 20, 32, 0 });
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ 0, 1, 66, 1448, 0, 0 },
		&(struct virtio_tx){ 0, 14, 20, 32, 0 });
	build(frame_i4, true, 1472);
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ NEEDS, 3, 0, 1480, 34, 6 },
		&(struct virtio_tx){ TX(IPV4) | TX(UDP_CKSUM), 14, 20, 8, 0 });
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ NEEDS, 3, 0, 1479, 34, 6 },
		&(struct virtio_tx){ TX(IPV4) | TX(IP_CKSUM) | TX(UDP_SEG), 14, 20, 8, 1479 });
}

static void
packets_of_a_tun_device(void **state)
{
	(void)state;
	frame_init(&f);
	frame_i4(&f);
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 60000);
	frame_finish(&f);
	becomes(CSUM_LINK_IP, &(struct csum_virtio_hdr){ NEEDS, 1, 40, 1460, 20, 16 },
		&(struct virtio_tx){ TX(IPV4) | TX(IP_CKSUM) | TX(TCP_SEG), 0, 20, 20, 1460 });
	frame_init(&f);
	frame_i6(&f);
	frame_udp(&f, 1, 2);
	frame_payload(&f, 1);
	frame_finish(&f);
	becomes(CSUM_LINK_IP, &(struct csum_virtio_hdr){ NEEDS, 0, 0, 0, 40, 6 },
		&(struct virtio_tx){ TX(IPV6) | TX(UDP_CKSUM), 0, 40, 8, 0 });
}

/* The field of which checksum is named, inner or outer; both are judged when all is done. */
static void
checksum_in_a_tunnel(void **state)
{
	uint32_t outer, inner, udp, tcp;
	struct rte_mbuf *m;

	(void)state;
	frame_init(&f);
	frame_ether(&f);
	outer = frame_outer4(&f);
	udp = frame_udp(&f, 50000, 4789);
	frame_vxlan(&f, 42);
	frame_ether_inner(&f);
	inner = frame_i4(&f);
	tcp = frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 501);
	frame_finish(&f);
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ NEEDS, 0, 0, 0, udp, 6 },
		&(struct virtio_tx){ TX(IPV4) | TX(UDP_CKSUM), 14, 20, 8, 0 });
	becomes(CSUM_LINK_ETHER, &(struct csum_virtio_hdr){ NEEDS, 0, 0, 0, tcp, 16 },
		&(struct virtio_tx){ TX(IPV4) | TX(TCP_CKSUM), 64, 20, 20, 0 });

	virtio_seed(&f, inner, tcp);
	m = frame_in((uint16_t[]){ 63, 33, 1 }, 3);
	assert_int_equal(csum_virtio_to_mbuf(m, &(struct csum_virtio_hdr){ NEEDS, .csum_start = tcp,
					     .csum_offset = 16 }, CSUM_LINK_ETHER, NULL), 0);
	assert_int_equal(csum_pkt_prepare(m, UINT64_MAX, NULL), 0);
	harness_flatten(m, f.data, f.len);
	rte_pktmbuf_free(m);
	virtio_seed(&f, outer, udp);
	m = frame_in((uint16_t[]){ 63, 33, 1 }, 3);
	assert_int_equal(csum_virtio_to_mbuf(m, &(struct csum_virtio_hdr){ NEEDS, .csum_start = udp,
					     .csum_offset = 6 }, CSUM_LINK_ETHER, NULL), 0);
	assert_int_equal(csum_pkt_prepare(m, UINT64_MAX, NULL), 0);
	harness_flatten(m, f.data, f.len);
	rte_pktmbuf_free(m);
	virtio_assert_good(f.data, f.len, REF_LINK_ETHER);
}

/* ---- refusals */

static void
refused(const struct csum_virtio_hdr *hdr, enum csum_refusal want, int result)
{
	enum csum_refusal why = CSUM_REFUSAL_MAX;
	struct rte_mbuf *m = frame_in((uint16_t[]){ 9, 11 }, f.len > 20 ? 2 : 0), before = *m;

	assert_int_equal(csum_virtio_to_mbuf(m, hdr, CSUM_LINK_ETHER, &why), result);
	assert_int_equal(why, want);
	assert_int_equal(csum_virtio_to_mbuf(m, hdr, CSUM_LINK_ETHER, NULL), result);
	virtio_assert_metadata(m, &before);
	harness_assert_chain(m, f.data, f.len);
	rte_pktmbuf_free(m);
}

#define REFUSED(why, result, ...) \
	refused(&(struct csum_virtio_hdr){ __VA_ARGS__ }, CSUM_REFUSAL_##why, result)

static void
unknown_values(void **state)
{
	unsigned int i;

	(void)state;
	build(frame_i4, false, 3000);
	for (i = 2; i < 8; i++)
		REFUSED(PROTOCOL, -ENOTSUP, 1u << i | NEEDS, 0, 0, 0, 34, 16);
	for (i = 0; i < 128; i++)
		if (i > 5 || i == 2)
			REFUSED(PROTOCOL, -ENOTSUP, NEEDS, i, 66, 1448, 34, 16);
	REFUSED(PROTOCOL, -ENOTSUP, NEEDS, 0x82, 66, 1448, 34, 16);
}

static void
values_that_contradict(void **state)
{
	(void)state;
	build(frame_i4, false, 3000);
	REFUSED(FLAGS, -EINVAL, NEEDS, 0x80, 66, 1448, 34, 16);
	REFUSED(SEGSZ, -EINVAL, NEEDS, 1, 66, 0, 34, 16);
	REFUSED(HEADER, -EBADMSG, NEEDS, 4, 66, 1448, 34, 16);
	REFUSED(HEADER, -EBADMSG, NEEDS, 5, 66, 1448, 34, 16);
	REFUSED(HEADER, -EBADMSG, NEEDS, 3, 66, 1448, 34, 16);
	REFUSED(HEADER, -EBADMSG, 0, 4, 66, 1448, 0, 0);
	build(frame_i6, true, 3000);
	REFUSED(FLAGS, -EINVAL, NEEDS, 0x85, 62, 1448, 54, 6);
	REFUSED(FLAGS, -EINVAL, NEEDS, 0x83, 62, 1448, 54, 6);
	REFUSED(HEADER, -EBADMSG, NEEDS, 4, 62, 1448, 54, 6);
}

/* The end of the field is what counts, in a sum that 16 bits would not hold. */
static void
start_and_offset(void **state)
{
	(void)state;
	build(frame_i4, false, 0);
	assert_int_equal(f.len, 66);
	REFUSED(LENGTHS, -EINVAL, NEEDS, 0, 0, 0, 65535, 65535);
	REFUSED(LENGTHS, -EINVAL, NEEDS, 0, 0, 0, 65535, 1);
	REFUSED(LENGTHS, -EINVAL, NEEDS, 0, 0, 0, 34, 65502);
	REFUSED(LENGTHS, -EINVAL, NEEDS, 0, 0, 0, 66, 0);
	REFUSED(LENGTHS, -EINVAL, NEEDS, 0, 0, 0, 34, 31);
	REFUSED(HEADER, -EBADMSG, NEEDS, 0, 0, 0, 34, 30);
	REFUSED(HEADER, -EBADMSG, NEEDS, 0, 0, 0, 34, 15);
	REFUSED(HEADER, -EBADMSG, NEEDS, 0, 0, 0, 34, 6);
	REFUSED(PROTOCOL, -ENOTSUP, NEEDS, 0, 0, 0, 0, 16);
	REFUSED(PROTOCOL, -ENOTSUP, NEEDS, 0, 0, 0, 35, 16);
	REFUSED(PROTOCOL, -ENOTSUP, NEEDS, 0, 0, 0, 14, 10);
	f.len = 1;
	REFUSED(LENGTHS, -EINVAL, NEEDS, 0, 0, 0, 0, 0);
	f.len = 0;
	REFUSED(LENGTHS, -EINVAL, NEEDS, 0, 0, 0, 0, 0);
	REFUSED(PROTOCOL, -ENOTSUP, 0, 1, 0, 1, 0, 0);
}

static void
packets_that_are_not_what_is_said(void **state)
{
	(void)state;
	build(frame_i4, false, 3000);
	f.data[46] = 0x40;
	REFUSED(HEADER, -EBADMSG, NEEDS, 1, 0, 1448, 34, 16);
	f.data[46] = 0x80;
	harness_put_be16(f.data + 20, 0x2000);
	REFUSED(FRAGMENT, -ENOTSUP, NEEDS, 1, 0, 1448, 34, 16);
	REFUSED(FRAGMENT, -ENOTSUP, NEEDS, 0, 0, 0, 34, 16);
	harness_put_be16(f.data + 20, 0);
	harness_put_be16(f.data + 16, 39);
	REFUSED(HEADER, -EBADMSG, NEEDS, 1, 0, 1448, 34, 16);
	harness_put_be16(f.data + 12, 0x1234);
	REFUSED(PROTOCOL, -ENOTSUP, NEEDS, 1, 0, 1448, 34, 16);
	build(frame_i4, false, 3000);
	f.len = 34 + 19;
	REFUSED(HEADER, -EBADMSG, NEEDS, 1, 0, 1448, 34, 16);
	REFUSED(HEADER, -EBADMSG, NEEDS, 0, 0, 0, 34, 16);
}

/* A frame whose end is not there. */
static void
chain_shorter_than_it_says(void **state)
{
	const struct csum_virtio_hdr hdr = { NEEDS, 0, 0, 0, 34, 16 };
	enum csum_refusal why;
	struct rte_mbuf *m;

	(void)state;
	build(frame_i4, false, 100);
	m = frame_in(NULL, 0);
	m->pkt_len++;
	assert_int_equal(csum_virtio_to_mbuf(m, &hdr, CSUM_LINK_ETHER, &why), -EINVAL);
	assert_int_equal(why, CSUM_REFUSAL_LENGTHS);
	m->pkt_len--;
	rte_pktmbuf_free(m);
}

static void
super_packets_in_a_tunnel(void **state)
{
	uint32_t tcp;

	(void)state;
	frame_init(&f);
	frame_ether(&f);
	frame_outer4(&f);
	frame_gre(&f, 0, 0, 0);
	frame_i4(&f);
	tcp = frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 3000);
	frame_finish(&f);
	REFUSED(TUNNEL, -ENOTSUP, NEEDS, 1, 0, 1448, tcp, 16);
	REFUSED(TUNNEL, -ENOTSUP, 0, 1, 0, 1448, 0, 0);
}

/* l2_len has 7 bits. */
static void
headers_too_long(void **state)
{
	uint8_t labels[28 * 4] = { [27 * 4 + 2] = 1 };
	uint32_t tcp;

	(void)state;
	frame_init(&f);
	frame_ether(&f);
	frame_mpls(&f, 1, 0);
	frame_bytes(&f, labels, sizeof(labels));
	frame_i4(&f);
	tcp = frame_tcp(&f, 0x10, NULL, 0);
	frame_finish(&f);
	REFUSED(TOO_BIG, -ENOTSUP, NEEDS, 0, 0, 0, tcp, 16);
}

/* What authenticates the whole does not authenticate its parts. */
static void
authenticated_super_packet(void **state)
{
	static const uint8_t ah[24] = { 6, 4 };
	uint32_t ip;

	(void)state;
	frame_init(&f);
	frame_ether(&f);
	ip = frame_i4(&f);
	frame_bytes(&f, ah, sizeof(ah));
	frame_tcp(&f, 0x10, NULL, 0);
	frame_payload(&f, 3000);
	frame_finish(&f);
	f.data[ip + 9] = 51;
	REFUSED(PROTOCOL, -ENOTSUP, NEEDS, 1, 0, 1448, 58, 16);
}

#define T(name) cmocka_unit_test_teardown(name, virtio_pool_is_whole)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(forms_and_orders),
		T(other_lengths),
		T(nothing_asked),
		T(partial_checksums),
		T(super_packets),
		T(payload_of_one_segment),
		T(packets_of_a_tun_device),
		T(checksum_in_a_tunnel),
		T(unknown_values),
		T(values_that_contradict),
		T(start_and_offset),
		T(packets_that_are_not_what_is_said),
		T(chain_shorter_than_it_says),
		T(super_packets_in_a_tunnel),
		T(headers_too_long),
		T(authenticated_super_packet),
	};

	virtio_start("virtio_to");
	return harness_finish(cmocka_run_group_tests_name("virtio-to", tests, NULL, NULL));
}
