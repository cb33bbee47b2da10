/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>

#include <rte_ether.h>
#include <rte_mbuf.h>

#include "engine_csum.h"

#define FLAG_NAMES_LEN 512

static unsigned int
ether_type(const struct csum_layer *ip)
{
	return ip->type == CSUM_LAYER_IPV4 ? RTE_ETHER_TYPE_IPV4 : RTE_ETHER_TYPE_IPV6;
}

static void
dump_rx(const struct csum_headers *h, uint64_t rx_flags)
{
	char flags[FLAG_NAMES_LEN] = "";
	uint32_t l2_off = 0;

	rte_get_rx_ol_flag_list(rx_flags, flags, sizeof(flags));
	if (h == NULL) {
		printf("rx: l2_len=%u ethertype=0 l3_len=0 l4_proto=0 l4_len=0 flags=%s\n",
		       RTE_ETHER_HDR_LEN, flags);
		return;
	}
	if (h->outer != NULL)
		l2_off = h->outer->off + h->outer->hdr_len;
	printf("rx: l2_len=%u ethertype=%x l3_len=%u l4_proto=%u l4_len=%u flags=%s\n",
	       h->ip->off - l2_off, ether_type(h->ip), h->ip->hdr_len, h->ip->proto,
	       h->l4 != NULL ? h->l4->hdr_len : 0, flags);
	if (h->outer != NULL)
		printf("rx: outer_l2_len=%u outer_ethertype=%x outer_l3_len=%u\n",
		       h->outer->off, ether_type(h->outer), h->outer->hdr_len);
}

static void
dump_tx(const struct rte_mbuf *m, uint64_t enabled)
{
	const uint64_t need_lens = RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM |
		RTE_ETH_TX_OFFLOAD_TCP_CKSUM | RTE_ETH_TX_OFFLOAD_SCTP_CKSUM |
		RTE_ETH_TX_OFFLOAD_TCP_TSO;
	char flags[FLAG_NAMES_LEN] = "";

	rte_get_tx_ol_flag_list(m->ol_flags, flags, sizeof(flags));
	if ((m->ol_flags & (RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6)) != 0 &&
	    (enabled & need_lens) != 0)
		printf("tx: m->l2_len=%u m->l3_len=%u m->l4_len=%u\n", m->l2_len, m->l3_len,
		       m->l4_len);
	if (m->outer_l3_len != 0)
		printf("tx: m->outer_l2_len=%u m->outer_l3_len=%u\n", m->outer_l2_len,
		       m->outer_l3_len);
	if ((m->ol_flags & RTE_MBUF_F_TX_TCP_SEG) != 0)
		printf("tx: m->tso_segsz=%u\n", m->tso_segsz);
	printf("tx: flags=%s\n", flags);
}

void
engine_csum_dump(const struct fwd_stream *stream, const struct rte_mbuf *m, uint64_t rx_flags,
		 const struct csum_headers *h)
{
	/* Lcores print at the same time: a packet's lines stay together. */
	flockfile(stdout);
	printf("-----------------\n");
	printf("port=%u, mbuf=%p, pkt_len=%u, nb_segs=%u:\n", stream->rx_port, (const void *)m,
	       m->pkt_len, m->nb_segs);
	dump_rx(h, rx_flags);
	dump_tx(m, stream->tx->conf.txmode.offloads);
	funlockfile(stdout);
}
