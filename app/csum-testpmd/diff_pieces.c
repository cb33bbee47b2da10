/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include "diff_packet.h"

#define IPV4_ID_OFF 4
#define IPV4_SRC_OFF 12
#define IPV6_SRC_OFF 8
#define TCP_SEQ_OFF 4
#define UDP_HDR_LEN 8
#define PORTS_LEN 4

static uint32_t
be32_at(const struct diff_packet *p, uint32_t off)
{
	uint32_t v;

	memcpy(&v, p->data + off, sizeof(v));
	return rte_be_to_cpu_32(v);
}

/* The innermost IP header that is all there, or NULL. */
static const struct csum_layer *
innermost_ip(const struct diff_packet *p)
{
	unsigned int i;

	for (i = p->parsed.pkt.nb_layers; i-- > 0;) {
		const struct csum_layer *layer = &p->parsed.pkt.layer[i];

		if ((layer->type == CSUM_LAYER_IPV4 || layer->type == CSUM_LAYER_IPV6) &&
		    (layer->flags & CSUM_LAYER_F_HDR_CUT) == 0)
			return layer;
	}
	return NULL;
}

/* The TCP or UDP header in that, if it is all there, or NULL. */
static const struct csum_layer *
l4_of(const struct diff_packet *p)
{
	const struct csum_layer *layer = &p->parsed.pkt.layer[p->parsed.pkt.nb_layers - 1];

	if (layer->type == CSUM_LAYER_PAYLOAD && p->parsed.pkt.nb_layers > 1)
		layer--;
	return (layer->type == CSUM_LAYER_TCP || layer->type == CSUM_LAYER_UDP) &&
	       (layer->flags & CSUM_LAYER_F_HDR_CUT) == 0 ? layer : NULL;
}

/* Of the same addresses and protocol, at the same depth. */
static bool
same_ip(const struct diff_packet *a, const struct diff_packet *b)
{
	const struct csum_layer *ip_a = innermost_ip(a), *ip_b = innermost_ip(b);
	uint32_t off, len;

	if (ip_a == NULL || ip_b == NULL || ip_a->type != ip_b->type ||
	    ip_a->off != ip_b->off || ip_a->proto != ip_b->proto)
		return false;
	off = ip_a->off + (ip_a->type == CSUM_LAYER_IPV4 ? IPV4_SRC_OFF : IPV6_SRC_OFF);
	len = ip_a->type == CSUM_LAYER_IPV4 ? 8 : 32;
	return memcmp(a->data + off, b->data + off, len) == 0;
}

static bool
same_ports(const struct diff_packet *a, const struct diff_packet *b)
{
	const struct csum_layer *l4_a = l4_of(a), *l4_b = l4_of(b);

	return l4_a != NULL && l4_b != NULL && l4_a->type == l4_b->type &&
	       memcmp(a->data + l4_a->off, b->data + l4_b->off, PORTS_LEN) == 0;
}

static bool
same_id(const struct diff_packet *a, const struct diff_packet *b)
{
	const struct csum_layer *ip_a = innermost_ip(a), *ip_b = innermost_ip(b);

	return ip_a->type != CSUM_LAYER_IPV4 ||
	       memcmp(a->data + ip_a->off + IPV4_ID_OFF, b->data + ip_b->off + IPV4_ID_OFF,
		      2) == 0;
}

/* Bytes behind a header that are there. */
static uint32_t
payload_len(const struct diff_packet *p, const struct csum_layer *layer)
{
	uint32_t end = RTE_MIN(layer->off + layer->len, p->caplen);
	uint32_t start = layer->off + layer->hdr_len;

	return end > start ? end - start : 0;
}

