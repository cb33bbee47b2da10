/* SPDX-License-Identifier: BSD-3-Clause */

/* Every message cut at every length, and with every bit flipped. What must not change is compared
 * by lab_assert_refused().
 */

#include <stddef.h>
#include <string.h>

#include "wg_lab.h"

static struct harness_rng rng;

/* One message of each type, of which the receiver has seen none. */
struct specimen {
	const char *name;
	enum lab_who to;
	uint32_t len;
	uint8_t bytes[LAB_DATAGRAM];
};

enum { INITIATION, RESPONSE, COOKIE, DATA, KEEPALIVE, NB_SPECIMENS };

static void
keep(struct specimen *specimen, const char *name, enum lab_who to, const struct wg_message *message)
{
	specimen->name = name;
	specimen->to = to;
	specimen->len = message->len;
	memcpy(specimen->bytes, message->bytes, message->len);
}

/* Two sessions' worth: data is of the first, the response and the cookie are of the second. */
static void
collect(struct lab *lab, struct specimen specimens[NB_SPECIMENS])
{
	struct specimen *data = &specimens[DATA];
	struct wg_message message;

	lab_handshake(lab, ALICE);
	data->name = "data";
	data->to = BOB;
	data->len = (uint32_t)lab_seal(lab, ALICE, 90, data->bytes);
	assert_true(wg_keepalive(lab->peer[ALICE], lab->now.mono, &message));
	keep(&specimens[KEEPALIVE], "keepalive", BOB, &message);

	lab_sleep(lab, 6 * WG_SECOND);
	wg_timers_want_handshake(lab->peer[ALICE], false, lab->now.mono);
	lab_poll_message(lab, ALICE, sizeof(struct wg_initiation), &message);
	wg_device_set_under_load(lab->dev[BOB], true);
	lab_pass(lab, BOB, message.bytes, message.len);
	keep(&specimens[COOKIE], "cookie reply", ALICE, &lab->received.reply);
	wg_device_set_under_load(lab->dev[BOB], false);
	lab_pass(lab, BOB, message.bytes, message.len);
	keep(&specimens[RESPONSE], "response", ALICE, &lab->received.reply);

	lab_sleep(lab, 6 * WG_SECOND);
	wg_timers_want_handshake(lab->peer[BOB], false, lab->now.mono);
	lab_poll_message(lab, BOB, sizeof(struct wg_initiation), &message);
	keep(&specimens[INITIATION], "initiation", ALICE, &message);
}

static void
every_length_but_one_is_refused(void **state)
{
	struct specimen specimens[NB_SPECIMENS];
	uint8_t longer[LAB_DATAGRAM + 40];
	struct lab lab;
	uint32_t len;
	int i;

	lab_init(&lab, NULL);
	collect(&lab, specimens);
	for (i = 0; i < NB_SPECIMENS; i++) {
		memset(longer, 0, sizeof(longer));
		memcpy(longer, specimens[i].bytes, specimens[i].len);
		for (len = 0; len < specimens[i].len + 40; len++) {
			if (len == specimens[i].len)
				continue;
			/* Data has no length of its own, and is not what was sealed. */
			lab_assert_refused(&lab, specimens[i].to, longer, len,
				i >= DATA && len >= WG_HEADER_LEN + WG_TAG_LEN ?
				WG_REFUSAL_FORGED : WG_REFUSAL_LENGTH);
		}
	}
	lab_free(&lab);
}

/* Where a flipped bit is found out. */
static enum wg_refusal
what_is_wrong(int specimen, uint32_t at, uint32_t len)
{
	switch (specimen) {
	case INITIATION:
	case RESPONSE:
		/* Not under load, nobody looks at mac2. */
		return at >= len - WG_MAC_LEN ? WG_REFUSAL_NONE : WG_REFUSAL_MAC1;
	case COOKIE:
		return at < 8 ? WG_REFUSAL_NO_INITIATION : WG_REFUSAL_COOKIE;
	default:
		/* One bit makes no counter that is too high. */
		return at < 8 ? WG_REFUSAL_NO_SESSION : WG_REFUSAL_FORGED;
	}
}

