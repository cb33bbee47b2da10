/* SPDX-License-Identifier: BSD-3-Clause */

/* A hub and its spokes, each a device of its own. Spoke n has 10.1.0.n behind it. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "harness.h"

#define NB_SPOKES 30u
#define GROUP     10u
#define LEN       64u

static struct wg_now now;
static struct wg_device *hub, *spokes[NB_SPOKES];
static const struct wg_endpoint hub_place = { .addr = { 4, { 192, 0, 2, 255 } }, .port = 1 };
static struct wg_received received;

static struct wg_endpoint
place_of(unsigned int n)
{
	return (struct wg_endpoint){ .addr = { 4, { 192, 0, 2, (uint8_t)n } }, .port = 51820 };
}

static int
setup(void **state)
{
	struct wg_prefix all = { .addr.len = 4 }, allowed[NB_SPOKES];
	struct wg_config_peer peers[NB_SPOKES], hub_peer = { .endpoint = hub_place };
	struct wg_config hub_config = { .peer = peers, .nb_peers = NB_SPOKES };
	struct wg_config config = { .peer = &hub_peer, .nb_peers = 1 };
	unsigned int i;

	now = (struct wg_now){ .mono = WG_SECOND, .wall = 1700000000 * WG_SECOND };
	memset(peers, 0, sizeof(peers));
	hub_peer.allowed = &all;
	hub_peer.nb_allowed = 1;
	assert_true(wg_random(hub_config.private_key, WG_KEY_LEN));
	assert_true(wg_x25519_public(hub_peer.public_key, hub_config.private_key));
	for (i = 0; i < NB_SPOKES; i++) {
		assert_true(wg_random(config.private_key, WG_KEY_LEN));
		assert_true(wg_x25519_public(peers[i].public_key, config.private_key));
		allowed[i] = (struct wg_prefix){
			.addr = { 4, { 10, 1, 0, (uint8_t)i } }, .bits = 32,
		};
		peers[i].allowed = &allowed[i];
		peers[i].nb_allowed = 1;
		peers[i].endpoint = place_of(i);
		spokes[i] = wg_device_new(&config, 0, &now);
		assert_non_null(spokes[i]);
	}
	hub = wg_device_new(&hub_config, 0, &now);
	assert_non_null(hub);
	return 0;
}

static int
teardown(void **state)
{
	unsigned int i;

	for (i = 0; i < NB_SPOKES; i++)
		wg_device_free(spokes[i]);
	wg_device_free(hub);
	return 0;
}

/* Seal a packet from spoke `source` to spoke `destination`. */
static int
seal(struct wg_device *dev, unsigned int source, unsigned int destination,
     uint8_t datagram[WG_HEADER_LEN + LEN + WG_TAG_LEN], struct wg_peer **peer)
{
	uint8_t *packet = datagram + WG_HEADER_LEN;

	memset(packet, (int)(source ^ destination), LEN);
	memcpy(packet, (const uint8_t[]){ 0x45, 0, 0, LEN }, 4);
	memcpy(packet + 12, (const uint8_t[]){ 10, 1, 0, (uint8_t)source }, 4);
	memcpy(packet + 16, (const uint8_t[]){ 10, 1, 0, (uint8_t)destination }, 4);
	*peer = wg_route(dev, packet, LEN);
	assert_non_null(*peer);
	return wg_seal(*peer, now.mono, packet, LEN, 1420);
}

static void
to_hub(unsigned int from, const struct wg_message *message)
{
	struct wg_endpoint place = place_of(from);
	uint8_t copy[WG_MESSAGE_MAX];

	memcpy(copy, message->bytes, message->len);
	assert_int_not_equal(wg_receive(hub, &now, &place, copy, message->len, &received),
			     WG_KIND_REFUSED);
	assert_int_equal(wg_peer_id(received.peer), from);
}

/* What the hub has to say at this moment; -> how many messages. Each finds its spoke. */
static unsigned int
deliver_from_hub(uint8_t nb_of[NB_SPOKES])
{
	struct wg_message message;
	unsigned int nb, id;

	for (nb = 0; wg_poll(hub, &now, &message) == WG_POLL_SEND; nb++) {
		id = wg_peer_id(message.peer);
		assert_int_equal(message.to.addr.bytes[3], id);
		nb_of[id]++;
		assert_int_equal(wg_receive(spokes[id], &now, &hub_place, message.bytes,
					    message.len, &received), WG_KIND_CONSUMED);
		if (received.reply.len == 0)
			continue;
		message = received.reply;
		to_hub(id, &message);
		message = received.reply;
		assert_int_equal(wg_receive(spokes[id], &now, &hub_place, message.bytes,
					    message.len, &received), WG_KIND_CONSUMED);
	}
	return nb;
}

/* Sessions with everybody, whom packets wait for. */
static void
meet_all(void)
{
	uint8_t datagram[WG_HEADER_LEN + LEN + WG_TAG_LEN], nb_of[NB_SPOKES] = { 0 };
	struct wg_peer *peer;
	unsigned int i;

	for (i = 0; i < NB_SPOKES; i++) {
		assert_int_equal(seal(hub, 0, i, datagram, &peer), -EAGAIN);
		assert_int_equal(wg_peer_id(peer), i);
	}
	assert_int_equal(deliver_from_hub(nb_of), NB_SPOKES);
	for (i = 0; i < NB_SPOKES; i++)
		assert_int_equal(nb_of[i], 1);
}