bool
diff_is_same(const struct diff_packet *a, const struct diff_packet *b)
{
	const struct csum_layer *l4;

	if (!same_ip(a, b))
		return false;
	l4 = l4_of(a);
	if (l4 == NULL || l4->type != CSUM_LAYER_TCP)
		return same_id(a, b) && (l4 == NULL || same_ports(a, b)) &&
		       innermost_ip(a)->field_len == innermost_ip(b)->field_len;
	return same_ports(a, b) &&
	       be32_at(a, l4->off + TCP_SEQ_OFF) == be32_at(b, l4_of(b)->off + TCP_SEQ_OFF) &&
	       payload_len(a, l4) == payload_len(b, l4_of(b));
}

void
diff_pieces_begin(struct diff_pieces *pieces, const struct diff_packet *whole)
{
	const struct csum_layer *l4 = l4_of(whole);

	*pieces = (struct diff_pieces){
		.whole = whole,
		.total = l4 != NULL ? payload_len(whole, l4) : 0,
	};
}

static bool
is_fragment(const struct diff_packet *p)
{
	const struct csum_layer *ip = innermost_ip(p);

	return ip != NULL && (ip->flags & CSUM_LAYER_F_FRAGMENT) != 0;
}

/*
 * Where a piece's part of the payload begins and how long it is; false if it is none. A first
 * fragment begins with the UDP header, and others with nothing.
 */
static bool
part_of(const struct diff_pieces *pieces, const struct diff_packet *b, uint32_t *off,
	uint32_t *len)
{
	const struct csum_layer *l4 = l4_of(pieces->whole);
	const struct csum_layer *layer = l4_of(b);

	if (l4 == NULL || !same_ip(pieces->whole, b))
		return false;
	if (is_fragment(b) && l4->type == CSUM_LAYER_UDP) {
		layer = innermost_ip(b);
		*off = layer->off + layer->hdr_len;
		*len = payload_len(b, layer);
		if (pieces->done == 0 && *len >= UDP_HDR_LEN) {
			*off += UDP_HDR_LEN;
			*len -= UDP_HDR_LEN;
		}
		return same_id(pieces->whole, b);
	}
	if (!same_ports(pieces->whole, b))
		return false;
	*off = layer->off + layer->hdr_len;
	*len = payload_len(b, layer);
	return l4->type != CSUM_LAYER_TCP ||
	       be32_at(b, layer->off + TCP_SEQ_OFF) ==
		       be32_at(pieces->whole, l4->off + TCP_SEQ_OFF) + pieces->done;
}

static bool
is_good(const struct diff_packet *p)
{
	unsigned int i;

	for (i = 0; i < p->parsed.pkt.nb_layers; i++) {
		enum csum_verdict verdict = csum_pkt_verify(&p->parsed.seg[0], &p->parsed.pkt, i);

		if (verdict == CSUM_VERDICT_BAD || verdict == CSUM_VERDICT_PARTIAL)
			return false;
	}
	return true;
}

bool
diff_pieces_take(struct diff_pieces *pieces, const struct diff_packet *b)
{
	const struct csum_layer *l4 = l4_of(pieces->whole);
	uint32_t off, len;

	if (!part_of(pieces, b, &off, &len) || len == 0 || len > pieces->total - pieces->done)
		return false;
	/* What has it all is no piece. */
	if (len == pieces->total)
		return false;
	if (memcmp(pieces->whole->data + l4->off + l4->hdr_len + pieces->done, b->data + off,
		   len) != 0)
		pieces->payload_differs = true;
	pieces->done += len;
	pieces->nb++;
	if (!is_good(b))
		pieces->not_good = true;
	return true;
}

void
diff_pieces_end(const struct diff_pieces *pieces, struct diff_finding *finding)
{
	*finding = (struct diff_finding){ .matters = false };
	diff_say(finding, false, "%u bytes cut into %u packets", pieces->whole->caplen,
		 pieces->nb);
	if (pieces->done < pieces->total)
		diff_say(finding, true, "%u of %u bytes of payload missing",
			 pieces->total - pieces->done, pieces->total);
	if (pieces->payload_differs)
		diff_say(finding, true, "payload changed");
	if (pieces->not_good)
		diff_say(finding, true, "not all checksums good");
}
