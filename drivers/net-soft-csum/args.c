/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_kvargs.h>
#include <rte_string_fns.h>

#include "soft_csum.h"

bool
soft_csum_is_number(const char *s)
{
	return *s != '\0' && s[strspn(s, "0123456789")] == '\0';
}

static int
parse_lower(const char *name, const char *value, struct soft_csum_args *args)
{
	if (*value == '\0' || strlcpy(args->lower, value, sizeof(args->lower)) >=
			sizeof(args->lower)) {
		SOFT_CSUM_LOG(ERR, name, "lower=%s is no name of a port", value);
		return -EINVAL;
	}
	if (soft_csum_is_number(value) && strtoul(value, NULL, 10) >= RTE_MAX_ETHPORTS) {
		SOFT_CSUM_LOG(ERR, name, "lower=%s: port ids end at %u", value,
			RTE_MAX_ETHPORTS - 1);
		return -EINVAL;
	}
	if (strcmp(args->lower, name) == 0) {
		SOFT_CSUM_LOG(ERR, name, "lower=%s: a port cannot sit on itself", value);
		return -EINVAL;
	}
	return 0;
}

static int
force_add(const char *name, const char *offload, struct soft_csum_args *args)
{
	char names[SOFT_CSUM_OFFLOAD_NAMES_LEN];
	uint64_t bits = soft_csum_offload_by_name(offload);

	if (bits == 0) {
		soft_csum_offload_names(names, sizeof(names));
		SOFT_CSUM_LOG(ERR, name, "force=: unknown offload '%s'; there are: %s", offload,
			names);
		return -EINVAL;
	}
	args->force |= bits;
	return 0;
}

/* One offload, or several between square brackets, at whose commas rte_kvargs does not split. */
static int
parse_force(const char *name, const char *value, struct soft_csum_args *args)
{
	char list[1024], *item, *rest = list;
	size_t len = strlcpy(list, value, sizeof(list));
	int ret = 0;

	if (len >= sizeof(list)) {
		SOFT_CSUM_LOG(ERR, name, "force=: the list is too long");
		return -EINVAL;
	}
	if (list[0] == '[') {
		if (list[len - 1] != ']') {
			SOFT_CSUM_LOG(ERR, name, "force=%s: the list is not closed", value);
			return -EINVAL;
		}
		list[len - 1] = '\0';
		rest++;
	}
	while (ret == 0 && (item = strsep(&rest, ",")) != NULL)
		ret = force_add(name, item, args);
	return ret;
}

/* One of several words, NULL behind the last: its index. */
static int
parse_word(const char *name, const char *key, const char *value, const char *const words[])
{
	char list[64];
	size_t n = 0;
	int i;

	for (i = 0; words[i] != NULL; i++) {
		if (strcmp(value, words[i]) == 0)
			return i;
		n += snprintf(list + n, sizeof(list) - n, "%s'%s'", i > 0 ? ", " : "", words[i]);
	}
	SOFT_CSUM_LOG(ERR, name, "%s=%s: it is one of %s", key, value, list);
	return -EINVAL;
}

static int
parse_form(const char *name, const char *value, struct soft_csum_args *args)
{
	static const char *const words[] = { "auto", "copy", "attach", NULL };
	int i = parse_word(name, "form", value, words);

	args->attach = i == 2;
	return RTE_MIN(i, 0);
}

static int
parse_udp_seg(const char *name, const char *value, struct soft_csum_args *args)
{
	static const char *const words[] = { "uso", "ufo", NULL };
	int i = parse_word(name, "udp_seg", value, words);

	if (i > 0)
		args->gso_flags |= CSUM_GSO_F_UFO;
	return RTE_MIN(i, 0);
}

static int
parse_accecn(const char *name, const char *value, struct soft_csum_args *args)
{
	static const char *const words[] = { "0", "1", NULL };
	int i = parse_word(name, "accecn", value, words);

	if (i > 0)
		args->gso_flags |= CSUM_GSO_F_ACCECN;
	return RTE_MIN(i, 0);
}

static int
parse_rx_csum(const char *name, const char *value, struct soft_csum_args *args)
{
	static const char *const words[] = {
		[SOFT_CSUM_RX_AUTO] = "auto", [SOFT_CSUM_RX_ON] = "on",
		[SOFT_CSUM_RX_OFF] = "off", NULL
	};
	int i = parse_word(name, "rx_csum", value, words);

	if (i >= 0)
		args->rx_csum = (enum soft_csum_rx_csum)i;
	return RTE_MIN(i, 0);
}

static int
parse_pool_size(const char *name, const char *value, struct soft_csum_args *args)
{
	unsigned long size = strtoul(value, NULL, 10);

	if (!soft_csum_is_number(value) || size < SOFT_CSUM_POOL_MIN || size > UINT32_MAX) {
		SOFT_CSUM_LOG(ERR, name, "pool_size=%s: it is a number of mbufs, %u at least",
			value, SOFT_CSUM_POOL_MIN);
		return -EINVAL;
	}
	args->pool_size = (uint32_t)size;
	return 0;
}

