/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "colour.h"
#include "report.h"

static const char *const column_names[REPORT_NB_COLUMNS] = {
	[REPORT_IP] = "ip",
	[REPORT_UDP] = "udp",
	[REPORT_UDPLITE] = "udplite",
	[REPORT_TCP] = "tcp",
	[REPORT_ICMP] = "icmp",
	[REPORT_ICMPV6] = "icmpv6",
	[REPORT_IGMP] = "igmp",
	[REPORT_SCTP] = "sctp",
	[REPORT_DCCP] = "dccp",
	[REPORT_GRE] = "gre",
};

static const char *const verdict_names[REPORT_NB_VERDICTS] = {
	[REPORT_GOOD] = "good",
	[REPORT_BAD] = "bad",
	[REPORT_PARTIAL] = "partial",
	[REPORT_ZERO] = "zero",
	[REPORT_FRAGMENT] = "fragment",
	[REPORT_TRUNCATED] = "truncated",
};

enum report_column
report_column_of(enum csum_layer_type type)
{
	switch (type) {
	case CSUM_LAYER_IPV4:
		return REPORT_IP;
	case CSUM_LAYER_UDP:
		return REPORT_UDP;
	case CSUM_LAYER_UDPLITE:
		return REPORT_UDPLITE;
	case CSUM_LAYER_TCP:
		return REPORT_TCP;
	case CSUM_LAYER_ICMP:
		return REPORT_ICMP;
	case CSUM_LAYER_ICMPV6:
		return REPORT_ICMPV6;
	case CSUM_LAYER_IGMP:
		return REPORT_IGMP;
	case CSUM_LAYER_SCTP:
		return REPORT_SCTP;
	case CSUM_LAYER_DCCP:
		return REPORT_DCCP;
	case CSUM_LAYER_GRE:
		return REPORT_GRE;
	default:
		return REPORT_NB_COLUMNS;
	}
}

enum report_verdict
report_verdict_of(enum csum_verdict verdict)
{
	static const uint8_t verdicts[] = {
		[CSUM_VERDICT_GOOD] = REPORT_GOOD,
		[CSUM_VERDICT_BAD] = REPORT_BAD,
		[CSUM_VERDICT_PARTIAL] = REPORT_PARTIAL,
		[CSUM_VERDICT_ZERO] = REPORT_ZERO,
		[CSUM_VERDICT_FRAGMENT] = REPORT_FRAGMENT,
		[CSUM_VERDICT_TRUNCATED] = REPORT_TRUNCATED,
	};

	return verdicts[verdict];
}

const char *
report_layer_name(enum csum_layer_type type)
{
	static const char *const names[] = {
		[CSUM_LAYER_ETHER] = "ethernet", [CSUM_LAYER_VLAN] = "vlan",
		[CSUM_LAYER_MPLS] = "mpls", [CSUM_LAYER_PPPOE] = "pppoe",
		[CSUM_LAYER_IPV4] = "ipv4", [CSUM_LAYER_IPV6] = "ipv6",
		[CSUM_LAYER_TCP] = "tcp", [CSUM_LAYER_UDP] = "udp",
		[CSUM_LAYER_UDPLITE] = "udplite", [CSUM_LAYER_ICMP] = "icmp",
		[CSUM_LAYER_ICMPV6] = "icmpv6", [CSUM_LAYER_IGMP] = "igmp",
		[CSUM_LAYER_SCTP] = "sctp", [CSUM_LAYER_DCCP] = "dccp",
		[CSUM_LAYER_GRE] = "gre", [CSUM_LAYER_VXLAN] = "vxlan",
		[CSUM_LAYER_VXLAN_GPE] = "vxlan-gpe", [CSUM_LAYER_GENEVE] = "geneve",
		[CSUM_LAYER_GTPU] = "gtp-u", [CSUM_LAYER_PAYLOAD] = "payload",
	};

	return names[type];
}

const char *
report_column_name(enum report_column column)
{
	return column_names[column];
}

const char *
report_verdict_name(enum report_verdict verdict)
{
	return verdict_names[verdict];
}

uint64_t
report_total(const struct report_layers *layers, enum report_verdict verdict)
{
	uint64_t total = 0;
	unsigned int i;

	for (i = 0; i < REPORT_NB_COLUMNS; i++)
		total += layers->count[i][verdict];
	return total;
}

static bool
occurs(const struct report_layers *layers, enum report_column column)
{
	unsigned int i;

	for (i = 0; i < REPORT_NB_VERDICTS; i++)
		if (layers->count[column][i] != 0)
			return true;
	return false;
}

/* Width of a verdict's column: its name or its longest number, whichever is longer. */
static int
verdict_width(const struct report_layers *layers, enum report_verdict verdict)
{
	int width = (int)strlen(verdict_names[verdict]);
	unsigned int i;

	for (i = 0; i < REPORT_NB_COLUMNS; i++) {
		int digits = snprintf(NULL, 0, "%" PRIu64, layers->count[i][verdict]);

		if (digits > width)
			width = digits;
	}
	return width;
}

void
report_layers_table(FILE *out, const struct report_layers *layers)
{
	int width[REPORT_NB_VERDICTS];
	unsigned int i, j;

	fprintf(out, "%-8s", "layer");
	for (j = 0; j < REPORT_NB_VERDICTS; j++) {
		width[j] = verdict_width(layers, j);
		fprintf(out, "  %*s", width[j], verdict_names[j]);
	}
	fputc('\n', out);

	for (i = 0; i < REPORT_NB_COLUMNS; i++) {
		if (!occurs(layers, i))
			continue;
		fprintf(out, "%-8s", column_names[i]);
		for (j = 0; j < REPORT_NB_VERDICTS; j++) {
			fputs("  ", out);
			colour_count(out, j, layers->count[i][j], width[j]);
		}
		fputc('\n', out);
	}
}

void
report_layers_fields(struct fields *f, const char *name, const struct report_layers *layers)
{
	unsigned int i, j;

	fields_open(f, name);
	for (i = 0; i < REPORT_NB_COLUMNS; i++) {
		fields_open(f, column_names[i]);
		for (j = 0; j < REPORT_NB_VERDICTS; j++)
			fields_number(f, verdict_names[j], layers->count[i][j]);
		fields_close(f);
	}
	fields_close(f);
}

void
report_plural(FILE *out, uint64_t n, const char *what)
{
	fprintf(out, "%" PRIu64 " %s%s", n, what, n == 1 ? "" : "s");
}

int
report_finish(void)
{
	if (fflush(stdout) == 0 && ferror(stdout) == 0)
		return 0;
	fprintf(stderr, "cannot write the report: %s\n", strerror(errno));
	return -1;
}
