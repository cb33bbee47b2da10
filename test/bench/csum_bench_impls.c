/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <string.h>

#include <csum.h>

#include "csum_bench.h"

static const struct peers *const peers[] = {
	&peers_native,
#ifdef __x86_64__
	&peers_corei7,
	&peers_corei7_O2,
#endif
};

static struct impl *
add(struct impl **next, enum op op, const char *name, const char *of)
{
	struct impl *impl = (*next)++;

	*impl = (struct impl){ .op = op, .sums = true };
	snprintf(impl->name, sizeof(impl->name), "%s%s", name, of);
	return impl;
}

static void
add_peers(struct impl **next, const struct peers *of)
{
	struct impl *impl = add(next, OP_COPY, "rte_memcpy/", of->flags);

	impl->copy = of->memcpy_only;
	impl->sums = false;
	add(next, OP_COPY, "rte_memcpy+rte_raw_cksum/", of->flags)->copy = of->memcpy_and_cksum;
	add(next, OP_SUM, "rte_raw_cksum/", of->flags)->sum = of->cksum;
}

static void
add_variant(struct impl **next, const struct csum_variant *variant)
{
	struct impl *impl;

	add(next, OP_COPY, variant->name, "")->copy = variant->partial_copy;
	add(next, OP_SUM, variant->name, "")->sum = variant->partial;
	impl = add(next, OP_COPY, "memcpy+", variant->name);
	impl->plain = memcpy;
	impl->sum = variant->partial;
	impl->only_named = true;
}

/* The library's own functions, told to fetch what lies ahead of the source. */
static void
add_ahead(struct impl **next)
{
	static const uint16_t bytes[] = { 0, 256, 512, 1024, 2048, 3072, 4096 };
	struct impl *copy, *sum;
	char text[8];
	size_t i;

	for (i = 0; i < DIM(bytes); i++) {
		snprintf(text, sizeof(text), "%u", bytes[i]);
		copy = add(next, OP_COPY, "ahead/", text);
		sum = add(next, OP_SUM, "ahead/", text);
		copy->copy = csum_partial_copy;
		sum->sum = csum_partial;
		copy->only_named = sum->only_named = true;
		copy->ahead = sum->ahead = bytes[i];
	}
}

size_t
impls_list(struct impl *impls)
{
	const struct csum_variant *variant;
	struct impl *next = impls, *impl;
	unsigned int i;

	impl = add(&next, OP_COPY, "memcpy", "");
	impl->plain = memcpy;
	impl->sums = false;
	for (i = 0; i < DIM(peers); i++)
		add_peers(&next, peers[i]);
	add_ahead(&next);
	for (i = 0; (variant = csum_variant_get(i)) != NULL; i++)
		if (csum_variant_runs(variant) != 0 && next + 3 <= impls + NB_IMPLS_MAX)
			add_variant(&next, variant);
	return (size_t)(next - impls);
}

const struct impl *
impl_find(const struct impl *impls, size_t nb, enum op op, const char *name)
{
	size_t i;

	for (i = 0; i < nb; i++)
		if (impls[i].op == op && strcmp(impls[i].name, name) == 0)
			return &impls[i];
	return NULL;
}
