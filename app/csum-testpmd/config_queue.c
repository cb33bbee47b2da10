/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>

#include <rte_errno.h>
#include <rte_ethdev.h>

#include "config.h"

static const char *
on_off(bool on)
{
	return on ? "on" : "off";
}

static const char *
state_name(uint8_t state)
{
	return state == RTE_ETH_QUEUE_STATE_STARTED ? "started" :
	       state == RTE_ETH_QUEUE_STATE_STOPPED ? "stopped" :
	       state == RTE_ETH_QUEUE_STATE_HAIRPIN ? "hairpin" : "unknown";
}

static void
show_heading(uint16_t id, const char *kind, uint16_t queue)
{
	static const char border[] = "*********************";

	printf("\n%s Infos for port %-2u, %s queue %-2u %s\n", border, id, kind, queue, border);
}

static void
complain(uint16_t id, const char *kind, uint16_t queue, int ret)
{
	fprintf(stderr, "Failed to retrieve information for port: %u, %s queue: %u\n"
		"error desc: %s(%d)\n", id, kind, queue, rte_strerror(-ret), ret);
}

static void
show_thresholds(const char *kind, const struct rte_eth_thresh *thresh)
{
	printf("%s prefetch threshold: %u\n", kind, thresh->pthresh);
	printf("%s host threshold: %u\n", kind, thresh->hthresh);
	printf("%s writeback threshold: %u\n", kind, thresh->wthresh);
}

void
config_show_rxq(uint16_t id, uint16_t queue)
{
	struct rte_eth_burst_mode mode;
	struct rte_eth_rxq_info info;
	int ret = rte_eth_rx_queue_info_get(id, queue, &info);

	if (ret != 0) {
		complain(id, "RX", queue, ret);
		return;
	}
	show_heading(id, "RX", queue);
	printf("Mempool: %s\n", info.mp == NULL ? "NULL" : info.mp->name);
	show_thresholds("RX", &info.conf.rx_thresh);
	printf("RX free threshold: %u\n", info.conf.rx_free_thresh);
	printf("RX drop packets: %s\n", on_off(info.conf.rx_drop_en != 0));
	printf("RX deferred start: %s\n", on_off(info.conf.rx_deferred_start != 0));
	printf("RX scattered packets: %s\n", on_off(info.scattered_rx != 0));
	printf("Rx queue state: %s\n", state_name(info.queue_state));
	if (info.rx_buf_size != 0)
		printf("RX buffer size: %u\n", info.rx_buf_size);
	printf("Number of RXDs: %u\n", info.nb_desc);
	if (rte_eth_rx_burst_mode_get(id, queue, &mode) == 0)
		printf("Burst mode: %s\n", mode.info);
}

void
config_show_txq(uint16_t id, uint16_t queue)
{
	struct rte_eth_burst_mode mode;
	struct rte_eth_txq_info info;
	int ret = rte_eth_tx_queue_info_get(id, queue, &info);

	if (ret != 0) {
		complain(id, "TX", queue, ret);
		return;
	}
	show_heading(id, "TX", queue);
	show_thresholds("TX", &info.conf.tx_thresh);
	printf("TX RS threshold: %u\n", info.conf.tx_rs_thresh);
	printf("TX free threshold: %u\n", info.conf.tx_free_thresh);
	printf("TX deferred start: %s\n", on_off(info.conf.tx_deferred_start != 0));
	printf("Number of TXDs: %u\n", info.nb_desc);
	printf("Tx queue state: %s\n", state_name(info.queue_state));
	if (rte_eth_tx_burst_mode_get(id, queue, &mode) == 0)
		printf("Burst mode: %s\n", mode.info);
}
