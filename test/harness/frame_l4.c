/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include "frame_private.h"

static uint32_t
add_ports(struct frame *f, enum frame_type type, uint32_t len, uint16_t sport, uint16_t dport)
{
	uint32_t off = frame_add(f, type, NULL, len);

	harness_put_be16(f->data + off, sport);
	harness_put_be16(f->data + off + 2, dport);
	return off;
}

uint32_t
frame_tcp(struct frame *f, uint8_t flags, const void *opts, uint32_t len)
{
	uint32_t off = add_ports(f, FRAME_TCP, 20 + len, 1024, 80);
	uint8_t *hdr = f->data + off;

	harness_put_be32(hdr + 4, 1000);
	harness_put_be32(hdr + 8, 2000);
	hdr[12] = (uint8_t)((5 + len / 4) << 4);
	hdr[13] = flags;
	harness_put_be16(hdr + 14, 8192);
	if (len != 0)
		memcpy(hdr + 20, opts, len);
	return off;
}

uint32_t
frame_udp(struct frame *f, uint16_t sport, uint16_t dport)
{
	return add_ports(f, FRAME_UDP, 8, sport, dport);
}

uint32_t
frame_udplite(struct frame *f, uint16_t sport, uint16_t dport, uint16_t coverage)
{
	uint32_t off = add_ports(f, FRAME_UDPLITE, 8, sport, dport);

	harness_put_be16(f->data + off + 4, coverage);
	return off;
}

uint32_t
frame_icmp(struct frame *f)
{
	static const uint8_t hdr[8] = { 8 };

	return frame_add(f, FRAME_ICMP, hdr, sizeof(hdr));
}

uint32_t
frame_icmpv6(struct frame *f)
{
	static const uint8_t hdr[8] = { 128 };

	return frame_add(f, FRAME_ICMPV6, hdr, sizeof(hdr));
}

uint32_t
frame_sctp(struct frame *f, uint16_t sport, uint16_t dport, uint32_t tag)
{
	uint32_t off = add_ports(f, FRAME_SCTP, 12, sport, dport);

	harness_put_be32(f->data + off + 4, tag);
	return off;
}

uint32_t
frame_sctp_data(struct frame *f, uint32_t tsn, const void *data, uint32_t len)
{
	uint32_t off = frame_add(f, FRAME_PAYLOAD, NULL, 16 + RTE_ALIGN_CEIL(len, 4));
	uint8_t *chunk = f->data + off;

	chunk[1] = 3; /* first and last piece of its message */
	harness_put_be16(chunk + 2, (uint16_t)(16 + len));
	harness_put_be32(chunk + 4, tsn);
	memcpy(chunk + 16, data, len);
	return off;
}

uint32_t
frame_vxlan(struct frame *f, uint32_t vni)
{
	static const uint8_t hdr[8] = { 8 };
	uint32_t off = frame_add(f, FRAME_VXLAN, hdr, sizeof(hdr));

	harness_put_be32(f->data + off + 4, vni << 8);
	return off;
}

uint32_t
frame_geneve(struct frame *f, uint32_t vni, const void *opts, uint32_t len)
{
	uint32_t off = frame_add(f, FRAME_GENEVE, NULL, 8 + len);
	uint8_t *hdr = f->data + off;

	hdr[0] = (uint8_t)(len / 4);
	harness_put_be32(hdr + 4, vni << 8);
	if (len != 0)
		memcpy(hdr + 8, opts, len);
	frame_set_next(f, FRAME_NEXT_ETHER, 2);
	return off;
}

uint32_t
frame_gre(struct frame *f, uint16_t flags, uint32_t key, uint32_t seq)
{
	uint8_t hdr[16] = { 0 };
	uint32_t len = 4, off;

	harness_put_be16(hdr, flags);
	if ((flags & 0x8000) != 0)
		len += 4;
	if ((flags & 0x2000) != 0) {
		harness_put_be32(hdr + len, key);
		len += 4;
	}
	if ((flags & 0x1000) != 0) {
		harness_put_be32(hdr + len, seq);
		len += 4;
	}
	off = frame_add(f, FRAME_GRE, hdr, len);
	frame_set_next(f, FRAME_NEXT_ETHER, 2);
	return off;
}

uint32_t
frame_gtpu(struct frame *f, uint8_t flags, const void *opt, uint32_t len)
{
	const uint8_t hdr[8] = { 0x30 | flags, 255, 0, 0, 0, 0, 0xab, 0xcd };
	uint32_t off = frame_add(f, FRAME_GTPU, hdr, sizeof(hdr));

	memcpy(f->data + off + sizeof(hdr), opt, len);
	f->layer[f->nb_layers - 1].hdr_len += len;
	f->len += len;
	return off;
}