static void
packets_from_spoke_to_spoke_find_their_way(void **state)
{
	uint8_t datagram[WG_HEADER_LEN + LEN + WG_TAG_LEN];
	struct wg_endpoint place;
	struct wg_peer *peer;
	unsigned int i, to;

	meet_all();
	for (i = 0; i < NB_SPOKES; i++) {
		to = (i * 7 + 1) % NB_SPOKES;
		place = place_of(i);
		assert_int_equal(seal(spokes[i], i, to, datagram, &peer), sizeof(datagram));
		assert_int_equal(wg_receive(hub, &now, &place, datagram, sizeof(datagram),
					    &received), WG_KIND_PACKET);
		assert_int_equal(wg_peer_id(received.peer), i);
		peer = wg_route(hub, received.packet, received.len);
		assert_int_equal(wg_peer_id(peer), to);
		assert_int_equal(wg_seal(peer, now.mono, received.packet, LEN, 1420),
				 sizeof(datagram));
		assert_int_equal(wg_receive(spokes[to], &now, &hub_place, datagram,
					    sizeof(datagram), &received), WG_KIND_PACKET);
		assert_int_equal(received.packet[LEN - 1], i ^ to);
	}
}

static void
each_spoke_is_known_when_it_begins(void **state)
{
	uint8_t datagram[WG_HEADER_LEN + LEN + WG_TAG_LEN];
	struct wg_message message;
	struct wg_peer *peer;
	unsigned int i;

	for (i = 0; i < NB_SPOKES; i++) {
		assert_int_equal(seal(spokes[i], i, 0, datagram, &peer), -EAGAIN);
		assert_int_equal(wg_poll(spokes[i], &now, &message), WG_POLL_SEND);
		to_hub(i, &message);
		message = received.reply;
		assert_int_equal(wg_receive(spokes[i], &now, &hub_place, message.bytes,
					    message.len, &received), WG_KIND_CONSUMED);
		assert_true(received.established);
		message = received.reply;
		to_hub(i, &message);
		assert_true(received.established);
	}
}

static void
a_spoke_cannot_speak_for_another(void **state)
{
	uint8_t datagram[WG_HEADER_LEN + LEN + WG_TAG_LEN];
	struct wg_endpoint place = place_of(3);
	struct wg_peer *peer;

	meet_all();
	assert_int_equal(seal(spokes[3], 4, 5, datagram, &peer), sizeof(datagram));
	assert_int_equal(wg_receive(hub, &now, &place, datagram, sizeof(datagram), &received),
			 WG_KIND_REFUSED);
	assert_int_equal(received.why, WG_REFUSAL_SOURCE);
	assert_int_equal(wg_peer_stats(wg_device_peer(hub, 4))->rx_packets, 0);
}

static void
timers_of_all_are_served(void **state)
{
	uint8_t datagram[WG_HEADER_LEN + LEN + WG_TAG_LEN], nb_of[NB_SPOKES] = { 0 };
	struct wg_endpoint place;
	struct wg_peer *peer;
	unsigned int i;

	meet_all();
	/* A second apart in groups, the last ones first. */
	for (i = NB_SPOKES; i-- > 0;) {
		place = place_of(i);
		assert_int_equal(seal(spokes[i], i, 0, datagram, &peer), sizeof(datagram));
		assert_int_equal(wg_receive(hub, &now, &place, datagram, sizeof(datagram),
					    &received), WG_KIND_PACKET);
		now.mono += i % GROUP == 0 ? WG_SECOND : 0;
	}
	assert_int_equal(deliver_from_hub(nb_of), 0);
	for (i = 1; i <= NB_SPOKES / GROUP; i++) {
		now.mono = wg_deadline(hub);
		assert_int_equal(deliver_from_hub(nb_of), GROUP);
		assert_int_equal(nb_of[NB_SPOKES - GROUP * i], 1);
	}
	for (i = 0; i < NB_SPOKES; i++)
		assert_int_equal(nb_of[i], 1);
}

static void
all_indices_are_given_back(void **state)
{
	unsigned int round, i;

	assert_in_range(hub->indices.mask, 0, 18 * NB_SPOKES);
	/* More handshakes than the table has places. */
	for (round = 0; round < 18; round++) {
		meet_all();
		now.mono += 3 * WG_REJECT_AFTER_TIME;
		now.wall += 3 * WG_REJECT_AFTER_TIME;
		assert_int_equal(deliver_from_hub((uint8_t[NB_SPOKES]){ 0 }), 0);
	}
	for (i = 0; i <= hub->indices.mask; i++)
		assert_null(hub->indices.entries[i].peer);
	assert_int_equal(wg_deadline(hub), UINT64_MAX);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(packets_from_spoke_to_spoke_find_their_way),
		CASE(each_spoke_is_known_when_it_begins),
		CASE(a_spoke_cannot_speak_for_another),
		CASE(timers_of_all_are_served),
		CASE(all_indices_are_given_back),
	};

	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
