/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <string.h>

#include "wg_lab.h"

#define KEEPALIVE_LEN  (WG_HEADER_LEN + WG_TAG_LEN)
#define INITIATION_LEN ((uint32_t)sizeof(struct wg_initiation))

static struct lab lab;

static int
setup(void **state)
{
	lab_init(&lab, NULL);
	return 0;
}

static int
teardown(void **state)
{
	lab_free(&lab);
	return 0;
}

static void
assert_idle(enum lab_who who)
{
	struct wg_message message;

	assert_int_equal(lab_poll(&lab, who, &message), WG_POLL_IDLE);
}

/* Nothing happens before, and that message is sent then, or up to the jitter later. */
static void
assert_sends_at(enum lab_who who, uint64_t mono, bool jitter, uint32_t len)
{
	struct wg_message message;

	lab.now.mono = mono - 1;
	assert_idle(who);
	lab.now.mono = mono + (jitter ? WG_JITTER : 0);
	lab_poll_message(&lab, who, len, &message);
}

/* One that nobody receives. */
static void
send_into_the_void(enum lab_who from)
{
	uint8_t datagram[LAB_DATAGRAM];

	assert_true(lab_seal(&lab, from, 60, datagram) > 0);
}

static void
an_unanswered_initiation_is_repeated_for_90_seconds(void **state)
{
	uint8_t datagram[LAB_DATAGRAM];
	struct wg_message message, before;
	uint64_t began = lab.now.mono, sent = 0;
	unsigned int nb = 0;
	enum wg_poll what;

	assert_int_equal(lab_seal(&lab, ALICE, 60, datagram), -EAGAIN);
	while ((what = lab_poll(&lab, ALICE, &message)) != WG_POLL_GAVE_UP) {
		if (what == WG_POLL_IDLE) {
			lab.now.mono = wg_deadline(lab.dev[ALICE]);
			continue;
		}
		assert_int_equal(message.len, INITIATION_LEN);
		if (nb++ > 0) {
			assert_in_range(lab.now.mono - sent, WG_REKEY_TIMEOUT,
					WG_REKEY_TIMEOUT + WG_JITTER);
			/* Another ephemeral key and another index. */
			assert_memory_not_equal(message.bytes + 4, before.bytes + 4, 4);
			assert_memory_not_equal(message.bytes + 8, before.bytes + 8, WG_KEY_LEN);
		}
		sent = lab.now.mono;
		before = message;
	}
	assert_ptr_equal(message.peer, lab.peer[ALICE]);
	assert_in_range(nb, 17, 18);
	assert_in_range(lab.now.mono - began, WG_REKEY_ATTEMPT_TIME, 96 * WG_SECOND);
	assert_int_equal(wg_device_stats(lab.dev[ALICE])->attempts_given_up, 1);
	assert_int_equal(wg_device_stats(lab.dev[ALICE])->initiations_sent, nb);
	assert_idle(ALICE);
	/* Data begins anew. */
	assert_int_equal(lab_seal(&lab, ALICE, 60, datagram), -EAGAIN);
	lab_poll_message(&lab, ALICE, INITIATION_LEN, &message);
}

static void
data_that_waits_makes_an_attempt_longer(void **state)
{
	uint8_t datagram[LAB_DATAGRAM];
	uint64_t began = lab.now.mono;
	struct wg_message message;
	enum wg_poll what;

	assert_int_equal(lab_seal(&lab, ALICE, 60, datagram), -EAGAIN);
	while ((what = lab_poll(&lab, ALICE, &message)) != WG_POLL_GAVE_UP) {
		if (what == WG_POLL_IDLE)
			lab.now.mono = wg_deadline(lab.dev[ALICE]);
		else if (lab.now.mono - began < 60 * WG_SECOND)
			assert_int_equal(lab_seal(&lab, ALICE, 60, datagram), -EAGAIN);
	}
	assert_in_range(lab.now.mono - began, 144 * WG_SECOND, 156 * WG_SECOND);
}

static void
initiations_are_5_seconds_apart(void **state)
{
	struct wg_message message;
	uint64_t sent = lab.now.mono;

	lab_handshake(&lab, ALICE);
	lab_sleep(&lab, WG_SECOND);
	wg_timers_want_handshake(lab.peer[ALICE], false, lab.now.mono);
	assert_idle(ALICE);
	wg_timers_want_handshake(lab.peer[ALICE], true, lab.now.mono);
	assert_sends_at(ALICE, sent + WG_REKEY_TIMEOUT, false, INITIATION_LEN);
	assert_int_equal(lab_poll(&lab, ALICE, &message), WG_POLL_IDLE);
}

