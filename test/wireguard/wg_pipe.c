/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The core at the other end of a pipe: a command a line, an answer a line, bytes in hexadecimal,
 * "-" for none. For a peer that is written in another language; see noise_peer.py.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto.h"
#include "wg.h"

#define MAX_ARGS  4
#define MAX_BYTES 2048

struct arg {
	const char *text;
	size_t len;
	uint8_t bytes[MAX_BYTES];
};

static struct wg_device *dev;
static struct wg_now now = { .mono = 1 };

static void
die(const char *what)
{
	fprintf(stderr, "wg-pipe: %s\n", what);
	exit(EXIT_FAILURE);
}

static void
print_hex(const uint8_t *bytes, size_t len)
{
	size_t i;

	if (len == 0)
		printf("-");
	for (i = 0; i < len; i++)
		printf("%02x", bytes[i]);
}

static void
answer(bool done, const uint8_t *bytes, size_t len)
{
	if (done)
		print_hex(bytes, len);
	else
		printf("no");
}

/* ---- primitives: the arguments are those of crypto.h, in its order */

static void
do_hash(struct arg *arg)
{
	uint8_t out[WG_HASH_LEN];

	answer(wg_hash(out, arg[0].bytes, arg[0].len, arg[1].bytes, arg[1].len), out, sizeof(out));
}

static void
do_mac(struct arg *arg)
{
	uint8_t out[WG_MAC_LEN];

	answer(wg_mac(out, arg[0].bytes, arg[0].len, arg[1].bytes, arg[1].len), out, sizeof(out));
}

static void
do_kdf(struct arg *arg)
{
	unsigned int n = (unsigned int)atoi(arg[0].text);
	uint8_t out[3][WG_HASH_LEN];
	uint8_t *const outs[] = { out[0], out[1], out[2] };

	answer(wg_kdf(outs, n, arg[1].bytes, arg[2].bytes, arg[2].len), out[0], n * WG_HASH_LEN);
}

static void
do_public(struct arg *arg)
{
	uint8_t out[WG_KEY_LEN];

	answer(wg_x25519_public(out, arg[0].bytes), out, sizeof(out));
}

static void
do_dh(struct arg *arg)
{
	uint8_t out[WG_KEY_LEN];

	answer(wg_x25519(out, arg[0].bytes, arg[1].bytes), out, sizeof(out));
}

static void
do_aead_seal(struct arg *arg)
{
	uint8_t out[MAX_BYTES];

	answer(wg_aead_seal(out, arg[0].bytes, arg[1].bytes, arg[1].len, arg[2].bytes), out,
	       arg[1].len + WG_TAG_LEN);
}

static void
do_aead_open(struct arg *arg)
{
	uint8_t out[MAX_BYTES];
	size_t len = arg[1].len - WG_TAG_LEN;

	answer(wg_aead_open(out, arg[0].bytes, arg[1].bytes, len, arg[2].bytes), out, len);
}

static void
do_xaead_seal(struct arg *arg)
{
	uint8_t out[WG_MAC_LEN + WG_TAG_LEN];

	answer(wg_xaead_seal(out, arg[0].bytes, arg[1].bytes, arg[2].bytes, arg[3].bytes), out,
	       sizeof(out));
}

static void
do_xaead_open(struct arg *arg)
{
	uint8_t out[WG_MAC_LEN];

	answer(wg_xaead_open(out, arg[0].bytes, arg[1].bytes, arg[2].bytes, arg[3].bytes), out,
	       sizeof(out));
}

static void
do_cipher_seal(struct arg *arg)
{
	uint64_t counter = strtoull(arg[1].text, NULL, 10);
	struct wg_cipher cipher;
	bool done = wg_cipher_init(&cipher, arg[0].bytes, true, false) &&
		wg_cipher_seal(&cipher, counter, arg[2].bytes, (uint32_t)arg[2].len);

	answer(done, arg[2].bytes, arg[2].len + WG_TAG_LEN);
	wg_cipher_free(&cipher);
}

static void
do_cipher_open(struct arg *arg)
{
	uint64_t counter = strtoull(arg[1].text, NULL, 10);
	uint32_t len = (uint32_t)arg[2].len - WG_TAG_LEN;
	struct wg_cipher cipher;
	bool done = wg_cipher_init(&cipher, arg[0].bytes, false, false) &&
		wg_cipher_open(&cipher, counter, arg[2].bytes, len);

	answer(done, arg[2].bytes, len);
	wg_cipher_free(&cipher);
}

/* ---- a device */

/* time MONO WALL, both in nanoseconds */
static void
do_time(struct arg *arg)
{
	now.mono = strtoull(arg[0].text, NULL, 10);
	now.wall = strtoull(arg[1].text, NULL, 10);
	printf("ok");
}

