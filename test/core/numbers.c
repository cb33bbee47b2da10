/* SPDX-License-Identifier: BSD-3-Clause */

/* The inline functions of csum.h: adding, joining, folding, and correcting a check in place. */

#include <arpa/inet.h>
#include <string.h>

#include <ref_csum.h>

#include "core_test.h"

static const uint32_t edge_sums[] = {
	0, 1, 0xff, 0xfffe, 0xffff, 0x10000, 0x1fffe, 0x7fffffff, 0x80000000, 0xfffeffff,
	0xffff0000, 0xfffffffe, 0xffffffff, 0x12345678,
};

#define NB_EDGE_SUMS (sizeof(edge_sums) / sizeof(edge_sums[0]))

/* The residue that a partial sum stands for, and whether it is the zero of all zeros. */
static void
assert_worth(uint32_t sum, uint64_t worth)
{
	assert_int_equal(sum % 0xffff, worth % 0xffff);
	assert_int_equal(sum == 0, worth == 0);
}

static void
sums_add_with_the_carry_brought_round(void **state)
{
	size_t a, b;

	for (a = 0; a < NB_EDGE_SUMS; a++)
		for (b = 0; b < NB_EDGE_SUMS; b++)
			assert_worth(csum_sum_add(edge_sums[a], edge_sums[b]),
				(uint64_t)edge_sums[a] + edge_sums[b]);
}

static void
what_was_added_can_be_taken_away(void **state)
{
	size_t a, b;

	for (a = 0; a < NB_EDGE_SUMS; a++)
		for (b = 0; b < NB_EDGE_SUMS; b++)
			assert_int_equal(csum_sum_sub(csum_sum_add(edge_sums[a], edge_sums[b]),
				edge_sums[b]) % 0xffff, edge_sums[a] % 0xffff);
}

static void
fold_keeps_the_last_carry(void **state)
{
	size_t i;

	/* Fault B09: 0xffff + 0xffff + 1 folds to 0x10000 first. */
	assert_int_equal(csum_sum_fold(0x1ffff), 1);
	assert_int_equal(csum_sum_fold(0xffffffff), 0xffff);
	assert_int_equal(csum_sum_fold(0), 0);
	for (i = 0; i < NB_EDGE_SUMS; i++)
		assert_worth(csum_sum_fold(edge_sums[i]), edge_sums[i]);
}

/* Faults B20, B21 and B22: only UDP has no check of 0. */
static void
b20_b21_zero_check_is_for_udp_to_change(void **state)
{
	assert_int_equal(csum_sum_check(0xffff), 0);
	assert_int_equal(csum_sum_check_udp(0xffff), 0xffff);
	assert_int_equal(csum_sum_check(0xffffffff), 0);
	assert_int_equal(csum_sum_check_udp(0xffffffff), 0xffff);
	assert_int_equal(csum_sum_check(0), 0xffff);
	assert_int_equal(csum_sum_check_udp(0), 0xffff);
	assert_int_equal(csum_sum_check_udp(0x1234), csum_sum_check(0x1234));
}

static void
blocks_join_at_any_offset(void **state)
{
	uint8_t bytes[67];
	size_t off, round;

	for (round = 0; round < 3; round++) {
		if (round == 0)
			core_random(bytes, sizeof(bytes));
		else
			memset(bytes, round == 1 ? 0xff : 0, sizeof(bytes));
		for (off = 0; off <= sizeof(bytes); off++) {
			uint32_t before = csum_partial(bytes, off, 0);
			uint32_t block = csum_partial(bytes + off, sizeof(bytes) - off, 0);

			assert_int_equal(core_raw(csum_sum_combine(before, block, off)),
				ref_raw(bytes, sizeof(bytes)));
		}
	}
}

/* A joined block is worth 256 times its own sum at odd offsets, even with carries at the top. */
static void
joining_loses_no_carry(void **state)
{
	size_t a, b;

	for (a = 0; a < NB_EDGE_SUMS; a++)
		for (b = 0; b < NB_EDGE_SUMS; b++) {
			assert_worth(csum_sum_combine(edge_sums[a], edge_sums[b], 6),
				(uint64_t)edge_sums[a] + edge_sums[b]);
			assert_worth(csum_sum_combine(edge_sums[a], edge_sums[b], 7),
				edge_sums[a] + (uint64_t)edge_sums[b] * 256);
		}
}

/* What a packet carries: @p at is where 2 bytes hold the check of all the others. */
#define PACKET 60
#define CHECK_AT 16

static uint16_t
stored_check(const uint8_t *packet)
{
	uint16_t check;

	memcpy(&check, packet + CHECK_AT, sizeof(check));
	return check;
}

static void
store_right_check(uint8_t *packet)
{
	uint16_t check;

	memset(packet + CHECK_AT, 0, sizeof(check));
	check = htons(ref_check(packet, PACKET));
	memcpy(packet + CHECK_AT, &check, sizeof(check));
}

