/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Waiting until no thread is inside a burst of the port, at the expense of whoever waits. A burst
 * stores that it is there, and then loads whether it may go on. Only a full barrier between the two
 * would keep a processor from doing that the other way round; membarrier() has all threads pass one
 * when it is needed, so that a burst does without.
 */

#include <errno.h>
#include <string.h>

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <rte_cycles.h>

#include "soft_csum.h"

/* Without membarrier(): stores of every thread have become visible by then. */
#define SETTLE_US 1000

/* A burst that takes longer than this never ends, or is the very one that we are called from. */
#define WAIT_US 100000
#define STEP_US 10

static bool has_membarrier;

/* Global: threads of secondary processes pass the barrier as well. */
void
soft_csum_quiesce_init(void)
{
	has_membarrier = syscall(__NR_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0) == 0;
}

static void
barrier_of_all_threads(void)
{
	atomic_thread_fence(memory_order_seq_cst);
	if (!has_membarrier ||
			syscall(__NR_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0) != 0)
		rte_delay_us_sleep(SETTLE_US);
}

static bool
is_busy(const struct rte_eth_dev_data *data)
{
	const struct soft_csum_rxq *rxq;
	struct soft_csum_txq *txq;
	uint16_t i;

	for (i = 0; i < data->nb_rx_queues; i++) {
		rxq = data->rx_queues[i];
		if (rxq != NULL && atomic_load(&rxq->busy))
			return true;
	}
	for (i = 0; i < data->nb_tx_queues; i++) {
		txq = data->tx_queues[i];
		if (txq == NULL)
			continue;
		/* An alarm of another process drains the backlog. */
		if (atomic_load(&txq->busy) || rte_spinlock_is_locked(&txq->backlog.lock))
			return true;
	}
	return false;
}

void
soft_csum_quiesce(struct soft_csum_port *port)
{
	uint64_t end = rte_get_timer_cycles() + rte_get_timer_hz() * WAIT_US / US_PER_S;
	const struct rte_eth_dev_data *data = rte_eth_devices[port->port_id].data;

	atomic_store(&port->lower_runs, false);
	barrier_of_all_threads();
	while (is_busy(data)) {
		if (rte_get_timer_cycles() > end) {
			SOFT_CSUM_LOG(WARNING, soft_csum_name(port),
				"a burst does not end: it is not waited for");
			return;
		}
		rte_delay_us_sleep(STEP_US);
	}
}
