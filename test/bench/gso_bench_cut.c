/* SPDX-License-Identifier: BSD-3-Clause */

#include "gso_bench.h"

static int
cut(const struct gso_bench_packet *packet, struct rte_mbuf *m, struct rte_mbuf **segs,
    uint32_t flags)
{
	const struct csum_gso_conf conf = {
		.pool = packet->pool, .headroom = RTE_PKTMBUF_HEADROOM, .flags = flags,
		.attach_pool = packet->indirect, .prefetch = packet->prefetch,
	};

	return csum_gso_segment(m, &packet->req, &conf, segs, GSO_BENCH_MAX_SEGS, NULL);
}

int
gso_bench_copy(const struct gso_bench_packet *packet, struct rte_mbuf *m, struct rte_mbuf **segs)
{
	return cut(packet, m, segs, 0);
}

int
gso_bench_attach(const struct gso_bench_packet *packet, struct rte_mbuf *m,
		 struct rte_mbuf **segs)
{
	return cut(packet, m, segs, CSUM_GSO_F_ATTACH);
}
