/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "guard.h"

#define CANARY_BYTE 0xa5
#define CANARIES 64

static void
die(const char *what)
{
	perror(what);
	abort();
}

void
guard_init(struct guard *guard, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t inner = (size + page - 1) / page * page;
	uint8_t *map = mmap(NULL, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		die("guard: mmap");
	guard->begin = map + page;
	guard->end = guard->begin + inner;
	if (mprotect(guard->begin, inner, PROT_READ | PROT_WRITE) != 0)
		die("guard: mprotect");
	memset(guard->begin, CANARY_BYTE, inner);
}

void
guard_fini(struct guard *guard)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	munmap(guard->begin - page, (size_t)(guard->end - guard->begin) + 2 * page);
}

uint8_t *
guard_low(const struct guard *guard, size_t gap)
{
	return guard->begin + gap;
}

uint8_t *
guard_high(const struct guard *guard, size_t len, size_t gap)
{
	return guard->end - gap - len;
}

uint8_t *
guard_high_aligned(const struct guard *guard, size_t len, size_t align)
{
	uint8_t *flush = guard->end - len;

	return flush - (((uintptr_t)flush - align) & 63);
}

static size_t
at_most(size_t nb, size_t limit)
{
	return nb < limit ? nb : limit;
}

void
guard_canaries_set(const struct guard *guard, uint8_t *buf, size_t len)
{
	size_t below = at_most((size_t)(buf - guard->begin), CANARIES);
	size_t above = at_most((size_t)(guard->end - (buf + len)), CANARIES);

	memset(buf - below, CANARY_BYTE, below + len + above);
}

static bool
canaries_ok(const uint8_t *from, size_t nb)
{
	size_t i;

	for (i = 0; i < nb; i++)
		if (from[i] != CANARY_BYTE)
			return false;
	return true;
}

bool
guard_canaries_ok(const struct guard *guard, const uint8_t *buf, size_t len)
{
	size_t below = at_most((size_t)(buf - guard->begin), CANARIES);
	size_t above = at_most((size_t)(guard->end - (buf + len)), CANARIES);

	return canaries_ok(buf - below, below) && canaries_ok(buf + len, above);
}
