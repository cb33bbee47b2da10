/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_ethdev.h>
#include <rte_gro.h>
#include <rte_ip.h>
#include <rte_lcore.h>

#include <csum_pkt.h>

#include "gro.h"
#include "parameters.h"

/* Within one burst: librte_gro merges so many packets at most. */
#define BURST_ITEMS 32
#define BURST_FLOWS (RTE_GRO_MAX_BURST_ITEM_NUM / BURST_ITEMS)

#define KIND (RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4 | RTE_PTYPE_L4_TCP)

struct gro {
	struct rte_gro_param param;
	void *ctx;             /* keeps packets back from burst to burst; NULL: nothing is kept */
	unsigned int nb_bursts;
	unsigned int since;    /* bursts since the last were let go */
};

static bool enabled[RTE_MAX_ETHPORTS];
static uint16_t flush_bursts = 1;

void
gro_enable(uint16_t port, bool on)
{
	if (on && enabled[port])
		fprintf(stderr, "Port %u has enabled GRO. Please disable GRO first\n", port);
	else if (!on && !enabled[port])
		fprintf(stderr, "Port %u has disabled GRO\n", port);
	enabled[port] = on;
}

void
gro_set_flush(uint16_t nb_bursts)
{
	if (nb_bursts < 1 || nb_bursts > GRO_MAX_FLUSH) {
		fprintf(stderr, "The flushing cycle be in the range of 1 to %u. Revert to the "
			"default value 1.\n", GRO_MAX_FLUSH);
		nb_bursts = 1;
	}
	flush_bursts = nb_bursts;
}

void
gro_show(uint16_t port)
{
	if (!enabled[port]) {
		printf("Port %u doesn't enable GRO.\n", port);
		return;
	}
	printf("GRO type: TCP/IPv4\n");
	printf("Max number of packets to perform GRO: %u\n",
	       flush_bursts == 1 ? BURST_FLOWS * BURST_ITEMS : GRO_MAX_FLUSH * APP_MAX_BURST);
	printf("Flushing cycles: %u\n", flush_bursts);
}

int
gro_open(uint16_t port, struct gro **gro)
{
	*gro = NULL;
	if (!enabled[port])
		return 0;
	*gro = calloc(1, sizeof(**gro));
	if (*gro == NULL)
		return -ENOMEM;
	(*gro)->nb_bursts = flush_bursts;
	(*gro)->param = (struct rte_gro_param){
		.gro_types = RTE_GRO_TCP_IPV4,
		.max_flow_num = flush_bursts == 1 ? BURST_FLOWS : GRO_MAX_FLUSH,
		.max_item_per_flow = flush_bursts == 1 ? BURST_ITEMS : APP_MAX_BURST,
		.socket_id = SOCKET_ID_ANY,
	};
	if (flush_bursts == 1)
		return 0;
	(*gro)->ctx = rte_gro_ctx_create(&(*gro)->param);
	if ((*gro)->ctx != NULL)
		return 0;
	free(*gro);
	*gro = NULL;
	return -ENOMEM;
}

void
gro_close(struct gro *gro)
{
	if (gro == NULL)
		return;
	if (gro->ctx != NULL)
		rte_gro_ctx_destroy(gro->ctx);
	free(gro);
}

static bool
is_bad(const struct rte_mbuf *m)
{
	return (m->ol_flags & RTE_MBUF_F_RX_IP_CKSUM_MASK) == RTE_MBUF_F_RX_IP_CKSUM_BAD ||
		(m->ol_flags & RTE_MBUF_F_RX_L4_CKSUM_MASK) == RTE_MBUF_F_RX_L4_CKSUM_BAD;
}

/*
 * librte_gro goes by the packet type and header lengths. It gets those for what it can merge: plain
 * headers without tags, which it would not compare, a checksum that is not known to be bad, nothing
 * behind the IP packet.
 */
static void
mark(struct rte_mbuf *m)
{
	const uint8_t cut = CSUM_LAYER_F_FRAGMENT | CSUM_LAYER_F_TRUNCATED | CSUM_LAYER_F_HDR_CUT;
	const struct csum_layer *ip, *tcp;
	struct csum_pkt pkt;

	m->packet_type = RTE_PTYPE_UNKNOWN;
	if (is_bad(m) || (m->ol_flags & RTE_MBUF_F_RX_VLAN) != 0 ||
	    csum_pkt_parse(m, 0, CSUM_LINK_ETHER, 0, &pkt) != 0 || pkt.nb_layers < 3)
		return;
	ip = &pkt.layer[1];
	tcp = &pkt.layer[2];
	if (ip->type != CSUM_LAYER_IPV4 || ip->off != RTE_ETHER_HDR_LEN ||
	    ip->hdr_len != sizeof(struct rte_ipv4_hdr) ||
	    tcp->type != CSUM_LAYER_TCP || (tcp->flags & cut) != 0 ||
	    tcp->off + tcp->hdr_len > m->data_len || tcp->off + tcp->len != m->pkt_len)
		return;
	m->packet_type = KIND;
	m->l2_len = ip->off;
	m->l3_len = ip->hdr_len;
	m->l4_len = tcp->hdr_len;
}

uint16_t
gro_merge(struct gro *gro, struct rte_mbuf **pkts, uint16_t nb)
{
	uint16_t i;

	for (i = 0; i < nb; i++)
		mark(pkts[i]);
	if (gro->ctx == NULL)
		return rte_gro_reassemble_burst(pkts, nb, &gro->param);
	nb = rte_gro_reassemble(pkts, nb, gro->ctx);
	if (++gro->since < gro->nb_bursts)
		return nb;
	gro->since = 0;
	return nb + gro_flush(gro, &pkts[nb], APP_MAX_BURST - nb);
}

uint16_t
gro_flush(struct gro *gro, struct rte_mbuf **pkts, uint16_t room)
{
	if (gro->ctx == NULL || room == 0)
		return 0;
	return rte_gro_timeout_flush(gro->ctx, 0, RTE_GRO_TCP_IPV4, pkts, room);
}
