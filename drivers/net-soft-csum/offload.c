/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <string.h>

#include <rte_common.h>
#include <rte_mempool.h>

#include "tx.h"

/* What software does over any lower port. */
#define TX_SOFTWARE ( \
	RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | \
	RTE_ETH_TX_OFFLOAD_UDP_CKSUM | \
	RTE_ETH_TX_OFFLOAD_TCP_CKSUM | \
	RTE_ETH_TX_OFFLOAD_SCTP_CKSUM | \
	RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM | \
	RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM | \
	RTE_ETH_TX_OFFLOAD_TCP_TSO | \
	RTE_ETH_TX_OFFLOAD_UDP_TSO | \
	RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO | \
	RTE_ETH_TX_OFFLOAD_GRE_TNL_TSO | \
	RTE_ETH_TX_OFFLOAD_IPIP_TNL_TSO | \
	RTE_ETH_TX_OFFLOAD_GENEVE_TNL_TSO | \
	RTE_ETH_TX_OFFLOAD_UDP_TNL_TSO | \
	RTE_ETH_TX_OFFLOAD_IP_TNL_TSO | \
	RTE_ETH_TX_OFFLOAD_VLAN_INSERT | \
	RTE_ETH_TX_OFFLOAD_QINQ_INSERT | \
	RTE_ETH_TX_OFFLOAD_MULTI_SEGS)

/*
 * What software does not do and may be passed through where the lower port has it. FAST_FREE is
 * not: segments and copies come from a pool of ours. MT_LOCKFREE is not: a backlog has one owner.
 */
#define TX_PASS RTE_ETH_TX_OFFLOAD_SEND_ON_TIMESTAMP

/* Segmentation that may be left to the lower port: TCP's. What they make of UDP's differs. */
#define TX_LEAVE_SEG ( \
	RTE_ETH_TX_OFFLOAD_TCP_TSO | \
	RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO | \
	RTE_ETH_TX_OFFLOAD_GRE_TNL_TSO | \
	RTE_ETH_TX_OFFLOAD_IPIP_TNL_TSO | \
	RTE_ETH_TX_OFFLOAD_GENEVE_TNL_TSO)

/* Of the rest that software does, that which a lower port that has it may do instead. */
#define TX_LEAVE ( \
	RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | \
	RTE_ETH_TX_OFFLOAD_UDP_CKSUM | \
	RTE_ETH_TX_OFFLOAD_TCP_CKSUM | \
	RTE_ETH_TX_OFFLOAD_SCTP_CKSUM | \
	RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM | \
	RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM | \
	RTE_ETH_TX_OFFLOAD_VLAN_INSERT | \
	RTE_ETH_TX_OFFLOAD_QINQ_INSERT)

/* What software verifies. */
#define RX_SOFTWARE ( \
	RTE_ETH_RX_OFFLOAD_IPV4_CKSUM | \
	RTE_ETH_RX_OFFLOAD_UDP_CKSUM | \
	RTE_ETH_RX_OFFLOAD_TCP_CKSUM | \
	RTE_ETH_RX_OFFLOAD_SCTP_CKSUM | \
	RTE_ETH_RX_OFFLOAD_OUTER_IPV4_CKSUM | \
	RTE_ETH_RX_OFFLOAD_OUTER_UDP_CKSUM)

/* What needs a context of the lower port's that is not passed on. */
#define RX_HELD_BACK (RTE_ETH_RX_OFFLOAD_SECURITY | RTE_ETH_RX_OFFLOAD_MACSEC_STRIP)

void
soft_csum_offload_names(char *buf, size_t size)
{
	uint64_t bits;
	size_t n = 0;

	for (bits = TX_SOFTWARE; bits != 0 && n < size; bits &= bits - 1)
		n += snprintf(buf + n, size - n, "%s ",
			rte_eth_dev_tx_offload_name(bits & -bits));
	if (n < size)
		snprintf(buf + n, size - n, "all");
}

uint64_t
soft_csum_offload_by_name(const char *name)
{
	uint64_t bits;

	if (strcasecmp(name, "all") == 0)
		return TX_SOFTWARE;
	for (bits = TX_SOFTWARE; bits != 0; bits &= bits - 1)
		if (strcasecmp(name, rte_eth_dev_tx_offload_name(bits & -bits)) == 0)
			return bits & -bits;
	return 0;
}

uint64_t
soft_csum_tx_capa(uint64_t lower_capa)
{
	return (lower_capa & TX_PASS) | TX_SOFTWARE;
}

uint64_t
soft_csum_rx_capa(const struct soft_csum_port *port, uint64_t lower_capa)
{
	return (lower_capa & ~RX_HELD_BACK) |
		(port->rx_csum != SOFT_CSUM_RX_OFF ? RX_SOFTWARE : 0);
}

uint64_t
soft_csum_rx_verified(const struct soft_csum_port *port, uint64_t enabled, uint64_t lower_capa)
{
	switch (port->rx_csum) {
	case SOFT_CSUM_RX_ON:
		return RX_SOFTWARE;
	case SOFT_CSUM_RX_OFF:
		return 0;
	default:
		return enabled & RX_SOFTWARE & ~lower_capa;
	}
}

uint64_t
soft_csum_lower_offloads(const struct soft_csum_port *port, uint64_t enabled, uint64_t lower_capa)
{
	uint64_t wanted = (enabled & (TX_PASS | TX_LEAVE)) | RTE_ETH_TX_OFFLOAD_MULTI_SEGS;

	/* Ports clear CWR on all segments but the first. */
	if ((port->gso.flags & CSUM_GSO_F_ACCECN) == 0)
		wanted |= enabled & TX_LEAVE_SEG;
	return wanted & lower_capa & ~port->force;
}

