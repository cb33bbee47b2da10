/* SPDX-License-Identifier: BSD-3-Clause */

#include <netinet/in.h>

#include <rte_tcp.h>

#include "gso_private.h"

void
gso_len_add(struct csum_gso_iter *it, uint32_t off, uint32_t from)
{
	it->lens[it->nb_lens].off = off;
	it->lens[it->nb_lens].from = from;
	it->nb_lens++;
}

static enum csum_refusal
tcp_init(struct csum_gso_iter *it)
{
	uint8_t *tcp = it->hdr + it->l4;

	if (it->l4_len < TCP_MIN || (tcp[TCP_FLAGS_WORD] >> 4) * 4 != it->l4_len)
		return CSUM_REFUSAL_HEADER;
	it->tcp_flags = tcp[TCP_FLAGS];
	if ((it->tcp_flags & (RTE_TCP_SYN_FLAG | RTE_TCP_RST_FLAG)) != 0 &&
	    it->payload_left > it->segsz)
		return CSUM_REFUSAL_TCP_FLAGS;
	it->seq = rte_be_to_cpu_32(get32(tcp + TCP_SEQ));
	put32(tcp + TCP_SEQ, 0);
	tcp[TCP_FLAGS] = 0;
	put16(tcp + TCP_CHECK, 0);
	if ((it->tcp_flags & RTE_TCP_URG_FLAG) != 0) {
		it->urgent = get_be16(tcp + TCP_URGENT);
		put16(tcp + TCP_URGENT, 0);
	}
	return CSUM_REFUSAL_NONE;
}

static enum csum_refusal
udp_init(struct csum_gso_iter *it)
{
	uint8_t *udp = it->hdr + it->l4;

	if (it->l4_len != UDP_MIN)
		return CSUM_REFUSAL_HEADER;
	put16(udp + UDP_CHECK, 0);
	if ((it->conf->flags & CSUM_GSO_F_UFO) != 0)
		return gso_ufo_init(it);
	gso_len_add(it, it->l4 + UDP_LEN, it->l4);
	return CSUM_REFUSAL_NONE;
}

enum csum_refusal
gso_template_init(struct csum_gso_iter *it, const struct csum_gso_req *req)
{
	const struct csum_gso_conf *conf = it->conf;
	uint8_t proto = gso_inner_ip(it)->proto;
	bool tcp = (req->ol_flags & RTE_MBUF_F_TX_TCP_SEG) != 0;
	uint32_t i;

	for (i = 0; i < it->nb_ip; i++)
		it->ip[i].id_step = (conf->flags & CSUM_GSO_F_OUTER_IPID_FIXED) == 0;
	gso_inner_ip(it)->id_step = (conf->flags & CSUM_GSO_F_IPID_FIXED) == 0;
	if (proto != IPPROTO_TCP && proto != IPPROTO_UDP)
		return CSUM_REFUSAL_PROTOCOL;
	if ((proto == IPPROTO_TCP) != tcp)
		return CSUM_REFUSAL_HEADER;
	return tcp ? tcp_init(it) : udp_init(it);
}

/*
 * What the tunnels' checksums cover, but for what is patched. A whole inner packet need not be
 * summed for it: an IPv4 header with its checksum adds nothing, and what has a checksum with a
 * pseudo header takes away what that adds. In a fragment the L4 checksum does not: patching adds
 * the fragment's bytes, and @p l4_pseudo is 0. Where nothing is patched, the checksums are final.
 */
static void
tunnels_size(struct csum_gso_iter *it, uint32_t total, uint32_t l4_pseudo)
{
	uint32_t carried = csum_sum_sub(0, l4_pseudo), pseudo, sum, len, i;

	for (i = it->nb_ip - 1; i-- > 0;) {
		const struct csum_gso_ip *inner = &it->ip[i + 1];
		struct csum_gso_tunnel *tunnel = &it->tunnel[i];

		if (inner->v6)
			carried = csum_partial(it->hdr + inner->off, inner->len, carried);
		if (tunnel->check != 0)
			put16(it->hdr + tunnel->check, 0);
		len = inner->off - tunnel->off;
		sum = csum_partial(it->hdr + tunnel->off, len, 0);
		carried = csum_sum_combine(sum, carried, len);
		if (tunnel->check == 0)
			continue;
		pseudo = tunnel->udp ? gso_pseudo(it, &it->ip[i], IPPROTO_UDP,
						  total - tunnel->off) : 0;
		tunnel->sum = csum_sum_add(carried, pseudo);
		carried = csum_sum_sub(0, pseudo);
		if (!it->tunnel_varies)
			put16(it->hdr + tunnel->check, gso_tunnel_check(tunnel, tunnel->sum));
	}
}

static bool
has_sequence(const struct csum_gso_iter *it)
{
	uint32_t i;

	for (i = 0; i + 1 < it->nb_ip; i++)
		if (it->tunnel[i].seq_off != 0)
			return true;
	return false;
}

bool
gso_template_size(struct csum_gso_iter *it, uint32_t size)
{
	uint32_t total = it->hdr_len + size, pseudo = 0, len, i;
	struct csum_gso_ip *ip = gso_inner_ip(it);

	for (i = 0; i < it->nb_lens; i++) {
		len = total - it->lens[i].from;
		if (len > UINT16_MAX)
			return false;
		put_be16(it->hdr + it->lens[i].off, (uint16_t)len);
	}
	if (!gso_is_fragmenting(it)) {
		pseudo = gso_pseudo(it, ip, ip->proto, total - it->l4);
		it->l4_sum = csum_partial(it->hdr + it->l4, it->l4_len, pseudo);
	}
	for (i = 0; i < it->nb_ip; i++)
		if (!it->ip[i].v6)
			it->ip[i].sum = csum_partial(it->hdr + it->ip[i].off, it->ip[i].len, 0);
	it->tunnel_varies = gso_is_fragmenting(it) || has_sequence(it);
	tunnels_size(it, total, pseudo);
	gso_lower_size(it, total);
	it->size = size;
	return true;
}
