/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>

#include "pkt_parse_private.h"

/* The sum without the field: subtracting it would not tell the two zeros apart. */
static int
sum_around_field(const struct rte_mbuf *m, const struct pkt_cover *cover, uint32_t *sum)
{
	uint32_t before = cover->field - cover->off;
	uint32_t after = before + sizeof(uint16_t);
	struct csum_mbuf_pos pos;

	if (csum_mbuf_seek(m, cover->off, &pos) != 0 ||
	    csum_mbuf_sum(&pos, before, sum) != 0)
		return -EBADMSG;
	if (csum_mbuf_seek(m, cover->off + after, &pos) != 0 ||
	    csum_mbuf_sum(&pos, cover->len - after, sum) != 0)
		return -EBADMSG;
	return 0;
}

static int
fill_sum(struct rte_mbuf *m, const struct csum_pkt *pkt, unsigned int i,
	 const struct pkt_cover *cover)
{
	uint32_t sum = pkt_cover_pseudo(m, pkt, i, cover, cover->pseudo_len);
	uint16_t check;
	int rc;

	rc = sum_around_field(m, cover, &sum);
	if (rc != 0)
		return rc;
	switch (pkt->layer[i].type) {
	case CSUM_LAYER_UDP:
	case CSUM_LAYER_UDPLITE:
		check = csum_sum_check_udp(sum);
		break;
	default:
		check = csum_sum_check(sum);
	}
	return csum_mbuf_write(m, cover->field, &check, sizeof(check));
}

int
csum_pkt_fill(struct rte_mbuf *m, const struct csum_pkt *pkt, unsigned int i)
{
	struct pkt_cover cover;
	uint32_t crc;

	switch (pkt_cover_find(m, pkt, i, &cover)) {
	case CSUM_VERDICT_GOOD:
		break;
	case CSUM_VERDICT_NONE:
	case CSUM_VERDICT_FRAGMENT:
		return -ENOTSUP;
	default:
		return -EBADMSG;
	}
	if (pkt->layer[i].type != CSUM_LAYER_SCTP)
		return fill_sum(m, pkt, i, &cover);
	crc = pkt_cover_crc32c(m, &cover);
	return csum_mbuf_write(m, cover.field, &crc, sizeof(crc));
}
