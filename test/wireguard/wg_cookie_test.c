/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include "wg_lab.h"

static struct lab lab;

static int
setup(void **state)
{
	lab_init(&lab, NULL);
	wg_device_set_under_load(lab.dev[BOB], true);
	return 0;
}

static int
teardown(void **state)
{
	lab_free(&lab);
	return 0;
}

/* The next initiation of Alice's, some seconds after the last one. */
static void
initiate(struct wg_message *message)
{
	lab_sleep(&lab, 6 * WG_SECOND);
	wg_timers_want_handshake(lab.peer[ALICE], true, lab.now.mono);
	lab_poll_message(&lab, ALICE, sizeof(struct wg_initiation), message);
}

static void
assert_answered(enum lab_who who, const struct wg_message *message, uint32_t len)
{
	assert_int_equal(lab_pass(&lab, who, message->bytes, message->len), WG_KIND_CONSUMED);
	assert_int_equal(lab.received.reply.len, len);
	assert_memory_equal(lab.received.reply.to.addr.bytes, lab.place[lab_other(who)].addr.bytes,
			    16);
}

/* Bob gives Alice a cookie. */
static void
get_cookie(struct wg_message *initiation, struct wg_message *reply)
{
	initiate(initiation);
	assert_answered(BOB, initiation, sizeof(struct wg_cookie_reply));
	*reply = lab.received.reply;
	assert_int_equal(lab_pass(&lab, ALICE, reply->bytes, reply->len), WG_KIND_CONSUMED);
	assert_int_equal(lab.received.reply.len, 0);
}

static void
under_load_an_initiation_needs_a_cookie(void **state)
{
	struct wg_message initiation, reply;

	get_cookie(&initiation, &reply);
	assert_null(reply.peer);
	assert_int_equal(wg_device_stats(lab.dev[BOB])->cookies_sent, 1);
	assert_int_equal(wg_device_stats(lab.dev[BOB])->initiations_received, 0);
	assert_int_equal(wg_device_stats(lab.dev[ALICE])->cookies_received, 1);
	/* A cookie is no reason to hurry: that would make it a means of amplification. */
	assert_int_equal(lab_poll(&lab, ALICE, &reply), WG_POLL_IDLE);

	initiate(&initiation);
	assert_answered(BOB, &initiation, sizeof(struct wg_response));
}

static void
under_load_a_response_needs_a_cookie_as_well(void **state)
{
	struct wg_message message;

	wg_device_set_under_load(lab.dev[BOB], false);
	wg_device_set_under_load(lab.dev[ALICE], true);
	initiate(&message);
	assert_answered(BOB, &message, sizeof(struct wg_response));
	message = lab.received.reply;
	assert_answered(ALICE, &message, sizeof(struct wg_cookie_reply));
	message = lab.received.reply;
	assert_int_equal(lab_pass(&lab, BOB, message.bytes, message.len), WG_KIND_CONSUMED);
	initiate(&message);
	assert_answered(BOB, &message, sizeof(struct wg_response));
	message = lab.received.reply;
	assert_answered(ALICE, &message, WG_HEADER_LEN + WG_TAG_LEN);
	lab_send(&lab, ALICE, 60);
}

static void
a_cookie_is_good_for_one_address_and_port(void **state)
{
	struct wg_endpoint home = lab.place[ALICE];
	struct wg_message initiation, reply;

	get_cookie(&initiation, &reply);
	initiate(&initiation);
	lab.place[ALICE].port++;
	assert_answered(BOB, &initiation, sizeof(struct wg_cookie_reply));
	lab.place[ALICE] = home;
	lab.place[ALICE].addr.bytes[3]++;
	assert_answered(BOB, &initiation, sizeof(struct wg_cookie_reply));
	lab.place[ALICE] = home;
	assert_answered(BOB, &initiation, sizeof(struct wg_response));
}

static void
a_cookie_is_good_for_two_minutes(void **state)
{
	struct wg_message initiation, reply;

	get_cookie(&initiation, &reply);
	lab_sleep(&lab, 103 * WG_SECOND);
	initiate(&initiation);
	assert_answered(BOB, &initiation, sizeof(struct wg_response));
	/* Alice does not use it any more, for fear of being late. */
	initiate(&initiation);
	assert_memory_equal(((struct wg_initiation *)initiation.bytes)->macs.mac2,
			    (const uint8_t[WG_MAC_LEN]){ 0 }, WG_MAC_LEN);
	/* And if she does, it is of no use. */
	lab.peer[ALICE]->jar.cookie_birth = lab.now.mono;
	initiate(&initiation);
	assert_memory_not_equal(((struct wg_initiation *)initiation.bytes)->macs.mac2,
				(const uint8_t[WG_MAC_LEN]){ 0 }, WG_MAC_LEN);
	assert_answered(BOB, &initiation, sizeof(struct wg_cookie_reply));
}

static void
a_wrong_mac2_is_no_cookie(void **state)
{
	struct wg_message initiation, reply;
	unsigned int i;

	get_cookie(&initiation, &reply);
	initiate(&initiation);
	for (i = sizeof(struct wg_initiation) - WG_MAC_LEN; i < sizeof(struct wg_initiation); i++) {
		initiation.bytes[i] ^= 0x40;
		assert_answered(BOB, &initiation, sizeof(struct wg_cookie_reply));
		initiation.bytes[i] ^= 0x40;
	}
	assert_answered(BOB, &initiation, sizeof(struct wg_response));
}

static void
a_bad_mac1_gets_no_cookie(void **state)
{
	struct wg_message initiation;

	initiate(&initiation);
	initiation.bytes[20] ^= 1;
	lab_assert_refused(&lab, BOB, initiation.bytes, initiation.len, WG_REFUSAL_MAC1);
}

