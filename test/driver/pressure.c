/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include <rte_cycles.h>
#include <rte_mempool.h>

#include "pressure.h"

uint16_t pressure_port;

/* What the wire must show. */
static uint32_t want[SCRIPT_MAX_FRAMES];
static unsigned int nb_want;

int
pressure_setup(void **state)
{
	nb_want = 0;
	script_setup(state);
	pressure_port = port_id(SOFT);
	port_start(pressure_port, TSO_OFFLOADS);
	return 0;
}

int
pressure_teardown(void **state)
{
	port_close(pressure_port);
	return script_teardown(state);
}

void
pressure_take(unsigned int nb, const uint16_t *counts)
{
	script.bursts = 0;
	script.nb_accept = nb;
	memcpy(script.accept, counts, nb * sizeof(*counts));
}

struct rte_mbuf *
pressure_packet(unsigned int k, uint32_t n, uint64_t ol_flags)
{
	struct rte_mbuf *m = tcp4(n, ol_flags);

	harness_put_be32(rte_pktmbuf_mtod_offset(m, uint8_t *, PRESSURE_SEQ_OFF),
			 PRESSURE_SEQ_OF(k));
	m->tso_segsz = PRESSURE_SEGSZ;
	return m;
}

struct rte_mbuf *
pressure_super(unsigned int k, unsigned int nb)
{
	return pressure_packet(k, nb * PRESSURE_SEGSZ - 500, TCP4_SEG);
}

void
pressure_expect(unsigned int k, unsigned int nb_frames)
{
	unsigned int i;

	for (i = 0; i < nb_frames; i++)
		want[nb_want++] = PRESSURE_SEQ_OF(k) + i * PRESSURE_SEGSZ;
}

/* The sequence number, wherever tags have moved it. */
static uint32_t
seq_of(const uint8_t *bytes)
{
	uint32_t off = PRESSURE_SEQ_OFF;

	/* 26 bytes in front of it is the type that says IPv4. */
	while (harness_be16(bytes + off - 26) != 0x0800)
		off += 4;
	return harness_be32(bytes + off);
}

void
pressure_assert_order(void)
{
	unsigned int i;

	for (i = 0; i < RTE_MIN(nb_want, script.nb_frames); i++)
		if (seq_of(script.frames[i].data) != want[i])
			fail_msg("frame %u is %x, not %x", i, seq_of(script.frames[i].data),
				want[i]);
	assert_int_equal(script.nb_frames, nb_want);
	nb_want = 0;
}

void
pressure_assert_wire(void)
{
	pressure_assert_order();
	assert_good(0, script.nb_frames);
}

unsigned int
pressure_send(struct rte_mbuf **pkts, unsigned int nb)
{
	unsigned int calls = 0, sent = 0;

	while (sent < nb) {
		sent += rte_eth_tx_burst(pressure_port, 0, pkts + sent, nb - sent);
		assert_true(++calls < 10000);
	}
	/* What waits goes without a further packet; the alarm's thread may be at it too. */
	for (; xstat(pressure_port, "tx_backlogs_now") != 0; rte_delay_us_sleep(1)) {
		rte_eth_tx_burst(pressure_port, 0, NULL, 0);
		assert_true(++calls < 10000);
	}
	return calls;
}

void
pressure_remember(struct pressure_given *given, const struct rte_mbuf *m)
{
	*given = (struct pressure_given){
		m->ol_flags, m->tx_offload, m->data_off, m->nb_segs, rte_mbuf_refcnt_read(m),
	};
	given->len = harness_flatten(m, given->data, sizeof(given->data));
}

void
pressure_assert_given(const struct pressure_given *given, const struct rte_mbuf *m)
{
	uint8_t data[sizeof(given->data)];

	assert_int_equal(m->ol_flags, given->ol_flags);
	assert_int_equal(m->tx_offload, given->tx_offload);
	assert_int_equal(m->data_off, given->data_off);
	assert_int_equal(m->nb_segs, given->nb_segs);
	assert_int_equal(rte_mbuf_refcnt_read(m), given->refcnt);
	assert_int_equal(m->pkt_len, given->len);
	assert_int_equal(harness_flatten(m, data, sizeof(data)), given->len);
	if ((m->ol_flags & (RTE_MBUF_F_TX_TCP_CKSUM | RTE_MBUF_F_TX_IP_CKSUM)) != 0) {
		harness_put_be16(data + 14 + 10, 0);
		harness_put_be16(data + 14 + 20 + 16, 0);
	}
	harness_assert_bytes(data, given->data, given->len);
}

static void
assert_pool(struct rte_mempool *pool)
{
	static struct rte_mbuf *mbufs[16384];
	unsigned int nb = 0;

	assert_true(pool->size < RTE_DIM(mbufs));
	rte_mempool_audit(pool);
	while ((mbufs[nb] = rte_pktmbuf_alloc(pool)) != NULL)
		nb++;
	assert_int_equal(nb, pool->size);
	rte_pktmbuf_free_bulk(mbufs, nb);
}

void
pressure_assert_pools(void)
{
	struct rte_mempool *pool;
	unsigned int i;

	for (i = 0; (pool = driver_pool(i)) != NULL; i++)
		assert_pool(pool);
	assert_true(i > 0);
	assert_pool(app_pool);
}
