/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _QUADS_H_
#define _QUADS_H_

/*
 * What loops over quads in assembly share: an ISA writes QUADS(STORE, SPACE), with each store in
 * parentheses behind STORE, so that one text serves the copy and the sum alone.
 *
 * Registers are given, so that instructions are of the same length wherever the loop is inlined:
 * where a loop lies matters. It begins with a cache line; that of the sum SUM_SPACE behind it.
 */
#define QUADS_BEGIN(space) ".p2align 6\n\t" space "\n1:\n\t"

#define QUADS_OPERANDS \
	: [low] "+x"(low), [high] "+x"(high), "+a"(off) \
	: "S"(src_end), "D"(dst_end) \
	: "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "memory", "cc"

#define QUADS_STORE(text) text
#define QUADS_NO_STORE(text)

#define TAKE_QUADS
#define DEFINE_TAKE_QUADS(low_reg, high_reg) \
static ALWAYS_INLINE void \
take_quads(struct acc *acc, uint8_t *dst_end, const uint8_t *src_end, size_t off, const bool copy) \
{ \
	register vec low __asm__(low_reg) = acc->low; \
	register vec high __asm__(high_reg) = acc->high; \
\
	if (copy) \
		QUADS(QUADS_STORE, ""); \
	else \
		QUADS(QUADS_NO_STORE, SUM_SPACE); \
	acc->low = low; \
	acc->high = high; \
}

#endif /* _QUADS_H_ */
