/* SPDX-License-Identifier: BSD-3-Clause */

#include <inttypes.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include <csum.h>

#include "colour.h"
#include "explain.h"
#include "report.h"
#include "stale.h"

/* Bytes shown of what is no header. */
#define PAYLOAD_SHOWN 64
#define BYTES_A_LINE 16
#define LAYER_WIDTH 9

#define IPV4_TTL_OFF 8
#define IPV4_SRC_OFF 12
#define IPV6_DST_OFF 24

/* A layer's checksum field: where it is, and what covers it. */
struct field {
	uint8_t off;
	uint8_t len;      /* 0: none */
	bool has_pseudo;
	bool is_sum;      /* else a CRC */
};

static struct field
field_of(const struct csum_layer *layer)
{
	switch (layer->type) {
	case CSUM_LAYER_IPV4:
		return (struct field){ .off = 10, .len = 2, .is_sum = true };
	case CSUM_LAYER_TCP:
		return (struct field){ .off = 16, .len = 2, .has_pseudo = true, .is_sum = true };
	case CSUM_LAYER_UDP:
	case CSUM_LAYER_UDPLITE:
	case CSUM_LAYER_DCCP:
		return (struct field){ .off = 6, .len = 2, .has_pseudo = true, .is_sum = true };
	case CSUM_LAYER_ICMPV6:
		return (struct field){ .off = 2, .len = 2, .has_pseudo = true, .is_sum = true };
	case CSUM_LAYER_ICMP:
	case CSUM_LAYER_IGMP:
		return (struct field){ .off = 2, .len = 2, .is_sum = true };
	case CSUM_LAYER_SCTP:
		return (struct field){ .off = 8, .len = 4 };
	case CSUM_LAYER_GRE:
		return (struct field){ .off = 4, .len = 2, .is_sum = true };
	default:
		return (struct field){ 0 };
	}
}

/* The field as it ought to be, by filling a copy of the packet; false if that cannot be told. */
static bool
right_field(const struct capture_record *rec, unsigned int i, const struct field *field,
	    uint8_t *right)
{
	static uint8_t copy[CAPTURE_MAX_CAPLEN];
	static struct packet p;
	struct capture_record copied = *rec;

	memcpy(copy, rec->data, rec->caplen);
	copied.data = copy;
	packet_parse(&p, &copied);
	if (csum_pkt_fill(&p.seg[0], &p.pkt, i) != 0)
		return false;
	memcpy(right, copy + p.pkt.layer[i].off + field->off, field->len);
	return true;
}

static uint32_t
pseudo_sum(const struct capture_record *rec, const struct packet *p, unsigned int i, uint32_t len)
{
	const struct csum_layer *layer = &p->pkt.layer[i];
	const struct csum_layer *ip = &p->pkt.layer[layer->ip];
	const uint8_t *hdr = rec->data + ip->off;
	uint8_t dst[16];

	if (ip->type == CSUM_LAYER_IPV4)
		return csum_pseudo_ipv4(hdr + IPV4_SRC_OFF, ip->proto, len);
	memcpy(dst, hdr + IPV6_DST_OFF, ip->dst_elided);
	memcpy(dst + ip->dst_elided, rec->data + ip->dst_off, sizeof(dst) - ip->dst_elided);
	return csum_pseudo_ipv6(rec->data + ip->src_off, dst, ip->proto, len);
}

/* What a wrong sum may be compared with. The layer is all there. */
static void
gather(const struct capture_record *rec, const struct packet *p, unsigned int i,
       const struct field *field, struct stale_facts *f)
{
	const struct csum_layer *layer = &p->pkt.layer[i];
	/* Of IPv4, the header is all that is covered, and it may be all that is there. */
	uint32_t end = layer->type == CSUM_LAYER_IPV4 ? rec->caplen : layer->off + layer->len;
	uint32_t extra = rec->caplen - end;
	uint32_t sum = (uint16_t)~f->right;

	f->has_pseudo = field->has_pseudo;
	if (f->has_pseudo) {
		f->pseudo = pseudo_sum(rec, p, i, layer->len);
		f->pseudo_bare = pseudo_sum(rec, p, i, 0);
	}
	f->padded = csum_sum_combine(sum, csum_partial(rec->data + end, extra, 0), layer->len);
	if (f->has_pseudo)
		f->padded_len = csum_sum_add(csum_sum_sub(f->padded, f->pseudo),
					     pseudo_sum(rec, p, i, layer->len + extra));
	if (layer->type == CSUM_LAYER_IPV4)
		memcpy(&f->ttl_word, rec->data + layer->off + IPV4_TTL_OFF, sizeof(f->ttl_word));
}

