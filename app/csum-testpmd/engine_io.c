/* SPDX-License-Identifier: BSD-3-Clause */

#include "engines.h"

static void
forward(struct fwd_stream *stream)
{
	struct rte_mbuf *pkts[APP_MAX_BURST];
	uint16_t nb;

	nb = stream_receive(stream, pkts);
	if (nb != 0)
		stream_send(stream, pkts, nb);
}

const struct fwd_engine engine_io = {
	.name = "io",
	.forward = forward,
};
