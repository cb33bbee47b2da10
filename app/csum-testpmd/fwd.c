/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <rte_lcore.h>
#include <rte_launch.h>

#include "fwd.h"
#include "fwd_show.h"
#include "input.h"
#include "layout.h"
#include "stats.h"

static struct {
	const struct forward_params *params;
	struct rte_mempool *pool;
	struct fwd_settings settings;      /* for the next start */
	struct fwd_settings running;       /* of the streams as they are */
	struct streams streams;
	struct traffic traffic;            /* of the streams as they are */
	pthread_t thread;                  /* where there is no lcore but the main one */
	atomic_uint verbose;
	atomic_bool stop;
	bool is_running;
} fwd;

void
fwd_init(const struct forward_params *params, struct rte_mempool *pool)
{
	fwd.params = params;
	fwd.pool = pool;
	fwd.settings = (struct fwd_settings){
		.engine = engine_get(params->mode),
		.burst = params->burst,
		.retry = { .nb = 64, .delay_us = 1 },
	};
	fwd.running = fwd.settings;
}

void
fwd_set_engine(const struct fwd_engine *engine, bool retry)
{
	fwd.settings.engine = engine;
	fwd.settings.retries = retry;
}

void
fwd_set_retry(const struct fwd_retry *retry)
{
	fwd.settings.retry = *retry;
}

void
fwd_set_burst(uint16_t burst)
{
	fwd.settings.burst = burst;
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
	return fwd.running.engine == &engine_csum;
}

const struct streams *
fwd_streams(void)
{
	return &fwd.streams;
}

void
fwd_sum_counters(uint16_t port, bool rx, struct fwd_counters *sum)
{
	unsigned int i;

	*sum = (struct fwd_counters){ 0 };
	for (i = 0; i < fwd.streams.nb; i++) {
		const struct fwd_stream *stream = &fwd.streams.stream[i];

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

	for (i = 0; i < fwd.streams.nb; i++)
		fwd.streams.stream[i].counters = (struct fwd_counters){ 0 };
}

/* Lays out the next start; while forwarding, what runs stays as it is. */
static int
plan(void)
{
	const struct fwd_settings *settings = &fwd.settings;
	unsigned int i;

	if (fwd.is_running)
		return 0;
	if (streams_lay_out(&fwd.streams, fwd.params->topology, settings->engine->echo) != 0) {
		fprintf(stderr, "Out of memory\n");
		return -ENOMEM;
	}
	fwd.running = *settings;
	fwd.traffic = *traffic_get();
	for (i = 0; i < fwd.streams.nb; i++) {
		struct fwd_stream *stream = &fwd.streams.stream[i];

		stream->burst = settings->burst;
		stream->pool = fwd.pool;
		stream->traffic = &fwd.traffic;
		stream->verbose = &fwd.verbose;
		stream->stop = &fwd.stop;
		stream->retry = settings->retries ? settings->retry : (struct fwd_retry){ 0 };
	}
	return 0;
}

static int
run_worker(void *arg)
{
	const struct worker *worker = arg;
	struct fwd_stream *streams = &fwd.streams.stream[worker->first];
	unsigned int i;

	/* Once at least, however soon the stop comes. */
	do {
		for (i = 0; i < worker->nb_streams; i++)
			fwd.running.engine->forward(&streams[i]);
	} while (!atomic_load_explicit(&fwd.stop, memory_order_relaxed));
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
	if (layout_needs_thread())
		pthread_join(fwd.thread, NULL);
	else
		for (i = 0; i < fwd.streams.nb_workers; i++)
			rte_eal_wait_lcore(fwd.streams.worker[i].lcore);
}

/* On error nothing runs. */
static int
launch(void)
{
	struct worker *worker = fwd.streams.worker;
	unsigned int i;
	int ret;

	if (layout_needs_thread())
		return -pthread_create(&fwd.thread, NULL, run_thread, &worker[0]);
	for (i = 0; i < fwd.streams.nb_workers; i++) {
		ret = rte_eal_remote_launch(run_worker, &worker[i], worker[i].lcore);
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
	else if (layout_ports(ids) == 0)
		fprintf(stderr, "No ports to forward between\n");
	else if (!ports_all_started())
		fprintf(stderr, "Not all ports were started\n");
	else
		return true;
	return false;
}

/* Ends the first so many streams. */
static void
end(unsigned int nb)
{
	unsigned int i;

	for (i = 0; i < nb && fwd.running.engine->end != NULL; i++)
		fwd.running.engine->end(&fwd.streams.stream[i]);
}

static int
begin(void)
{
	unsigned int i;

	if (fwd.running.engine->begin == NULL)
		return 0;
	for (i = 0; i < fwd.streams.nb; i++) {
		if (fwd.running.engine->begin(&fwd.streams.stream[i]) == 0)
			continue;
		fprintf(stderr, "Packet forwarding is not ready\n");
		end(i);
		return -1;
	}
	return 0;
}

/* Each stream sends its first bursts, all or until a signal comes. The lcores do not run yet. */
static void
send_first(uint32_t nb_bursts)
{
	unsigned int i;

	while (nb_bursts-- > 0 && input_wait(false, 0) != INPUT_SIGNAL) {
		for (i = 0; i < fwd.streams.nb; i++)
			engine_txonly.forward(&fwd.streams.stream[i]);
	}
}

void
fwd_start(uint32_t tx_first)
{
	int ret;

	if (!can_start() || plan() != 0)
		return;
	fwd_show_config();
	if (begin() != 0)
		return;
	if (!fwd.params->no_flush_rx)
		ports_flush_rx();
	fwd_show_rxtx();
	stats_clear_forward();
	atomic_store(&fwd.stop, false);
	send_first(tx_first);
	ret = launch();
	fwd.is_running = ret == 0;
	if (ret != 0) {
		fprintf(stderr, "Cannot launch forwarding: %s\n", strerror(-ret));
		end(fwd.streams.nb);
	}
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
	end(fwd.streams.nb);
	fwd.is_running = false;
	stats_show_forward();
	printf("\nDone.\n");
}

void
fwd_show_config(void)
{
	if (plan() == 0)
		fwd_show_streams(&fwd.running, &fwd.streams);
}

void
fwd_show_rxtx(void)
{
	fwd_show_settings(&fwd.settings, traffic_get());
}
