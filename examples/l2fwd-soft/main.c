/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * l2fwd-soft [EAL options] -- [PACKETS]
 *
 * Plain DPDK forwarding, which knows no driver and no library but DPDK's: the first port to the
 * second and back, the third to the fourth and so on; one without a partner sends what it receives.
 * Like a switch whose guests leave checksums and segmentation to the port, it asks for what the
 * port has; where that is nothing, packets leave as they came. Ends at a signal, or when PACKETS
 * have been received.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_net.h>

#define NB_MBUFS 8191
#define NB_DESC  512
#define BURST    32
#define WANTED (RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM | \
		RTE_ETH_TX_OFFLOAD_UDP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_TSO | \
		RTE_ETH_TX_OFFLOAD_MULTI_SEGS)

struct port {
	uint64_t offloads; /* of WANTED, those that it has */
	uint64_t received, sent, dropped;
	uint16_t id;
	uint16_t mtu;
};

static volatile sig_atomic_t stop;

static void
on_signal(int number)
{
	(void)number;
	stop = 1;
}

/* begin: request */
/* Ask the port for what the packet needs and the port has. */
static void
request_offloads(struct rte_mbuf *m, const struct port *port)
{
	const uint32_t layers = RTE_PTYPE_L2_MASK | RTE_PTYPE_L3_MASK | RTE_PTYPE_L4_MASK;
	struct rte_net_hdr_lens lens = { 0 };
	uint32_t type = rte_net_get_ptype(m, &lens, layers);

	if (!RTE_ETH_IS_IPV4_HDR(type) && !RTE_ETH_IS_IPV6_HDR(type))
		return;
	m->l2_len = lens.l2_len;
	m->l3_len = lens.l3_len;
	m->l4_len = lens.l4_len;
	m->ol_flags |= RTE_ETH_IS_IPV4_HDR(type) ? RTE_MBUF_F_TX_IPV4 : RTE_MBUF_F_TX_IPV6;
	if (RTE_ETH_IS_IPV4_HDR(type) && (port->offloads & RTE_ETH_TX_OFFLOAD_IPV4_CKSUM) != 0)
		m->ol_flags |= RTE_MBUF_F_TX_IP_CKSUM;

	switch (type & RTE_PTYPE_L4_MASK) {
	case RTE_PTYPE_L4_UDP:
		if ((port->offloads & RTE_ETH_TX_OFFLOAD_UDP_CKSUM) != 0)
			m->ol_flags |= RTE_MBUF_F_TX_UDP_CKSUM;
		break;
	case RTE_PTYPE_L4_TCP:
		if ((port->offloads & RTE_ETH_TX_OFFLOAD_TCP_CKSUM) != 0)
			m->ol_flags |= RTE_MBUF_F_TX_TCP_CKSUM;
		if (m->pkt_len - m->l2_len > port->mtu &&
		    (port->offloads & RTE_ETH_TX_OFFLOAD_TCP_TSO) != 0) {
			m->ol_flags |= RTE_MBUF_F_TX_TCP_SEG;
			m->tso_segsz = (uint16_t)(port->mtu - m->l3_len - m->l4_len);
		}
		break;
	}
}
/* end: request */

/* begin: send */
/* Sends a burst; a packet that the port refuses or has no room for is dropped. */
static void
send_burst(struct port *port, struct rte_mbuf **pkts, uint16_t nb)
{
	uint16_t i, ready, sent;

	for (i = 0; i < nb; i++)
		request_offloads(pkts[i], port);
	while (nb > 0) {
		ready = rte_eth_tx_prepare(port->id, 0, pkts, nb);
		sent = rte_eth_tx_burst(port->id, 0, pkts, ready);
		port->sent += sent;
		if (sent == nb)
			break;
		rte_pktmbuf_free(pkts[sent]);
		port->dropped++;
		pkts += sent + 1;
		nb -= sent + 1;
	}
}
/* end: send */

