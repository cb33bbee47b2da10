/* SPDX-License-Identifier: BSD-3-Clause */

/* A port that fills the checksums it is asked for, by the lengths and flags of an mbuf alone. */

#include "gso_test.h"
#include "ref_csum.h"

#define PROTO_TCP 6
#define PROTO_UDP 17

/* The L4 checksum of what begins at @p l4; the field must hold the pseudo header's sum. */
static void
fill_l4(uint8_t *data, uint32_t len, uint32_t l3, uint32_t l4, uint8_t proto)
{
	uint8_t *field = data + l4 + (proto == PROTO_TCP ? 16 : 6);
	bool v6 = data[l3] >> 4 == 6;
	struct ref_sum pseudo = { 0 };
	uint16_t check;

	assert_int_equal(data[l3 + (v6 ? 6 : 9)], proto);
	if (v6)
		assert_int_equal(harness_be16(data + l3 + 4), len - l3 - 40);
	else
		assert_int_equal(harness_be16(data + l3 + 2), len - l3);
	ref_sum_add(&pseudo, data + l3 + (v6 ? 8 : 12), v6 ? 32 : 8);
	ref_sum_add16(&pseudo, proto);
	ref_sum_add16(&pseudo, (uint16_t)(len - l4));
	assert_int_equal(harness_be16(field), pseudo.raw);
	check = ref_check(data + l4, len - l4);
	harness_put_be16(field, check == 0 && proto == PROTO_UDP ? 0xffff : check);
}

static void
fill_ipv4(uint8_t *data, uint32_t l3)
{
	assert_int_equal(harness_be16(data + l3 + 10), 0);
	harness_put_be16(data + l3 + 10, ref_check(data + l3, (data[l3] & 0xf) * 4));
}

void
gso_nic_fill(const struct rte_mbuf *m, uint8_t *data, uint32_t len)
{
	uint32_t outer_l3 = m->outer_l2_len, outer_l4 = outer_l3 + m->outer_l3_len;
	uint32_t l3 = m->l2_len, l4;

	if ((m->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK) != 0)
		l3 += outer_l4;
	l4 = l3 + m->l3_len;
	if ((m->ol_flags & RTE_MBUF_F_TX_L4_MASK) == RTE_MBUF_F_TX_TCP_CKSUM)
		fill_l4(data, len, l3, l4, PROTO_TCP);
	if ((m->ol_flags & RTE_MBUF_F_TX_L4_MASK) == RTE_MBUF_F_TX_UDP_CKSUM)
		fill_l4(data, len, l3, l4, PROTO_UDP);
	if ((m->ol_flags & RTE_MBUF_F_TX_IP_CKSUM) != 0)
		fill_ipv4(data, l3);
	if ((m->ol_flags & RTE_MBUF_F_TX_OUTER_UDP_CKSUM) != 0)
		fill_l4(data, len, outer_l3, outer_l4, PROTO_UDP);
	if ((m->ol_flags & RTE_MBUF_F_TX_OUTER_IP_CKSUM) != 0)
		fill_ipv4(data, outer_l3);
}
