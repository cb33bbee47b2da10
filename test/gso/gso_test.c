/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdlib.h>

#include "gso_test.h"

#define NB_IN 4096
#define MAX_SUPER_LEN (512 * 1024)

struct rte_mempool *gso_in, *gso_out, *gso_refs;
struct csum_gso_conf gso_conf;
struct gso_seg gso_segs[GSO_MAX_SEGS];
unsigned int gso_nb;
enum csum_refusal gso_why;
struct frame gso_frame;

void
gso_start(void)
{
	harness_start(64, NULL);
	gso_in = harness_pool("in", NB_IN, 2048);
	gso_out = harness_pool("out", GSO_MAX_SEGS, 2048);
	gso_refs = harness_pool("refs", 4 * GSO_MAX_SEGS, 0);
}

int
gso_setup(void **state)
{
	(void)state;
	gso_conf = (struct csum_gso_conf){
		.pool = gso_out, .headroom = RTE_PKTMBUF_HEADROOM, .attach_pool = gso_refs,
	};
	frame_init(&gso_frame);
	return 0;
}

/* An input's bytes and metadata as they were. */
struct snapshot {
	uint32_t len;
	unsigned int nb;
	uint8_t *data;
	struct rte_mbuf *mbufs;
};

static void
snapshot_take(struct snapshot *s, const struct rte_mbuf *m)
{
	s->data = malloc(MAX_SUPER_LEN);
	s->mbufs = aligned_alloc(RTE_CACHE_LINE_SIZE, m->nb_segs * sizeof(*s->mbufs));
	assert_non_null(s->data);
	assert_non_null(s->mbufs);
	s->len = harness_flatten(m, s->data, MAX_SUPER_LEN);
	for (s->nb = 0; m != NULL; m = m->next)
		memcpy(&s->mbufs[s->nb++], m, sizeof(*m));
}

static void
snapshot_compare(struct snapshot *s, const struct rte_mbuf *m)
{
	unsigned int i;

	harness_assert_chain(m, s->data, s->len);
	for (i = 0; m != NULL; m = m->next, i++) {
		/* Those who refer to it count; freed pools tell that they do so rightly. */
		s->mbufs[i].refcnt = m->refcnt;
		harness_assert_bytes(m, &s->mbufs[i], sizeof(*m));
	}
	assert_int_equal(i, s->nb);
}

static void
snapshot_drop(struct snapshot *s)
{
	free(s->data);
	free(s->mbufs);
}

static void
segs_drop(void)
{
	for (; gso_nb > 0; gso_nb--)
		free(gso_segs[gso_nb - 1].data);
}

static void
seg_check_mbufs(struct rte_mbuf *m)
{
	const struct rte_mbuf *s;

	assert_ptr_equal(m->pool, gso_conf.pool);
	assert_int_equal(rte_pktmbuf_headroom(m), gso_conf.headroom);
	assert_true(rte_pktmbuf_tailroom(rte_pktmbuf_lastseg(m)) >= gso_conf.tailroom);
	for (s = m; s != NULL; s = s->next)
		assert_int_not_equal(s->data_len, 0);
	assert_int_equal(rte_mbuf_check(m, 1, NULL), 0);
}

/* A segment must leave nothing to be asked for but what the port below can do. */
static void
seg_check_flags(const struct rte_mbuf *m)
{
	uint64_t done = RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_UDP_SEG | RTE_MBUF_F_INDIRECT |
		RTE_MBUF_F_EXTERNAL;

	if (gso_conf.lower_capa == 0)
		done |= RTE_MBUF_F_TX_L4_MASK | RTE_MBUF_F_TX_IP_CKSUM |
			RTE_MBUF_F_TX_OUTER_IP_CKSUM | RTE_MBUF_F_TX_OUTER_UDP_CKSUM |
			RTE_MBUF_F_TX_TUNNEL_MASK | RTE_MBUF_F_TX_OUTER_IPV4 |
			RTE_MBUF_F_TX_OUTER_IPV6;
	assert_int_equal(m->ol_flags & done, 0);
	assert_int_equal(m->tso_segsz, 0);
	assert_int_equal(rte_validate_tx_offload(m), 0);
}

static void
seg_judge(const struct gso_seg *seg)
{
	struct ref_report report;
	enum ref_verdict verdict;
	unsigned int i, j;

	assert_int_equal(ref_judge(seg->data, seg->len, seg->len, REF_LINK_ETHER, &report), 0);
	for (i = 0; i < REF_NB_COLUMNS; i++) {
		for (j = 0; j < report.count[i]; j++) {
			verdict = report.list[i][j];
			if (verdict == REF_GOOD || verdict == REF_FRAGMENT ||
			    (i == REF_UDP && verdict == REF_ZERO))
				continue;
			fail_msg("%s %u is %s in segment %u", ref_column_name(i), j,
				 ref_verdict_name(verdict), (unsigned int)(seg - gso_segs));
		}
	}
	assert_false(report.zero_len);
}

