/* SPDX-License-Identifier: BSD-3-Clause */

/* Bursts on their way down. */

#include <errno.h>

#include <rte_branch_prediction.h>

#include "tx.h"

/* Packets that go down together. */
struct batch {
	uint16_t nb;
	struct rte_mbuf *out[SOFT_CSUM_BURST];
	struct soft_csum_slot slot[SOFT_CSUM_BURST];
};

static inline uint16_t
lower_send(struct soft_csum_txq *txq, struct rte_mbuf **pkts, uint16_t nb_pkts, uint64_t *bytes)
{
	uint16_t sent = rte_eth_tx_burst(txq->lower_id, txq->queue_id, pkts, nb_pkts);
	uint16_t i;

	/* Those that were taken may be freed by now; the others are still ours to look at. */
	for (i = sent; i < nb_pkts; i++)
		*bytes -= pkts[i]->pkt_len;
	soft_csum_count(&txq->packets, sent);
	soft_csum_count(&txq->bytes, *bytes);
	if (unlikely(sent < nb_pkts))
		soft_csum_count(&txq->stat[SOFT_CSUM_TX_HELD_RING], 1);
	return sent;
}

uint16_t
soft_csum_lower_send(struct soft_csum_txq *txq, struct rte_mbuf **pkts, uint16_t nb_pkts,
		     uint64_t *bytes)
{
	return lower_send(txq, pkts, nb_pkts, bytes);
}

/* Hand a batch down and empty it. Adds what went to *sent and tells whether all did. */
static bool
batch_send(struct soft_csum_txq *txq, struct batch *batch, uint16_t *sent)
{
	uint16_t i, nb, nb_out = batch->nb;
	uint64_t bytes = 0;

	if (nb_out == 0)
		return true;
	for (i = 0; i < nb_out; i++)
		bytes += batch->out[i]->pkt_len;
	nb = lower_send(txq, batch->out, nb_out, &bytes);
	soft_csum_slots_count(txq, batch->slot, nb);
	for (i = 0; i < nb; i++)
		if (batch->out[i] != batch->slot[i].given)
			rte_pktmbuf_free(batch->slot[i].given);
	for (; i < nb_out; i++)
		soft_csum_slot_undo(&batch->slot[i], batch->out[i]);
	batch->nb = 0;
	*sent += nb;
	return nb == nb_out;
}

static void
refuse(struct soft_csum_txq *txq, struct rte_mbuf *m, enum csum_refusal why)
{
	soft_csum_count(&txq->refused[why], 1);
	rte_pktmbuf_free(m);
}

/* What cannot join a batch: it goes when all before it are gone. Returns whether it is consumed. */
static bool
send_super(struct soft_csum_txq *txq, struct rte_mbuf *m, struct soft_csum_slot *slot,
	   enum soft_csum_fate *fate)
{
	enum csum_refusal why;

	slot->stats |= RTE_BIT32(SOFT_CSUM_TX_SEGMENTED);
	if (soft_csum_nb_tags(txq, m->ol_flags) != 0)
		slot->stats |= RTE_BIT32(SOFT_CSUM_TX_TAGGED);
	*fate = soft_csum_super_send(txq, m, &why);
	if (*fate == SOFT_CSUM_HELD)
		return false;
	if (*fate == SOFT_CSUM_REFUSED)
		refuse(txq, m, why);
	else
		soft_csum_slots_count(txq, slot, 1);
	return true;
}

/* Make a packet ready, in the batch: 0; -EAGAIN if it is to be cut here, else why it is not. */
static int
batch_add(struct soft_csum_txq *txq, struct batch *batch, struct rte_mbuf *m,
	  enum csum_refusal *why)
{
	struct soft_csum_slot *slot = &batch->slot[batch->nb];
	int ret = 0;

	if ((m->ol_flags & SOFT_CSUM_TX_SEG_MASK) == 0)
		ret = soft_csum_slot_fill(txq, m, slot, &batch->out[batch->nb], why);
	else if (soft_csum_slot_leave(txq, m, slot))
		batch->out[batch->nb] = m;
	else
		ret = -EAGAIN;
	if (ret == 0)
		batch->nb++;
	return ret;
}