static void
a_cookie_reply_counts_once_and_for_the_last_message(void **state)
{
	struct wg_message initiation, reply;

	get_cookie(&initiation, &reply);
	lab_assert_refused(&lab, ALICE, reply.bytes, reply.len, WG_REFUSAL_COOKIE);
	initiate(&initiation);
	lab_assert_refused(&lab, ALICE, reply.bytes, reply.len, WG_REFUSAL_NO_INITIATION);
	/* Even with the right index. */
	memcpy(reply.bytes + 4, initiation.bytes + 4, 4);
	lab_assert_refused(&lab, ALICE, reply.bytes, reply.len, WG_REFUSAL_COOKIE);
}

static void
a_source_with_a_cookie_gets_twenty_answers_a_second(void **state)
{
	struct wg_message initiation, reply;
	uint64_t accepted = 0;
	unsigned int i;

	get_cookie(&initiation, &reply);
	/* An initiation that is old costs the most that can be had without a key. */
	initiate(&initiation);
	assert_answered(BOB, &initiation, sizeof(struct wg_response));
	for (i = 0; i < 1000; i++) {
		lab_sleep(&lab, WG_SECOND / 100);
		assert_int_equal(lab_pass(&lab, BOB, initiation.bytes, initiation.len),
				 WG_KIND_REFUSED);
		accepted += lab.received.why == WG_REFUSAL_OLD_INITIATION;
	}
	assert_in_range(accepted, 10 * WG_LOAD_PER_SECOND, 10 * WG_LOAD_PER_SECOND + WG_LOAD_BURST);
}

static void
one_source_is_not_made_to_wait_for_another(void **state)
{
	static struct wg_load load; /* its hash key is all 0, so that who shares what is certain */
	const struct wg_addr ipv4 = { 4, { 192, 0, 2, 1 } }, other = { 4, { 192, 0, 2, 2 } };
	struct wg_addr ipv6 = { 16, { 0x20, 0x01, 0x0d, 0xb8 } };
	unsigned int i;

	for (i = 0; i < WG_LOAD_BURST; i++) {
		assert_true(wg_load_allows(&load, &ipv4, WG_SECOND));
		assert_true(wg_load_allows(&load, &ipv6, WG_SECOND));
	}
	assert_false(wg_load_allows(&load, &ipv4, WG_SECOND));
	assert_true(wg_load_allows(&load, &other, WG_SECOND));
	/* A host has all of its network's 64 bits. */
	ipv6.bytes[8] = 1;
	assert_false(wg_load_allows(&load, &ipv6, WG_SECOND));
	ipv6.bytes[7] = 1;
	assert_true(wg_load_allows(&load, &ipv6, WG_SECOND));
}

static void
many_messages_are_a_load(void **state)
{
	struct wg_message initiation;
	unsigned int i;

	wg_device_set_under_load(lab.dev[BOB], false);
	initiate(&initiation);
	lab_pass(&lab, BOB, initiation.bytes, initiation.len);
	for (i = 1; i < WG_LOAD_MESSAGES; i++)
		lab_assert_refused(&lab, BOB, initiation.bytes, initiation.len,
				   WG_REFUSAL_OLD_INITIATION);
	assert_answered(BOB, &initiation, sizeof(struct wg_cookie_reply));
	lab_sleep(&lab, WG_SECOND - 1);
	assert_answered(BOB, &initiation, sizeof(struct wg_cookie_reply));
	/* The second after one that was, too, but not the one after that. */
	lab_sleep(&lab, 1);
	assert_answered(BOB, &initiation, sizeof(struct wg_cookie_reply));
	lab_sleep(&lab, WG_SECOND);
	lab_assert_refused(&lab, BOB, initiation.bytes, initiation.len, WG_REFUSAL_OLD_INITIATION);
	/* Nor any later one. */
	for (i = 1; i < WG_LOAD_MESSAGES; i++)
		lab_assert_refused(&lab, BOB, initiation.bytes, initiation.len,
				   WG_REFUSAL_OLD_INITIATION);
	assert_answered(BOB, &initiation, sizeof(struct wg_cookie_reply));
	lab_sleep(&lab, 2 * WG_SECOND);
	lab_assert_refused(&lab, BOB, initiation.bytes, initiation.len, WG_REFUSAL_OLD_INITIATION);
	/* A bad mac1 is none: everybody can make those. */
	lab_sleep(&lab, 5 * WG_SECOND);
	initiation.bytes[20] ^= 1;
	for (i = 0; i < 2 * WG_LOAD_MESSAGES; i++)
		lab_assert_refused(&lab, BOB, initiation.bytes, initiation.len, WG_REFUSAL_MAC1);
	initiation.bytes[20] ^= 1;
	lab_assert_refused(&lab, BOB, initiation.bytes, initiation.len, WG_REFUSAL_OLD_INITIATION);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(under_load_an_initiation_needs_a_cookie),
		CASE(under_load_a_response_needs_a_cookie_as_well),
		CASE(a_cookie_is_good_for_one_address_and_port),
		CASE(a_cookie_is_good_for_two_minutes),
		CASE(a_wrong_mac2_is_no_cookie),
		CASE(a_bad_mac1_gets_no_cookie),
		CASE(a_cookie_reply_counts_once_and_for_the_last_message),
		CASE(a_source_with_a_cookie_gets_twenty_answers_a_second),
		cmocka_unit_test(one_source_is_not_made_to_wait_for_another),
		CASE(many_messages_are_a_load),
	};

	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
