/* SPDX-License-Identifier: BSD-3-Clause */

/* One packet: what it asks for, who does it, and on which bytes. */

#include <errno.h>

#include <rte_common.h>
#include <rte_errno.h>
#include <rte_ether.h>

#include "tx.h"

/* Bytes of the longest L4 header up to the end of its checksum field: TCP's. */
#define L4_CKSUM_END 18

/* Tell whether all that a packet asks for was enabled. */
static bool
is_enabled(const struct soft_csum_txq *txq, uint64_t ol_flags)
{
	uint64_t flags = ol_flags & ~RTE_MBUF_F_TX_L4_MASK &
		(SOFT_CSUM_TX_WORK_MASK | SOFT_CSUM_TX_TAG_MASK);

	return (flags & ~txq->enabled.flags) == 0 &&
		(txq->enabled.l4 & soft_csum_l4_bit(ol_flags)) != 0;
}

/* The flags of a packet whose requests in @p done are fulfilled. */
static uint64_t
flags_without(uint64_t ol_flags, uint64_t done)
{
	ol_flags &= ~done;
	if ((ol_flags & SOFT_CSUM_TX_WORK_MASK) == 0)
		ol_flags &= ~SOFT_CSUM_TX_HINT_MASK;
	return ol_flags;
}

/* Bytes from the packet's first to behind the last checksum field that may be written. */
static uint32_t
header_len(const struct rte_mbuf *m)
{
	uint32_t len = m->l2_len + m->l3_len + L4_CKSUM_END;

	if (m->ol_flags & SOFT_CSUM_TX_OUTER_MASK)
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
	unsigned int nb_tags = soft_csum_nb_tags(txq, m->ol_flags);

	return m->nb_segs > txq->max_segs ||
		((m->ol_flags & SOFT_CSUM_TX_WORK_MASK) != 0 && !is_ours_to_write(m)) ||
		(nb_tags != 0 && !soft_csum_tags_fit(m, nb_tags));
}

/* Why a packet cannot go down, whatever its checksums. */
static enum csum_refusal
shape_refusal(const struct soft_csum_txq *txq, const struct rte_mbuf *m, bool copy)
{
	if (soft_csum_nb_tags(txq, m->ol_flags) != 0 && m->pkt_len < RTE_ETHER_HDR_LEN)
		return CSUM_REFUSAL_LENGTHS;
	return copy ? soft_csum_copy_refusal(txq, m) : CSUM_REFUSAL_NONE;
}

static int
fill_once(struct rte_mbuf *out, struct rte_mbuf *m, uint64_t todo, enum csum_refusal *why)
{
	return out != m ? csum_pkt_prepare_copy(out, m, todo, why) :
		csum_pkt_prepare(m, todo, why);
}

/*
 * A fragment cannot have an L4 checksum, which is about the whole datagram: whoever asks for one
 * gets the rest, and the fragment goes its way. The request is taken back, so that nobody below
 * carries it out, and an outer UDP checksum covers the bytes as they are.
 */
static int
fill_fragment(struct rte_mbuf *out, struct rte_mbuf *m, uint64_t todo, enum csum_refusal *why)
{
	int ret = out != m ? csum_pkt_prepare_copy(out, m, 0, why) : 0;

	if (ret != 0)
		return ret;
	out->ol_flags &= ~RTE_MBUF_F_TX_L4_MASK;
	return csum_pkt_prepare(out, todo, why);
}

/* Fill in what is asked for, in the packet or in a copy that is made thereby. */
static int
fill(struct rte_mbuf *out, struct rte_mbuf *m, uint64_t todo, struct soft_csum_slot *slot,
     enum csum_refusal *why)
{
	int ret = fill_once(out, m, todo, why);

	if (ret == 0 || *why != CSUM_REFUSAL_FRAGMENT)
		return ret;
	slot->stats |= RTE_BIT32(SOFT_CSUM_TX_FRAGMENTS);
	return fill_fragment(out, m, todo, why);
}

static void
insert_tags(const struct soft_csum_txq *txq, struct soft_csum_slot *slot, struct rte_mbuf *out)
{
	slot->nb_tags = soft_csum_nb_tags(txq, slot->ol_flags);
	if (slot->nb_tags == 0)
		return;
	soft_csum_tags_insert(out, slot->nb_tags);
	slot->stats |= RTE_BIT32(SOFT_CSUM_TX_TAGGED);
}

