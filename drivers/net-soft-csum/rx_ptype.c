/* SPDX-License-Identifier: BSD-3-Clause */

/* Packet types, where the lower port tells none. */

#include <rte_bitops.h>
#include <rte_mbuf_ptype.h>

#include "soft_csum.h"

#define IPV4_MIN_LEN 20
#define IPV6_MIN_LEN 40

/* Types of a layer, in front of any tunnel and inside. */
struct pair {
	uint32_t outer;
	uint32_t inner;
};

#define PAIR(name) { RTE_PTYPE_ ## name, RTE_PTYPE_INNER_ ## name }

static const struct pair ipv4 = PAIR(L3_IPV4), ipv4_ext = PAIR(L3_IPV4_EXT),
	ipv6 = PAIR(L3_IPV6), ipv6_ext = PAIR(L3_IPV6_EXT), fragment = PAIR(L4_FRAG),
	vlan = PAIR(L2_ETHER_VLAN), qinq = PAIR(L2_ETHER_QINQ);

static const struct pair plain[] = {
	[CSUM_LAYER_ETHER] = PAIR(L2_ETHER),
	[CSUM_LAYER_MPLS] = { RTE_PTYPE_L2_ETHER_MPLS, 0 },
	[CSUM_LAYER_PPPOE] = { RTE_PTYPE_L2_ETHER_PPPOE, 0 },
	[CSUM_LAYER_TCP] = PAIR(L4_TCP),
	[CSUM_LAYER_UDP] = PAIR(L4_UDP),
	[CSUM_LAYER_ICMP] = PAIR(L4_ICMP),
	[CSUM_LAYER_ICMPV6] = PAIR(L4_ICMP),
	[CSUM_LAYER_SCTP] = PAIR(L4_SCTP),
	[CSUM_LAYER_PAYLOAD] = { 0, 0 },
};

static const uint32_t tunnels[] = {
	[CSUM_LAYER_GRE] = RTE_PTYPE_TUNNEL_GRE,
	[CSUM_LAYER_VXLAN] = RTE_PTYPE_TUNNEL_VXLAN,
	[CSUM_LAYER_VXLAN_GPE] = RTE_PTYPE_TUNNEL_VXLAN_GPE,
	[CSUM_LAYER_GENEVE] = RTE_PTYPE_TUNNEL_GENEVE,
	[CSUM_LAYER_GTPU] = RTE_PTYPE_TUNNEL_GTPU,
	[CSUM_LAYER_PAYLOAD] = 0,
};

/* All that soft_csum_ptype() may set. */
static const uint32_t ours[] = {
	RTE_PTYPE_L2_ETHER, RTE_PTYPE_L2_ETHER_VLAN, RTE_PTYPE_L2_ETHER_QINQ,
	RTE_PTYPE_L2_ETHER_MPLS, RTE_PTYPE_L2_ETHER_PPPOE, RTE_PTYPE_L3_IPV4,
	RTE_PTYPE_L3_IPV4_EXT, RTE_PTYPE_L3_IPV6, RTE_PTYPE_L3_IPV6_EXT, RTE_PTYPE_L4_TCP,
	RTE_PTYPE_L4_UDP, RTE_PTYPE_L4_ICMP, RTE_PTYPE_L4_SCTP, RTE_PTYPE_L4_FRAG,
	RTE_PTYPE_TUNNEL_IP, RTE_PTYPE_TUNNEL_GRE, RTE_PTYPE_TUNNEL_VXLAN,
	RTE_PTYPE_TUNNEL_VXLAN_GPE, RTE_PTYPE_TUNNEL_GENEVE, RTE_PTYPE_TUNNEL_GTPU,
	RTE_PTYPE_INNER_L2_ETHER, RTE_PTYPE_INNER_L2_ETHER_VLAN, RTE_PTYPE_INNER_L2_ETHER_QINQ,
	RTE_PTYPE_INNER_L3_IPV4, RTE_PTYPE_INNER_L3_IPV4_EXT, RTE_PTYPE_INNER_L3_IPV6,
	RTE_PTYPE_INNER_L3_IPV6_EXT, RTE_PTYPE_INNER_L4_TCP, RTE_PTYPE_INNER_L4_UDP,
	RTE_PTYPE_INNER_L4_ICMP, RTE_PTYPE_INNER_L4_SCTP, RTE_PTYPE_INNER_L4_FRAG,
	RTE_PTYPE_UNKNOWN,
};

