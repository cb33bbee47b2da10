/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Whatever the bytes, the cuts and the segments: the same layers and verdicts as those of the
 * reference, and no byte touched that is not there. Chains are made of external buffers of just
 * the bytes in them, so that the address sanitizer sees the first one beyond.
 */

#include <string.h>

#include <ref_judge.h>

#include "parse_frames.h"

#define NB_MUTANTS 20000

static struct rte_mempool *pool;
static struct harness_rng rng;
static struct frame f;

/* Verdicts of a packet in the reference's terms. */
struct judged {
	unsigned int count[REF_NB_COLUMNS];
	enum ref_verdict list[REF_NB_COLUMNS][CSUM_PKT_MAX_LAYERS];
};

static int
ref_column_of(uint8_t type)
{
	switch (type) {
	case CSUM_LAYER_IPV4:
		return REF_IP;
	case CSUM_LAYER_UDP:
		return REF_UDP;
	case CSUM_LAYER_UDPLITE:
		return REF_UDPLITE;
	case CSUM_LAYER_TCP:
		return REF_TCP;
	case CSUM_LAYER_ICMP:
		return REF_ICMP;
	case CSUM_LAYER_ICMPV6:
		return REF_ICMPV6;
	case CSUM_LAYER_IGMP:
		return REF_IGMP;
	case CSUM_LAYER_SCTP:
		return REF_SCTP;
	case CSUM_LAYER_DCCP:
		return REF_DCCP;
	case CSUM_LAYER_GRE:
		return REF_GRE;
	default:
		return -1;
	}
}

static enum ref_verdict
ref_verdict_of(enum csum_verdict verdict)
{
	switch (verdict) {
	case CSUM_VERDICT_GOOD:
		return REF_GOOD;
	case CSUM_VERDICT_BAD:
		return REF_BAD;
	case CSUM_VERDICT_PARTIAL:
		return REF_PARTIAL;
	case CSUM_VERDICT_ZERO:
		return REF_ZERO;
	case CSUM_VERDICT_FRAGMENT:
		return REF_FRAGMENT;
	case CSUM_VERDICT_TRUNCATED:
		return REF_TRUNCATED;
	case CSUM_VERDICT_NONE:
		break;
	}
	fail_msg("no verdict");
	return REF_BAD;
}

static void
judge(const struct rte_mbuf *m, const struct csum_pkt *pkt, struct judged *judged)
{
	unsigned int i;

	memset(judged, 0, sizeof(*judged));
	for (i = 0; i < pkt->nb_layers; i++) {
		enum csum_verdict verdict = csum_pkt_verify(m, pkt, i);
		int column = ref_column_of(pkt->layer[i].type);

		if (verdict != CSUM_VERDICT_NONE)
			judged->list[column][judged->count[column]++] = ref_verdict_of(verdict);
	}
}

/* Fail, showing the bytes, so that the packet can become a test of its own. */
static void
disagree(enum ref_column column, uint32_t caplen, uint32_t len)
{
	uint32_t i;

	print_error("%s of the first %u of %u bytes:\n", ref_column_name(column), caplen, len);
	for (i = 0; i < caplen; i++)
		print_error("%02x", f.data[i]);
	fail_msg("not what the reference says");
}

/*
 * The reference knows fewer kinds of tunnels, so that its walk may end sooner; what it judges must
 * be judged the same. Returns whether both found the same layers.
 */
static bool
agrees_with_reference(const struct judged *judged, uint32_t caplen, uint32_t len)
{
	struct ref_report report;
	bool same = true;
	unsigned int column;

	assert_int_equal(ref_judge(f.data, caplen, len, REF_LINK_ETHER, &report), 0);
	for (column = 0; column < REF_NB_COLUMNS; column++) {
		if (judged->count[column] < report.count[column] ||
		    memcmp(judged->list[column], report.list[column],
			   report.count[column] * sizeof(report.list[column][0])) != 0)
			disagree(column, caplen, len);
		same = same && judged->count[column] == report.count[column];
	}
	return same;
}

/* Every layer lies inside the packet. */
static void
layers_are_sane(const struct csum_pkt *pkt, uint32_t caplen)
{
	unsigned int i;

	assert_in_range(pkt->nb_layers, 1, CSUM_PKT_MAX_LAYERS);
	assert_int_equal(pkt->len, caplen);
	for (i = 0; i < pkt->nb_layers; i++) {
		const struct csum_layer *layer = &pkt->layer[i];

		assert_in_range(layer->hdr_len, 0, layer->len);
		assert_true(layer->len <= layer->field_len);
		if (layer->len != 0)
			assert_in_range(layer->off + layer->len, 0, caplen);
		assert_in_range(layer->ip, 0, i);
	}
}

/* Parse, judge, compare, fill: of the first @p caplen bytes of a frame that had @p len. */
static bool
check(uint32_t caplen, uint32_t len, const uint16_t lens[], unsigned int nb)
{
	struct rte_mbuf *m;
	struct judged judged;
	struct csum_pkt pkt;
	unsigned int i;
	bool same;

	m = harness_chain_kind(pool, HARNESS_EXTERNAL, f.data, caplen, lens, nb);
	m->pkt_len = len;
	assert_int_equal(csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, &pkt), 0);
	layers_are_sane(&pkt, caplen);
	judge(m, &pkt, &judged);
	same = agrees_with_reference(&judged, caplen, len);
	for (i = pkt.nb_layers; i-- > 0;)
		if (csum_pkt_fill(m, &pkt, i) == 0)
			assert_int_equal(csum_pkt_verify(m, &pkt, i), CSUM_VERDICT_GOOD);
	rte_pktmbuf_free(m);
	return same;
}

