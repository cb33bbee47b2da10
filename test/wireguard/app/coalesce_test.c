/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Bursts as a tunnel delivers them, and what is made of them: nothing is lost, order is kept within
 * each connection, and a super-packet holds segments only that its one header can speak for.
 */

#include <netinet/in.h>
#include <string.h>

#include <csum_gso.h>
#include <ref_csum.h>

#include "coalesce.h"
#include "frame.h"

#define BURST       64
#define SEGSZ       1337
#define NB_CONNS    3
#define MAX_PACKET  256
#define NB_BURSTS   3000
#define INDEX_LEN   2    /* every payload begins with the packet's number in its burst */

/* A packet before it is coalesced. */
struct original {
	uint8_t bytes[MAX_PACKET];
	uint32_t len, l4, payload;
	unsigned int conn;
	bool bad;
};

static struct rte_mempool *pool;
static struct harness_rng rng;
static struct original originals[BURST];
static uint32_t next_seq[NB_CONNS];
static unsigned int nb_in;

static bool
once_in(uint32_t n)
{
	return harness_rand_below(&rng, n) == 0;
}

static bool
is_v6(const struct original *o)
{
	return o->bytes[0] >> 4 == 6;
}

static void
set_checksums(struct original *o)
{
	uint8_t *ip = o->bytes, *tcp = o->bytes + o->l4;
	uint32_t tcp_len = o->len - o->l4;
	struct ref_sum sum = { 0 };

	harness_put_be16(tcp + 16, 0);
	if (is_v6(o)) {
		ref_sum_add(&sum, ip + 8, 32);
	} else {
		ref_sum_add(&sum, ip + 12, 8);
		harness_put_be16(ip + 10, 0);
		harness_put_be16(ip + 10, ref_check(ip, o->l4));
	}
	ref_sum_add16(&sum, IPPROTO_TCP);
	ref_sum_add16(&sum, (uint16_t)tcp_len);
	ref_sum_add(&sum, tcp, tcp_len);
	harness_put_be16(tcp + 16, (uint16_t)~sum.raw);
}

/* One field that a super-packet has once, or that says that this is no such segment. */
static void
change_a_field(struct original *o)
{
	uint8_t *ip = o->bytes, *tcp = o->bytes + o->l4;

	switch (harness_rand_below(&rng, 8)) {
	case 0: /* acknowledgement */
		tcp[11] ^= 1;
		break;
	case 1: /* window */
		tcp[15] ^= 1;
		break;
	case 2: /* time stamp */
		tcp[27] ^= 1;
		break;
	case 3: /* a flag */
		tcp[13] ^= (uint8_t)(1 << harness_rand_below(&rng, 8));
		break;
	case 4: /* TTL or hop limit */
		ip[is_v6(o) ? 7 : 8] ^= 1;
		break;
	case 5: /* traffic class */
		ip[1] ^= 0x10;
		break;
	case 6: /* more fragments, or a flow label */
		ip[is_v6(o) ? 3 : 6] ^= 0x20;
		break;
	default: /* reserved bits */
		tcp[12] ^= 1;
	}
}

static void
make_original(unsigned int i)
{
	static const uint8_t time_stamp[12] = { 1, 1, 8, 10, 0, 0, 0, 7, 0, 0, 0, 9 };
	static struct frame f;
	struct original *o = &originals[i];
	uint32_t size = once_in(8) ? INDEX_LEN + harness_rand_below(&rng, 120) : 100;

	frame_init(&f);
	o->conn = harness_rand_below(&rng, NB_CONNS);
	if (o->conn == 1)
		frame_i6(&f);
	else
		frame_i4(&f);
	o->l4 = frame_tcp(&f, once_in(16) ? 0x18 : 0x10, time_stamp, sizeof(time_stamp));
	o->payload = frame_payload(&f, size);
	frame_finish(&f);
	o->len = f.len;
	memcpy(o->bytes, f.data, f.len);
	harness_put_be16(o->bytes + o->payload, (uint16_t)i);
	o->bytes[o->l4 + 1] = (uint8_t)o->conn; /* source port */
	if (once_in(20))
		next_seq[o->conn] += 100;
	harness_put_be32(o->bytes + o->l4 + 4, next_seq[o->conn]);
	/* Or it will be sent again. */
	if (!once_in(12))
		next_seq[o->conn] += size;
	if (once_in(12))
		change_a_field(o);
	set_checksums(o);
	o->bad = once_in(20);
	if (o->bad)
		o->bytes[o->l4 + 17] ^= 1;
}

/* Of the first mbuf of a packet: IP, TCP and time stamps. */
static uint32_t
headers_len(const struct rte_mbuf *m)
{
	return *rte_pktmbuf_mtod(m, const uint8_t *) >> 4 == 6 ? 40 + 32 : 20 + 32;
}

