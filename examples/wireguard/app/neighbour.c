/* SPDX-License-Identifier: BSD-3-Clause */

#include <assert.h>
#include <netinet/in.h>
#include <string.h>

#include <rte_arp.h>
#include <rte_ip.h>

#include <csum_mbuf.h>

#include "neighbour.h"

#define SECOND       UINT64_C(1000000000)
#define ASK_EVERY    (1 * SECOND)
#define ASK_AGAIN    (30 * SECOND) /* after a confirmation; until then nothing is asked */
#define FORGET_AFTER (40 * SECOND) /* so that ten questions remain unanswered first */

#define ND_SOLICIT     135
#define ND_ADVERTISE   136
#define ND_HOP_LIMIT   255
#define ND_SOURCE_MAC  1
#define ND_TARGET_MAC  2
#define ND_FLAG_SOLICITED 0x40
#define ND_FLAG_OVERRIDE  0x20

/* A solicitation or an advertisement, with one option. */
struct nd_message {
	uint8_t type;
	uint8_t code;
	uint16_t check;
	uint8_t flags;
	uint8_t reserved[3];
	uint8_t target[16];
	uint8_t option_type;
	uint8_t option_len; /* in 8 bytes */
	struct rte_ether_addr mac;
};

#define ND_LEN_WITHOUT_OPTION 24

struct arp_frame {
	struct rte_ether_hdr ether;
	struct rte_arp_hdr arp;
};

struct nd_frame {
	struct rte_ether_hdr ether;
	struct rte_ipv6_hdr ip;
	struct nd_message nd;
};

static_assert(sizeof(struct arp_frame) == 42 && sizeof(struct nd_frame) == 86, "no padding");

static void
set_ether(const struct neighbours *nbs, struct rte_ether_hdr *ether,
	  const struct rte_ether_addr *dst, uint16_t type)
{
	ether->dst_addr = *dst;
	ether->src_addr = nbs->mac;
	ether->ether_type = rte_cpu_to_be_16(type);
}

static void
send_frame(struct neighbours *nbs, const void *frame, uint16_t len)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(nbs->pool);

	if (m == NULL) {
		count(nbs->counters, COUNT_NO_MBUF, 1);
		return;
	}
	memcpy(rte_pktmbuf_append(m, len), frame, len);
	nbs->out.send(nbs->out.arg, m);
}

/* ---- IPv4 */

static void
send_arp(struct neighbours *nbs, uint16_t opcode, const struct rte_ether_addr *dst,
	 const void *target)
{
	struct arp_frame frame = {
		.arp = {
			.arp_hardware = RTE_BE16(RTE_ARP_HRD_ETHER),
			.arp_protocol = RTE_BE16(RTE_ETHER_TYPE_IPV4),
			.arp_hlen = RTE_ETHER_ADDR_LEN,
			.arp_plen = 4,
			.arp_opcode = rte_cpu_to_be_16(opcode),
			.arp_data.arp_sha = nbs->mac,
		},
	};

	set_ether(nbs, &frame.ether, dst, RTE_ETHER_TYPE_ARP);
	memcpy(&frame.arp.arp_data.arp_sip, nbs->ours[0].bytes, 4);
	if (opcode == RTE_ARP_OP_REPLY)
		frame.arp.arp_data.arp_tha = *dst;
	memcpy(&frame.arp.arp_data.arp_tip, target, 4);
	send_frame(nbs, &frame, sizeof(frame));
}

/* ---- IPv6 */

static void
send_nd(struct neighbours *nbs, const struct rte_ether_addr *dst_mac, const void *dst,
	const struct nd_message *message)
{
	struct nd_frame frame = {
		.ip = {
			.vtc_flow = RTE_BE32(6u << 28),
			.payload_len = RTE_BE16(sizeof(*message)),
			.proto = IPPROTO_ICMPV6,
			.hop_limits = ND_HOP_LIMIT,
		},
		.nd = *message,
	};
	uint32_t sum;

	set_ether(nbs, &frame.ether, dst_mac, RTE_ETHER_TYPE_IPV6);
	memcpy(frame.ip.src_addr, nbs->ours[1].bytes, 16);
	memcpy(frame.ip.dst_addr, dst, 16);
	frame.nd.mac = nbs->mac;
	frame.nd.option_len = 1;
	sum = csum_pseudo_ipv6(frame.ip.src_addr, dst, IPPROTO_ICMPV6, sizeof(frame.nd));
	frame.nd.check = csum_sum_check(csum_partial(&frame.nd, sizeof(frame.nd), sum));
	send_frame(nbs, &frame, sizeof(frame));
}

