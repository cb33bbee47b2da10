/* SPDX-License-Identifier: BSD-3-Clause */

/* What is left to a lower port that can do it: per offload, per packet. */

#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "driver_test.h"
#include "ref_csum.h"

#define IP_CHECK    (14 + 10)
#define TCP_CHECK   (14 + 20 + 16)
#define OUTER_UDP   (14 + 20)

#define CAPA(name)  RTE_ETH_TX_OFFLOAD_ ## name
#define LOWER_CKSUM (CAPA(IPV4_CKSUM) | CAPA(TCP_CKSUM) | CAPA(UDP_CKSUM) | CAPA(MULTI_SEGS))
#define LOWER_TSO   (LOWER_CKSUM | CAPA(TCP_TSO))
#define LOWER_OUTER (LOWER_TSO | CAPA(OUTER_IPV4_CKSUM))
#define TUNNEL_TSO  (CAPA(VXLAN_TNL_TSO) | CAPA(GRE_TNL_TSO) | CAPA(IPIP_TNL_TSO) | \
	CAPA(GENEVE_TNL_TSO))
#define ALL_ENABLED (LOWER_OUTER | CAPA(OUTER_UDP_CKSUM) | CAPA(UDP_TSO) | TUNNEL_TSO | \
	CAPA(VLAN_INSERT))

#define OUTER_FLAGS (RTE_MBUF_F_TX_OUTER_IPV4 | RTE_MBUF_F_TX_OUTER_IP_CKSUM)

static struct rte_mbuf *
super(struct rte_mbuf *m)
{
	m->tso_segsz = 1000;
	return m;
}

static struct rte_mbuf *
super4(void)
{
	return super(tcp4(2500, TCP4_SEG));
}

static struct rte_mbuf *
vxlan(uint32_t n, uint64_t ol_flags)
{
	return super(tcp4_in_vxlan(n, ol_flags | OUTER_FLAGS));
}

/* With a checksum, a key, a sequence number, as @p gre says. */
static struct rte_mbuf *
gre(uint16_t flags)
{
	struct rte_mbuf *m;

	frame_init(&frame);
	frame_ether(&frame);
	frame_outer4(&frame);
	frame_gre(&frame, flags, 7, 100);
	frame_i4(&frame);
	frame_tcp(&frame, 0x10, NULL, 0);
	frame_payload(&frame, 2500);
	frame_finish(&frame);
	m = super(frame_mbuf(&frame, app_pool, NULL, 0));
	m->ol_flags |= TCP4_SEG | RTE_MBUF_F_TX_TUNNEL_GRE | OUTER_FLAGS;
	return m;
}

static struct rte_mbuf *
flat(struct rte_mbuf *m)
{
	frame_tx_lens_flat(m);
	return m;
}

/* The next frame is the packet as it is: whoever gets it cuts it. */
static void
assert_left(uint16_t port, struct rte_mbuf *m)
{
	unsigned int nb = script.nb_frames;
	uint64_t left = xstat(port, "tx_left_to_lower_packets");
	uint32_t len = m->pkt_len;

	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(script.nb_frames, nb + 1);
	assert_int_equal(script.frames[nb].len, len);
	assert_int_not_equal(script.frames[nb].ol_flags & RTE_MBUF_F_TX_TCP_SEG, 0);
	assert_int_equal(xstat(port, "tx_left_to_lower_packets"), left + 1);
}

/* The next frames are its segments, right in every layer. */
static void
assert_cut(uint16_t port, struct rte_mbuf *m, unsigned int nb_segs)
{
	bool udp_zero = (m->ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK) != 0 &&
		(m->ol_flags & RTE_MBUF_F_TX_OUTER_UDP_CKSUM) == 0;
	unsigned int i, nb = script.nb_frames;

	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(script.nb_frames, nb + nb_segs);
	for (i = nb; i < nb + nb_segs; i++)
		assert_int_equal(script.frames[i].ol_flags & RTE_MBUF_F_TX_TCP_SEG, 0);
	if (udp_zero)
		assert_good_or_zero(nb, nb + nb_segs);
	else
		assert_good(nb, nb + nb_segs);
}

