/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Metadata, headers and chains that lie, at random and at the extremes: nothing is read that is not
 * there, nothing is allocated before an error, and what comes out all the same is right.
 */

#include <stdlib.h>

#include "gso_model.h"
#include "ref_csum.h"

#define NB_ROUNDS 20000
#define MAX_PIECES 60
#define MAX_SEGS 300

#define TX_BITS (RTE_MBUF_F_TX_L4_MASK | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TUNNEL_MASK | \
	TSO4 | TSO6 | USO4 | OUTER4 | OUTER6 | OUTER_CKSUM | RTE_MBUF_F_TX_OUTER_IP_CKSUM)

static struct harness_rng rng;

static uint32_t
below(uint32_t n)
{
	return harness_rand_below(&rng, n);
}

/* A jumbo option in a header that reaches beyond what the lengths say is the IP header. */
static void
jumbo_option_outside_of_the_ip_header(void **state)
{
	static const uint8_t options[54] = { 0xc2, 4, [6] = 1, 46 };
	struct csum_gso_req req = { .ol_flags = TSO6, .segsz = 1000 };
	struct csum_gso_iter *it = malloc(sizeof(*it));
	struct rte_mbuf *m;
	unsigned int i;

	(void)state;
	assert_non_null(it);
	frame_i6(&gso_frame);
	frame_ipv6_ext(&gso_frame, 0, options, sizeof(options));
	frame_ipv6_ext(&gso_frame, 60, NULL, 0);
	gso_frame.data[gso_frame.len - 7] = 255;
	frame_ipv6_ext(&gso_frame, 60, NULL, 0);
	frame_tcp(&gso_frame, 0x10, NULL, 0);
	frame_payload(&gso_frame, 2500);
	frame_finish(&gso_frame);
	m = frame_mbuf(&gso_frame, gso_in, NULL, 0);
	for (i = 1; i < 200; i++) {
		req.l3_len = 1;
		req.l4_len = (uint16_t)i;
		assert_int_equal(csum_gso_iter_init(it, m, &req, &gso_conf, NULL), -EBADMSG);
		req.l3_len = (uint16_t)(200 - i);
		assert_int_equal(csum_gso_iter_init(it, m, &req, &gso_conf, NULL), -EBADMSG);
	}
	/* The same as an outer header, which the lengths say is shorter. */
	req.ol_flags |= IPIP | OUTER6;
	for (i = 1; i < 104; i++) {
		req.outer_l3_len = (uint16_t)i;
		req.l3_len = 20;
		req.l4_len = 60;
		assert_true(csum_gso_iter_init(it, m, &req, &gso_conf, NULL) < 0);
	}
	rte_pktmbuf_free(m);
	free(it);
}

static void
harm_bytes(const struct gso_model *model)
{
	static const uint8_t extremes[] = { 0, 1, 0x0f, 0x40, 0x45, 0x60, 0x7f, 0x80, 0xff };
	unsigned int nb = below(4);

	while (nb-- > 0)
		gso_frame.data[below(model->hdr_len)] = below(2) == 0 ?
			(uint8_t)harness_rand(&rng) : extremes[below(RTE_DIM(extremes))];
}

static uint16_t
harmed_len(uint16_t len)
{
	static const uint16_t extremes[] = { 0, 1, 7, 8, 20, 40, 60, 127, 511, 512, 513, 65535 };

	if (below(2) == 0)
		return extremes[below(RTE_DIM(extremes))];
	return (uint16_t)(len + below(65) - 32);
}

static void
harm_request(struct csum_gso_req *req)
{
	uint16_t *lens[] = {
		&req->outer_l2_len, &req->outer_l3_len, &req->l2_len, &req->l3_len, &req->l4_len,
		&req->segsz,
	};
	unsigned int nb = below(3);

	while (nb-- > 0) {
		uint16_t *len = lens[below(RTE_DIM(lens))];

		*len = harmed_len(*len);
	}
	if (below(8) == 0)
		req->ol_flags ^= harness_rand(&rng) & TX_BITS;
	if (below(16) == 0)
		req->ol_flags = harness_rand(&rng);
}

