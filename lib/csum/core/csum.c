/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <string.h>

#include "core.h"

/* Until somebody asks for more: what DPDK limits itself to on x86, where wider may run slower. */
#define BITS_AT_LOAD 256

/* From one fetch to the next. Longer than a CPU's own lines it would leave gaps. */
#define CACHE_LINE 64

static bool
runs_always(void)
{
	return true;
}

/* The narrowest first; among equals, the better ones last. The first one runs everywhere. */
static const struct {
	const struct csum_variant *variant;
	bool (*runs)(void);
} variants[] = {
	{ &csum_variant_generic, runs_always },
	{ &csum_variant_scalar128, runs_always },
#ifdef __aarch64__
	{ &csum_variant_neon, runs_always },
#endif
#ifdef __powerpc64__
	{ &csum_variant_vsx, csum_cpu_runs_vsx },
#endif
#ifdef __x86_64__
	{ &csum_variant_adx, csum_cpu_runs_adx },
	{ &csum_variant_adc, runs_always },
	{ &csum_variant_sse2, runs_always },
	{ &csum_variant_avx2, csum_cpu_runs_avx2 },
	{ &csum_variant_avx512, csum_cpu_runs_avx512 },
#endif
};

#define NB_VARIANTS (sizeof(variants) / sizeof(variants[0]))

/* What runs everywhere serves constructors that come before ours. */
static const struct csum_variant *current = &csum_variant_generic;

/* What the public functions call: the current one, or `prefetching` in front of it. */
static const struct csum_variant *called = &csum_variant_generic;

static size_t ahead;

static void
prefetch(const void *buf, size_t len)
{
	uintptr_t addr = (uintptr_t)buf + ahead;
	uintptr_t end = addr + len;

	for (addr &= -(uintptr_t)CACHE_LINE; addr < end; addr += CACHE_LINE)
		__builtin_prefetch((const void *)addr);
}

static uint32_t
partial_prefetching(const void *buf, size_t len, uint32_t sum)
{
	prefetch(buf, len);
	return csum_variant_current()->partial(buf, len, sum);
}

static uint32_t
partial_copy_prefetching(void *dst, const void *src, size_t len, uint32_t sum)
{
	prefetch(src, len);
	return csum_variant_current()->partial_copy(dst, src, len, sum);
}

static const struct csum_variant prefetching = {
	.partial = partial_prefetching,
	.partial_copy = partial_copy_prefetching,
};

static const struct csum_variant *
to_be_called(void)
{
	return __atomic_load_n(&called, __ATOMIC_RELAXED);
}

uint32_t
csum_partial(const void *buf, size_t len, uint32_t sum)
{
	return to_be_called()->partial(buf, len, sum);
}

uint32_t
csum_partial_copy(void *dst, const void *src, size_t len, uint32_t sum)
{
	return to_be_called()->partial_copy(dst, src, len, sum);
}

const struct csum_variant *
csum_variant_get(unsigned int i)
{
	return i < NB_VARIANTS ? variants[i].variant : NULL;
}

const struct csum_variant *
csum_variant_find(const char *name)
{
	size_t i;

	for (i = 0; i < NB_VARIANTS; i++)
		if (strcmp(variants[i].variant->name, name) == 0)
			return variants[i].variant;
	return NULL;
}

int
csum_variant_runs(const struct csum_variant *variant)
{
	size_t i;

	for (i = 0; i < NB_VARIANTS; i++)
		if (variants[i].variant == variant)
			return variants[i].runs();
	return 0;
}

const struct csum_variant *
csum_variant_current(void)
{
	return __atomic_load_n(&current, __ATOMIC_RELAXED);
}

/* So that a call without prefetching takes no branch for it. */
static void
choose_called(void)
{
	const struct csum_variant *variant = ahead == 0 ? csum_variant_current() : &prefetching;

	__atomic_store_n(&called, variant, __ATOMIC_RELAXED);
}

void
csum_prefetch_ahead(size_t bytes)
{
	ahead = bytes;
	choose_called();
}

int
csum_variant_use(const struct csum_variant *variant)
{
	if (variant == NULL)
		return -EINVAL;
	if (csum_variant_runs(variant) == 0)
		return -ENOTSUP;
	__atomic_store_n(&current, variant, __ATOMIC_RELAXED);
	choose_called();
	return 0;
}

const struct csum_variant *
csum_variant_limit(unsigned int bits)
{
	size_t i = NB_VARIANTS - 1;

	while (i > 0 && (variants[i].variant->bits > bits || !variants[i].runs()))
		i--;
	csum_variant_use(variants[i].variant);
	return variants[i].variant;
}

__attribute__((constructor)) static void
use_best(void)
{
	csum_variant_limit(BITS_AT_LOAD);
}
