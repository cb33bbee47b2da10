/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <rte_common.h>
#include <rte_ether.h>
#include <rte_mbuf.h>
#include <rte_version.h>

#include "colour.h"
#include "engines.h"
#include "layout.h"
#include "parameters.h"
#include "traffic.h"

#define FORWARD  (1u << APP_JOB_FORWARD)
#define VALIDATE (1u << APP_JOB_VALIDATE)
#define REPLAY   (1u << APP_JOB_REPLAY)
#define ANY_JOB  (FORWARD | VALIDATE | REPLAY)

#define PLACE(field) .place = offsetof(struct parameters, field)
#define FLAG(option, field) .name = option, .kind = OPTION_FLAG, PLACE(field)
#define STRING(option, argument, field) \
	.name = option, .arg = argument, .kind = OPTION_STRING, PLACE(field)
#define NUMBER(option, argument, field, from, to) \
	.name = option, .arg = argument, .kind = OPTION_NUMBER, PLACE(field), \
	.min = from, .max = to
#define MASK(option, argument, field) \
	.name = option, .arg = argument, .kind = OPTION_MASK, PLACE(field)
#define CHOICE(option, argument, field, list) \
	.name = option, .arg = argument, .kind = OPTION_CHOICE, PLACE(field), .words = list

static const char *const topologies[] = {
	[APP_TOPOLOGY_PAIRED] = "paired",
	[APP_TOPOLOGY_CHAINED] = "chained",
	[APP_TOPOLOGY_LOOP] = "loop",
	NULL,
};

static const char *const judge_words[] = {
	[REPLAY_JUDGE_ON] = "on",
	[REPLAY_JUDGE_OFF] = "off",
	NULL,
};

static const char *const color_words[] = {
	[COLOUR_AUTO] = "auto",
	[COLOUR_ALWAYS] = "always",
	[COLOUR_NEVER] = "never",
	NULL,
};

