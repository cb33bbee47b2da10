/* SPDX-License-Identifier: BSD-3-Clause */

/* Counting what became of packets, and what they had asked for. */

#include <rte_bitops.h>
#include <rte_ether.h>

#include "tx.h"

/* Requests that are one flag each. */
#define REQUEST_FLAGS ((SOFT_CSUM_TX_WORK_MASK & ~RTE_MBUF_F_TX_L4_MASK) | SOFT_CSUM_TX_TAG_MASK)

static void
requests_count(struct soft_csum_txq *txq, uint64_t ol_flags, uint16_t nb)
{
	uint64_t flags = ol_flags & REQUEST_FLAGS;

	soft_csum_count(&txq->requests[SOFT_CSUM_REQUEST_L4 + soft_csum_l4_type(ol_flags)], nb);
	if ((ol_flags & SOFT_CSUM_TX_SEG_MASK) != 0 &&
			(ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK) != 0) {
		soft_csum_count(&txq->requests[SOFT_CSUM_REQUEST_TNL_TSO], nb);
		flags &= ~SOFT_CSUM_TX_SEG_MASK;
	}
	for (; flags != 0; flags &= flags - 1)
		soft_csum_count(&txq->flag_requests[rte_bsf64(flags)], nb);
}

static void
stats_count(struct soft_csum_txq *txq, uint32_t stats, uint16_t nb, uint64_t bytes)
{
	uint32_t stat;

	for (; stats != 0; stats &= stats - 1) {
		stat = rte_bsf32(stats);
		soft_csum_count(&txq->stat[stat], nb);
		if (stat < SOFT_CSUM_NB_PATHS)
			soft_csum_count(&txq->path_bytes[stat], bytes);
	}
}

static void
worked_count(struct soft_csum_txq *txq, uint16_t nb, uint64_t bytes)
{
	soft_csum_count(&txq->worked_packets, nb);
	soft_csum_count(&txq->worked_bytes, bytes);
}

/* Count @p nb packets of @p bytes in all that are alike in all that matters. */
static void
run_count(struct soft_csum_txq *txq, const struct soft_csum_slot *slot, uint16_t nb, uint64_t bytes)
{
	stats_count(txq, slot->stats, nb, bytes);
	if (slot->passed)
		return;
	requests_count(txq, slot->ol_flags, nb);
	/* What was cut is counted as segments. */
	if ((slot->stats & RTE_BIT32(SOFT_CSUM_TX_SEGMENTED)) == 0)
		worked_count(txq, nb, bytes + (uint64_t)nb * slot->nb_tags * RTE_VLAN_HLEN);
}

static bool
is_alike(const struct soft_csum_slot *a, const struct soft_csum_slot *b)
{
	return a->stats == b->stats && a->ol_flags == b->ol_flags && a->nb_tags == b->nb_tags &&
		a->passed == b->passed;
}

void
soft_csum_slots_count(struct soft_csum_txq *txq, const struct soft_csum_slot slots[], uint16_t nb)
{
	uint16_t first, next;
	uint64_t bytes;

	/* Packets of a burst are mostly alike, and a run of them costs what one does. */
	for (first = 0; first < nb; first = next) {
		bytes = 0;
		for (next = first; next < nb && is_alike(&slots[first], &slots[next]); next++)
			bytes += slots[next].len;
		run_count(txq, &slots[first], next - first, bytes);
	}
}

void
soft_csum_alike_count(struct soft_csum_txq *txq, uint16_t nb, uint64_t bytes)
{
	const struct soft_csum_slot slot = {
		.ol_flags = txq->recipe.ol_flags, .stats = txq->recipe.stats,
		.passed = txq->recipe.passed,
	};

	run_count(txq, &slot, nb, bytes);
}

void
soft_csum_segs_count(struct soft_csum_txq *txq, uint16_t nb, uint64_t bytes)
{
	soft_csum_count(&txq->stat[SOFT_CSUM_TX_SEGMENTS], nb);
	worked_count(txq, nb, bytes);
}
