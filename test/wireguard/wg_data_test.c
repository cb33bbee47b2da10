/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <string.h>

#include "wg_lab.h"

static struct lab lab;

static int
setup(void **state)
{
	lab_init(&lab, NULL);
	lab_handshake(&lab, ALICE);
	return 0;
}

static int
teardown(void **state)
{
	lab_free(&lab);
	return 0;
}

/* What Alice may seal, Bob need not like. */
static void
assert_inner_refused(uint8_t *packet, uint32_t len, enum wg_refusal why)
{
	uint8_t datagram[LAB_DATAGRAM];
	int sealed;

	memcpy(datagram + WG_HEADER_LEN, packet, len);
	sealed = wg_seal(lab.peer[ALICE], lab.now.mono, datagram + WG_HEADER_LEN, len, LAB_MTU);
	assert_true(sealed > 0);
	lab_assert_refused(&lab, BOB, datagram, (uint32_t)sealed, why);
	/* The datagram was genuine, so that it counts as seen. */
	memcpy(datagram + WG_HEADER_LEN, packet, len);
	lab.peer[ALICE]->sessions.current->send_counter--;
	sealed = wg_seal(lab.peer[ALICE], lab.now.mono, datagram + WG_HEADER_LEN, len, LAB_MTU);
	lab_assert_refused(&lab, BOB, datagram, (uint32_t)sealed, WG_REFUSAL_REPLAYED);
}

static void
packets_of_all_lengths_arrive_and_are_padded_up_to_the_mtu(void **state)
{
	uint8_t datagram[LAB_DATAGRAM + WG_PAD_MAX];
	uint32_t len, mtu, padded;

	for (len = 20; len <= LAB_MTU; len++)
		lab_send(&lab, ALICE, len);
	for (mtu = 1405; mtu <= 1424; mtu++) {
		for (len = 1400; len <= 1430; len++) {
			lab_packet(datagram + WG_HEADER_LEN, len, ALICE);
			padded = (len + 15) / 16 * 16;
			if (padded > mtu)
				padded = len > mtu ? len : mtu;
			assert_int_equal(wg_seal(lab.peer[ALICE], lab.now.mono,
						 datagram + WG_HEADER_LEN, len, mtu),
					 padded + 32);
		}
	}
}

static void
padding_is_zero_and_taken_off(void **state)
{
	uint8_t datagram[LAB_DATAGRAM];

	memset(datagram, 0xaa, sizeof(datagram));
	assert_int_equal(lab_seal(&lab, ALICE, 50, datagram), 16 + 64 + 16);
	assert_int_equal(lab_pass(&lab, BOB, datagram, 96), WG_KIND_PACKET);
	assert_int_equal(lab.received.len, 50);
	assert_memory_equal(lab.received.packet + 50, (const uint8_t[14]){ 0 }, 14);
}

static void
nothing_else_is_written(void **state)
{
	uint8_t buffer[8 + LAB_DATAGRAM + 8], *datagram = buffer + 8;
	int len, i;

	memset(buffer, 0xaa, sizeof(buffer));
	len = lab_seal(&lab, ALICE, 1411, datagram);
	assert_int_equal(len, LAB_DATAGRAM);
	for (i = 0; i < 8; i++) {
		assert_int_equal(buffer[i], 0xaa);
		assert_int_equal(datagram[len + i], 0xaa);
	}
}

static void
ipv6_goes_through(void **state)
{
	uint8_t datagram[LAB_DATAGRAM] = { 0 }, *packet = datagram + WG_HEADER_LEN;

	packet[0] = 0x60;
	packet[5] = 21;
	memcpy(packet + 8, lab.allowed[BOB][1].addr.bytes, 16);
	memcpy(packet + 24, lab.allowed[ALICE][1].addr.bytes, 16);
	assert_ptr_equal(wg_route(lab.dev[ALICE], packet, 40), lab.peer[ALICE]);
	assert_int_equal(wg_seal(lab.peer[ALICE], lab.now.mono, packet, 61, LAB_MTU), 96);
	assert_int_equal(lab_pass(&lab, BOB, datagram, 96), WG_KIND_PACKET);
	assert_int_equal(lab.received.len, 61);
	assert_int_equal(lab.received.packet[5], 21);
}

