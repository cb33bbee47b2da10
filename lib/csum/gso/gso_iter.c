/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <limits.h>
#include <netinet/in.h>

#include <rte_branch_prediction.h>
#include <rte_tcp.h>

#include "gso_private.h"

/* Bytes behind hdr_len still to be sent. */
static uint32_t
bytes_left(const struct csum_gso_iter *it)
{
	return it->payload_left + (it->index == 0 ? it->first_len : 0);
}

static bool
at_end(const struct csum_gso_iter *it)
{
	return it->payload_left == 0 && it->index > 0;
}

/* Copy payload, whose bytes are there: set-up has measured the chain. Returns its partial sum. */
static uint32_t
payload_copy(struct csum_gso_iter *it, uint8_t *dst, uint32_t len)
{
	struct csum_mbuf_pos *pos = &it->pos;
	const uint8_t *src = rte_pktmbuf_mtod_offset(pos->seg, const uint8_t *, pos->off);
	uint32_t sum = 0;

	if (likely(len <= pos->seg->data_len - pos->off)) {
		pos->off += len;
		return it->variant->partial_copy(dst, src, len, 0);
	}
	(void)csum_mbuf_sum_copy(dst, pos, len, &sum);
	return sum;
}

/* Move behind payload that is attached; returns its partial sum if that is needed. */
static uint32_t
payload_sum(struct csum_gso_iter *it, uint32_t len)
{
	uint32_t sum = 0;

	if ((it->lower_flags & RTE_MBUF_F_TX_L4_MASK) != 0)
		(void)csum_mbuf_seek(it->pos.seg, it->pos.off + len, &it->pos);
	else
		(void)csum_mbuf_sum(&it->pos, len, &sum);
	return sum;
}

/*
 * Fill a segment with headers and, unless that is attached, payload of @p len bytes and zeros
 * behind it; returns the payload's partial sum.
 */
static uint32_t
seg_fill(struct csum_gso_iter *it, struct rte_mbuf *seg, uint32_t hdr_len, uint32_t len)
{
	uint8_t *dst = rte_pktmbuf_mtod(seg, uint8_t *);
	uint32_t room = seg->data_len - hdr_len, done = 0, sum = 0, n;

	gso_hdr_copy(dst, it->hdr, hdr_len, room);
	if (gso_is_attaching(it))
		return payload_sum(it, len);
	dst += hdr_len;
	for (;;) {
		n = RTE_MIN(room, len - done);
		sum = csum_sum_combine(sum, payload_copy(it, dst, n), done);
		done += n;
		if (unlikely(n < room))
			memset(dst + n, 0, room - n);
		seg = seg->next;
		if (likely(seg == NULL))
			return sum;
		dst = rte_pktmbuf_mtod(seg, uint8_t *);
		room = seg->data_len;
	}
}

/* Patch the offset of a fragment, @p off bytes into its datagram; returns the field. */
static uint16_t
patch_fragment(const struct csum_gso_iter *it, uint8_t *seg, uint32_t off, bool last)
{
	const struct csum_gso_ip *ip = &it->ip[it->nb_ip - 1];
	uint16_t field;

	if (ip->v6)
		field = (uint16_t)(off | (last ? 0 : IPV6_MORE));
	else
		field = (uint16_t)(off / 8 | (last ? 0 : IPV4_MF));
	field = rte_cpu_to_be_16(field);
	put16(seg + it->frag, field);
	return field;
}

static void
patch_ipv4(const struct csum_gso_iter *it, const struct csum_gso_ip *ip, uint8_t *seg,
	   uint16_t frag)
{
	uint16_t id = (uint16_t)(ip->id + it->index * ip->id_step);

	gso_ipv4_put(seg + ip->off, csum_sum_add(ip->sum, frag), id);
}

uint8_t
gso_tcp_flags(const struct csum_gso_iter *it, bool last)
{
	uint8_t flags = it->tcp_flags;

	if (!last)
		flags &= (uint8_t)~(RTE_TCP_FIN_FLAG | RTE_TCP_PSH_FLAG);
	if (it->index > 0 && (it->conf->flags & CSUM_GSO_F_ACCECN) == 0)
		flags &= (uint8_t)~RTE_TCP_CWR_FLAG;
	if (it->index > 0 && it->urgent <= it->payload_done)
		flags &= (uint8_t)~RTE_TCP_URG_FLAG;
	return flags;
}

