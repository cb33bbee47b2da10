/* SPDX-License-Identifier: BSD-3-Clause */

/* Addition with carry, in two chains of two words each. */

#include "carry_chains.h"

#define VARIANT adc

static ALWAYS_INLINE void
acc_add4(struct acc *acc, vec v0, vec v1, vec v2, vec v3)
{
	__asm__("add %2, %0\n\t"
		"adc %3, %0\n\t"
		"adc $0, %0\n\t"
		"add %4, %1\n\t"
		"adc %5, %1\n\t"
		"adc $0, %1"
		: "+&r"(acc->sum[0]), "+&r"(acc->sum[1])
		: "r"(v0), "r"(v1), "r"(v2), "r"(v3)
		: "cc");
}

#include "../sum_template.h"
