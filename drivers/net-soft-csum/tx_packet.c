/* SPDX-License-Identifier: BSD-3-Clause */

/* One packet: what it asks for, who does it, and on which bytes. */

#include <errno.h>

#include <rte_bitops.h>
#include <rte_common.h>
#include <rte_errno.h>

#include "soft_csum.h"

/* Hints for whoever carries the requests out: of no use once none is left. */
#define TX_HINT_MASK (RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_OUTER_IPV4 | \
	RTE_MBUF_F_TX_OUTER_IPV6 | RTE_MBUF_F_TX_TUNNEL_MASK)

/* With any of these the outer length fields of the mbuf mean something. */
#define TX_OUTER_MASK (RTE_MBUF_F_TX_OUTER_IP_CKSUM | RTE_MBUF_F_TX_OUTER_UDP_CKSUM | \
	RTE_MBUF_F_TX_OUTER_IPV4 | RTE_MBUF_F_TX_OUTER_IPV6 | RTE_MBUF_F_TX_TUNNEL_MASK)

/* Bytes of the longest L4 header up to the end of its checksum field: TCP's. */
#define L4_CKSUM_END 18

bool
soft_csum_requests_in(uint64_t ol_flags, const struct soft_csum_requests *set)
{
	uint64_t flags = ol_flags & SOFT_CSUM_TX_WORK_MASK & ~RTE_MBUF_F_TX_L4_MASK;

	return (flags & ~set->flags) == 0 && (set->l4 & soft_csum_l4_bit(ol_flags)) != 0;
}

/*
 * Checksums to fill in here, as a mask. A port that does plain checksums need not know tunnels,
 * so that one with an outer header is done here whole.
 */
static uint64_t
todo_of(const struct soft_csum_txq *txq, uint64_t ol_flags)
{
	uint64_t todo = CSUM_PKT_TX_CKSUM_MASK;

	if ((ol_flags & TX_OUTER_MASK) == 0) {
		/* Asked of IPv6 it means nothing, and no port below shall see it. */
		if ((ol_flags & RTE_MBUF_F_TX_IPV6) == 0)
			todo &= ~txq->left.flags;
		if (txq->left.l4 & soft_csum_l4_bit(ol_flags))
			todo &= ~RTE_MBUF_F_TX_L4_MASK;
	}
	if ((ol_flags & RTE_MBUF_F_TX_L4_MASK) == 0)
		todo &= ~RTE_MBUF_F_TX_L4_MASK;
	return todo & (ol_flags | RTE_MBUF_F_TX_L4_MASK);
}

/* The flags of a packet whose requests in @p done are fulfilled. */
static uint64_t
flags_without(uint64_t ol_flags, uint64_t done)
{
	ol_flags &= ~done;
	if ((ol_flags & SOFT_CSUM_TX_WORK_MASK) == 0)
		ol_flags &= ~TX_HINT_MASK;
	return ol_flags;
}

/* Bytes from the packet's first to behind the last checksum field that may be written. */
static uint32_t
header_len(const struct rte_mbuf *m)
{
	uint32_t len = m->l2_len + m->l3_len + L4_CKSUM_END;

	if (m->ol_flags & TX_OUTER_MASK)
		len += m->outer_l2_len + m->outer_l3_len;
	return len;
}

/*
 * Neither the flags nor the headers of what somebody else holds may be changed. Who holds an mbuf
 * holds the chain, so that its data tells of its flags as well.
 */
static bool
is_ours_to_write(const struct rte_mbuf *m)
{
	return csum_mbuf_is_writable(m, header_len(m));
}

/* Tell whether a copy goes down in a packet's place. */
static bool
needs_copy(const struct soft_csum_txq *txq, const struct rte_mbuf *m)
{
	return m->nb_segs > txq->max_segs ||
		((m->ol_flags & SOFT_CSUM_TX_WORK_MASK) != 0 && !is_ours_to_write(m));
}

/* Why a packet cannot be copied. */
static enum csum_refusal
copy_refusal(const struct soft_csum_txq *txq, const struct rte_mbuf *m)
{
	struct csum_mbuf_pos end;

	if (m->pkt_len == 0)
		return CSUM_REFUSAL_LENGTHS;
	if (!soft_csum_fits(txq, m->pkt_len))
		return CSUM_REFUSAL_TOO_BIG;
	/* What copies goes by pkt_len, and not by where the chain ends. */
	return csum_mbuf_seek(m, m->pkt_len, &end) != 0 ? CSUM_REFUSAL_LENGTHS :
		CSUM_REFUSAL_NONE;
}

/*
 * A copy from the port's own pool, in as few segments as hold it. NULL with *why set when there
 * cannot be one, without when the pool is empty.
 */
static struct rte_mbuf *
copy_of(struct soft_csum_txq *txq, const struct rte_mbuf *m, enum csum_refusal *why)
{
	struct rte_mbuf *copy;

	*why = copy_refusal(txq, m);
	if (*why != CSUM_REFUSAL_NONE)
		return NULL;
	copy = rte_pktmbuf_copy(m, txq->port->gso.pool, 0, UINT32_MAX);
	if (copy == NULL)
		soft_csum_count(&txq->stat[SOFT_CSUM_TX_HELD_POOL], 1);
	return copy;
}

