/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdio.h>

#include <rte_ethdev.h>

#include "port.h"
#include "port_config.h"
#include "port_list.h"

/* The shortest Ethernet frame, CRC included. */
#define MIN_PKT_LEN RTE_ETHER_MIN_LEN

static const struct forward_params *params;
static struct rte_mempool *rx_pool;
static uint16_t numbers[PORTS_NB_NUMBERS];

void
port_config_init(const struct forward_params *fwd_params, struct rte_mempool *pool)
{
	params = fwd_params;
	rx_pool = pool;
	numbers[PORTS_RXQ] = params->nb_rxq;
	numbers[PORTS_TXQ] = params->nb_txq;
	numbers[PORTS_RXD] = params->nb_rxd;
	numbers[PORTS_TXD] = params->nb_txd;
}

uint16_t
ports_number(enum ports_number which)
{
	return numbers[which];
}

uint16_t
ports_nb_queues(void)
{
	return RTE_MIN(numbers[PORTS_RXQ], numbers[PORTS_TXQ]);
}

/* Bytes that a frame has besides what the MTU counts. */
static uint32_t
frame_overhead(uint16_t id)
{
	struct rte_eth_dev_info info;

	if (rte_eth_dev_info_get(id, &info) == 0 && info.max_mtu != UINT16_MAX &&
	    info.max_rx_pktlen > info.max_mtu)
		return info.max_rx_pktlen - info.max_mtu;
	return RTE_ETHER_HDR_LEN + RTE_ETHER_CRC_LEN;
}

void
port_config_first(uint16_t id, struct port *port)
{
	port->conf.rxmode.offloads = params->rx_offloads;
	port->conf.txmode.offloads = params->tx_offloads;
	if (params->enable_rx_cksum)
		port->conf.rxmode.offloads |= RTE_ETH_RX_OFFLOAD_CHECKSUM;
	if (params->max_pkt_len != 0)
		port->conf.rxmode.mtu = params->max_pkt_len - frame_overhead(id);
}

/* Spreads packets over the Rx queues as far as the port can. */
static void
set_rss(struct rte_eth_conf *conf, const struct rte_eth_dev_info *info)
{
	const uint64_t wanted = RTE_ETH_RSS_IP | RTE_ETH_RSS_TCP | RTE_ETH_RSS_UDP;
	bool spread = numbers[PORTS_RXQ] > 1 && (wanted & info->flow_type_rss_offloads) != 0;

	conf->rx_adv_conf.rss_conf.rss_hf = spread ? wanted & info->flow_type_rss_offloads : 0;
	conf->rxmode.mq_mode = spread ? RTE_ETH_MQ_RX_RSS : RTE_ETH_MQ_RX_NONE;
}

/* What the command line says of the rings of queues, where it says something. */
static void
set_thresholds(struct rte_eth_rxconf *rxconf, struct rte_eth_txconf *txconf)
{
	const struct ring_params *rx = &params->rx_ring, *tx = &params->tx_ring;

	if (rx->prefetch + rx->host + rx->writeback != 0)
		rxconf->rx_thresh = (struct rte_eth_thresh){
			.pthresh = rx->prefetch, .hthresh = rx->host, .wthresh = rx->writeback,
		};
	if (tx->prefetch + tx->host + tx->writeback != 0)
		txconf->tx_thresh = (struct rte_eth_thresh){
			.pthresh = tx->prefetch, .hthresh = tx->host, .wthresh = tx->writeback,
		};
	if (rx->free != 0)
		rxconf->rx_free_thresh = rx->free;
	if (tx->free != 0)
		txconf->tx_free_thresh = tx->free;
	if (tx->rs != 0)
		txconf->tx_rs_thresh = tx->rs;
}

static int
setup_queues(uint16_t id, const struct rte_eth_dev_info *info)
{
	struct rte_eth_rxconf rxconf = info->default_rxconf;
	struct rte_eth_txconf txconf = info->default_txconf;
	uint16_t q;
	int ret;

	/* What the port enables, its queues have: nothing is asked of a queue alone. */
	rxconf.offloads = 0;
	txconf.offloads = 0;
	set_thresholds(&rxconf, &txconf);
	for (q = 0; q < numbers[PORTS_RXQ]; q++) {
		ret = rte_eth_rx_queue_setup(id, q, numbers[PORTS_RXD], port_socket(id), &rxconf,
					     rx_pool);
		if (ret != 0)
			return ret;
	}
	for (q = 0; q < numbers[PORTS_TXQ]; q++) {
		ret = rte_eth_tx_queue_setup(id, q, numbers[PORTS_TXD], port_socket(id), &txconf);
		if (ret != 0)
			return ret;
	}
	return 0;
}

