/* SPDX-License-Identifier: BSD-3-Clause */

#include <rte_ethdev.h>

#include <csum_mbuf.h>

#include "engine_csum.h"
#include "request.h"

#define GRE_CHECKSUM_PRESENT 0x80 /* in the first byte (RFC 2784 section 2.1) */

static bool
is_ip(const struct csum_layer *layer)
{
	return layer->type == CSUM_LAYER_IPV4 || layer->type == CSUM_LAYER_IPV6;
}

/* Whether a layer's checksum can be made: all there, and not spread over fragments. */
static bool
is_whole(const struct csum_layer *layer)
{
	return (layer->flags & (CSUM_LAYER_F_FRAGMENT | CSUM_LAYER_F_TRUNCATED |
				CSUM_LAYER_F_HDR_CUT)) == 0;
}

static bool
is_l4(const struct csum_layer *layer)
{
	return layer->type == CSUM_LAYER_TCP || layer->type == CSUM_LAYER_UDP ||
		layer->type == CSUM_LAYER_SCTP;
}

/* The first IP layer from index `i` on; nb_layers when there is none. */
static unsigned int
next_ip(const struct csum_pkt *pkt, unsigned int i)
{
	while (i < pkt->nb_layers && !is_ip(&pkt->layer[i]))
		i++;
	return i;
}

bool
csum_headers_find(const struct csum_pkt *pkt, bool parse_tunnel, struct csum_headers *h)
{
	unsigned int ip = next_ip(pkt, 0);
	unsigned int inner;

	if (ip == pkt->nb_layers)
		return false;
	*h = (struct csum_headers){ 0 };
	inner = next_ip(pkt, ip + 1);
	if (parse_tunnel && inner < pkt->nb_layers)
		h->tunnel = request_tunnel_kind(pkt, ip, inner);
	if (h->tunnel != 0) {
		h->outer = &pkt->layer[ip];
		ip = inner;
	}
	h->ip = &pkt->layer[ip];
	if (ip + 1 < pkt->nb_layers && is_l4(h->ip + 1) && is_whole(h->ip + 1))
		h->l4 = h->ip + 1;
	return (h->ip->flags & CSUM_LAYER_F_HDR_CUT) == 0;
}

/* UDP may do without a checksum, and then goes on doing so. */
static bool
has_udp_check(const struct rte_mbuf *m, const struct csum_layer *udp)
{
	uint16_t check;

	return csum_mbuf_read(m, udp->off + UDP_CHECK_OFF, &check, sizeof(check)) == 0 &&
		check != 0;
}

static bool
has_gre_check(const struct rte_mbuf *m, const struct csum_layer *gre)
{
	uint8_t flags;

	return csum_mbuf_read(m, gre->off, &flags, sizeof(flags)) == 0 &&
		(flags & GRE_CHECKSUM_PRESENT) != 0;
}

/* The offload that a port must have enabled to cut a packet with these headers. */
static uint64_t
tso_offload(const struct csum_headers *h)
{
	if (h->outer == NULL)
		return RTE_ETH_TX_OFFLOAD_TCP_TSO;
	switch (h->tunnel) {
	case RTE_MBUF_F_TX_TUNNEL_VXLAN:
		return RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO;
	case RTE_MBUF_F_TX_TUNNEL_GRE:
		return RTE_ETH_TX_OFFLOAD_GRE_TNL_TSO;
	case RTE_MBUF_F_TX_TUNNEL_IPIP:
		return RTE_ETH_TX_OFFLOAD_IPIP_TNL_TSO;
	case RTE_MBUF_F_TX_TUNNEL_GENEVE:
		return RTE_ETH_TX_OFFLOAD_GENEVE_TNL_TSO;
	default:
		return RTE_ETH_TX_OFFLOAD_UDP_TNL_TSO;
	}
}

/* The segment size to ask of the port; 0 when the packet stays whole. */
static uint16_t
tso_size(const struct csum_headers *h, const struct port *port, uint64_t enabled)
{
	uint16_t segsz = h->outer != NULL ? port->csum.tunnel_tso_segsz : port->csum.tso_segsz;

	if (h->l4 == NULL || h->l4->type != CSUM_LAYER_TCP || (enabled & tso_offload(h)) == 0)
		return 0;
	return h->l4->len - h->l4->hdr_len > segsz ? segsz : 0;
}

/* The segment size that makes frames of a size; 0 when the packet stays whole. */
static uint16_t
gso_segsz(const struct csum_headers *h, uint16_t gso_size)
{
	const struct csum_layer *last;

	if (h->l4 == NULL || h->l4->type == CSUM_LAYER_SCTP ||
	    h->l4->off + h->l4->len <= gso_size)
		return 0;
	/* UDP becomes IP fragments, which have no UDP header but the first. */
	last = h->l4->type == CSUM_LAYER_UDP ? h->ip : h->l4;
	return gso_size > last->off + last->hdr_len ? gso_size - last->off - last->hdr_len : 0;
}

static uint32_t
layer_bit(const struct csum_pkt *pkt, const struct csum_layer *layer)
{
	return RTE_BIT32(layer - pkt->layer);
}

