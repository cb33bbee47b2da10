/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "csum_bench.h"

#define LINE 64
#define PAGE 4096
#define HUGE_PAGE (2u << 20)

/* Lines from one packet to the next in a pool of mbufs with 2 KB of room. */
#define MBUF_LINES 37

const char *const residency_names[NB_RESIDENCIES] = {
	[RESIDENCY_L1] = "L1",
	[RESIDENCY_L2] = "L2",
	[RESIDENCY_L3] = "L3",
	[RESIDENCY_DRAM] = "DRAM",
};

/* Bytes of the cache lines that a copy touches, and of the memory that they are spread over. */
static const struct {
	size_t touched, room;
} sets[NB_RESIDENCIES] = {
	[RESIDENCY_L1] = { 0, HUGE_PAGE }, /* one pair */
	[RESIDENCY_L2] = { 256u << 10, 64u << 20 },
	[RESIDENCY_L3] = { 4u << 20, 512u << 20 },
	[RESIDENCY_DRAM] = { 128u << 20, 512u << 20 },
};

static size_t
round_up(size_t value, size_t multiple)
{
	return (value + multiple - 1) / multiple * multiple;
}

/* Not all zero, lest the pages be one and the same. xorshift64 (Marsaglia). */
static void
fill(uint8_t *bytes, size_t size)
{
	uint64_t word = 88172645463325252u;
	size_t i;

	for (i = 0; i < size; i += sizeof(word)) {
		word ^= word << 13;
		word ^= word >> 7;
		word ^= word << 17;
		memcpy(bytes + i, &word, sizeof(word));
	}
}

/*
 * Memory that is kept until more is needed. DPDK's packets lie in huge pages; where there are none
 * it works all the same.
 */
static uint8_t *
arena(size_t size)
{
	static uint8_t *mapped;
	static size_t mapped_size;
	size = round_up(size, HUGE_PAGE) + HUGE_PAGE;
	if (size > mapped_size) {
		if (mapped != NULL)
			munmap(mapped, mapped_size);
		mapped_size = size;
		mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			      0);
		if (mapped == MAP_FAILED) {
			fprintf(stderr, "csum-bench: no %zu MB of memory\n", size >> 20);
			exit(1);
		}
		madvise(mapped, size, MADV_HUGEPAGE);
		fill(mapped, size);
	}
	return mapped + (-(uintptr_t)mapped & (HUGE_PAGE - 1));
}

/*
 * How far a destination is behind its source, modulo the size of a page. A load that has the low
 * 12 bits of a store still under way waits for it (4K aliasing). A packet of less than half a page
 * and the next one have none in common with it at half a page. Of longer ones some always have:
 * just below its source, a destination's bits were loaded before they are stored, and the next
 * load of them is nearly a page later.
 */
static size_t
page_offset(size_t len)
{
	return len + 2 * LINE <= PAGE / 2 ? PAGE / 2 : PAGE - LINE;
}

/*
 * An odd number of lines, so that all sets of a cache are used: as in a pool of mbufs, or closer
 * where that many packets would not fit.
 */
static size_t
stride_lines(size_t lines, size_t nb, size_t room)
{
	size_t fit = room / 2 / LINE / nb;
	size_t wanted = fit < MBUF_LINES ? fit : MBUF_LINES;

	if (wanted % 2 == 0)
		wanted--;
	return wanted > lines ? wanted : lines | 1;
}

static size_t
common_divisor(size_t a, size_t b)
{
	return b == 0 ? a : common_divisor(b, a % b);
}

/*
 * From a packet to the one used next: far away, as in a pool after a while, so that no hardware
 * prefetcher foresees it; all packets have their turn. Modulo a page it is a step to the neighbour
 * (1 modulo PAGE / LINE), which keeps what page_offset() is about.
 */
static size_t
step_packets(size_t nb)
{
	size_t step = nb * 5 / 8 / (PAGE / LINE) * (PAGE / LINE) + 1;

	while (common_divisor(nb, step) != 1)
		step += PAGE / LINE;
	return step;
}

void
ring_init(struct ring *ring, const struct cell *cell)
{
	size_t off = cell->src_off > cell->dst_off ? cell->src_off : cell->dst_off;
	size_t lines = round_up(off + cell->len_max, LINE) / LINE;
	size_t nb = sets[cell->residency].touched / (2 * lines * LINE);
	size_t stride, half;

	if (nb == 0)
		nb = 1;
	stride = stride_lines(lines, nb, sets[cell->residency].room) * LINE;
	ring->size = nb * stride;
	ring->step = (cell->sequential ? 1 : step_packets(nb)) * stride % ring->size;
	half = round_up(ring->size, PAGE);
	ring->src = arena(2 * half + 3 * PAGE);
	ring->dst = ring->src + half + page_offset(cell->len_max) + cell->dst_off;
	ring->src += cell->src_off;
	ring->pos = 0;
	ring->shift = 0;
}

/*
 * Where a pair lies within its page is a matter of luck: a candidate's constants, its stack and
 * what it copies may have page offsets in common, and then loads wait. Batches take turns at all.
 */
void
ring_shift(struct ring *ring, unsigned int i)
{
	size_t shift = i * 5 % (PAGE / LINE) * LINE;

	ring->src += shift - ring->shift;
	ring->dst += shift - ring->shift;
	ring->shift = shift;
}
