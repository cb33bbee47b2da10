/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <string.h>

#include <rte_alarm.h>
#include <rte_cycles.h>
#include <rte_mempool.h>

#include "tx.h"

/* How often the alarm looks after backlogs while the application is silent. */
#define ALARM_US 100

/* How long stop waits for the lower port to take what is left, and how often it asks. */
#define FLUSH_US      100000
#define FLUSH_STEP_US 50

/* How far a super-packet came. */
enum run {
	RUN_DONE,  /* all segments are out */
	RUN_RING,  /* the lower port takes no more for now */
	RUN_POOL,  /* no mbuf for the next segment */
};

/* It cannot fail: the segmenter has made the headers. */
static void
fill_seg(struct rte_mbuf *seg)
{
	(void)csum_pkt_prepare(seg, CSUM_PKT_TX_CKSUM_MASK, NULL);
	seg->ol_flags &= ~(SOFT_CSUM_TX_WORK_MASK | SOFT_CSUM_TX_HINT_MASK);
}

/*
 * Give a segment its tags, and let the lower port see the checksums that are left to it. What it
 * turns down, or would not find behind the tags, is filled in here.
 */
static void
finish_seg(struct soft_csum_txq *txq, struct rte_mbuf *seg)
{
	unsigned int nb_tags = soft_csum_nb_tags(txq, seg->ol_flags);

	if ((seg->ol_flags & SOFT_CSUM_TX_WORK_MASK) != 0 && !soft_csum_lens_hold_tags(txq, seg))
		fill_seg(seg);
	if (nb_tags != 0)
		soft_csum_tags_insert(seg, nb_tags);
	if ((seg->ol_flags & SOFT_CSUM_TX_WORK_MASK) != 0 &&
			rte_eth_tx_prepare(txq->lower_id, txq->queue_id, &seg, 1) != 1) {
		soft_csum_count(&txq->stat[SOFT_CSUM_TX_LOWER_REFUSED], 1);
		fill_seg(seg);
	}
}

/* Make segments up to a burst of them. Returns 0 if there is none left, or -ENOMEM. */
static int
make_segs(struct soft_csum_txq *txq)
{
	struct soft_csum_backlog *backlog = &txq->backlog;
	int nb = csum_gso_iter_burst(&backlog->iter, backlog->segs, SOFT_CSUM_BURST);
	int i;

	backlog->head = 0;
	backlog->nb = (uint16_t)RTE_MAX(nb, 0);
	/* They all ask for the same. */
	if (nb > 0 && (backlog->segs[0]->ol_flags & txq->work) == 0)
		return nb;
	for (i = 0; i < nb; i++)
		finish_seg(txq, backlog->segs[i]);
	return nb;
}

/* Send segments made, and make more, as far as it goes. Adds the frames sent to *sent. */
static enum run
run(struct soft_csum_txq *txq, uint32_t *sent)
{
	struct soft_csum_backlog *backlog = &txq->backlog;
	uint16_t i, nb;
	uint64_t bytes;
	int ret;

	for (;;) {
		if (backlog->head == backlog->nb) {
			ret = make_segs(txq);
			if (ret <= 0)
				return ret == 0 ? RUN_DONE : RUN_POOL;
		}
		for (i = backlog->head, bytes = 0; i < backlog->nb; i++)
			bytes += backlog->segs[i]->pkt_len;
		nb = soft_csum_lower_send(txq, backlog->segs + backlog->head,
			backlog->nb - backlog->head, &bytes);
		backlog->head += nb;
		*sent += nb;
		soft_csum_segs_count(txq, nb, bytes);
		if (backlog->head < backlog->nb)
			return RUN_RING;
	}
}

/* Segments made and to be made. */
static uint32_t
nb_waiting(const struct soft_csum_backlog *backlog)
{
	return backlog->nb - backlog->head + csum_gso_iter_left(&backlog->iter);
}

static void
free_segs(struct soft_csum_backlog *backlog)
{
	rte_pktmbuf_free_bulk(backlog->segs + backlog->head, backlog->nb - backlog->head);
	backlog->head = backlog->nb;
}

static void
count_pool(struct soft_csum_txq *txq, enum run result)
{
	if (result == RUN_POOL)
		soft_csum_count(&txq->stat[SOFT_CSUM_TX_HELD_POOL], 1);
}

/* A secondary process need not have the lower port, and may lose it on its own. */
static bool
can_send(const struct soft_csum_port *port)
{
	return atomic_load(&port->lower_runs) && soft_csum_sends_here(port->lower_id);
}

