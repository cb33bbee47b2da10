/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <rte_lcore.h>
#include <rte_launch.h>
#include <rte_malloc.h>

#include "fwd.h"
#include "stats.h"

/* One thread that forwards, and its share of the streams. */
struct worker {
	unsigned int lcore;
	unsigned int first;      /* index of its first stream */
	unsigned int nb_streams;
};

static struct {
	const struct forward_params *params;
	const struct fwd_engine *engine;   /* for the next start */
	const struct fwd_engine *running;  /* of the streams as they are */
	struct fwd_stream *streams;
	unsigned int nb_streams;
	struct worker workers[RTE_MAX_LCORE];
	unsigned int nb_workers;
	pthread_t thread;                  /* when own_thread */
	bool own_thread;                   /* the EAL has no lcore but the main one */
	uint16_t burst;
	atomic_uint verbose;
	atomic_bool stop;
	bool is_running;
} fwd;

void
fwd_init(const struct forward_params *params)
{
	fwd.params = params;
	fwd.engine = engine_get(params->mode);
	fwd.running = fwd.engine;
	fwd.burst = params->burst;
}

void
fwd_set_engine(const struct fwd_engine *engine)
{
	fwd.engine = engine;
}

void
fwd_set_burst(uint16_t burst)
{
	fwd.burst = burst;
}

uint32_t
fwd_set_verbose(uint32_t level)
{
	return atomic_exchange(&fwd.verbose, level);
}

bool
fwd_is_running(void)
{
	return fwd.is_running;
}

bool
fwd_counts_checksums(void)
{
	return fwd.running == &engine_csum;
}

void
fwd_sum_counters(uint16_t port, bool rx, struct fwd_counters *sum)
{
	unsigned int i;

	*sum = (struct fwd_counters){ 0 };
	for (i = 0; i < fwd.nb_streams; i++) {
		const struct fwd_stream *stream = &fwd.streams[i];

		if ((rx ? stream->rx_port : stream->tx_port) != port)
			continue;
		sum->rx_packets += stream->counters.rx_packets;
		sum->tx_packets += stream->counters.tx_packets;
		sum->tx_dropped += stream->counters.tx_dropped;
		sum->bad_ip += stream->counters.bad_ip;
		sum->bad_l4 += stream->counters.bad_l4;
		sum->bad_outer_ip += stream->counters.bad_outer_ip;
		sum->bad_outer_l4 += stream->counters.bad_outer_l4;
	}
}

void
fwd_clear_counters(void)
{
	unsigned int i;

	for (i = 0; i < fwd.nb_streams; i++)
		fwd.streams[i].counters = (struct fwd_counters){ 0 };
}

/* The port that what came in by port number i goes out by; n ports in all. */
static unsigned int
tx_index(unsigned int i, unsigned int n)
{
	switch ((enum app_topology)fwd.params->topology) {
	case APP_TOPOLOGY_CHAINED:
		return (i + 1) % n;
	case APP_TOPOLOGY_LOOP:
		return i;
	case APP_TOPOLOGY_PAIRED:
		break;
	}
	/* An odd port out is its own partner. */
	return (i ^ 1) < n ? i ^ 1 : i;
}

/* Counters live as long as the number of streams stays. */
static int
make_streams(void)
{
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int nb_ports = ports_list(ids);
	unsigned int nb = nb_ports * ports_nb_queues();
	unsigned int i;

	if (nb != fwd.nb_streams) {
		rte_free(fwd.streams);
		fwd.nb_streams = 0;
		fwd.streams = rte_zmalloc("fwd_streams", sizeof(*fwd.streams) * nb,
					  RTE_CACHE_LINE_SIZE);
		if (fwd.streams == NULL && nb != 0)
			return -ENOMEM;
		fwd.nb_streams = nb;
	}
	for (i = 0; i < nb; i++) {
		struct fwd_stream *stream = &fwd.streams[i];

		stream->rx_port = ids[i % nb_ports];
		stream->tx_port = ids[tx_index(i % nb_ports, nb_ports)];
		stream->rx_queue = i / nb_ports;
		stream->tx_queue = i / nb_ports;
		stream->peer = stream->tx_port;
		stream->burst = fwd.burst;
		stream->tx = port_get(stream->tx_port);
		stream->verbose = &fwd.verbose;
	}
	return 0;
}

/* Shares the streams out as evenly as can be. */
static void
make_workers(void)
{
	unsigned int lcore = rte_get_main_lcore();
	unsigned int i, end;

	/* Asked now: our thread, once it runs, counts as an lcore. */
	fwd.own_thread = rte_lcore_count() == 1;
	fwd.nb_workers = RTE_MIN(RTE_MIN(fwd.params->nb_cores, fwd.nb_streams),
				 RTE_MAX(rte_lcore_count() - 1, 1u));
	for (i = 0; i < fwd.nb_workers; i++) {
		struct worker *worker = &fwd.workers[i];

		/* A thread of our own shares the main lcore's CPU. */
		if (!fwd.own_thread)
			lcore = rte_get_next_lcore(i == 0 ? -1u : lcore, 1, 0);
		end = (i + 1) * fwd.nb_streams / fwd.nb_workers;
		worker->lcore = lcore;
		worker->first = i * fwd.nb_streams / fwd.nb_workers;
		worker->nb_streams = end - worker->first;
	}
}

