/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdlib.h>
#include <string.h>

#include "wg_lab.h"

static void
set_prefixes(struct wg_prefix allowed[2], uint8_t host)
{
	memset(allowed, 0, 2 * sizeof(*allowed));
	allowed[0] = (struct wg_prefix){ .addr = { 4, { 10, 0, 0, host } }, .bits = 32 };
	allowed[1] = (struct wg_prefix){ .addr = { 16, { 0xfd } }, .bits = 128 };
	allowed[1].addr.bytes[15] = host;
}

void
lab_init(struct lab *lab, const struct lab_options *options)
{
	static const struct lab_options none;
	enum lab_who who, other;
	struct wg_config_peer *peer;

	if (options == NULL)
		options = &none;
	memset(lab, 0, sizeof(*lab));
	lab->now = (struct wg_now){ .mono = 7 * WG_SECOND, .wall = 1700000000 * WG_SECOND };
	for (who = ALICE; who <= BOB; who++) {
		other = lab_other(who);
		peer = &lab->config_peer[other];
		lab->place[who] = (struct wg_endpoint){
			.addr = { 4, { 192, 0, 2, (uint8_t)(1 + who) } }, .port = 51820,
		};
		assert_true(wg_random(lab->config[who].private_key, WG_KEY_LEN));
		assert_true(wg_x25519_public(peer->public_key, lab->config[who].private_key));
		if (options->psk)
			memset(peer->preshared_key, 0x5a, WG_KEY_LEN);
		peer->keepalive = (uint16_t)options->keepalive;
		set_prefixes(lab->allowed[other], (uint8_t)(1 + who));
		peer->allowed = lab->allowed[other];
		peer->nb_allowed = 2;
		lab->config[other].peer = peer;
		lab->config[other].nb_peers = 1;
	}
	lab->config_peer[ALICE].endpoint = lab->place[BOB];
	for (who = ALICE; who <= BOB; who++) {
		lab->dev[who] = wg_device_new(&lab->config[who], options->flags, &lab->now);
		assert_non_null(lab->dev[who]);
		lab->peer[who] = wg_device_peer(lab->dev[who], 0);
	}
}

void
lab_free(struct lab *lab)
{
	wg_device_free(lab->dev[ALICE]);
	wg_device_free(lab->dev[BOB]);
}

void
lab_sleep(struct lab *lab, uint64_t time)
{
	lab->now.mono += time;
	lab->now.wall += time;
}

enum wg_kind
lab_pass(struct lab *lab, enum lab_who to, const void *datagram, uint32_t len)
{
	static uint8_t *copy;
	enum wg_kind kind;

	/* The packet that comes out lives until the next call. */
	free(copy);
	copy = NULL;
	if (len != 0) {
		copy = malloc(len);
		assert_non_null(copy);
		memcpy(copy, datagram, len);
	}
	memset(&lab->received, 0xee, sizeof(lab->received));
	kind = wg_receive(lab->dev[to], &lab->now, &lab->place[lab_other(to)], copy, len,
			  &lab->received);
	assert_int_equal(kind == WG_KIND_REFUSED, lab->received.why != WG_REFUSAL_NONE);
	assert_int_equal(kind == WG_KIND_PACKET, lab->received.packet != NULL);
	return kind;
}

enum wg_poll
lab_poll(struct lab *lab, enum lab_who who, struct wg_message *message)
{
	bool due = wg_deadline(lab->dev[who]) <= lab->now.mono;
	enum wg_poll what = wg_poll(lab->dev[who], &lab->now, message);

	assert_true(due || what == WG_POLL_IDLE);
	if (what == WG_POLL_IDLE)
		assert_true(wg_deadline(lab->dev[who]) > lab->now.mono);
	return what;
}

void
lab_poll_message(struct lab *lab, enum lab_who who, uint32_t len, struct wg_message *message)
{
	assert_int_equal(lab_poll(lab, who, message), WG_POLL_SEND);
	assert_int_equal(message->len, len);
	assert_ptr_equal(message->peer, lab->peer[who]);
	assert_memory_equal(message->to.addr.bytes, lab->place[lab_other(who)].addr.bytes, 16);
}

void
lab_packet(uint8_t *packet, uint32_t len, enum lab_who from)
{
	uint32_t i;

	for (i = 0; i < len; i++)
		packet[i] = (uint8_t)(i * 7);
	memcpy(packet, (const uint8_t[]){ 0x45, 0, (uint8_t)(len >> 8), (uint8_t)len }, 4);
	memcpy(packet + 12, (const uint8_t[]){ 10, 0, 0, (uint8_t)(1 + from) }, 4);
	memcpy(packet + 16, (const uint8_t[]){ 10, 0, 0, (uint8_t)(2 - from) }, 4);
}