static void
port_with_tso_gets_super_packets_whole(void **state)
{
	uint16_t port = started(LOWER_TSO, ALL_ENABLED);
	struct rte_mbuf *m = super4(), lens;

	(void)state;
	assert_left(port, m);
	assert_int_equal(script.nb_prepared, 1);
	assert_int_equal(script.frames[0].ol_flags, TCP4_SEG);
	lens.tx_offload = script.frames[0].tx_offload;
	assert_int_equal(lens.tso_segsz, 1000);
	harness_assert_bytes(script.frames[0].data, frame.data, frame.len);
	/* To cut IPv4 implies its checksum: the port is told so. */
	assert_left(port, super(tcp4(2500, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_TCP_SEG)));
	assert_int_equal(script.frames[1].ol_flags, TCP4_SEG);
	assert_left(port, super(tcp6(2500, RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_SEG)));
	assert_int_equal(xstat(port, "tx_segmented_packets"), 0);
	port_close(port);
}

static void
port_with_plain_tso_gets_only_tunnels_cut(void **state)
{
	uint16_t port = started(LOWER_TSO, ALL_ENABLED);
	struct rte_mbuf *pkts[3] = {
		super4(), vxlan(2500, TCP4_SEG | RTE_MBUF_F_TX_OUTER_UDP_CKSUM), super4(),
	};

	(void)state;
	assert_int_equal(rte_eth_tx_burst(port, 0, pkts, 3), 3);
	/* In their order. */
	assert_int_equal(script.nb_frames, 5);
	assert_int_equal(script.frames[0].ol_flags, TCP4_SEG);
	assert_good(1, 4);
	assert_int_equal(script.frames[4].ol_flags, TCP4_SEG);
	assert_int_equal(xstat(port, "tx_left_to_lower_packets"), 2);
	assert_int_equal(xstat(port, "tx_segmented_packets"), 1);
	port_close(port);
}

/* As virtio and vmxnet3 are. */
static void
port_without_ipv4_checksum_gets_that_filled(void **state)
{
	uint16_t port = started(LOWER_TSO & ~CAPA(IPV4_CKSUM), ALL_ENABLED);

	(void)state;
	assert_left(port, super4());
	assert_int_equal(script.frames[0].ol_flags, TCP4_SEG & ~RTE_MBUF_F_TX_IP_CKSUM);
	assert_int_equal(ref_raw(script.frames[0].data + 14, 20), 0xffff);
	assert_int_equal(field(0, TCP_CHECK), 0);
	assert_int_equal(send_one(port, tcp4(100, TCP4_CKSUM)), 1);
	assert_int_equal(script.frames[1].ol_flags, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_TCP_CKSUM);
	assert_int_equal(field(1, IP_CHECK), 0x566a);
	assert_int_equal(field(1, TCP_CHECK), 0);
	port_close(port);
}

/* What the port's tx_prepare writes is overwritten. */
static int
refuse_super(struct rte_mbuf *m)
{
	harness_put_be16(rte_pktmbuf_mtod_offset(m, uint8_t *, TCP_CHECK), 0x1234);
	return (m->ol_flags & RTE_MBUF_F_TX_TCP_SEG) != 0 ? ENOTSUP : 0;
}

static void
what_the_lower_prepare_refuses_is_cut_here(void **state)
{
	uint16_t port = started(LOWER_TSO, ALL_ENABLED);

	(void)state;
	script.prepare = refuse_super;
	assert_cut(port, super4(), 3);
	assert_int_equal(xstat(port, "tx_lower_prepare_refused_packets"), 1);
	assert_int_equal(xstat(port, "tx_segmented_packets"), 1);
	assert_int_equal(xstat(port, "tx_left_to_lower_packets"), 0);
	port_close(port);
}

static int
refuse_cksum(struct rte_mbuf *m)
{
	(void)m;
	return ENOTSUP;
}

static struct rte_mbuf *
with_segsz(struct rte_mbuf *m, uint16_t segsz)
{
	m->tso_segsz = segsz;
	return m;
}

