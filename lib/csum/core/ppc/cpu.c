/* SPDX-License-Identifier: BSD-3-Clause */

#include <sys/auxv.h>

#include "../core.h"

/* The kernel tells of POWER9's instructions, ISA 3.0, only if it saves the vector registers. */
bool
csum_cpu_runs_vsx(void)
{
	return (getauxval(AT_HWCAP2) & PPC_FEATURE2_ARCH_3_00) != 0 &&
		(getauxval(AT_HWCAP) & PPC_FEATURE_HAS_VSX) != 0;
}