/*
 * Fill in what is asked for. A fragment cannot have an L4 checksum, which is about the whole
 * datagram: whoever asks for one gets the rest, and the fragment goes its way.
 */
static int
fill(struct rte_mbuf *m, uint64_t todo, struct soft_csum_slot *slot, enum csum_refusal *why)
{
	int ret = csum_pkt_prepare(m, todo, why);

	if (ret == 0 || *why != CSUM_REFUSAL_FRAGMENT)
		return ret;
	slot->stats |= RTE_BIT32(SOFT_CSUM_TX_FRAGMENTS);
	return csum_pkt_prepare(m, todo & ~RTE_MBUF_F_TX_L4_MASK, why);
}

/* Fill in what is not left to the lower port, and what that turns down. */
static int
fill_checksums(struct soft_csum_txq *txq, struct rte_mbuf *m, struct soft_csum_slot *slot,
	       enum csum_refusal *why)
{
	uint64_t todo = todo_of(txq, m->ol_flags);
	int ret = todo != 0 ? fill(m, todo, slot, why) : 0;

	if (ret != 0)
		return ret;
	/* Its own flags: a copy is neither indirect nor external, whatever it is a copy of. */
	m->ol_flags = flags_without(m->ol_flags, todo);
	if ((m->ol_flags & SOFT_CSUM_TX_WORK_MASK) == 0) {
		slot->stats |= RTE_BIT32(SOFT_CSUM_TX_CHECKSUMMED);
		return 0;
	}
	if (rte_eth_tx_prepare(txq->lower_id, txq->queue_id, &m, 1) == 1) {
		slot->stats |= RTE_BIT32(SOFT_CSUM_TX_LEFT);
		return 0;
	}
	slot->stats |= RTE_BIT32(SOFT_CSUM_TX_LOWER_REFUSED) |
		RTE_BIT32(SOFT_CSUM_TX_CHECKSUMMED);
	ret = fill(m, CSUM_PKT_TX_CKSUM_MASK, slot, why);
	if (ret == 0)
		m->ol_flags = flags_without(m->ol_flags, CSUM_PKT_TX_CKSUM_MASK);
	return ret;
}

void
soft_csum_slot_undo(const struct soft_csum_slot *slot, struct rte_mbuf *out)
{
	if (out != slot->given)
		rte_pktmbuf_free(out);
	else
		out->ol_flags = slot->ol_flags;
}

int
soft_csum_slot_fill(struct soft_csum_txq *txq, struct rte_mbuf *m, struct soft_csum_slot *slot,
		    struct rte_mbuf **out, enum csum_refusal *why)
{
	bool work = (m->ol_flags & SOFT_CSUM_TX_WORK_MASK) != 0;
	bool linearise = m->nb_segs > txq->max_segs;
	int ret;

	slot->given = m;
	slot->ol_flags = m->ol_flags;
	slot->stats = (m->ol_flags & txq->no_tag) != 0 ? RTE_BIT32(SOFT_CSUM_TX_NO_VLAN) : 0;
	*out = m;
	if (!work && !linearise) {
		slot->stats |= RTE_BIT32(SOFT_CSUM_TX_PASSED);
		return 0;
	}
	if (needs_copy(txq, m)) {
		*out = copy_of(txq, m, why);
		if (*out == NULL)
			return *why == CSUM_REFUSAL_NONE ? -ENOMEM : csum_refusal_errno(*why);
		slot->stats |= linearise ? RTE_BIT32(SOFT_CSUM_TX_LINEARISED) :
			RTE_BIT32(SOFT_CSUM_TX_COPIED);
	}
	if (!work)
		return 0;
	if (!soft_csum_requests_in(slot->ol_flags, &txq->enabled))
		slot->stats |= RTE_BIT32(SOFT_CSUM_TX_NOT_ENABLED);
	ret = fill_checksums(txq, *out, slot, why);
	if (ret != 0)
		soft_csum_slot_undo(slot, *out);
	return ret;
}

/* What tx_burst would refuse, as a negative errno of the library. */
static int
check(const struct soft_csum_txq *txq, const struct rte_mbuf *m)
{
	struct csum_gso_iter iter;
	enum csum_refusal why;
	int ret = 0;

	if (m->ol_flags & SOFT_CSUM_TX_SEG_MASK)
		return soft_csum_super_begin(txq, m, &iter, &why);
	if (m->ol_flags & SOFT_CSUM_TX_WORK_MASK)
		ret = csum_pkt_check(m, NULL);
	if (ret == 0 && needs_copy(txq, m))
		ret = csum_refusal_errno(copy_refusal(txq, m));
	return ret;
}

uint16_t
soft_csum_tx_prepare(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	const struct soft_csum_txq *txq = queue;
	uint16_t i;
	int ret;

	for (i = 0; i < nb_pkts; i++) {
		ret = check(txq, pkts[i]);
		if (ret != 0) {
			/* Of the two that a tx_pkt_prepare may say. */
			rte_errno = ret == -ENOTSUP ? ENOTSUP : EINVAL;
			break;
		}
	}
	return i;
}
