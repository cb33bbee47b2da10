/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <netinet/in.h>

#include <rte_byteorder.h>

#include <csum_virtio.h>

#include "pkt_layout.h"
#include "pkt_parse_private.h"

#define IPV4_LEN      2
#define IPV4_CHECK    10
#define IPV6_LEN      4
#define IPV6_HDR_LEN  40
#define IPV6_FRAG_LEN 8
#define UDP_HDR_LEN   8
#define UDP_LEN       4
#define TCP_DATA_OFF  12
#define TCP_FLAGS     13
#define TCP_CWR       0x80

/* All that a packet and its header will be, found and checked before the first byte is written. */
struct plan {
	struct csum_virtio_hdr hdr;
	struct pkt_layout layout;
	struct pkt_l4 l4;
	uint64_t fill;    /* requests to carry out here */
	uint32_t end;     /* behind the last byte that will be written */
	bool seed;        /* the pseudo header's sum is to be written */
	bool set_lengths; /* so are the lengths of the headers */
};

/* Behind the headers that requests name, which csum_pkt_check() has passed. */
static uint32_t
headers_end(const struct rte_mbuf *m)
{
	const struct pkt_l4_rule *rule = pkt_l4_rule_of(m->ol_flags);
	bool tunnel = (m->ol_flags & PKT_TX_TUNNEL_MASK) != 0;
	uint32_t outer = tunnel ? m->outer_l2_len + m->outer_l3_len : 0;
	uint32_t end = outer + m->l2_len + m->l3_len;

	if (rule != NULL)
		return end + rule->min_len;
	/* Who wants outer checksums alone need not say in l2_len that there is a UDP header. */
	if ((m->ol_flags & RTE_MBUF_F_TX_OUTER_UDP_CKSUM) != 0 && m->l2_len == 0)
		end += UDP_HDR_LEN;
	return end;
}

/* A checksum, or none. */
static enum csum_refusal
plan_checksum(struct plan *plan, const struct rte_mbuf *m)
{
	uint64_t flags = m->ol_flags, l4 = flags & RTE_MBUF_F_TX_L4_MASK;
	enum csum_refusal refusal = CSUM_REFUSAL_NONE;

	plan->fill = pkt_cksum_requests(flags);
	if (plan->fill == 0)
		return CSUM_REFUSAL_NONE;
	csum_pkt_check(m, &refusal);
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	plan->end = headers_end(m);
	if ((flags & PKT_TX_TUNNEL_MASK) != 0 ||
	    (l4 != RTE_MBUF_F_TX_TCP_CKSUM && l4 != RTE_MBUF_F_TX_UDP_CKSUM))
		return CSUM_REFUSAL_NONE;
	refusal = pkt_layout_read(&plan->layout, m, flags, l4);
	if (refusal == CSUM_REFUSAL_NONE)
		refusal = pkt_l4_find(&plan->l4, &plan->layout, &plan->layout.inner,
				      plan->layout.rule);
	/* The peer sums to the packet's end, padding included. */
	plan->seed = refusal == CSUM_REFUSAL_NONE &&
		     plan->l4.off + plan->l4.len == m->pkt_len;
	return refusal;
}

/* The L4 header of a super-packet: its length, and how much follows. */
static enum csum_refusal
payload_find(const struct plan *plan, const struct rte_mbuf *m, uint32_t *hdr_len,
	     uint32_t *payload)
{
	const uint8_t *l4 = plan->layout.hdr + plan->l4.off;

	*hdr_len = UDP_HDR_LEN;
	if (plan->l4.proto == IPPROTO_TCP) {
		*hdr_len = (l4[TCP_DATA_OFF] >> 4) * 4u;
		if (*hdr_len < plan->layout.rule->min_len || *hdr_len != m->l4_len)
			return CSUM_REFUSAL_HEADER;
	}
	if (*hdr_len > plan->l4.len)
		return CSUM_REFUSAL_LENGTHS;
	*payload = plan->l4.len - *hdr_len;
	return CSUM_REFUSAL_NONE;
}

static uint8_t
gso_type_of(const struct plan *plan, uint32_t flags)
{
	const uint8_t *l4 = plan->layout.hdr + plan->l4.off;
	uint8_t type;

	if (plan->l4.proto == IPPROTO_UDP)
		return (flags & CSUM_VIRTIO_F_UFO) != 0 ? CSUM_VIRTIO_GSO_UDP :
							  CSUM_VIRTIO_GSO_UDP_L4;
	type = plan->layout.inner.version == 4 ? CSUM_VIRTIO_GSO_TCPV4 : CSUM_VIRTIO_GSO_TCPV6;
	return (l4[TCP_FLAGS] & TCP_CWR) != 0 ? type | CSUM_VIRTIO_GSO_ECN : type;
}

static enum csum_refusal
plan_gso(struct plan *plan, const struct rte_mbuf *m, uint32_t flags)
{
	bool ufo = plan->l4.proto == IPPROTO_UDP && (flags & CSUM_VIRTIO_F_UFO) != 0;
	uint32_t hdr_len = 0, payload = 0, size = m->tso_segsz;
	enum csum_refusal refusal;

	refusal = payload_find(plan, m, &hdr_len, &payload);
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	/* gso_size does not count the fragment header, tso_segsz does. */
	if (ufo && plan->layout.inner.version == 6)
		size = size > IPV6_FRAG_LEN ? size - IPV6_FRAG_LEN : 0;
	if (size == 0)
		return CSUM_REFUSAL_SEGSZ;
	if ((ufo ? hdr_len + payload : payload) <= size)
		return CSUM_REFUSAL_NONE;
	plan->hdr.gso_type = gso_type_of(plan, flags);
	plan->hdr.gso_size = (uint16_t)size;
	plan->hdr.hdr_len = (uint16_t)(plan->l4.off + hdr_len);
	return CSUM_REFUSAL_NONE;
}