static void
every_flipped_bit_is_refused(void **state)
{
	struct specimen specimens[NB_SPECIMENS], *specimen;
	uint32_t at, bit;
	struct lab lab;
	enum wg_refusal why;
	int i;

	lab_init(&lab, NULL);
	collect(&lab, specimens);
	for (i = 0; i < NB_SPECIMENS; i++) {
		specimen = &specimens[i];
		for (at = 4; at < specimen->len; at++) {
			for (bit = 0; bit < 8; bit++) {
				why = what_is_wrong(i, at, specimen->len);
				if (why == WG_REFUSAL_NONE)
					continue;
				specimen->bytes[at] ^= (uint8_t)(1 << bit);
				lab_assert_refused(&lab, specimen->to, specimen->bytes,
						   specimen->len, why);
				specimen->bytes[at] ^= (uint8_t)(1 << bit);
			}
		}
	}
	/* And all of them are good as they were; the last initiation would make the rest old. */
	for (i = NB_SPECIMENS - 1; i >= 0; i--)
		assert_int_not_equal(lab_pass(&lab, specimens[i].to, specimens[i].bytes,
					      specimens[i].len), WG_KIND_REFUSED);
	lab_free(&lab);
}

static void
other_types_are_refused(void **state)
{
	struct specimen specimens[NB_SPECIMENS];
	uint32_t at, bit, type;
	struct lab lab;
	int i;

	lab_init(&lab, NULL);
	collect(&lab, specimens);
	for (i = 0; i < NB_SPECIMENS; i++) {
		for (at = 1; at < 4; at++) {
			for (bit = 0; bit < 8; bit++) {
				specimens[i].bytes[at] ^= (uint8_t)(1 << bit);
				lab_assert_refused(&lab, specimens[i].to, specimens[i].bytes,
						   specimens[i].len, WG_REFUSAL_TYPE);
				specimens[i].bytes[at] ^= (uint8_t)(1 << bit);
			}
		}
		for (type = 0; type < 256; type++) {
			if (type >= 1 && type <= 4)
				continue;
			specimens[i].bytes[0] = (uint8_t)type;
			lab_assert_refused(&lab, specimens[i].to, specimens[i].bytes,
					   specimens[i].len, WG_REFUSAL_TYPE);
		}
	}
	lab_free(&lab);
}

/* With a mac1 that is right, as from someone who knows Bob's public key: one layer further. */
static void
flipped_bits_behind_a_right_mac1_are_refused(void **state)
{
	struct specimen specimens[NB_SPECIMENS], *specimen;
	uint32_t at, macs;
	struct lab lab;
	int i;

	lab_init(&lab, NULL);
	collect(&lab, specimens);
	for (i = INITIATION; i <= RESPONSE; i++) {
		specimen = &specimens[i];
		macs = specimen->len - (uint32_t)sizeof(struct wg_macs);
		/* The sender's index, from 4 to 7, is for the receiver to repeat. */
		for (at = 8; at < macs; at++) {
			specimen->bytes[at] ^= 0x10;
			assert_true(wg_mac(specimen->bytes + macs,
					   lab.dev[specimen->to]->checker.keys.mac1, WG_HASH_LEN,
					   specimen->bytes, macs));
			lab_assert_refused(&lab, specimen->to, specimen->bytes, specimen->len,
				i == RESPONSE && at < 12 ? WG_REFUSAL_NO_INITIATION :
				WG_REFUSAL_HANDSHAKE);
			specimen->bytes[at] ^= 0x10;
			/* More would be too much for a second, and meet with a cookie. */
			if (at % 64 == 0)
				lab_sleep(&lab, WG_SECOND);
		}
	}
	lab_free(&lab);
}

static void
noise_of_all_lengths_is_refused(void **state)
{
	static const uint32_t lens[] = { 148, 92, 64, 32 };
	uint8_t noise[LAB_DATAGRAM];
	unsigned int i;
	struct lab lab;
	uint32_t len;

	harness_rng_init(&rng);
	lab_init(&lab, NULL);
	lab_handshake(&lab, ALICE);
	for (i = 0; i < 20000; i++) {
		len = i % 2 ? lens[harness_rand_below(&rng, RTE_DIM(lens))] :
			harness_rand_below(&rng, sizeof(noise) + 1);
		harness_rand_bytes(&rng, noise, len);
		if (len >= 4)
			memcpy(noise, (const uint8_t[]){ (uint8_t)(1 + i / 2 % 4), 0, 0, 0 }, 4);
		assert_int_equal(lab_pass(&lab, BOB, noise, len), WG_KIND_REFUSED);
		assert_int_equal(lab.received.reply.len, 0);
	}
	assert_int_equal(lab_refused(&lab, BOB), 20000);
	lab_send(&lab, ALICE, 60);
	lab_free(&lab);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_length_but_one_is_refused),
		cmocka_unit_test(every_flipped_bit_is_refused),
		cmocka_unit_test(other_types_are_refused),
		cmocka_unit_test(flipped_bits_behind_a_right_mac1_are_refused),
		cmocka_unit_test(noise_of_all_lengths_is_refused),
	};

	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