static const struct option_spec specs[] = {
	{ STRING("validate", "FILE", validate.file), .jobs = VALIDATE,
	  .help = "judge every checksum of a capture" },
	{ FLAG("per-packet", validate.per_packet), .jobs = VALIDATE,
	  .help = "one tab-separated line a packet, in place of the table" },
	{ NUMBER("explain", "N", validate.explain, 1, UINT32_MAX), .jobs = VALIDATE,
	  .help = "show packet N: its layers, checksums and bytes" },
	{ STRING("diff", "OTHER", validate.other), .jobs = VALIDATE,
	  .help = "compare with another capture of the same packets" },
	{ STRING("replay", "FILE", replay.file), .jobs = REPLAY,
	  .help = "send a capture through a net_soft_csum port" },
	{ STRING("write", "OUT", replay.out), .jobs = REPLAY,
	  .help = "where to write what comes out (OUT.pcapng: as pcapng)" },
	{ NUMBER("mtu", "N", replay.mtu, 68, UINT16_MAX), .jobs = REPLAY,
	  .help = "bytes of the outermost IP packet (1500)" },
	{ NUMBER("segsz", "N", replay.segsz, 1, UINT16_MAX), .jobs = REPLAY,
	  .help = "TCP payload bytes a segment (as the MTU allows)" },
	{ NUMBER("uso", "N", replay.uso, 1, UINT16_MAX), .jobs = REPLAY,
	  .help = "cut oversize UDP into datagrams of N payload bytes" },
	{ FLAG("force", replay.force), .jobs = REPLAY,
	  .help = "overwrite OUT if it exists" },
	{ FLAG("drop-refused", replay.drop_refused), .jobs = REPLAY,
	  .help = "leave out what can be neither cut nor fixed" },
	{ FLAG("fix-only", replay.fix_only), .jobs = REPLAY,
	  .help = "fill checksums, cut nothing" },
	{ FLAG("keep-bad", replay.keep_bad), .jobs = REPLAY,
	  .help = "fill partial checksums, leave bad ones" },
	{ CHOICE("judge", "WHEN", replay.judge, judge_words), .jobs = REPLAY,
	  .help = "on or off: have the reference judge packets (on)" },
	{ STRING("port", "PORT", replay.port), .jobs = REPLAY,
	  .help = "send to this port (name, PCI address, id); write nothing" },
	{ NUMBER("loop", "N", replay.loop, 1, UINT32_MAX), .jobs = REPLAY,
	  .help = "with --port: replay N times (1)" },
	{ .name = "speed", .arg = "X", .kind = OPTION_FACTOR, PLACE(replay.pace.speed),
	  .jobs = REPLAY, .help = "with --port: X times as fast as captured (1)" },
	{ NUMBER("pps", "N", replay.pace.pps, 1, UINT32_MAX), .jobs = REPLAY,
	  .help = "with --port: N packets a second" },
	{ NUMBER("mbps", "N", replay.pace.mbps, 1, UINT32_MAX), .jobs = REPLAY,
	  .help = "with --port: N Mbit a second" },
	{ FLAG("topspeed", replay.pace.topspeed), .jobs = REPLAY,
	  .help = "with --port: as fast as can be" },
	{ STRING("filter", "BPF", selection.filter), .jobs = VALIDATE | REPLAY,
	  .help = "packets that match alone, in tcpdump's language" },
	{ STRING("packets", "LIST", selection.packets), .jobs = VALIDATE | REPLAY,
	  .help = "packets of these numbers alone: 1-5,9,100-" },
	{ FLAG("quiet", quiet), .jobs = VALIDATE | REPLAY,
	  .help = "no report and no progress, just messages" },
	{ FLAG("json", json), .jobs = VALIDATE | REPLAY,
	  .help = "report as a JSON object" },
	{ FLAG("tsv", tsv), .jobs = VALIDATE | REPLAY,
	  .help = "report as lines of names and values, with tabs" },
	{ CHOICE("color", "WHEN", color, color_words), .jobs = VALIDATE | REPLAY,
	  .help = "auto (on a terminal), always or never" },
	{ FLAG("interactive", forward.interactive), .letter = 'i', .jobs = FORWARD,
	  .help = "prompt for commands; try help there" },
	{ FLAG("auto-start", forward.auto_start), .letter = 'a', .jobs = FORWARD,
	  .help = "with -i: start forwarding at once" },
	{ STRING("cmdline-file", "FILE", forward.cmdline_file), .jobs = FORWARD,
	  .help = "with -i: commands to run before the prompt" },
	{ CHOICE("forward-mode", "MODE", forward.mode, engine_names), .jobs = FORWARD,
	  .help = "io|mac|macswap|flowgen|rxonly|txonly|csum|icmpecho (io)" },
	{ CHOICE("port-topology", "T", forward.topology, topologies), .jobs = FORWARD,
	  .help = "paired, chained or loop (paired)" },
	{ NUMBER("stats-period", "SECONDS", forward.stats_period, 1, 86400), .jobs = FORWARD,
	  .help = "without -i: show port statistics that often" },
	{ NUMBER("nb-cores", "N", forward.nb_cores, 1, RTE_MAX_LCORE - 1), .jobs = FORWARD,
	  .help = "lcores that forward (1)" },
	{ NUMBER("nb-ports", "N", forward.nb_ports, 1, RTE_MAX_ETHPORTS), .jobs = FORWARD,
	  .help = "ports that forward (all)" },
	{ MASK("portmask", "MASK", forward.portmask), .jobs = FORWARD,
	  .help = "ports that forward, a bit each (all)" },
	{ .name = "eth-peer", .arg = "PORT,MAC", .kind = OPTION_LIST, PLACE(forward.eth_peers),
	  .jobs = FORWARD, .help = "address of a port's neighbour; as often as need be" },
	{ FLAG("tx-first", forward.tx_first), .jobs = FORWARD,
	  .help = "without -i: send a burst of packets to begin with" },
	{ STRING("txpkts", "LIST", forward.txpkts), .jobs = FORWARD,
	  .help = "bytes of each segment of packets made here (64)" },
	{ STRING("tx-ip", "SRC,DST", forward.tx_ip), .jobs = FORWARD,
	  .help = "their IPv4 addresses (198.18.0.1,198.18.0.2)" },
	{ STRING("tx-udp", "SRC[,DST]", forward.tx_udp), .jobs = FORWARD,
	  .help = "their UDP ports (9)" },
	{ NUMBER("flowgen-flows", "N", forward.flowgen_flows, 1, INT32_MAX), .jobs = FORWARD,
	  .help = "flows that flowgen makes (1024)" },
	{ NUMBER("rxq", "N", forward.nb_rxq, 1, RTE_MAX_QUEUES_PER_PORT), .jobs = FORWARD,
	  .help = "Rx queues a port (1)" },
	{ NUMBER("txq", "N", forward.nb_txq, 1, RTE_MAX_QUEUES_PER_PORT), .jobs = FORWARD,
	  .help = "Tx queues a port (1)" },
	{ NUMBER("rxd", "N", forward.nb_rxd, 1, UINT16_MAX), .jobs = FORWARD,
	  .help = "descriptors an Rx queue (the driver's choice)" },
	{ NUMBER("txd", "N", forward.nb_txd, 1, UINT16_MAX), .jobs = FORWARD,
	  .help = "descriptors a Tx queue (the driver's choice)" },
	{ NUMBER("burst", "N", forward.burst, 1, APP_MAX_BURST), .jobs = FORWARD,
	  .help = "packets a burst (32)" },
	{ NUMBER("mbuf-size", "BYTES", forward.mbuf_size, 256, UINT16_MAX), .jobs = FORWARD,
	  .help = "data room of an mbuf, headroom included (2176)" },
	{ NUMBER("total-num-mbufs", "N", forward.total_num_mbufs, 1024, 1u << 24),
	  .jobs = FORWARD, .help = "mbufs in the pool (8192)" },
	{ NUMBER("mbcache", "N", forward.mbuf_cache, 0, RTE_MEMPOOL_CACHE_MAX_SIZE),
	  .jobs = FORWARD, .help = "mbufs that an lcore keeps at hand (250)" },
	{ NUMBER("max-pkt-len", "BYTES", forward.max_pkt_len, RTE_ETHER_MIN_LEN, UINT16_MAX),
	  .jobs = FORWARD, .help = "longest frame, CRC included (the ports' choice)" },
	{ MASK("rx-offloads", "MASK", forward.rx_offloads), .jobs = FORWARD,
	  .help = "Rx offloads of all ports, RTE_ETH_RX_OFFLOAD_*" },
	{ MASK("tx-offloads", "MASK", forward.tx_offloads), .jobs = FORWARD,
	  .help = "Tx offloads of all ports, RTE_ETH_TX_OFFLOAD_*" },
	{ FLAG("enable-rx-cksum", forward.enable_rx_cksum), .jobs = FORWARD,
	  .help = "have ports verify IP, TCP and UDP checksums" },
	{ STRING("display-xstats", "NAMES", forward.display_xstats), .jobs = FORWARD,
	  .help = "xstats to show with port statistics: a,b,c" },
	{ NUMBER("rxpt", "N", forward.rx_ring.prefetch, 0, UINT8_MAX), .jobs = FORWARD },
	{ NUMBER("rxht", "N", forward.rx_ring.host, 0, UINT8_MAX), .jobs = FORWARD },
	{ NUMBER("rxwt", "N", forward.rx_ring.writeback, 0, UINT8_MAX), .jobs = FORWARD },
	{ NUMBER("rxfreet", "N", forward.rx_ring.free, 0, UINT16_MAX), .jobs = FORWARD },
	{ NUMBER("txpt", "N", forward.tx_ring.prefetch, 0, UINT8_MAX), .jobs = FORWARD },
	{ NUMBER("txht", "N", forward.tx_ring.host, 0, UINT8_MAX), .jobs = FORWARD },
	{ NUMBER("txwt", "N", forward.tx_ring.writeback, 0, UINT8_MAX), .jobs = FORWARD },
	{ NUMBER("txfreet", "N", forward.tx_ring.free, 0, UINT16_MAX), .jobs = FORWARD },
	{ NUMBER("txrst", "N", forward.tx_ring.rs, 0, UINT16_MAX), .jobs = FORWARD },
	{ FLAG("numa", forward.numa), .jobs = FORWARD },
	{ FLAG("no-numa", forward.numa), .jobs = FORWARD },
	{ FLAG("no-flush-rx", forward.no_flush_rx), .jobs = FORWARD,
	  .help = "keep what arrived before the start" },
	{ .name = "vdev", .arg = "DEVICE", .kind = OPTION_LIST, PLACE(vdevs),
	  .jobs = FORWARD | REPLAY,
	  .help = "create a virtual device; as often as need be" },
	{ FLAG("help", help), .letter = 'h', .jobs = ANY_JOB,
	  .help = "show the options that are needed most" },
	{ FLAG("help-all", help_all), .jobs = ANY_JOB,
	  .help = "show all options" },
	{ FLAG("version", version), .letter = 'v', .jobs = ANY_JOB,
	  .help = "show the version" },
};