static void
what_no_port_should_be_given_is_cut_here(void **state)
{
	uint16_t port = started(LOWER_TSO | CAPA(UDP_TSO), ALL_ENABLED);
	struct rte_mbuf *m;

	(void)state;
	/* Whose headers the lower port may not write to. */
	m = super(tcp4(1900, TCP4_SEG));
	rte_mbuf_refcnt_update(m, 1);
	assert_cut(port, m, 2);
	harness_assert_chain(m, frame.data, frame.len);
	rte_pktmbuf_free(m);
	/* Longer than IP can say, and not to be cut at all. */
	assert_cut(port, with_segsz(tcp4(66000, TCP4_SEG), 33000), 2);
	assert_cut(port, with_segsz(tcp4(1000, TCP4_SEG), 1000), 1);
	/* Datagrams or fragments: ports differ. */
	assert_cut(port, super(udp4(2500, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM |
				    RTE_MBUF_F_TX_UDP_SEG)), 3);
	/* Headers that do not lie together. */
	rte_pktmbuf_free(super4());
	m = super(frame_mbuf(&frame, app_pool, (const uint16_t[]){ 50 }, 1));
	m->ol_flags |= TCP4_SEG;
	assert_cut(port, m, 3);
	/* Nothing to go by: refused, as with any other lower port. */
	assert_int_equal(send_one(port, with_segsz(super4(), 0)), 1);
	assert_int_equal(xstat(port, "tx_refused_segsz"), 1);
	port_close(port);
}

/* Through its tx_prepare, and complete where that says no. */
static void
port_with_checksums_gets_segments_that_ask_for_them(void **state)
{
	uint16_t port = started(LOWER_CKSUM, ALL_ENABLED);
	unsigned int i;

	(void)state;
	assert_cut(port, super4(), 3);
	assert_int_equal(script.nb_prepared, 3);
	for (i = 0; i < 3; i++)
		assert_int_equal(script.frames[i].ol_flags, TCP4_CKSUM);
	assert_int_equal(xstat(port, "tx_lower_prepare_refused_packets"), 0);
	script.prepare = refuse_cksum;
	assert_cut(port, super4(), 3);
	for (i = 3; i < 6; i++)
		assert_int_equal(script.frames[i].ol_flags, 0);
	assert_int_equal(xstat(port, "tx_lower_prepare_refused_packets"), 3);
	/* Lengths that say where the headers are, behind a tag too. */
	script.prepare = NULL;
	assert_cut(port, super(tcp4(2500, TCP4_SEG | RTE_MBUF_F_TX_VLAN)), 3);
	assert_int_equal(field(6, 12), 0x8100);
	assert_int_equal(script.frames[6].ol_flags, TCP4_CKSUM);
	port_close(port);
}

static void
forced_or_not_enabled_is_cut_here(void **state)
{
	uint16_t port;

	(void)state;
	recreate(OVER_LOWER ",force=tcp_tso");
	port = started(LOWER_TSO, ALL_ENABLED);
	assert_int_equal(script.tx_enabled, LOWER_CKSUM);
	assert_cut(port, super4(), 3);
	port_close(port);

	recreate(OVER_LOWER);
	port = started(LOWER_TSO, LOWER_CKSUM);
	assert_cut(port, super4(), 3);
	assert_int_equal(xstat(port, "tx_not_enabled_packets"), 1);
	port_close(port);
}

static void
chain_beyond_the_limit_for_super_packets_is_cut_here(void **state)
{
	static const uint16_t cut[] = { 400, 400 };
	uint16_t port;

	(void)state;
	script.max_segs = 2;
	script.max_super_segs = 3;
	port = started(LOWER_TSO, ALL_ENABLED);
	/* Mbufs of 2048 bytes. */
	assert_left(port, super(tcp4(5000, TCP4_SEG)));
	assert_int_equal(script.frames[0].nb_segs, 3);
	assert_cut(port, super(tcp4(6500, TCP4_SEG)), 7);
	/* What asks for nothing may be of two. */
	rte_pktmbuf_free(tcp4(1000, 0));
	assert_int_equal(send_one(port, frame_mbuf(&frame, app_pool, cut, RTE_DIM(cut))), 1);
	assert_int_equal(xstat(port, "tx_linearised_packets"), 1);
	port_close(port);
}

