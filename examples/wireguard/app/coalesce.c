/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdbool.h>
#include <netinet/in.h>
#include <string.h>

#include <rte_ip.h>
#include <rte_tcp.h>

#include <csum_pkt.h>

#include "coalesce.h"

#define MAX_FLOWS 8     /* connections in a burst; more are passed on as they are */
#define MAX_LEN   65535 /* of an IP packet */

#define MF_AND_OFFSET (RTE_IPV4_HDR_MF_FLAG | RTE_IPV4_HDR_OFFSET_MASK)

/* A segment that may be coalesced. */
struct segment {
	const uint8_t *ip;
	const struct rte_tcp_hdr *tcp;
	uint16_t l3_len;
	uint16_t hdr_len;     /* to the payload */
	uint16_t payload_len;
	bool v6;
};

/* A super-packet that may go on. */
struct flow {
	struct rte_mbuf *head, *last; /* head NULL: it ended */
	struct segment first;
	uint32_t next_seq;
};

struct flows {
	unsigned int nb;
	struct flow flow[MAX_FLOWS];
};

static bool
find_tcp(const struct rte_mbuf *m, struct segment *seg)
{
	const uint8_t *ip = rte_pktmbuf_mtod(m, const uint8_t *);
	const struct rte_ipv4_hdr *ip4 = (const struct rte_ipv4_hdr *)ip;
	const struct rte_ipv6_hdr *ip6 = (const struct rte_ipv6_hdr *)ip;

	*seg = (struct segment) { .ip = ip, .v6 = ip[0] >> 4 == 6 };
	seg->l3_len = seg->v6 ? sizeof(*ip6) : sizeof(*ip4);
	seg->tcp = (const struct rte_tcp_hdr *)(ip + seg->l3_len);
	if (m->data_len < seg->l3_len + sizeof(*seg->tcp))
		return false;
	if (seg->v6)
		return ip6->proto == IPPROTO_TCP;
	/* No options, no fragment. */
	return ip[0] == RTE_IPV4_VHL_DEF && ip4->next_proto_id == IPPROTO_TCP &&
	       (ip4->fragment_offset & RTE_BE16(MF_AND_OFFSET)) == 0;
}

static bool
checksums_are_good(const struct rte_mbuf *m, const struct segment *seg)
{
	uint32_t len = m->data_len - seg->l3_len;
	uint32_t sum = seg->v6 ?
		csum_pseudo_ipv6(seg->ip + 8, seg->ip + 24, IPPROTO_TCP, len) :
		csum_pseudo_ipv4(seg->ip + 12, IPPROTO_TCP, len);

	if (csum_sum_fold(csum_partial(seg->tcp, len, sum)) != 0xffff)
		return false;
	return seg->v6 ||
	       csum_sum_fold(csum_partial_inline(seg->ip, seg->l3_len, 0)) == 0xffff;
}

/* Whether it has payload, nothing but ACK and PSH, and right checksums. */
static bool
is_candidate(const struct rte_mbuf *m, struct segment *seg)
{
	uint32_t l4_len = (uint32_t)(seg->tcp->data_off >> 4) * 4;

	if (l4_len < sizeof(*seg->tcp) || seg->l3_len + l4_len >= m->data_len ||
	    (seg->tcp->tcp_flags & (uint8_t)~RTE_TCP_PSH_FLAG) != RTE_TCP_ACK_FLAG)
		return false;
	seg->hdr_len = (uint16_t)(seg->l3_len + l4_len);
	seg->payload_len = m->data_len - seg->hdr_len;
	return checksums_are_good(m, seg);
}

/* Ports and addresses. */
static bool
same_connection(const struct segment *a, const struct segment *b)
{
	return a->v6 == b->v6 && memcmp(a->tcp, b->tcp, 4) == 0 &&
	       (a->v6 ? memcmp(a->ip + 8, b->ip + 8, 32) == 0 :
			memcmp(a->ip + 12, b->ip + 12, 8) == 0);
}

