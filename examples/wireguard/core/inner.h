/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_INNER_H_
#define _WG_INNER_H_

/**
 * @file
 * What the tunnel looks at in the packets that it carries: version, addresses, length.
 */

#include <stdbool.h>
#include <stdint.h>

struct wg_inner {
	const uint8_t *src, *dst;
	unsigned int addr_len; /**< 4 or 16 */
	uint32_t header_len;   /**< without extension headers */
	uint32_t len;          /**< of the packet, as its header says */
};

/**
 * @return
 *   False if what begins here is no IPv4 or IPv6 header, or not all of its fixed part. Whether the
 *   packet's length is plausible is not looked at, since that of a super-packet need not be.
 */
bool wg_inner_parse(struct wg_inner *inner, const uint8_t *packet, uint32_t len);

#endif /* _WG_INNER_H_ */