static void
who_only_receives_sends_a_keepalive_after_10_seconds(void **state)
{
	uint64_t received;

	lab_handshake(&lab, ALICE);
	lab_send(&lab, ALICE, 60);
	received = lab.now.mono;
	assert_sends_at(BOB, received + WG_KEEPALIVE_TIMEOUT, false, KEEPALIVE_LEN);
	assert_int_equal(wg_device_stats(lab.dev[BOB])->keepalives_sent, 1);
	lab_sleep(&lab, 40 * WG_SECOND);
	assert_idle(BOB);
}

static void
more_data_meanwhile_brings_a_second_keepalive(void **state)
{
	uint64_t received;

	lab_handshake(&lab, ALICE);
	lab_send(&lab, ALICE, 60);
	received = lab.now.mono;
	lab_sleep(&lab, 3 * WG_SECOND);
	lab_send(&lab, ALICE, 60);
	assert_sends_at(BOB, received + WG_KEEPALIVE_TIMEOUT, false, KEEPALIVE_LEN);
	assert_sends_at(BOB, received + 2 * WG_KEEPALIVE_TIMEOUT, false, KEEPALIVE_LEN);
	lab_sleep(&lab, 40 * WG_SECOND);
	assert_idle(BOB);
}

static void
who_answers_sends_no_keepalive(void **state)
{
	lab_handshake(&lab, ALICE);
	lab_send(&lab, ALICE, 60);
	lab_sleep(&lab, 9 * WG_SECOND);
	lab_send(&lab, ALICE, 60);
	lab_send(&lab, BOB, 60);
	lab_sleep(&lab, 2 * WG_SECOND);
	assert_idle(BOB);
}

static void
a_keepalive_is_not_answered(void **state)
{
	struct wg_message message;

	lab_handshake(&lab, ALICE);
	assert_true(wg_keepalive(lab.peer[ALICE], lab.now.mono, &message));
	lab_pass(&lab, BOB, message.bytes, message.len);
	lab_sleep(&lab, 100 * WG_SECOND);
	assert_idle(BOB);
}

static void
silence_after_data_begins_a_handshake(void **state)
{
	uint64_t sent;

	lab_handshake(&lab, ALICE);
	lab_sleep(&lab, 10 * WG_SECOND);
	sent = lab.now.mono;
	send_into_the_void(ALICE);
	lab_sleep(&lab, 8 * WG_SECOND);
	send_into_the_void(ALICE);
	assert_sends_at(ALICE, sent + WG_KEEPALIVE_TIMEOUT + WG_REKEY_TIMEOUT, true,
			INITIATION_LEN);
}

static void
any_answer_is_no_silence(void **state)
{
	struct wg_message message;

	lab_handshake(&lab, ALICE);
	send_into_the_void(ALICE);
	lab_sleep(&lab, 14 * WG_SECOND);
	assert_true(wg_keepalive(lab.peer[BOB], lab.now.mono, &message));
	lab_pass(&lab, ALICE, message.bytes, message.len);
	lab_sleep(&lab, 30 * WG_SECOND);
	assert_idle(ALICE);
}

static void
the_initiator_rekeys_after_120_seconds_when_it_sends(void **state)
{
	lab_handshake(&lab, ALICE);
	lab_sleep(&lab, WG_REKEY_AFTER_TIME - 1);
	lab_send(&lab, ALICE, 60);
	lab_send(&lab, BOB, 60);
	assert_idle(ALICE);
	lab_sleep(&lab, 1);
	lab_send(&lab, BOB, 60);
	assert_idle(ALICE);
	assert_idle(BOB);
	lab_send(&lab, ALICE, 60);
	assert_idle(BOB);
	assert_sends_at(ALICE, lab.now.mono, false, INITIATION_LEN);
	/* The old session serves until there is another one. */
	lab_send(&lab, ALICE, 60);
	assert_idle(ALICE);
}

static void
the_initiator_rekeys_after_165_seconds_when_it_receives(void **state)
{
	struct wg_message message;

	lab_handshake(&lab, ALICE);
	lab_sleep(&lab, 165 * WG_SECOND - 1);
	lab_send(&lab, BOB, 60);
	assert_idle(ALICE);
	lab_sleep(&lab, 1);
	lab_send(&lab, BOB, 60);
	lab_poll_message(&lab, ALICE, INITIATION_LEN, &message);
	lab_send(&lab, BOB, 60);
	assert_idle(ALICE);
}