/* A burst of which the first @p nb_filled packets are alike and ready; any others follow. */
static uint16_t
burst_mixed(struct soft_csum_txq *txq, struct rte_mbuf **pkts, uint16_t nb_pkts,
	    uint16_t nb_filled)
{
	enum soft_csum_fate fate = SOFT_CSUM_SENT;
	enum csum_refusal why;
	struct soft_csum_slot slot;
	struct batch batch;
	uint16_t sent = 0;
	uint16_t i;
	int ret;

	for (i = 0; i < nb_filled; i++) {
		batch.out[i] = pkts[i];
		soft_csum_slot_alike(txq, pkts[i], &batch.slot[i]);
	}
	batch.nb = nb_filled;
	for (; i < nb_pkts && fate != SOFT_CSUM_WAITS; i++) {
		if (batch.nb == SOFT_CSUM_BURST && !batch_send(txq, &batch, &sent))
			return sent;
		ret = batch_add(txq, &batch, pkts[i], &why);
		if (ret == 0)
			continue;
		slot = batch.slot[batch.nb];
		if (!batch_send(txq, &batch, &sent) || ret == -ENOMEM)
			return sent;
		if (ret != -EAGAIN)
			refuse(txq, pkts[i], why);
		else if (!send_super(txq, pkts[i], &slot, &fate))
			return sent;
		sent++;
	}
	batch_send(txq, &batch, &sent);
	return sent;
}

/* Packets that are alike and ready. Those that do not go are made again what they were. */
static uint16_t
alike_send(struct soft_csum_txq *txq, struct rte_mbuf **pkts, uint16_t nb, uint64_t bytes)
{
	uint16_t sent = lower_send(txq, pkts, nb, &bytes), i;

	for (i = sent; i < nb; i++)
		pkts[i]->ol_flags = txq->recipe.ol_flags;
	soft_csum_alike_count(txq, sent, bytes);
	return sent;
}

/* A burst some of whose packets need work: mostly they all do, and the same. */
static uint16_t
burst_work(struct soft_csum_txq *txq, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	uint16_t done, nb, nb_alike, sent;
	uint64_t bytes;

	for (done = 0; done < nb_pkts; done += nb) {
		nb = RTE_MIN(nb_pkts - done, SOFT_CSUM_BURST);
		nb_alike = soft_csum_alike_fill(txq, pkts + done, nb, &bytes);
		if (nb_alike < nb)
			return done + burst_mixed(txq, pkts + done, nb_pkts - done, nb_alike);
		sent = alike_send(txq, pkts + done, nb, bytes);
		if (sent < nb)
			return done + sent;
	}
	return nb_pkts;
}

/* One body, compiled for lower ports that take any chain and for those that do not. */
static inline uint16_t
burst_inside(struct soft_csum_txq *txq, struct rte_mbuf **pkts, uint16_t nb_pkts,
	     const bool any_chain)
{
	uint64_t bytes = 0;
	uint16_t i;

	if (unlikely(soft_csum_backlog_waits(txq)) && !soft_csum_backlog_drain(txq))
		return 0;
	for (i = 0; i < nb_pkts; i++) {
		if ((pkts[i]->ol_flags & txq->work) != 0 ||
				(!any_chain && pkts[i]->nb_segs > txq->max_segs))
			return burst_work(txq, pkts, nb_pkts);
		bytes += pkts[i]->pkt_len;
	}
	return lower_send(txq, pkts, nb_pkts, &bytes);
}

static inline uint16_t
burst(struct soft_csum_txq *txq, struct rte_mbuf **pkts, uint16_t nb_pkts, const bool any_chain)
{
	uint16_t sent;

	if (!soft_csum_enter(&txq->busy, txq->port))
		return 0;
	sent = burst_inside(txq, pkts, nb_pkts, any_chain);
	soft_csum_leave(&txq->busy);
	return sent;
}

static uint16_t
burst_any_chain(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return burst(queue, pkts, nb_pkts, true);
}

static uint16_t
burst_short_chains(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return burst(queue, pkts, nb_pkts, false);
}

eth_tx_burst_t
soft_csum_tx_burst_pick(const struct soft_csum_port *port)
{
	return port->lower_max_segs == UINT16_MAX ? burst_any_chain : burst_short_chains;
}
