/* SPDX-License-Identifier: BSD-3-Clause */

#include <stddef.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include <csum.h>

#include "stale.h"

/* Each tells what the field would hold had its mistake been made. */

static uint16_t
never_filled(const struct stale_facts *f)
{
	return 0;
}

static uint16_t
seed(const struct stale_facts *f)
{
	return csum_sum_fold(f->pseudo);
}

static uint16_t
seed_bare(const struct stale_facts *f)
{
	return csum_sum_fold(f->pseudo_bare);
}

static uint16_t
seed_complemented(const struct stale_facts *f)
{
	return csum_sum_check(f->pseudo);
}

static uint16_t
seed_swapped(const struct stale_facts *f)
{
	return rte_bswap16(csum_sum_fold(f->pseudo));
}

static uint16_t
seed_bare_swapped(const struct stale_facts *f)
{
	return rte_bswap16(csum_sum_fold(f->pseudo_bare));
}

static uint16_t
not_complemented(const struct stale_facts *f)
{
	return (uint16_t)~f->right;
}

static uint16_t
swapped(const struct stale_facts *f)
{
	return rte_bswap16(f->right);
}

static uint16_t
padding_summed(const struct stale_facts *f)
{
	return csum_sum_check(f->padded);
}

static uint16_t
padding_summed_and_counted(const struct stale_facts *f)
{
	return csum_sum_check(f->padded_len);
}

static uint16_t
without_length(const struct stale_facts *f)
{
	uint32_t len = csum_sum_sub(f->pseudo, f->pseudo_bare);

	return csum_sum_check(csum_sum_sub((uint16_t)~f->right, len));
}

static uint16_t
without_pseudo(const struct stale_facts *f)
{
	return csum_sum_check(csum_sum_sub((uint16_t)~f->right, f->pseudo));
}

/* A router that only counts the TTL down leaves the checksum of one more. */
static uint16_t
ttl_before(const struct stale_facts *f)
{
	uint16_t before = rte_cpu_to_be_16(rte_be_to_cpu_16(f->ttl_word) + 0x100);

	return csum_check_update16(f->right, f->ttl_word, before);
}

enum need { NOTHING, PSEUDO, IPV4 };

/* The likeliest first: by chance, one field may look like several. */
static const struct {
	uint16_t (*check)(const struct stale_facts *f);
	enum need need;
	const char *name;
} mistakes[] = {
	{ never_filled, NOTHING, "0: nobody has filled it" },
	{ seed, PSEUDO, "the sum of the pseudo header: a NIC was to complete it" },
	{ seed_bare, PSEUDO, "the sum of the pseudo header without its length, as a NIC that "
	  "segments wants it" },
	{ not_complemented, NOTHING, "the ones' complement of the right one" },
	{ swapped, NOTHING, "the right one with its bytes swapped" },
	{ seed_complemented, PSEUDO, "the ones' complement of the pseudo header's sum" },
	{ seed_swapped, PSEUDO, "the sum of the pseudo header with its bytes swapped" },
	{ seed_bare_swapped, PSEUDO, "the sum of the pseudo header without its length, with its "
	  "bytes swapped" },
	{ padding_summed, NOTHING, "right had the padding been part of the packet's data" },
	{ padding_summed_and_counted, PSEUDO, "right had the padding been part of the packet, its "
	  "length included" },
	{ without_pseudo, PSEUDO, "right without the pseudo header" },
	{ without_length, PSEUDO, "right without the length in the pseudo header" },
	{ ttl_before, IPV4, "right for a TTL that is one higher" },
};

const char *
stale_name(const struct stale_facts *f)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(mistakes); i++) {
		if ((mistakes[i].need == PSEUDO && !f->has_pseudo) ||
		    (mistakes[i].need == IPV4 && f->ttl_word == 0))
			continue;
		if (mistakes[i].check(f) == f->stored)
			return mistakes[i].name;
	}
	return NULL;
}
