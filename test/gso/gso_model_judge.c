/* SPDX-License-Identifier: BSD-3-Clause */

#include "gso_model.h"
#include "ref_csum.h"

#define MAX_DATAGRAM 65535

/* Put the bytes together that must precede the payload of segment @p i, and its checksums as 0. */
struct expected {
	uint8_t hdr[CSUM_GSO_MAX_HDR];
	uint32_t len;
};

static void
add16(uint8_t *p, unsigned int n)
{
	harness_put_be16(p, (uint16_t)(harness_be16(p) + n));
}

static void
add32(uint8_t *p, unsigned int n)
{
	harness_put_be32(p, harness_be32(p) + n);
}

static void
expect_tunnel(const struct gso_model_tunnel *tunnel, uint8_t *hdr, unsigned int i, uint32_t total)
{
	if (tunnel->udp != 0) {
		harness_put_be16(hdr + tunnel->udp + 4, (uint16_t)(total - tunnel->udp));
		harness_put_be16(hdr + tunnel->udp + 6, 0);
	}
	if (tunnel->gtpu != 0)
		harness_put_be16(hdr + tunnel->gtpu + 2, (uint16_t)(total - tunnel->gtpu - 8));
	if (tunnel->gre_check != 0)
		harness_put_be16(hdr + tunnel->gre_check, 0);
	if (tunnel->seq_len == 4)
		add32(hdr + tunnel->seq, i);
	else if (tunnel->seq_len == 2)
		add16(hdr + tunnel->seq, i);
}

static void
expect_ip(const struct gso_model_ip *ip, uint8_t *hdr, unsigned int i, uint32_t total, bool inner)
{
	uint32_t fixed = inner ? CSUM_GSO_F_IPID_FIXED : CSUM_GSO_F_OUTER_IPID_FIXED;

	if (ip->v6) {
		harness_put_be16(hdr + ip->off + 4, (uint16_t)(total - ip->off - 40));
		return;
	}
	harness_put_be16(hdr + ip->off + 2, (uint16_t)(total - ip->off));
	harness_put_be16(hdr + ip->off + 10, 0);
	if ((gso_conf.flags & fixed) == 0)
		add16(hdr + ip->off + 4, i);
}

/* All outside of the inner IP header's payload; @p total bytes in all. */
static void
expect_lower(const struct gso_model *model, struct expected *e, unsigned int i, uint32_t total)
{
	unsigned int j;

	if (model->pppoe != 0)
		harness_put_be16(e->hdr + model->pppoe + 4, (uint16_t)(total - model->pppoe - 6));
	for (j = 0; j < model->nb_ip; j++)
		expect_ip(&model->ip[j], e->hdr, i, total, j == model->nb_ip - 1);
	for (j = 0; j < model->nb_ip - 1; j++)
		expect_tunnel(&model->tunnel[j], e->hdr, i, total);
}

static void
expect_tcp(uint8_t *tcp, unsigned int i, uint32_t done, bool last)
{
	uint16_t urgent = harness_be16(tcp + 18);

	add32(tcp + 4, done);
	if (!last)
		tcp[13] &= 0xf6;
	if (i > 0 && (gso_conf.flags & CSUM_GSO_F_ACCECN) == 0)
		tcp[13] &= 0x7f;
	if ((tcp[13] & 0x20) != 0 && i > 0) {
		harness_put_be16(tcp + 18, urgent > done ? (uint16_t)(urgent - done) : 0);
		if (urgent <= done)
			tcp[13] &= 0xdf;
	}
	harness_put_be16(tcp + 16, 0);
}

/* Compare what precedes a segment's payload, its checksum fields left out. */
static void
compare_headers(const struct gso_model *model, const struct expected *e, const uint8_t *data)
{
	uint8_t got[CSUM_GSO_MAX_HDR];
	unsigned int j;

	memcpy(got, data, e->len);
	for (j = 0; j < model->nb_ip; j++)
		if (!model->ip[j].v6)
			harness_put_be16(got + model->ip[j].off + 10, 0);
	for (j = 0; j < model->nb_ip - 1; j++) {
		if (model->tunnel[j].udp != 0)
			harness_put_be16(got + model->tunnel[j].udp + 6, 0);
		if (model->tunnel[j].gre_check != 0)
			harness_put_be16(got + model->tunnel[j].gre_check, 0);
	}
	if (!model->ufo)
		harness_put_be16(got + model->l4 + (model->tcp ? 16 : 6), 0);
	harness_assert_bytes(got, e->hdr, e->len);
}

