/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>

#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_tcp.h>

#include "gso.h"

const uint16_t gso_min_size = sizeof(struct rte_ether_hdr) + sizeof(struct rte_ipv4_hdr) +
			      sizeof(struct rte_tcp_hdr) + 1;

static uint16_t size = RTE_ETHER_MAX_LEN - RTE_ETHER_CRC_LEN;
static bool enabled[RTE_MAX_ETHPORTS];
static struct csum_gso_conf confs[RTE_MAX_ETHPORTS];

void
gso_enable(uint16_t port, bool on)
{
	enabled[port] = on;
}

void
gso_set_size(uint16_t new_size)
{
	size = new_size;
}

void
gso_show(uint16_t port)
{
	if (enabled[port])
		printf("Max GSO'd packet size: %uB\nSupported GSO types: TCP and UDP over IPv4 and "
		       "IPv6, in tunnels too\n", size);
	else
		printf("GSO is not enabled on Port %u\n", port);
}

void
gso_begin(struct fwd_stream *stream)
{
	uint16_t port = stream->tx_port;

	stream->gso_size = enabled[port] ? size : 0;
	if (!enabled[port])
		return;
	/* The same for all streams that go to one port. */
	confs[port] = (struct csum_gso_conf){
		.pool = stream->pool,
		.headroom = RTE_PKTMBUF_HEADROOM,
		.flags = CSUM_GSO_F_UFO,
		.lower_capa = stream->tx->conf.txmode.offloads,
	};
	stream->gso = &confs[port];
}
