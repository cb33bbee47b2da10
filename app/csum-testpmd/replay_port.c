/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_dev.h>
#include <rte_errno.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>
#include <rte_mbuf_dyn.h>

#include <csum_mbuf.h>

#include "replay_port.h"

#define NAME "net_soft_csum_replay"
#define RING_NAME "replay"
#define RING_SIZE 1024
#define BURST 64
/* The longest record, 256 KB, takes 129 mbufs; the ring holds 1023 packets. */
#define POOL_SIZE 4095
/* A port that has delivered nothing for so long has given up. */
#define PATIENCE_MS 2000

/* A ring does chains and nothing else, so that all the rest is done in software. */
#define TX_OFFLOADS \
	(RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM | \
	 RTE_ETH_TX_OFFLOAD_TCP_CKSUM | RTE_ETH_TX_OFFLOAD_SCTP_CKSUM | \
	 RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM | \
	 RTE_ETH_TX_OFFLOAD_TCP_TSO | RTE_ETH_TX_OFFLOAD_UDP_TSO | \
	 RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO | RTE_ETH_TX_OFFLOAD_GENEVE_TNL_TSO | \
	 RTE_ETH_TX_OFFLOAD_MULTI_SEGS)

static int
fail(const char *what)
{
	fprintf(stderr, "replay: cannot %s: %s\n", what, rte_strerror(rte_errno));
	return -1;
}

static int
make_memory(struct replay_port *port)
{
	static const struct rte_mbuf_dynfield ns = {
		.name = "csum_testpmd_replay_ns",
		.size = sizeof(uint64_t),
		.align = alignof(uint64_t),
	};

	port->ns_off = rte_mbuf_dynfield_register(&ns);
	if (port->ns_off < 0)
		return fail("reserve room in mbufs");
	port->pool = rte_pktmbuf_pool_create(RING_NAME, POOL_SIZE, 0, 0,
					     RTE_MBUF_DEFAULT_BUF_SIZE, rte_socket_id());
	return port->pool != NULL ? 0 : fail("create the mbuf pool");
}

/* Returns the id of a port over a ring, or a negative number. */
static int
make_ring(struct replay_port *port)
{
	int id;

	/* The driver may send from a thread of its own too: several producers. */
	port->ring = rte_ring_create(RING_NAME, RING_SIZE, rte_socket_id(), RING_F_SC_DEQ);
	if (port->ring == NULL)
		return fail("create the ring");
	id = rte_eth_from_ring(port->ring);
	return id >= 0 ? id : fail("make a port of the ring");
}

static int
start(uint16_t id, struct rte_mempool *pool)
{
	struct rte_eth_conf conf = { .txmode.offloads = TX_OFFLOADS };
	struct rte_eth_dev_info info;
	int ret;

	ret = rte_eth_dev_info_get(id, &info);
	if (ret == 0) {
		conf.txmode.offloads &= info.tx_offload_capa;
		ret = rte_eth_dev_configure(id, 1, 1, &conf);
	}
	if (ret == 0)
		ret = rte_eth_rx_queue_setup(id, 0, RING_SIZE, rte_socket_id(), NULL, pool);
	if (ret == 0)
		ret = rte_eth_tx_queue_setup(id, 0, RING_SIZE, rte_socket_id(), NULL);
	if (ret == 0)
		ret = rte_eth_dev_start(id);
	rte_errno = -ret;
	return ret;
}

static int
make_port(struct replay_port *port, const char *lower, bool uso)
{
	char args[128], ring[16];
	int id;

	if (lower == NULL) {
		id = make_ring(port);
		if (id < 0)
			return -1;
		snprintf(ring, sizeof(ring), "%d", id);
		lower = ring;
	}
	snprintf(args, sizeof(args), "lower=%s,udp_seg=%s", lower, uso ? "uso" : "ufo");
	if (rte_eal_hotplug_add("vdev", NAME, args) != 0)
		return fail("create the " NAME " port");
	if (rte_eth_dev_get_port_by_name(NAME, &port->id) != 0)
		return fail("find the " NAME " port");
	return start(port->id, port->pool) == 0 ? 0 : fail("start the " NAME " port");
}