/* Padding, found by the length of the outermost IP header; returns the length without. */
static uint32_t
seg_check_padding(const struct rte_mbuf *m, const uint8_t *data, uint32_t len)
{
	uint32_t l3 = (m->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK) != 0 ? m->outer_l2_len : m->l2_len;
	uint32_t end, padded, i;

	if (gso_conf.pad_to <= 1)
		return len;
	end = l3 + (data[l3] >> 4 == 6 ? 40u + harness_be16(data + l3 + 4) :
		    harness_be16(data + l3 + 2));
	padded = (end + gso_conf.pad_to - 1) / gso_conf.pad_to * gso_conf.pad_to;
	if (gso_conf.pad_max != 0 && padded > gso_conf.pad_max)
		padded = RTE_MAX(end, (uint32_t)gso_conf.pad_max);
	assert_int_equal(len, padded);
	for (i = end; i < len; i++)
		assert_int_equal(data[i], 0);
	return end;
}

static void
segs_take(struct rte_mbuf *const segs[], unsigned int nb)
{
	struct gso_seg *seg;

	for (gso_nb = 0; gso_nb < nb; gso_nb++) {
		seg = &gso_segs[gso_nb];
		seg->len = segs[gso_nb]->pkt_len;
		seg->nb_mbufs = segs[gso_nb]->nb_segs;
		seg->ol_flags = segs[gso_nb]->ol_flags;
		seg->data = malloc(seg->len);
		assert_non_null(seg->data);
		seg_check_mbufs(segs[gso_nb]);
		seg_check_flags(segs[gso_nb]);
		assert_int_equal(harness_flatten(segs[gso_nb], seg->data, seg->len), seg->len);
		seg->len = seg_check_padding(segs[gso_nb], seg->data, seg->len);
		gso_nic_fill(segs[gso_nb], seg->data, seg->len);
		seg_judge(seg);
	}
}

/* An attached segment: one mbuf of headers, and references behind it. */
static void
attached_check(const struct rte_mbuf *m, const struct csum_gso_req *req, unsigned int i)
{
	static uint8_t flat[UINT16_MAX + CSUM_GSO_MAX_HDR];
	const struct rte_mbuf *ref;

	assert_ptr_equal(m->pool, gso_conf.pool);
	assert_int_equal(rte_pktmbuf_headroom(m), gso_conf.headroom);
	assert_int_equal(rte_mbuf_check(m, 1, NULL), 0);
	assert_int_equal(m->ol_flags, gso_segs[i].ol_flags);
	for (ref = m->next; ref != NULL; ref = ref->next) {
		assert_ptr_equal(ref->pool, gso_refs);
		assert_false(RTE_MBUF_DIRECT(ref));
		assert_int_not_equal(ref->data_len, 0);
	}
	assert_int_equal(harness_flatten(m, flat, sizeof(flat)), gso_segs[i].len);
	gso_nic_fill(m, flat, gso_segs[i].len);
	/* IPv6 fragments have another random identifier in each cut. */
	if ((gso_conf.flags & CSUM_GSO_F_UFO) == 0 || (req->ol_flags & RTE_MBUF_F_TX_IPV6) == 0)
		harness_assert_bytes(flat, gso_segs[i].data, gso_segs[i].len);
}

/* Cut again, in the attach form; frees the input before it looks at what came out. */
static void
cut_attached(struct rte_mbuf *m, const struct csum_gso_req *req, struct snapshot *snapshot, int nb)
{
	static struct rte_mbuf *segs[GSO_MAX_SEGS];
	enum csum_refusal why = CSUM_REFUSAL_NONE;
	unsigned int i;
	int ret;

	gso_conf.flags |= CSUM_GSO_F_ATTACH;
	ret = csum_gso_segment(m, req, &gso_conf, segs, RTE_DIM(segs), &why);
	gso_conf.flags &= ~(uint32_t)CSUM_GSO_F_ATTACH;
	assert_int_equal(ret, nb > 0 && gso_conf.pad_to > 1 ? -EINVAL : nb);
	assert_int_equal(csum_refusal_errno(why), RTE_MIN(ret, 0));
	snapshot_compare(snapshot, m);
	rte_pktmbuf_free(m);
	for (i = 0; ret > 0 && i < (unsigned int)ret; i++)
		attached_check(segs[i], req, i);
	if (ret > 0)
		rte_pktmbuf_free_bulk(segs, (unsigned int)ret);
	assert_int_equal(harness_in_use(gso_refs), 0);
}

