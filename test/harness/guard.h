/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _GUARD_H_
#define _GUARD_H_

/*
 * Memory between two fences: pages that may be neither read nor written, so that a byte too far
 * on either side ends the test at the instruction that did it. What a fence cannot see, because
 * a buffer does not touch it, the canaries around the buffer do.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guard {
	uint8_t *begin; /* first byte, right behind the lower fence */
	uint8_t *end;   /* behind the last byte, right before the upper fence */
};

/* Map at least @p size bytes between fences, filled with canaries; ends the program on failure. */
void guard_init(struct guard *guard, size_t size);

/* Unmap it. */
void guard_fini(struct guard *guard);

/* A buffer that begins @p gap bytes above the lower fence. Its address is gap mod 4096. */
uint8_t *guard_low(const struct guard *guard, size_t gap);

/* A buffer of @p len bytes that ends @p gap bytes below the upper fence. */
uint8_t *guard_high(const struct guard *guard, size_t len, size_t gap);

/*
 * A buffer of @p len bytes whose address is @p align modulo 64, as near to the upper fence as
 * that allows.
 */
uint8_t *guard_high_aligned(const struct guard *guard, size_t len, size_t align);

/* Set up to 64 canaries on each side of a buffer, and the buffer itself, which is to be written. */
void guard_canaries_set(const struct guard *guard, uint8_t *buf, size_t len);

/* Tell whether the canaries around the buffer are as guard_canaries_set() left them. */
bool guard_canaries_ok(const struct guard *guard, const uint8_t *buf, size_t len);

#endif /* _GUARD_H_ */
