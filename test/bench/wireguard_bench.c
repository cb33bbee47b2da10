/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What a WireGuard sender pays for segmentation: a super-packet, as a TUN device gives it, is cut
 * to segments with room for what the tunnel puts around them, and these are sealed where they lie.
 * A table, tab-separated:
 *
 *   cipher   none: nothing is sealed. null: all of sealing but the cipher. chacha20-poly1305.
 *   way      fused: csum_gso.h. copy-then-sum: each segment is copied, and then read once more for
 *            its checksum, by the library's best kernel or by 64-bit additions with carry, which is
 *            what wireguard-go does.
 *   cycles   of the core a segment, allocation and free included
 *   cut      the share of cutting in that, in percent
 *   vs       cycles by those of the fused way
 *
 * Everything is in the L2 cache. Medians of rounds in which all take turns. Before anything is
 * timed, all must agree on every byte. Not a test of speed: it fails at no figure.
 *
 * usage: wireguard-bench [--rounds N]
 */

#include <errno.h>
#include <getopt.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_ip.h>
#include <rte_tcp.h>
#include <sodium.h>

#include <csum_gso.h>

#include "csum_bench.h"
#include "harness.h"
#include "wg.h"

#define MTU         1420
#define HDR_LEN     (20 + 32) /* IPv4, TCP with time stamps */
#define SEGSZ       (MTU - HDR_LEN)
#define NB_SEGS     47
#define PAYLOAD_LEN (NB_SEGS * SEGSZ)
#define HEADROOM    (62 + WG_HEADER_LEN)
#define TAILROOM    (WG_PAD_MAX + WG_TAG_LEN)
#define NB_CALLS    24 /* super-packets a turn */
#define MAX_ROUNDS  1001
#define EXIT_USAGE  2

enum way { FUSED, TWO_PASS, TWO_PASS_ADC, NB_WAYS };
enum cipher { NONE, NULL_CIPHER, CHACHA, NB_CIPHERS };

static const char *const way_names[] = { "fused", "copy-then-sum", "copy-then-sum-adc" };
static const char *const cipher_names[] = { "none", "null", "chacha20-poly1305" };
static const struct wg_now now = { .mono = 1000000000, .wall = 1700000000000000000 };

static struct rte_mempool *pool;
static struct rte_mbuf *super;
static struct wg_peer *peers[NB_CIPHERS];
static double ns[NB_CIPHERS][NB_WAYS][MAX_ROUNDS];

static void
die(const char *what)
{
	fprintf(stderr, "wireguard-bench: %s\n", what);
	exit(EXIT_FAILURE);
}

/* ---- a session */

static void
config_make(struct wg_config *config, struct wg_config_peer *peer, uint8_t own, uint8_t other)
{
	static struct wg_prefix all = { .addr.len = 4 };
	uint8_t private_key[WG_KEY_LEN] = { other };

	memset(config, 0, sizeof(*config));
	memset(peer, 0, sizeof(*peer));
	config->private_key[0] = own;
	crypto_scalarmult_base(peer->public_key, private_key);
	peer->endpoint = (struct wg_endpoint) { .addr.len = 4, .port = other };
	peer->allowed = &all;
	peer->nb_allowed = 1;
	config->peer = peer;
	config->nb_peers = 1;
}

static struct wg_device *
device_make(uint8_t own, uint8_t other, unsigned int flags)
{
	struct wg_config_peer peer;
	struct wg_config config;
	struct wg_device *dev;

	config_make(&config, &peer, own, other);
	dev = wg_device_new(&config, flags, &now);
	if (dev == NULL)
		die("no device");
	return dev;
}

/* A peer that sealing is possible for. Whom the session is with is of no interest afterwards. */
static struct wg_peer *
session_make(unsigned int flags)
{
	struct wg_device *a = device_make(1, 2, flags), *b = device_make(2, 1, flags);
	const struct wg_endpoint from = { .addr.len = 4, .port = 1 };
	uint8_t keepalive[WG_HEADER_LEN + WG_TAG_LEN];
	struct wg_received at_a, at_b;
	struct wg_message message;

	if (wg_seal(wg_device_peer(a, 0), now.mono, keepalive + WG_HEADER_LEN, 0, 0) != -EAGAIN ||
	    wg_poll(a, &now, &message) != WG_POLL_SEND)
		die("no initiation");
	wg_receive(b, &now, &from, message.bytes, message.len, &at_b);
	wg_receive(a, &now, &from, at_b.reply.bytes, at_b.reply.len, &at_a);
	if (!at_a.established)
		die("no session");
	wg_device_free(b);
	return at_a.peer;
}