/* Tell whether the lower port will do what is left to it. It may seed checksum fields. */
static bool
lower_accepts(const struct soft_csum_txq *txq, struct soft_csum_slot *slot, struct rte_mbuf *out)
{
	bool accepts = rte_eth_tx_prepare(txq->lower_id, txq->queue_id, &out, 1) == 1;

	slot->stats |= accepts ? RTE_BIT32(SOFT_CSUM_TX_LEFT) :
		RTE_BIT32(SOFT_CSUM_TX_LOWER_REFUSED);
	return accepts;
}

/* Carry out what is not left to the lower port, and what that turns down. */
static int
carry_out(const struct soft_csum_txq *txq, struct soft_csum_slot *slot, struct rte_mbuf *out,
	  enum csum_refusal *why)
{
	uint64_t todo = soft_csum_todo(txq, slot->given);
	int ret = fill(out, slot->given, todo, slot, why);

	if (ret != 0)
		return ret;
	/* Its own flags: a copy is neither indirect nor external, whatever it is a copy of. */
	out->ol_flags = flags_without(out->ol_flags, todo);
	insert_tags(txq, slot, out);
	if (out->ol_flags & SOFT_CSUM_TX_WORK_MASK) {
		if (lower_accepts(txq, slot, out))
			return 0;
		ret = fill(out, out, CSUM_PKT_TX_CKSUM_MASK, slot, why);
		if (ret != 0)
			return ret;
		out->ol_flags = flags_without(out->ol_flags, CSUM_PKT_TX_CKSUM_MASK);
	}
	if (slot->ol_flags & SOFT_CSUM_TX_WORK_MASK)
		slot->stats |= RTE_BIT32(SOFT_CSUM_TX_CHECKSUMMED);
	return 0;
}

static void
slot_begin(const struct soft_csum_txq *txq, struct rte_mbuf *m, struct soft_csum_slot *slot)
{
	slot->given = m;
	slot->ol_flags = m->ol_flags;
	slot->tx_offload = m->tx_offload;
	slot->len = m->pkt_len;
	slot->nb_tags = 0;
	slot->passed = false;
	slot->stats = is_enabled(txq, m->ol_flags) ? 0 : RTE_BIT32(SOFT_CSUM_TX_NOT_ENABLED);
}

void
soft_csum_slot_undo(const struct soft_csum_slot *slot, struct rte_mbuf *out)
{
	if (out != slot->given) {
		rte_pktmbuf_free(out);
		return;
	}
	if (slot->nb_tags != 0)
		soft_csum_tags_take_out(out, slot->nb_tags);
	out->ol_flags = slot->ol_flags;
	out->tx_offload = slot->tx_offload;
}

/*
 * Packets that go with what their flags alone tell: the checksums, if any, are all filled in here,
 * and nothing else is to do.
 */
static void
recipe_make(struct soft_csum_txq *txq, const struct rte_mbuf *m)
{
	struct soft_csum_recipe *recipe = &txq->recipe;
	uint64_t ol_flags = m->ol_flags;
	bool asks = (ol_flags & SOFT_CSUM_TX_WORK_MASK) != 0;

	recipe->ol_flags = ol_flags;
	recipe->usual = (ol_flags & (SOFT_CSUM_TX_SEG_MASK | SOFT_CSUM_TX_OUTER_MASK |
		txq->no_tag | RTE_MBUF_F_INDIRECT | RTE_MBUF_F_EXTERNAL)) == 0;
	recipe->todo = asks ? soft_csum_todo(txq, m) : 0;
	recipe->sent = asks ? flags_without(ol_flags, recipe->todo) : ol_flags;
	if (recipe->sent & SOFT_CSUM_TX_WORK_MASK)
		recipe->usual = false;
	recipe->passed = !asks;
	recipe->stats = asks ? RTE_BIT32(SOFT_CSUM_TX_CHECKSUMMED) : 0;
	if (!is_enabled(txq, ol_flags))
		recipe->stats |= RTE_BIT32(SOFT_CSUM_TX_NOT_ENABLED);
}

void
soft_csum_recipe_reset(struct soft_csum_txq *txq)
{
	/* Flags that no packet has, as they contradict each other, and a recipe for none. */
	txq->recipe.ol_flags = UINT64_MAX;
	txq->recipe.usual = false;
}

/* One mbuf of the caller's alone, by its recipe. False, and nothing has changed: look closer. */
static inline bool
usual_fill(const struct soft_csum_recipe *recipe, struct rte_mbuf *m)
{
	if (!recipe->usual || m->nb_segs != 1 || rte_mbuf_refcnt_read(m) != 1 ||
			(recipe->todo != 0 && csum_pkt_prepare(m, recipe->todo, NULL) != 0))
		return false;
	m->ol_flags = recipe->sent;
	return true;
}