int
lab_seal(struct lab *lab, enum lab_who from, uint32_t len, uint8_t datagram[LAB_DATAGRAM])
{
	uint8_t *packet = datagram + WG_HEADER_LEN;

	lab_packet(packet, len, from);
	assert_ptr_equal(wg_route(lab->dev[from], packet, len), lab->peer[from]);
	return wg_seal(lab->peer[from], lab->now.mono, packet, len, LAB_MTU);
}

void
lab_send(struct lab *lab, enum lab_who from, uint32_t len)
{
	uint8_t datagram[LAB_DATAGRAM], want[LAB_MTU];
	int sealed = lab_seal(lab, from, len, datagram);

	assert_true(sealed > 0);
	assert_int_equal(lab_pass(lab, lab_other(from), datagram, (uint32_t)sealed),
			 WG_KIND_PACKET);
	lab_packet(want, len, from);
	assert_int_equal(lab->received.len, len);
	assert_memory_equal(lab->received.packet, want, len);
}

void
lab_handshake(struct lab *lab, enum lab_who initiator)
{
	enum lab_who responder = lab_other(initiator);
	struct wg_message message;

	wg_timers_want_handshake(lab->peer[initiator], false, lab->now.mono);
	lab_poll_message(lab, initiator, sizeof(struct wg_initiation), &message);
	assert_int_equal(lab_pass(lab, responder, message.bytes, message.len), WG_KIND_CONSUMED);
	message = lab->received.reply;
	assert_int_equal(message.len, sizeof(struct wg_response));
	assert_int_equal(lab_pass(lab, initiator, message.bytes, message.len), WG_KIND_CONSUMED);
	assert_true(lab->received.established);
	message = lab->received.reply;
	assert_int_equal(message.len, WG_HEADER_LEN + WG_TAG_LEN);
	assert_int_equal(lab_pass(lab, responder, message.bytes, message.len), WG_KIND_CONSUMED);
	assert_true(lab->received.established);
	assert_int_equal(lab->received.reply.len, 0);
}

void
lab_state_of(struct lab *lab, enum lab_who who, struct lab_state *state)
{
	const struct wg_peer *peer = lab->peer[who];
	const struct wg_session *const sessions[] = {
		peer->sessions.previous, peer->sessions.current, peer->sessions.next,
	};
	unsigned int i;

	memset(state, 0, sizeof(*state));
	memcpy(&state->dev, lab->dev[who], sizeof(state->dev));
	memset(state->dev.stats.refused, 0, sizeof(state->dev.stats.refused));
	memset(&state->dev.load, 0, sizeof(state->dev.load));
	memcpy(&state->peer, peer, sizeof(state->peer));
	for (i = 0; i < 3; i++)
		if (sessions[i] != NULL)
			memcpy(&state->session[i], sessions[i], sizeof(state->session[i]));
	memcpy(state->entries, lab->dev[who]->indices.entries, sizeof(state->entries));
}

uint64_t
lab_refused(const struct lab *lab, enum lab_who who)
{
	const struct wg_stats *stats = wg_device_stats(lab->dev[who]);
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < WG_NB_REFUSALS; i++)
		sum += stats->refused[i];
	return sum;
}

void
lab_assert_refused(struct lab *lab, enum lab_who to, const void *datagram, uint32_t len,
		   enum wg_refusal why)
{
	static struct lab_state before, after;
	uint64_t count = wg_device_stats(lab->dev[to])->refused[why];
	uint64_t refused = lab_refused(lab, to);

	lab_state_of(lab, to, &before);
	assert_int_equal(lab_pass(lab, to, datagram, len), WG_KIND_REFUSED);
	if (lab->received.why != why)
		fail_msg("refused as '%s', not as '%s'", wg_refusal_name(lab->received.why),
			 wg_refusal_name(why));
	assert_int_equal(wg_device_stats(lab->dev[to])->refused[why], count + 1);
	assert_int_equal(lab_refused(lab, to), refused + 1);
	assert_int_equal(lab->received.reply.len, 0);
	assert_false(lab->received.established);
	if (why == WG_REFUSAL_INNER || why == WG_REFUSAL_SOURCE)
		return;
	lab_state_of(lab, to, &after);
	assert_memory_equal(&before, &after, sizeof(before));
}