static void
inner_packets_that_are_none_are_refused(void **state)
{
	uint8_t packet[100];
	uint32_t len;

	/* Cut off: in the header or behind it, with no padding that would make up for it. */
	lab_packet(packet, 100, ALICE);
	for (len = 16; len < 100; len += 4)
		assert_inner_refused(packet, len, WG_REFUSAL_INNER);
	packet[3] = 19;
	assert_inner_refused(packet, 100, WG_REFUSAL_INNER);
	packet[3] = 100;
	packet[0] = 0x44;
	assert_inner_refused(packet, 100, WG_REFUSAL_INNER);
	packet[0] = 0x4f;
	packet[3] = 56;
	assert_inner_refused(packet, 100, WG_REFUSAL_INNER);
	packet[0] = 0x50;
	assert_inner_refused(packet, 100, WG_REFUSAL_INNER);
	memset(packet, 0, sizeof(packet));
	packet[0] = 0x60;
	assert_inner_refused(packet, 32, WG_REFUSAL_INNER);
	packet[5] = 100 - 40 + 13;
	assert_inner_refused(packet, 100, WG_REFUSAL_INNER);
}

static void
an_inner_source_that_is_not_allowed_is_refused(void **state)
{
	const struct wg_prefix others = { .addr = { 4, { 10, 0, 0, 9 } }, .bits = 32 };
	uint8_t packet[64];

	lab_packet(packet, 64, ALICE);
	packet[15] = 3;
	assert_inner_refused(packet, 64, WG_REFUSAL_SOURCE);
	/* Not even one that is Bob's own, or another peer's. */
	packet[15] = 2;
	assert_inner_refused(packet, 64, WG_REFUSAL_SOURCE);
	assert_true(wg_allowed_ips_add(&lab.dev[BOB]->allowed_ips, &others, lab.peer[ALICE]));
	packet[15] = 9;
	assert_inner_refused(packet, 64, WG_REFUSAL_SOURCE);
	memset(packet, 0, sizeof(packet));
	packet[0] = 0x60;
	packet[5] = 24;
	assert_inner_refused(packet, 64, WG_REFUSAL_SOURCE);
}

static void
replays_are_refused_and_any_order_is_taken(void **state)
{
	static uint8_t datagrams[40][LAB_DATAGRAM];
	int i, len = 0;

	for (i = 0; i < 40; i++)
		len = lab_seal(&lab, ALICE, 60, datagrams[i]);
	for (i = 0; i < 40; i++)
		assert_int_equal(lab_pass(&lab, BOB, datagrams[i * 7 % 40], (uint32_t)len),
				 WG_KIND_PACKET);
	for (i = 0; i < 40; i++)
		lab_assert_refused(&lab, BOB, datagrams[i], (uint32_t)len, WG_REFUSAL_REPLAYED);
}

static void
a_peer_is_followed_where_it_goes(void **state)
{
	struct wg_endpoint elsewhere = { .addr = { 16, { 0x20, 0x01, 0x0d, 0xb8 } }, .port = 9 };
	uint8_t datagram[LAB_DATAGRAM];
	struct wg_endpoint before = *wg_peer_endpoint(lab.peer[BOB]);
	int len = lab_seal(&lab, ALICE, 60, datagram);

	lab.place[ALICE] = elsewhere;
	datagram[20] ^= 1;
	lab_assert_refused(&lab, BOB, datagram, (uint32_t)len, WG_REFUSAL_FORGED);
	assert_memory_equal(wg_peer_endpoint(lab.peer[BOB]), &before, sizeof(before));
	datagram[20] ^= 1;
	assert_int_equal(lab_pass(&lab, BOB, datagram, (uint32_t)len), WG_KIND_PACKET);
	assert_memory_equal(wg_peer_endpoint(lab.peer[BOB]), &elsewhere, sizeof(elsewhere));
	/* A replay from somewhere else does not lead anybody astray. */
	lab.place[ALICE] = before;
	lab_assert_refused(&lab, BOB, datagram, (uint32_t)len, WG_REFUSAL_REPLAYED);
}