/* device FILE */
static void
do_device(struct arg *arg)
{
	struct wg_config config;
	char error[200];

	wg_device_free(dev);
	if (wg_config_read(&config, arg[0].text, error, sizeof(error)) != 0)
		die(error);
	dev = wg_device_new(&config, 0, &now);
	wg_config_free(&config);
	if (dev == NULL)
		die("no device");
	printf("ok");
}

/* load 0|1 */
static void
do_load(struct arg *arg)
{
	wg_device_set_under_load(dev, arg[0].text[0] == '1');
	printf("ok");
}

/* receive ADDRESS PORT DATAGRAM -> KIND REASON ESTABLISHED PACKET REPLY */
static void
do_receive(struct arg *arg)
{
	static const char *const kinds[] = {
		[WG_KIND_REFUSED] = "refused",
		[WG_KIND_PACKET] = "packet",
		[WG_KIND_CONSUMED] = "consumed",
	};
	struct wg_endpoint from = { .addr.len = (uint8_t)arg[0].len };
	struct wg_received received;
	enum wg_kind kind;

	memcpy(from.addr.bytes, arg[0].bytes, from.addr.len);
	from.port = (uint16_t)atoi(arg[1].text);
	kind = wg_receive(dev, &now, &from, arg[2].bytes, (uint32_t)arg[2].len, &received);
	printf("%s\t%s\t%d\t", kinds[kind], wg_refusal_name(received.why), received.established);
	print_hex(received.packet, received.len);
	printf("\t");
	print_hex(received.reply.bytes, received.reply.len);
}

/* seal PACKET MTU -> a datagram for the peer that it is routed to */
static void
do_seal(struct arg *arg)
{
	uint8_t datagram[WG_HEADER_LEN + MAX_BYTES + WG_PAD_MAX + WG_TAG_LEN];
	struct wg_peer *peer = wg_route(dev, arg[0].bytes, (uint32_t)arg[0].len);
	int len = -EHOSTUNREACH;

	memcpy(datagram + WG_HEADER_LEN, arg[0].bytes, arg[0].len);
	if (peer != NULL)
		len = wg_seal(peer, now.mono, datagram + WG_HEADER_LEN, (uint32_t)arg[0].len,
			      (uint32_t)atoi(arg[1].text));
	answer(len >= 0, datagram, (size_t)len);
}

/* poll -> a message, or how there is none */
static void
do_poll(struct arg *arg)
{
	struct wg_message message;

	switch (wg_poll(dev, &now, &message)) {
	case WG_POLL_IDLE:
		printf("idle");
		break;
	case WG_POLL_GAVE_UP:
		printf("gave up");
		break;
	case WG_POLL_SEND:
		print_hex(message.bytes, message.len);
		break;
	}
}

static const struct {
	const char *name;
	int nb_args;
	void (*run)(struct arg *arg);
} commands[] = {
	{ "hash", 2, do_hash },
	{ "mac", 2, do_mac },
	{ "kdf", 3, do_kdf },
	{ "public", 1, do_public },
	{ "dh", 2, do_dh },
	{ "aead-seal", 3, do_aead_seal },
	{ "aead-open", 3, do_aead_open },
	{ "xaead-seal", 4, do_xaead_seal },
	{ "xaead-open", 4, do_xaead_open },
	{ "cipher-seal", 3, do_cipher_seal },
	{ "cipher-open", 3, do_cipher_open },
	{ "time", 2, do_time },
	{ "device", 1, do_device },
	{ "load", 1, do_load },
	{ "receive", 3, do_receive },
	{ "seal", 2, do_seal },
	{ "poll", 0, do_poll },
};

/* What is no hexadecimal number has no bytes. */
static void
set_arg(struct arg *arg, const char *text)
{
	unsigned int byte;

	arg->text = text;
	arg->len = 0;
	while (arg->len < MAX_BYTES - WG_TAG_LEN &&
	       sscanf(text + 2 * arg->len, "%2x", &byte) == 1) {
		arg->bytes[arg->len++] = (uint8_t)byte;
		if (text[2 * arg->len] == '\0')
			break;
	}
}

static void
run(char *line)
{
	static struct arg args[MAX_ARGS];
	const char *name = strtok(line, " \n"), *text;
	unsigned int i;
	int nb = 0;

	while (nb < MAX_ARGS && (text = strtok(NULL, " \n")) != NULL)
		set_arg(&args[nb++], text);
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (name != NULL && strcmp(commands[i].name, name) == 0 &&
		    commands[i].nb_args == nb) {
			commands[i].run(args);
			printf("\n");
			fflush(stdout);
			return;
		}
	}
	die("no such command");
}

int
main(void)
{
	static char line[8 * MAX_BYTES];

	while (fgets(line, sizeof(line), stdin) != NULL)
		run(line);
	wg_device_free(dev);
	return EXIT_SUCCESS;
}
