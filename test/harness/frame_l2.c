/* SPDX-License-Identifier: BSD-3-Clause */

#include "frame_private.h"

uint32_t
frame_ether(struct frame *f)
{
	static const uint8_t hdr[14] = { 2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1 };
	uint32_t off = frame_add(f, FRAME_ETHER, hdr, sizeof(hdr));

	frame_set_next(f, FRAME_NEXT_ETHER, 12);
	return off;
}

uint32_t
frame_ether_inner(struct frame *f)
{
	uint32_t off = frame_ether(f);

	f->data[off + 4] = 1;
	f->data[off + 10] = 1;
	return off;
}

uint32_t
frame_vlan(struct frame *f, uint16_t tpid, uint16_t tci)
{
	uint32_t off;

	frame_name_next(f, tpid, 0, 0);
	off = frame_add(f, FRAME_VLAN, NULL, 4);
	harness_put_be16(f->data + off, tci);
	frame_set_next(f, FRAME_NEXT_ETHER, 2);
	return off;
}

uint32_t
frame_mpls(struct frame *f, uint32_t label, int bottom)
{
	uint32_t off = frame_add(f, FRAME_MPLS, NULL, 4);

	harness_put_be32(f->data + off, label << 12 | (bottom != 0) << 8 | 64);
	return off;
}

uint32_t
frame_snap(struct frame *f)
{
	static const uint8_t hdr[8] = { 0xaa, 0xaa, 3 };
	uint32_t off = frame_add(f, FRAME_SNAP, hdr, sizeof(hdr));

	frame_set_next(f, FRAME_NEXT_ETHER, 6);
	return off;
}

uint32_t
frame_pppoe(struct frame *f, uint16_t session)
{
	static const uint8_t hdr[8] = { 0x11 };
	uint32_t off = frame_add(f, FRAME_PPPOE, hdr, sizeof(hdr));

	harness_put_be16(f->data + off + 2, session);
	frame_set_next(f, FRAME_NEXT_PPP, 6);
	return off;
}
