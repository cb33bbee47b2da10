/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "diff_packet.h"
#include "frame.h"
#include "report.h"

void
diff_say(struct diff_finding *finding, bool matters, const char *format, ...)
{
	size_t len = strlen(finding->text);
	va_list ap;

	finding->matters |= matters;
	if (len != 0 && len + 3 < sizeof(finding->text)) {
		strcpy(finding->text + len, ", ");
		len += 2;
	}
	va_start(ap, format);
	vsnprintf(finding->text + len, sizeof(finding->text) - len, format, ap);
	va_end(ap);
}

struct diff_packet *
diff_packet_new(const struct capture_record *rec)
{
	static uint8_t buf[FRAME_MAX];
	struct diff_packet *p = calloc(1, sizeof(*p));
	struct frame frame;

	if (p == NULL)
		return NULL;
	frame_of(rec, buf, &frame);
	*p = (struct diff_packet){
		.frame = rec->frame,
		.caplen = RTE_MIN(frame.caplen, (uint32_t)CAPTURE_MAX_CAPLEN),
		.len = frame.len,
		.data = malloc(frame.caplen + 1),
	};
	if (p->data == NULL) {
		free(p);
		return NULL;
	}
	memcpy(p->data, frame.data, p->caplen);
	packet_parse_frame(&p->parsed, p->data, p->caplen, p->len);
	return p;
}

void
diff_packet_free(struct diff_packet *p)
{
	if (p == NULL)
		return;
	free(p->data);
	free(p);
}

bool
diff_is_equal(const struct diff_packet *a, const struct diff_packet *b)
{
	return a->caplen == b->caplen && a->len == b->len &&
	       memcmp(a->data, b->data, a->caplen) == 0;
}

/* A field of a layer: how much it matters that it changes. */
enum weight { IGNORED, MINOR, LENGTH, MAJOR };

static const struct field {
	uint8_t layer;
	uint8_t off;
	uint8_t len;
	uint8_t weight;
	const char *name;
} fields[] = {
	{ CSUM_LAYER_ETHER, 0, 12, MINOR, "MAC addresses" },
	{ CSUM_LAYER_IPV4, 1, 1, MINOR, "traffic class" },
	{ CSUM_LAYER_IPV4, 2, 2, LENGTH, "length" },
	{ CSUM_LAYER_IPV4, 4, 2, MINOR, "ID" },
	{ CSUM_LAYER_IPV4, 8, 1, MINOR, "TTL" },
	{ CSUM_LAYER_IPV4, 10, 2, IGNORED, NULL },
	{ CSUM_LAYER_IPV4, 12, 8, MAJOR, "addresses" },
	{ CSUM_LAYER_IPV6, 4, 2, LENGTH, "length" },
	{ CSUM_LAYER_IPV6, 7, 1, MINOR, "hop limit" },
	{ CSUM_LAYER_IPV6, 8, 32, MAJOR, "addresses" },
	{ CSUM_LAYER_UDP, 0, 4, MAJOR, "ports" },
	{ CSUM_LAYER_UDP, 4, 2, LENGTH, "length" },
	{ CSUM_LAYER_UDP, 6, 2, IGNORED, NULL },
	{ CSUM_LAYER_UDPLITE, 6, 2, IGNORED, NULL },
	{ CSUM_LAYER_DCCP, 6, 2, IGNORED, NULL },
	{ CSUM_LAYER_TCP, 0, 4, MAJOR, "ports" },
	{ CSUM_LAYER_TCP, 16, 2, IGNORED, NULL },
	{ CSUM_LAYER_ICMP, 2, 2, IGNORED, NULL },
	{ CSUM_LAYER_ICMPV6, 2, 2, IGNORED, NULL },
	{ CSUM_LAYER_IGMP, 2, 2, IGNORED, NULL },
	{ CSUM_LAYER_SCTP, 8, 4, IGNORED, NULL },
	{ CSUM_LAYER_GRE, 4, 2, IGNORED, NULL },
};

static bool
differs(const struct diff_packet *a, const struct diff_packet *b, uint32_t off, uint32_t end)
{
	return end > off && memcmp(a->data + off, b->data + off, end - off) != 0;
}

static bool
is_zero(const struct diff_packet *a, uint32_t off, uint32_t end)
{
	while (off < end)
		if (a->data[off++] != 0)
			return false;
	return true;
}

