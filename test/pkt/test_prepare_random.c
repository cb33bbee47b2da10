/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdlib.h>
#include <string.h>

#include "prepare_util.h"
#include "ref_csum.h"

/*
 * Random packets: all combinations of headers and requests, cut at random, with garbage in the
 * checksum fields. What must come out is worked out on the flat frame, by the reference, from the
 * layers that the frame was built of.
 */

#define NB_PACKETS 4000

static struct harness_rng rng;
static struct frame f;

/* What was built, and where. */
struct shape {
	uint64_t flags;
	uint32_t outer_ip;   /* 0: no tunnel */
	uint32_t outer_udp;  /* 0: no UDP tunnel */
	uint32_t ip;
	uint32_t l4;
	uint32_t l4_end;
	uint32_t dst;        /* IPv6: final destination */
	uint8_t proto;
	bool v6;
	bool outer6;
};

static uint32_t
below(uint32_t n)
{
	return harness_rand_below(&rng, n);
}

static void
add_link(void)
{
	uint32_t i, nb_tags = below(4) == 0 ? below(3) : 0;

	frame_ether(&f);
	for (i = 0; i < nb_tags; i++)
		frame_vlan(&f, i == 0 ? 0x88a8 : 0x8100, (uint16_t)below(4096));
}

static void
add_udp_tunnel(struct shape *shape)
{
	uint8_t opts[32];
	uint32_t len = below(5) * 4;

	shape->outer_udp = frame_udp(&f, (uint16_t)below(65536), 0);
	if (below(2) == 0) {
		shape->flags |= TX(TUNNEL_VXLAN);
		harness_put_be16(f.data + shape->outer_udp + 2, 4789);
		frame_vxlan(&f, below(1 << 24));
	} else {
		shape->flags |= TX(TUNNEL_GENEVE);
		harness_put_be16(f.data + shape->outer_udp + 2, 6081);
		harness_rand_bytes(&rng, opts, len);
		frame_geneve(&f, below(1 << 24), opts, len);
	}
	frame_ether_inner(&f);
}

static void
add_tunnel(struct shape *shape)
{
	shape->outer6 = below(2);
	if (shape->outer6) {
		shape->outer_ip = frame_outer6(&f);
		shape->flags |= TX(OUTER_IPV6);
		if (below(4) == 0)
			frame_ipv6_ext(&f, 60, NULL, 0);
	} else {
		shape->outer_ip = frame_outer4(&f);
		shape->flags |= TX(OUTER_IPV4);
		if (below(2) == 0)
			shape->flags |= TX(OUTER_IP_CKSUM);
	}
	switch (below(4)) {
	case 0:
		shape->flags |= TX(TUNNEL_IPIP);
		break;
	case 1:
		shape->flags |= TX(TUNNEL_GRE);
		frame_gre(&f, (uint16_t)(below(4) << 12), 1, 2);
		break;
	default:
		add_udp_tunnel(shape);
		if (below(4) != 0)
			shape->flags |= TX(OUTER_UDP_CKSUM);
	}
}

static void
add_ipv4(struct shape *shape)
{
	uint8_t opts[40];
	uint32_t len = below(3) == 0 ? below(11) * 4 : 0;

	harness_rand_bytes(&rng, opts, len);
	shape->ip = frame_ipv4_opts(&f, "10.0.0.1", "10.0.0.2", (uint16_t)below(65536), opts, len);
	shape->flags |= TX(IPV4);
	if (below(2) == 0)
		shape->flags |= TX(IP_CKSUM);
}