/* One screen of 24 lines. */
static void
print_help(void)
{
	fputs("dpdk-csum-testpmd: judge, repair and replay captures, forward packets\n"
	      "\n"
	      "Judge every checksum in a capture (pcap or pcapng, gzip or not; - is stdin):\n"
	      "  dpdk-csum-testpmd --validate FILE\n"
	      "      --per-packet                a line for each packet\n"
	      "      --explain N, --diff OTHER   one packet; two captures\n"
	      "\n"
	      "Make it fit for the wire: cut super-packets, fill checksums:\n"
	      "  dpdk-csum-testpmd --replay FILE --write OUT\n"
	      "      --mtu N | --segsz N         how long packets may be (1500)\n"
	      "      --fix-only, --keep-bad      cut nothing; leave what was wrong on the wire\n"
	      "Send it:\n"
	      "  dpdk-csum-testpmd --replay FILE --port PORT --vdev net_af_packet0,iface=eth0\n"
	      "      --speed X | --pps N | --mbps N | --topspeed, --loop N\n"
	      "\n"
	      "With each: --filter BPF, --packets 1-5,9-, --json, --tsv, --quiet, --color WHEN\n"
	      "\n"
	      "Forward between ports, with dpdk-testpmd's options and commands:\n"
	      "  dpdk-csum-testpmd -i --vdev net_ring0 [OPTION]...\n"
	      "  dpdk-csum-testpmd EAL-OPTION... -- -i [OPTION]...\n"
	      "\n"
	      "All options: --help-all, or man dpdk-csum-testpmd. Exit status: 0 all is well,\n"
	      "1 something is bad, partial or refused, 2 wrong usage, or a file fails.\n",
	      stdout);
}