int
port_config_apply(uint16_t id, struct port *port)
{
	struct rte_eth_dev_info info;
	int ret;

	printf("Configuring Port %u (socket %u)\n", id, port_socket(id));
	ret = rte_eth_dev_info_get(id, &info);
	if (ret != 0)
		return ret;
	set_rss(&port->conf, &info);
	ret = rte_eth_dev_configure(id, numbers[PORTS_RXQ], numbers[PORTS_TXQ], &port->conf);
	if (ret == 0)
		ret = setup_queues(id, &info);
	if (ret != 0)
		return ret;
	port->applied[PORT_RX] = port->conf.rxmode.offloads;
	port->applied[PORT_TX] = port->conf.txmode.offloads;
	port->stale = false;
	return 0;
}

uint64_t
port_capa(uint16_t id, enum port_dir dir)
{
	struct rte_eth_dev_info info;

	if (rte_eth_dev_info_get(id, &info) != 0)
		return 0;
	return dir == PORT_RX ? info.rx_offload_capa : info.tx_offload_capa;
}

uint64_t *
port_offloads(struct port *port, enum port_dir dir)
{
	return dir == PORT_RX ? &port->conf.rxmode.offloads : &port->conf.txmode.offloads;
}

void
port_set_offload(struct port *port, enum port_dir dir, uint64_t offloads, bool on)
{
	if (on)
		*port_offloads(port, dir) |= offloads;
	else
		*port_offloads(port, dir) &= ~offloads;
	port->stale = true;
}

const char *
port_offload_name(enum port_dir dir, uint64_t offload)
{
	return dir == PORT_RX ? rte_eth_dev_rx_offload_name(offload) :
				rte_eth_dev_tx_offload_name(offload);
}

/* Most queues that a port can have; for descriptors there is no such limit here. */
static uint16_t
max_queues(enum ports_number which, const struct rte_eth_dev_info *info)
{
	return which == PORTS_RXQ ? info->max_rx_queues :
	       which == PORTS_TXQ ? info->max_tx_queues : UINT16_MAX;
}

void
ports_set_number(enum ports_number which, uint16_t value)
{
	static const char *const names[] = { [PORTS_RXQ] = "rxq", [PORTS_TXQ] = "txq" };
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = ports_list(ids);
	unsigned int i;

	if (value == 0 && (which == PORTS_RXQ || which == PORTS_TXQ)) {
		fprintf(stderr, "Fail: input %s (0) can't be less than 1\n", names[which]);
		return;
	}
	for (i = 0; i < nb; i++) {
		struct rte_eth_dev_info info;

		if (rte_eth_dev_info_get(ids[i], &info) == 0 && value > max_queues(which, &info)) {
			fprintf(stderr, "Fail: input %s (%u) can't be greater than "
				"max_%s_queues (%u) of port %u\n", names[which], value,
				which == PORTS_RXQ ? "rx" : "tx", max_queues(which, &info),
				ids[i]);
			return;
		}
	}
	numbers[which] = value;
	port_list_make_stale();
}

void
ports_set_max_pkt_len(uint16_t len)
{
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb = ports_list(ids);
	unsigned int i;

	if (len < MIN_PKT_LEN) {
		fprintf(stderr, "max-pkt-len can not be less than %u\n", MIN_PKT_LEN);
		return;
	}
	for (i = 0; i < nb; i++) {
		uint16_t mtu = len - frame_overhead(ids[i]);

		if (rte_eth_dev_set_mtu(ids[i], mtu) != 0)
			fprintf(stderr, "Failed to set MTU to %u for port %u\n", mtu, ids[i]);
		else
			port_get(ids[i])->conf.rxmode.mtu = mtu;
	}
}

void
port_set_mtu(uint16_t id, uint16_t mtu)
{
	struct port *port = port_get(id);
	int ret;

	if (port == NULL)
		return;
	ret = rte_eth_dev_set_mtu(id, mtu);
	if (ret != 0)
		fprintf(stderr, "Set MTU failed. diag=%d\n", ret);
	else
		port->conf.rxmode.mtu = mtu;
}