static void
send_solicitation(struct neighbours *nbs, const uint8_t *target)
{
	/* The solicited-node multicast address (RFC 4291 section 2.7.1), and its MAC address. */
	uint8_t group[16] = { 0xff, 0x02, [11] = 1, [12] = 0xff };
	struct rte_ether_addr mac = { .addr_bytes = { 0x33, 0x33, 0xff } };
	struct nd_message message = { .type = ND_SOLICIT, .option_type = ND_SOURCE_MAC };

	memcpy(group + 13, target + 13, 3);
	memcpy(mac.addr_bytes + 3, target + 13, 3);
	memcpy(message.target, target, 16);
	send_nd(nbs, &mac, group, &message);
}

/* ---- the table */

/* The entry of an address, or NULL. */
static struct neighbour *
find(struct neighbours *nbs, const struct wg_addr *addr)
{
	unsigned int i;

	for (i = 0; i < NEIGHBOUR_MAX; i++)
		if (memcmp(&nbs->table[i].addr, addr, sizeof(*addr)) == 0)
			return &nbs->table[i];
	return NULL;
}

static void
drop_held(struct neighbours *nbs, struct neighbour *nb)
{
	rte_pktmbuf_free_bulk(nb->held, nb->nb_held);
	count(nbs->counters, COUNT_NEIGHBOUR_DROPPED, nb->nb_held);
	nb->nb_held = 0;
}

/* An entry for an address that has none: one that is not in use, or that which was asked longest
 * ago.
 */
static struct neighbour *
take_entry(struct neighbours *nbs, const struct wg_addr *addr)
{
	struct neighbour *nb = &nbs->table[0];
	unsigned int i;

	for (i = 1; i < NEIGHBOUR_MAX; i++)
		if (nbs->table[i].asked < nb->asked)
			nb = &nbs->table[i];
	drop_held(nbs, nb);
	*nb = (struct neighbour) { .addr = *addr };
	return nb;
}

static void
ask(struct neighbours *nbs, struct neighbour *nb, uint64_t now)
{
	static const struct rte_ether_addr all = { { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } };

	if (nb->asked != 0 && now - nb->asked < ASK_EVERY)
		return;
	nb->asked = now;
	if (nb->addr.len == 4)
		send_arp(nbs, RTE_ARP_OP_REQUEST, &all, nb->addr.bytes);
	else
		send_solicitation(nbs, nb->addr.bytes);
}

static void
send_to(struct neighbours *nbs, const struct neighbour *nb, struct rte_mbuf *m)
{
	rte_pktmbuf_mtod(m, struct rte_ether_hdr *)->dst_addr = nb->mac;
	nbs->out.send(nbs->out.arg, m);
}

void
neighbour_send(struct neighbours *nbs, const struct wg_addr *next_hop, uint16_t *hint,
	       struct rte_mbuf *m, uint64_t now)
{
	struct neighbour *nb = &nbs->table[*hint];

	if (memcmp(&nb->addr, next_hop, sizeof(*next_hop)) != 0) {
		nb = find(nbs, next_hop);
		if (nb == NULL)
			nb = take_entry(nbs, next_hop);
		*hint = (uint16_t)(nb - nbs->table);
	}
	if (nb->confirmed == 0 || now - nb->confirmed >= ASK_AGAIN)
		ask(nbs, nb, now);
	if (nb->confirmed != 0 && now - nb->confirmed < FORGET_AFTER) {
		send_to(nbs, nb, m);
	} else if (nb->nb_held < NEIGHBOUR_HELD) {
		count(nbs->counters, COUNT_NEIGHBOUR_HELD, 1);
		nb->held[nb->nb_held++] = m;
	} else {
		count(nbs->counters, COUNT_NEIGHBOUR_DROPPED, 1);
		rte_pktmbuf_free(m);
	}
}

/* Only what was asked for, or would be, is learnt: strangers do not fill the table. */
static void
learn(struct neighbours *nbs, const void *addr, uint8_t len, const struct rte_ether_addr *mac,
      uint64_t now)
{
	struct wg_addr key = { .len = len };
	struct neighbour *nb;
	uint16_t i;

	memcpy(key.bytes, addr, len);
	nb = find(nbs, &key);
	if (nb == NULL || !rte_is_unicast_ether_addr(mac))
		return;
	nb->mac = *mac;
	nb->confirmed = now;
	for (i = 0; i < nb->nb_held; i++)
		send_to(nbs, nb, nb->held[i]);
	nb->nb_held = 0;
}