static void
harm_conf(void)
{
	static const uint16_t rooms[] = { 0, 1, 128, 1500, 65535 };

	gso_conf.headroom = (uint16_t)below(129);
	gso_conf.tailroom = (uint16_t)below(100);
	if (below(16) == 0)
		gso_conf.headroom = rooms[below(RTE_DIM(rooms))];
	if (below(16) == 0)
		gso_conf.tailroom = rooms[below(RTE_DIM(rooms))];
	if (below(2) == 0)
		gso_conf.flags |= CSUM_GSO_F_ATTACH;
}

/* The frame, or its beginning alone; as a chain of any kind, headers in 1-byte mbufs perhaps. */
static struct rte_mbuf *
harmed_chain(void)
{
	enum harness_kind kind = (enum harness_kind)below(3);
	uint32_t len = below(8) == 0 ? below(gso_frame.len + 1) : gso_frame.len;
	unsigned int nb = RTE_MIN(len, (uint32_t)CSUM_GSO_MAX_HDR), i;
	uint16_t lens[CSUM_GSO_MAX_HDR];

	if (below(3) == 0)
		for (i = 0; i < nb; i++)
			lens[i] = 1;
	else
		nb = below(3) == 0 ? 0 : harness_rand_lens(&rng, len, lens, MAX_PIECES);
	return harness_chain_kind(gso_in, kind, gso_frame.data, len, lens, nb);
}

/* Whether IPv6 extension headers name another final destination. */
static bool
has_routing(const uint8_t *ip)
{
	uint8_t next = ip[6];
	uint32_t at = 40;

	while (next == 0 || next == 60 || next == 44) {
		uint32_t len = next == 44 ? 8 : 8 + 8u * ip[at + 1];

		next = ip[at];
		at += len;
	}
	return next == 43;
}

static void
judge_ip(const uint8_t *ip, uint32_t len)
{
	struct ref_sum sum = { 0 };

	if (ip[0] >> 4 == 6) {
		assert_int_equal(harness_be16(ip + 4), len - 40);
		return;
	}
	assert_int_equal(harness_be16(ip + 2), len);
	ref_sum_add(&sum, ip, 4 * (ip[0] & 0xf));
	assert_int_equal(sum.raw, 0xffff);
}

/* The checksum of an L4 header and what follows it. */
static void
judge_l4(const uint8_t *ip, const uint8_t *l4, uint32_t len, bool tcp)
{
	struct ref_sum sum = { 0 };

	if (ip[0] >> 4 == 6) {
		if (has_routing(ip))
			return;
		ref_sum_add(&sum, ip + 8, 32);
	} else {
		ref_sum_add(&sum, ip + 12, 8);
	}
	ref_sum_add16(&sum, (uint16_t)len);
	ref_sum_add16(&sum, tcp ? 6 : 17);
	ref_sum_add(&sum, l4, len);
	assert_int_equal(sum.raw, 0xffff);
	if (!tcp)
		assert_int_equal(harness_be16(l4 + 4), len);
}

/* What is known of a segment from the request alone: all but what IP fragments are made of. */
static void
judge_segment(const struct csum_gso_req *req, const uint8_t *seg, uint32_t len, uint32_t hdr_len)
{
	bool tcp = (req->ol_flags & RTE_MBUF_F_TX_TCP_SEG) != 0;
	uint32_t l4 = hdr_len - (tcp || req->l4_len != 0 ? req->l4_len : 8);
	uint32_t l3 = l4 - req->l3_len;

	judge_ip(seg + l3, len - l3);
	judge_l4(seg + l3, seg + l4, len - l4, tcp);
	if ((req->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK) != 0 && req->outer_l3_len != 0)
		judge_ip(seg + req->outer_l2_len, len - req->outer_l2_len);
}

