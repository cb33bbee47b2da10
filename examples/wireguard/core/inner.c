/* SPDX-License-Identifier: BSD-3-Clause */

#include "bytes.h"
#include "inner.h"

#define IPV4_HEADER_LEN 20u
#define IPV6_HEADER_LEN 40u

bool
wg_inner_parse(struct wg_inner *inner, const uint8_t *packet, uint32_t len)
{
	unsigned int version = len != 0 ? packet[0] >> 4 : 0;

	if (version == 4 && len >= IPV4_HEADER_LEN) {
		inner->src = packet + 12;
		inner->dst = packet + 16;
		inner->addr_len = 4;
		inner->header_len = (packet[0] & 15) * 4;
		inner->len = wg_get_be16(packet + 2);
		return inner->header_len >= IPV4_HEADER_LEN;
	}
	if (version == 6 && len >= IPV6_HEADER_LEN) {
		inner->src = packet + 8;
		inner->dst = packet + 24;
		inner->addr_len = 16;
		inner->header_len = IPV6_HEADER_LEN;
		inner->len = IPV6_HEADER_LEN + wg_get_be16(packet + 4);
		return true;
	}
	return false;
}
