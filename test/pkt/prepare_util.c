/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdlib.h>
#include <string.h>

#include "prepare_util.h"

#define ALL UINT64_MAX

struct cut {
	unsigned int nb;
	uint16_t lens[72];
};

struct rte_mempool *prepare_pool;

void
prepare_start(const char *name)
{
	harness_start(0, NULL);
	prepare_pool = harness_pool(name, 512, 2048);
}

void
prepare_build(struct frame *f, bool v6, bool udp, const void *data, uint32_t len)
{
	frame_init(f);
	frame_ether(f);
	if (v6)
		frame_i6(f);
	else
		frame_i4(f);
	if (udp)
		frame_udp(f, 1024, 4096);
	else
		frame_tcp(f, 0x10, NULL, 0);
	if (data != NULL)
		frame_bytes(f, data, len);
	else
		frame_payload(f, len);
	frame_finish(f);
}

int
prepare_pool_is_whole(void **state)
{
	return harness_in_use(prepare_pool) == 0 ? 0 : -1;
}

static void
assert_same_metadata(const struct rte_mbuf *m, const struct rte_mbuf *before)
{
	assert_int_equal(m->ol_flags, before->ol_flags);
	assert_int_equal(m->tx_offload, before->tx_offload);
	assert_int_equal(m->data_off, before->data_off);
	assert_int_equal(m->data_len, before->data_len);
	assert_ptr_equal(m->buf_addr, before->buf_addr);
	assert_ptr_equal(m->next, before->next);
}

static void
prepare_one(struct rte_mbuf *m, const uint8_t *before, const uint8_t *want, uint32_t len)
{
	enum csum_refusal why = CSUM_REFUSAL_MAX;
	struct rte_mbuf head = *m;

	assert_int_equal(csum_pkt_check(m, &why), 0);
	harness_assert_chain(m, before, len);
	assert_int_equal(csum_pkt_prepare(m, ALL, &why), 0);
	harness_assert_chain(m, want, len);
	assert_int_equal(csum_pkt_prepare(m, ALL, NULL), 0);
	harness_assert_chain(m, want, len);
	assert_int_equal(why, CSUM_REFUSAL_MAX);
	assert_same_metadata(m, &head);
}

/* As many pieces as there are bytes for, all of one length, up to the array's end. */
static void
cut_evenly(struct cut *cut, uint32_t len, uint16_t each)
{
	cut->nb = 0;
	while (cut->nb < RTE_DIM(cut->lens) && len >= each) {
		cut->lens[cut->nb++] = each;
		len -= each;
	}
}

static unsigned int
make_cuts(struct cut cuts[], uint32_t len)
{
	static const struct cut header_cut = { 7, { 0, 14, 20, 0, 7, 1, 1 } };
	unsigned int nb = 0;

	cuts[nb++].nb = 0;
	cut_evenly(&cuts[nb++], len, 1);
	cut_evenly(&cuts[nb++], len, 3);
	cut_evenly(&cuts[nb++], len, 17);
	if (len >= 43)
		cuts[nb++] = header_cut;
	return nb;
}

static void
put_fields(uint8_t *bytes, const struct field fields[], unsigned int nb, int stale)
{
	unsigned int i;

	for (i = 0; i < nb; i++)
		harness_put_be16(bytes + fields[i].off,
				 stale >= 0 ? (uint16_t)stale : fields[i].value);
}

static void
expect(const struct frame *f, uint64_t flags, const struct field fields[], unsigned int nb,
       bool flat)
{
	/* Zero both ways, something wrong, and the right thing. */
	static const int stale[] = { 0, 0xffff, 0xbeef, -1 };
	static struct frame before;
	uint8_t *want = malloc(f->len);
	struct cut cuts[8];
	unsigned int i, j, nb_cuts = make_cuts(cuts, f->len);
	struct rte_mbuf *m;
	int kind;

	assert_non_null(want);
	memcpy(want, f->data, f->len);
	put_fields(want, fields, nb, -1);
	before = *f;
	for (i = 0; i < RTE_DIM(stale); i++) {
		put_fields(before.data, fields, nb, stale[i]);
		for (j = 0; j < nb_cuts; j++) {
			for (kind = HARNESS_DIRECT; kind <= HARNESS_EXTERNAL; kind++) {
				m = frame_mbuf_kind(&before, prepare_pool, kind, cuts[j].lens,
						    cuts[j].nb);
				m->ol_flags |= flags;
				if (flat)
					frame_tx_lens_flat(m);
				prepare_one(m, before.data, want, f->len);
				rte_pktmbuf_free(m);
			}
		}
	}
	free(want);
}

void
prepare_expect(const struct frame *f, uint64_t flags, const struct field fields[], unsigned int nb)
{
	expect(f, flags, fields, nb, false);
}

void
prepare_expect_one(const struct frame *f, uint64_t flags, uint32_t off, uint16_t value)
{
	const struct field field = { off, value };

	prepare_expect(f, flags, &field, 1);
}

void
prepare_expect_tunnel(const struct frame *f, uint64_t flags, const struct field fields[],
		      unsigned int nb)
{
	expect(f, flags, fields, nb, false);
	expect(f, flags, fields, nb, true);
}

void
prepare_refused(struct rte_mbuf *m, enum csum_refusal why, int result)
{
	struct rte_mbuf head = *m;
	enum csum_refusal got = CSUM_REFUSAL_NONE;
	uint8_t *before = malloc(FRAME_MAX_LEN);
	uint32_t len;

	assert_non_null(before);
	len = harness_flatten(m, before, FRAME_MAX_LEN);
	assert_int_equal(csum_pkt_check(m, &got), result);
	assert_string_equal(csum_refusal_name(got), csum_refusal_name(why));
	assert_int_equal(csum_pkt_check(m, NULL), result);
	got = CSUM_REFUSAL_NONE;
	assert_int_equal(csum_pkt_prepare(m, ALL, &got), result);
	assert_string_equal(csum_refusal_name(got), csum_refusal_name(why));
	assert_int_equal(csum_pkt_prepare(m, ALL, NULL), result);
	harness_assert_chain(m, before, len);
	assert_same_metadata(m, &head);
	free(before);
	rte_pktmbuf_free(m);
}

void
prepare_frame_refused(const struct frame *f, uint64_t flags, enum csum_refusal why, int result)
{
	static const uint16_t lens[] = { 15, 0, 1, 3 };
	struct rte_mbuf *m;
	int kind;

	for (kind = HARNESS_DIRECT; kind <= HARNESS_EXTERNAL; kind++) {
		m = frame_mbuf_kind(f, prepare_pool, kind, NULL, 0);
		m->ol_flags |= flags;
		prepare_refused(m, why, result);
		m = frame_mbuf_kind(f, prepare_pool, kind, lens, RTE_DIM(lens));
		m->ol_flags |= flags;
		prepare_refused(m, why, result);
	}
}