static void
add_ipv6(struct shape *shape)
{
	uint8_t body[54];
	uint32_t off;

	shape->v6 = true;
	shape->flags |= TX(IPV6);
	shape->ip = frame_i6(&f);
	shape->dst = shape->ip + 24;
	if (below(4) == 0)
		frame_ipv6_ext(&f, 0, NULL, 0);
	if (below(3) == 0) {
		uint32_t nb_addrs = 1 + below(3);

		harness_rand_bytes(&rng, body, sizeof(body));
		body[0] = below(2) == 0 ? 0 : 4;
		body[1] = (uint8_t)below(nb_addrs + 1);
		off = frame_ipv6_ext(&f, 43, body, 6 + nb_addrs * 16);
		if (body[1] != 0)
			shape->dst = off + 8 + (body[0] == 0 ? (nb_addrs - 1) * 16 : 0);
	}
	if (below(4) == 0)
		frame_ipv6_ext(&f, 60, NULL, 0);
}

static void
add_l4(struct shape *shape)
{
	uint8_t opts[40];
	uint32_t len = below(11) * 4;

	switch (below(3)) {
	case 0:
		harness_rand_bytes(&rng, opts, len);
		shape->proto = 6;
		shape->l4 = frame_tcp(&f, (uint8_t)below(256), opts, len);
		break;
	case 1:
		shape->proto = 17;
		shape->l4 = frame_udp(&f, (uint16_t)below(65536), (uint16_t)below(65536));
		break;
	default:
		shape->proto = 132;
		shape->l4 = frame_sctp(&f, 1, 2, below(1000));
	}
	if (below(4) == 0)
		return;
	shape->flags |= shape->proto == 6 ? TX(TCP_CKSUM) :
		shape->proto == 17 ? TX(UDP_CKSUM) : TX(SCTP_CKSUM);
}

static void
add_payload(struct shape *shape)
{
	uint32_t off, len = below(below(2) == 0 ? 40 : 1500);

	off = frame_bytes(&f, NULL, len);
	harness_rand_bytes(&rng, f.data + off, len);
	frame_finish(&f);
	shape->l4_end = f.len;
	if (shape->proto == 17 && len != 0 && below(8) == 0) {
		/* The datagram is shorter than what its IP packet holds. */
		shape->l4_end -= 1 + below(len);
		harness_put_be16(f.data + shape->l4 + 4,
				 (uint16_t)(shape->l4_end - shape->l4));
	}
	if (below(8) == 0) {
		/* Ethernet padding. */
		off = frame_bytes(&f, NULL, 1 + below(46));
		harness_rand_bytes(&rng, f.data + off, f.len - off);
	}
}

static void
build(struct shape *shape)
{
	memset(shape, 0, sizeof(*shape));
	frame_init(&f);
	add_link();
	if (below(2) == 0)
		add_tunnel(shape);
	if (below(2) == 0)
		add_ipv4(shape);
	else
		add_ipv6(shape);
	add_l4(shape);
	add_payload(shape);
}

static void
ref_ipv4(uint8_t *p, uint32_t off)
{
	uint8_t *hdr = p + off;

	harness_put_be16(hdr + 10, 0);
	harness_put_be16(hdr + 10, ref_check(hdr, (hdr[0] & 0xf) * 4));
}

static void
ref_l4(uint8_t *p, uint32_t ip, bool v6, uint32_t dst, uint8_t proto, uint32_t off, uint32_t len)
{
	uint32_t field = off + (proto == 6 ? 16 : 6);
	struct ref_sum sum = { 0 };
	uint8_t tail[8];
	uint16_t check;

	harness_put_be32(tail, len);
	harness_put_be32(tail + 4, proto);
	harness_put_be16(p + field, 0);
	if (v6) {
		ref_sum_add(&sum, p + ip + 8, 16);
		ref_sum_add(&sum, p + dst, 16);
	} else {
		ref_sum_add(&sum, p + ip + 12, 8);
	}
	ref_sum_add(&sum, tail, sizeof(tail));
	ref_sum_add(&sum, p + off, len);
	check = (uint16_t)~sum.raw;
	harness_put_be16(p + field, check == 0 && proto == 17 ? 0xffff : check);
}

