/* SPDX-License-Identifier: BSD-3-Clause */

/* The reference itself, against numbers that are printed in RFCs and that other tools computed. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <ref_csum.h>

static void
example_of_rfc_1071(void **state)
{
	static const uint8_t bytes[] = { 0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7 };

	/* Section 3: 2ddf0, folded to ddf2. */
	assert_int_equal(ref_raw(bytes, sizeof(bytes)), 0xddf2);
	assert_int_equal(ref_check(bytes, sizeof(bytes)), 0x220d);
}

static void
parts_make_the_whole(void **state)
{
	static const uint8_t bytes[] = { 0xff, 0x01, 0x80, 0xfe, 0x07, 0xff, 0xff };
	size_t off, len = sizeof(bytes);

	for (off = 0; off <= len; off++) {
		struct ref_sum sum = { 0 };

		ref_sum_add(&sum, bytes, off);
		ref_sum_add(&sum, bytes + off, len - off);
		assert_int_equal(sum.raw, ref_raw(bytes, len));
		assert_int_equal(ref_raw_combine(ref_raw(bytes, off),
			ref_raw(bytes + off, len - off), off), sum.raw);
	}
}

static void
words_of_a_pseudo_header(void **state)
{
	struct ref_sum sum = { 0 };

	ref_sum_add16(&sum, 0xc0a8);
	ref_sum_add16(&sum, 0xffff);
	ref_sum_add16(&sum, 0x0011);
	assert_int_equal(sum.raw, ref_raw("\xc0\xa8\xff\xff\x00\x11", 6));
}

static void
sums_are_zero_from_zeros_alone(void **state)
{
	assert_int_equal(ref_raw("\0\0\0", 3), 0);
	assert_int_equal(ref_raw("\xff\xff\0\0", 4), 0xffff);
	assert_int_equal(ref_raw_from(0xffff, "\xff\xff", 2), 0xffff);
}

static void
crc32c_of_known_data(void **state)
{
	uint8_t bytes[32];
	size_t i;

	/* RFC 3720 appendix B.4, and the check value of CRC catalogues. */
	assert_int_equal(ref_crc32c(0, "123456789", 9), 0xe3069283);
	memset(bytes, 0, sizeof(bytes));
	assert_int_equal(ref_crc32c(0, bytes, sizeof(bytes)), 0x8a9136aa);
	memset(bytes, 0xff, sizeof(bytes));
	assert_int_equal(ref_crc32c(0, bytes, sizeof(bytes)), 0x62a8ab43);
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)i;
	assert_int_equal(ref_crc32c(0, bytes, sizeof(bytes)), 0x46dd794e);
	assert_int_equal(ref_crc32c(ref_crc32c(0, bytes, 7), bytes + 7, 25), 0x46dd794e);
}

/* The packet of fault B29: SCTP from 1 to 2, tag 3, one DATA chunk. */
static void
crc32c_of_an_sctp_packet(void **state)
{
	static const uint8_t packet[] = {
		0x00, 0x01, 0x00, 0x02, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00,
		0x00, 0x03, 0x00, 0x14, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x00, 'a', 'b', 'c', 'd',
	};

	/* Stored least significant byte first: 38 5f 83 d8. */
	assert_int_equal(ref_crc32c(0, packet, sizeof(packet)), 0xd8835f38);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(example_of_rfc_1071),
		cmocka_unit_test(parts_make_the_whole),
		cmocka_unit_test(words_of_a_pseudo_header),
		cmocka_unit_test(sums_are_zero_from_zeros_alone),
		cmocka_unit_test(crc32c_of_known_data),
		cmocka_unit_test(crc32c_of_an_sctp_packet),
	};

	return cmocka_run_group_tests_name("core reference", tests, NULL, NULL);
}
