/* SPDX-License-Identifier: BSD-3-Clause */

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include <csum_pkt.h>

#include "harness.h"
#include "ref_csum.h"

static struct harness_rng rng;

/* The pseudo header laid out as in the RFCs, and summed a byte at a time. */
static uint16_t
ref_pseudo(const uint8_t *src, const uint8_t *dst, uint32_t addr_len, uint8_t proto, uint32_t len)
{
	uint8_t flat[40] = { 0 };

	memcpy(flat, src, addr_len);
	memcpy(flat + addr_len, dst, addr_len);
	harness_put_be32(flat + 2 * addr_len, len);
	harness_put_be32(flat + 2 * addr_len + 4, proto);
	return ref_raw(flat, 2 * addr_len + 8);
}

static void
pseudo_headers_sum_as_the_reference_does(void **state)
{
	static const uint32_t lens[] = {
		0, 1, 20, 0xff, 0x100, 0xffff, 0x10000, 80020, 0x1000000, UINT32_MAX,
	};
	static const uint8_t fill[] = { 0, 0xff, 0x80, 0x01 };
	uint8_t buf[3 + 32];
	unsigned int i, j, align;
	uint8_t *p, proto;

	harness_rng_init(&rng);
	for (i = 0; i < 400; i++) {
		harness_rand_bytes(&rng, buf, sizeof(buf));
		proto = (uint8_t)harness_rand(&rng);
		/* All-ones addresses, protocol 0 and length 1 carry out of the last addition. */
		if (i < RTE_DIM(fill)) {
			memset(buf, fill[i], sizeof(buf));
			proto = 0;
		}
		for (j = 0; j < RTE_DIM(lens); j++) {
			for (align = 0; align < 4; align++) {
				p = buf + align;
				assert_int_equal(ntohs(csum_sum_fold(
					csum_pseudo_ipv4(p, proto, lens[j]))),
					ref_pseudo(p, p + 4, 4, proto, lens[j]));
				assert_int_equal(ntohs(csum_sum_fold(
					csum_pseudo_ipv6(p, p + 16, proto, lens[j]))),
					ref_pseudo(p, p + 16, 16, proto, lens[j]));
			}
		}
	}
}

/* Seen in captures of TCP from 10.0.0.1 to 10.0.0.2 with 100 bytes of payload. */
static void
b68_seeds_with_and_without_length(void **state)
{
	static const uint8_t addrs[8] = { 10, 0, 0, 1, 10, 0, 0, 2 };

	assert_int_equal(ntohs(csum_sum_fold(csum_pseudo_ipv4(addrs, 6, 120))), 0x1481);
	assert_int_equal(ntohs(csum_sum_fold(csum_pseudo_ipv4(addrs, 6, 0))), 0x1409);
}

static void
crc32c_is_that_of_the_reference(void **state)
{
	uint8_t buf[8 + 300];
	uint32_t crc, part;
	unsigned int align, len;

	assert_int_equal(~csum_crc32c("123456789", 9, UINT32_MAX), 0xe3069283);
	assert_int_equal(csum_crc32c(buf, 0, 0x12345678), 0x12345678);
	harness_rng_init(&rng);
	harness_rand_bytes(&rng, buf, sizeof(buf));
	for (len = 0; len <= 300; len++) {
		for (align = 0; align < 8; align++) {
			crc = csum_crc32c(buf + align, len, UINT32_MAX);
			assert_int_equal(~crc, ref_crc32c(0, buf + align, len));
			part = harness_rand_below(&rng, len + 1);
			assert_int_equal(csum_crc32c(buf + align + part, len - part,
						     csum_crc32c(buf + align, part, UINT32_MAX)),
					 crc);
		}
	}
}

static void
every_refusal_has_a_name_and_a_result(void **state)
{
	unsigned int i, j;

	assert_string_equal(csum_refusal_name(CSUM_REFUSAL_NONE), "none");
	assert_int_equal(csum_refusal_errno(CSUM_REFUSAL_NONE), 0);
	for (i = 0; i < CSUM_REFUSAL_MAX; i++) {
		assert_non_null(csum_refusal_name(i));
		for (j = 0; j < i; j++)
			assert_string_not_equal(csum_refusal_name(i), csum_refusal_name(j));
		if (i != CSUM_REFUSAL_NONE)
			assert_true(csum_refusal_errno(i) < 0);
	}
	assert_string_equal(csum_refusal_name(CSUM_REFUSAL_MAX), "unknown");
	assert_int_equal(csum_refusal_errno(CSUM_REFUSAL_MAX), -EINVAL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pseudo_headers_sum_as_the_reference_does),
		cmocka_unit_test(b68_seeds_with_and_without_length),
		cmocka_unit_test(crc32c_is_that_of_the_reference),
		cmocka_unit_test(every_refusal_has_a_name_and_a_result),
	};

	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