static void
patch_tcp(const struct csum_gso_iter *it, uint8_t *seg, uint32_t payload_sum, bool last)
{
	uint8_t flags = gso_tcp_flags(it, last);
	uint32_t sum = csum_sum_add(it->l4_sum, rte_cpu_to_be_16(flags));
	uint8_t *tcp = seg + it->l4;
	uint16_t urgent;

	if (unlikely((flags & RTE_TCP_URG_FLAG) != 0)) {
		urgent = rte_cpu_to_be_16((uint16_t)(it->urgent - it->payload_done));
		put16(tcp + TCP_URGENT, urgent);
		sum = csum_sum_add(sum, urgent);
	}
	gso_tcp_put(tcp, sum, it->seq + it->payload_done, flags, payload_sum);
}

/* Store a sequence number; returns what it adds to a sum. */
static uint32_t
put_seq(uint8_t *p, uint32_t seq, uint8_t len)
{
	if (len == sizeof(uint16_t)) {
		seq = rte_cpu_to_be_16((uint16_t)seq);
		put16(p, (uint16_t)seq);
	} else {
		seq = rte_cpu_to_be_32(seq);
		put32(p, seq);
	}
	return seq;
}

/*
 * Patch the tunnel header in front of an inner IP header. @p beyond is the partial sum of what the
 * tunnel carries, less what its template counts; returned is the same of the tunnel itself.
 */
static uint32_t
patch_tunnel(const struct csum_gso_iter *it, const struct csum_gso_tunnel *tunnel,
	     const struct csum_gso_ip *inner, uint8_t *seg, uint32_t beyond)
{
	uint32_t sum = csum_sum_combine(0, beyond, inner->off - tunnel->off), seq;

	if (tunnel->seq_off != 0) {
		seq = tunnel->seq + it->index;
		seq = put_seq(seg + tunnel->seq_off, seq, tunnel->seq_len);
		sum = csum_sum_add(sum, seq);
	}
	if (tunnel->check == 0)
		return sum;
	sum = csum_sum_add(sum, tunnel->sum);
	put16(seg + tunnel->check, gso_tunnel_check(tunnel, sum));
	return 0;
}

/* Patch what changes from segment to segment, the innermost first. */
static void
patch(const struct csum_gso_iter *it, uint8_t *seg, uint32_t payload_sum, bool last)
{
	const struct csum_gso_ip *inner = &it->ip[it->nb_ip - 1];
	uint32_t beyond = 0, off, i;
	uint16_t frag = 0;

	if (gso_is_fragmenting(it)) {
		off = it->index == 0 ? 0 : it->first_len + it->payload_done;
		frag = patch_fragment(it, seg, off, last);
		beyond = payload_sum;
		if (inner->v6)
			beyond = csum_sum_add(beyond, frag);
		if (it->index == 0)
			beyond = csum_sum_add(beyond, it->first_sum);
	} else if (inner->proto == IPPROTO_TCP) {
		patch_tcp(it, seg, payload_sum, last);
	} else {
		gso_udp_put(seg + it->l4, it->l4_sum, payload_sum);
	}
	if (!inner->v6)
		patch_ipv4(it, inner, seg, frag);
	for (i = it->nb_ip - 1; i-- > 0;) {
		if (it->tunnel_varies)
			beyond = patch_tunnel(it, &it->tunnel[i], &it->ip[i + 1], seg, beyond);
		if (!it->ip[i].v6)
			patch_ipv4(it, &it->ip[i], seg, 0);
	}
}

/* Make the next segment of an mbuf that comes straight from the pool; false: too few mbufs. */
static bool
seg_make(struct csum_gso_iter *it, struct rte_mbuf *seg)
{
	uint32_t left = bytes_left(it), first_len = left - it->payload_left, size, len, sum;
	uint32_t hdr_len = it->hdr_len + first_len;
	bool last = left <= it->segsz;

	size = last ? left : it->unit;
	len = size - first_len;
	if (unlikely(!gso_seg_init(it, seg, hdr_len, len, last)))
		return false;
	if (unlikely(size != it->size))
		gso_template_size(it, size);
	sum = seg_fill(it, seg, hdr_len, len);
	patch(it, rte_pktmbuf_mtod(seg, uint8_t *), sum, last);
	if (it->lower_flags != 0)
		gso_lower_put(it, rte_pktmbuf_mtod(seg, uint8_t *));
	if (it->index == 0 && gso_is_fragmenting(it))
		gso_ufo_drop_options(it);
	it->index++;
	it->payload_done += len;
	it->payload_left -= len;
	return true;
}

