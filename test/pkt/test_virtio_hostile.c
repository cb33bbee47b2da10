/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Any virtio-net header on any packet: it is refused with nothing changed, or what it becomes can
 * be carried out. Chains are made of external buffers of just the bytes in them, so that the
 * address sanitizer sees the first one beyond.
 */

#include <errno.h>
#include <string.h>

#include <csum_gso.h>

#include <ref_csum.h>

#include "parse_frames.h"
#include "virtio_util.h"

#define NB_ROUNDS 30000

static struct rte_mempool *segs;
static struct harness_rng rng;
static struct frame f;

/* Accepted packets of each kind: a fuzz that is refused all the time shows nothing. */
static struct {
	unsigned int refused, checksums, supers, segments, back, completed;
} seen;

static bool
one_in(unsigned int n)
{
	return harness_rand_below(&rng, n) == 0;
}

/* One of the frames with each header, or a plain one with more payload; some bytes wrong. */
static void
make_packet(void)
{
	unsigned int i, nb;

	if (one_in(2)) {
		parse_frame_build(&parse_frames[harness_rand_below(&rng, nb_parse_frames)], &f);
	} else {
		frame_init(&f);
		frame_ether(&f);
		if (one_in(2))
			frame_i4(&f);
		else
			frame_i6(&f);
		if (one_in(2))
			frame_udp(&f, 1, 2);
		else
			frame_tcp(&f, 0x10, NULL, 0);
		frame_payload(&f, harness_rand_below(&rng, one_in(20) ? 66000 : 5000));
		frame_finish(&f);
	}
	nb = one_in(2) ? 0 : harness_rand_below(&rng, 4);
	for (i = 0; i < nb; i++)
		f.data[harness_rand_below(&rng, RTE_MIN(f.len, 120u))] = (uint8_t)
			harness_rand(&rng);
	if (one_in(8))
		f.len = harness_rand_below(&rng, f.len + 1);
}

/* Values that make sense, with one of them wrong now and then, or all of them. */
static void
make_header(struct csum_virtio_hdr *hdr)
{
	static const uint8_t types[] = { 0, 1, 3, 4, 5, 0x81, 0x84 };
	unsigned int i, l4 = 0, proto = 6;

	for (i = 0; i < f.nb_layers; i++)
		if (f.layer[i].type == FRAME_TCP || f.layer[i].type == FRAME_UDP) {
			l4 = f.layer[i].off;
			proto = f.layer[i].proto;
			if (one_in(2))
				break;
		}
	hdr->flags = one_in(4) ? 2 : 1;
	hdr->gso_type = types[harness_rand_below(&rng, RTE_DIM(types))];
	hdr->hdr_len = (uint16_t)harness_rand(&rng);
	hdr->gso_size = 1 + harness_rand_below(&rng, 2000);
	hdr->csum_start = l4;
	hdr->csum_offset = proto == 17 ? 6 : 16;
	hdr->num_buffers = 0;
	if (one_in(20))
		harness_rand_bytes(&rng, hdr, sizeof(*hdr));
	if (one_in(10))
		((uint8_t *)hdr)[harness_rand_below(&rng, sizeof(*hdr))] =
			(uint8_t)harness_rand(&rng);
}

static struct rte_mbuf *
make_mbuf(void)
{
	uint16_t lens[24];
	unsigned int nb = harness_rand_lens(&rng, RTE_MIN(f.len, 3000u), lens, RTE_DIM(lens));

	return harness_chain_kind(virtio_pool, HARNESS_EXTERNAL, f.data, f.len, lens, nb);
}

static void
assert_known_error(int rc, enum csum_refusal why)
{
	assert_true(rc == -EINVAL || rc == -EBADMSG || rc == -ENOTSUP);
	assert_int_equal(rc, csum_refusal_errno(why));
}

