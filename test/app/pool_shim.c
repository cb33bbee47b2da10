/* SPDX-License-Identifier: BSD-3-Clause */

/* Preloaded: says how many elements of a pool are in use when it is freed. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

struct rte_mempool {
	char name[26];
};

unsigned int rte_mempool_in_use_count(const struct rte_mempool *mp);
void rte_mempool_free(struct rte_mempool *mp);

void
rte_mempool_free(struct rte_mempool *mp)
{
	void (*next)(struct rte_mempool *mp) = dlsym(RTLD_NEXT, "rte_mempool_free");

	if (mp != NULL)
		fprintf(stderr, "pool %s: %u in use\n", mp->name, rte_mempool_in_use_count(mp));
	next(mp);
}
