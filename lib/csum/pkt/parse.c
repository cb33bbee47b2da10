/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>

#include <rte_ether.h>

#include "pkt_parse_private.h"

static enum pkt_step
parse_payload(struct pkt_parse *p)
{
	pkt_parse_add(p, CSUM_LAYER_PAYLOAD);
	return PKT_STEP_END;
}

static enum pkt_step (*const steps[PKT_STEP_MAX])(struct pkt_parse *p) = {
	[PKT_STEP_PAYLOAD] = parse_payload,
	[PKT_STEP_ETHER] = pkt_parse_ether,
	[PKT_STEP_LLC] = pkt_parse_llc,
	[PKT_STEP_VLAN] = pkt_parse_vlan,
	[PKT_STEP_MPLS] = pkt_parse_mpls,
	[PKT_STEP_PPPOE] = pkt_parse_pppoe,
	[PKT_STEP_IP] = pkt_parse_ip,
	[PKT_STEP_IPV4] = pkt_parse_ipv4,
	[PKT_STEP_IPV6] = pkt_parse_ipv6,
	[PKT_STEP_TCP] = pkt_parse_tcp,
	[PKT_STEP_UDP] = pkt_parse_udp,
	[PKT_STEP_UDPLITE] = pkt_parse_udplite,
	[PKT_STEP_ICMP] = pkt_parse_icmp,
	[PKT_STEP_ICMPV6] = pkt_parse_icmpv6,
	[PKT_STEP_IGMP] = pkt_parse_igmp,
	[PKT_STEP_SCTP] = pkt_parse_sctp,
	[PKT_STEP_DCCP] = pkt_parse_dccp,
	[PKT_STEP_GRE] = pkt_parse_gre,
	[PKT_STEP_VXLAN] = pkt_parse_vxlan,
	[PKT_STEP_VXLAN_GPE] = pkt_parse_vxlan_gpe,
	[PKT_STEP_GENEVE] = pkt_parse_geneve,
	[PKT_STEP_GTPU] = pkt_parse_gtpu,
};

enum pkt_step
pkt_step_of_ether_type(uint16_t type)
{
	switch (type) {
	case RTE_ETHER_TYPE_IPV4:
		return PKT_STEP_IPV4;
	case RTE_ETHER_TYPE_IPV6:
		return PKT_STEP_IPV6;
	case RTE_ETHER_TYPE_VLAN:
	case RTE_ETHER_TYPE_QINQ:
	case RTE_ETHER_TYPE_QINQ1:
		return PKT_STEP_VLAN;
	case RTE_ETHER_TYPE_MPLS:
	case RTE_ETHER_TYPE_MPLSM:
		return PKT_STEP_MPLS;
	case RTE_ETHER_TYPE_PPPOE_SESSION:
		return PKT_STEP_PPPOE;
	case RTE_ETHER_TYPE_TEB:
		return PKT_STEP_ETHER;
	default:
		return PKT_STEP_PAYLOAD;
	}
}

static const struct {
	uint8_t step;
	uint8_t layer; /* with a checksum */
} ip_protos[UINT8_MAX + 1] = {
	[1] = { PKT_STEP_ICMP, CSUM_LAYER_ICMP },
	[2] = { PKT_STEP_IGMP, CSUM_LAYER_IGMP },
	[4] = { PKT_STEP_IPV4, 0 },
	[6] = { PKT_STEP_TCP, CSUM_LAYER_TCP },
	[17] = { PKT_STEP_UDP, CSUM_LAYER_UDP },
	[33] = { PKT_STEP_DCCP, CSUM_LAYER_DCCP },
	[41] = { PKT_STEP_IPV6, 0 },
	[47] = { PKT_STEP_GRE, CSUM_LAYER_GRE },
	[58] = { PKT_STEP_ICMPV6, CSUM_LAYER_ICMPV6 },
	[132] = { PKT_STEP_SCTP, CSUM_LAYER_SCTP },
	[136] = { PKT_STEP_UDPLITE, CSUM_LAYER_UDPLITE },
	[137] = { PKT_STEP_MPLS, 0 }, /* RFC 4023 */
	[143] = { PKT_STEP_ETHER, 0 }, /* RFC 8986 section 4.9 */
};

enum pkt_step
pkt_step_of_ip_proto(uint8_t proto)
{
	return ip_protos[proto].step != 0 ? ip_protos[proto].step : PKT_STEP_PAYLOAD;
}

enum csum_layer_type
pkt_layer_of_ip_proto(uint8_t proto)
{
	return ip_protos[proto].layer != 0 ? ip_protos[proto].layer : CSUM_LAYER_PAYLOAD;
}

static const struct {
	uint16_t port;
	bool either; /* the source port counts too */
	uint8_t hdr_len;
	uint8_t step;
} udp_tunnels[] = {
	{ 4789, false, 8, PKT_STEP_VXLAN },
	{ 4790, false, 8, PKT_STEP_VXLAN_GPE },
	{ 6081, false, 8, PKT_STEP_GENEVE },
	{ 6635, false, 4, PKT_STEP_MPLS },
	{ 2152, true, 8, PKT_STEP_GTPU },
};