/* The packet that an mbuf's payload, which is behind @p off bytes, came from. */
static const struct original *
original_of(const struct rte_mbuf *m, uint32_t off)
{
	uint16_t index = harness_be16(rte_pktmbuf_mtod_offset(m, const uint8_t *, off));

	assert_true(index < BURST);
	return &originals[index];
}

/* What a super-packet leaves to each segment: lengths, ID, sequence number, PSH, checksums. */
static void
blank(const struct original *o, uint8_t *headers)
{
	memcpy(headers, o->bytes, o->payload);
	memset(headers + o->l4 + 4, 0, 4);
	memset(headers + o->l4 + 16, 0, 2);
	headers[o->l4 + 13] &= (uint8_t)~0x08;
	if (is_v6(o)) {
		memset(headers + 4, 0, 2);
	} else {
		memset(headers + 2, 0, 4);
		memset(headers + 10, 0, 2);
	}
}

static void
check_super(const struct rte_mbuf *m)
{
	const struct original *first = original_of(m, headers_len(m)), *o;
	uint32_t seq = harness_be32(first->bytes + first->l4 + 4);
	uint8_t want[MAX_PACKET], got[MAX_PACKET];
	const struct rte_mbuf *seg;
	uint32_t off;

	assert_int_equal(m->l2_len, 0);
	assert_int_equal(m->l3_len, first->l4);
	assert_int_equal(m->l3_len + m->l4_len, first->payload);
	assert_int_equal(m->tso_segsz, first->len - first->payload);
	assert_true((m->ol_flags & RTE_MBUF_F_TX_TCP_SEG) != 0);
	blank(first, want);
	for (seg = m; seg != NULL; seg = seg->next) {
		off = seg == m ? first->payload : 0;
		o = original_of(seg, off);
		blank(o, got);
		assert_false(o->bad);
		assert_int_equal(o->payload, first->payload);
		harness_assert_bytes(got, want, o->payload);
		assert_int_equal(harness_be32(o->bytes + o->l4 + 4), seq);
		assert_int_equal(seg->data_len, o->len - o->payload + off);
		assert_true(seg->next == NULL || o->len == first->len);
		/* Before the last one, nobody waits for the application. */
		assert_true(seg->next == NULL || (o->bytes[o->l4 + 13] & 0x08) == 0);
		seq += o->len - o->payload;
	}
}

static void
check_single(const struct rte_mbuf *m)
{
	const struct original *o = original_of(m, headers_len(m));
	bool good = (m->ol_flags & RTE_MBUF_F_RX_L4_CKSUM_MASK) == RTE_MBUF_F_RX_L4_CKSUM_GOOD;

	harness_assert_chain(m, o->bytes, o->len);
	assert_true(!good || !o->bad);
	assert_int_equal(m->ol_flags & RTE_MBUF_F_TX_TCP_SEG, 0);
}

static bool
is_fragment(const struct original *o)
{
	return !is_v6(o) && (o->bytes[6] & 0x20) != 0;
}

/*
 * Each connection's packets come out in the order in which they went in, each once. Fragments, of
 * which the stack will make a packet later, may be overtaken.
 */
static void
check_order(struct rte_mbuf **pkts, unsigned int nb)
{
	int last[NB_CONNS] = { -1, -1, -1 };
	const struct original *o;
	unsigned int i, seen = 0;
	struct rte_mbuf *seg;

	for (i = 0; i < nb; i++) {
		for (seg = pkts[i]; seg != NULL; seg = seg->next, seen++) {
			o = original_of(seg, seg == pkts[i] ? headers_len(seg) : 0);
			if (is_fragment(o))
				continue;
			assert_true(o - originals > last[o->conn]);
			last[o->conn] = (int)(o - originals);
		}
	}
	assert_int_equal(seen, nb_in);
}

static void
make_burst(struct rte_mbuf **pkts)
{
	unsigned int i;

	nb_in = 1 + harness_rand_below(&rng, BURST);
	/* Connections differ in nothing but their ports or addresses. */
	memset(next_seq, 0, sizeof(next_seq));
	for (i = 0; i < nb_in; i++) {
		make_original(i);
		pkts[i] = harness_chain(pool, originals[i].bytes, originals[i].len, NULL, 0);
	}
}

static void
random_bursts(void **state)
{
	unsigned int round, i, nb_out, total_in = 0, total_out = 0;
	struct rte_mbuf *pkts[BURST];

	(void)state;
	for (round = 0; round < NB_BURSTS; round++) {
		make_burst(pkts);
		nb_out = coalesce(pkts, nb_in);
		check_order(pkts, nb_out);
		for (i = 0; i < nb_out; i++) {
			if (pkts[i]->nb_segs > 1)
				check_super(pkts[i]);
			else
				check_single(pkts[i]);
			rte_pktmbuf_free(pkts[i]);
		}
		total_in += nb_in;
		total_out += nb_out;
	}
	/* That a third of them can be spared shows that it is tried at all. */
	assert_true(total_out < total_in * 2 / 3);
	assert_int_equal(harness_in_use(pool), 0);
}