/* ---- cutting */

static struct rte_mbuf *
super_make(void)
{
	static const uint8_t headers[HDR_LEN] = {
		0x45, 0, 0, 0, 0x10, 0, 0x40, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2,
		4, 0, 0, 80, 0, 0, 3, 0xe8, 0, 0, 7, 0xd0, 0x80, 0x18, 0x20, 0, [40] = 1, 1, 8, 10,
	};
	struct rte_mempool *supers = harness_pool("super", 1, HDR_LEN + PAYLOAD_LEN);
	struct rte_mbuf *m = rte_pktmbuf_alloc(supers);
	uint8_t *data = (uint8_t *)rte_pktmbuf_append(m, HDR_LEN + PAYLOAD_LEN);

	harness_pattern(data, HDR_LEN + PAYLOAD_LEN);
	memcpy(data, headers, sizeof(headers));
	m->l3_len = 20;
	m->l4_len = 32;
	m->tso_segsz = SEGSZ;
	m->ol_flags = RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_SEG;
	return m;
}

static void
cut_fused(struct rte_mbuf **segs)
{
	const struct csum_gso_conf conf = {
		.pool = pool, .headroom = HEADROOM, .tailroom = TAILROOM,
	};
	struct csum_gso_req req;

	csum_gso_req_from_mbuf(&req, super);
	if (csum_gso_segment(super, &req, &conf, segs, NB_SEGS, NULL) != NB_SEGS)
		die("it is not cut");
}

/* Fields and checksums of a segment that has been copied. */
static void
finish(uint8_t *data, unsigned int i, const struct csum_variant *variant)
{
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)data;
	struct rte_tcp_hdr *tcp = (struct rte_tcp_hdr *)(ip + 1);
	uint32_t len = HDR_LEN - sizeof(*ip) + SEGSZ;

	ip->total_length = rte_cpu_to_be_16(HDR_LEN + SEGSZ);
	ip->packet_id = rte_cpu_to_be_16((uint16_t)(rte_be_to_cpu_16(ip->packet_id) + i));
	ip->hdr_checksum = 0;
	ip->hdr_checksum = csum_sum_check(variant->partial(ip, sizeof(*ip), 0));
	tcp->sent_seq = rte_cpu_to_be_32(rte_be_to_cpu_32(tcp->sent_seq) + i * SEGSZ);
	if (i < NB_SEGS - 1)
		tcp->tcp_flags &= (uint8_t)~RTE_TCP_PSH_FLAG;
	tcp->cksum = 0;
	tcp->cksum = csum_sum_check(variant->partial(tcp, len,
		csum_pseudo_ipv4(&ip->src_addr, IPPROTO_TCP, len)));
}

static void
cut_two_pass(struct rte_mbuf **segs, const struct csum_variant *variant)
{
	const uint8_t *src = rte_pktmbuf_mtod(super, const uint8_t *);
	unsigned int i;
	uint8_t *data;

	if (rte_pktmbuf_alloc_bulk(pool, segs, NB_SEGS) != 0)
		die("pool is empty");
	for (i = 0; i < NB_SEGS; i++) {
		segs[i]->data_off = HEADROOM;
		segs[i]->data_len = HDR_LEN + SEGSZ;
		segs[i]->pkt_len = HDR_LEN + SEGSZ;
		data = rte_pktmbuf_mtod(segs[i], uint8_t *);
		memcpy(data, src, HDR_LEN);
		memcpy(data + HDR_LEN, src + HDR_LEN + i * SEGSZ, SEGSZ);
		finish(data, i, variant);
	}
}

static void
cut(enum way way, struct rte_mbuf **segs)
{
	const struct csum_variant *variant = NULL;

	if (way == TWO_PASS_ADC)
		variant = csum_variant_find("adc");
	/* Other CPUs than x86 have no such variant. */
	if (variant == NULL)
		variant = csum_variant_current();
	if (way == FUSED)
		cut_fused(segs);
	else
		cut_two_pass(segs, variant);
}