int
gso_cut_req(struct rte_mbuf *m, const struct csum_gso_req *req)
{
	static struct rte_mbuf *segs[GSO_MAX_SEGS];
	unsigned int in_use = harness_in_use(gso_conf.pool);
	struct snapshot snapshot;
	int ret;

	segs_drop();
	snapshot_take(&snapshot, m);
	gso_why = CSUM_REFUSAL_NONE;
	ret = csum_gso_segment(m, req, &gso_conf, segs, RTE_DIM(segs), &gso_why);
	snapshot_compare(&snapshot, m);
	if (ret > 0) {
		segs_take(segs, (unsigned int)ret);
		rte_pktmbuf_free_bulk(segs, (unsigned int)ret);
	}
	assert_int_equal(harness_in_use(gso_conf.pool), in_use);
	cut_attached(m, req, &snapshot, ret);
	snapshot_drop(&snapshot);
	assert_int_equal(harness_in_use(gso_conf.pool), in_use);
	assert_int_equal(harness_in_use(gso_in), 0);
	return ret;
}

int
gso_cut(struct rte_mbuf *m, uint64_t ol_flags, uint16_t segsz)
{
	struct csum_gso_req req;

	m->ol_flags |= ol_flags;
	m->tso_segsz = segsz;
	csum_gso_req_from_mbuf(&req, m);
	return gso_cut_req(m, &req);
}

int
gso_cut_frame(uint64_t ol_flags, uint16_t segsz)
{
	frame_finish(&gso_frame);
	return gso_cut(frame_mbuf(&gso_frame, gso_in, NULL, 0), ol_flags, segsz);
}

uint16_t
gso_be16(unsigned int i, uint32_t off)
{
	assert_true(i < gso_nb && off + 2 <= gso_segs[i].len);
	return harness_be16(gso_segs[i].data + off);
}

uint32_t
gso_be32(unsigned int i, uint32_t off)
{
	assert_true(i < gso_nb && off + 4 <= gso_segs[i].len);
	return harness_be32(gso_segs[i].data + off);
}

void
gso_assert_be16s(uint32_t off, const uint16_t want[], unsigned int nb, const char *file, int line)
{
	unsigned int i;

	_assert_int_equal(gso_nb, nb, file, line);
	for (i = 0; i < nb; i++)
		_assert_int_equal(gso_be16(i, off), want[i], file, line);
}

void
gso_assert_lens(const uint32_t want[], unsigned int nb, const char *file, int line)
{
	unsigned int i;

	_assert_int_equal(gso_nb, nb, file, line);
	for (i = 0; i < nb; i++)
		_assert_int_equal(gso_segs[i].len, want[i], file, line);
}

void
gso_assert_payload(uint32_t off, uint32_t len)
{
	uint32_t done = 0, j;
	unsigned int i;

	for (i = 0; i < gso_nb; i++)
		for (j = off; j < gso_segs[i].len; j++)
			assert_int_equal(gso_segs[i].data[j], done++ % 251);
	assert_int_equal(done, len);
}

void
gso_frame_tcp4(uint8_t flags, uint32_t n)
{
	frame_ether(&gso_frame);
	frame_i4(&gso_frame);
	frame_tcp(&gso_frame, flags, NULL, 0);
	frame_payload(&gso_frame, n);
}

void
gso_frame_tcp6(uint8_t flags, uint32_t n)
{
	frame_ether(&gso_frame);
	frame_i6(&gso_frame);
	frame_tcp(&gso_frame, flags, NULL, 0);
	frame_payload(&gso_frame, n);
}

void
gso_frame_udp4(uint32_t n)
{
	frame_ether(&gso_frame);
	frame_i4(&gso_frame);
	frame_udp(&gso_frame, 1024, 4096);
	frame_payload(&gso_frame, n);
}

void
gso_frame_udp6(uint32_t n)
{
	frame_ether(&gso_frame);
	frame_i6(&gso_frame);
	frame_udp(&gso_frame, 1024, 4096);
	frame_payload(&gso_frame, n);
}

void
gso_frame_vxlan(unsigned int outer)
{
	frame_ether(&gso_frame);
	if (outer == 4)
		frame_outer4(&gso_frame);
	else
		frame_outer6(&gso_frame);
	frame_udp(&gso_frame, 50000, 4789);
	frame_vxlan(&gso_frame, 42);
	frame_ether_inner(&gso_frame);
}