static void
print_help_all(void)
{
	static const struct {
		uint8_t jobs;
		const char *title;
	} groups[] = {
		{ VALIDATE, "Judge a capture" },
		{ REPLAY, "Replay a capture" },
		{ VALIDATE | REPLAY, "Both" },
		{ FORWARD | REPLAY, "Forward, and replay with --port" },
		{ FORWARD, "Forward between ports, as dpdk-testpmd does" },
		{ ANY_JOB, "General" },
	};
	unsigned int i;

	printf("usage: dpdk-csum-testpmd --validate FILE [--per-packet | --explain N |"
	       " --diff OTHER]\n"
	       "       dpdk-csum-testpmd --replay FILE --write OUT [--mtu N | --segsz N]\n"
	       "                         [--uso N] [--force] [--drop-refused] [--json]\n"
	       "       dpdk-csum-testpmd --replay FILE --port PORT [--vdev DEVICE]... [OPTION]...\n"
	       "       dpdk-csum-testpmd [--vdev DEVICE]... [-i] [OPTION]...\n"
	       "       dpdk-csum-testpmd EAL-OPTION... -- [any of the above but --vdev]\n");
	for (i = 0; i < RTE_DIM(groups); i++) {
		printf("\n%s:\n", groups[i].title);
		options_print(specs, RTE_DIM(specs), groups[i].jobs);
	}
	printf("\nExit status: 0 all is well; 1 a checksum is bad or partial, or a packet was\n"
	       "refused; 2 the command line is wrong, or a file could not be read or written.\n");
}

static void
set_defaults(struct parameters *params)
{
	*params = (struct parameters){
		.job = APP_JOB_FORWARD,
		.forward = {
			.nb_rxq = 1,
			.nb_txq = 1,
			.burst = 32,
			.nb_cores = 1,
			.flowgen_flows = 1024,
			.mbuf_size = RTE_MBUF_DEFAULT_BUF_SIZE,
			.total_num_mbufs = 8192,
			.mbuf_cache = 250,
		},
	};
}

static int
settle_validate(const struct validate_params *validate)
{
	const struct selection_params *selection = &validate->selection;
	const char *shown = validate->explain != 0 ? "explain" :
			    validate->other != NULL ? "diff" : NULL;

	if (shown == NULL)
		return 0;
	if (validate->format != REPORT_TABLE || validate->per_packet) {
		fprintf(stderr, "--%s is for people: no --json, --tsv or --per-packet\n", shown);
		return -EINVAL;
	}
	if (selection->packets != NULL || selection->filter != NULL ||
	    (validate->explain != 0 && validate->other != NULL)) {
		fprintf(stderr, "--%s stands alone: no --packets, --filter or the like\n", shown);
		return -EINVAL;
	}
	return 0;
}

/* An option of those that only a port gives a sense; NULL if none is given. */
static const char *
port_only(const struct replay_params *replay)
{
	return replay->loop != 0 ? "loop" : replay->pace.speed != 0 ? "speed" :
	       replay->pace.pps != 0 ? "pps" : replay->pace.mbps != 0 ? "mbps" :
	       replay->pace.topspeed ? "topspeed" : NULL;
}

