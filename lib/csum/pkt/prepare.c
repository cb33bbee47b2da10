/* SPDX-License-Identifier: BSD-3-Clause */

#include <netinet/in.h>
#include <string.h>

#include <csum_mbuf.h>

#include "pkt_layout.h"
#include "pkt_parse_private.h"

#define IPV4_CHECK 10
#define IPV4_MIN 20

/* All that filling needs, found and checked before the first byte is written. */
struct plan {
	uint64_t todo;        /* what to fill */
	uint64_t asked;       /* what will be filled, here or by the port below */
	struct pkt_layout layout;
	struct pkt_l4 l4;     /* set where an L4 checksum is asked for and matters here */
	struct pkt_l4 outer;  /* set where the outer UDP checksum is to do */
};

static bool
has_pseudo_header(uint64_t asked)
{
	uint64_t l4 = asked & RTE_MBUF_F_TX_L4_MASK;

	return l4 == RTE_MBUF_F_TX_TCP_CKSUM || l4 == RTE_MBUF_F_TX_UDP_CKSUM;
}

/*
 * What is carried out. An outer UDP checksum over an inner packet whose sum is not known from its
 * headers covers the inner checksums as they are, so that they have to be right by then.
 */
static uint64_t
to_carry_out(uint64_t asked, uint64_t todo)
{
	todo &= asked;
	if ((todo & RTE_MBUF_F_TX_OUTER_UDP_CKSUM) != 0 && !has_pseudo_header(asked))
		todo |= asked & (RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK);
	return todo;
}

static enum csum_refusal
plan_make(struct plan *plan, const struct rte_mbuf *m, uint64_t ol_flags)
{
	bool outer_udp = (plan->todo & RTE_MBUF_F_TX_OUTER_UDP_CKSUM) != 0;
	/* An outer UDP checksum covers the inner ones as they will be. */
	uint64_t want = outer_udp ? plan->asked : plan->todo;
	struct pkt_layout *layout = &plan->layout;
	enum csum_refusal refusal;

	refusal = pkt_flags_check(ol_flags);
	if (refusal == CSUM_REFUSAL_NONE)
		refusal = pkt_layout_read(layout, m, ol_flags, want);
	if (refusal == CSUM_REFUSAL_NONE && layout->rule != NULL)
		refusal = pkt_l4_find(&plan->l4, layout, &layout->inner, layout->rule);
	if (refusal == CSUM_REFUSAL_NONE && outer_udp)
		refusal = pkt_l4_find(&plan->outer, layout, &layout->outer, &pkt_l4_udp);
	return refusal;
}

static uint16_t
field_read(const uint8_t *p)
{
	uint16_t field;

	memcpy(&field, p, sizeof(field));
	return field;
}

/* Store a field whose place has been read before, so that it is there. */
static void
field_write(struct rte_mbuf *m, uint32_t off, const void *field, uint32_t len)
{
	if (likely(off + len <= m->data_len))
		memcpy(rte_pktmbuf_mtod_offset(m, void *, off), field, len);
	else
		csum_mbuf_write(m, off, field, len);
}

/*
 * What a checksum field holds is taken out of the sum, not overwritten with 0 first: nothing is
 * written until all is known, and the sum does not wait for a store to be loaded again.
 */
static void
ipv4_fill(struct rte_mbuf *m, const struct pkt_layout *layout, const struct pkt_ip *ip)
{
	const uint8_t *hdr = layout->hdr + ip->off;
	uint32_t len = ip->l4 - ip->off;
	uint32_t sum = likely(len == IPV4_MIN) ? csum_partial_inline(hdr, IPV4_MIN, 0) :
		csum_partial(hdr, len, 0);
	uint16_t check = csum_sum_check(csum_sum_sub(sum, field_read(hdr + IPV4_CHECK)));

	field_write(m, ip->off + IPV4_CHECK, &check, sizeof(check));
}

/* The sum of the pseudo header, less what the checksum field will add to it. */
static uint32_t
l4_begin(const struct pkt_layout *layout, const struct pkt_l4 *l4)
{
	return csum_sum_sub(l4->pseudo, field_read(layout->hdr + l4->off + l4->field));
}