static void
ref_sctp(uint8_t *p, uint32_t off, uint32_t len)
{
	uint32_t crc;

	harness_put_be32(p + off + 8, 0);
	crc = ref_crc32c(0, p + off, len);
	p[off + 8] = (uint8_t)crc;
	p[off + 9] = (uint8_t)(crc >> 8);
	p[off + 10] = (uint8_t)(crc >> 16);
	p[off + 11] = (uint8_t)(crc >> 24);
}

/* Fill the flat frame, innermost first. */
static void
ref_fill(uint8_t *p, const struct shape *shape)
{
	if ((shape->flags & TX(IP_CKSUM)) != 0)
		ref_ipv4(p, shape->ip);
	if ((shape->flags & TX(L4_MASK)) != 0) {
		if (shape->proto == 132)
			ref_sctp(p, shape->l4, shape->l4_end - shape->l4);
		else
			ref_l4(p, shape->ip, shape->v6, shape->dst, shape->proto, shape->l4,
			       shape->l4_end - shape->l4);
	}
	if ((shape->flags & TX(OUTER_IP_CKSUM)) != 0)
		ref_ipv4(p, shape->outer_ip);
	if ((shape->flags & TX(OUTER_UDP_CKSUM)) != 0)
		ref_l4(p, shape->outer_ip, shape->outer6, shape->outer_ip + 24, 17,
		       shape->outer_udp, harness_be16(p + shape->outer_udp + 4));
}

static void
spoil(uint32_t off, uint32_t len)
{
	harness_rand_bytes(&rng, f.data + off, len);
}

/* Garbage in every checksum field, asked for or not. */
static void
spoil_fields(const struct shape *shape)
{
	static const struct {
		uint8_t proto, off, len;
	} l4[] = { { 6, 16, 2 }, { 17, 6, 2 }, { 132, 8, 4 } };
	unsigned int i;

	if (!shape->v6)
		spoil(shape->ip + 10, 2);
	if (shape->outer_ip != 0 && !shape->outer6)
		spoil(shape->outer_ip + 10, 2);
	if (shape->outer_udp != 0)
		spoil(shape->outer_udp + 6, 2);
	for (i = 0; i < RTE_DIM(l4); i++)
		if (shape->proto == l4[i].proto)
			spoil(shape->l4 + l4[i].off, l4[i].len);
}

/* A chain of @p len bytes of garbage, cut at random. */
static struct rte_mbuf *
garbage(uint32_t len)
{
	static uint8_t bytes[FRAME_MAX_LEN];
	uint16_t lens[40];
	unsigned int nb = below(3) == 0 ? 0 : harness_rand_lens(&rng, len, lens, RTE_DIM(lens));

	memset(bytes, (int)below(256), len);
	return harness_chain_kind(prepare_pool, HARNESS_EXTERNAL, bytes, len, lens, nb);
}

/* A copy gets what its original would; longer than that it keeps its end. */
static void
assert_copy(const struct rte_mbuf *m, const uint8_t *want, uint32_t len)
{
	uint32_t more = below(2) == 0 ? below(20) : 0;
	struct rte_mbuf *copy = garbage(len + more);
	uint8_t *got = malloc(len + more), *before = malloc(len + more);

	assert_non_null(got);
	assert_non_null(before);
	harness_flatten(copy, before, len + more);
	assert_int_equal(csum_pkt_prepare_copy(copy, m, UINT64_MAX, NULL), 0);
	harness_flatten(copy, got, len + more);
	harness_assert_bytes(got, want, len);
	harness_assert_bytes(got + len, before + len, more);
	free(before);
	free(got);
	rte_pktmbuf_free(copy);
}