/* A walk through the layers of a packet. */
struct walk {
	uint32_t ptype;
	unsigned int nb_ip;
	unsigned int nb_tags; /* of this Ethernet header */
	bool inner;
};

/* Each kind of part has a digit of its own; a later part takes the place of an earlier one. */
static void
add(struct walk *walk, const struct pair *pair)
{
	uint32_t part = walk->inner ? pair->inner : pair->outer;

	if (part == 0)
		return;
	walk->ptype &= ~(0xfu << (rte_bsf32(part) / 4 * 4));
	walk->ptype |= part;
}

static void
enter_tunnel(struct walk *walk, uint32_t tunnel)
{
	walk->ptype |= tunnel;
	walk->inner = true;
	walk->nb_tags = 0;
}

static void
add_ip(struct walk *walk, const struct csum_layer *layer)
{
	if (walk->nb_ip++ == 1 && !walk->inner)
		enter_tunnel(walk, RTE_PTYPE_TUNNEL_IP);
	if (layer->type == CSUM_LAYER_IPV4)
		add(walk, layer->hdr_len > IPV4_MIN_LEN ? &ipv4_ext : &ipv4);
	else
		add(walk, layer->hdr_len > IPV6_MIN_LEN ? &ipv6_ext : &ipv6);
	if (layer->flags & CSUM_LAYER_F_FRAGMENT)
		add(walk, &fragment);
}

/* Tell whether a layer lies deeper than a packet type can say, or is not there. */
static bool
is_beyond(const struct walk *walk, const struct csum_layer *layer)
{
	bool ip = layer->type == CSUM_LAYER_IPV4 || layer->type == CSUM_LAYER_IPV6;

	return (layer->flags & CSUM_LAYER_F_HDR_CUT) != 0 || (ip && walk->nb_ip == 2) ||
		(walk->inner && tunnels[layer->type] != 0);
}

uint32_t
soft_csum_ptype(const struct csum_pkt *pkt)
{
	struct walk walk = { 0 };
	unsigned int i;

	for (i = 0; i < pkt->nb_layers && !is_beyond(&walk, &pkt->layer[i]); i++) {
		const struct csum_layer *layer = &pkt->layer[i];

		if (layer->type == CSUM_LAYER_IPV4 || layer->type == CSUM_LAYER_IPV6)
			add_ip(&walk, layer);
		else if (layer->type == CSUM_LAYER_VLAN)
			add(&walk, walk.nb_tags++ == 0 ? &vlan : &qinq);
		else if (tunnels[layer->type] != 0)
			enter_tunnel(&walk, tunnels[layer->type]);
		else if ((layer->flags & CSUM_LAYER_F_FRAGMENT) == 0)
			add(&walk, &plain[layer->type]);
	}
	return walk.ptype;
}

const uint32_t *
soft_csum_ptypes_fill(struct rte_eth_dev *dev, size_t *nb)
{
	struct soft_csum_port *port = soft_csum_port(dev);
	int nb_lower = 0;

	if (port->lower_id != SOFT_CSUM_NO_PORT)
		nb_lower = rte_eth_dev_get_supported_ptypes(port->lower_id, RTE_PTYPE_ALL_MASK,
			port->lower_ptypes, RTE_DIM(port->lower_ptypes) - 1);
	if (nb_lower > 0) {
		*nb = RTE_MIN((size_t)nb_lower, RTE_DIM(port->lower_ptypes) - 1);
		port->lower_ptypes[*nb] = RTE_PTYPE_UNKNOWN;
		return port->lower_ptypes;
	}
	*nb = port->rx_verify != 0 ? RTE_DIM(ours) - 1 : 0;
	return port->rx_verify != 0 ? ours : NULL;
}
