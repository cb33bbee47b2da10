/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PARAMETERS_H_
#define _PARAMETERS_H_

#include <stdbool.h>
#include <stdint.h>

#include "options.h"
#include "replay.h"
#include "validate.h"

/** Exit status when the command line is wrong or the job could not be done at all. */
#define APP_EXIT_ERROR 2

enum app_job {
	APP_JOB_FORWARD,
	APP_JOB_VALIDATE,
	APP_JOB_REPLAY,
	APP_JOB_DONE, /**< help or version was asked for and has been printed */
};

enum app_topology {
	APP_TOPOLOGY_PAIRED,  /**< 0 <-> 1, 2 <-> 3, ... */
	APP_TOPOLOGY_CHAINED, /**< 0 -> 1 -> 2 -> ... -> 0 */
	APP_TOPOLOGY_LOOP,    /**< each port to itself */
};

/** Most packets a burst. */
#define APP_MAX_BURST 512

/** What a port may want to know of its rings; 0: its own choice. */
struct ring_params {
	uint32_t prefetch;
	uint32_t host;
	uint32_t writeback;
	uint32_t free;
	uint32_t rs; /**< of Tx rings only */
};

/** How to forward between ports. */
struct forward_params {
	bool interactive;
	bool auto_start;
	bool no_flush_rx;
	const char *cmdline_file;
	uint32_t mode;           /**< index of a forwarding engine */
	uint32_t topology;       /**< enum app_topology */
	uint32_t nb_rxq;
	uint32_t nb_txq;
	uint32_t nb_rxd;
	uint32_t nb_txd;
	uint64_t portmask;       /**< ports that forward; 0: all */
	struct ring_params rx_ring;
	struct ring_params tx_ring;
	uint32_t max_pkt_len;    /**< bytes of a frame, CRC included; 0: the ports' choice */
	uint64_t rx_offloads;    /**< RTE_ETH_RX_OFFLOAD_* of all ports */
	uint64_t tx_offloads;    /**< RTE_ETH_TX_OFFLOAD_* of all ports */
	bool numa;               /**< changes nothing: a port's memory is where the port is */
	bool enable_rx_cksum;    /**< and those that verify IP, TCP and UDP checksums */
	uint32_t burst;
	uint32_t nb_cores;
	uint32_t nb_ports;       /**< ports that forward; 0: all */
	uint32_t flowgen_flows;
	const char *txpkts;      /**< lengths of the segments of packets made here */
	const char *tx_ip;       /**< their addresses, */
	const char *tx_udp;      /**< and their UDP ports */
	struct option_list eth_peers;
	bool tx_first;
	uint32_t mbuf_size;      /**< bytes of an mbuf's data room, headroom included */
	uint32_t total_num_mbufs;
	uint32_t mbuf_cache;     /**< mbufs that an lcore keeps at hand */
	uint32_t stats_period;   /**< seconds between displays; 0: none */
	const char *display_xstats; /**< names, with commas between them; NULL: none */
};

struct parameters {
	enum app_job job;
	struct validate_params validate;
	struct replay_params replay;
	struct forward_params forward;
	struct option_list vdevs; /**< for the EAL */
	uint32_t color;           /**< enum colour_when */
	struct selection_params selection;
	bool json;
	bool tsv;
	bool quiet;
	bool help;
	bool help_all;
	bool version;
};

/**
 * Parse the application's own arguments.
 *
 * @param argc, argv
 *   As main() has them, without the EAL's and without the `--` behind those.
 * @param params
 *   Set to what was asked for, defaults elsewhere. Strings are argv's.
 * @return
 *   0, or -EINVAL when the reason has been printed to stderr.
 */
int parameters_parse(int argc, char **argv, struct parameters *params);

#endif /* _PARAMETERS_H_ */