/* Of each port, in this process: each has alarms of its own. */
static atomic_bool alarms[RTE_MAX_ETHPORTS];

atomic_uint soft_csum_alarm_steps;

static void alarm_handler(void *arg);

static void
alarm_set(struct soft_csum_port *port)
{
	atomic_bool *is_set = &alarms[port->port_id];

	if (atomic_exchange(is_set, true))
		return;
	soft_csum_alarm_step();
	/* Without an alarm the application's next call drains; nothing is lost. */
	if (rte_eal_alarm_set(ALARM_US, alarm_handler, &rte_eth_devices[port->port_id]) != 0)
		atomic_store(is_set, false);
}

static void
alarm_handler(void *arg)
{
	struct rte_eth_dev *dev = arg;
	struct soft_csum_port *port;
	struct rte_eth_dev_data *data;
	bool again = false;
	uint16_t i;

	soft_csum_alarm_step();
	port = soft_csum_port(dev);
	data = dev->data;
	/*
	 * First of all: a backlog that a queue begins from here on sets an alarm of its own, one
	 * that it began before is seen below.
	 */
	atomic_store(&alarms[dev - rte_eth_devices], false);
	for (i = 0; i < data->nb_tx_queues; i++) {
		struct soft_csum_txq *txq = data->tx_queues[i];

		if (txq != NULL && atomic_load(&txq->backlog.waiting) &&
				!soft_csum_backlog_drain(txq))
			again = true;
	}
	if (again && can_send(port))
		alarm_set(port);
	soft_csum_alarm_step();
}

void
soft_csum_alarm_cancel(struct rte_eth_dev *dev)
{
	rte_eal_alarm_cancel(alarm_handler, dev);
	soft_csum_alarm_step();
	atomic_store(&alarms[dev - rte_eth_devices], false);
}

/*
 * Tell whether segments can refer to the payload. One is its headers and, at worst, a piece of each
 * of the packet's mbufs: a chain that the lower port takes and that the pool can hold.
 */
static bool
can_attach(const struct soft_csum_txq *txq, const struct rte_mbuf *m)
{
	const struct rte_mempool *pool = txq->port->gso_attach.attach_pool;

	return pool != NULL && m->nb_segs < txq->max_segs && m->nb_segs < pool->size;
}

int
soft_csum_super_begin(const struct soft_csum_txq *txq, const struct rte_mbuf *m,
		      struct csum_gso_iter *iter, enum csum_refusal *why)
{
	const struct soft_csum_port *port = txq->port;
	struct csum_gso_req req;
	int ret;

	csum_gso_req_from_mbuf(&req, m);
	if (can_attach(txq, m) && csum_gso_iter_init(iter, m, &req, &port->gso_attach, why) == 0)
		return 0;
	ret = csum_gso_iter_init(iter, m, &req, &port->gso, why);
	if (ret != 0)
		return ret;
	if (soft_csum_fits(txq, csum_gso_iter_max_len(iter)))
		return 0;
	*why = CSUM_REFUSAL_TOO_BIG;
	return -ENOTSUP;
}

enum soft_csum_fate
soft_csum_super_send(struct soft_csum_txq *txq, struct rte_mbuf *m, enum csum_refusal *why)
{
	struct soft_csum_backlog *backlog = &txq->backlog;
	uint32_t sent = 0;
	enum run result;

	if (soft_csum_super_begin(txq, m, &backlog->iter, why) != 0)
		return SOFT_CSUM_REFUSED;
	backlog->head = 0;
	backlog->nb = 0;
	result = run(txq, &sent);
	count_pool(txq, result);
	if (sent == 0) {
		free_segs(backlog);
		return SOFT_CSUM_HELD;
	}
	if (result == RUN_DONE) {
		rte_pktmbuf_free(m);
		return SOFT_CSUM_SENT;
	}
	backlog->source = m;
	atomic_store_explicit(&backlog->begun, rte_get_timer_cycles(), memory_order_relaxed);
	if (nb_waiting(backlog) > atomic_load_explicit(&backlog->most, memory_order_relaxed))
		atomic_store_explicit(&backlog->most, nb_waiting(backlog), memory_order_relaxed);
	/* Sequentially consistent, as is the alarm's flag: one thread sees the other. */
	atomic_store(&backlog->waiting, true);
	alarm_set(txq->port);
	return SOFT_CSUM_WAITS;
}