/* Look at the fields we have a name for; `rest` gets those bytes made equal. */
static void
compare_fields(const struct diff_packet *a, const struct diff_packet *b, unsigned int i,
	       uint32_t end, uint8_t *rest, struct diff_finding *finding)
{
	const struct csum_layer *layer = &a->parsed.pkt.layer[i];
	const char *column = report_layer_name(layer->type);
	unsigned int f;

	for (f = 0; f < RTE_DIM(fields); f++) {
		uint32_t from = layer->off + fields[f].off;
		uint32_t to = from + fields[f].len;
		bool filled;

		if (fields[f].layer != layer->type || to > end || !differs(a, b, from, to))
			continue;
		memcpy(rest + from, a->data + from, to - from);
		if (fields[f].weight == IGNORED)
			continue;
		/* A length that was left 0 is filled; any other is changed. */
		filled = fields[f].weight == LENGTH && is_zero(a, from, to);
		diff_say(finding, fields[f].weight >= LENGTH && !filled, "%s %s %s", column,
			 fields[f].name, filled ? "filled" : "changed");
	}
}

static enum csum_verdict
verdict_of(const struct diff_packet *p, unsigned int i)
{
	return csum_pkt_verify(&p->parsed.seg[0], &p->parsed.pkt, i);
}

static bool
is_wrong(enum csum_verdict verdict)
{
	return verdict == CSUM_VERDICT_BAD || verdict == CSUM_VERDICT_PARTIAL;
}

static void
compare_verdicts(const struct diff_packet *a, const struct diff_packet *b, unsigned int i,
		 struct diff_finding *finding)
{
	enum csum_verdict before = verdict_of(a, i), after = verdict_of(b, i);

	if (before == after || before == CSUM_VERDICT_NONE || after == CSUM_VERDICT_NONE)
		return;
	diff_say(finding, is_wrong(after) && !is_wrong(before), "%s checksum %s, now %s",
		 report_layer_name(a->parsed.pkt.layer[i].type),
		 report_verdict_name(report_verdict_of(before)),
		 report_verdict_name(report_verdict_of(after)));
}

static bool
same_layers(const struct csum_pkt *a, const struct csum_pkt *b)
{
	unsigned int i;

	if (a->nb_layers != b->nb_layers)
		return false;
	for (i = 0; i < a->nb_layers; i++)
		if (a->layer[i].type != b->layer[i].type || a->layer[i].off != b->layer[i].off)
			return false;
	return true;
}

/* Where the outermost IP packet ends, beyond which there is only padding. */
static uint32_t
end_of_ip(const struct diff_packet *p)
{
	unsigned int i;

	for (i = 0; i < p->parsed.pkt.nb_layers; i++) {
		const struct csum_layer *layer = &p->parsed.pkt.layer[i];

		if (layer->type == CSUM_LAYER_IPV4 || layer->type == CSUM_LAYER_IPV6)
			return RTE_MIN(layer->off + layer->len, p->caplen);
	}
	return p->caplen;
}

static void
compare_rest(const struct diff_packet *a, const uint8_t *rest, uint32_t end,
	     struct diff_finding *finding)
{
	uint32_t ip_end = RTE_MIN(end_of_ip(a), end);
	uint32_t at;

	for (at = 0; at < ip_end; at++) {
		if (rest[at] == a->data[at])
			continue;
		diff_say(finding, true, "other bytes changed, the first at %u", at);
		return;
	}
	if (end > ip_end && memcmp(rest + ip_end, a->data + ip_end, end - ip_end) != 0)
		diff_say(finding, false, "padding changed");
}

void
diff_compare(const struct diff_packet *a, const struct diff_packet *b,
	     struct diff_finding *finding)
{
	uint32_t end = RTE_MIN(a->caplen, b->caplen);
	uint8_t *rest;
	unsigned int i;

	*finding = (struct diff_finding){ .matters = false };
	if (a->len != b->len || a->caplen != b->caplen)
		diff_say(finding, b->caplen < end_of_ip(a), "%u bytes, now %u", a->caplen,
			 b->caplen);
	if (!same_layers(&a->parsed.pkt, &b->parsed.pkt)) {
		diff_say(finding, true, "other layers");
		return;
	}
	rest = malloc(end + 1);
	if (rest == NULL) {
		diff_say(finding, true, "out of memory");
		return;
	}
	memcpy(rest, b->data, end);
	for (i = 0; i < a->parsed.pkt.nb_layers; i++) {
		compare_fields(a, b, i, end, rest, finding);
		compare_verdicts(a, b, i, finding);
	}
	compare_rest(a, rest, end, finding);
	free(rest);
	if (finding->text[0] == '\0')
		diff_say(finding, false, "a checksum changed that covers the same");
}