static void
requests_of(struct soft_csum_requests *requests, uint64_t offloads)
{
	static const struct {
		uint64_t offload;
		uint64_t flag;
	} flags[] = {
		{ RTE_ETH_TX_OFFLOAD_IPV4_CKSUM, RTE_MBUF_F_TX_IP_CKSUM },
		{ RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM, RTE_MBUF_F_TX_OUTER_IP_CKSUM },
		{ RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM, RTE_MBUF_F_TX_OUTER_UDP_CKSUM },
		{ RTE_ETH_TX_OFFLOAD_TCP_TSO, RTE_MBUF_F_TX_TCP_SEG },
		{ RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO, RTE_MBUF_F_TX_TCP_SEG },
		{ RTE_ETH_TX_OFFLOAD_GRE_TNL_TSO, RTE_MBUF_F_TX_TCP_SEG },
		{ RTE_ETH_TX_OFFLOAD_IPIP_TNL_TSO, RTE_MBUF_F_TX_TCP_SEG },
		{ RTE_ETH_TX_OFFLOAD_GENEVE_TNL_TSO, RTE_MBUF_F_TX_TCP_SEG },
		{ RTE_ETH_TX_OFFLOAD_UDP_TNL_TSO, RTE_MBUF_F_TX_TCP_SEG },
		{ RTE_ETH_TX_OFFLOAD_IP_TNL_TSO, RTE_MBUF_F_TX_TCP_SEG },
		{ RTE_ETH_TX_OFFLOAD_UDP_TSO, RTE_MBUF_F_TX_UDP_SEG },
		{ RTE_ETH_TX_OFFLOAD_VLAN_INSERT, RTE_MBUF_F_TX_VLAN },
		{ RTE_ETH_TX_OFFLOAD_QINQ_INSERT, RTE_MBUF_F_TX_QINQ },
	}, l4_types[] = {
		{ RTE_ETH_TX_OFFLOAD_TCP_CKSUM, RTE_MBUF_F_TX_TCP_CKSUM },
		{ RTE_ETH_TX_OFFLOAD_SCTP_CKSUM, RTE_MBUF_F_TX_SCTP_CKSUM },
		{ RTE_ETH_TX_OFFLOAD_UDP_CKSUM, RTE_MBUF_F_TX_UDP_CKSUM },
	};
	unsigned int i;

	requests->flags = 0;
	requests->l4 = soft_csum_l4_bit(RTE_MBUF_F_TX_L4_NO_CKSUM);
	for (i = 0; i < RTE_DIM(flags); i++)
		if (offloads & flags[i].offload)
			requests->flags |= flags[i].flag;
	for (i = 0; i < RTE_DIM(l4_types); i++)
		if (offloads & l4_types[i].offload)
			requests->l4 |= soft_csum_l4_bit(l4_types[i].flag);
}

/* The tunnels that a port with these offloads cuts TCP in. */
static uint16_t
seg_tunnels(uint64_t offloads)
{
	static const struct {
		uint64_t offload;
		uint64_t tunnel;
	} types[] = {
		{ RTE_ETH_TX_OFFLOAD_TCP_TSO, 0 },
		{ RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO, RTE_MBUF_F_TX_TUNNEL_VXLAN },
		{ RTE_ETH_TX_OFFLOAD_GRE_TNL_TSO, RTE_MBUF_F_TX_TUNNEL_GRE },
		{ RTE_ETH_TX_OFFLOAD_IPIP_TNL_TSO, RTE_MBUF_F_TX_TUNNEL_IPIP },
		{ RTE_ETH_TX_OFFLOAD_GENEVE_TNL_TSO, RTE_MBUF_F_TX_TUNNEL_GENEVE },
	};
	uint16_t bits = 0;
	unsigned int i;

	for (i = 0; i < RTE_DIM(types); i++)
		if (offloads & types[i].offload)
			bits |= soft_csum_tunnel_bit(types[i].tunnel);
	return bits;
}

/* Those it looks into for checksums: a port that fills in outer ones knows that there are two. */
static uint16_t
cksum_tunnels(uint64_t offloads)
{
	const uint64_t outer = RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM |
		RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM;

	return (offloads & outer) != 0 ? seg_tunnels(TX_LEAVE_SEG & ~RTE_ETH_TX_OFFLOAD_TCP_TSO) :
		0;
}

void
soft_csum_txq_masks(struct soft_csum_txq *txq, uint64_t enabled)
{
	const struct soft_csum_port *port = txq->port;

	txq->no_tag = SOFT_CSUM_TX_TAG_MASK;
	if (port->lower_enabled & RTE_ETH_TX_OFFLOAD_VLAN_INSERT)
		txq->no_tag &= ~RTE_MBUF_F_TX_VLAN;
	if (port->lower_enabled & RTE_ETH_TX_OFFLOAD_QINQ_INSERT)
		txq->no_tag &= ~RTE_MBUF_F_TX_QINQ;
	txq->work = SOFT_CSUM_TX_WORK_MASK | txq->no_tag;
	txq->lower_id = port->lower_id;
	txq->max_segs = port->lower_max_segs;
	txq->max_super_segs = port->lower_max_super_segs;
	/* No more mbufs than there are, as nothing would ever become of the packet. */
	txq->max_len = port->seg_room * RTE_MIN((uint32_t)txq->max_segs, port->gso.pool->size);
	txq->left_seg = seg_tunnels(port->lower_enabled);
	txq->left_tunnels = cksum_tunnels(port->lower_enabled);
	requests_of(&txq->left, port->lower_enabled & TX_LEAVE);
	requests_of(&txq->enabled, enabled);
	soft_csum_recipe_reset(txq);
}
