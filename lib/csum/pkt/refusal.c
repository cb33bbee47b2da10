/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>

#include <csum_pkt.h>

static const struct {
	const char *name;
	int result;
} refusals[CSUM_REFUSAL_MAX] = {
	[CSUM_REFUSAL_NONE] = { "none", 0 },
	[CSUM_REFUSAL_FLAGS] = { "flags", -EINVAL },
	[CSUM_REFUSAL_LENGTHS] = { "lengths", -EINVAL },
	[CSUM_REFUSAL_HEADER] = { "header", -EBADMSG },
	[CSUM_REFUSAL_IP_LENGTH] = { "ip_length", -EBADMSG },
	[CSUM_REFUSAL_FRAGMENT] = { "fragment", -ENOTSUP },
	[CSUM_REFUSAL_SEGSZ] = { "segsz", -EINVAL },
	[CSUM_REFUSAL_PROTOCOL] = { "protocol", -ENOTSUP },
	[CSUM_REFUSAL_TCP_FLAGS] = { "tcp_flags", -ENOTSUP },
	[CSUM_REFUSAL_DF] = { "df", -ENOTSUP },
	[CSUM_REFUSAL_TUNNEL] = { "tunnel", -ENOTSUP },
	[CSUM_REFUSAL_TOO_BIG] = { "too_big", -ENOTSUP },
};

const char *
csum_refusal_name(enum csum_refusal refusal)
{
	return refusal < CSUM_REFUSAL_MAX ? refusals[refusal].name : "unknown";
}

int
csum_refusal_errno(enum csum_refusal refusal)
{
	return refusal < CSUM_REFUSAL_MAX ? refusals[refusal].result : -EINVAL;
}
