/* SPDX-License-Identifier: BSD-3-Clause */

/* The kernels that are there, and the choice among them. Needs no DPDK. */

#include <stdio.h>

#include <csum.h>

/* begin: list */
static void
list_variants(void)
{
	const struct csum_variant *variant;
	unsigned int i;

	for (i = 0; (variant = csum_variant_get(i)) != NULL; i++)
		printf("%-9s %3u bits  %s%s\n", variant->name, variant->bits,
			csum_variant_runs(variant) ? "runs here" : "cannot run here",
			variant == csum_variant_current() ? ", in use" : "");
}
/* end: list */

int
main(void)
{
	list_variants();
	printf("at most 128 bits: %s\n", csum_variant_limit(128)->name);
	if (csum_variant_use(csum_variant_find("generic")) != 0)
		return 1;
	printf("by name: %s\n", csum_variant_current()->name);
	return 0;
}
