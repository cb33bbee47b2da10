/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * IP fragments whose L4 checksum is asked for: nobody can make it, and all the rest is made. The
 * reference judges what comes out.
 */

#include "driver_test.h"
#include "ref_csum.h"
#include "ref_judge.h"

#define MORE_FRAGMENTS 0x2000
#define UDP4_CKSUM (RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_UDP_CKSUM)
#define OUTER_CKSUMS (RTE_MBUF_F_TX_TUNNEL_VXLAN | RTE_MBUF_F_TX_OUTER_IPV4 | \
	RTE_MBUF_F_TX_OUTER_IP_CKSUM | RTE_MBUF_F_TX_OUTER_UDP_CKSUM)

static void
outer_headers(void)
{
	frame_init(&frame);
	frame_ether(&frame);
	frame_outer4(&frame);
	frame_udp(&frame, 50000, 4789);
	frame_vxlan(&frame, 42);
	frame_ether_inner(&frame);
}

/* The datagram's first fragment, with a UDP header; it asks for the checksums of UDP and IPv4. */
static struct rte_mbuf *
first_fragment(uint64_t ol_flags)
{
	struct rte_mbuf *m;
	uint32_t ip;

	ip = frame_i4(&frame);
	frame_udp(&frame, 1024, 4096);
	frame_payload(&frame, 1472);
	frame_finish(&frame);
	harness_put_be16(frame.data + ip + 6, MORE_FRAGMENTS);
	harness_put_be16(frame.data + ip + 26, 0xbeef);
	m = frame_mbuf(&frame, app_pool, NULL, 0);
	m->ol_flags |= UDP4_CKSUM | ol_flags;
	return m;
}

/* Its last one, which holds less than a UDP header. */
static struct rte_mbuf *
last_fragment(uint64_t ol_flags)
{
	struct rte_mbuf *m;
	uint32_t ip;

	ip = frame_i4(&frame);
	frame_payload(&frame, 4);
	frame_finish(&frame);
	harness_put_be16(frame.data + ip + 6, 185);
	frame.data[ip + 9] = 17;
	m = frame_mbuf(&frame, app_pool, NULL, 0);
	m->ol_flags |= UDP4_CKSUM | ol_flags;
	return m;
}

/* One frame went down, good in all but what the fragment cannot have, which nobody is asked for. */
static void
assert_fragment_sent(uint16_t port, unsigned int nb_outer)
{
	struct script_frame *f = &script.frames[0];
	struct ref_report report;
	unsigned int i;

	assert_int_equal(script.nb_frames, 1);
	assert_int_equal(f->len, frame.len);
	assert_int_equal(f->ol_flags & RTE_MBUF_F_TX_L4_MASK, 0);
	assert_int_equal(f->ol_flags & RTE_MBUF_F_TX_OUTER_UDP_CKSUM, 0);
	assert_int_equal(ref_judge(f->data, f->len, f->len, REF_LINK_ETHER, &report), 0);
	assert_int_equal(report.count[REF_IP], nb_outer + 1);
	for (i = 0; i < report.count[REF_IP]; i++)
		assert_int_equal(report.list[REF_IP][i], REF_GOOD);
	assert_true(report.count[REF_UDP] >= nb_outer);
	for (i = 0; i < report.count[REF_UDP]; i++)
		assert_int_equal(report.list[REF_UDP][i], i < nb_outer ? REF_GOOD : REF_FRAGMENT);
	assert_int_equal(xstat(port, "tx_fragments_without_l4_packets"), 1);
	assert_int_equal(xstat(port, "tx_refused_fragment"), 0);
	script_forget();
	port_close(port);
}

static void
b62_fragment_gets_no_l4_checksum(void **state)
{
	uint16_t port = started_plain();

	(void)state;
	frame_init(&frame);
	frame_ether(&frame);
	assert_int_equal(send_one(port, first_fragment(0)), 1);
	harness_assert_bytes(script.frames[0].data + 34, frame.data + 34, frame.len - 34);
	assert_int_equal(script.frames[0].ol_flags, 0);
	assert_fragment_sent(port, 0);
}

