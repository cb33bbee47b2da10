/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <string.h>

#include "wg_lab.h"

/* An initiation of Alice's that nobody has seen yet. */
static void
initiation(struct lab *lab, struct wg_message *message)
{
	wg_timers_want_handshake(lab->peer[ALICE], false, lab->now.mono);
	lab_poll_message(lab, ALICE, sizeof(struct wg_initiation), message);
}

/* Alice has sent one, and this is Bob's answer. */
static void
response(struct lab *lab, struct wg_message *message)
{
	initiation(lab, message);
	assert_int_equal(lab_pass(lab, BOB, message->bytes, message->len), WG_KIND_CONSUMED);
	*message = lab->received.reply;
}

/* mac1 needs a public key alone: make it right again, as anybody can who means us. */
static void
mend_mac1(struct lab *lab, enum lab_who to, uint8_t *bytes, uint32_t len)
{
	uint32_t off = len - (uint32_t)sizeof(struct wg_macs);

	assert_true(wg_mac(bytes + off, lab->dev[to]->checker.keys.mac1, WG_HASH_LEN, bytes, off));
}

static void
either_one_begins_with_and_without_a_preshared_key(void **state)
{
	const struct lab_options options = { .psk = true };
	struct lab lab;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		lab_init(&lab, i & 1 ? &options : NULL);
		lab_handshake(&lab, ALICE);
		lab_send(&lab, ALICE, 100);
		lab_send(&lab, BOB, LAB_MTU);
		lab_sleep(&lab, 6 * WG_SECOND);
		if (i & 2) {
			lab_handshake(&lab, BOB);
			lab_send(&lab, BOB, 100);
			lab_send(&lab, ALICE, 21);
		}
		assert_int_equal(lab_refused(&lab, ALICE) + lab_refused(&lab, BOB), 0);
		lab_free(&lab);
	}
}

static void
another_preshared_key_does_not_do(void **state)
{
	struct wg_message message;
	struct lab lab;

	lab_init(&lab, NULL);
	lab.peer[BOB]->remote.preshared_key[31] ^= 1;
	response(&lab, &message);
	lab_assert_refused(&lab, ALICE, message.bytes, message.len, WG_REFUSAL_HANDSHAKE);
	lab_free(&lab);
}

static void
a_session_is_the_initiators_first_and_the_responders_when_confirmed(void **state)
{
	uint8_t datagram[LAB_DATAGRAM];
	struct wg_message message;
	struct lab lab;

	lab_init(&lab, NULL);
	response(&lab, &message);
	assert_false(wg_peer_ready(lab.peer[BOB], lab.now.mono));
	assert_int_equal(lab_seal(&lab, BOB, 60, datagram), -EAGAIN);
	lab_pass(&lab, ALICE, message.bytes, message.len);
	assert_true(wg_peer_ready(lab.peer[ALICE], lab.now.mono));
	/* The keepalive is lost, data does as well. */
	lab_send(&lab, ALICE, 60);
	assert_true(lab.received.established);
	lab_send(&lab, BOB, 60);
	assert_false(lab.received.established);
	/* And Bob's own wish for a handshake is over. */
	lab_sleep(&lab, 6 * WG_SECOND);
	assert_int_equal(lab_poll(&lab, BOB, &message), WG_POLL_IDLE);
	lab_free(&lab);
}

static void
both_at_once_end_in_a_session(void **state)
{
	struct wg_message of_alice, of_bob, answer;
	struct lab lab;

	lab_init(&lab, NULL);
	lab_handshake(&lab, ALICE);
	lab_sleep(&lab, 6 * WG_SECOND);
	initiation(&lab, &of_alice);
	wg_timers_want_handshake(lab.peer[BOB], false, lab.now.mono);
	lab_poll_message(&lab, BOB, sizeof(struct wg_initiation), &of_bob);
	lab_pass(&lab, ALICE, of_bob.bytes, of_bob.len);
	answer = lab.received.reply;
	lab_pass(&lab, BOB, of_alice.bytes, of_alice.len);
	of_alice = lab.received.reply;
	lab_pass(&lab, BOB, answer.bytes, answer.len);
	lab_pass(&lab, ALICE, of_alice.bytes, of_alice.len);
	lab_send(&lab, ALICE, 60);
	lab_send(&lab, BOB, 60);
	lab_send(&lab, ALICE, 60);
	assert_int_equal(lab_refused(&lab, ALICE) + lab_refused(&lab, BOB), 0);
	lab_free(&lab);
}