enum pkt_step
pkt_step_of_udp_ports(uint16_t src, uint16_t dst, uint32_t room)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(udp_tunnels); i++) {
		if (dst != udp_tunnels[i].port &&
		    !(udp_tunnels[i].either && src == udp_tunnels[i].port))
			continue;
		return room >= udp_tunnels[i].hdr_len ? udp_tunnels[i].step : PKT_STEP_END;
	}
	return PKT_STEP_END;
}

const uint8_t *
pkt_parse_peek(struct pkt_parse *p, uint32_t off, uint32_t len)
{
	if (len > pkt_parse_avail(p, off))
		return NULL;

	/* Headers are looked at in order, as a rule: go on from the last one. */
	if (off < p->seg_off) {
		p->seg = p->m;
		p->seg_off = 0;
	}
	while (off - p->seg_off >= p->seg->data_len) {
		if (p->seg->next == NULL)
			return NULL;
		p->seg_off += p->seg->data_len;
		p->seg = p->seg->next;
	}
	off -= p->seg_off;
	if (len <= p->seg->data_len - off)
		return rte_pktmbuf_mtod_offset(p->seg, const uint8_t *, off);

	RTE_ASSERT(len <= PKT_PEEK_MAX);
	return csum_mbuf_read(p->seg, off, p->buf, len) == 0 ? p->buf : NULL;
}

struct csum_layer *
pkt_parse_add(struct pkt_parse *p, enum csum_layer_type type)
{
	struct csum_layer *layer = &p->pkt->layer[p->pkt->nb_layers++];

	layer->off = p->off;
	layer->hdr_len = 0;
	layer->len = pkt_parse_avail(p, p->off);
	layer->field_len = p->end - p->off;
	layer->src_off = 0;
	layer->dst_off = 0;
	layer->dst_elided = 0;
	layer->type = type;
	layer->flags = 0;
	layer->ip = p->ip;
	layer->proto = 0;
	return layer;
}

const uint8_t *
pkt_parse_header(struct pkt_parse *p, enum csum_layer_type type, uint32_t len,
		 struct csum_layer **layer)
{
	const uint8_t *hdr = pkt_parse_peek(p, p->off, len);

	*layer = pkt_parse_add(p, type);
	if (hdr == NULL)
		pkt_parse_cut(*layer);
	return hdr;
}

void
pkt_parse_set_len(struct pkt_parse *p, struct csum_layer *layer, uint32_t field_len)
{
	uint32_t avail = pkt_parse_avail(p, layer->off);

	layer->field_len = field_len;
	layer->len = RTE_MIN(field_len, avail);
	if (field_len > avail)
		layer->flags |= CSUM_LAYER_F_TRUNCATED;
	p->end = layer->off + RTE_MIN(field_len, p->end - layer->off);
}

bool
pkt_parse_pass(struct pkt_parse *p, struct csum_layer *layer, uint32_t hdr_len)
{
	if (hdr_len > pkt_parse_avail(p, layer->off)) {
		pkt_parse_cut(layer);
		return false;
	}
	layer->hdr_len = hdr_len;
	p->off = layer->off + hdr_len;
	return true;
}

static uint32_t
bytes_there(const struct rte_mbuf *m)
{
	const struct rte_mbuf *seg;
	uint64_t len = 0;

	for (seg = m; seg != NULL; seg = seg->next)
		len += seg->data_len;
	return (uint32_t)RTE_MIN(len, m->pkt_len);
}

static enum pkt_step
first_step(enum csum_link link, uint16_t ether_type)
{
	switch (link) {
	case CSUM_LINK_ETHER:
		return PKT_STEP_ETHER;
	case CSUM_LINK_IP:
		return PKT_STEP_IP;
	case CSUM_LINK_TYPE:
		break;
	}
	return ether_type == CSUM_ETHER_TYPE_LLC ? PKT_STEP_LLC :
						   pkt_step_of_ether_type(ether_type);
}

int
csum_pkt_parse(const struct rte_mbuf *m, uint32_t off, enum csum_link link, uint16_t ether_type,
	       struct csum_pkt *pkt)
{
	enum pkt_step step = first_step(link, ether_type);
	struct pkt_parse p;

	if (off > m->pkt_len)
		return -EINVAL;

	p.pkt = pkt;
	p.m = m;
	p.seg = m;
	p.seg_off = 0;
	p.frame_len = m->pkt_len;
	p.there = bytes_there(m);
	p.off = off;
	p.end = p.frame_len;
	p.ip = 0;
	p.in_ip = false;
	p.flags = 0;

	pkt->len = p.there;
	pkt->nb_layers = 0;
	pkt->flags = 0;
	while (step != PKT_STEP_END) {
		if (pkt->nb_layers == CSUM_PKT_MAX_LAYERS - 1 && step != PKT_STEP_PAYLOAD) {
			pkt->flags |= CSUM_PKT_F_TOO_DEEP;
			step = PKT_STEP_PAYLOAD;
		}
		step = steps[step](&p);
	}
	return 0;
}