/* All that a super-packet has once: traffic class, TTL, DF, ACK number, window, options. */
static bool
same_headers(const struct segment *a, const struct segment *b)
{
	if (a->hdr_len != b->hdr_len || a->tcp->recv_ack != b->tcp->recv_ack ||
	    a->tcp->rx_win != b->tcp->rx_win || a->tcp->data_off != b->tcp->data_off ||
	    memcmp(a->tcp + 1, b->tcp + 1, a->hdr_len - a->l3_len - sizeof(*a->tcp)) != 0)
		return false;
	if (a->v6)
		return memcmp(a->ip, b->ip, 4) == 0 && a->ip[7] == b->ip[7];
	return a->ip[1] == b->ip[1] && memcmp(a->ip + 6, b->ip + 6, 3) == 0;
}

/* Whether a segment goes on where the flow ends. */
static bool
fits(const struct flow *flow, const struct segment *seg)
{
	return flow->head != NULL && seg->tcp->sent_seq == rte_cpu_to_be_32(flow->next_seq) &&
	       seg->payload_len <= flow->first.payload_len &&
	       flow->head->pkt_len + seg->payload_len <= MAX_LEN &&
	       same_headers(&flow->first, seg);
}

/* A shorter segment or PSH is the last one of a super-packet. */
static bool
is_end(const struct flow *flow, const struct segment *seg)
{
	return seg->payload_len < flow->first.payload_len ||
	       (seg->tcp->tcp_flags & RTE_TCP_PSH_FLAG) != 0;
}

static void
begin_flow(struct flow *flow, struct rte_mbuf *m, const struct segment *seg)
{
	*flow = (struct flow) {
		.head = m, .last = m, .first = *seg,
		.next_seq = rte_be_to_cpu_32(seg->tcp->sent_seq) + seg->payload_len,
	};
	m->ol_flags |= RTE_MBUF_F_RX_L4_CKSUM_GOOD;
	if (is_end(flow, seg))
		flow->head = NULL;
}

static void
join(struct flow *flow, struct rte_mbuf *m, const struct segment *seg)
{
	struct rte_mbuf *head = flow->head;
	struct rte_tcp_hdr *tcp = rte_pktmbuf_mtod_offset(head, struct rte_tcp_hdr *,
							  seg->l3_len);
	bool end = is_end(flow, seg);

	tcp->tcp_flags |= seg->tcp->tcp_flags;
	flow->next_seq += seg->payload_len;
	rte_pktmbuf_adj(m, seg->hdr_len);
	flow->last->next = m;
	flow->last = m;
	head->nb_segs++;
	head->pkt_len += m->data_len;
	head->l2_len = 0;
	head->l3_len = seg->l3_len;
	head->l4_len = (uint64_t)(seg->hdr_len - seg->l3_len);
	head->tso_segsz = flow->first.payload_len;
	head->ol_flags |= RTE_MBUF_F_TX_TCP_SEG |
		(seg->v6 ? RTE_MBUF_F_TX_IPV6 : RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM);
	if (end)
		flow->head = NULL;
}

/* The flow of a segment's connection; a new one if @p add. NULL: there is none, or no room. */
static struct flow *
find_flow(struct flows *flows, const struct segment *seg, bool add)
{
	unsigned int i;

	for (i = 0; i < flows->nb; i++)
		if (same_connection(&flows->flow[i].first, seg))
			return &flows->flow[i];
	return add && flows->nb < MAX_FLOWS ? &flows->flow[flows->nb++] : NULL;
}

unsigned int
coalesce(struct rte_mbuf **pkts, unsigned int nb)
{
	struct flows flows = { .nb = 0 };
	unsigned int nb_out = 0, i;
	struct segment seg;
	struct flow *flow;
	bool candidate;

	for (i = 0; i < nb; i++) {
		if (!find_tcp(pkts[i], &seg)) {
			pkts[nb_out++] = pkts[i];
			continue;
		}
		candidate = is_candidate(pkts[i], &seg);
		flow = find_flow(&flows, &seg, false);
		if (candidate && flow != NULL && fits(flow, &seg)) {
			join(flow, pkts[i], &seg);
			continue;
		}
		pkts[nb_out++] = pkts[i];
		if (candidate && flow == NULL)
			flow = find_flow(&flows, &seg, true);
		if (candidate && flow != NULL)
			begin_flow(flow, pkts[i], &seg);
		else if (flow != NULL)
			flow->head = NULL;
	}
	return nb_out;
}