static const struct {
	const char *key;
	int (*parse)(const char *name, const char *value, struct soft_csum_args *args);
} keys[] = {
	{ "lower", parse_lower },
	{ "force", parse_force },
	{ "form", parse_form },
	{ "udp_seg", parse_udp_seg },
	{ "accecn", parse_accecn },
	{ "rx_csum", parse_rx_csum },
	{ "pool_size", parse_pool_size },
};

static int
parse_pair(const char *name, const struct rte_kvargs_pair *pair, uint32_t *seen,
	   struct soft_csum_args *args)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(keys); i++)
		if (strcmp(pair->key, keys[i].key) == 0)
			break;
	if (i == RTE_DIM(keys)) {
		SOFT_CSUM_LOG(ERR, name, "unknown argument '%s'; there are: "
			"lower=, dev(), force=, form=, udp_seg=, accecn=, rx_csum=, pool_size=",
			pair->key);
		return -EINVAL;
	}
	if (pair->value == NULL) {
		SOFT_CSUM_LOG(ERR, name, "%s= needs a value", pair->key);
		return -EINVAL;
	}
	if (*seen & RTE_BIT32(i)) {
		SOFT_CSUM_LOG(ERR, name, "%s= is given twice", pair->key);
		return -EINVAL;
	}
	*seen |= RTE_BIT32(i);
	return keys[i].parse(name, pair->value, args);
}

static int
parse_pairs(const char *name, const char *params, struct soft_csum_args *args)
{
	struct rte_kvargs *kvargs = rte_kvargs_parse(params, NULL);
	uint32_t seen = 0;
	unsigned int i;
	int ret = 0;

	if (kvargs == NULL) {
		SOFT_CSUM_LOG(ERR, name, "'%s' is no list of arguments", params);
		return -EINVAL;
	}
	for (i = 0; ret == 0 && i < kvargs->count; i++)
		ret = parse_pair(name, &kvargs->pairs[i], &seen, args);
	rte_kvargs_free(kvargs);
	return ret;
}

/* The first argument that is dev(...), or NULL. */
static char *
find_dev(char *params)
{
	char *dev = params;

	while ((dev = strstr(dev, "dev(")) != NULL && dev != params && dev[-1] != ',')
		dev++;
	return dev;
}

/* The bracket that closes the one at @p open, or NULL. */
static char *
find_close(char *open)
{
	unsigned int depth = 0;

	for (; *open != '\0'; open++) {
		if (*open == '(')
			depth++;
		else if (*open == ')' && --depth == 0)
			return open;
	}
	return NULL;
}

/* Take dev(...) out: what is between its brackets has commas and keys that are not ours. */
static int
cut_dev(const char *name, char *params, struct soft_csum_args *args)
{
	char *dev = find_dev(params);
	char *open, *close;

	if (dev == NULL)
		return 0;
	open = strchr(dev, '(');
	close = find_close(open);
	if (close == NULL || (close[1] != ',' && close[1] != '\0')) {
		SOFT_CSUM_LOG(ERR, name, "'%s': its brackets do not match", dev);
		return -EINVAL;
	}
	args->devargs = strndup(open + 1, close - open - 1);
	if (args->devargs == NULL)
		return -ENOMEM;
	/* rte_kvargs overlooks the empty argument that may be left. */
	memmove(dev, close + 1, strlen(close + 1) + 1);
	if (find_dev(params) != NULL) {
		SOFT_CSUM_LOG(ERR, name, "dev() is given twice");
		return -EINVAL;
	}
	return 0;
}

static int
check(const char *name, const struct soft_csum_args *args)
{
	if (args->devargs != NULL && args->lower[0] != '\0') {
		SOFT_CSUM_LOG(ERR, name, "lower=%s and dev(%s) contradict each other", args->lower,
			args->devargs);
		return -EINVAL;
	}
	if (args->devargs == NULL && args->lower[0] == '\0') {
		SOFT_CSUM_LOG(ERR, name, "which port below? lower=<name, PCI address or port id>, "
			"or dev(<devargs>) to create it");
		return -EINVAL;
	}
	if (args->attach && (args->force & RTE_ETH_TX_OFFLOAD_MULTI_SEGS) != 0) {
		SOFT_CSUM_LOG(ERR, name, "form=attach makes chains, which force= of multi_segs "
			"keeps from the port below: they contradict each other");
		return -EINVAL;
	}
	return 0;
}

int
soft_csum_args_parse(const char *name, const char *params, struct soft_csum_args *args)
{
	char *copy = strdup(params);
	int ret;

	memset(args, 0, sizeof(*args));
	if (copy == NULL)
		return -ENOMEM;
	ret = cut_dev(name, copy, args);
	if (ret == 0)
		ret = parse_pairs(name, copy, args);
	if (ret == 0)
		ret = check(name, args);
	if (ret != 0) {
		free(args->devargs);
		args->devargs = NULL;
	}
	free(copy);
	return ret;
}