bool
soft_csum_backlog_drain(struct soft_csum_txq *txq)
{
	struct soft_csum_backlog *backlog = &txq->backlog;
	uint32_t sent = 0;
	enum run result;

	if (!rte_spinlock_trylock(&backlog->lock))
		return false;
	if (soft_csum_backlog_waits(txq) && can_send(txq->port)) {
		/* It may have begun in another process. */
		csum_gso_iter_adopt(&backlog->iter);
		result = run(txq, &sent);
		count_pool(txq, result);
		if (result == RUN_DONE) {
			rte_pktmbuf_free(backlog->source);
			atomic_store_explicit(&backlog->waiting, false, memory_order_release);
		}
	}
	rte_spinlock_unlock(&backlog->lock);
	return !soft_csum_backlog_waits(txq);
}

/* Drain for a bounded time. Returns whether the queue is free. */
static bool
drain_until(struct soft_csum_txq *txq, uint64_t end)
{
	bool waits;

	for (;;) {
		waits = soft_csum_backlog_waits(txq) && !soft_csum_backlog_drain(txq);
		if (!waits || rte_get_timer_cycles() >= end)
			return !waits;
		rte_delay_us_sleep(FLUSH_STEP_US);
	}
}

/* Give up what waits, whose lock is held. */
static void
drop(struct soft_csum_txq *txq)
{
	struct soft_csum_backlog *backlog = &txq->backlog;

	soft_csum_count(&txq->stat[SOFT_CSUM_TX_DROPPED], nb_waiting(backlog));
	free_segs(backlog);
	rte_pktmbuf_free(backlog->source);
	atomic_store(&backlog->waiting, false);
}

void
soft_csum_backlog_halt(struct soft_csum_port *port)
{
	atomic_store(&port->lower_runs, false);
	soft_csum_alarm_cancel(&rte_eth_devices[port->port_id]);
}

static uint64_t
flush_end(void)
{
	return rte_get_timer_cycles() + rte_get_timer_hz() * FLUSH_US / US_PER_S;
}

static void
flush(struct soft_csum_txq *txq, uint64_t end)
{
	if (atomic_load(&txq->port->lower_runs) && drain_until(txq, end))
		return;
	/* The alarm's thread may be at it, for the length of a burst. */
	rte_spinlock_lock(&txq->backlog.lock);
	if (soft_csum_backlog_waits(txq))
		drop(txq);
	rte_spinlock_unlock(&txq->backlog.lock);
}

void
soft_csum_txq_flush(struct soft_csum_txq *txq)
{
	flush(txq, flush_end());
}

void
soft_csum_backlog_flush(struct rte_eth_dev *dev)
{
	uint64_t end = flush_end();
	uint16_t i;

	for (i = 0; i < dev->data->nb_tx_queues; i++)
		flush(dev->data->tx_queues[i], end);
	soft_csum_backlog_halt(soft_csum_port(dev));
}

static int
done_cleanup(struct soft_csum_txq *txq, uint32_t free_cnt)
{
	bool waits = soft_csum_backlog_waits(txq) && !soft_csum_backlog_drain(txq);
	int ret;

	/* As long as something waits the alarm's thread may be at the queue below: not both. */
	if (waits && !rte_spinlock_trylock(&txq->backlog.lock))
		return 0;
	ret = rte_eth_tx_done_cleanup(txq->lower_id, txq->queue_id, free_cnt);
	if (waits)
		rte_spinlock_unlock(&txq->backlog.lock);
	/* The lower port frees in its own time: it has nothing to report. */
	return ret == -ENOTSUP ? 0 : ret;
}

int
soft_csum_tx_done_cleanup(void *queue, uint32_t free_cnt)
{
	struct soft_csum_txq *txq = queue;
	int ret;

	if (!soft_csum_enter(&txq->busy, txq->port))
		return -ENODEV;
	ret = done_cleanup(txq, free_cnt);
	soft_csum_leave(&txq->busy);
	return ret;
}

int
soft_csum_tx_descriptor_status(void *queue, uint16_t offset)
{
	struct soft_csum_txq *txq = queue;

	if (!atomic_load(&txq->port->lower_runs))
		return -ENODEV;
	/* Whatever is sent now must wait: and the alarm's thread may be at the queue below. */
	if (soft_csum_backlog_waits(txq))
		return RTE_ETH_TX_DESC_FULL;
	return rte_eth_tx_descriptor_status(txq->lower_id, txq->queue_id, offset);
}