static void
a_session_ends_after_180_seconds_in_both_directions(void **state)
{
	uint8_t datagram[LAB_DATAGRAM], last[LAB_DATAGRAM];
	struct wg_message message;
	int len;

	lab_handshake(&lab, ALICE);
	lab_sleep(&lab, WG_REJECT_AFTER_TIME - 1);
	lab_send(&lab, BOB, 60);
	len = lab_seal(&lab, BOB, 60, last);
	lab_sleep(&lab, 1);
	lab_assert_refused(&lab, ALICE, last, (uint32_t)len, WG_REFUSAL_EXPIRED);
	assert_false(wg_peer_ready(lab.peer[BOB], lab.now.mono));
	assert_int_equal(lab_seal(&lab, BOB, 60, datagram), -EAGAIN);
	lab_poll_message(&lab, BOB, INITIATION_LEN, &message);
}

static void
keys_are_zeroed_after_540_seconds(void **state)
{
	lab_handshake(&lab, ALICE);
	lab_sleep(&lab, 3 * WG_REJECT_AFTER_TIME - 1);
	assert_idle(ALICE);
	assert_non_null(lab.peer[ALICE]->sessions.current);
	lab_sleep(&lab, 1);
	assert_idle(ALICE);
	assert_null(lab.peer[ALICE]->sessions.current);
	assert_int_equal(wg_deadline(lab.dev[ALICE]), UINT64_MAX);
}

static void
messages_are_counted_out(void **state)
{
	struct wg_session *session;
	uint8_t datagram[LAB_DATAGRAM];
	struct wg_message message;
	int len;

	lab_handshake(&lab, ALICE);
	lab_sleep(&lab, 10 * WG_SECOND);
	session = lab.peer[BOB]->sessions.current;
	session->send_counter = WG_REKEY_AFTER_MESSAGES - 1;
	lab_send(&lab, BOB, 60);
	assert_idle(BOB);
	/* After so many the responder asks for a new session, too. */
	lab_send(&lab, BOB, 60);
	lab_poll_message(&lab, BOB, INITIATION_LEN, &message);

	session->send_counter = WG_REJECT_AFTER_MESSAGES - 1;
	lab_send(&lab, BOB, 60);
	assert_int_equal(lab_seal(&lab, BOB, 60, datagram), -EAGAIN);
	len = lab_seal(&lab, ALICE, 60, datagram);
	memset(datagram + 8, 0xff, 8);
	lab_assert_refused(&lab, BOB, datagram, (uint32_t)len, WG_REFUSAL_EXPIRED);
}

static void
a_persistent_keepalive_keeps_on(void **state)
{
	const struct lab_options options = { .keepalive = 25 };
	struct wg_message message;
	uint64_t last;

	lab_free(&lab);
	lab_init(&lab, &options);
	/* At once, for whoever knows where to. */
	lab_poll_message(&lab, ALICE, INITIATION_LEN, &message);
	assert_idle(BOB);
	lab_sleep(&lab, 6 * WG_SECOND);
	lab_handshake(&lab, ALICE);
	last = lab.now.mono;
	assert_sends_at(ALICE, last + 25 * WG_SECOND, false, KEEPALIVE_LEN);
	assert_sends_at(ALICE, last + 50 * WG_SECOND, false, KEEPALIVE_LEN);
	/* Whatever is sent does instead. */
	lab_sleep(&lab, 20 * WG_SECOND);
	lab_send(&lab, ALICE, 60);
	lab_send(&lab, BOB, 60);
	last = lab.now.mono;
	lab.now.mono = last + WG_KEEPALIVE_TIMEOUT;
	lab_poll_message(&lab, ALICE, KEEPALIVE_LEN, &message);
	assert_sends_at(ALICE, last + 35 * WG_SECOND, false, KEEPALIVE_LEN);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(an_unanswered_initiation_is_repeated_for_90_seconds),
		CASE(data_that_waits_makes_an_attempt_longer),
		CASE(initiations_are_5_seconds_apart),
		CASE(who_only_receives_sends_a_keepalive_after_10_seconds),
		CASE(more_data_meanwhile_brings_a_second_keepalive),
		CASE(who_answers_sends_no_keepalive),
		CASE(a_keepalive_is_not_answered),
		CASE(silence_after_data_begins_a_handshake),
		CASE(any_answer_is_no_silence),
		CASE(the_initiator_rekeys_after_120_seconds_when_it_sends),
		CASE(the_initiator_rekeys_after_165_seconds_when_it_receives),
		CASE(a_session_ends_after_180_seconds_in_both_directions),
		CASE(keys_are_zeroed_after_540_seconds),
		CASE(messages_are_counted_out),
		CASE(a_persistent_keepalive_keeps_on),
	};

	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