static const char *
look_of(const struct capture_record *rec, const struct packet *p, unsigned int i,
	const struct field *field, const uint8_t *stored, const uint8_t *right)
{
	struct stale_facts f = { 0 };
	uint32_t crc, right_crc;

	if (field->is_sum) {
		memcpy(&f.stored, stored, sizeof(f.stored));
		memcpy(&f.right, right, sizeof(f.right));
		gather(rec, p, i, field, &f);
		return stale_name(&f);
	}
	memcpy(&crc, stored, sizeof(crc));
	memcpy(&right_crc, right, sizeof(right_crc));
	return crc == 0 ? "0: nobody has filled it" :
	       crc == rte_bswap32(right_crc) ? "the right one with its bytes swapped" :
	       crc == ~right_crc ? "the ones' complement of the right one" : NULL;
}

static void
print_hex(FILE *out, const uint8_t *bytes, unsigned int len)
{
	unsigned int i;

	fputs("0x", out);
	for (i = 0; i < len; i++)
		fprintf(out, "%02x", bytes[i]);
}

static void
print_checksum(FILE *out, const struct capture_record *rec, const struct packet *p,
	       unsigned int i, enum csum_verdict verdict)
{
	const struct csum_layer *layer = &p->pkt.layer[i];
	const struct field field = field_of(layer);
	const uint8_t *stored = rec->data + layer->off + field.off;
	const char *look;
	uint8_t right[4];

	if (layer->off + field.off + field.len <= rec->caplen) {
		fprintf(out, "  at %" PRIu32 ": ", layer->off + field.off);
		print_hex(out, stored, field.len);
		fputc(' ', out);
	} else {
		fputs("  ", out);
	}
	colour_verdict(out, report_verdict_of(verdict));
	if (verdict != CSUM_VERDICT_BAD && verdict != CSUM_VERDICT_PARTIAL)
		return;
	if (!right_field(rec, i, &field, right)) {
		fputs(", and its header is malformed", out);
		return;
	}
	fputs(", right is ", out);
	print_hex(out, right, field.len);
	look = look_of(rec, p, i, &field, stored, right);
	if (look != NULL)
		fprintf(out, "\n%28sit is %s", "", look);
}

static void
print_flags(FILE *out, const struct csum_layer *layer)
{
	static const struct {
		uint8_t flag;
		const char *text;
	} texts[] = {
		{ CSUM_LAYER_F_FRAGMENT, "fragment" },
		{ CSUM_LAYER_F_TRUNCATED, "longer than the frame" },
		{ CSUM_LAYER_F_HDR_CUT, "header cut" },
		{ CSUM_LAYER_F_ZERO_LEN, "length field 0" },
		{ CSUM_LAYER_F_JUMBO, "jumbo payload" },
		{ CSUM_LAYER_F_AH, "authentication header" },
	};
	unsigned int i;

	for (i = 0; i < RTE_DIM(texts); i++)
		if ((layer->flags & texts[i].flag) != 0)
			fprintf(out, "  (%s)", texts[i].text);
}

static void
print_layer(FILE *out, const struct capture_record *rec, const struct packet *p, unsigned int i)
{
	const struct csum_layer *layer = &p->pkt.layer[i];
	enum csum_verdict verdict = csum_pkt_verify(&p->seg[0], &p->pkt, i);

	fprintf(out, "%8" PRIu32 "  %6" PRIu32 "  %s", layer->off, layer->len,
		report_layer_name(layer->type));
	if (verdict != CSUM_VERDICT_NONE) {
		fprintf(out, "%*s", LAYER_WIDTH - (int)strlen(report_layer_name(layer->type)), "");
		print_checksum(out, rec, p, i, verdict);
	}
	print_flags(out, layer);
	fputc('\n', out);
}

