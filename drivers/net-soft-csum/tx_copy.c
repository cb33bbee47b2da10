/* SPDX-License-Identifier: BSD-3-Clause */

/* Copies that go down in the place of packets that are not ours to write, or of too many mbufs. */

#include <rte_mbuf_dyn.h>

#include "tx.h"

enum csum_refusal
soft_csum_copy_refusal(const struct soft_csum_txq *txq, const struct rte_mbuf *m)
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

/* All that a packet's metadata says, but for where its bytes are. */
static void
meta_copy(struct rte_mbuf *copy, const struct rte_mbuf *m)
{
	/* EXTERNAL is set where the pool's own buffers are external. */
	copy->ol_flags |= m->ol_flags & ~(RTE_MBUF_F_INDIRECT | RTE_MBUF_F_EXTERNAL);
	copy->tx_offload = m->tx_offload;
	copy->port = m->port;
	copy->packet_type = m->packet_type;
	copy->vlan_tci = m->vlan_tci;
	copy->vlan_tci_outer = m->vlan_tci_outer;
	copy->hash = m->hash;
	copy->timesync = m->timesync;
	rte_mbuf_dynfield_copy(copy, m);
}

struct rte_mbuf *
soft_csum_copy_alloc(const struct soft_csum_txq *txq, const struct rte_mbuf *m)
{
	const struct soft_csum_port *port = txq->port;
	struct rte_mbuf *copy = rte_pktmbuf_alloc(port->gso.pool), *last = copy;
	uint32_t left = m->pkt_len;

	if (copy == NULL)
		return NULL;
	meta_copy(copy, m);
	copy->pkt_len = left;
	for (;;) {
		last->data_len = (uint16_t)RTE_MIN(left, (uint32_t)port->seg_room);
		left -= last->data_len;
		if (left == 0)
			return copy;
		last->next = rte_pktmbuf_alloc(port->gso.pool);
		if (last->next == NULL) {
			rte_pktmbuf_free(copy);
			return NULL;
		}
		last = last->next;
		copy->nb_segs++;
	}
}