/* The generator's routing headers have type 4 and one address. */
static uint32_t
final_dst(const struct gso_model_ip *ip, const uint8_t *data)
{
	uint32_t at;

	for (at = ip->off + 40; at < ip->split; at += 8 + 8u * data[at + 1])
		if (data[at + 1] == 2)
			return at + 8;
	return ip->off + 24;
}

/* The checksum of a tunnel's UDP header, whose port the reference need not know. */
static void
judge_udp(const struct gso_model *model, const uint8_t *data, uint32_t len, unsigned int i)
{
	const struct gso_model_ip *ip = &model->ip[i];
	uint32_t udp = model->tunnel[i].udp;
	struct ref_sum sum = { 0 };
	uint32_t dst;

	if (model->tunnel[i].zero) {
		assert_int_equal(harness_be16(data + udp + 6), 0);
		return;
	}
	dst = ip->v6 ? final_dst(ip, data) : ip->off + 16;
	ref_sum_add(&sum, data + ip->off + (ip->v6 ? 8 : 12), ip->v6 ? 16 : 4);
	ref_sum_add(&sum, data + dst, ip->v6 ? 16 : 4);
	ref_sum_add16(&sum, (uint16_t)(len - udp));
	ref_sum_add16(&sum, 17);
	ref_sum_add(&sum, data + udp, len - udp);
	assert_int_equal(sum.raw, 0xffff);
}

/* Every checksum must have been there to be judged. */
static void
judge_checksums(const struct gso_model *model, const struct gso_seg *seg, bool fragment)
{
	unsigned int nb_ipv4 = 0, nb_udp = 0, nb_gre = 0, l4_index, j;
	enum ref_column l4 = model->tcp ? REF_TCP : REF_UDP;
	struct ref_report report;

	for (j = 0; j < model->nb_ip - 1; j++)
		if (model->tunnel[j].udp != 0)
			judge_udp(model, seg->data, seg->len, j);
	/* The reference does not know what is behind that one. */
	if (model->nb_ip > 1 && model->tunnel[0].type == ANY_UDP)
		return;
	ref_judge(seg->data, seg->len, seg->len, REF_LINK_ETHER, &report);
	for (j = 0; j < model->nb_ip; j++)
		nb_ipv4 += !model->ip[j].v6;
	assert_int_equal(report.count[REF_IP], nb_ipv4);
	for (j = 0; j < model->nb_ip - 1; j++) {
		nb_gre += model->tunnel[j].gre_check != 0;
		if (model->tunnel[j].udp != 0)
			assert_int_equal(report.list[REF_UDP][nb_udp++],
					 model->tunnel[j].zero ? REF_ZERO : REF_GOOD);
	}
	assert_int_equal(report.count[REF_GRE], nb_gre);
	if (!fragment)
		assert_int_equal(report.count[l4], model->tcp ? 1 : nb_udp + 1);
	l4_index = model->tcp ? 0 : nb_udp;
	/* A later fragment may begin inside extension headers: the first alone names UDP. */
	if (!fragment || report.count[l4] > l4_index)
		assert_int_equal(report.list[l4][l4_index], fragment ? REF_FRAGMENT : REF_GOOD);
}

static void
judge_segments(const struct gso_model *model)
{
	const uint8_t *payload = gso_frame.data + model->hdr_len;
	uint32_t done = 0, n;
	unsigned int i;

	for (i = 0; i < gso_nb; i++) {
		struct expected e = { .len = model->hdr_len };

		n = RTE_MIN(model->req.segsz, model->payload_len - done);
		assert_int_equal(gso_segs[i].len, model->hdr_len + n);
		memcpy(e.hdr, gso_frame.data, e.len);
		expect_lower(model, &e, i, e.len + n);
		if (model->tcp) {
			expect_tcp(e.hdr + model->l4, i, done, done + n == model->payload_len);
		} else {
			harness_put_be16(e.hdr + model->l4 + 4, (uint16_t)(8 + n));
			harness_put_be16(e.hdr + model->l4 + 6, 0);
		}
		compare_headers(model, &e, gso_segs[i].data);
		judge_checksums(model, &gso_segs[i], false);
		harness_assert_bytes(gso_segs[i].data + e.len, payload + done, n);
		done += n;
	}
	assert_int_equal(done, model->payload_len);
	assert_true(gso_nb == 1 || done > model->req.segsz);
}

