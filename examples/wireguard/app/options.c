/* SPDX-License-Identifier: BSD-3-Clause */

#include <arpa/inet.h>
#include <getopt.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_debug.h>
#include <rte_ethdev.h>

#include "options.h"
#include "tun.h"

#define CLOCK_MAX 1000
#define BREAK_MAX 1000000

static const char usage[] =
	"usage: wireguard [EAL options] -- --config FILE --address A/BITS [options]\n"
	"\n"
	"  --config FILE      as wg(8) knows it; \"-\" is standard input\n"
	"  --address A/BITS   ours in the outer network; one for IPv4 and one for IPv6\n"
	"  --gateway A        next hop for what is not in that network; the same\n"
	"  --port N           DPDK port (the first one)\n"
	"  --tun NAME         TUN device that is made (wg0)\n"
	"  --mtu N            its MTU (as in the file, or 1420)\n"
	"  --no-coalesce      give the stack each TCP segment by itself\n"
	"To measure and to test with:\n"
	"  --null-cipher      do not encrypt; both ends must agree\n"
	"  --break N          make one checksum in N segments wrong\n"
	"  --clock-rate N     let the protocol's time go N times as fast\n"
	"\n"
	"SIGUSR1 prints the counters, SIGINT and SIGTERM end the program.\n";

static void
refuse(const char *option, const char *value, const char *why)
{
	rte_exit(EXIT_FAILURE, "--%s %s: %s\n", option, value, why);
}

static unsigned int
number(const char *option, unsigned long min, unsigned long max)
{
	char why[64], *end;
	unsigned long value = strtoul(optarg, &end, 10);

	if (end == optarg || *end != '\0' || value < min || value > max) {
		snprintf(why, sizeof(why), "not a number from %lu to %lu", min, max);
		refuse(option, optarg, why);
	}
	return (unsigned int)value;
}

/* 0: it is none. */
static uint8_t
parse_addr(struct wg_addr *addr, const char *text)
{
	*addr = (struct wg_addr) { 0 };
	if (inet_pton(AF_INET, text, addr->bytes) == 1)
		addr->len = 4;
	else if (inet_pton(AF_INET6, text, addr->bytes) == 1)
		addr->len = 16;
	return addr->len;
}

static void
take_address(struct options *options, const char *name)
{
	char text[INET6_ADDRSTRLEN], *end;
	const char *slash = strchr(optarg, '/');
	struct wg_prefix prefix;
	unsigned long bits;

	if (slash == NULL || (size_t)(slash - optarg) >= sizeof(text))
		refuse(name, optarg, "not ADDRESS/BITS");
	snprintf(text, sizeof(text), "%.*s", (int)(slash - optarg), optarg);
	bits = strtoul(slash + 1, &end, 10);
	if (parse_addr(&prefix.addr, text) == 0 || end == slash + 1 || *end != '\0' ||
	    bits > prefix.addr.len * 8u)
		refuse(name, optarg, "not ADDRESS/BITS");
	prefix.bits = (uint8_t)bits;
	if (options->net[prefix.addr.len == 16].address.addr.len != 0)
		refuse(name, optarg, "there is one of that kind already");
	options->net[prefix.addr.len == 16].address = prefix;
}

static void
take_gateway(struct options *options, const char *name)
{
	struct wg_addr addr;

	if (parse_addr(&addr, optarg) == 0)
		refuse(name, optarg, "not an address");
	if (options->net[addr.len == 16].gateway.len != 0)
		refuse(name, optarg, "there is one of that kind already");
	options->net[addr.len == 16].gateway = addr;
}

static void
check(const struct options *options)
{
	unsigned int v6;

	if (options->config == NULL)
		rte_exit(EXIT_FAILURE, "--config is missing\n%s", usage);
	if (options->net[0].address.addr.len == 0 && options->net[1].address.addr.len == 0)
		rte_exit(EXIT_FAILURE, "--address is missing\n%s", usage);
	for (v6 = 0; v6 < 2; v6++)
		if (options->net[v6].gateway.len != 0 && options->net[v6].address.addr.len == 0)
			rte_exit(EXIT_FAILURE, "--gateway: no --address of its kind\n");
	if (strlen(options->tun) >= IFNAMSIZ)
		refuse("tun", options->tun, "too long for a device's name");
	if (!rte_eth_dev_is_valid_port(options->port_id))
		rte_exit(EXIT_FAILURE, "no port %u: name one with -a or --vdev\n",
			 options->port_id);
}

static void
take(struct options *options, int option, const char *name)
{
	switch (option) {
	case 'c':
		options->config = optarg;
		break;
	case 't':
		options->tun = optarg;
		break;
	case 'p':
		options->port_id = (uint16_t)number(name, 0, RTE_MAX_ETHPORTS - 1);
		break;
	case 'a':
		take_address(options, name);
		break;
	case 'g':
		take_gateway(options, name);
		break;
	case 'm':
		options->mtu = (uint16_t)number(name, TUN_MTU_MIN, TUN_MTU_MAX);
		break;
	case 'C':
		options->coalesce = false;
		break;
	case 'n':
		options->null_cipher = true;
		break;
	case 'b':
		options->break_nth = number(name, 1, BREAK_MAX);
		break;
	case 'r':
		options->clock_rate = number(name, 1, CLOCK_MAX);
		break;
	default:
		rte_exit(EXIT_FAILURE, "%s", usage);
	}
}

bool
options_parse(struct options *options, int argc, char **argv)
{
	static const struct option known[] = {
		{ "config", required_argument, NULL, 'c' },
		{ "tun", required_argument, NULL, 't' },
		{ "port", required_argument, NULL, 'p' },
		{ "address", required_argument, NULL, 'a' },
		{ "gateway", required_argument, NULL, 'g' },
		{ "mtu", required_argument, NULL, 'm' },
		{ "no-coalesce", no_argument, NULL, 'C' },
		{ "null-cipher", no_argument, NULL, 'n' },
		{ "break", required_argument, NULL, 'b' },
		{ "clock-rate", required_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int option, index = 0;

	*options = (struct options) {
		.tun = "wg0", .coalesce = true, .clock_rate = 1,
		.port_id = (uint16_t)rte_eth_find_next(0),
	};
	while ((option = getopt_long(argc, argv, "", known, &index)) != -1) {
		if (option == 'h') {
			fputs(usage, stdout);
			return false;
		}
		take(options, option, known[index].name);
	}
	if (optind < argc)
		rte_exit(EXIT_FAILURE, "'%s' is no option\n%s", argv[optind], usage);
	check(options);
	return true;
}
