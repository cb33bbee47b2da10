/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The usual packet, which is spared a plan: TCP or UDP over IPv4 without options or a tunnel, all
 * in the first mbuf. Any other, and one to be refused, is found to be so before a byte is written.
 */

#include <netinet/in.h>
#include <string.h>

#include <rte_byteorder.h>

#include "pkt_layout.h"
#include "pkt_parse_private.h"

#define IPV4_PLAIN    0x45   /* version, and a header of 20 bytes */
#define IPV4_LEN      20
#define IPV4_FRAGMENT 0x3fff /* more fragments, or an offset */
#define IPV4_CHECK    10
#define IPV4_ADDRS    12
#define TCP_MIN_LEN   20
#define TCP_CHECK     16
#define UDP_MIN_LEN   8
#define UDP_LEN       4
#define UDP_CHECK     6

#define USUAL_MASK (PKT_TX_FAMILY_MASK | PKT_TX_TUNNEL_MASK | PKT_TX_OUTER_MASK | \
	RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_UDP_SEG)

/* Bytes of L4 by the headers; 0 unless they are the usual ones, and all they speak of is there. */
static inline uint32_t
l4_len(const uint8_t *ip, uint32_t there, const bool udp)
{
	uint32_t min_len = udp ? UDP_MIN_LEN : TCP_MIN_LEN, len;

	if (there < IPV4_LEN + min_len)
		return 0;
	len = pkt_be16(ip + 2);
	if (ip[0] != IPV4_PLAIN || ip[9] != (udp ? IPPROTO_UDP : IPPROTO_TCP) ||
	    (pkt_be16(ip + 6) & IPV4_FRAGMENT) != 0 || len < IPV4_LEN + min_len || len > there)
		return 0;
	len -= IPV4_LEN;
	if (!udp)
		return len;
	there = len;
	len = pkt_be16(ip + IPV4_LEN + UDP_LEN);
	return len >= UDP_MIN_LEN && len <= there ? len : 0;
}

/* What the field holds is taken out of the sum, which does not wait for a store then. */
static inline void
l4_fill(uint8_t *ip, uint32_t len, const bool udp)
{
	uint8_t *l4 = ip + IPV4_LEN, *field = l4 + (udp ? UDP_CHECK : TCP_CHECK);
	/* Below 2^17, as partial sums are free to be. */
	uint32_t sum = rte_cpu_to_be_16(udp ? IPPROTO_UDP : IPPROTO_TCP) +
		(uint32_t)rte_cpu_to_be_16((uint16_t)len);
	uint16_t check;

	memcpy(&check, field, sizeof(check));
	sum = csum_sum_sub(csum_partial_inline(ip + IPV4_ADDRS, 8, sum), check);
	sum = csum_partial(l4, len, sum);
	check = udp ? csum_sum_check_udp(sum) : csum_sum_check(sum);
	memcpy(field, &check, sizeof(check));
}

static inline void
ip_fill(uint8_t *ip)
{
	uint16_t check;

	memcpy(&check, ip + IPV4_CHECK, sizeof(check));
	check = csum_sum_check(csum_sum_sub(csum_partial_inline(ip, IPV4_LEN, 0), check));
	memcpy(ip + IPV4_CHECK, &check, sizeof(check));
}

/* Bytes that the L4 checksum of a usual packet covers; 0: it is another kind of packet. */
static inline uint32_t
usual_len(const struct rte_mbuf *m, const bool udp)
{
	uint32_t there = RTE_MIN((uint32_t)m->data_len, m->pkt_len), l3 = m->l2_len;

	if ((m->ol_flags & USUAL_MASK) != RTE_MBUF_F_TX_IPV4 || m->l3_len != IPV4_LEN ||
	    l3 > there)
		return 0;
	return l4_len(rte_pktmbuf_mtod_offset(m, const uint8_t *, l3), there - l3, udp);
}

/* Tell whether it was one, and is filled. */
static inline bool
usual_fill(struct rte_mbuf *m, uint64_t todo, const bool udp)
{
	uint8_t *ip = rte_pktmbuf_mtod_offset(m, uint8_t *, m->l2_len);
	uint32_t len = usual_len(m, udp);

	if (unlikely(len == 0))
		return false;
	l4_fill(ip, len, udp);
	if ((todo & RTE_MBUF_F_TX_IP_CKSUM) != 0)
		ip_fill(ip);
	return true;
}

int
csum_pkt_prepare(struct rte_mbuf *m, uint64_t todo, enum csum_refusal *why)
{
	uint64_t asked = m->ol_flags & todo, l4 = asked & RTE_MBUF_F_TX_L4_MASK;

	if ((likely(l4 == RTE_MBUF_F_TX_TCP_CKSUM) && likely(usual_fill(m, asked, false))) ||
	    (l4 == RTE_MBUF_F_TX_UDP_CKSUM && likely(usual_fill(m, asked, true))))
		return 0;
	return pkt_plan_fill(m, todo, why);
}

int
csum_pkt_check(const struct rte_mbuf *m, enum csum_refusal *why)
{
	uint64_t l4 = m->ol_flags & RTE_MBUF_F_TX_L4_MASK;

	if ((l4 == RTE_MBUF_F_TX_TCP_CKSUM && likely(usual_len(m, false) != 0)) ||
	    (l4 == RTE_MBUF_F_TX_UDP_CKSUM && likely(usual_len(m, true) != 0)))
		return 0;
	return pkt_plan_check(m, why);
}
