/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config_keys.h"
#include "config_value.h"
#include "crypto.h"

#define BLANKS " \t\r\n\v\f"

struct key {
	const char *name;
	enum wg_section section;
	bool list; /* of values with commas, and more of them in other lines */
	const char *(*take)(struct wg_config *config, const char *value);
};

static struct wg_config_peer *
last_peer(struct wg_config *config)
{
	return &config->peer[config->nb_peers - 1];
}

static const char *
take_private_key(struct wg_config *config, const char *value)
{
	return wg_value_key(value, config->private_key);
}

static const char *
take_listen_port(struct wg_config *config, const char *value)
{
	return wg_value_number(value, 0, UINT16_MAX, "not a port from 0 to 65535",
			       &config->listen_port);
}

static const char *
take_mtu(struct wg_config *config, const char *value)
{
	return wg_value_number(value, 68, UINT16_MAX, "not from 68 to 65535", &config->mtu);
}

static const char *
append(struct wg_prefix **list, unsigned int *nb, const struct wg_prefix *prefix)
{
	struct wg_prefix *longer = realloc(*list, (*nb + 1) * sizeof(**list));

	if (longer == NULL)
		return "no memory";
	longer[(*nb)++] = *prefix;
	*list = longer;
	return NULL;
}

static const char *
take_address(struct wg_config *config, const char *value)
{
	struct wg_prefix prefix;
	const char *reason = wg_value_prefix(value, &prefix);

	return reason != NULL ? reason :
		append(&config->address, &config->nb_address, &prefix);
}

static const char *
take_public_key(struct wg_config *config, const char *value)
{
	static const uint8_t any_private_key[WG_KEY_LEN];
	struct wg_config_peer *peer = last_peer(config);
	const char *reason = wg_value_key(value, peer->public_key);
	uint8_t shared[WG_KEY_LEN];
	unsigned int i;

	if (reason != NULL)
		return reason;
	if (!wg_x25519(shared, any_private_key, peer->public_key))
		return "a key of low order, which is nobody's";
	for (i = 0; i < config->nb_peers - 1; i++)
		if (memcmp(config->peer[i].public_key, peer->public_key, WG_KEY_LEN) == 0)
			return "another peer has this key";
	return NULL;
}

static const char *
take_preshared_key(struct wg_config *config, const char *value)
{
	return wg_value_key(value, last_peer(config)->preshared_key);
}

static const char *
take_endpoint(struct wg_config *config, const char *value)
{
	return wg_value_endpoint(value, &last_peer(config)->endpoint);
}

static const char *
take_keepalive(struct wg_config *config, const char *value)
{
	return wg_value_number(strcasecmp(value, "off") == 0 ? "0" : value, 0, UINT16_MAX,
			       "neither off nor seconds from 0 to 65535",
			       &last_peer(config)->keepalive);
}

static void
clear_host_bits(struct wg_prefix *prefix)
{
	unsigned int bit;

	for (bit = prefix->bits; bit < prefix->addr.len * 8u; bit++)
		prefix->addr.bytes[bit / 8] &= (uint8_t)~(128 >> bit % 8);
}

static bool
has_prefix(const struct wg_config_peer *peer, const struct wg_prefix *prefix)
{
	unsigned int i;

	for (i = 0; i < peer->nb_allowed; i++)
		if (memcmp(&peer->allowed[i], prefix, sizeof(*prefix)) == 0)
			return true;
	return false;
}

static const char *
take_allowed_ip(struct wg_config *config, const char *value)
{
	struct wg_config_peer *peer = last_peer(config);
	struct wg_prefix prefix;
	const char *reason = wg_value_prefix(value, &prefix);
	unsigned int i;

	if (reason != NULL)
		return reason;
	clear_host_bits(&prefix);
	for (i = 0; i < config->nb_peers - 1; i++)
		if (has_prefix(&config->peer[i], &prefix))
			return "another peer has this prefix";
	return append(&peer->allowed, &peer->nb_allowed, &prefix);
}

static const struct key keys[] = {
	{ "PrivateKey", WG_SECTION_INTERFACE, false, take_private_key },
	{ "ListenPort", WG_SECTION_INTERFACE, false, take_listen_port },
	{ "Address", WG_SECTION_INTERFACE, true, take_address },
	{ "MTU", WG_SECTION_INTERFACE, false, take_mtu },
	{ "PublicKey", WG_SECTION_PEER, false, take_public_key },
	{ "PresharedKey", WG_SECTION_PEER, false, take_preshared_key },
	{ "AllowedIPs", WG_SECTION_PEER, true, take_allowed_ip },
	{ "Endpoint", WG_SECTION_PEER, false, take_endpoint },
	{ "PersistentKeepalive", WG_SECTION_PEER, false, take_keepalive },
};

#define NB_KEYS (sizeof(keys) / sizeof(keys[0]))

char *
wg_config_strip(char *text)
{
	size_t len;

	text += strspn(text, BLANKS);
	len = strlen(text);
	while (len > 0 && strchr(BLANKS, text[len - 1]) != NULL)
		text[--len] = '\0';
	return text;
}

/* Nothing at all is an empty list, as wg writes it; nothing between commas is not. */
static const char *
take_list(struct wg_config *config, const struct key *key, char *values)
{
	const char *reason = NULL;
	char *value;

	if (values[0] == '\0')
		return NULL;
	while (reason == NULL && (value = strsep(&values, ",")) != NULL)
		reason = key->take(config, wg_config_strip(value));
	return reason;
}

const char *
wg_config_take(struct wg_config *config, enum wg_section section, unsigned int *seen,
	       const char *name, char *value)
{
	const struct key *key = keys;
	unsigned int bit;

	while (key < keys + NB_KEYS && strcasecmp(key->name, name) != 0)
		key++;
	if (key == keys + NB_KEYS)
		return "not supported";
	if (key->section != section)
		return "belongs to the other section";
	if (key->list)
		return take_list(config, key, value);
	bit = 1u << (key - keys);
	if ((*seen & bit) != 0)
		return "given twice";
	*seen |= bit;
	return key->take(config, value);
}