/* The driver would wait for a port that is not there. */
static bool
exists(const char *lower)
{
	char *end;
	uint16_t id;
	unsigned long n = strtoul(lower, &end, 10);

	if (*end == '\0' && n < RTE_MAX_ETHPORTS && rte_eth_dev_is_valid_port((uint16_t)n))
		return true;
	if (rte_eth_dev_get_port_by_name(lower, &id) == 0)
		return true;
	fprintf(stderr, "replay: there is no port %s\n", lower);
	return false;
}

int
replay_port_open(struct replay_port *port, const char *lower, bool uso)
{
	*port = (struct replay_port){ .id = RTE_MAX_ETHPORTS };
	if (lower != NULL && !exists(lower))
		return -1;
	if (make_memory(port) == 0 && make_port(port, lower, uso) == 0)
		return 0;
	replay_port_close(port);
	return -1;
}

void
replay_port_close(struct replay_port *port)
{
	if (port->id != RTE_MAX_ETHPORTS) {
		rte_eth_dev_stop(port->id);
		rte_eal_hotplug_remove("vdev", NAME);
		if (port->ring != NULL)
			rte_eal_hotplug_remove("vdev", "net_ring_" RING_NAME);
	}
	rte_ring_free(port->ring);
	rte_mempool_free(port->pool);
}

uint64_t
replay_port_ns(const struct replay_port *port, const struct rte_mbuf *m)
{
	return *RTE_MBUF_DYNFIELD(m, port->ns_off, const uint64_t *);
}

/* A chain with room for `len` bytes, its lengths set. */
static struct rte_mbuf *
make_chain(struct rte_mempool *pool, uint32_t len)
{
	struct rte_mbuf *head = NULL, *m;
	uint32_t part;

	do {
		m = rte_pktmbuf_alloc(pool);
		if (m == NULL || (head != NULL && rte_pktmbuf_chain(head, m) != 0)) {
			rte_pktmbuf_free(m);
			rte_pktmbuf_free(head);
			return NULL;
		}
		if (head == NULL)
			head = m;
		part = RTE_MIN(len, rte_pktmbuf_tailroom(m));
		m->data_len = part;
		/* For the first one, this is its own length too. */
		head->pkt_len += part;
		len -= part;
	} while (len > 0);
	return head;
}

struct rte_mbuf *
replay_port_packet(const struct replay_port *port, const uint8_t *data, uint32_t len, uint64_t ns)
{
	struct rte_mbuf *m = make_chain(port->pool, len);

	if (m == NULL)
		return NULL;
	*RTE_MBUF_DYNFIELD(m, port->ns_off, uint64_t *) = ns;
	csum_mbuf_write(m, 0, data, len);
	return m;
}

static uint32_t
take_in(struct replay_port *port, replay_sink sink, void *arg)
{
	struct rte_mbuf *burst[BURST];
	unsigned int i, nb;

	nb = rte_ring_dequeue_burst(port->ring, (void **)burst, BURST, NULL);
	for (i = 0; i < nb; i++) {
		sink(arg, burst[i]);
		rte_pktmbuf_free(burst[i]);
	}
	return nb;
}

static uint64_t
nb_refused(const struct replay_port *port)
{
	struct rte_eth_stats stats;

	return rte_eth_stats_get(port->id, &stats) == 0 ? stats.oerrors : 0;
}

int
replay_port_send(struct replay_port *port, struct rte_mbuf *m, uint32_t nb_pieces,
		 replay_sink sink, void *arg)
{
	const uint64_t patience = rte_get_timer_hz() / 1000 * PATIENCE_MS;
	uint64_t since = rte_get_timer_cycles();
	uint64_t refused_before = port->nb_refused;
	uint16_t unsent = 1;
	uint32_t done = 0;
	uint32_t nb;

	/* Empty bursts push on what the port has kept back. */
	while (done < nb_pieces) {
		unsent -= rte_eth_tx_burst(port->id, 0, &m, unsent);
		nb = take_in(port, sink, arg);
		done += nb;
		if (nb != 0) {
			since = rte_get_timer_cycles();
			continue;
		}
		port->nb_refused = nb_refused(port);
		if (done == 0 && port->nb_refused != refused_before)
			return 0;
		if (rte_get_timer_cycles() - since > patience) {
			if (unsent != 0)
				rte_pktmbuf_free(m);
			return -1;
		}
	}
	return done == nb_pieces ? (int)done : -1;
}