/* Both zeros of a check are the same one to a receiver; a correction may give either. */
static uint16_t
one_zero(uint16_t check)
{
	return check == 0xffff ? 0 : check;
}

/* Change bytes of a packet, correct its check by what changed, and compare with a new one. */
static void
change_field(size_t off, size_t len, const uint8_t *field)
{
	uint8_t packet[PACKET], changed[PACKET];
	uint16_t check;

	core_random(packet, PACKET);
	store_right_check(packet);
	memcpy(changed, packet, PACKET);
	memcpy(changed + off, field, len);
	store_right_check(changed);
	check = csum_check_update(stored_check(packet), csum_partial(packet + off, len, 0),
		csum_partial(changed + off, len, 0), off);
	assert_int_equal(one_zero(check), one_zero(stored_check(changed)));
}

static void
check_follows_a_change_at_any_offset(void **state)
{
	uint8_t field[16];
	size_t off, len, round;

	for (round = 0; round < 20; round++)
		for (len = 1; len <= sizeof(field); len++)
			for (off = CHECK_AT + 2; off + len <= PACKET; off++) {
				core_random(field, len);
				if (round < 2)
					memset(field, round == 0 ? 0 : 0xff, len);
				change_field(off, len, field);
			}
}

/* RFC 1624 section 4: the example by which eqn. 2 gives the wrong zero. */
static void
example_of_rfc_1624(void **state)
{
	assert_int_equal(csum_check_update16(htons(0xdd2f), htons(0x5555), htons(0x3285)), 0);
}

static void
unchanged_field_changes_no_check(void **state)
{
	uint8_t address[16];
	uint32_t check;

	core_random(address, sizeof(address));
	for (check = 0; check <= 0xffff; check++) {
		uint16_t c = (uint16_t)check;

		assert_int_equal(csum_check_update16(c, 0x1234, 0x1234), c);
		assert_int_equal(csum_check_update32(c, 0xffffffff, 0xffffffff), c);
		assert_int_equal(csum_check_update128(c, address, address), c);
		assert_int_equal(csum_check_update(c, 0xffff, 0xffff, 1), c);
	}
}

static void
fields_of_all_widths(void **state)
{
	uint8_t packet[PACKET], changed[PACKET];
	uint32_t before32, after32;
	uint16_t before16, after16;

	core_random(packet, PACKET);
	store_right_check(packet);
	memcpy(changed, packet, PACKET);
	core_random(changed + 24, 16);
	store_right_check(changed);
	assert_int_equal(one_zero(csum_check_update128(stored_check(packet), packet + 24,
		changed + 24)), one_zero(stored_check(changed)));

	memcpy(changed + 28, packet + 28, 12);
	store_right_check(changed);
	memcpy(&before32, packet + 24, 4);
	memcpy(&after32, changed + 24, 4);
	assert_int_equal(one_zero(csum_check_update32(stored_check(packet), before32, after32)),
		one_zero(stored_check(changed)));

	memcpy(changed + 26, packet + 26, 2);
	store_right_check(changed);
	memcpy(&before16, packet + 24, 2);
	memcpy(&after16, changed + 24, 2);
	assert_int_equal(one_zero(csum_check_update16(stored_check(packet), before16, after16)),
		one_zero(stored_check(changed)));
}

/* Fault B87: no check is no check, whatever changes. */
static void
b87_udp_check_of_zero_stays(void **state)
{
	uint32_t before, after;

	for (before = 0; before <= 0xffff; before += 97)
		for (after = 0; after <= 0xffff; after += 89)
			assert_int_equal(csum_check_update_udp(0, before, after, before), 0);
}

static void
no_other_udp_check_becomes_zero(void **state)
{
	uint32_t check, change;

	for (check = 1; check <= 0xffff; check += 7)
		for (change = 0; change <= 0xffff; change += 251)
			assert_int_not_equal(csum_check_update_udp((uint16_t)check, change,
				0xffff & ~check, 0), 0);
	/* That of an update whose sum becomes all ones. */
	assert_int_equal(csum_check_update_udp(htons(0xdd2f), htons(0x5555), htons(0x3285), 0),
		0xffff);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_add_with_the_carry_brought_round),
		cmocka_unit_test(what_was_added_can_be_taken_away),
		cmocka_unit_test(fold_keeps_the_last_carry),
		cmocka_unit_test(b20_b21_zero_check_is_for_udp_to_change),
		cmocka_unit_test(blocks_join_at_any_offset),
		cmocka_unit_test(joining_loses_no_carry),
		cmocka_unit_test(check_follows_a_change_at_any_offset),
		cmocka_unit_test(example_of_rfc_1624),
		cmocka_unit_test(unchanged_field_changes_no_check),
		cmocka_unit_test(fields_of_all_widths),
		cmocka_unit_test(b87_udp_check_of_zero_stays),
		cmocka_unit_test(no_other_udp_check_becomes_zero),
	};

	return cmocka_run_group_tests_name("core numbers", tests, NULL, NULL);
}