/* A super-packet. It ends with the mbuf, whatever its headers say. */
static enum csum_refusal
plan_super(struct plan *plan, const struct rte_mbuf *m, uint32_t flags)
{
	bool tcp = (m->ol_flags & RTE_MBUF_F_TX_TCP_SEG) != 0;
	struct pkt_layout *layout = &plan->layout;
	const struct pkt_ip *ip = &layout->inner;
	enum csum_refusal refusal;

	if ((m->ol_flags & PKT_TX_TUNNEL_MASK) != 0)
		return CSUM_REFUSAL_TUNNEL;
	if (tcp && (m->ol_flags & RTE_MBUF_F_TX_UDP_SEG) != 0)
		return CSUM_REFUSAL_FLAGS;
	if ((m->ol_flags & PKT_TX_FAMILY_MASK) == 0)
		return CSUM_REFUSAL_FLAGS;
	refusal = pkt_flags_check(m->ol_flags);
	if (refusal == CSUM_REFUSAL_NONE)
		refusal = pkt_layout_read(layout, m, m->ol_flags,
					  tcp ? RTE_MBUF_F_TX_TCP_CKSUM : RTE_MBUF_F_TX_UDP_CKSUM);
	if (refusal != CSUM_REFUSAL_NONE)
		return refusal;
	if (ip->fragment)
		return CSUM_REFUSAL_FRAGMENT;
	if (ip->proto != layout->rule->proto)
		return CSUM_REFUSAL_HEADER;
	if (layout->len < m->pkt_len)
		return CSUM_REFUSAL_LENGTHS;
	if (layout->len - ip->off > UINT16_MAX)
		return CSUM_REFUSAL_TOO_BIG;
	plan->l4 = (struct pkt_l4) {
		.off = ip->l4,
		.len = layout->len - ip->l4,
		.proto = ip->proto,
		.field = layout->rule->field,
	};
	plan->l4.pseudo = pkt_l4_pseudo(layout, ip, plan->l4.len);
	plan->end = ip->l4 + layout->rule->min_len;
	plan->seed = true;
	plan->set_lengths = true;
	return plan_gso(plan, m, flags);
}

/* It cannot fail: the layout has found these bytes. */
static void
put_be16(struct rte_mbuf *m, uint32_t off, uint32_t value)
{
	uint16_t field = rte_cpu_to_be_16((uint16_t)value);

	csum_mbuf_write(m, off, &field, sizeof(field));
}

static void
set_lengths(const struct plan *plan, struct rte_mbuf *m)
{
	const struct pkt_ip *ip = &plan->layout.inner;
	uint32_t len = plan->layout.len - ip->off, sum = 0;
	uint16_t check = 0;

	if (plan->l4.proto == IPPROTO_UDP)
		put_be16(m, plan->l4.off + UDP_LEN, plan->l4.len);
	if (ip->version == 6) {
		put_be16(m, ip->off + IPV6_LEN, len - IPV6_HDR_LEN);
		return;
	}
	put_be16(m, ip->off + IPV4_LEN, len);
	csum_mbuf_write(m, ip->off + IPV4_CHECK, &check, sizeof(check));
	csum_mbuf_partial(m, ip->off, ip->l4 - ip->off, &sum);
	check = csum_sum_check(sum);
	csum_mbuf_write(m, ip->off + IPV4_CHECK, &check, sizeof(check));
}

static void
carry_out(struct plan *plan, struct rte_mbuf *m)
{
	uint16_t seed;

	if (plan->set_lengths)
		set_lengths(plan, m);
	if (plan->seed) {
		seed = csum_sum_fold(plan->l4.pseudo);
		plan->hdr.flags = CSUM_VIRTIO_NEEDS_CSUM;
		plan->hdr.csum_start = (uint16_t)plan->l4.off;
		plan->hdr.csum_offset = plan->l4.field;
		plan->fill &= ~RTE_MBUF_F_TX_L4_MASK;
		csum_mbuf_write(m, plan->l4.off + plan->l4.field, &seed, sizeof(seed));
	}
	/* It has been checked, and what was written above is not what it reads. */
	csum_pkt_prepare(m, plan->fill, NULL);
}

int
csum_virtio_from_mbuf(struct csum_virtio_hdr *hdr, struct rte_mbuf *m, uint32_t flags,
		      enum csum_refusal *why)
{
	bool to_driver = (flags & CSUM_VIRTIO_F_TO_DRIVER) != 0;
	uint64_t ol_flags = m->ol_flags;
	enum csum_refusal refusal;
	struct plan plan;

	plan.hdr = (struct csum_virtio_hdr) { .num_buffers = to_driver ? 1 : 0 };
	plan.fill = 0;
	plan.end = 0;
	plan.seed = false;
	plan.set_lengths = false;
	if ((ol_flags & (RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_UDP_SEG)) != 0)
		refusal = plan_super(&plan, m, flags);
	else
		refusal = plan_checksum(&plan, m);
	if (why != NULL)
		*why = refusal;
	if (refusal != CSUM_REFUSAL_NONE)
		return csum_refusal_errno(refusal);
	if (!csum_mbuf_is_writable(m, plan.end))
		return -EBUSY;
	carry_out(&plan, m);
	if (to_driver && !plan.seed &&
	    (ol_flags & RTE_MBUF_F_RX_L4_CKSUM_MASK) == RTE_MBUF_F_RX_L4_CKSUM_GOOD)
		plan.hdr.flags = CSUM_VIRTIO_DATA_VALID;
	*hdr = plan.hdr;
	return 0;
}
