/* SPDX-License-Identifier: BSD-3-Clause */

#include <arpa/inet.h>
#include <string.h>

#include "frame_private.h"

static void
put_addr(int family, const char *text, uint8_t *p)
{
	if (inet_pton(family, text, p) != 1)
		fail_msg("no address: %s", text);
}

uint32_t
frame_ipv4_opts(struct frame *f, const char *src, const char *dst, uint16_t id, const void *opts,
		uint32_t len)
{
	uint32_t off = frame_add(f, FRAME_IPV4, NULL, 20 + len);
	uint8_t *hdr = f->data + off;

	hdr[0] = (uint8_t)(0x40 | (5 + len / 4));
	harness_put_be16(hdr + 4, id);
	hdr[8] = 64;
	put_addr(AF_INET, src, hdr + 12);
	put_addr(AF_INET, dst, hdr + 16);
	if (len != 0)
		memcpy(hdr + 20, opts, len);
	frame_set_next(f, FRAME_NEXT_IP, 9);
	return off;
}

uint32_t
frame_ipv4(struct frame *f, const char *src, const char *dst, uint16_t id)
{
	return frame_ipv4_opts(f, src, dst, id, NULL, 0);
}

uint32_t
frame_ipv6(struct frame *f, const char *src, const char *dst)
{
	uint32_t off = frame_add(f, FRAME_IPV6, NULL, 40);
	uint8_t *hdr = f->data + off;

	hdr[0] = 0x60;
	hdr[6] = 59;
	hdr[7] = 64;
	put_addr(AF_INET6, src, hdr + 8);
	put_addr(AF_INET6, dst, hdr + 24);
	frame_set_next(f, FRAME_NEXT_IP, 6);
	return off;
}

uint32_t
frame_ipv6_ext(struct frame *f, uint8_t type, const void *body, uint32_t len)
{
	static const uint8_t padding[6] = { 1, 4 };
	uint8_t *hdr;
	uint32_t off;

	if (body == NULL) {
		body = padding;
		len = sizeof(padding);
	}
	/* frame_name_next() takes 0, hop-by-hop, for "no name". */
	if (type == 0)
		f->data[f->layer[f->nb_layers - 1].next_off] = 0;
	frame_name_next(f, 0, 0, type);
	off = frame_add(f, FRAME_IPV6_EXT, NULL, 2 + len);
	hdr = f->data + off;
	hdr[0] = 59;
	hdr[1] = (uint8_t)((2 + len) / 8 - 1);
	memcpy(hdr + 2, body, len);
	frame_set_next(f, FRAME_NEXT_IP, 0);
	return off;
}

uint32_t
frame_i4(struct frame *f)
{
	return frame_ipv4(f, "10.0.0.1", "10.0.0.2", 0x1000);
}

uint32_t
frame_i6(struct frame *f)
{
	return frame_ipv6(f, "2001:db8::1", "2001:db8::2");
}

uint32_t
frame_outer4(struct frame *f)
{
	return frame_ipv4(f, "192.0.2.1", "192.0.2.2", 0x2000);
}

uint32_t
frame_outer6(struct frame *f)
{
	return frame_ipv6(f, "2001:db8::a", "2001:db8::b");
}
