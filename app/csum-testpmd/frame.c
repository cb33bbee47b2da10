/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>

#include "frame.h"

/* What follows a header is of no known EtherType: IEEE 802's "local experimental" one says so. */
#define ETHER_TYPE_UNKNOWN 0x88b5
#define ETHER_TYPE_MIN 0x0600
#define ETHER_LENGTH_MAX 1500

static uint16_t
ether_type(const struct capture_start *start, const struct frame *rest)
{
	if (start->link == CSUM_LINK_IP) {
		switch (rest->caplen > 0 ? rest->data[0] >> 4 : 0) {
		case 4:
			return RTE_ETHER_TYPE_IPV4;
		case 6:
			return RTE_ETHER_TYPE_IPV6;
		default:
			return ETHER_TYPE_UNKNOWN;
		}
	}
	if (start->ether_type == 0)
		return ETHER_TYPE_UNKNOWN;
	/* LLC goes behind a length. */
	if (start->ether_type < ETHER_TYPE_MIN)
		return RTE_MIN(rest->len, (uint32_t)ETHER_LENGTH_MAX);
	return start->ether_type;
}

void
frame_of(const struct capture_record *rec, uint8_t *buf, struct frame *frame)
{
	static const uint8_t addresses[] = { 2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1 };
	struct capture_start start;
	uint16_t type;

	*frame = (struct frame){ rec->data, rec->caplen, rec->len };
	capture_start_of(rec, &start);
	if (start.link == CSUM_LINK_ETHER)
		return;
	frame->data += start.off;
	frame->caplen -= start.off;
	frame->len -= start.off;
	type = rte_cpu_to_be_16(ether_type(&start, frame));
	memcpy(buf, addresses, sizeof(addresses));
	memcpy(buf + sizeof(addresses), &type, sizeof(type));
	memcpy(buf + RTE_ETHER_HDR_LEN, frame->data, frame->caplen);
	frame->data = buf;
	frame->caplen += RTE_ETHER_HDR_LEN;
	frame->len += RTE_ETHER_HDR_LEN;
}
