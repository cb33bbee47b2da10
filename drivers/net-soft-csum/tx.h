/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _SOFT_CSUM_TX_H_
#define _SOFT_CSUM_TX_H_

/*
 * What the files share that deal with single packets on their way down.
 */

#include "soft_csum.h"

/* tx_tags.c */

/* Tell whether tags can be inserted without a copy: the headers are ours, and there is headroom. */
bool soft_csum_tags_fit(const struct rte_mbuf *m, unsigned int nb);
/* Insert what vlan_tci and, with 2 tags, vlan_tci_outer say. The flags that asked for it go. */
void soft_csum_tags_insert(struct rte_mbuf *m, unsigned int nb);
/* The bytes as they were before; flags and header lengths are the caller's to put back. */
void soft_csum_tags_take_out(struct rte_mbuf *m, unsigned int nb);

/* tx_copy.c */

/* Why a packet cannot be copied. */
enum csum_refusal soft_csum_copy_refusal(const struct soft_csum_txq *txq,
					 const struct rte_mbuf *m);
/*
 * Have room for a copy from the port's own pool, in as few mbufs as hold it, with all of the
 * packet's metadata. NULL when the pool is empty.
 */
struct rte_mbuf *soft_csum_copy_alloc(const struct soft_csum_txq *txq, const struct rte_mbuf *m);

/* tx_leave.c */

/* The checksums of a packet that are to be filled in here, as csum_pkt_prepare() takes them. */
uint64_t soft_csum_todo(const struct soft_csum_txq *txq, const struct rte_mbuf *m);
/*
 * Tags that are inserted here make a link-layer header longer, whose length has 7 bits: tell
 * whether the lower port will find the headers behind them.
 */
bool soft_csum_lens_hold_tags(const struct soft_csum_txq *txq, const struct rte_mbuf *m);
/* Tell whether a super-packet is one that the lower port cuts, just as it is. */
bool soft_csum_leaves_super(const struct soft_csum_txq *txq, const struct rte_mbuf *m);

/* tx_packet.c */

/* What it takes to undo, and to count, one packet on its way down. */
struct soft_csum_slot {
	struct rte_mbuf *given; /* the application's; what goes down may be a copy of it */
	uint64_t ol_flags;      /* as given */
	uint64_t tx_offload;    /* as given */
	uint32_t stats;         /* bit n: counts as enum soft_csum_stat n */
	uint32_t len;           /* bytes of it as given */
	uint16_t nb_tags;       /* inserted */
	bool passed;            /* nothing was done */
};

/*
 * Make packets ready to go down that ask for the same as the first one, and for nothing but
 * checksums that are filled in here. Returns how many there were before another one, @p nb at most;
 * sets *bytes to theirs. They are as txq->recipe says, which they share.
 */
uint16_t soft_csum_alike_fill(struct soft_csum_txq *txq, struct rte_mbuf **pkts, uint16_t nb,
			      uint64_t *bytes);
/* Have a slot for one of these. */
void soft_csum_slot_alike(const struct soft_csum_txq *txq, struct rte_mbuf *m,
			  struct soft_csum_slot *slot);
/*
 * Make a packet that is not a super-packet ready to go down: set *out to it, or to a copy.
 *
 * Returns 0, or -ENOMEM when the pool is empty, or another error with *why set. On error the
 * packet is as given.
 */
int soft_csum_slot_fill(struct soft_csum_txq *txq, struct rte_mbuf *m,
			struct soft_csum_slot *slot, struct rte_mbuf **out,
			enum csum_refusal *why);
/*
 * Make a super-packet ready to go down and be cut there. Returns false when that is not possible:
 * it is as given then, and slot->stats tells what counts when it is cut here.
 */
bool soft_csum_slot_leave(struct soft_csum_txq *txq, struct rte_mbuf *m,
			  struct soft_csum_slot *slot);
/* The packet did not go: make it again what it was. */
void soft_csum_slot_undo(const struct soft_csum_slot *slot, struct rte_mbuf *out);
uint16_t soft_csum_tx_prepare(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
/* The queue's masks have changed: what was made of packets before does not hold any more. */
void soft_csum_recipe_reset(struct soft_csum_txq *txq);

/* tx_count.c */

/* Count packets that went. */
void soft_csum_slots_count(struct soft_csum_txq *txq, const struct soft_csum_slot slots[],
			   uint16_t nb);
/* Count packets of @p bytes in all that went, and are as txq->recipe says. */
void soft_csum_alike_count(struct soft_csum_txq *txq, uint16_t nb, uint64_t bytes);
/* Count segments that went. */
void soft_csum_segs_count(struct soft_csum_txq *txq, uint16_t nb, uint64_t bytes);

#endif /* _SOFT_CSUM_TX_H_ */
