/* SPDX-License-Identifier: BSD-3-Clause */

#include <cpuid.h>
#include <stdint.h>

#include "../core.h"

/* Intel SDM vol. 1, 13.3 and 14.3: bits of XCR0 by which the system says what it saves. */
#define XCR0_SSE (1u << 1)
#define XCR0_AVX (1u << 2)
#define XCR0_AVX512 (7u << 5) /* mask registers, upper halves, upper sixteen registers */

/* Only after CPUID has shown OSXSAVE; by name it would need -mxsave. */
static uint32_t
xcr0_low(void)
{
	uint32_t low, high;

	__asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return low;
}

/* Whether the system saves the registers of these bits of XCR0 when it switches threads. */
static bool
os_saves(uint32_t state)
{
	unsigned int eax, ebx, ecx, edx;

	if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx & bit_OSXSAVE) == 0)
		return false;
	return (xcr0_low() & state) == state;
}

bool
csum_cpu_runs_adx(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ebx & bit_ADX) != 0;
}

bool
csum_cpu_runs_avx2(void)
{
	unsigned int eax, ebx, ecx, edx;

	if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0 || (ebx & bit_AVX2) == 0)
		return false;
	return os_saves(XCR0_SSE | XCR0_AVX);
}

bool
csum_cpu_runs_avx512(void)
{
	const unsigned int needed = bit_AVX512F | bit_AVX512BW;
	unsigned int eax, ebx, ecx, edx;

	if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0 || (ebx & needed) != needed)
		return false;
	return os_saves(XCR0_SSE | XCR0_AVX | XCR0_AVX512);
}
