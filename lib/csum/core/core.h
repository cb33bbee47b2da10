/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _CORE_H_
#define _CORE_H_

/*
 * What the files of the core share. Hidden: the names begin like public ones, and the library's
 * version script exports those.
 */

#include <stdbool.h>

#include "csum.h"

#pragma GCC visibility push(hidden)

extern const struct csum_variant csum_variant_generic;
extern const struct csum_variant csum_variant_scalar128;

#ifdef __aarch64__
extern const struct csum_variant csum_variant_neon;
#endif

#ifdef __powerpc64__
extern const struct csum_variant csum_variant_vsx;

bool csum_cpu_runs_vsx(void);
#endif

#ifdef __x86_64__
extern const struct csum_variant csum_variant_adx;
extern const struct csum_variant csum_variant_adc;
extern const struct csum_variant csum_variant_sse2;
extern const struct csum_variant csum_variant_avx2;
extern const struct csum_variant csum_variant_avx512;

bool csum_cpu_runs_adx(void);
bool csum_cpu_runs_avx2(void);
bool csum_cpu_runs_avx512(void);
#endif

#pragma GCC visibility pop

#endif /* _CORE_H_ */
