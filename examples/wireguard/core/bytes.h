/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_BYTES_H_
#define _WG_BYTES_H_

/**
 * @file
 * Numbers in messages, of either order, at any alignment.
 */

#include <stdint.h>

static inline uint64_t
wg_get_le64(const uint8_t *p)
{
	uint64_t value = 0;
	unsigned int i;

	for (i = 0; i < 8; i++)
		value |= (uint64_t)p[i] << (8 * i);
	return value;
}

static inline void
wg_put_le64(uint8_t *p, uint64_t value)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		p[i] = (uint8_t)(value >> (8 * i));
}

static inline uint32_t
wg_get_le32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void
wg_put_le32(uint8_t *p, uint32_t value)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		p[i] = (uint8_t)(value >> (8 * i));
}

static inline uint16_t
wg_get_be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

#endif /* _WG_BYTES_H_ */