/* An option of those that only a file gives a sense; NULL if none is given. */
static const char *
file_only(const struct replay_params *replay)
{
	return replay->force ? "force" : replay->drop_refused ? "drop-refused" : NULL;
}

/* Returns what is wrong with the options of a replay taken together, NULL if nothing. */
static const char *
replay_contradiction(const struct replay_params *replay)
{
	const struct pace_params *pace = &replay->pace;

	if (replay->out == NULL && replay->port == NULL)
		return "--replay needs --write OUT, or --port PORT";
	if (replay->out != NULL && replay->port != NULL)
		return "--port cannot be used with --write";
	if (replay->mtu != 0 && replay->segsz != 0)
		return "--segsz cannot be used with --mtu";
	if (replay->fix_only && (replay->mtu != 0 || replay->segsz != 0 || replay->uso != 0))
		return "--fix-only cuts nothing: no --mtu, --segsz or --uso";
	if ((pace->speed != 0) + (pace->pps != 0) + (pace->mbps != 0) + pace->topspeed > 1)
		return "--speed, --pps, --mbps and --topspeed exclude each other";
	if (replay->loop > 1 && strcmp(replay->file, "-") == 0)
		return "--loop cannot be used with standard input";
	return NULL;
}

static int
settle_replay(struct replay_params *replay, unsigned int nb_vdevs)
{
	const char *wrong = replay_contradiction(replay);
	const char *option = nb_vdevs != 0 ? "vdev" : port_only(replay);

	if (wrong != NULL) {
		fprintf(stderr, "%s\n", wrong);
		return -EINVAL;
	}
	if (option != NULL && replay->port == NULL) {
		fprintf(stderr, "--%s needs --port PORT\n", option);
		return -EINVAL;
	}
	option = file_only(replay);
	if (option != NULL && replay->out == NULL) {
		fprintf(stderr, "--%s needs --write OUT\n", option);
		return -EINVAL;
	}
	if (replay->mtu == 0)
		replay->mtu = 1500;
	if (replay->loop == 0)
		replay->loop = 1;
	return 0;
}

static enum report_format
format_of(const struct parameters *params)
{
	return params->json ? REPORT_JSON : params->tsv ? REPORT_TSV : REPORT_TABLE;
}

static int
settle_forward(const struct forward_params *forward)
{
	if (forward->tx_first && forward->interactive) {
		fprintf(stderr, "--tx-first cannot be used with -i: there is start tx_first\n");
		return -EINVAL;
	}
	if (layout_parse(forward) != 0 || traffic_parse(forward) != 0)
		return -EINVAL;
	return 0;
}

/* Finds the job from the options given; an option without its job is an error. */
static int
settle_job(const struct options_given *given, struct parameters *params)
{
	uint8_t jobs = options_common_jobs(given);

	if (jobs == 0)
		return -EINVAL;
	if (params->json && params->tsv) {
		fprintf(stderr, "--json cannot be used with --tsv\n");
		return -EINVAL;
	}
	params->validate.format = format_of(params);
	params->replay.format = format_of(params);
	params->validate.quiet = params->quiet;
	params->replay.quiet = params->quiet;
	params->validate.selection = params->selection;
	params->replay.selection = params->selection;
	if (params->validate.file != NULL) {
		params->job = APP_JOB_VALIDATE;
		return settle_validate(&params->validate);
	}
	if (params->replay.file != NULL) {
		params->job = APP_JOB_REPLAY;
		return settle_replay(&params->replay, params->vdevs.nb);
	}
	if ((jobs & FORWARD) != 0)
		return settle_forward(&params->forward);
	fprintf(stderr, "--%s needs %s\n", given->spec[given->nb - 1]->name,
		jobs == VALIDATE ? "--validate FILE" :
		jobs == REPLAY ? "--replay FILE" : "--validate FILE or --replay FILE");
	return -EINVAL;
}

int
parameters_parse(int argc, char **argv, struct parameters *params)
{
	struct options_given given;

	RTE_BUILD_BUG_ON(RTE_DIM(specs) > OPTIONS_MAX);
	set_defaults(params);
	if (options_parse(specs, RTE_DIM(specs), argc, argv, params, &given) != 0)
		return -EINVAL;
	if (params->help || params->help_all) {
		if (params->help_all)
			print_help_all();
		else
			print_help();
		params->job = APP_JOB_DONE;
		return 0;
	}
	if (params->version) {
		printf("dpdk-csum-testpmd %s (%s)\n", CSUM_VERSION, rte_version());
		params->job = APP_JOB_DONE;
		return 0;
	}
	return settle_job(&given, params);
}
