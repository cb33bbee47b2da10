/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include "allowed_ips.h"
#include "harness.h"

#define NB_PREFIXES 600u
#define NB_PEERS    5u

static struct harness_rng rng;

/* A peer is a pointer here, which nobody follows. */
static char peers[NB_PEERS];

static struct wg_peer *
peer_of(unsigned int n)
{
	return (struct wg_peer *)(void *)&peers[n];
}

struct entry {
	struct wg_prefix prefix;
	struct wg_peer *peer;
};

/* Bit by bit, straight from what a prefix is. */
static bool
begins_with(const uint8_t *addr, const struct wg_prefix *prefix)
{
	unsigned int bit;

	for (bit = 0; bit < prefix->bits; bit++)
		if ((addr[bit / 8] ^ prefix->addr.bytes[bit / 8]) & 128 >> bit % 8)
			return false;
	return true;
}

/* Of several of the same length, which are the same prefix, the last one given counts. */
static struct wg_peer *
naive_find(const struct entry *entries, unsigned int nb, const uint8_t *addr, unsigned int len)
{
	struct wg_peer *found = NULL;
	unsigned int i, bits = 0;

	for (i = 0; i < nb; i++) {
		if (entries[i].prefix.addr.len == len && entries[i].prefix.bits >= bits &&
		    begins_with(addr, &entries[i].prefix)) {
			found = entries[i].peer;
			bits = entries[i].prefix.bits;
		}
	}
	return found;
}

/* Few values, so that prefixes share much and nest deeply. */
static void
random_addr(uint8_t *addr, unsigned int len)
{
	static const uint8_t values[] = { 0, 0, 0x80, 0xff, 0x0f, 0x01 };
	unsigned int i;

	memset(addr, 0, 16);
	for (i = 0; i < len; i++)
		addr[i] = values[harness_rand_below(&rng, sizeof(values))];
}

static void
random_entry(struct entry *entry)
{
	struct wg_prefix *prefix = &entry->prefix;
	unsigned int bit;

	prefix->addr.len = harness_rand_below(&rng, 2) ? 4 : 16;
	prefix->bits = (uint8_t)harness_rand_below(&rng, prefix->addr.len * 8 + 1u);
	random_addr(prefix->addr.bytes, prefix->addr.len);
	for (bit = prefix->bits; bit < 128; bit++)
		prefix->addr.bytes[bit / 8] &= (uint8_t)~(128 >> bit % 8);
	entry->peer = peer_of(harness_rand_below(&rng, NB_PEERS));
}

static void
assert_like_naive(const struct wg_allowed_ips *ips, const struct entry *entries, unsigned int nb,
		  const uint8_t *addr, unsigned int len)
{
	assert_ptr_equal(wg_allowed_ips_find(ips, addr, len), naive_find(entries, nb, addr, len));
}

static void
random_prefixes_are_found_as_by_naive_search(void **state)
{
	static struct entry entries[NB_PREFIXES];
	struct wg_allowed_ips ips = { 0 };
	unsigned int round, i, j, len;
	uint8_t addr[16];

	harness_rng_init(&rng);
	for (round = 0; round < 12; round++) {
		for (i = 0; i < NB_PREFIXES >> round % 4 * 3; i++) {
			random_entry(&entries[i]);
			assert_true(wg_allowed_ips_add(&ips, &entries[i].prefix,
						       entries[i].peer));
		}
		for (j = 0; j < 4000; j++) {
			len = j % 2 ? 4 : 16;
			random_addr(addr, len);
			assert_like_naive(&ips, entries, i, addr, len);
		}
		for (j = 0; j < i; j++)
			assert_like_naive(&ips, entries, i, entries[j].prefix.addr.bytes,
					  entries[j].prefix.addr.len);
		wg_allowed_ips_free(&ips);
	}
	assert_null(wg_allowed_ips_find(&ips, addr, 16));
}

static void
a_prefix_can_have_any_length(void **state)
{
	struct wg_allowed_ips ips = { 0 };
	struct wg_prefix prefix = { .addr = { .len = 4, .bytes = { 0xff, 0xff, 0xff, 0xff } } };
	uint8_t addr[4];
	unsigned int bits;

	/* From the longest to the shortest, so that each is put in above the one before. */
	for (bits = 32; bits <= 32; bits--) {
		prefix.bits = (uint8_t)bits;
		memset(prefix.addr.bytes, 0xff, 4);
		if (bits < 32)
			prefix.addr.bytes[bits / 8] = (uint8_t)~(0xff >> bits % 8);
		memset(prefix.addr.bytes + bits / 8 + 1, 0, 15 - bits / 8);
		assert_true(wg_allowed_ips_add(&ips, &prefix, peer_of(bits % NB_PEERS)));
	}
	for (bits = 0; bits <= 32; bits++) {
		memset(addr, 0xff, 4);
		if (bits < 32)
			addr[bits / 8] ^= (uint8_t)(128 >> bits % 8);
		assert_ptr_equal(wg_allowed_ips_find(&ips, addr, 4), peer_of(bits % NB_PEERS));
	}
	wg_allowed_ips_free(&ips);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_prefixes_are_found_as_by_naive_search),
		cmocka_unit_test(a_prefix_can_have_any_length),
	};

	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