/* What must precede the fragment's data of a fragment; @p n bytes of it at @p off. */
static void
expect_fragment(const struct gso_model *model, struct expected *e, unsigned int i, uint32_t off,
		uint32_t n, bool last)
{
	const struct gso_model_ip *ip = &model->ip[model->nb_ip - 1];

	e->len = ip->v6 ? ip->split : model->l4;
	memcpy(e->hdr, gso_frame.data, e->len);
	if (ip->v6) {
		/* The ID is any, but one: checked by the caller. */
		uint8_t header[8] = { e->hdr[ip->split_next] };

		harness_put_be16(header + 2, (uint16_t)(off | !last));
		memcpy(header + 4, gso_segs[0].data + ip->split + 4, 4);
		e->hdr[ip->split_next] = 44;
		memcpy(e->hdr + e->len, header, 8);
		e->len += 8;
	} else {
		harness_put_be16(e->hdr + ip->off + 6, (uint16_t)(off / 8 | (last ? 0 : 0x2000)));
		if (ip->uncopied && i > 0)
			memset(e->hdr + ip->off + 20, 1, 8);
	}
	expect_lower(model, e, i, e->len + n);
	if (!ip->v6)
		memcpy(e->hdr + ip->off + 4, gso_frame.data + ip->off + 4, 2);
}

/* What the fragments carry, put together, must be the datagram. */
static void
judge_datagram(const struct gso_model *model, const uint8_t *data, uint32_t len)
{
	const struct gso_model_ip *ip = &model->ip[model->nb_ip - 1];
	const uint8_t *hdr = gso_frame.data + ip->off;
	uint32_t ext = model->l4 - (ip->v6 ? ip->split : model->l4);
	const uint8_t *udp = data + ext;
	struct ref_sum sum = { 0 };

	assert_int_equal(len, ext + 8 + model->payload_len);
	harness_assert_bytes(data, gso_frame.data + model->l4 - ext, ext + 4);
	assert_int_equal(harness_be16(udp + 4), len - ext);
	harness_assert_bytes(udp + 8, gso_frame.data + model->hdr_len, model->payload_len);
	assert_int_not_equal(harness_be16(udp + 6), 0);
	if (!ip->v6) {
		ref_sum_add(&sum, hdr + 12, 8);
	} else {
		ref_sum_add(&sum, hdr + 8, 16);
		ref_sum_add(&sum, gso_frame.data + final_dst(ip, gso_frame.data), 16);
	}
	ref_sum_add16(&sum, (uint16_t)(len - ext));
	ref_sum_add16(&sum, 17);
	ref_sum_add(&sum, udp, len - ext);
	assert_int_equal(sum.raw, 0xffff);
}

static void
judge_fragments(const struct gso_model *model)
{
	uint32_t off = 0, n, added = model->ip[model->nb_ip - 1].v6 ? 8 : 0;
	static uint8_t datagram[MAX_DATAGRAM];
	unsigned int i;
	bool last;

	for (i = 0; i < gso_nb; i++) {
		struct expected e = { 0 };

		last = i == gso_nb - 1;
		expect_fragment(model, &e, i, off, 0, last);
		n = gso_segs[i].len - e.len;
		expect_fragment(model, &e, i, off, n, last);
		assert_in_range(n, 1, model->req.segsz - added);
		if (!last)
			assert_int_equal(n, (model->req.segsz - added) & ~7u);
		compare_headers(model, &e, gso_segs[i].data);
		judge_checksums(model, &gso_segs[i], true);
		memcpy(datagram + off, gso_segs[i].data + e.len, n);
		off += n;
	}
	judge_datagram(model, datagram, off);
}

void
gso_model_judge(const struct gso_model *model)
{
	const struct gso_model_ip *ip = &model->ip[model->nb_ip - 1];
	struct gso_model whole = *model;
	uint32_t len = model->hdr_len - (ip->v6 ? ip->split : model->l4) + model->payload_len;

	if (model->ufo && len > model->req.segsz) {
		judge_fragments(model);
	} else {
		whole.ufo = false;
		judge_segments(&whole);
	}
}