static void
sctp_fill(struct rte_mbuf *m, const struct pkt_l4 *l4)
{
	const struct pkt_cover cover = {
		.off = l4->off, .len = l4->len, .field = l4->off + l4->field,
	};
	uint32_t crc = pkt_cover_crc32c(m, &cover);

	field_write(m, cover.field, &crc, sizeof(crc));
}

/* @p sum: of what the checksum covers, its field included, but for the pseudo header. */
static void
l4_fill(struct rte_mbuf *m, const struct pkt_layout *layout, const struct pkt_l4 *l4, uint32_t sum)
{
	uint16_t check;

	sum = csum_sum_add(sum, l4_begin(layout, l4));
	check = l4->proto == IPPROTO_UDP ? csum_sum_check_udp(sum) : csum_sum_check(sum);
	field_write(m, l4->off + l4->field, &check, sizeof(check));
}

/*
 * Whether the inner packet's sum is known without a look at it: with the right checksum in place it
 * is the complement of its pseudo header's.
 */
static bool
inner_is_known(const struct plan *plan)
{
	return has_pseudo_header(plan->asked) &&
		plan->l4.off + plan->l4.len <= plan->outer.off + plan->outer.len;
}

/* The outer UDP sum from headers alone, and from what follows the inner packet, if anything. */
static uint32_t
outer_sum_headers(const struct rte_mbuf *m, const struct plan *plan, uint32_t sum)
{
	const struct pkt_l4 *outer = &plan->outer, *l4 = &plan->l4;
	const uint8_t *hdr = plan->layout.hdr;
	uint32_t ip = plan->layout.inner.off, tail = l4->off + l4->len, block = 0;

	sum = csum_partial(hdr + outer->off, ip - outer->off, sum);
	/* An IPv4 header with the right checksum in place adds nothing. */
	if ((plan->asked & RTE_MBUF_F_TX_IP_CKSUM) == 0)
		sum = csum_sum_combine(sum, csum_partial(hdr + ip, l4->off - ip, 0),
				       ip - outer->off);
	sum = csum_sum_combine(sum, ~l4->pseudo, l4->off - outer->off);
	if (likely(tail == outer->off + outer->len))
		return sum;
	csum_mbuf_partial(m, tail, outer->off + outer->len - tail, &block);
	return csum_sum_combine(sum, block, tail - outer->off);
}

static void
outer_udp_fill(struct rte_mbuf *m, const struct plan *plan)
{
	const struct pkt_l4 *outer = &plan->outer;
	uint32_t sum = l4_begin(&plan->layout, outer);
	uint16_t check;

	if (inner_is_known(plan))
		sum = outer_sum_headers(m, plan, sum);
	else
		csum_mbuf_partial(m, outer->off, outer->len, &sum);
	check = csum_sum_check_udp(sum);
	field_write(m, outer->off + outer->field, &check, sizeof(check));
}

/* Tell whether filling needs the sum of what the L4 checksum covers. */
static bool
needs_l4_sum(const struct plan *plan)
{
	uint64_t l4 = plan->todo & RTE_MBUF_F_TX_L4_MASK;

	return l4 != 0 && l4 != RTE_MBUF_F_TX_SCTP_CKSUM;
}

/* @p l4_sum: of what the L4 checksum covers, where that is needed. */
static void
plan_carry_out(const struct plan *plan, struct rte_mbuf *m, uint32_t l4_sum)
{
	const struct pkt_layout *layout = &plan->layout;

	if ((plan->todo & RTE_MBUF_F_TX_IP_CKSUM) != 0)
		ipv4_fill(m, layout, &layout->inner);
	if (needs_l4_sum(plan))
		l4_fill(m, layout, &plan->l4, l4_sum);
	else if ((plan->todo & RTE_MBUF_F_TX_L4_MASK) != 0)
		sctp_fill(m, &plan->l4);
	if ((plan->todo & RTE_MBUF_F_TX_OUTER_IP_CKSUM) != 0)
		ipv4_fill(m, layout, &layout->outer);
	if ((plan->todo & RTE_MBUF_F_TX_OUTER_UDP_CKSUM) != 0)
		outer_udp_fill(m, plan);
}