static bool
is_ours(const struct wg_addr *ours, const void *addr)
{
	return ours->len != 0 && memcmp(ours->bytes, addr, ours->len) == 0;
}

void
neighbour_arp(struct neighbours *nbs, const struct rte_mbuf *m, uint64_t now)
{
	struct arp_frame frame;
	const struct rte_arp_ipv4 *data = &frame.arp.arp_data;

	if (csum_mbuf_read(m, 0, &frame, sizeof(frame)) != 0) {
		count(nbs->counters, COUNT_TRUNCATED, 1);
		return;
	}
	if (frame.arp.arp_hardware != RTE_BE16(RTE_ARP_HRD_ETHER) ||
	    frame.arp.arp_protocol != RTE_BE16(RTE_ETHER_TYPE_IPV4) ||
	    frame.arp.arp_hlen != RTE_ETHER_ADDR_LEN || frame.arp.arp_plen != 4 ||
	    !is_ours(&nbs->ours[0], &data->arp_tip)) {
		count(nbs->counters, COUNT_NOT_OURS, 1);
		return;
	}
	learn(nbs, &data->arp_sip, 4, &data->arp_sha, now);
	if (frame.arp.arp_opcode == RTE_BE16(RTE_ARP_OP_REQUEST)) {
		send_arp(nbs, RTE_ARP_OP_REPLY, &data->arp_sha, &data->arp_sip);
		count(nbs->counters, COUNT_ARP_ANSWERED, 1);
	}
}

static void
answer_solicitation(struct neighbours *nbs, const struct nd_frame *asked)
{
	struct nd_message message = {
		.type = ND_ADVERTISE,
		.flags = ND_FLAG_SOLICITED | ND_FLAG_OVERRIDE,
		.option_type = ND_TARGET_MAC,
	};

	memcpy(message.target, asked->nd.target, sizeof(message.target));
	send_nd(nbs, &asked->ether.src_addr, asked->ip.src_addr, &message);
	count(nbs->counters, COUNT_ARP_ANSWERED, 1);
}

void
neighbour_icmpv6(struct neighbours *nbs, const struct rte_mbuf *m, const struct csum_pkt *pkt,
		 uint64_t now)
{
	static const uint8_t unspecified[16];
	const struct csum_layer *icmp = &pkt->layer[2];
	struct nd_frame frame = { 0 };
	uint32_t len = RTE_MIN(icmp->len, (uint32_t)sizeof(frame.nd));
	bool solicits, option;

	/* With extension headers between them it is no such message (RFC 4861 section 7.1). */
	if (icmp->off != offsetof(struct nd_frame, nd) || len < ND_LEN_WITHOUT_OPTION ||
	    csum_mbuf_read(m, 0, &frame, icmp->off + len) != 0 ||
	    frame.ip.hop_limits != ND_HOP_LIMIT || frame.nd.code != 0 ||
	    csum_pkt_verify(m, pkt, 2) != CSUM_VERDICT_GOOD) {
		count(nbs->counters, COUNT_NOT_OURS, 1);
		return;
	}
	option = len == sizeof(frame.nd) && frame.nd.option_len == 1;
	solicits = frame.nd.type == ND_SOLICIT && is_ours(&nbs->ours[1], frame.nd.target);
	if (solicits && option && frame.nd.option_type == ND_SOURCE_MAC)
		learn(nbs, frame.ip.src_addr, 16, &frame.nd.mac, now);
	/* From nowhere: somebody else is about to take our address, which is his to settle. */
	if (solicits && memcmp(frame.ip.src_addr, unspecified, sizeof(unspecified)) != 0)
		answer_solicitation(nbs, &frame);
	else if (frame.nd.type == ND_ADVERTISE && option && frame.nd.option_type == ND_TARGET_MAC)
		learn(nbs, frame.nd.target, 16, &frame.nd.mac, now);
	else
		count(nbs->counters, COUNT_NOT_OURS, 1);
}

void
neighbour_close(struct neighbours *nbs)
{
	unsigned int i;

	for (i = 0; i < NEIGHBOUR_MAX; i++)
		drop_held(nbs, &nbs->table[i]);
}
