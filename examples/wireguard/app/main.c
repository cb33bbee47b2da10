/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * wireguard [EAL options] -- --config FILE --address A/BITS [options]
 *
 * A WireGuard endpoint on DPDK: a TUN device inside, a port outside, one thread between them.
 */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>

#include "loop.h"
#include "options.h"

#define IPV6_MORE    20 /* bytes that its header is longer than IPv4's */
#define DEFAULT_MTU  1420
#define DEFAULT_PORT 51820
#define NB_MBUFS     8191 /* in the port's rings and in bursts; held ones are added */
#define POOL_CACHE   256

struct endpoint {
	struct counters counters;
	struct wg_device *dev;
	struct port port;
	struct tun tun;
	struct outer outer;
	struct inside in;
	struct outside out;
};

static volatile sig_atomic_t stop, report;

static void
on_signal(int number)
{
	if (number == SIGUSR1)
		report = 1;
	else
		stop = 1;
}

static void
catch_signals(void)
{
	const int numbers[] = { SIGINT, SIGTERM, SIGUSR1 };
	const struct sigaction action = { .sa_handler = on_signal };
	unsigned int i;

	for (i = 0; i < RTE_DIM(numbers); i++)
		sigaction(numbers[i], &action, NULL);
}

static struct wg_device *
device_new(const struct options *options, const struct wg_config *config)
{
	struct wg_now now = loop_now(options->clock_rate);
	struct wg_device *dev;

	dev = wg_device_new(config, options->null_cipher ? WG_DEVICE_NULL_CIPHER : 0, &now);
	if (dev == NULL)
		rte_exit(EXIT_FAILURE, "cannot make the device: %s\n", strerror(errno));
	return dev;
}

/* The MTU of the TUN device. A segment of that length must go through the port. */
static uint16_t
choose_mtu(const struct options *options, const struct wg_config *config)
{
	uint16_t mtu = options->mtu != 0 ? options->mtu :
		       config->mtu != 0 ? config->mtu : DEFAULT_MTU;
	bool v6 = options->net[1].address.addr.len != 0;
	unsigned int around = OUTER_MAX_LEN - RTE_ETHER_HDR_LEN - (v6 ? 0 : IPV6_MORE) +
			      WG_HEADER_LEN + WG_TAG_LEN;
	uint16_t port_mtu;

	if (mtu < TUN_MTU_MIN || mtu > TUN_MTU_MAX)
		rte_exit(EXIT_FAILURE, "MTU %u: not from %u to %u\n", mtu, TUN_MTU_MIN,
			 TUN_MTU_MAX);
	if (rte_eth_dev_get_mtu(options->port_id, &port_mtu) == 0 && mtu + around > port_mtu)
		rte_exit(EXIT_FAILURE, "MTU %u: with %u bytes around it, it is above that of port "
			 "%u, which is %u\n", mtu, around, options->port_id, port_mtu);
	return mtu;
}

static struct rte_mempool *
pool_new(const struct tun *tun, unsigned int nb_peers)
{
	unsigned int nb = NB_MBUFS + INSIDE_HELD * nb_peers;
	uint16_t room = RTE_PKTMBUF_HEADROOM + tun->mtu + WG_PAD_MAX + WG_TAG_LEN;
	struct rte_mempool *pool;

	pool = rte_pktmbuf_pool_create("packets", nb, POOL_CACHE, 0,
		RTE_MAX(room, RTE_MBUF_DEFAULT_BUF_SIZE), SOCKET_ID_ANY);
	if (pool == NULL)
		rte_exit(EXIT_FAILURE, "no memory for %u mbufs\n", nb);
	return pool;
}

/* The port, and the outer network behind it. */
static void
port_open(struct endpoint *end, const struct options *options, const struct wg_config *config)
{
	struct outer *outer = &end->outer;
	int ret;

	end->port.id = options->port_id;
	ret = port_start(&end->port, end->tun.pool);
	if (ret != 0)
		rte_exit(EXIT_FAILURE, "port %u: %s\n", end->port.id, rte_strerror(-ret));
	memcpy(outer->net, options->net, sizeof(outer->net));
	outer->port_id = end->port.id;
	outer->listen_port = config->listen_port != 0 ? config->listen_port : DEFAULT_PORT;
	outer->tx_offloads = end->port.tx_offloads;
	outer->counters = &end->counters;
	outer_open(outer, end->tun.pool);
}

static void
endpoint_open(struct endpoint *end, const struct options *options, const struct wg_config *config)
{
	struct tun *tun = &end->tun;
	char error[256];

	end->dev = device_new(options, config);
	tun->counters = &end->counters;
	tun->mtu = choose_mtu(options, config);
	tun->pool = pool_new(tun, config->nb_peers);
	port_open(end, options, config);
	if (!tun_open(tun, options->tun, config->address, config->nb_address, error,
		      sizeof(error)))
		rte_exit(EXIT_FAILURE, "%s\n", error);
	end->in = (struct inside) {
		.dev = end->dev, .tun = tun, .outer = &end->outer, .counters = &end->counters,
		.break_nth = options->break_nth,
	};
	end->out = (struct outside) {
		.dev = end->dev, .tun = tun, .outer = &end->outer, .inside = &end->in,
		.counters = &end->counters, .coalesce = options->coalesce,
	};
	if (!inside_open(&end->in))
		rte_exit(EXIT_FAILURE, "no memory for %u peers\n", config->nb_peers);
	printf("%s: MTU %u, port %u, UDP port %u\n", options->tun, tun->mtu, end->port.id,
		end->outer.listen_port);
	fflush(stdout);
}

static void
endpoint_close(struct endpoint *end)
{
	inside_close(&end->in);
	outer_close(&end->outer);
	tun_close(&end->tun);
	port_stop(&end->port);
	rte_mempool_free(end->tun.pool);
	wg_device_free(end->dev);
}

static void
run(const struct options *options, const struct wg_config *config)
{
	static struct endpoint end;
	const struct loop loop = {
		.inside = &end.in, .outside = &end.out, .port = &end.port,
		.clock_rate = options->clock_rate, .stop = &stop, .report = &report,
	};

	endpoint_open(&end, options, config);
	loop_run(&loop);
	counters_print(&end.counters, end.dev, stdout);
	endpoint_close(&end);
}

int
main(int argc, char **argv)
{
	int nb_eal = rte_eal_init(argc, argv);
	struct options options;
	struct wg_config config;
	char error[256];

	if (nb_eal < 0)
		rte_exit(EXIT_FAILURE, "cannot start the EAL: %s\n", rte_strerror(rte_errno));
	if (options_parse(&options, argc - nb_eal, argv + nb_eal)) {
		if (wg_config_read(&config, options.config, error, sizeof(error)) != 0)
			rte_exit(EXIT_FAILURE, "%s\n", error);
		catch_signals();
		run(&options, &config);
		wg_config_free(&config);
	}
	return rte_eal_cleanup() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
