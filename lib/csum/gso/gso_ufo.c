/* SPDX-License-Identifier: BSD-3-Clause */

#include <netinet/in.h>

#include <rte_random.h>

#include "gso_private.h"

#define OPT_END 0
#define OPT_NOP 1
#define OPT_COPIED 0x80
#define FRAG_UNIT 8
#define IPV6_FRAG_OFFSET 2
#define IPV6_FRAG_ID 4

/* The checksum is the datagram's, so the payload is summed once before it is cut. */
static void
udp_complete(struct csum_gso_iter *it)
{
	const struct csum_gso_ip *ip = gso_inner_ip(it);
	uint32_t len = UDP_MIN + it->payload_left, sum;
	struct csum_mbuf_pos pos = it->pos;
	uint8_t *udp = it->hdr + it->l4;

	put_be16(udp + UDP_LEN, (uint16_t)len);
	sum = csum_partial(udp, UDP_MIN, gso_pseudo(it, ip, IPPROTO_UDP, len));
	/* Set-up has measured the chain: the bytes are there. */
	(void)csum_mbuf_sum(&pos, it->payload_left, &sum);
	put16(udp + UDP_CHECK, csum_sum_check_udp(sum));
}

static void
ipv4_split(struct csum_gso_iter *it, struct csum_gso_ip *ip)
{
	it->frag = ip->off + IPV4_FRAG;
	it->hdr_len = it->l4;
	ip->id_step = 0;
}

/* Put a fragment header in its place (RFC 8200 section 4.5), unless one is there. */
static void
ipv6_split(struct csum_gso_iter *it, struct csum_gso_ip *ip)
{
	uint8_t *frag = it->hdr + ip->split;

	if (!ip->atomic) {
		memmove(frag + IPV6_FRAG_LEN, frag, it->hdr_len - ip->split);
		memset(frag, 0, IPV6_FRAG_LEN);
		frag[0] = it->hdr[ip->split_next];
		it->hdr[ip->split_next] = IPPROTO_FRAGMENT;
		put32(frag + IPV6_FRAG_ID, (uint32_t)rte_rand());
	}
	it->frag = ip->split + IPV6_FRAG_OFFSET;
	it->hdr_len = ip->split + IPV6_FRAG_LEN;
	ip->len = it->hdr_len - ip->off;
}

enum csum_refusal
gso_ufo_init(struct csum_gso_iter *it)
{
	struct csum_gso_ip *ip = gso_inner_ip(it);
	uint32_t frag_len = ip->v6 ? IPV6_FRAG_LEN : 0;
	uint32_t there = ip->atomic ? IPV6_FRAG_LEN : 0;
	uint32_t fixed = ip->v6 ? IPV6_MIN : 0;
	uint32_t first_len = it->hdr_len - (ip->v6 ? ip->split : it->l4) - there;

	if (there + first_len + it->payload_left <= it->segsz) {
		gso_len_add(it, it->l4 + UDP_LEN, it->l4);
		return CSUM_REFUSAL_NONE;
	}
	if (!ip->v6 && (get_be16(it->hdr + ip->off + IPV4_FRAG) & IPV4_DF) != 0)
		return CSUM_REFUSAL_DF;
	/* All headers belong in the first fragment (RFC 7112). */
	if (it->segsz < frag_len || RTE_ALIGN_FLOOR(it->segsz - frag_len, FRAG_UNIT) < first_len)
		return CSUM_REFUSAL_SEGSZ;
	if (ip->len - there - fixed + UDP_MIN + it->payload_left > UINT16_MAX ||
	    it->hdr_len + frag_len - there > CSUM_GSO_MAX_HDR)
		return CSUM_REFUSAL_TOO_BIG;
	udp_complete(it);
	it->segsz -= frag_len;
	it->unit = RTE_ALIGN_FLOOR(it->segsz, FRAG_UNIT);
	if (ip->v6)
		ipv6_split(it, ip);
	else
		ipv4_split(it, ip);
	it->first_len = first_len;
	it->first_sum = csum_partial(it->hdr + it->hdr_len, first_len, 0);
	return CSUM_REFUSAL_NONE;
}

void
gso_ufo_drop_options(struct csum_gso_iter *it)
{
	const struct csum_gso_ip *ip = gso_inner_ip(it);
	uint8_t *opt = it->hdr + ip->off + IPV4_MIN, *end = it->hdr + ip->off + ip->len;
	uint32_t len;

	if (ip->v6 || ip->len == IPV4_MIN)
		return;
	while (opt < end && *opt != OPT_END) {
		len = *opt == OPT_NOP || end - opt < 2 ? 1 : opt[1];
		if (len == 0 || len > end - opt)
			break;
		if ((*opt & OPT_COPIED) == 0)
			memset(opt, OPT_NOP, len);
		opt += len;
	}
	gso_template_size(it, it->size);
}