static void
unsent_super_packet_is_as_given(void **state)
{
	uint16_t port = started(LOWER_TSO & ~CAPA(IPV4_CKSUM), ALL_ENABLED);
	struct rte_mbuf *m = super4(), given;

	(void)state;
	m->ol_flags |= RTE_MBUF_F_TX_VLAN;
	memcpy(&given, m, sizeof(given));
	atomic_store(&script.stalled, true);
	assert_int_equal(send_one(port, m), 0);
	assert_int_equal(m->ol_flags, given.ol_flags);
	assert_int_equal(m->tx_offload, given.tx_offload);
	assert_int_equal(m->data_off, given.data_off);
	assert_int_equal(m->pkt_len, given.pkt_len);
	assert_int_equal(xstat(port, "tx_left_to_lower_packets"), 0);
	atomic_store(&script.stalled, false);
	assert_int_equal(send_one(port, m), 1);
	assert_int_equal(script.frames[0].len, frame.len + 4);
	given.tx_offload = script.frames[0].tx_offload;
	assert_int_equal(given.l2_len, 14 + 4);
	assert_int_equal(xstat(port, "tx_left_to_lower_packets"), 1);
	assert_int_equal(xstat(port, "tx_tagged_packets"), 1);
	port_close(port);
}

static void
port_with_tunnel_tso_gets_tunnels_whole(void **state)
{
	uint16_t port = started(LOWER_OUTER | TUNNEL_TSO, ALL_ENABLED);

	(void)state;
	assert_left(port, vxlan(2500, TCP4_SEG));
	harness_assert_bytes(script.frames[0].data, frame.data, frame.len);
	assert_left(port, gre(0));
	port_close(port);
}

/* A wrong header in a tunnel shows nowhere before the other end: no port is trusted with these. */
static void
tunnels_that_ports_get_wrong_are_cut_here(void **state)
{
	uint16_t port = started(LOWER_OUTER | TUNNEL_TSO, ALL_ENABLED);
	struct rte_mbuf *m;

	(void)state;
	/* Outer headers known by l2_len alone. */
	assert_cut(port, flat(vxlan(2500, TCP4_SEG)), 3);
	/* An outer UDP checksum: requested, which the port lacks, and there without a request. */
	assert_cut(port, vxlan(2500, TCP4_SEG | RTE_MBUF_F_TX_OUTER_UDP_CKSUM), 3);
	m = vxlan(2500, TCP4_SEG);
	harness_put_be16(rte_pktmbuf_mtod_offset(m, uint8_t *, OUTER_UDP + 6), 0x1234);
	assert_cut(port, m, 3);
	/* An outer IPv4 header without a request to fill it. */
	m = vxlan(2500, TCP4_SEG);
	m->ol_flags &= ~RTE_MBUF_F_TX_OUTER_IP_CKSUM;
	assert_cut(port, m, 3);
	/* GRE headers that change. */
	assert_cut(port, gre(0x8000), 3);
	assert_cut(port, gre(0x1000), 3);
	assert_int_equal(xstat(port, "tx_left_to_lower_packets"), 0);
	port_close(port);
}

static void
port_that_knows_no_tunnels_gets_them_done_whole(void **state)
{
	const uint64_t cksums = TCP4_CKSUM | RTE_MBUF_F_TX_OUTER_UDP_CKSUM;
	uint16_t port = started(LOWER_CKSUM, ALL_ENABLED);
	unsigned int i;

	(void)state;
	assert_int_equal(send_one(port, vxlan(100, cksums)), 1);
	assert_int_equal(send_one(port, flat(vxlan(100, cksums))), 1);
	for (i = 0; i < 2; i++)
		assert_int_equal(script.frames[i].ol_flags, 0);
	assert_good(0, 2);
	assert_cut(port, vxlan(2500, TCP4_SEG | RTE_MBUF_F_TX_OUTER_UDP_CKSUM), 3);
	assert_cut(port, flat(vxlan(2500, TCP4_SEG | RTE_MBUF_F_TX_OUTER_UDP_CKSUM)), 3);
	assert_int_equal(xstat(port, "tx_not_enabled_packets"), 0);
	port_close(port);
}

