/* SPDX-License-Identifier: BSD-3-Clause */

#include <rte_common.h>

#include "packet.h"

static void
lay_over(struct packet *p, const struct capture_record *rec)
{
	uint32_t off = 0;
	unsigned int i;

	for (i = 0; i == 0 || off < rec->caplen; i++) {
		struct rte_mbuf *seg = &p->seg[i];

		seg->buf_addr = (void *)((uintptr_t)rec->data + off);
		seg->data_off = 0;
		seg->data_len = (uint16_t)RTE_MIN(rec->caplen - off, (uint32_t)PACKET_SEG_MAX);
		seg->next = NULL;
		if (i > 0)
			p->seg[i - 1].next = seg;
		off += seg->data_len;
	}
	p->seg[0].pkt_len = rec->len;
	p->seg[0].nb_segs = (uint16_t)i;
}

void
packet_parse(struct packet *p, const struct capture_record *rec)
{
	struct capture_start start;

	lay_over(p, rec);
	capture_start_of(rec, &start);
	csum_pkt_parse(&p->seg[0], start.off, start.link, start.ether_type, &p->pkt);
}