/* The IP header and what it carries, the inner ones in a tunnel. */
static void
plan_inner(const struct rte_mbuf *m, const struct csum_pkt *pkt, const struct csum_headers *h,
	   uint64_t enabled, struct csum_plan *plan)
{
	static const struct {
		uint64_t offload;
		uint64_t flag;
	} l4_kinds[] = {
		[CSUM_LAYER_TCP] = { RTE_ETH_TX_OFFLOAD_TCP_CKSUM, RTE_MBUF_F_TX_TCP_CKSUM },
		[CSUM_LAYER_UDP] = { RTE_ETH_TX_OFFLOAD_UDP_CKSUM, RTE_MBUF_F_TX_UDP_CKSUM },
		[CSUM_LAYER_SCTP] = { RTE_ETH_TX_OFFLOAD_SCTP_CKSUM, RTE_MBUF_F_TX_SCTP_CKSUM },
	};
	struct csum_gso_req *req = &plan->req;

	if (h->ip->type == CSUM_LAYER_IPV4) {
		/* Segmentation of IPv4 always comes with it (rte_validate_tx_offload()). */
		if (req->segsz != 0 || (enabled & RTE_ETH_TX_OFFLOAD_IPV4_CKSUM) != 0)
			req->ol_flags |= RTE_MBUF_F_TX_IP_CKSUM;
		else
			plan->fill |= layer_bit(pkt, h->ip);
	}
	if (req->segsz != 0)
		req->ol_flags |= h->l4->type == CSUM_LAYER_UDP ? RTE_MBUF_F_TX_UDP_SEG :
								 RTE_MBUF_F_TX_TCP_SEG;
	else if (h->l4 == NULL || (h->l4->type == CSUM_LAYER_UDP && !has_udp_check(m, h->l4)))
		return;
	else if ((enabled & l4_kinds[h->l4->type].offload) != 0)
		req->ol_flags |= l4_kinds[h->l4->type].flag;
	else
		plan->fill |= layer_bit(pkt, h->l4);
}

/*
 * The tunnel's own headers. Returns true when a checksum among them is made here that covers the
 * inner packet: then the inner checksums must be made here too, and first.
 */
static bool
plan_outer(const struct rte_mbuf *m, const struct csum_pkt *pkt, const struct csum_headers *h,
	   const struct csum_means *means, struct csum_plan *plan)
{
	const struct csum_layer *next = h->outer + 1;
	uint64_t enabled = means->offloads;

	if (h->outer->type == CSUM_LAYER_IPV4) {
		if ((enabled & RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM) != 0)
			plan->req.ol_flags |= RTE_MBUF_F_TX_OUTER_IP_CKSUM;
		else
			plan->fill |= layer_bit(pkt, h->outer);
	}
	if (next->type == CSUM_LAYER_GRE && has_gre_check(m, next) && plan->req.segsz == 0) {
		plan->fill |= layer_bit(pkt, next);
		return true;
	}
	if (next->type != CSUM_LAYER_UDP || !is_whole(next) || !has_udp_check(m, next))
		return false;
	if ((enabled & RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM) != 0) {
		plan->req.ol_flags |= RTE_MBUF_F_TX_OUTER_UDP_CKSUM;
		return false;
	}
	if (plan->req.segsz == 0) {
		plan->fill |= layer_bit(pkt, next);
		return true;
	}
	/* It will differ from segment to segment, and the port is not to make it. */
	plan->zero_outer_udp = means->gso_size == 0;
	return false;
}

/* Header lengths, by the convention that dpdk-testpmd uses for what is asked of the port. */
static void
plan_lengths(const struct csum_headers *h, const struct port *port, uint64_t enabled,
	     struct csum_gso_req *req)
{
	const uint64_t outer_offloads = RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM |
		RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM;

	req->l2_len = h->ip->off;
	req->l3_len = h->ip->hdr_len;
	req->l4_len = h->l4 != NULL ? h->l4->hdr_len : 0;
	if (h->outer == NULL ||
	    (port->csum.tunnel_tso_segsz == 0 && (enabled & outer_offloads) == 0))
		return;
	req->outer_l2_len = h->outer->off;
	req->outer_l3_len = h->outer->hdr_len;
	req->l2_len -= h->outer->off + h->outer->hdr_len;
}

void
csum_plan_make(const struct rte_mbuf *m, const struct csum_pkt *pkt,
	       const struct csum_headers *h, const struct port *port,
	       const struct csum_means *means, struct csum_plan *plan)
{
	uint64_t enabled = means->offloads;
	bool covered = false;

	*plan = (struct csum_plan){ 0 };
	plan->req.segsz = means->gso_size != 0 ? gso_segsz(h, means->gso_size) :
						 tso_size(h, port, enabled);
	plan->req.ol_flags = h->ip->type == CSUM_LAYER_IPV4 ? RTE_MBUF_F_TX_IPV4 :
							      RTE_MBUF_F_TX_IPV6;
	if (h->outer != NULL) {
		plan->req.ol_flags |= h->tunnel | (h->outer->type == CSUM_LAYER_IPV4 ?
			RTE_MBUF_F_TX_OUTER_IPV4 : RTE_MBUF_F_TX_OUTER_IPV6);
		covered = plan_outer(m, pkt, h, means, plan);
	}
	plan_inner(m, pkt, h, covered ? 0 : enabled, plan);
	plan_lengths(h, port, enabled, &plan->req);
}