static void
random_packets_come_out_as_the_reference_fills_them(void **state)
{
	static uint8_t want[FRAME_MAX_LEN];
	enum csum_refusal why;
	struct shape shape;
	struct rte_mbuf *m;
	uint16_t lens[40];
	unsigned int i, nb;

	harness_rng_init(&rng);
	for (i = 0; i < NB_PACKETS; i++) {
		build(&shape);
		spoil_fields(&shape);
		nb = below(3) == 0 ? 0 : harness_rand_lens(&rng, f.len, lens, RTE_DIM(lens));
		m = frame_mbuf_kind(&f, prepare_pool,
				    i % 2 == 0 ? HARNESS_DIRECT : HARNESS_EXTERNAL, lens, nb);
		m->ol_flags |= shape.flags;
		if (shape.outer_ip != 0 && below(2) == 0 &&
		    m->l2_len + m->outer_l2_len + m->outer_l3_len < 128)
			frame_tx_lens_flat(m);
		why = CSUM_REFUSAL_NONE;
		if (csum_pkt_check(m, &why) != 0)
			fail_msg("packet %u refused: %s", i, csum_refusal_name(why));
		harness_assert_chain(m, f.data, f.len);
		memcpy(want, f.data, f.len);
		ref_fill(want, &shape);
		assert_copy(m, want, f.len);
		harness_assert_chain(m, f.data, f.len);
		assert_int_equal(csum_pkt_prepare(m, UINT64_MAX, NULL), 0);
		harness_assert_chain(m, want, f.len);
		rte_pktmbuf_free(m);
	}
}

/* What cannot be filled is not copied either, for the same reason. */
static void
assert_copy_agrees(const struct rte_mbuf *m, int result, enum csum_refusal want)
{
	struct rte_mbuf *copy = garbage(m->pkt_len);
	static uint8_t before[FRAME_MAX_LEN];
	enum csum_refusal why = CSUM_REFUSAL_NONE;

	harness_flatten(copy, before, sizeof(before));
	assert_int_equal(csum_pkt_prepare_copy(copy, m, UINT64_MAX, &why), result);
	assert_int_equal(why, want);
	if (result != 0)
		harness_assert_chain(copy, before, m->pkt_len);
	rte_pktmbuf_free(copy);
}

/* Whatever bytes, flags and lengths: no crash, no access outside, and an error changes nothing. */
static void
random_garbage_is_survived(void **state)
{
	static uint8_t got[FRAME_MAX_LEN];
	enum csum_refusal why;
	struct shape shape;
	struct rte_mbuf *m;
	uint16_t lens[40];
	unsigned int i, j, nb;
	int result;

	harness_rng_init(&rng);
	for (i = 0; i < NB_PACKETS; i++) {
		build(&shape);
		for (j = below(4); j > 0; j--)
			f.data[below(RTE_MIN(f.len, 120u))] = (uint8_t)below(256);
		if (below(2) == 0)
			f.len = 1 + below(f.len);
		nb = harness_rand_lens(&rng, f.len, lens, RTE_DIM(lens));
		m = frame_mbuf_kind(&f, prepare_pool, HARNESS_EXTERNAL, lens, nb);
		m->ol_flags |= shape.flags ^ (below(2) == 0 ? harness_rand(&rng) &
			harness_rand(&rng) & (RTE_MBUF_F_TX_OFFLOAD_MASK) : 0);
		if (below(4) == 0)
			m->tx_offload = harness_rand(&rng);
		if (below(4) == 0)
			m->l3_len = below(512);
		m->tso_segsz = (uint16_t)(below(2) * below(2000));
		why = CSUM_REFUSAL_NONE;
		result = csum_pkt_check(m, &why);
		assert_copy_agrees(m, result, why);
		harness_assert_chain(m, f.data, f.len);
		if (csum_pkt_prepare(m, UINT64_MAX, NULL) != 0)
			harness_assert_chain(m, f.data, f.len);
		assert_int_equal(harness_flatten(m, got, sizeof(got)), f.len);
		rte_pktmbuf_free(m);
	}
}

#define CASE(name) cmocka_unit_test_teardown(name, prepare_pool_is_whole)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(random_packets_come_out_as_the_reference_fills_them),
		CASE(random_garbage_is_survived),
	};

	prepare_start("prepare_random");
	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
