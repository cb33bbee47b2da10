/* SPDX-License-Identifier: BSD-3-Clause */

#include <rte_ethdev.h>
#include <rte_interrupts.h>

#include "port.h"

#define NB_DESC 1024

#define TX_WANTED (RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM)
#define RX_WANTED (RTE_ETH_RX_OFFLOAD_IPV4_CKSUM | RTE_ETH_RX_OFFLOAD_UDP_CKSUM)

static int
configure(struct port *port, struct rte_mempool *pool, bool interrupts)
{
	struct rte_eth_conf conf = { .intr_conf.rxq = interrupts };
	uint16_t nb_rx = NB_DESC, nb_tx = NB_DESC;
	struct rte_eth_dev_info info;
	int ret = rte_eth_dev_info_get(port->id, &info);

	if (ret != 0)
		return ret;
	port->tx_offloads = info.tx_offload_capa & TX_WANTED;
	conf.txmode.offloads = port->tx_offloads;
	conf.rxmode.offloads = info.rx_offload_capa & RX_WANTED;
	ret = rte_eth_dev_configure(port->id, 1, 1, &conf);
	if (ret == 0)
		ret = rte_eth_dev_adjust_nb_rx_tx_desc(port->id, &nb_rx, &nb_tx);
	if (ret == 0)
		ret = rte_eth_rx_queue_setup(port->id, 0, nb_rx, SOCKET_ID_ANY, NULL, pool);
	if (ret == 0)
		ret = rte_eth_tx_queue_setup(port->id, 0, nb_tx, SOCKET_ID_ANY, NULL);
	return ret == 0 ? rte_eth_dev_start(port->id) : ret;
}

int
port_start(struct port *port, struct rte_mempool *pool)
{
	int ret = configure(port, pool, true);

	/* Some ports refuse what they cannot do, others forget about it. */
	port->interrupts = ret == 0 &&
		rte_eth_dev_rx_intr_ctl_q(port->id, 0, RTE_EPOLL_PER_THREAD, RTE_INTR_EVENT_ADD,
					  NULL) == 0;
	if (ret != 0)
		ret = configure(port, pool, false);
	/* Neighbour solicitations are sent to groups. A port that filters nothing needs neither. */
	if (ret == 0 && rte_eth_allmulticast_enable(port->id) != 0)
		rte_eth_promiscuous_enable(port->id);
	return ret;
}

void
port_stop(const struct port *port)
{
	rte_eth_dev_stop(port->id);
	rte_eth_dev_close(port->id);
}
