/* SPDX-License-Identifier: BSD-3-Clause */

/* The pool that segments and copies come from. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/queue.h>

#include <rte_errno.h>
#include <rte_ether.h>
#include <rte_lcore.h>
#include <rte_mempool.h>
#include <rte_spinlock.h>

#include "soft_csum.h"

/* Mbufs that each lcore may keep to itself. */
#define POOL_CACHE 64

/* Link-layer header with two VLAN tags. */
#define MAX_L2_LEN (RTE_ETHER_HDR_LEN + 2 * RTE_VLAN_HLEN)

/*
 * Pools that no port uses any more, but somebody still holds mbufs of: a ring's reader, say. They
 * are freed when the next pool is made or given up.
 */
struct orphan {
	SLIST_ENTRY(orphan) next;
	struct rte_mempool *pool;
};

static SLIST_HEAD(, orphan) orphans = SLIST_HEAD_INITIALIZER(orphans);
static rte_spinlock_t orphans_lock = RTE_SPINLOCK_INITIALIZER;

static void
orphans_free(void)
{
	struct orphan *orphan, *next;

	rte_spinlock_lock(&orphans_lock);
	for (orphan = SLIST_FIRST(&orphans); orphan != NULL; orphan = next) {
		next = SLIST_NEXT(orphan, next);
		if (rte_mempool_in_use_count(orphan->pool) != 0)
			continue;
		SLIST_REMOVE(&orphans, orphan, orphan, next);
		rte_mempool_free(orphan->pool);
		free(orphan);
	}
	rte_spinlock_unlock(&orphans_lock);
}

/* Without memory for the note the pool stays for good: its mbufs must not be pulled away. */
static void
orphans_add(struct rte_mempool *pool)
{
	struct orphan *orphan = malloc(sizeof(*orphan));

	if (orphan == NULL)
		return;
	orphan->pool = pool;
	rte_spinlock_lock(&orphans_lock);
	SLIST_INSERT_HEAD(&orphans, orphan, next);
	rte_spinlock_unlock(&orphans_lock);
}

uint16_t
soft_csum_room_for(uint16_t mtu)
{
	return RTE_MIN(mtu + MAX_L2_LEN, UINT16_MAX - RTE_PKTMBUF_HEADROOM);
}

/* Every descriptor below may hold one of ours, and each queue a burst in its backlog. */
static unsigned int
size_for(const struct rte_eth_dev *dev)
{
	unsigned int n = 2 * POOL_CACHE * rte_lcore_count();
	uint16_t i;

	for (i = 0; i < dev->data->nb_tx_queues; i++) {
		const struct soft_csum_txq *txq = dev->data->tx_queues[i];

		n += txq->nb_desc + 2 * SOFT_CSUM_BURST;
	}
	return n;
}

int
soft_csum_pool_make(struct rte_eth_dev *dev)
{
	/* Not the port's number, which is free again before an orphan of its pool's name is. */
	static atomic_uint serial;
	struct soft_csum_port *port = soft_csum_port(dev);
	uint16_t room = soft_csum_room_for(dev->data->mtu);
	unsigned int full = size_for(dev), size = port->pool_size != 0 ? port->pool_size : full;
	/* Caches of lcores could hold all of a small pool, where nobody else gets at it. */
	unsigned int cache = size >= full ? POOL_CACHE : 0;
	char name[RTE_MEMPOOL_NAMESIZE];

	if (port->gso.pool != NULL && port->seg_room >= room && port->gso.pool->size >= size)
		return 0;
	soft_csum_pool_free(port);
	snprintf(name, sizeof(name), "soft_csum_%u", atomic_fetch_add(&serial, 1));
	port->gso.pool = rte_pktmbuf_pool_create(name, size, cache, 0,
		room + RTE_PKTMBUF_HEADROOM, rte_eth_dev_socket_id(port->lower_id));
	if (port->gso.pool == NULL) {
		SOFT_CSUM_LOG(ERR, soft_csum_name(port), "no pool of %u mbufs of %u bytes: %s",
			size, room, rte_strerror(rte_errno));
		return -rte_errno;
	}
	port->seg_room = room;
	return 0;
}

void
soft_csum_pool_free(struct soft_csum_port *port)
{
	if (port->gso.pool != NULL)
		orphans_add(port->gso.pool);
	port->gso.pool = NULL;
	orphans_free();
}
