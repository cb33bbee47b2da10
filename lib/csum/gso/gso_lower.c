/* SPDX-License-Identifier: BSD-3-Clause */

/* Checksums that are left to the port below. */

#include <netinet/in.h>

#include <rte_ethdev.h>

#include "gso_private.h"

#define OUTER_CAPA (RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM)

/* Ports, and DPDK's functions that make seeds, take the L4 protocol from the IP header itself. */
static bool
has_extensions(const struct csum_gso_ip *ip)
{
	return ip->v6 && ip->len != IPV6_MIN;
}

static uint64_t
inner_flags(const struct csum_gso_iter *it, const struct csum_gso_ip *ip)
{
	uint64_t capa = it->conf->lower_capa, flags = 0;

	if (!ip->v6 && (capa & RTE_ETH_TX_OFFLOAD_IPV4_CKSUM) != 0)
		flags |= RTE_MBUF_F_TX_IP_CKSUM;
	if (gso_is_fragmenting(it) || has_extensions(ip))
		return flags;
	if (ip->proto == IPPROTO_TCP && (capa & RTE_ETH_TX_OFFLOAD_TCP_CKSUM) != 0)
		flags |= RTE_MBUF_F_TX_TCP_CKSUM;
	if (ip->proto == IPPROTO_UDP && (capa & RTE_ETH_TX_OFFLOAD_UDP_CKSUM) != 0)
		flags |= RTE_MBUF_F_TX_UDP_CKSUM;
	return flags;
}

static uint64_t
outer_flags(const struct csum_gso_iter *it, const struct csum_gso_ip *ip)
{
	const struct csum_gso_tunnel *tunnel = &it->tunnel[0];
	uint64_t capa = it->conf->lower_capa, flags = 0;

	if (!ip->v6 && (capa & RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM) != 0)
		flags |= RTE_MBUF_F_TX_OUTER_IP_CKSUM;
	if (tunnel->udp && tunnel->check != 0 && !has_extensions(ip) &&
	    (capa & RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM) != 0)
		flags |= RTE_MBUF_F_TX_OUTER_UDP_CKSUM;
	return flags;
}

/* Describe all headers; false: a length does not fit. */
static bool
describe(struct csum_gso_iter *it, const struct csum_gso_ip *inner)
{
	const struct csum_gso_ip *outer = &it->ip[0];
	uint32_t outer_l2 = 0, outer_l3 = 0, l2 = inner->off;
	uint32_t l4_len = gso_is_fragmenting(it) ? 0 : it->l4_len;

	if (outer != inner) {
		outer_l2 = outer->off;
		outer_l3 = outer->len;
		l2 -= outer_l2 + outer_l3;
	}
	if (outer_l2 >= 1 << RTE_MBUF_OUTL2_LEN_BITS || outer_l3 >= 1 << RTE_MBUF_OUTL3_LEN_BITS ||
	    l2 >= 1 << RTE_MBUF_L2_LEN_BITS || inner->len >= 1 << RTE_MBUF_L3_LEN_BITS)
		return false;
	it->tx_offload = rte_mbuf_tx_offload(l2, inner->len, l4_len, 0, outer_l3, outer_l2, 0);
	return true;
}

void
gso_lower_init(struct csum_gso_iter *it, const struct csum_gso_req *req)
{
	const struct csum_gso_ip *inner = gso_inner_ip(it), *outer = &it->ip[0];
	uint64_t flags;

	if (it->nb_ip > 2 || (it->nb_ip == 2 && (it->conf->lower_capa & OUTER_CAPA) == 0))
		return;
	flags = inner_flags(it, inner);
	if (outer != inner)
		flags |= outer_flags(it, outer);
	if (flags == 0 || !describe(it, inner))
		return;
	flags |= inner->v6 ? RTE_MBUF_F_TX_IPV6 : RTE_MBUF_F_TX_IPV4;
	if (outer != inner) {
		flags |= req->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK;
		flags |= outer->v6 ? RTE_MBUF_F_TX_OUTER_IPV6 : RTE_MBUF_F_TX_OUTER_IPV4;
	}
	it->lower_flags = flags;
}

void
gso_lower_size(struct csum_gso_iter *it, uint32_t total)
{
	const struct csum_gso_ip *inner = gso_inner_ip(it);

	if ((it->lower_flags & RTE_MBUF_F_TX_L4_MASK) != 0)
		it->l4_seed = csum_sum_fold(gso_pseudo(it, inner, inner->proto, total - it->l4));
	if ((it->lower_flags & RTE_MBUF_F_TX_OUTER_UDP_CKSUM) != 0)
		it->outer_udp_seed = csum_sum_fold(gso_pseudo(it, &it->ip[0], IPPROTO_UDP,
							      total - it->tunnel[0].off));
}

void
gso_lower_put(const struct csum_gso_iter *it, uint8_t *seg)
{
	const struct csum_gso_ip *inner = &it->ip[it->nb_ip - 1];
	uint64_t flags = it->lower_flags;

	if ((flags & RTE_MBUF_F_TX_IP_CKSUM) != 0)
		put16(seg + inner->off + IPV4_CHECK, 0);
	if ((flags & RTE_MBUF_F_TX_L4_MASK) == RTE_MBUF_F_TX_TCP_CKSUM)
		put16(seg + it->l4 + TCP_CHECK, it->l4_seed);
	if ((flags & RTE_MBUF_F_TX_L4_MASK) == RTE_MBUF_F_TX_UDP_CKSUM)
		put16(seg + it->l4 + UDP_CHECK, it->l4_seed);
	if ((flags & RTE_MBUF_F_TX_OUTER_IP_CKSUM) != 0)
		put16(seg + it->ip[0].off + IPV4_CHECK, 0);
	if ((flags & RTE_MBUF_F_TX_OUTER_UDP_CKSUM) != 0)
		put16(seg + it->tunnel[0].check, it->outer_udp_seed);
}