/* One line of bytes, [from, to). Those of the field stand in brackets. */
static void
print_line(FILE *out, const uint8_t *data, uint32_t from, uint32_t to, uint32_t field,
	   uint32_t field_end)
{
	uint32_t at;

	fprintf(out, "%8" PRIu32 " ", from);
	for (at = from; at < to; at++)
		fprintf(out, "%c%02x", at == field && field != field_end ? '[' :
			at == field_end && field != field_end && at != from ? ']' : ' ', data[at]);
	if (to == field_end && field != field_end && field < to)
		fputc(']', out);
	fputc('\n', out);
}

static void
print_bytes(FILE *out, const struct capture_record *rec, const struct packet *p, unsigned int i)
{
	const struct csum_layer *layer = &p->pkt.layer[i];
	bool header = layer->type != CSUM_LAYER_PAYLOAD && layer->hdr_len != 0;
	const struct field field = field_of(layer);
	uint32_t start = layer->off + field.off;
	uint32_t end = RTE_MIN(layer->off + (header ? layer->hdr_len : layer->len), rec->caplen);
	uint32_t shown = header ? end : RTE_MIN(end, layer->off + PAYLOAD_SHOWN);
	bool marked = csum_pkt_verify(&p->seg[0], &p->pkt, i) != CSUM_VERDICT_NONE;
	uint32_t at;

	if (layer->off >= end)
		return;
	fprintf(out, "\n%10s%s\n", "", report_layer_name(layer->type));
	for (at = layer->off; at < shown; at += BYTES_A_LINE)
		print_line(out, rec->data, at, RTE_MIN(at + BYTES_A_LINE, shown), start,
			   marked ? start + field.len : start);
	if (shown < end)
		fprintf(out, "%8s  and %" PRIu32 " more bytes\n", "", end - shown);
}

/* What follows the innermost header, unless the parser has made a layer of it. */
static void
print_rest(FILE *out, const struct capture_record *rec, const struct packet *p)
{
	const struct csum_layer *last = &p->pkt.layer[p->pkt.nb_layers - 1];
	uint32_t from = last->off + (last->type == CSUM_LAYER_PAYLOAD ? last->len : last->hdr_len);
	uint32_t shown = RTE_MIN(rec->caplen, from + PAYLOAD_SHOWN);
	uint32_t at;

	if (from >= rec->caplen)
		return;
	fprintf(out, "\n%10s%s\n", "", "data and padding");
	for (at = from; at < shown; at += BYTES_A_LINE)
		print_line(out, rec->data, at, RTE_MIN(at + BYTES_A_LINE, shown), at, at);
	if (shown < rec->caplen)
		fprintf(out, "%8s  and %" PRIu32 " more bytes\n", "", rec->caplen - shown);
}

void
explain(FILE *out, const struct capture_record *rec, const struct packet *p)
{
	unsigned int i;

	fprintf(out, "packet %" PRIu64 ": %" PRIu32 " bytes", rec->frame, rec->len);
	if (rec->caplen != rec->len)
		fprintf(out, ", %" PRIu32 " of them captured", rec->caplen);
	fprintf(out, ", %s, %" PRIu64 ".%09" PRIu64 " s\n\n", capture_link_name(rec->link_type),
		rec->ns / 1000000000, rec->ns % 1000000000);

	fprintf(out, "%8s  %6s  %-*s  %s\n", "offset", "length", LAYER_WIDTH, "layer",
		"checksum");
	for (i = 0; i < p->pkt.nb_layers; i++)
		print_layer(out, rec, p, i);
	for (i = 0; i < p->pkt.nb_layers; i++)
		print_bytes(out, rec, p, i);
	print_rest(out, rec, p);
}