static void
the_session_before_still_receives(void **state)
{
	uint8_t late[LAB_DATAGRAM];
	struct lab lab;
	int len;

	lab_init(&lab, NULL);
	lab_handshake(&lab, ALICE);
	len = lab_seal(&lab, ALICE, 60, late);
	lab_sleep(&lab, 6 * WG_SECOND);
	lab_handshake(&lab, ALICE);
	assert_int_equal(lab_pass(&lab, BOB, late, (uint32_t)len), WG_KIND_PACKET);
	len = lab_seal(&lab, BOB, 60, late);
	lab_sleep(&lab, 6 * WG_SECOND);
	lab_handshake(&lab, ALICE);
	assert_int_equal(lab_pass(&lab, ALICE, late, (uint32_t)len), WG_KIND_PACKET);
	lab_sleep(&lab, 6 * WG_SECOND);
	lab_handshake(&lab, ALICE);
	lab_assert_refused(&lab, ALICE, late, (uint32_t)len, WG_REFUSAL_NO_SESSION);
	lab_free(&lab);
}

static void
an_initiation_counts_once_and_forwards(void **state)
{
	struct wg_message first, second;
	struct lab lab;

	lab_init(&lab, NULL);
	initiation(&lab, &first);
	lab_sleep(&lab, 6 * WG_SECOND);
	initiation(&lab, &second);
	assert_int_equal(lab_pass(&lab, BOB, second.bytes, second.len), WG_KIND_CONSUMED);
	lab_sleep(&lab, WG_SECOND);
	lab_assert_refused(&lab, BOB, second.bytes, second.len, WG_REFUSAL_OLD_INITIATION);
	lab_assert_refused(&lab, BOB, first.bytes, first.len, WG_REFUSAL_OLD_INITIATION);
	lab_free(&lab);
}

static void
a_peer_gets_fifty_answers_a_second(void **state)
{
	struct wg_message message;
	struct lab lab;

	lab_init(&lab, NULL);
	initiation(&lab, &message);
	lab_pass(&lab, BOB, message.bytes, message.len);
	lab.now.wall += WG_SECOND;
	assert_true(wg_handshake_initiate(lab.peer[ALICE], &lab.now, &message));
	lab.now.mono += WG_SECOND / 50 - 1;
	lab_assert_refused(&lab, BOB, message.bytes, message.len, WG_REFUSAL_RATE);
	lab.now.mono += 1;
	assert_int_equal(lab_pass(&lab, BOB, message.bytes, message.len), WG_KIND_CONSUMED);
	lab_free(&lab);
}

static void
an_unknown_key_is_refused(void **state)
{
	struct wg_message message;
	struct lab lab;

	lab_init(&lab, NULL);
	lab.peer[BOB]->remote.public_key[0] ^= 1;
	initiation(&lab, &message);
	lab_assert_refused(&lab, BOB, message.bytes, message.len, WG_REFUSAL_UNKNOWN_PEER);
	lab_free(&lab);
}

/* Whoever knows a public key can pretend to be its owner, but for the proof in the timestamp. */
static void
a_stolen_public_key_is_refused(void **state)
{
	struct wg_message message;
	struct lab lab;

	lab_init(&lab, NULL);
	lab.peer[ALICE]->remote.static_static[5] ^= 1;
	initiation(&lab, &message);
	lab_assert_refused(&lab, BOB, message.bytes, message.len, WG_REFUSAL_HANDSHAKE);
	lab_free(&lab);
}

