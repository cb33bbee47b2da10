/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _SCALAR_H_
#define _SCALAR_H_

/* What variants share whose vector is one integer register. */

#include "word.h"

typedef uint64_t vec;
#define VEC_REG "r"

/* No carry is left over: there is no limit but that of size_t. */
#define ACC_QUADS (SIZE_MAX / 64)

static ALWAYS_INLINE vec
vec_narrow(vec value)
{
	return (value & 0xffffffff) + (value >> 32);
}

static ALWAYS_INLINE vec
vec_swap(vec value, size_t odd)
{
	return word_swap(value, odd);
}

static ALWAYS_INLINE uint64_t
vec_total(vec lanes)
{
	return lanes;
}

#endif /* _SCALAR_H_ */
