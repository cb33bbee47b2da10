/* SPDX-License-Identifier: BSD-3-Clause */

#include <ctype.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
#define POOL_CACHE 256
/* A port that has delivered nothing for so long has given up. */
#define PATIENCE_MS 2000
#define PCI_DOMAIN_0 "0000:"

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
	port->pool = rte_pktmbuf_pool_create(RING_NAME, POOL_SIZE, POOL_CACHE, 0,
					     RTE_MBUF_DEFAULT_BUF_SIZE, rte_socket_id());
	return port->pool != NULL ? 0 : fail("create the mbuf pool");
}

static int
make_ring(struct replay_port *port)
{
	int id;

	/* The driver may send from a thread of its own too: several producers. */
	port->ring = rte_ring_create(RING_NAME, RING_SIZE, rte_socket_id(), RING_F_SC_DEQ);
	if (port->ring == NULL)
		return fail("create the ring");
	id = rte_eth_from_ring(port->ring);
	if (id < 0)
		return fail("make a port of the ring");
	port->lower = (uint16_t)id;
	return 0;
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
make_port(struct replay_port *port, bool uso)
{
	char args[64];

	snprintf(args, sizeof(args), "lower=%u,udp_seg=%s", port->lower, uso ? "uso" : "ufo");
	if (rte_eal_hotplug_add("vdev", NAME, args) != 0)
		return fail("create the " NAME " port");
	if (rte_eth_dev_get_port_by_name(NAME, &port->id) != 0)
		return fail("find the " NAME " port");
	return start(port->id, port->pool) == 0 ? 0 : fail("start the " NAME " port");
}

/* Whether a port is on the device of that name: a PCI address, without its domain perhaps. */
static bool
is_on_device(uint16_t id, const char *name)
{
	struct rte_eth_dev_info info;
	const char *device;

	if (rte_eth_dev_info_get(id, &info) != 0 || info.device == NULL)
		return false;
	device = rte_dev_name(info.device);
	return strcmp(device, name) == 0 ||
	       (strncmp(device, PCI_DOMAIN_0, strlen(PCI_DOMAIN_0)) == 0 &&
		strcmp(device + strlen(PCI_DOMAIN_0), name) == 0);
}

/* The only port on a device; RTE_MAX_ETHPORTS for none or several. */
static uint16_t
find_on_device(const char *name)
{
	uint16_t found = RTE_MAX_ETHPORTS;
	uint16_t id;

	RTE_ETH_FOREACH_DEV(id) {
		if (!is_on_device(id, name))
			continue;
		if (found != RTE_MAX_ETHPORTS) {
			fprintf(stderr, "replay: %s has several ports: name one of them\n", name);
			return RTE_MAX_ETHPORTS;
		}
		found = id;
	}
	if (found == RTE_MAX_ETHPORTS)
		fprintf(stderr, "replay: there is no port %s\n", name);
	return found;
}

/* The driver would wait for a port that is not there. Returns RTE_MAX_ETHPORTS then. */
static uint16_t
find_port(const char *name)
{
	char *end;
	uint16_t id;
	unsigned long n = strtoul(name, &end, 10);

	if (isdigit((unsigned char)name[0]) && *end == '\0' && n < RTE_MAX_ETHPORTS &&
	    rte_eth_dev_is_valid_port((uint16_t)n))
		return (uint16_t)n;
	if (rte_eth_dev_get_port_by_name(name, &id) == 0)
		return id;
	return find_on_device(name);
}

int
replay_port_open(struct replay_port *port, const char *lower, bool uso)
{
	*port = (struct replay_port){ .id = RTE_MAX_ETHPORTS, .lower = RTE_MAX_ETHPORTS };
	if (lower != NULL) {
		port->lower = find_port(lower);
		if (port->lower == RTE_MAX_ETHPORTS)
			return -1;
	}
	if (make_memory(port) == 0 && (lower != NULL || make_ring(port) == 0) &&
	    make_port(port, uso) == 0)
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
	}
	/* Its Rx queues may hold mbufs of the pool. */
	if (port->ring != NULL)
		rte_eal_hotplug_remove("vdev", "net_ring_" RING_NAME);
	else if (port->lower != RTE_MAX_ETHPORTS)
		rte_eth_dev_close(port->lower);
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
