/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"
#include "wg_config.h"

/* RFC 7748, section 6.1: Alice's private key, her public one, Bob's. */
#define PRIVATE "dwdtCnMYpX08FsFyUbJmRd9ML4frwJkqsXf7pR25LCo="
#define OWN     "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo="
#define PEER    "3p7bfXt9wbTTW2HC7OQ1Nz+DQ8hbeGdNrfx+FG+IK08="
#define ANOTHER "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
#define LOW     "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

#define INTERFACE "[Interface]\nPrivateKey = " PRIVATE "\n"
#define A_PEER    "[Peer]\nPublicKey=" PEER "\n"

static char path[64], error[256];

/* Read a text by way of a file. */
static int
read_bytes(struct wg_config *config, const char *text, size_t len)
{
	FILE *file;
	int fd, ret;

	strcpy(path, "/tmp/wg-config-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	file = fdopen(fd, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
	error[0] = '\0';
	ret = wg_config_read(config, path, error, sizeof(error));
	unlink(path);
	return ret;
}

static int
read_text(struct wg_config *config, const char *text)
{
	return read_bytes(config, text, strlen(text));
}

static void
assert_prefix(const struct wg_prefix *prefix, const char *bytes, unsigned int len,
	      unsigned int bits)
{
	assert_int_equal(prefix->addr.len, len);
	assert_memory_equal(prefix->addr.bytes, bytes, len);
	assert_int_equal(prefix->bits, bits);
}

static void
all_that_can_be_said_is_read(void **state)
{
	static const char text[] =
		"# a comment\r\n"
		"\n"
		"[interface] # another one\n"
		"  PrivateKey = " PRIVATE "  \r\n"
		"LISTENPORT=51820\n"
		"Address = 10.0.0.1/24, fd00::1\n"
		"Address = 10.0.1.1\n"
		"MTU = 1420\n"
		"[Peer]\n"
		"PublicKey = " PEER "\n"
		"PresharedKey = " ANOTHER "\n"
		"AllowedIPs = 10.0.0.77/8 ,fd00::ffff/9\n"
		"allowedips = 0.0.0.0/0\n"
		"Endpoint = [2001:db8::1]:65535\n"
		"PersistentKeepalive = 25\n"
		"[PEER]\n"
		"AllowedIPs =\n"
		"Endpoint = 192.0.2.1:1\n"
		"PersistentKeepalive = off\n"
		"PublicKey = " ANOTHER;
	struct wg_config config;

	assert_int_equal(read_text(&config, text), 0);
	assert_int_equal(config.private_key[0], 0x77);
	assert_int_equal(config.private_key[31], 0x2a);
	assert_int_equal(config.listen_port, 51820);
	assert_int_equal(config.mtu, 1420);
	assert_int_equal(config.nb_address, 3);
	assert_prefix(&config.address[0], "\x0a\0\0\x01", 4, 24);
	assert_prefix(&config.address[1], "\xfd\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01", 16, 128);
	assert_prefix(&config.address[2], "\x0a\0\x01\x01", 4, 32);
	assert_int_equal(config.nb_peers, 2);
	assert_int_equal(config.peer[0].public_key[0], 0xde);
	assert_int_equal(config.peer[0].preshared_key[0], 2);
	assert_int_equal(config.peer[0].nb_allowed, 3);
	assert_prefix(&config.peer[0].allowed[0], "\x0a\0\0\0", 4, 8);
	assert_prefix(&config.peer[0].allowed[1], "\xfd\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, 9);
	assert_prefix(&config.peer[0].allowed[2], "\0\0\0\0", 4, 0);
	assert_int_equal(config.peer[0].endpoint.addr.len, 16);
	assert_int_equal(config.peer[0].endpoint.port, 65535);
	assert_int_equal(config.peer[0].keepalive, 25);
	assert_int_equal(config.peer[1].nb_allowed, 0);
	assert_int_equal(config.peer[1].endpoint.addr.len, 4);
	assert_memory_equal(config.peer[1].endpoint.addr.bytes, "\xc0\0\x02\x01", 4);
	assert_int_equal(config.peer[1].endpoint.port, 1);
	assert_int_equal(config.peer[1].keepalive, 0);
	wg_config_free(&config);
	assert_null(config.peer);
}

static void
a_line_may_be_long(void **state)
{
	static char text[200000];
	struct wg_config config;
	unsigned int i, len = (unsigned int)sprintf(text, INTERFACE A_PEER "AllowedIPs = 0::0");

	for (i = 0; i < 5000; i++)
		len += (unsigned int)sprintf(text + len, ",10.%u.%u.0/24", i / 256, i % 256);
	assert_int_equal(read_text(&config, text), 0);
	assert_int_equal(config.peer[0].nb_allowed, 5001);
	wg_config_free(&config);
}

static const struct {
	const char *text, *error; /* the error behind the file's name */
} bad[] = {
	{ "", ": no [Interface]" },
	{ A_PEER, ": no [Interface]" },
	{ "[Interface]\nListenPort=1\n\n[Peer]\n", ":1: [Interface] without PrivateKey" },
	{ "[Interface]\n", ":1: [Interface] without PrivateKey" },
	{ INTERFACE "[Peer]\nEndpoint=1.2.3.4:5\n" A_PEER, ":3: [Peer] without PublicKey" },
	{ INTERFACE INTERFACE, ":3: a second [Interface]" },
	{ "MTU = 1420\n", ":1: MTU: in front of the first section" },
	{ INTERFACE "[Wireguard]", ":3: neither [Interface] nor [Peer]" },
	{ INTERFACE "[Peer\n", ":3: neither [Interface] nor [Peer]" },
	{ INTERFACE "MTU 1420\n", ":3: neither a section nor KEY = VALUE" },
	{ INTERFACE "DNS = 1.1.1.1", ":3: DNS: not supported" },
	{ INTERFACE "PostUp = reboot", ":3: PostUp: not supported" },
	{ INTERFACE "FwMark = 0", ":3: FwMark: not supported" },
	{ INTERFACE "Endpoint = 1.2.3.4:5", ":3: Endpoint: belongs to the other section" },
	{ INTERFACE A_PEER "MTU = 1420", ":5: MTU: belongs to the other section" },
	{ INTERFACE "MTU = 1420\nmtu = 1421", ":4: mtu: given twice" },
	{ INTERFACE A_PEER "PublicKey = " PEER, ":5: PublicKey: given twice" },
	{ INTERFACE A_PEER A_PEER, ":6: PublicKey: another peer has this key" },
	{ INTERFACE "[Peer]\nPublicKey = " OWN,
	  ": the PublicKey of peer 1 is the interface's own" },
	{ INTERFACE "[Peer]\nPublicKey = " LOW,
	  ":4: PublicKey: a key of low order, which is nobody's" },
	{ "[Interface]\nPrivateKey = " PRIVATE "=", ":2: PrivateKey: not 32 bytes in base64" },
	{ "[Interface]\nPrivateKey = dwdt", ":2: PrivateKey: not 32 bytes in base64" },
	{ "[Interface]\nPrivateKey =", ":2: PrivateKey: not 32 bytes in base64" },
	{ INTERFACE "[Peer]\nPublicKey = 3p7bfXt9wbTTW2HC7OQ1Nz+DQ8hbeGdNrfx+FG+IK08A",
	  ":4: PublicKey: not 32 bytes in base64" },
	{ INTERFACE "[Peer]\nPublicKey = 3p7bfXt9wbTTW2HC7OQ1Nz+DQ8hbeGdNrfx+FG+IK09=",
	  ":4: PublicKey: not 32 bytes in base64" },
	{ INTERFACE "[Peer]\nPublicKey = 3p7bfXt9wbTTW2HC7OQ1Nz+DQ8hbeGdNr_x-FG-IK08=",
	  ":4: PublicKey: not 32 bytes in base64" },
	{ INTERFACE "ListenPort = 65536", ":3: ListenPort: not a port from 0 to 65535" },
	{ INTERFACE "ListenPort = -1", ":3: ListenPort: not a port from 0 to 65535" },
	{ INTERFACE "ListenPort = +5", ":3: ListenPort: not a port from 0 to 65535" },
	{ INTERFACE "ListenPort = 5x", ":3: ListenPort: not a port from 0 to 65535" },
	{ INTERFACE "ListenPort = 99999999999999999999999999",
	  ":3: ListenPort: not a port from 0 to 65535" },
	{ INTERFACE "ListenPort =", ":3: ListenPort: not a port from 0 to 65535" },
	{ INTERFACE "MTU = 67", ":3: MTU: not from 68 to 65535" },
	{ INTERFACE "Address = 10.0.0.1/33", ":3: Address: not a prefix length" },
	{ INTERFACE "Address = 10.0.0.1/", ":3: Address: not a prefix length" },
	{ INTERFACE "Address = 10.0.0.1/255.0.0.0", ":3: Address: not a prefix length" },
	{ INTERFACE "Address = ::1/129", ":3: Address: not a prefix length" },
	{ INTERFACE "Address = 10.0.0", ":3: Address: not an IP address" },
	{ INTERFACE "Address = 10.0.0.1,,10.0.0.2", ":3: Address: not an IP address" },
	{ INTERFACE "Address = 10.0.0.1,", ":3: Address: not an IP address" },
	{ INTERFACE "Address = 1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa:bbbb:cccc",
	  ":3: Address: not an IP address" },
	{ INTERFACE A_PEER "AllowedIPs = 10.0.0.0/8\n[Peer]\nPublicKey = " ANOTHER
	  "\nAllowedIPs = 11.0.0.0/8, 10.1.1.1/8",
	  ":8: AllowedIPs: another peer has this prefix" },
	{ INTERFACE A_PEER "Endpoint = vpn.example.com:51820",
	  ":5: Endpoint: not an IP address (host names are not looked up)" },
	{ INTERFACE A_PEER "Endpoint = 192.0.2.1",
	  ":5: Endpoint: not ADDRESS:PORT or [ADDRESS]:PORT" },
	{ INTERFACE A_PEER "Endpoint = [2001:db8::1]",
	  ":5: Endpoint: not ADDRESS:PORT or [ADDRESS]:PORT" },
	{ INTERFACE A_PEER "Endpoint = [:1", ":5: Endpoint: not ADDRESS:PORT or [ADDRESS]:PORT" },
	{ INTERFACE A_PEER "Endpoint =", ":5: Endpoint: not ADDRESS:PORT or [ADDRESS]:PORT" },
	{ INTERFACE A_PEER "Endpoint = 2001:db8::1:51820",
	  ":5: Endpoint: an IPv6 address stands in brackets, an IPv4 address does not" },
	{ INTERFACE A_PEER "Endpoint = [192.0.2.1]:51820",
	  ":5: Endpoint: an IPv6 address stands in brackets, an IPv4 address does not" },
	{ INTERFACE A_PEER "Endpoint = 192.0.2.1:0",
	  ":5: Endpoint: not a port from 1 to 65535" },
	{ INTERFACE A_PEER "PersistentKeepalive = 65536",
	  ":5: PersistentKeepalive: neither off nor seconds from 0 to 65535" },
};

static void
what_is_wrong_is_named_with_file_and_line(void **state)
{
	struct wg_config config;
	unsigned int i;

	for (i = 0; i < RTE_DIM(bad); i++) {
		memset(&config, 0xff, sizeof(config));
		assert_int_equal(read_text(&config, bad[i].text), -EINVAL);
		assert_memory_equal(error, path, strlen(path));
		assert_string_equal(error + strlen(path), bad[i].error);
		assert_null(config.peer);
		assert_int_equal(config.nb_peers, 0);
	}
}

static void
zero_bytes_and_noise_are_refused(void **state)
{
	static const char zero[] = INTERFACE "MTU = 14\00020\n";
	struct wg_config config;
	struct harness_rng rng;
	char noise[300];
	unsigned int i, j;

	assert_int_equal(read_bytes(&config, zero, sizeof(zero) - 1), -EINVAL);
	assert_string_equal(error + strlen(path), ":3: a zero byte");
	harness_rng_init(&rng);
	for (i = 0; i < 300; i++) {
		harness_rand_bytes(&rng, noise, sizeof(noise));
		for (j = 0; j < sizeof(noise) && i % 2; j++)
			noise[j] = "[]=#\n:/., PeerInterfaceMTU01234"[noise[j] & 31];
		assert_int_equal(read_bytes(&config, noise, sizeof(noise)), -EINVAL);
	}
}

static void
a_file_that_cannot_be_read_is_named(void **state)
{
	struct wg_config config;
	char small[12];

	assert_int_equal(wg_config_read(&config, "/nowhere/wg0.conf", error, sizeof(error)),
			 -ENOENT);
	assert_string_equal(error, "/nowhere/wg0.conf: No such file or directory");
	assert_int_equal(wg_config_read(&config, "/", error, sizeof(error)), -EISDIR);
	assert_string_equal(error, "/: Is a directory");
	assert_int_equal(wg_config_read(&config, "/nowhere/wg0.conf", small, sizeof(small)),
			 -ENOENT);
	assert_string_equal(small, "/nowhere/wg");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_can_be_said_is_read),
		cmocka_unit_test(a_line_may_be_long),
		cmocka_unit_test(what_is_wrong_is_named_with_file_and_line),
		cmocka_unit_test(zero_bytes_and_noise_are_refused),
		cmocka_unit_test(a_file_that_cannot_be_read_is_named),
	};

	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