/* The outer UDP checksum is of what the packet will be when the lower port is through with it. */
static void
port_with_outer_ipv4_alone_gets_outer_udp_filled(void **state)
{
	const uint64_t cksums = TCP4_CKSUM | RTE_MBUF_F_TX_OUTER_UDP_CKSUM;
	uint16_t port = started(LOWER_OUTER, ALL_ENABLED);

	(void)state;
	assert_int_equal(send_one(port, vxlan(101, cksums)), 1);
	assert_int_equal(script.frames[0].ol_flags,
		TCP4_CKSUM | OUTER_FLAGS | RTE_MBUF_F_TX_TUNNEL_VXLAN);
	assert_int_equal(field(0, IP_CHECK), 0);
	assert_int_not_equal(field(0, OUTER_UDP + 6), 0);
	assert_good(0, 1);
	/* In the convention that hides the outer headers the port would not find them. */
	assert_int_equal(send_one(port, flat(vxlan(101, cksums))), 1);
	assert_int_equal(script.frames[1].ol_flags, 0);
	assert_good(1, 2);
	port_close(port);
}

/* The final destination is in the routing header: no port looks there for the pseudo header. */
static void
packets_with_extension_headers_are_finished_here(void **state)
{
	static const uint8_t route[22] = { 0, 1, [6] = 0x20, 1, 0xd, 0xb8, [21] = 9 };
	static const uint64_t asked[] = { RTE_MBUF_F_TX_TCP_SEG, RTE_MBUF_F_TX_TCP_CKSUM };
	uint16_t port = started(LOWER_TSO, ALL_ENABLED);
	struct rte_mbuf *m;
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(asked); i++) {
		frame_init(&frame);
		frame_ether(&frame);
		frame_i6(&frame);
		frame_ipv6_ext(&frame, IPPROTO_ROUTING, route, sizeof(route));
		frame_tcp(&frame, 0x10, NULL, 0);
		frame_payload(&frame, 1000);
		frame_finish(&frame);
		m = frame_mbuf(&frame, app_pool, NULL, 0);
		m->tso_segsz = 600;
		m->ol_flags |= RTE_MBUF_F_TX_IPV6 | asked[i];
		assert_int_equal(send_one(port, m), 1);
	}
	assert_int_equal(script.nb_frames, 3);
	for (i = 0; i < script.nb_frames; i++)
		assert_int_equal(script.frames[i].ol_flags & RTE_MBUF_F_TX_L4_MASK, 0);
	assert_good(0, 3);
	port_close(port);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, script_setup, script_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(port_with_tso_gets_super_packets_whole),
		CASE(port_with_plain_tso_gets_only_tunnels_cut),
		CASE(port_without_ipv4_checksum_gets_that_filled),
		CASE(what_the_lower_prepare_refuses_is_cut_here),
		CASE(what_no_port_should_be_given_is_cut_here),
		CASE(port_with_checksums_gets_segments_that_ask_for_them),
		CASE(forced_or_not_enabled_is_cut_here),
		CASE(chain_beyond_the_limit_for_super_packets_is_cut_here),
		CASE(unsent_super_packet_is_as_given),
		CASE(port_with_tunnel_tso_gets_tunnels_whole),
		CASE(tunnels_that_ports_get_wrong_are_cut_here),
		CASE(port_that_knows_no_tunnels_gets_them_done_whole),
		CASE(port_with_outer_ipv4_alone_gets_outer_udp_filled),
		CASE(packets_with_extension_headers_are_finished_here),
	};

	driver_start(NULL);
	return harness_finish(cmocka_run_group_tests_name("driver-leave", tests, NULL, NULL));
}
