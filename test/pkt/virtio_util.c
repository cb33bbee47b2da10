/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include <ref_csum.h>
#include <ref_judge.h>

#include "virtio_util.h"

struct rte_mempool *virtio_pool;

void
virtio_start(const char *name)
{
	harness_start(0, NULL);
	virtio_pool = harness_pool(name, 512, 2048);
}

int
virtio_pool_is_whole(void **state)
{
	return harness_in_use(virtio_pool) == 0 ? 0 : -1;
}

void
virtio_assert_tx(const struct rte_mbuf *m, const struct virtio_tx *want)
{
	assert_int_equal(m->ol_flags & VIRTIO_TX_MASK, want->flags);
	assert_int_equal(m->l2_len, want->l2_len);
	assert_int_equal(m->l3_len, want->l3_len);
	assert_int_equal(m->l4_len, want->l4_len);
	assert_int_equal(m->tso_segsz, want->segsz);
	assert_int_equal(m->outer_l2_len, 0);
	assert_int_equal(m->outer_l3_len, 0);
}

void
virtio_assert_metadata(const struct rte_mbuf *m, const struct rte_mbuf *before)
{
	assert_int_equal(m->ol_flags, before->ol_flags);
	assert_int_equal(m->tx_offload, before->tx_offload);
	assert_int_equal(m->data_off, before->data_off);
	assert_int_equal(m->data_len, before->data_len);
	assert_int_equal(m->pkt_len, before->pkt_len);
	assert_int_equal(m->nb_segs, before->nb_segs);
	assert_ptr_equal(m->buf_addr, before->buf_addr);
	assert_ptr_equal(m->next, before->next);
}

static bool
is_v6(const struct frame *f, uint32_t ip)
{
	return f->data[ip] >> 4 == 6;
}

/* RFC 9293 section 3.1, RFC 8200 section 8.1; without extension headers. */
static uint16_t
pseudo_raw(const struct frame *f, uint32_t ip, uint32_t len)
{
	struct ref_sum sum = { 0 };

	if (is_v6(f, ip))
		ref_sum_add(&sum, f->data + ip + 8, 32);
	else
		ref_sum_add(&sum, f->data + ip + 12, 8);
	ref_sum_add16(&sum, len >> 16);
	ref_sum_add16(&sum, len & 0xffff);
	ref_sum_add16(&sum, f->data[ip + (is_v6(f, ip) ? 6 : 9)]);
	return sum.raw;
}

void
virtio_seed(struct frame *f, uint32_t ip, uint32_t l4)
{
	bool udp = f->data[ip + (is_v6(f, ip) ? 6 : 9)] == 17;
	unsigned int i;

	for (i = 0; i < f->nb_layers; i++) {
		uint8_t *hdr = f->data + f->layer[i].off;

		if (f->layer[i].type != FRAME_IPV4)
			continue;
		harness_put_be16(hdr + 10, 0);
		harness_put_be16(hdr + 10, ref_check(hdr, f->layer[i].hdr_len));
	}
	harness_put_be16(f->data + l4 + (udp ? 6 : 16), pseudo_raw(f, ip, f->len - l4));
}

void
virtio_assert_good(const uint8_t *data, uint32_t len, int link_type)
{
	struct ref_report report;
	unsigned int column, i, nb = 0;

	assert_int_equal(ref_judge(data, len, len, link_type, &report), 0);
	for (column = 0; column < REF_NB_COLUMNS; column++)
		for (i = 0; i < report.count[column]; i++, nb++)
			assert_int_equal(report.list[column][i], REF_GOOD);
	assert_true(nb != 0);
}