static struct rte_mbuf *
super_packet(bool v6, uint32_t payload)
{
	static const uint8_t time_stamp[12] = { 1, 1, 8, 10 };
	static struct frame f;
	struct rte_mbuf *m;

	frame_init(&f);
	if (v6)
		frame_i6(&f);
	else
		frame_i4(&f);
	frame_tcp(&f, 0x18, time_stamp, sizeof(time_stamp));
	frame_payload(&f, payload);
	frame_finish(&f);
	m = frame_mbuf(&f, pool, NULL, 0);
	m->tso_segsz = SEGSZ;
	m->ol_flags |= RTE_MBUF_F_TX_TCP_SEG |
		(v6 ? RTE_MBUF_F_TX_IPV6 : RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM);
	return m;
}

static unsigned int
cut(const struct rte_mbuf *m, struct rte_mbuf **segs)
{
	const struct csum_gso_conf conf = { .pool = pool };
	struct csum_gso_req req;
	int nb;

	csum_gso_req_from_mbuf(&req, m);
	nb = csum_gso_segment(m, &req, &conf, segs, BURST, NULL);
	assert_true(nb > 0);
	return (unsigned int)nb;
}

/* What was cut, coalesced and cut again is what it was. */
static void
cut_again(void **state)
{
	struct rte_mbuf *m, *segs[BURST], *again[BURST];
	static uint8_t a[4096], b[4096];
	unsigned int v6, i, nb;

	(void)state;
	for (v6 = 0; v6 < 2; v6++) {
		m = super_packet(v6, 40001);
		nb = cut(m, segs);
		assert_int_equal(cut(m, again), nb);
		rte_pktmbuf_free(m);
		assert_int_equal(coalesce(again, nb), 1);
		m = again[0];
		assert_int_equal(cut(m, again), nb);
		rte_pktmbuf_free(m);
		for (i = 0; i < nb; i++) {
			assert_int_equal(harness_flatten(again[i], b, sizeof(b)),
					 harness_flatten(segs[i], a, sizeof(a)));
			harness_assert_bytes(b, a, segs[i]->pkt_len);
			rte_pktmbuf_free(again[i]);
			rte_pktmbuf_free(segs[i]);
		}
	}
	assert_int_equal(harness_in_use(pool), 0);
}

/* A super-packet is an IP packet: 65,535 bytes at most. */
static void
too_long_for_one(void **state)
{
	struct rte_mbuf *m, *segs[BURST];
	unsigned int nb;

	(void)state;
	m = super_packet(false, BURST * SEGSZ);
	nb = cut(m, segs);
	rte_pktmbuf_free(m);
	assert_int_equal(nb, BURST);
	assert_int_equal(coalesce(segs, nb), 2);
	assert_true(segs[0]->pkt_len <= 65535 && segs[0]->pkt_len + SEGSZ > 65535);
	assert_int_equal(segs[0]->nb_segs + segs[1]->nb_segs, BURST);
	rte_pktmbuf_free(segs[0]);
	rte_pktmbuf_free(segs[1]);
	assert_int_equal(harness_in_use(pool), 0);
}

/* Packets of any kind, cut anywhere: none may be lost, and no byte behind one is looked at. */
static void
noise(void **state)
{
	struct rte_mbuf *pkts[BURST], *seg;
	unsigned int round, i, nb, seen;
	uint32_t len, at;

	(void)state;
	for (round = 0; round < NB_BURSTS; round++) {
		make_burst(pkts);
		for (i = 0; i < nb_in; i++) {
			rte_pktmbuf_free(pkts[i]);
			len = 20 + harness_rand_below(&rng, originals[i].len - 20);
			at = harness_rand_below(&rng, 60);
			originals[i].bytes[at] = (uint8_t)harness_rand(&rng);
			pkts[i] = harness_chain_kind(pool, HARNESS_EXTERNAL,
						     originals[i].bytes, len, NULL, 0);
		}
		nb = coalesce(pkts, nb_in);
		for (i = 0, seen = 0; i < nb; i++) {
			for (seg = pkts[i]; seg != NULL; seg = seg->next)
				seen++;
			rte_pktmbuf_free(pkts[i]);
		}
		assert_int_equal(seen, nb_in);
	}
	assert_int_equal(harness_in_use(pool), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_bursts),
		cmocka_unit_test(cut_again),
		cmocka_unit_test(too_long_for_one),
		cmocka_unit_test(noise),
	};

	harness_start(0, NULL);
	harness_rng_init(&rng);
	pool = harness_pool("packets", 1024, 2048);
	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