static void
packets_without_a_way_are_counted(void **state)
{
	uint8_t datagram[LAB_DATAGRAM], *packet = datagram + WG_HEADER_LEN;
	const struct wg_stats *stats = wg_device_stats(lab.dev[ALICE]);
	struct lab fresh;

	lab_packet(packet, 60, ALICE);
	assert_null(wg_route(lab.dev[ALICE], packet, 19));
	assert_null(wg_route(lab.dev[ALICE], packet, 0));
	packet[0] = 0x15;
	assert_null(wg_route(lab.dev[ALICE], packet, 60));
	assert_int_equal(stats->refused[WG_REFUSAL_TX_PACKET], 3);
	packet[0] = 0x45;
	packet[19] = 200;
	assert_null(wg_route(lab.dev[ALICE], packet, 60));
	assert_int_equal(stats->refused[WG_REFUSAL_TX_ROUTE], 1);

	lab_init(&fresh, NULL);
	assert_null(wg_peer_endpoint(fresh.peer[BOB]));
	assert_int_equal(lab_seal(&fresh, BOB, 60, datagram), -EDESTADDRREQ);
	assert_int_equal(wg_device_stats(fresh.dev[BOB])->refused[WG_REFUSAL_TX_ENDPOINT], 1);
	assert_int_equal(wg_deadline(fresh.dev[BOB]), UINT64_MAX);
	lab_free(&fresh);
}

static void
the_null_cipher_leaves_all_but_data_encrypted(void **state)
{
	const struct lab_options options = { .flags = WG_DEVICE_NULL_CIPHER };
	uint8_t datagram[LAB_DATAGRAM], want[60];
	struct lab null;
	int len;

	lab_init(&null, &options);
	lab_handshake(&null, ALICE);
	lab_send(&null, ALICE, LAB_MTU);
	len = lab_seal(&null, ALICE, 60, datagram);
	lab_packet(want, 60, ALICE);
	assert_memory_equal(datagram + WG_HEADER_LEN, want, 60);
	assert_memory_equal(datagram + len - WG_TAG_LEN, (const uint8_t[16]){ 0 }, 16);
	datagram[len - 1] = 1;
	lab_assert_refused(&null, BOB, datagram, (uint32_t)len, WG_REFUSAL_FORGED);
	lab_free(&null);
}

static void
what_is_counted_is_true(void **state)
{
	const struct wg_peer_stats *alice = wg_peer_stats(lab.peer[ALICE]);
	const struct wg_peer_stats *bob = wg_peer_stats(lab.peer[BOB]);

	lab_send(&lab, ALICE, 60);
	lab_send(&lab, ALICE, 64);
	lab_send(&lab, BOB, LAB_MTU);
	assert_int_equal(alice->tx_packets, 2);
	assert_int_equal(bob->rx_packets, 2);
	assert_int_equal(alice->rx_packets, 1);
	assert_int_equal(alice->tx_bytes, 148 + 32 + 2 * 96);
	assert_int_equal(bob->rx_bytes, alice->tx_bytes);
	assert_int_equal(bob->tx_bytes, 92 + 16 + LAB_MTU + 16);
	assert_int_equal(alice->rx_bytes, bob->tx_bytes);
	assert_int_equal(alice->handshakes, 1);
	assert_int_equal(alice->last_handshake, lab.now.mono);
	assert_int_equal(wg_device_stats(lab.dev[BOB])->keepalives_received, 1);
	assert_int_equal(wg_device_stats(lab.dev[BOB])->initiations_received, 1);
	assert_int_equal(wg_device_stats(lab.dev[ALICE])->responses_received, 1);
}

static void
every_refusal_has_a_name_of_its_own(void **state)
{
	unsigned int i, j;

	for (i = 0; i < WG_NB_REFUSALS; i++)
		for (j = 0; j < i; j++)
			assert_string_not_equal(wg_refusal_name(i), wg_refusal_name(j));
	assert_null(wg_refusal_name(WG_NB_REFUSALS));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(packets_of_all_lengths_arrive_and_are_padded_up_to_the_mtu),
		CASE(padding_is_zero_and_taken_off),
		CASE(nothing_else_is_written),
		CASE(ipv6_goes_through),
		CASE(inner_packets_that_are_none_are_refused),
		CASE(an_inner_source_that_is_not_allowed_is_refused),
		CASE(replays_are_refused_and_any_order_is_taken),
		CASE(a_peer_is_followed_where_it_goes),
		CASE(packets_without_a_way_are_counted),
		CASE(the_null_cipher_leaves_all_but_data_encrypted),
		CASE(what_is_counted_is_true),
		cmocka_unit_test(every_refusal_has_a_name_of_its_own),
	};

	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
