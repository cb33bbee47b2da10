/* SPDX-License-Identifier: BSD-3-Clause */

/* VLAN tags that the lower port does not insert. */

#include <assert.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_ether.h>

#include "tx.h"

/* Tags stand behind both MAC addresses. */
#define TAGS_OFF (2 * RTE_ETHER_ADDR_LEN)

/* Copies and segments always have room for them. */
static_assert(RTE_PKTMBUF_HEADROOM >= 2 * RTE_VLAN_HLEN, "no headroom for two tags");

bool
soft_csum_tags_fit(const struct rte_mbuf *m, unsigned int nb)
{
	return m->data_len >= TAGS_OFF && rte_pktmbuf_headroom(m) >= nb * RTE_VLAN_HLEN &&
		csum_mbuf_is_writable(m, TAGS_OFF);
}

/*
 * Where lengths describe headers, the tags belong to the outermost link layer. One that is too long
 * for its field then describes nothing: nobody has been left any work that would need it.
 */
static void
lens_shift(struct rte_mbuf *m, unsigned int len)
{
	unsigned int sum = soft_csum_link_len(m) + len;

	if (sum > SOFT_CSUM_L2_LEN_MAX)
		m->tx_offload = 0;
	else if (soft_csum_has_outer_lens(m))
		m->outer_l2_len = sum;
	else if (m->l2_len != 0)
		m->l2_len = sum;
}

static void
tag_write(uint8_t *p, uint16_t type, uint16_t tci)
{
	type = rte_cpu_to_be_16(type);
	tci = rte_cpu_to_be_16(tci);
	memcpy(p, &type, sizeof(type));
	memcpy(p + sizeof(type), &tci, sizeof(tci));
}

void
soft_csum_tags_insert(struct rte_mbuf *m, unsigned int nb)
{
	uint16_t len = nb * RTE_VLAN_HLEN;
	uint8_t *p;

	m->data_off -= len;
	m->data_len += len;
	m->pkt_len += len;
	p = rte_pktmbuf_mtod(m, uint8_t *);
	memmove(p, p + len, TAGS_OFF);
	if (nb == 2)
		tag_write(p + TAGS_OFF, RTE_ETHER_TYPE_QINQ, m->vlan_tci_outer);
	tag_write(p + TAGS_OFF + len - RTE_VLAN_HLEN, RTE_ETHER_TYPE_VLAN, m->vlan_tci);
	lens_shift(m, len);
	m->ol_flags &= ~SOFT_CSUM_TX_TAG_MASK;
}

void
soft_csum_tags_take_out(struct rte_mbuf *m, unsigned int nb)
{
	uint16_t len = nb * RTE_VLAN_HLEN;
	uint8_t *p = rte_pktmbuf_mtod(m, uint8_t *);

	memmove(p + len, p, TAGS_OFF);
	m->data_off += len;
	m->data_len -= len;
	m->pkt_len -= len;
}