static void
fragment_shorter_than_an_l4_header(void **state)
{
	uint16_t port = started_plain();

	(void)state;
	frame_init(&frame);
	frame_ether(&frame);
	assert_int_equal(send_one(port, last_fragment(0)), 1);
	assert_fragment_sent(port, 0);
}

static void
outer_checksum_over_a_fragment(void **state)
{
	uint16_t port = started_plain();

	(void)state;
	outer_headers();
	assert_int_equal(send_one(port, first_fragment(OUTER_CKSUMS)), 1);
	assert_fragment_sent(port, 1);
}

static void
outer_checksum_over_a_short_fragment(void **state)
{
	uint16_t port = started_plain();

	(void)state;
	outer_headers();
	assert_int_equal(send_one(port, last_fragment(OUTER_CKSUMS)), 1);
	assert_fragment_sent(port, 1);
}

/* A copy goes down, and what the application holds is as it was. */
static void
outer_checksum_over_a_shared_fragment(void **state)
{
	uint16_t port = started_plain();
	uint64_t ol_flags;
	struct rte_mbuf *m;

	(void)state;
	outer_headers();
	m = first_fragment(OUTER_CKSUMS);
	ol_flags = m->ol_flags;
	rte_mbuf_refcnt_update(m, 1);
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(m->ol_flags, ol_flags);
	harness_assert_bytes(rte_pktmbuf_mtod(m, uint8_t *), frame.data, frame.len);
	rte_pktmbuf_free(m);
	assert_fragment_sent(port, 1);
}

/* The inner checksum, which the port could fill in elsewhere, is not left to it. */
static void
outer_checksum_over_a_port_that_fills_inner_ones(void **state)
{
	const uint64_t capa = RTE_ETH_TX_OFFLOAD_MULTI_SEGS | RTE_ETH_TX_OFFLOAD_UDP_CKSUM |
		RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM;
	uint16_t port = started(capa, capa | RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM);
	struct rte_mbuf *m;

	(void)state;
	outer_headers();
	m = first_fragment(OUTER_CKSUMS);
	m->ol_flags &= ~(RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_OUTER_IP_CKSUM);
	harness_put_be16(rte_pktmbuf_mtod_offset(m, uint8_t *, 14 + 10),
		ref_check(frame.data + 14, 20));
	harness_put_be16(rte_pktmbuf_mtod_offset(m, uint8_t *, 64 + 10),
		ref_check(frame.data + 64, 20));
	assert_int_equal(send_one(port, m), 1);
	assert_fragment_sent(port, 1);
}

/* What went back to the application asks for all that it asked for. */
static void
fragment_that_is_not_sent_is_as_given(void **state)
{
	uint16_t port = started_plain();
	struct rte_mbuf *m;
	uint64_t ol_flags;

	(void)state;
	outer_headers();
	m = first_fragment(OUTER_CKSUMS);
	ol_flags = m->ol_flags;
	atomic_store(&script.stalled, true);
	assert_int_equal(send_one(port, m), 0);
	assert_int_equal(m->ol_flags, ol_flags);
	atomic_store(&script.stalled, false);
	assert_int_equal(send_one(port, m), 1);
	assert_fragment_sent(port, 1);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, script_setup, script_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(b62_fragment_gets_no_l4_checksum),
		CASE(fragment_shorter_than_an_l4_header),
		CASE(outer_checksum_over_a_fragment),
		CASE(outer_checksum_over_a_short_fragment),
		CASE(outer_checksum_over_a_shared_fragment),
		CASE(outer_checksum_over_a_port_that_fills_inner_ones),
		CASE(fragment_that_is_not_sent_is_as_given),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-fragment", tests, NULL, NULL));
}
