/* SPDX-License-Identifier: BSD-3-Clause */

#include <rte_common.h>

#include "packet.h"

static void
lay_over(struct packet *p, const uint8_t *data, uint32_t caplen, uint32_t len)
{
	uint32_t off = 0;
	unsigned int i;

	for (i = 0; i == 0 || off < caplen; i++) {
		struct rte_mbuf *seg = &p->seg[i];

		seg->buf_addr = (void *)((uintptr_t)data + off);
		seg->data_off = 0;
		seg->data_len = (uint16_t)RTE_MIN(caplen - off, (uint32_t)PACKET_SEG_MAX);
		seg->next = NULL;
		if (i > 0)
			p->seg[i - 1].next = seg;
		off += seg->data_len;
	}
	p->seg[0].pkt_len = len;
	p->seg[0].nb_segs = (uint16_t)i;
}

void
packet_parse(struct packet *p, const struct capture_record *rec)
{
	struct capture_start start;

	lay_over(p, rec->data, rec->caplen, rec->len);
	capture_start_of(rec, &start);
	csum_pkt_parse(&p->seg[0], start.off, start.link, start.ether_type, &p->pkt);
}

void
packet_parse_frame(struct packet *p, const uint8_t *data, uint32_t caplen, uint32_t len)
{
	lay_over(p, data, caplen, len);
	csum_pkt_parse(&p->seg[0], 0, CSUM_LINK_ETHER, 0, &p->pkt);
}
