/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _STREAMS_H_
#define _STREAMS_H_

/**
 * @file
 * Which streams there are, and which lcore runs which: what layout.h says, laid out.
 */

#include <rte_lcore.h>

#include "engines.h"

/** One lcore that forwards, and its share of the streams. */
struct worker {
	unsigned int lcore;
	unsigned int first;      /**< index of its first stream */
	unsigned int nb_streams;
};

struct streams {
	struct fwd_stream *stream;
	unsigned int nb;
	unsigned int nb_ports;
	struct worker worker[RTE_MAX_LCORE];
	unsigned int nb_workers;
};

/**
 * Lay streams out: each Rx queue of each port is one, as far as there are Tx queues.
 *
 * @param streams
 *   All zero, or from the last time: counters live as long as the number of streams stays.
 * @param echo
 *   Whether packets go out by the port that they came in by, whatever the topology.
 * @return
 *   0, or -ENOMEM.
 */
int streams_lay_out(struct streams *streams, enum app_topology topology, bool echo);

#endif /* _STREAMS_H_ */
