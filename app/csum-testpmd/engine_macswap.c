/* SPDX-License-Identifier: BSD-3-Clause */

#include "engines.h"
#include "ether.h"

static void
forward(struct fwd_stream *stream)
{
	struct rte_mbuf *pkts[APP_MAX_BURST];
	uint16_t nb, i;

	nb = stream_receive(stream, pkts);
	for (i = 0; i < nb; i++) {
		swap_addresses(pkts[i]);
		clear_requests(pkts[i]);
	}
	if (nb != 0)
		stream_send(stream, pkts, nb);
}

const struct fwd_engine engine_macswap = {
	.name = "macswap",
	.forward = forward,
};