static void
a_message_for_someone_else_is_refused(void **state)
{
	struct wg_message message;
	struct lab lab, other;

	lab_init(&lab, NULL);
	lab_init(&other, NULL);
	initiation(&other, &message);
	lab_assert_refused(&lab, BOB, message.bytes, message.len, WG_REFUSAL_MAC1);
	response(&lab, &message);
	lab_assert_refused(&other, ALICE, message.bytes, message.len, WG_REFUSAL_MAC1);
	mend_mac1(&other, ALICE, message.bytes, message.len);
	lab_assert_refused(&other, ALICE, message.bytes, message.len, WG_REFUSAL_NO_INITIATION);
	lab_free(&other);
	lab_free(&lab);
}

static void
a_response_counts_once(void **state)
{
	struct wg_message message;
	struct lab lab;

	lab_init(&lab, NULL);
	response(&lab, &message);
	assert_int_equal(lab_pass(&lab, ALICE, message.bytes, message.len), WG_KIND_CONSUMED);
	lab_assert_refused(&lab, ALICE, message.bytes, message.len, WG_REFUSAL_NO_INITIATION);
	lab_free(&lab);
}

static void
ephemeral_keys_of_low_order_are_refused(void **state)
{
	static const uint8_t low[][WG_KEY_LEN] = {
		{ 0 },
		{ 1 },
		{ 0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1,
		  0x9f, 0xc4, 0x6a, 0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62,
		  0x05, 0x16, 0x5f, 0x49, 0xb8, 0x00 },
	};
	struct wg_message first, answer;
	struct wg_initiation *initial = (struct wg_initiation *)first.bytes;
	struct wg_response *responding = (struct wg_response *)answer.bytes;
	struct lab lab;
	unsigned int i;

	lab_init(&lab, NULL);
	response(&lab, &answer);
	lab_sleep(&lab, WG_SECOND);
	for (i = 0; i < RTE_DIM(low); i++) {
		memcpy(responding->ephemeral, low[i], WG_KEY_LEN);
		mend_mac1(&lab, ALICE, answer.bytes, answer.len);
		lab_assert_refused(&lab, ALICE, answer.bytes, answer.len, WG_REFUSAL_HANDSHAKE);
	}
	lab_sleep(&lab, 6 * WG_SECOND);
	initiation(&lab, &first);
	for (i = 0; i < RTE_DIM(low); i++) {
		memcpy(initial->ephemeral, low[i], WG_KEY_LEN);
		mend_mac1(&lab, BOB, first.bytes, first.len);
		lab_assert_refused(&lab, BOB, first.bytes, first.len, WG_REFUSAL_HANDSHAKE);
	}
	lab_free(&lab);
}

static void
a_handshake_is_zeroed_when_it_is_over(void **state)
{
	static const struct wg_handshake nothing;
	struct wg_message message;
	struct lab lab;

	lab_init(&lab, NULL);
	response(&lab, &message);
	assert_memory_not_equal(&lab.peer[ALICE]->handshake, &nothing, sizeof(nothing));
	lab_pass(&lab, ALICE, message.bytes, message.len);
	/* As soon as they are of no use any more. */
	assert_memory_equal(&lab.peer[ALICE]->handshake, &nothing, sizeof(nothing));
	lab_free(&lab);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(either_one_begins_with_and_without_a_preshared_key),
		cmocka_unit_test(another_preshared_key_does_not_do),
		cmocka_unit_test(
			a_session_is_the_initiators_first_and_the_responders_when_confirmed),
		cmocka_unit_test(both_at_once_end_in_a_session),
		cmocka_unit_test(the_session_before_still_receives),
		cmocka_unit_test(an_initiation_counts_once_and_forwards),
		cmocka_unit_test(a_peer_gets_fifty_answers_a_second),
		cmocka_unit_test(an_unknown_key_is_refused),
		cmocka_unit_test(a_stolen_public_key_is_refused),
		cmocka_unit_test(a_message_for_someone_else_is_refused),
		cmocka_unit_test(a_response_counts_once),
		cmocka_unit_test(ephemeral_keys_of_low_order_are_refused),
		cmocka_unit_test(a_handshake_is_zeroed_when_it_is_over),
	};

	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