static void
compare(enum way way)
{
	struct rte_mbuf *a[NB_SEGS], *b[NB_SEGS];
	unsigned int i;

	cut(FUSED, a);
	cut(way, b);
	for (i = 0; i < NB_SEGS; i++)
		if (a[i]->data_len != b[i]->data_len ||
		    memcmp(rte_pktmbuf_mtod(a[i], void *), rte_pktmbuf_mtod(b[i], void *),
			   a[i]->data_len) != 0)
			die("segments differ");
	rte_pktmbuf_free_bulk(a, NB_SEGS);
	rte_pktmbuf_free_bulk(b, NB_SEGS);
}

/* ---- measuring */

static void
send_super(enum cipher cipher, enum way way)
{
	struct rte_mbuf *segs[NB_SEGS];
	unsigned int i;

	cut(way, segs);
	for (i = 0; cipher != NONE && i < NB_SEGS; i++)
		if (wg_seal(peers[cipher], now.mono, rte_pktmbuf_mtod(segs[i], uint8_t *),
			    segs[i]->data_len, MTU) < 0)
			die("it is not sealed");
	rte_pktmbuf_free_bulk(segs, NB_SEGS);
}

static double
turn(enum cipher cipher, enum way way)
{
	double begin;
	unsigned int i;

	send_super(cipher, way);
	begin = clock_now_ns();
	for (i = 0; i < NB_CALLS; i++)
		send_super(cipher, way);
	return (clock_now_ns() - begin) / (NB_CALLS * NB_SEGS);
}

static void
print(unsigned int nb_rounds)
{
	double ghz = clock_core_ghz(), medians[NB_CIPHERS][NB_WAYS];
	unsigned int cipher, way;

	for (cipher = 0; cipher < NB_CIPHERS; cipher++)
		for (way = 0; way < NB_WAYS; way++)
			medians[cipher][way] = median(ns[cipher][way], nb_rounds);
	printf("cipher\tway\tcycles\tcut\tvs\n");
	for (cipher = 0; cipher < NB_CIPHERS; cipher++)
		for (way = 0; way < NB_WAYS; way++)
			printf("%s\t%s\t%.0f\t%.1f\t%.2f\n", cipher_names[cipher], way_names[way],
			       medians[cipher][way] * ghz,
			       100 * medians[NONE][way] / medians[cipher][way],
			       medians[cipher][way] / medians[cipher][FUSED]);
}

static unsigned int
rounds_wanted(int argc, char **argv)
{
	static const struct option known[] = { { "rounds", required_argument, NULL, 'r' }, { 0 } };
	unsigned long nb = 31;
	bool wrong = false;
	int option;
	char *end;

	while ((option = getopt_long(argc, argv, "", known, NULL)) == 'r') {
		nb = strtoul(optarg, &end, 10);
		wrong |= *end != '\0';
	}
	if (option != -1 || wrong || optind < argc || nb < 1 || nb > MAX_ROUNDS) {
		fprintf(stderr, "usage: wireguard-bench [--rounds 1..%u]\n", MAX_ROUNDS);
		exit(EXIT_USAGE);
	}
	return (unsigned int)nb;
}

int
main(int argc, char **argv)
{
	unsigned int nb_rounds = rounds_wanted(argc, argv), round, cipher, way;

	harness_start(0, NULL);
	pool = rte_pktmbuf_pool_create("segments", 2 * NB_SEGS, NB_SEGS, 0,
		HEADROOM + MTU + TAILROOM, SOCKET_ID_ANY);
	if (pool == NULL)
		die("no pool");
	super = super_make();
	peers[NULL_CIPHER] = session_make(WG_DEVICE_NULL_CIPHER);
	peers[CHACHA] = session_make(0);
	compare(TWO_PASS);
	compare(TWO_PASS_ADC);
	for (round = 0; round < nb_rounds; round++)
		for (cipher = 0; cipher < NB_CIPHERS; cipher++)
			for (way = 0; way < NB_WAYS; way++)
				ns[cipher][way][round] = turn(cipher, way);
	print(nb_rounds);
	return harness_finish(0);
}
