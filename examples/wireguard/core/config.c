/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config_keys.h"
#include "crypto.h"

struct reader {
	struct wg_config *config;
	const char *path;
	unsigned int line;         /* 0: none in particular */
	unsigned int section_line;
	enum wg_section section;
	unsigned int seen;         /* keys of this section */
	bool has_interface;
	char *error;
	size_t error_len;
};

static const uint8_t no_key[WG_KEY_LEN];

static int __attribute__((format(printf, 2, 3)))
refuse(struct reader *r, const char *format, ...)
{
	char what[256], line[16] = "";
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	if (r->line != 0)
		snprintf(line, sizeof(line), "%u: ", r->line);
	snprintf(r->error, r->error_len, "%s:%s%s", r->path, r->line != 0 ? line : " ", what);
	return -EINVAL;
}

/* What a section must have, when it is over. */
static int
end_section(struct reader *r)
{
	const struct wg_config *config = r->config;

	r->line = r->section_line;
	if (r->section == WG_SECTION_INTERFACE &&
	    memcmp(config->private_key, no_key, WG_KEY_LEN) == 0)
		return refuse(r, "[Interface] without PrivateKey");
	if (r->section == WG_SECTION_PEER &&
	    memcmp(config->peer[config->nb_peers - 1].public_key, no_key, WG_KEY_LEN) == 0)
		return refuse(r, "[Peer] without PublicKey");
	return 0;
}

static int
add_peer(struct wg_config *config)
{
	size_t size = config->nb_peers * sizeof(*config->peer);
	struct wg_config_peer *longer = OPENSSL_clear_realloc(config->peer, size,
							      size + sizeof(*longer));

	if (longer == NULL)
		return -ENOMEM;
	memset(&longer[config->nb_peers++], 0, sizeof(*longer));
	config->peer = longer;
	return 0;
}

static int
begin_section(struct reader *r, const char *name)
{
	unsigned int line = r->line;
	int ret = end_section(r);

	if (ret != 0)
		return ret;
	r->line = line;
	r->section_line = line;
	r->seen = 0;
	if (strcasecmp(name, "[Peer]") == 0) {
		r->section = WG_SECTION_PEER;
		return add_peer(r->config);
	}
	if (strcasecmp(name, "[Interface]") != 0)
		return refuse(r, "neither [Interface] nor [Peer]");
	if (r->has_interface)
		return refuse(r, "a second [Interface]");
	r->section = WG_SECTION_INTERFACE;
	r->has_interface = true;
	return 0;
}

static int
take_line(struct reader *r, char *text)
{
	char *equals, *name;
	const char *reason;

	text[strcspn(text, "#")] = '\0';
	text = wg_config_strip(text);
	if (text[0] == '\0')
		return 0;
	if (text[0] == '[')
		return begin_section(r, text);
	equals = strchr(text, '=');
	if (equals == NULL)
		return refuse(r, "neither a section nor KEY = VALUE");
	*equals = '\0';
	name = wg_config_strip(text);
	if (r->section == WG_SECTION_NONE)
		return refuse(r, "%s: in front of the first section", name);
	reason = wg_config_take(r->config, r->section, &r->seen, name,
				wg_config_strip(equals + 1));
	return reason == NULL ? 0 : refuse(r, "%s: %s", name, reason);
}

/* What can be said when all is known. */
static int
check_whole(struct reader *r)
{
	const struct wg_config *config = r->config;
	uint8_t public_key[WG_KEY_LEN];
	unsigned int i;

	r->line = 0;
	if (!r->has_interface)
		return refuse(r, "no [Interface]");
	if (!wg_x25519_public(public_key, config->private_key))
		return -ENOMEM;
	for (i = 0; i < config->nb_peers; i++)
		if (memcmp(config->peer[i].public_key, public_key, WG_KEY_LEN) == 0)
			return refuse(r, "the PublicKey of peer %u is the interface's own", i + 1);
	return 0;
}

static int
read_stream(struct reader *r, FILE *file)
{
	char *text = NULL;
	size_t size = 0;
	ssize_t len;
	int ret = 0;

	while (ret == 0 && (len = getline(&text, &size, file)) >= 0) {
		r->line++;
		ret = strlen(text) == (size_t)len ? take_line(r, text) :
			refuse(r, "a zero byte");
	}
	if (ret == 0 && ferror(file))
		ret = -errno;
	if (text != NULL)
		wg_zero(text, size);
	free(text);
	if (ret == 0)
		ret = end_section(r);
	return ret == 0 ? check_whole(r) : ret;
}

int
wg_config_read(struct wg_config *config, const char *path, char *error, size_t error_len)
{
	struct reader r = { .config = config, .path = path, .error = error,
			    .error_len = error_len };
	bool standard = strcmp(path, "-") == 0;
	FILE *file = standard ? stdin : fopen(path, "r");
	int ret = file != NULL ? 0 : -errno;

	memset(config, 0, sizeof(*config));
	if (ret == 0)
		ret = read_stream(&r, file);
	if (file != NULL && !standard)
		fclose(file);
	if (ret == 0)
		return 0;
	if (ret != -EINVAL)
		snprintf(error, error_len, "%s: %s", path, strerror(-ret));
	wg_config_free(config);
	return ret;
}

void
wg_config_free(struct wg_config *config)
{
	unsigned int i;

	for (i = 0; i < config->nb_peers; i++)
		free(config->peer[i].allowed);
	OPENSSL_clear_free(config->peer, config->nb_peers * sizeof(*config->peer));
	free(config->address);
	wg_zero(config, sizeof(*config));
}
