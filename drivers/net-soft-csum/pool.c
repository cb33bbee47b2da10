/* SPDX-License-Identifier: BSD-3-Clause */

/* The pools that segments and copies come from. */

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

static struct rte_mempool *
pool_create(const struct soft_csum_port *port, uint32_t size, uint32_t full, uint16_t room)
{
	/* Not the port's number, which is free again before an orphan of its pool's name is. */
	static atomic_uint serial;
	/* Caches of lcores could hold all of a small pool, where nobody else gets at it. */
	unsigned int cache = size >= full ? POOL_CACHE : 0;
	char name[RTE_MEMPOOL_NAMESIZE];
	struct rte_mempool *pool;

	snprintf(name, sizeof(name), "soft_csum_%u", atomic_fetch_add(&serial, 1));
	pool = rte_pktmbuf_pool_create(name, size, cache, 0, room,
		rte_eth_dev_socket_id(port->lower_id));
	if (pool == NULL)
		SOFT_CSUM_LOG(ERR, soft_csum_name(port), "no pool of %u mbufs of %u bytes: %s",
			size, room, rte_strerror(rte_errno));
	return pool;
}

/* Whether the port has pools of this size, for segments within this MTU, and with what it needs. */
static bool
pools_suit(const struct soft_csum_port *port, uint32_t size, uint16_t room, bool attach)
{
	return port->gso.pool != NULL && port->seg_room >= room && port->gso.pool->size >= size &&
		attach == (port->gso_attach.attach_pool != NULL);
}

int
soft_csum_pool_make(struct rte_eth_dev *dev)
{
	struct soft_csum_port *port = soft_csum_port(dev);
	uint16_t room = soft_csum_room_for(dev->data->mtu);
	uint32_t full = size_for(dev), size = port->pool_size != 0 ? port->pool_size : full;
	bool attach = port->attach && port->lower_max_segs > 1;
	int ret;

	if (pools_suit(port, size, room, attach))
		return 0;
	soft_csum_pool_free(port);
	port->gso.pool = pool_create(port, size, full, room + RTE_PKTMBUF_HEADROOM);
	if (port->gso.pool == NULL)
		return -rte_errno;
	port->seg_room = room;
	port->gso_attach = port->gso;
	if (!attach)
		return 0;
	port->gso_attach.flags |= CSUM_GSO_F_ATTACH;
	/* They refer to the payload, and have none of their own. */
	port->gso_attach.attach_pool = pool_create(port, size, full, 0);
	if (port->gso_attach.attach_pool != NULL)
		return 0;
	ret = -rte_errno;
	soft_csum_pool_free(port);
	return ret;
}

void
soft_csum_pool_free(struct soft_csum_port *port)
{
	if (port->gso.pool != NULL)
		orphans_add(port->gso.pool);
	if (port->gso_attach.attach_pool != NULL)
		orphans_add(port->gso_attach.attach_pool);
	port->gso.pool = NULL;
	port->gso_attach.attach_pool = NULL;
	orphans_free();
}