/* Right checksums in the frame, so that verdicts are more than "bad". */
static void
build_filled(const struct parse_frame *pf)
{
	struct csum_pkt pkt;
	struct rte_mbuf *m;

	parse_frame_build(pf, &f);
	m = frame_mbuf(&f, pool, NULL, 0);
	csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, &pkt);
	parse_fill(m, &pkt);
	harness_flatten(m, f.data, f.len);
	rte_pktmbuf_free(m);
}

static void
b107_cut_at_every_byte(void **state)
{
	unsigned int i;
	uint32_t len;

	for (i = 0; i < nb_parse_frames; i++) {
		build_filled(&parse_frames[i]);
		for (len = 0; len <= f.len; len++) {
			check(len, f.len, NULL, 0); /* snapped */
			check(len, len, NULL, 0);   /* short on the wire */
		}
	}
}

static void
parse_in_segments(const uint16_t lens[], unsigned int nb, struct csum_pkt *pkt,
		  struct judged *judged)
{
	struct rte_mbuf *m;

	m = harness_chain_kind(pool, HARNESS_EXTERNAL, f.data, f.len, lens, nb);
	memset(pkt, 0, sizeof(*pkt));
	csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, pkt);
	judge(m, pkt, judged);
	rte_pktmbuf_free(m);
}

/* Every place for a cut, with an empty segment there, and then nothing but cuts. */
static void
b32_headers_spread_over_segments(void **state)
{
	struct csum_pkt whole, cut;
	struct judged want, got;
	uint16_t ones[150];
	unsigned int i;
	uint16_t at;

	for (i = 0; i < RTE_DIM(ones); i++)
		ones[i] = 1;
	for (i = 0; i < nb_parse_frames; i++) {
		build_filled(&parse_frames[i]);
		parse_in_segments(NULL, 0, &whole, &want);
		for (at = 1; at < f.len; at++) {
			parse_in_segments((uint16_t[]){ at, 0 }, 2, &cut, &got);
			assert_memory_equal(&cut, &whole, sizeof(whole));
			assert_memory_equal(&got, &want, sizeof(want));
		}
		parse_in_segments(ones, RTE_MIN((uint32_t)RTE_DIM(ones), f.len), &cut, &got);
		assert_memory_equal(&cut, &whole, sizeof(whole));
		assert_memory_equal(&got, &want, sizeof(want));
	}
}

/* Bytes of the headers changed at random, now and then to values that mean something. */
static void
mutate(void)
{
	static const uint8_t telling[] = {
		0, 1, 2, 4, 6, 17, 33, 41, 43, 44, 47, 50, 51, 58, 60, 0x45, 0x4f, 0x60, 0x81,
		132, 135, 136, 137, 143, 0xff,
	};
	unsigned int nb = 1 + harness_rand_below(&rng, 4);

	while (nb-- > 0) {
		uint32_t off = harness_rand_below(&rng, RTE_MIN(f.len, 160u));

		f.data[off] = harness_rand_below(&rng, 2) == 0 ? (uint8_t)harness_rand(&rng) :
			telling[harness_rand_below(&rng, RTE_DIM(telling))];
	}
}

static void
random_mutants(void **state)
{
	unsigned int i, nb_same = 0;
	uint16_t lens[16];

	for (i = 0; i < NB_MUTANTS; i++) {
		unsigned int nb_lens;
		uint32_t caplen;

		build_filled(&parse_frames[harness_rand_below(&rng, nb_parse_frames)]);
		mutate();
		caplen = harness_rand_below(&rng, 4) == 0 ? harness_rand_below(&rng, f.len) : f.len;
		nb_lens = harness_rand_lens(&rng, caplen, lens, RTE_DIM(lens));
		nb_same += check(caplen, f.len, lens, nb_lens);
	}
	assert_true(nb_same > NB_MUTANTS * 9 / 10);
}

/* Random bytes behind an Ethernet header that leads into the parser. */
static void
random_bytes(void **state)
{
	static const uint16_t types[] = { 0x0800, 0x86dd, 0x8100, 0x8847, 0x8864, 200 };
	unsigned int i;

	for (i = 0; i < NB_MUTANTS; i++) {
		f.len = harness_rand_below(&rng, 200);
		harness_rand_bytes(&rng, f.data, 200);
		harness_put_be16(f.data + 12, types[harness_rand_below(&rng, RTE_DIM(types))]);
		if (harness_rand_below(&rng, 2) == 0)
			f.data[14] = harness_rand_below(&rng, 2) == 0 ? 0x45 : 0x60;
		check(f.len, f.len, NULL, 0);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(b107_cut_at_every_byte),
		cmocka_unit_test(b32_headers_spread_over_segments),
		cmocka_unit_test(random_mutants),
		cmocka_unit_test(random_bytes),
	};

	harness_start(0, NULL);
	harness_rng_init(&rng);
	pool = harness_pool("parse", 512, 2048);
	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
