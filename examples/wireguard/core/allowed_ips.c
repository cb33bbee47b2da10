/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdlib.h>
#include <string.h>

#include "allowed_ips.h"

struct wg_trie_node {
	struct wg_trie_node *child[2]; /* by the first bit behind the prefix */
	struct wg_peer *peer;          /* NULL: a parting alone */
	uint8_t bytes[16];
	uint8_t bits;
};

static unsigned int
bit_of(const uint8_t *bytes, unsigned int at)
{
	return bytes[at / 8] >> (7 - at % 8) & 1;
}

/* How many of the first `max` bits are the same. */
static unsigned int
common_bits(const uint8_t *a, const uint8_t *b, unsigned int max)
{
	unsigned int at = 0;

	while (at + 8 <= max && a[at / 8] == b[at / 8])
		at += 8;
	while (at < max && bit_of(a, at) == bit_of(b, at))
		at++;
	return at;
}

static struct wg_trie_node *
node_new(const uint8_t *bytes, unsigned int len, unsigned int bits)
{
	struct wg_trie_node *node = calloc(1, sizeof(*node));

	if (node == NULL)
		return NULL;
	memcpy(node->bytes, bytes, len);
	node->bits = (uint8_t)bits;
	return node;
}

/* Put `node` where *link points, above what is there; they have `common` bits in common. */
static bool
insert(struct wg_trie_node **link, struct wg_trie_node *node, unsigned int len, unsigned int common)
{
	struct wg_trie_node *below = *link, *parting = node;

	if (common < node->bits) {
		parting = node_new(node->bytes, len, common);
		if (parting == NULL)
			return false;
		parting->child[bit_of(node->bytes, common)] = node;
	}
	parting->child[bit_of(below->bytes, common)] = below;
	*link = parting;
	return true;
}

bool
wg_allowed_ips_add(struct wg_allowed_ips *ips, const struct wg_prefix *prefix,
		   struct wg_peer *peer)
{
	struct wg_trie_node **link = prefix->addr.len == 4 ? &ips->root4 : &ips->root6, *node;
	const uint8_t *bytes = prefix->addr.bytes;
	unsigned int bits = prefix->bits, common = 0;

	while ((node = *link) != NULL) {
		common = common_bits(node->bytes, bytes, node->bits < bits ? node->bits : bits);
		if (common < node->bits || common == bits)
			break;
		link = &node->child[bit_of(bytes, common)];
	}
	if (node != NULL && common == bits && node->bits == bits) {
		node->peer = peer;
		return true;
	}
	node = node_new(bytes, prefix->addr.len, bits);
	if (node == NULL)
		return false;
	node->peer = peer;
	if (*link == NULL) {
		*link = node;
	} else if (!insert(link, node, prefix->addr.len, common)) {
		free(node);
		return false;
	}
	return true;
}

struct wg_peer *
wg_allowed_ips_find(const struct wg_allowed_ips *ips, const uint8_t *addr, unsigned int len)
{
	const struct wg_trie_node *node = len == 4 ? ips->root4 : ips->root6;
	struct wg_peer *found = NULL;

	while (node != NULL && common_bits(node->bytes, addr, node->bits) == node->bits) {
		if (node->peer != NULL)
			found = node->peer;
		if (node->bits == 8 * len)
			break;
		node = node->child[bit_of(addr, node->bits)];
	}
	return found;
}

/* A level has at least one bit, so that this is at most 129 calls deep. */
static void
free_below(struct wg_trie_node *node)
{
	if (node == NULL)
		return;
	free_below(node->child[0]);
	free_below(node->child[1]);
	free(node);
}

void
wg_allowed_ips_free(struct wg_allowed_ips *ips)
{
	free_below(ips->root4);
	free_below(ips->root6);
	ips->root4 = NULL;
	ips->root6 = NULL;
}