static uint32_t
request_hdr_len(const struct csum_gso_req *req)
{
	uint32_t len = req->l2_len + req->l3_len + req->l4_len;

	if (req->l4_len == 0)
		len += 8;
	if ((req->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK) != 0)
		len += req->outer_l2_len + req->outer_l3_len;
	return len;
}

/* Take the segments of what was not refused, and judge them. */
static void
judge_cut(struct csum_gso_iter *it, const struct csum_gso_req *req, uint32_t pkt_len)
{
	bool ufo = (gso_conf.flags & CSUM_GSO_F_UFO) != 0 &&
		(req->ol_flags & RTE_MBUF_F_TX_UDP_SEG) != 0;
	uint32_t hdr_len = request_hdr_len(req), done = 0, n, len, left;
	static uint8_t flat[128 * 1024];
	struct rte_mbuf *seg;
	unsigned int i;

	assert_true(hdr_len <= pkt_len);
	left = csum_gso_iter_left(it);
	for (i = 0; i < MAX_SEGS && csum_gso_iter_next(it, &seg) == 1; i++) {
		assert_int_equal(csum_gso_iter_left(it), --left);
		assert_int_equal(rte_mbuf_check(seg, 1, NULL), 0);
		len = harness_flatten(seg, flat, sizeof(flat));
		assert_int_equal(len, seg->pkt_len);
		rte_pktmbuf_free(seg);
		n = RTE_MIN(req->segsz, pkt_len - hdr_len - done);
		/* A jumbo option that was there has gone, with the header it was in. */
		if (ufo || len != hdr_len + n)
			continue;
		harness_assert_bytes(flat + hdr_len, gso_frame.data + hdr_len + done, n);
		judge_segment(req, flat, len, hdr_len);
		done += n;
	}
	assert_true(left == 0 || i == MAX_SEGS);
}

static void
one_harmed_packet(struct csum_gso_iter *it)
{
	enum csum_refusal why = CSUM_REFUSAL_MAX;
	struct gso_model model;
	struct rte_mbuf *m;
	uint32_t len;
	int ret;

	gso_model_make(&model, &rng);
	harm_bytes(&model);
	harm_request(&model.req);
	harm_conf();
	m = harmed_chain();
	len = m->pkt_len;
	if (below(8) == 0)
		m->pkt_len += below(5) - 2;
	ret = csum_gso_iter_init(it, m, &model.req, &gso_conf, &why);
	assert_int_equal(ret, csum_refusal_errno(why));
	assert_int_equal(harness_in_use(gso_conf.pool), 0);
	if (ret == 0) {
		assert_true(m->pkt_len <= len);
		judge_cut(it, &model.req, m->pkt_len);
	}
	m->pkt_len = len;
	harness_assert_chain(m, gso_frame.data, len);
	rte_pktmbuf_free(m);
	assert_int_equal(harness_in_use(gso_conf.pool), 0);
}

static void
lies_at_random(void **state)
{
	struct rte_mempool *small = harness_pool("small", 2048, 512);
	struct csum_gso_iter *it = malloc(sizeof(*it));
	unsigned int i;

	(void)state;
	assert_non_null(it);
	harness_rng_init(&rng);
	for (i = 0; i < NB_ROUNDS; i++) {
		gso_conf.pool = below(2) == 0 ? gso_out : small;
		one_harmed_packet(it);
	}
	assert_int_equal(harness_in_use(gso_in), 0);
	rte_mempool_free(small);
	free(it);
}

/* Lengths that come to something, as often as not. */
static uint16_t
noise_len(uint32_t most)
{
	static const uint16_t usual[] = { 0, 8, 14, 20, 40, 16, 30, 60 };

	return below(2) == 0 ? usual[below(RTE_DIM(usual))] : (uint16_t)below(most);
}