static void
forward(struct port *ports, unsigned int nb_ports, uint64_t max)
{
	struct rte_mbuf *pkts[BURST];
	uint64_t received = 0;
	unsigned int i;
	uint16_t nb;

	while (stop == 0 && received < max) {
		for (i = 0; i < nb_ports; i++) {
			nb = rte_eth_rx_burst(ports[i].id, 0, pkts, BURST);
			ports[i].received += nb;
			received += nb;
			send_burst(&ports[(i ^ 1) < nb_ports ? i ^ 1 : i], pkts, nb);
		}
	}
}

static void
print_offloads(const struct port *port)
{
	uint64_t bit;

	printf("port %u: MTU %u, Tx offloads:", port->id, port->mtu);
	for (bit = 1; bit != 0; bit <<= 1) {
		if ((port->offloads & bit) != 0)
			printf(" %s", rte_eth_dev_tx_offload_name(bit));
	}
	printf("%s\n", port->offloads == 0 ? " none" : "");
}

/* begin: start */
/* Returns 0 or a negative errno. */
static int
start_port(struct port *port, struct rte_mempool *pool)
{
	struct rte_eth_conf conf = { 0 };
	struct rte_eth_dev_info info;
	int ret = rte_eth_dev_info_get(port->id, &info);

	if (ret != 0)
		return ret;
	port->offloads = info.tx_offload_capa & WANTED;
	conf.txmode.offloads = port->offloads;
	ret = rte_eth_dev_configure(port->id, 1, 1, &conf);
	if (ret == 0)
		ret = rte_eth_rx_queue_setup(port->id, 0, NB_DESC, SOCKET_ID_ANY, NULL, pool);
	if (ret == 0)
		ret = rte_eth_tx_queue_setup(port->id, 0, NB_DESC, SOCKET_ID_ANY, NULL);
	if (ret == 0)
		ret = rte_eth_dev_get_mtu(port->id, &port->mtu);
	return ret == 0 ? rte_eth_dev_start(port->id) : ret;
}
/* end: start */

static void
stop_port(const struct port *port)
{
	printf("port %u: received %" PRIu64 ", sent %" PRIu64 ", dropped %" PRIu64 "\n", port->id,
		port->received, port->sent, port->dropped);
	rte_eth_dev_stop(port->id);
	rte_eth_dev_close(port->id);
}

int
main(int argc, char **argv)
{
	static struct port ports[RTE_MAX_ETHPORTS];
	int ret, nb_eal = rte_eal_init(argc, argv);
	uint64_t max = UINT64_MAX;
	unsigned int i, nb = 0;
	struct rte_mempool *pool;
	uint16_t id;
	char *end;

	if (nb_eal < 0)
		rte_exit(EXIT_FAILURE, "cannot start the EAL: %s\n", rte_strerror(rte_errno));
	if (argc - nb_eal > 1) {
		max = strtoull(argv[nb_eal + 1], &end, 10);
		if (*end != '\0' || max == 0)
			rte_exit(EXIT_FAILURE, "'%s' is not a number of packets\n",
				argv[nb_eal + 1]);
	}
	pool = rte_pktmbuf_pool_create("l2fwd-soft", NB_MBUFS, 256, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
		SOCKET_ID_ANY);
	if (pool == NULL)
		rte_exit(EXIT_FAILURE, "no memory for %u mbufs\n", NB_MBUFS);
	RTE_ETH_FOREACH_DEV(id) {
		ports[nb].id = id;
		ret = start_port(&ports[nb], pool);
		if (ret != 0)
			rte_exit(EXIT_FAILURE, "port %u: %s\n", id, rte_strerror(-ret));
		print_offloads(&ports[nb++]);
	}
	if (nb == 0)
		rte_exit(EXIT_FAILURE, "no port: name one with -a or --vdev\n");
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);

	forward(ports, nb, max);

	for (i = 0; i < nb; i++)
		stop_port(&ports[i]);
	rte_mempool_free(pool);
	return rte_eal_cleanup() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
