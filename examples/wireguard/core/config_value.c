/* SPDX-License-Identifier: BSD-3-Clause */

#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "config_value.h"

#define KEY_TEXT_LEN 44

const char *
wg_value_key(const char *text, uint8_t key[WG_KEY_LEN])
{
	size_t len;

	if (strlen(text) != KEY_TEXT_LEN ||
	    sodium_base642bin(key, WG_KEY_LEN, text, KEY_TEXT_LEN, NULL, &len, NULL,
			      sodium_base64_VARIANT_ORIGINAL) != 0 || len != WG_KEY_LEN)
		return "not 32 bytes in base64";
	return NULL;
}

const char *
wg_value_number(const char *text, unsigned long min, unsigned long max, const char *reason,
		uint16_t *number)
{
	char *end;
	unsigned long value;

	/* strtoul() would take a sign, and blanks. */
	if (!isdigit((unsigned char)text[0]))
		return reason;
	value = strtoul(text, &end, 10);
	if (*end != '\0' || value < min || value > max)
		return reason;
	*number = (uint16_t)value;
	return NULL;
}

static bool
parse_addr(const char *text, struct wg_addr *addr)
{
	memset(addr, 0, sizeof(*addr));
	if (inet_pton(AF_INET, text, addr->bytes) == 1)
		addr->len = 4;
	else if (inet_pton(AF_INET6, text, addr->bytes) == 1)
		addr->len = 16;
	return addr->len != 0;
}

/* The part in front of `end`, as a text of its own; false if that is too long for an address. */
static bool
parse_addr_until(const char *text, const char *end, struct wg_addr *addr)
{
	char copy[INET6_ADDRSTRLEN];
	size_t len = (size_t)(end - text);

	if (len >= sizeof(copy))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	return parse_addr(copy, addr);
}

const char *
wg_value_prefix(const char *text, struct wg_prefix *prefix)
{
	const char *slash = strchr(text, '/'), *reason;
	uint16_t bits;

	if (!parse_addr_until(text, slash != NULL ? slash : text + strlen(text), &prefix->addr))
		return "not an IP address";
	bits = prefix->addr.len * 8;
	if (slash != NULL) {
		reason = wg_value_number(slash + 1, 0, bits, "not a prefix length", &bits);
		if (reason != NULL)
			return reason;
	}
	prefix->bits = (uint8_t)bits;
	return NULL;
}

const char *
wg_value_endpoint(const char *text, struct wg_endpoint *endpoint)
{
	const char *colon = strrchr(text, ':');
	bool bracketed = text[0] == '[';
	const char *from = text + bracketed, *end = colon != NULL ? colon - bracketed : NULL;

	if (colon == NULL || end < from || (bracketed && *end != ']'))
		return "not ADDRESS:PORT or [ADDRESS]:PORT";
	if (!parse_addr_until(from, end, &endpoint->addr))
		return "not an IP address (host names are not looked up)";
	if (bracketed != (endpoint->addr.len == 16))
		return "an IPv6 address stands in brackets, an IPv4 address does not";
	return wg_value_number(colon + 1, 1, UINT16_MAX, "not a port from 1 to 65535",
			       &endpoint->port);
}
