/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "device.h"

static int
init_peer(struct wg_device *dev, unsigned int id, const struct wg_config_peer *config,
	  uint64_t mono)
{
	struct wg_peer *peer = &dev->peers[id];
	unsigned int i;

	peer->dev = dev;
	peer->id = id;
	peer->endpoint = config->endpoint;
	wg_timers_init(peer, config->keepalive, mono);
	for (i = 0; i < config->nb_allowed; i++)
		if (!wg_allowed_ips_add(&dev->allowed_ips, &config->allowed[i], peer))
			return ENOMEM;
	return wg_remote_init(&peer->remote, &dev->identity, config->public_key,
			      config->preshared_key) &&
		wg_cookie_keys_init(&peer->jar.keys, config->public_key) ? 0 : EIO;
}

static int
init(struct wg_device *dev, const struct wg_config *config, uint64_t mono)
{
	unsigned int i;
	int ret = 0;

	dev->deadline = WG_NEVER;
	dev->nb_peers = config->nb_peers;
	/* One more, because calloc() may return NULL for none. */
	dev->peers = calloc(config->nb_peers + 1, sizeof(*dev->peers));
	if (dev->peers == NULL || !wg_index_init(&dev->indices, config->nb_peers))
		return ENOMEM;
	if (sodium_init() < 0 ||
	    !wg_identity_init(&dev->identity, config->private_key) ||
	    !wg_cookie_keys_init(&dev->checker.keys, dev->identity.public_key) ||
	    !wg_random(dev->load.hash_key, sizeof(dev->load.hash_key)))
		return EIO;
	for (i = 0; i < config->nb_peers && ret == 0; i++)
		ret = init_peer(dev, i, &config->peer[i], mono);
	return ret;
}

struct wg_device *
wg_device_new(const struct wg_config *config, unsigned int flags, const struct wg_now *now)
{
	struct wg_device *dev = calloc(1, sizeof(*dev));
	int ret = dev != NULL ? init(dev, config, now->mono) : ENOMEM;

	if (ret != 0) {
		wg_device_free(dev);
		errno = ret;
		return NULL;
	}
	dev->null_cipher = (flags & WG_DEVICE_NULL_CIPHER) != 0;
	return dev;
}

void
wg_device_free(struct wg_device *dev)
{
	unsigned int i;

	if (dev == NULL)
		return;
	for (i = 0; dev->peers != NULL && i < dev->nb_peers; i++) {
		wg_handshake_abandon(&dev->peers[i]);
		wg_sessions_drop(&dev->peers[i]);
		wg_zero(&dev->peers[i], sizeof(dev->peers[i]));
	}
	free(dev->peers);
	wg_allowed_ips_free(&dev->allowed_ips);
	wg_index_free(&dev->indices);
	wg_zero(dev, sizeof(*dev));
	free(dev);
}

const struct wg_stats *
wg_device_stats(const struct wg_device *dev)
{
	return &dev->stats;
}

void
wg_device_set_under_load(struct wg_device *dev, bool under_load)
{
	dev->load.forced = under_load;
}

unsigned int
wg_device_nb_peers(const struct wg_device *dev)
{
	return dev->nb_peers;
}

struct wg_peer *
wg_device_peer(struct wg_device *dev, unsigned int id)
{
	return &dev->peers[id];
}

unsigned int
wg_peer_id(const struct wg_peer *peer)
{
	return peer->id;
}

const struct wg_peer_stats *
wg_peer_stats(const struct wg_peer *peer)
{
	return &peer->stats;
}

const struct wg_endpoint *
wg_peer_endpoint(const struct wg_peer *peer)
{
	return wg_peer_has_endpoint(peer) ? &peer->endpoint : NULL;
}