static int
refuse(enum csum_refusal refusal, enum csum_refusal *why)
{
	if (why != NULL)
		*why = refusal;
	return csum_refusal_errno(refusal);
}

int
pkt_plan_fill(struct rte_mbuf *m, uint64_t todo, enum csum_refusal *why)
{
	uint64_t ol_flags = m->ol_flags;
	enum csum_refusal refusal;
	uint32_t l4_sum = 0;
	struct plan plan;

	plan.asked = pkt_cksum_requests(ol_flags);
	plan.todo = to_carry_out(plan.asked, todo);
	if (plan.todo == 0)
		return 0;
	refusal = plan_make(&plan, m, ol_flags);
	if (unlikely(refusal != CSUM_REFUSAL_NONE))
		return refuse(refusal, why);
	/* It cannot fail: the layout has found these bytes. */
	if (needs_l4_sum(&plan))
		csum_mbuf_partial(m, plan.l4.off, plan.l4.len, &l4_sum);
	plan_carry_out(&plan, m, l4_sum);
	return 0;
}

/* Copy the next @p len bytes, which are there on both sides; returns their sum. */
static uint32_t
copy_bytes(struct csum_mbuf_pos *dst, struct csum_mbuf_pos *src, uint32_t len)
{
	uint32_t sum = 0, done = 0, n, block;

	while (done < len) {
		if (dst->off == dst->seg->data_len) {
			dst->seg = dst->seg->next;
			dst->off = 0;
			continue;
		}
		n = RTE_MIN(len - done, dst->seg->data_len - dst->off);
		block = 0;
		csum_mbuf_sum_copy(rte_pktmbuf_mtod_offset(dst->seg, void *, dst->off), src, n,
				   &block);
		sum = csum_sum_combine(sum, block, done);
		dst->off += n;
		done += n;
	}
	return sum;
}

/* Copy a packet whole; returns the sum of what its L4 checksum covers, if that is needed. */
static uint32_t
copy_packet(const struct plan *plan, struct rte_mbuf *dst, const struct rte_mbuf *m)
{
	struct csum_mbuf_pos to = { .seg = dst }, from = { .seg = m };
	uint32_t l4_sum, l4_end;

	if (!needs_l4_sum(plan)) {
		copy_bytes(&to, &from, m->pkt_len);
		return 0;
	}
	l4_end = plan->l4.off + plan->l4.len;
	copy_bytes(&to, &from, plan->l4.off);
	l4_sum = copy_bytes(&to, &from, plan->l4.len);
	copy_bytes(&to, &from, m->pkt_len - l4_end);
	return l4_sum;
}

int
csum_pkt_prepare_copy(struct rte_mbuf *dst, const struct rte_mbuf *m, uint64_t todo,
		      enum csum_refusal *why)
{
	enum csum_refusal refusal = CSUM_REFUSAL_NONE;
	struct csum_mbuf_pos end;
	struct plan plan;

	if (csum_mbuf_seek(m, m->pkt_len, &end) != 0 || csum_mbuf_seek(dst, m->pkt_len, &end) != 0)
		return refuse(CSUM_REFUSAL_LENGTHS, why);
	plan.asked = pkt_cksum_requests(m->ol_flags);
	plan.todo = to_carry_out(plan.asked, todo);
	if (plan.todo != 0)
		refusal = plan_make(&plan, m, m->ol_flags);
	if (unlikely(refusal != CSUM_REFUSAL_NONE))
		return refuse(refusal, why);
	plan_carry_out(&plan, dst, copy_packet(&plan, dst, m));
	return 0;
}

int
pkt_plan_check(const struct rte_mbuf *m, enum csum_refusal *why)
{
	uint64_t ol_flags = m->ol_flags;
	enum csum_refusal refusal;
	struct plan plan;

	plan.asked = pkt_cksum_requests(ol_flags);
	plan.todo = plan.asked;
	if (plan.todo == 0)
		return 0;
	refusal = plan_make(&plan, m, ol_flags);
	return refusal == CSUM_REFUSAL_NONE ? 0 : refuse(refusal, why);
}