/* Cut to the end or refused; all bytes of payload come out. */
static void
segment(const struct rte_mbuf *m, uint8_t gso_type)
{
	const struct csum_gso_conf conf = {
		.pool = segs,
		.flags = gso_type == CSUM_VIRTIO_GSO_UDP ? CSUM_GSO_F_UFO : 0,
	};
	static struct csum_gso_iter it;
	struct csum_gso_req req;
	enum csum_refusal why;
	struct rte_mbuf *seg;
	int rc;

	csum_gso_req_from_mbuf(&req, m);
	rc = csum_gso_iter_init(&it, m, &req, &conf, &why);
	if (rc != 0) {
		assert_known_error(rc, why);
		return;
	}
	assert_true(csum_gso_iter_left(&it) > 1 || gso_type == CSUM_VIRTIO_GSO_UDP);
	while ((rc = csum_gso_iter_next(&it, &seg)) == 1) {
		assert_true(seg->pkt_len <= m->pkt_len + 8);
		rte_pktmbuf_free(seg);
		seen.segments++;
	}
	assert_int_equal(rc, 0);
}

/* A header made again from the requests, for the next port. */
static void
send_on(struct rte_mbuf *m, uint8_t gso_type)
{
	uint32_t flags = gso_type == CSUM_VIRTIO_GSO_UDP ? CSUM_VIRTIO_F_UFO : 0;
	struct csum_virtio_hdr hdr;
	enum csum_refusal why;
	int rc;

	rc = csum_virtio_from_mbuf(&hdr, m, flags, &why);
	if (rc != 0) {
		assert_known_error(rc, why);
		return;
	}
	seen.back++;
	rc = csum_virtio_to_mbuf(m, &hdr, CSUM_LINK_ETHER, &why);
	if (rc != 0)
		assert_known_error(rc, why);
}

static void
accepted(struct rte_mbuf *m, const struct csum_virtio_hdr *hdr)
{
	enum csum_refusal why;
	int rc;

	assert_true((uint32_t)m->l2_len + m->l3_len + m->l4_len <= m->pkt_len);
	if ((m->ol_flags & (TX(TCP_SEG) | TX(UDP_SEG))) != 0) {
		assert_true(m->tso_segsz != 0);
		seen.supers++;
		segment(m, hdr->gso_type);
	} else if ((m->ol_flags & TX(L4_MASK)) != 0) {
		seen.checksums++;
		rc = csum_pkt_check(m, &why);
		if (rc != 0)
			assert_known_error(rc, why);
	}
	send_on(m, hdr->gso_type);
}

static void
headers_on_packets(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < NB_ROUNDS; i++) {
		struct csum_virtio_hdr hdr;
		struct rte_mbuf *m, before;
		enum csum_refusal why;
		int rc;

		make_packet();
		make_header(&hdr);
		m = make_mbuf();
		before = *m;
		rc = csum_virtio_to_mbuf(m, &hdr, CSUM_LINK_ETHER, &why);
		harness_assert_chain(m, f.data, f.len);
		if (rc == 0) {
			accepted(m, &hdr);
		} else {
			assert_known_error(rc, why);
			virtio_assert_metadata(m, &before);
			seen.refused++;
		}
		rte_pktmbuf_free(m);
	}
	assert_true(seen.refused > NB_ROUNDS / 20);
	assert_true(seen.checksums > NB_ROUNDS / 20);
	assert_true(seen.supers > NB_ROUNDS / 20);
	assert_true(seen.segments > seen.supers);
	assert_true(seen.back > NB_ROUNDS / 20);
}

static void
any_start_and_offset(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < NB_ROUNDS / 3; i++) {
		uint32_t start, offset;
		struct rte_mbuf *m;

		make_packet();
		start = one_in(9) ? (uint32_t)harness_rand(&rng) :
				    harness_rand_below(&rng, f.len + 2);
		offset = one_in(9) ? (uint32_t)harness_rand(&rng) : harness_rand_below(&rng, 40);
		m = make_mbuf();
		if (csum_pkt_complete(m, start, offset) == 0) {
			uint16_t check = ref_check(f.data + start, f.len - start);

			harness_put_be16(f.data + start + offset, check != 0 ? check : 0xffff);
			seen.completed++;
		}
		harness_assert_chain(m, f.data, f.len);
		rte_pktmbuf_free(m);
	}
	assert_true(seen.completed > NB_ROUNDS / 30);
}