uint16_t
soft_csum_alike_fill(struct soft_csum_txq *txq, struct rte_mbuf **pkts, uint16_t nb,
		     uint64_t *bytes)
{
	const struct soft_csum_recipe *recipe = &txq->recipe;
	uint64_t sum = 0;
	uint16_t i;

	if (unlikely(pkts[0]->ol_flags != recipe->ol_flags))
		recipe_make(txq, pkts[0]);
	for (i = 0; i < nb; i++) {
		if (unlikely(pkts[i]->ol_flags != recipe->ol_flags) ||
				unlikely(!usual_fill(recipe, pkts[i])))
			break;
		sum += pkts[i]->pkt_len;
	}
	*bytes = sum;
	return i;
}

void
soft_csum_slot_alike(const struct soft_csum_txq *txq, struct rte_mbuf *m,
		     struct soft_csum_slot *slot)
{
	slot->given = m;
	slot->ol_flags = txq->recipe.ol_flags;
	slot->tx_offload = m->tx_offload;
	slot->stats = txq->recipe.stats;
	slot->len = m->pkt_len;
	slot->nb_tags = 0;
	slot->passed = txq->recipe.passed;
}

/* Any packet, by itself. */
static int
slot_fill(struct soft_csum_txq *txq, struct rte_mbuf *m, struct soft_csum_slot *slot,
	  struct rte_mbuf **out, enum csum_refusal *why)
{
	bool linearise = m->nb_segs > txq->max_segs, copy;
	int ret;

	slot_begin(txq, m, slot);
	*out = m;
	if ((m->ol_flags & txq->work) == 0 && !linearise) {
		slot->passed = true;
		return 0;
	}
	copy = needs_copy(txq, m);
	*why = shape_refusal(txq, m, copy);
	if (*why != CSUM_REFUSAL_NONE)
		return csum_refusal_errno(*why);
	if (copy) {
		*out = soft_csum_copy_alloc(txq, m);
		if (*out == NULL) {
			soft_csum_count(&txq->stat[SOFT_CSUM_TX_HELD_POOL], 1);
			return -ENOMEM;
		}
		slot->stats |= linearise ? RTE_BIT32(SOFT_CSUM_TX_LINEARISED) :
			RTE_BIT32(SOFT_CSUM_TX_COPIED);
	}
	ret = carry_out(txq, slot, *out, why);
	if (ret != 0)
		soft_csum_slot_undo(slot, *out);
	return ret;
}

int
soft_csum_slot_fill(struct soft_csum_txq *txq, struct rte_mbuf *m, struct soft_csum_slot *slot,
		    struct rte_mbuf **out, enum csum_refusal *why)
{
	if (m->ol_flags != txq->recipe.ol_flags)
		recipe_make(txq, m);
	if (!usual_fill(&txq->recipe, m))
		return slot_fill(txq, m, slot, out, why);
	soft_csum_slot_alike(txq, m, slot);
	*out = m;
	return 0;
}

/* To cut IPv4 implies its checksum, which not every port that cuts fills in. */
static bool
fill_super_ip(const struct soft_csum_txq *txq, struct rte_mbuf *m)
{
	uint64_t flags = m->ol_flags;
	int ret;

	if ((flags & RTE_MBUF_F_TX_IPV4) == 0)
		return true;
	m->ol_flags |= RTE_MBUF_F_TX_IP_CKSUM;
	if (txq->left.flags & RTE_MBUF_F_TX_IP_CKSUM)
		return true;
	m->ol_flags &= ~(SOFT_CSUM_TX_SEG_MASK | RTE_MBUF_F_TX_L4_MASK);
	ret = csum_pkt_prepare(m, RTE_MBUF_F_TX_IP_CKSUM, NULL);
	m->ol_flags = flags & ~RTE_MBUF_F_TX_IP_CKSUM;
	return ret == 0;
}

bool
soft_csum_slot_leave(struct soft_csum_txq *txq, struct rte_mbuf *m, struct soft_csum_slot *slot)
{
	uint32_t stats;

	slot_begin(txq, m, slot);
	stats = slot->stats;
	if (!soft_csum_leaves_super(txq, m))
		return false;
	if (fill_super_ip(txq, m)) {
		insert_tags(txq, slot, m);
		if (lower_accepts(txq, slot, m))
			return true;
		stats |= RTE_BIT32(SOFT_CSUM_TX_LOWER_REFUSED);
	}
	soft_csum_slot_undo(slot, m);
	slot->stats = stats;
	return false;
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
	if (ret == 0)
		ret = csum_refusal_errno(shape_refusal(txq, m, needs_copy(txq, m)));
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