/* Lays out the next start; while forwarding, what runs stays as it is. */
static int
plan(void)
{
	if (fwd.is_running)
		return 0;
	if (make_streams() != 0) {
		fprintf(stderr, "Out of memory\n");
		return -ENOMEM;
	}
	make_workers();
	fwd.running = fwd.engine;
	return 0;
}

static int
run_worker(void *arg)
{
	const struct worker *worker = arg;
	struct fwd_stream *streams = &fwd.streams[worker->first];
	unsigned int i;

	while (!atomic_load_explicit(&fwd.stop, memory_order_relaxed)) {
		for (i = 0; i < worker->nb_streams; i++)
			fwd.running->forward(&streams[i]);
	}
	return 0;
}

static void *
run_thread(void *arg)
{
	/* As an lcore it has mempool caches; without that it is slower, not wrong. */
	(void)rte_thread_register();
	run_worker(arg);
	rte_thread_unregister();
	return NULL;
}

static void
join(void)
{
	unsigned int i;

	atomic_store(&fwd.stop, true);
	if (fwd.own_thread)
		pthread_join(fwd.thread, NULL);
	else
		for (i = 0; i < fwd.nb_workers; i++)
			rte_eal_wait_lcore(fwd.workers[i].lcore);
}

/* On error nothing runs. */
static int
launch(void)
{
	unsigned int i;
	int ret;

	atomic_store(&fwd.stop, false);
	if (fwd.own_thread)
		return -pthread_create(&fwd.thread, NULL, run_thread, &fwd.workers[0]);
	for (i = 0; i < fwd.nb_workers; i++) {
		ret = rte_eal_remote_launch(run_worker, &fwd.workers[i], fwd.workers[i].lcore);
		if (ret != 0) {
			join();
			return ret;
		}
	}
	return 0;
}

/* Tells whether packets can be forwarded, and prints why not. */
static bool
can_start(void)
{
	uint16_t ids[RTE_MAX_ETHPORTS];

	if (fwd.is_running)
		fprintf(stderr, "Packet forwarding already started\n");
	else if (ports_list(ids) == 0)
		fprintf(stderr, "No ports to forward between\n");
	else if (!ports_all_started())
		fprintf(stderr, "Not all ports were started\n");
	else
		return true;
	return false;
}

void
fwd_start(void)
{
	int ret;

	if (!can_start() || plan() != 0)
		return;
	if (!fwd.params->no_flush_rx)
		ports_flush_rx();
	fwd_show_config();
	stats_clear_forward();
	ret = launch();
	if (ret != 0)
		fprintf(stderr, "Cannot launch forwarding: %s\n", strerror(-ret));
	fwd.is_running = ret == 0;
}

void
fwd_stop(void)
{
	if (!fwd.is_running) {
		fprintf(stderr, "Packet forwarding not started\n");
		return;
	}
	printf("Telling cores to stop...\nWaiting for lcores to finish...\n");
	join();
	fwd.is_running = false;
	stats_show_forward();
	printf("\nDone.\n");
}

static void
show_stream(const struct fwd_stream *stream)
{
	struct rte_ether_addr peer = stream_peer_addr(stream);
	char addr[RTE_ETHER_ADDR_FMT_SIZE];

	rte_ether_format_addr(addr, sizeof(addr), &peer);
	printf("  RX P=%u/Q=%u (socket %u) -> TX P=%u/Q=%u (socket %u) peer=%s\n",
	       stream->rx_port, stream->rx_queue, port_socket(stream->rx_port),
	       stream->tx_port, stream->tx_queue, port_socket(stream->tx_port), addr);
}

void
fwd_show_config(void)
{
	uint16_t ids[RTE_MAX_ETHPORTS];
	unsigned int i, s;

	if (plan() != 0)
		return;
	printf("%s packet forwarding - ports=%u - cores=%u - streams=%u - NUMA support enabled, "
	       "MP allocation mode: native\n", fwd.running->name, ports_list(ids), fwd.nb_workers,
	       fwd.nb_streams);
	for (i = 0; i < fwd.nb_workers; i++) {
		const struct worker *worker = &fwd.workers[i];

		printf("Logical Core %u (socket %u) forwards packets on %u streams:\n",
		       worker->lcore, rte_lcore_to_socket_id(worker->lcore), worker->nb_streams);
		for (s = 0; s < worker->nb_streams; s++)
			show_stream(&fwd.streams[worker->first + s]);
	}
	printf("\n");
}