static void
any_rx_flags(void **state)
{
	static const uint64_t flags[] = {
		RX(L4_CKSUM_NONE), RX(IP_CKSUM_NONE), RX(LRO), RX(LRO) | RX(L4_CKSUM_GOOD),
		RX(L4_CKSUM_NONE) | RX(IP_CKSUM_NONE), RX(LRO) | RX(L4_CKSUM_NONE),
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < NB_ROUNDS / 3; i++) {
		struct rte_mbuf *m, before;
		enum csum_refusal why;
		int rc;

		make_packet();
		m = make_mbuf();
		m->ol_flags |= flags[harness_rand_below(&rng, RTE_DIM(flags))];
		m->tso_segsz = harness_rand_below(&rng, 2000);
		before = *m;
		rc = csum_pkt_rx_to_tx(m, CSUM_LINK_ETHER, &why);
		harness_assert_chain(m, f.data, f.len);
		if (rc == 0) {
			accepted(m, &(struct csum_virtio_hdr){ 0 });
		} else {
			assert_known_error(rc, why);
			virtio_assert_metadata(m, &before);
		}
		rte_pktmbuf_free(m);
	}
}

/* Lengths that fit, with some of them wrong now and then, and any mix of flags. */
static void
make_requests(struct rte_mbuf *m)
{
	static const uint64_t flags[] = {
		TX(TCP_CKSUM), TX(UDP_CKSUM), TX(SCTP_CKSUM), TX(TCP_SEG), TX(UDP_SEG),
		TX(OUTER_IP_CKSUM) | TX(OUTER_IPV4), TX(OUTER_UDP_CKSUM) | TX(OUTER_IPV4),
		TX(OUTER_IPV6), TX(TUNNEL_VXLAN), TX(IPV4), TX(IPV6), TX(IP_CKSUM),
	};
	unsigned int i;

	frame_tx_lens(&f, m);
	m->tso_segsz = harness_rand_below(&rng, 2000);
	m->ol_flags |= one_in(2) ? TX(IPV4) | TX(IP_CKSUM) : TX(IPV6);
	for (i = 0; i < 3; i++)
		m->ol_flags |= one_in(2) ? flags[harness_rand_below(&rng, RTE_DIM(flags))] : 0;
	if (one_in(6))
		m->l2_len = harness_rand_below(&rng, 128);
	if (one_in(6))
		m->l3_len = harness_rand_below(&rng, 512);
	if (one_in(6))
		m->l4_len = harness_rand_below(&rng, 256);
	if (one_in(20))
		m->tx_offload = harness_rand(&rng);
}

/* The header points into the packet, at a field of two bytes, and promises no more than it has. */
static void
assert_header_sane(const struct csum_virtio_hdr *hdr)
{
	if ((hdr->flags & CSUM_VIRTIO_NEEDS_CSUM) != 0)
		assert_true((uint32_t)hdr->csum_start + hdr->csum_offset + 2 <= f.len);
	else
		assert_int_equal(hdr->gso_type, CSUM_VIRTIO_GSO_NONE);
	if (hdr->gso_type != CSUM_VIRTIO_GSO_NONE) {
		assert_true(hdr->gso_size != 0);
		assert_true(hdr->hdr_len < f.len);
	}
}

static void
any_requests(void **state)
{
	unsigned int i, nb = 0;

	(void)state;
	for (i = 0; i < NB_ROUNDS / 3; i++) {
		uint32_t flags = one_in(2) ? CSUM_VIRTIO_F_UFO : 0;
		struct csum_virtio_hdr hdr;
		struct rte_mbuf *m, before;
		enum csum_refusal why;
		int rc;

		make_packet();
		m = make_mbuf();
		make_requests(m);
		before = *m;
		rc = csum_virtio_from_mbuf(&hdr, m, flags, &why);
		virtio_assert_metadata(m, &before);
		if (rc == 0) {
			assert_header_sane(&hdr);
			nb++;
		} else {
			assert_known_error(rc, why);
			harness_assert_chain(m, f.data, f.len);
		}
		rte_pktmbuf_free(m);
	}
	assert_true(nb > NB_ROUNDS / 30);
}

#define T(name) cmocka_unit_test_teardown(name, virtio_pool_is_whole)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(headers_on_packets),
		T(any_start_and_offset),
		T(any_rx_flags),
		T(any_requests),
	};

	virtio_start("virtio_hostile");
	segs = harness_pool("segs", 64, 2048);
	harness_rng_init(&rng);
	return harness_finish(cmocka_run_group_tests_name("virtio-hostile", tests, NULL, NULL));
}