/* Make segments of mbufs that come straight from the pool; returns how many. */
static uint32_t
segs_make(struct csum_gso_iter *it, struct rte_mbuf **segs, uint32_t nb)
{
	uint32_t i;

	for (i = 0; i < nb; i++) {
		if (it->alike && it->index > 0)
			i += gso_alike_make(it, segs + i, nb - i);
		if (i == nb || unlikely(!seg_make(it, segs[i])))
			break;
	}
	return i;
}

/* As mbufs lie in their pool, not reset: all that a reset would set is set anyway. */
static bool
segs_take(const struct csum_gso_iter *it, struct rte_mbuf **segs, uint32_t nb)
{
	return rte_mempool_get_bulk(it->conf->pool, (void **)segs, nb) == 0;
}

/* The reverse. The first of them may be half made: a whole chain, if not a whole segment. */
static void
segs_give_back(const struct csum_gso_iter *it, struct rte_mbuf **segs, uint32_t nb)
{
	if (nb == 0)
		return;
	rte_pktmbuf_free(segs[0]);
	rte_mempool_put_bulk(it->conf->pool, (void **)(segs + 1), nb - 1);
}

int
csum_gso_iter_burst(struct csum_gso_iter *it, struct rte_mbuf **segs, uint16_t nb_segs)
{
	uint32_t nb = RTE_MIN((uint32_t)nb_segs, csum_gso_iter_left(it)), made;

	if (nb == 0)
		return 0;
	if (unlikely(!segs_take(it, segs, nb))) {
		nb = 1;
		if (!segs_take(it, segs, nb))
			return -ENOMEM;
	}
	made = segs_make(it, segs, nb);
	segs_give_back(it, segs + made, nb - made);
	/* Too few for so many heads and what belongs to one: perhaps not for one alone. */
	return made > 0 ? (int)made : csum_gso_iter_next(it, segs);
}

int
csum_gso_iter_next(struct csum_gso_iter *it, struct rte_mbuf **seg)
{
	struct rte_mbuf *m;

	if (at_end(it))
		return 0;
	if (unlikely(!segs_take(it, &m, 1)))
		return -ENOMEM;
	if (unlikely(!seg_make(it, m))) {
		rte_pktmbuf_free(m);
		return -ENOMEM;
	}
	*seg = m;
	return 1;
}

void
csum_gso_iter_adopt(struct csum_gso_iter *it)
{
	it->variant = csum_variant_current();
}

uint32_t
csum_gso_iter_left(const struct csum_gso_iter *it)
{
	uint32_t left = bytes_left(it);

	if (at_end(it))
		return 0;
	if (left <= it->segsz)
		return 1;
	return 1 + (left - it->segsz - 1) / it->unit + 1;
}

uint32_t
csum_gso_iter_max_len(const struct csum_gso_iter *it)
{
	uint32_t len = it->hdr_len + RTE_MIN(bytes_left(it), (uint32_t)it->segsz);

	return at_end(it) ? 0 : len + gso_padding(it, len);
}

int
csum_gso_segment(const struct rte_mbuf *m, const struct csum_gso_req *req,
		 const struct csum_gso_conf *conf, struct rte_mbuf **segs, uint32_t nb_segs,
		 enum csum_refusal *why)
{
	struct csum_gso_iter it;
	uint32_t nb, made;
	int ret;

	ret = csum_gso_iter_init(&it, m, req, conf, why);
	if (ret < 0)
		return ret;
	nb = csum_gso_iter_left(&it);
	if (nb > nb_segs || nb > INT_MAX)
		return -ENOSPC;
	if (unlikely(!segs_take(&it, segs, nb)))
		return -ENOMEM;
	made = segs_make(&it, segs, nb);
	if (unlikely(made < nb)) {
		rte_pktmbuf_free_bulk(segs, made);
		segs_give_back(&it, segs + made, nb - made);
		return -ENOMEM;
	}
	return (int)nb;
}
