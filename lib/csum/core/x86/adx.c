/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * ADX: two chains side by side, one with its carry in CF and one with it in OF. Neither
 * instruction takes a constant, hence the register of zero; clearing it clears both flags.
 */

#include "carry_chains.h"

#define VARIANT adx

static ALWAYS_INLINE void
acc_add4(struct acc *acc, vec v0, vec v1, vec v2, vec v3)
{
	uint64_t zero;

	__asm__("xor %k2, %k2\n\t"
		"adcx %3, %0\n\t"
		"adox %5, %1\n\t"
		"adcx %4, %0\n\t"
		"adox %6, %1\n\t"
		"adcx %2, %0\n\t"
		"adox %2, %1"
		: "+&r"(acc->sum[0]), "+&r"(acc->sum[1]), "=&r"(zero)
		: "r"(v0), "r"(v1), "r"(v2), "r"(v3)
		: "cc");
}

#include "../sum_template.h"
