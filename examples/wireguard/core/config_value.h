/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_CONFIG_VALUE_H_
#define _WG_CONFIG_VALUE_H_

/**
 * @file
 * Values of a configuration file. Each function returns NULL, or what is wrong with the text, and
 * then what it points to may have any value.
 */

#include "wg_config.h"

/** 32 bytes in base64. */
const char *wg_value_key(const char *text, uint8_t key[WG_KEY_LEN]);

/** A decimal number from `min` to `max`; `reason` is what is returned if it is not. */
const char *wg_value_number(const char *text, unsigned long min, unsigned long max,
			    const char *reason, uint16_t *number);

/** ADDRESS or ADDRESS/BITS. */
const char *wg_value_prefix(const char *text, struct wg_prefix *prefix);

/** IPV4:PORT or [IPV6]:PORT. */
const char *wg_value_endpoint(const char *text, struct wg_endpoint *endpoint);

#endif /* _WG_CONFIG_VALUE_H_ */