/* Flags that contradict each other are refused before anything else. */
static uint64_t
noise_flags(void)
{
	uint64_t flags = below(2) == 0 ? RTE_MBUF_F_TX_TCP_SEG : RTE_MBUF_F_TX_UDP_SEG;

	if (below(8) == 0)
		return harness_rand(&rng) & TX_BITS;
	flags |= below(2) == 0 ? RTE_MBUF_F_TX_IPV4 : RTE_MBUF_F_TX_IPV6;
	if (below(4) != 0)
		flags |= harness_rand(&rng) & (RTE_MBUF_F_TX_TUNNEL_MASK | OUTER_CKSUM);
	return flags;
}

/* Noise, with IP versions where IP headers would be, so that more of it is looked at. */
static uint32_t
make_noise(struct csum_gso_req *req)
{
	static const uint8_t first[] = { 0x45, 0x46, 0x60, 0x60 };
	static const uint8_t protos[] = { 4, 6, 17, 41, 43, 44, 47, 137 };
	uint32_t len = below(900), places[2], i;

	harness_rand_bytes(&rng, gso_frame.data, len + 16);
	*req = (struct csum_gso_req){
		.ol_flags = noise_flags(), .outer_l2_len = noise_len(130),
		.outer_l3_len = noise_len(130), .l2_len = noise_len(300), .l3_len = noise_len(130),
		.l4_len = noise_len(70), .segsz = (uint16_t)below(300),
	};
	places[0] = req->outer_l2_len;
	places[1] = req->outer_l2_len + req->outer_l3_len + req->l2_len;
	for (i = 0; i < RTE_DIM(places); i++) {
		if (below(8) == 0 || places[i] + 10 > len)
			continue;
		gso_frame.data[places[i]] = first[below(RTE_DIM(first))];
		gso_frame.data[places[i] + 6] = protos[below(RTE_DIM(protos))];
		gso_frame.data[places[i] + 9] = protos[below(RTE_DIM(protos))];
	}
	return len;
}

static void
noise(void **state)
{
	struct csum_gso_iter *it = malloc(sizeof(*it));
	unsigned int i, nb_refused[CSUM_REFUSAL_MAX] = { 0 };
	enum csum_refusal why;
	struct csum_gso_req req;
	struct rte_mbuf *m, *seg;
	uint32_t len;
	int ret;

	(void)state;
	assert_non_null(it);
	harness_rng_init(&rng);
	for (i = 0; i < NB_ROUNDS; i++) {
		len = make_noise(&req);
		gso_conf.flags = (uint32_t)harness_rand(&rng) & 0x1f;
		/* Flush with the end of its memory, so that ASan sees a byte too much. */
		m = harness_chain_kind(gso_in, HARNESS_EXTERNAL, gso_frame.data, len, NULL, 0);
		ret = csum_gso_iter_init(it, m, &req, &gso_conf, &why);
		assert_int_equal(ret, csum_refusal_errno(why));
		assert_int_equal(harness_in_use(gso_out), 0);
		nb_refused[why]++;
		while (ret == 0 && csum_gso_iter_next(it, &seg) == 1)
			rte_pktmbuf_free(seg);
		harness_assert_chain(m, gso_frame.data, len);
		rte_pktmbuf_free(m);
	}
	/* Noise gets as far as this. */
	assert_true(nb_refused[CSUM_REFUSAL_FLAGS] > 0 && nb_refused[CSUM_REFUSAL_LENGTHS] > 0 &&
		    nb_refused[CSUM_REFUSAL_HEADER] > 0 && nb_refused[CSUM_REFUSAL_TUNNEL] > 0 &&
		    nb_refused[CSUM_REFUSAL_FRAGMENT] > 0 &&
		    nb_refused[CSUM_REFUSAL_PROTOCOL] > 0);
	free(it);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		gso_test(jumbo_option_outside_of_the_ip_header),
		gso_test(lies_at_random),
		gso_test(noise),
	};

	gso_main(tests);
}
