/* SPDX-License-Identifier: BSD-3-Clause */

/* A tunnel in a tunnel. */

#include "gso_test.h"

#define ACK 0x10

/* Offsets in E/IPv4/UDP/VXLAN/E/IPv4/UDP/VXLAN/E/IPv4/TCP. */
#define IP1 14
#define UDP1 34
#define IP2 64
#define UDP2 84
#define IP3 114
#define TCP 134

static void
add_vxlan(unsigned int family)
{
	if (family == 4)
		frame_outer4(&gso_frame);
	else
		frame_outer6(&gso_frame);
	frame_udp(&gso_frame, 50000, 4789);
	frame_vxlan(&gso_frame, 42);
	frame_ether_inner(&gso_frame);
}

static void
add_tcp4(uint32_t n)
{
	frame_i4(&gso_frame);
	frame_tcp(&gso_frame, ACK, NULL, 0);
	frame_payload(&gso_frame, n);
}

/* Ethernet, two VXLAN tunnels, TCP. */
static void
make_vxlans(unsigned int outer, unsigned int inner)
{
	frame_init(&gso_frame);
	frame_ether(&gso_frame);
	add_vxlan(outer);
	add_vxlan(inner);
	add_tcp4(2500);
}

/* Which tunnel the flags and the outer lengths name: the first, the second, or the first by 0. */
enum named { FIRST, SECOND, FLAT };

static int
cut(uint64_t ol_flags, enum named named)
{
	struct csum_gso_req req = { .ol_flags = ol_flags, .segsz = 1000 };
	uint32_t at[2], len[2], ip = 0;
	unsigned int i, nb = 0;

	/* What mbuf fields are too narrow for. */
	for (i = 0; i < gso_frame.nb_layers; i++) {
		const struct frame_layer *layer = &gso_frame.layer[i];

		if (layer->type == FRAME_IPV4 || layer->type == FRAME_IPV6) {
			if (nb < 2) {
				at[nb] = layer->off;
				len[nb] = layer->hdr_len;
			}
			nb++;
			ip = layer->off;
			req.l3_len = (uint16_t)layer->hdr_len;
		} else if (layer->type == FRAME_TCP || layer->type == FRAME_UDP) {
			req.l4_len = (uint16_t)layer->hdr_len;
		}
	}
	if (named != FLAT) {
		req.outer_l2_len = (uint16_t)at[named];
		req.outer_l3_len = (uint16_t)len[named];
	}
	req.l2_len = (uint16_t)(ip - req.outer_l2_len - req.outer_l3_len);
	frame_finish(&gso_frame);
	return gso_cut_req(frame_mbuf(&gso_frame, gso_in, NULL, 0), &req);
}

static void
vxlan_in_vxlan(void **state)
{
	static const enum named named[] = { FIRST, SECOND, FLAT };
	unsigned int i;

	for (i = 0; i < RTE_DIM(named); i++) {
		make_vxlans(4, 4);
		assert_int_equal(cut(TSO4 | VXLAN | OUTER4 | OUTER_CKSUM, named[i]), 3);
		assert_be16s(IP1 + 2, 1140, 1140, 640);
		assert_be16s(UDP1 + 4, 1120, 1120, 620);
		assert_be16s(IP2 + 2, 1090, 1090, 590);
		assert_be16s(UDP2 + 4, 1070, 1070, 570);
		assert_be16s(IP1 + 4, 0x2000, 0x2001, 0x2002);
		assert_be16s(IP2 + 4, 0x2000, 0x2001, 0x2002);
		assert_be16s(IP3 + 4, 0x1000, 0x1001, 0x1002);
		assert_be16s(TCP + 16, 0x45c2, 0x39d2, 0x49ef);
		/* The flag asks for the checksum of the tunnel that is named: B78's, inside. */
		if (named[i] == SECOND) {
			assert_be16s(UDP1 + 6, 0, 0, 0);
			assert_be16s(UDP2 + 6, 0x758a, 0x758a, 0x777e);
		} else {
			assert_be16s(UDP2 + 6, 0, 0, 0);
			assert_int_not_equal(gso_be16(0, UDP1 + 6), 0);
		}
		gso_assert_payload(TCP + 20, 2500);
	}
}

/* Whatever the inner tunnel's checksum is, the outer one's covers it; the reference judges both. */
static void
each_checksum_by_itself(void **state)
{
	unsigned int outer, inner, fields;

	for (outer = 4; outer <= 6; outer += 2)
		for (inner = 4; inner <= 6; inner += 2)
			for (fields = 0; fields < 4; fields++) {
				make_vxlans(outer, inner);
				harness_put_be16(gso_frame.data +
						 frame_off(&gso_frame, FRAME_UDP, 0) + 6,
						 fields & 1);
				harness_put_be16(gso_frame.data +
						 frame_off(&gso_frame, FRAME_UDP, 1) + 6,
						 (fields & 2) != 0);
				gso_conf.flags = CSUM_GSO_F_UDP6_ZERO;
				assert_int_equal(cut(TSO4 | VXLAN, FIRST), 3);
				assert_int_equal(gso_be16(1, frame_off(&gso_frame, FRAME_UDP, 0) +
							  6) != 0, fields & 1);
				assert_int_equal(gso_be16(1, frame_off(&gso_frame, FRAME_UDP, 1) +
							  6) != 0, (fields & 2) != 0);
			}
}

/* A number that changes below a checksum, and one below another header. */
static void
gre_around_what_changes(void **state)
{
	static const uint16_t flags[] = { 0x1000, 0x9000 };
	unsigned int i, j;

	for (i = 0; i < RTE_DIM(flags); i++) {
		frame_init(&gso_frame);
		frame_ether(&gso_frame);
		frame_outer4(&gso_frame);
		frame_gre(&gso_frame, 0xb000, 7, 0xffffffff);
		frame_outer6(&gso_frame);
		frame_gre(&gso_frame, flags[i], 0, 0x12345678);
		add_tcp4(2500);
		assert_int_equal(cut(TSO4 | GRE | OUTER4, FIRST), 3);
		for (j = 0; j < 3; j++) {
			assert_int_equal(gso_be32(j, 34 + 12), 0xffffffff + j);
			assert_int_equal(gso_be32(j, 50 + 40 + (i == 0 ? 4 : 8)), 0x12345678 + j);
		}
	}
}

static void
gtpu_in_ipip_and_ipip_in_gtpu(void **state)
{
	static const uint8_t opt[4] = { 0, 7 };

	frame_ether(&gso_frame);
	frame_outer6(&gso_frame);
	frame_outer4(&gso_frame);
	frame_udp(&gso_frame, 2152, 2152);
	frame_gtpu(&gso_frame, 2, opt, sizeof(opt));
	add_tcp4(2500);
	assert_int_equal(cut(TSO4 | IPIP | OUTER6, FLAT), 3);
	assert_be16s(14 + 40 + 28 + 2, 1044, 1044, 544);
	assert_be16s(14 + 40 + 28 + 8, 7, 8, 9);

	frame_init(&gso_frame);
	frame_ether(&gso_frame);
	frame_outer4(&gso_frame);
	frame_udp(&gso_frame, 2152, 2152);
	frame_gtpu(&gso_frame, 2, opt, sizeof(opt));
	frame_outer6(&gso_frame);
	add_tcp4(2500);
	assert_int_equal(cut(TSO4 | GTP | OUTER4 | OUTER_CKSUM, FIRST), 3);
	assert_be16s(14 + 28 + 2, 1084, 1084, 584);
}

static void
fragments_in_two_tunnels(void **state)
{
	frame_ether(&gso_frame);
	add_vxlan(4);
	add_vxlan(6);
	frame_i4(&gso_frame);
	frame_udp(&gso_frame, 1024, 4096);
	frame_payload(&gso_frame, 2501);
	gso_conf.flags = CSUM_GSO_F_UFO;
	assert_int_equal(cut(USO4 | VXLAN | OUTER4 | OUTER_CKSUM, FIRST), 3);
	assert_be16s(IP3 + 20 + 6, 0x2000, 0x2000 | 125, 250);
}

static void
three_tunnels_are_refused(void **state)
{
	frame_ether(&gso_frame);
	add_vxlan(4);
	add_vxlan(4);
	frame_outer4(&gso_frame);
	add_tcp4(2500);
	assert_int_equal(cut(TSO4 | VXLAN, FIRST), -ENOTSUP);
	assert_int_equal(gso_why, CSUM_REFUSAL_TUNNEL);
	assert_int_equal(cut(TSO4 | VXLAN, SECOND), -ENOTSUP);
	assert_int_equal(gso_why, CSUM_REFUSAL_TUNNEL);
	assert_int_equal(cut(TSO4 | VXLAN, FLAT), -ENOTSUP);
	assert_int_equal(gso_why, CSUM_REFUSAL_TUNNEL);
}

/* No flag names the other tunnel: it is known by its port, or not at all. */
static void
other_tunnel_must_be_known(void **state)
{
	make_vxlans(4, 4);
	harness_put_be16(gso_frame.data + UDP2 + 2, 8472);
	assert_int_equal(cut(TSO4 | VXLAN, FIRST), -ENOTSUP);
	assert_int_equal(cut(TSO4 | VXLAN, SECOND), 3);
	make_vxlans(4, 4);
	harness_put_be16(gso_frame.data + UDP1 + 2, 8472);
	assert_int_equal(cut(TSO4 | VXLAN, FIRST), 3);
	assert_int_equal(cut(TSO4 | VXLAN, SECOND), -ENOTSUP);
	assert_int_equal(gso_why, CSUM_REFUSAL_TUNNEL);
}

static void
what_contradicts_is_refused(void **state)
{
	make_vxlans(4, 6);
	assert_int_equal(cut(TSO4 | VXLAN | OUTER4, SECOND), -EBADMSG);
	assert_int_equal(cut(TSO4 | GRE | OUTER6, SECOND), -EBADMSG);
	assert_int_equal(cut(TSO6 | VXLAN, FIRST), -EBADMSG);
	/* The outer tunnel's payload is a fragment. */
	make_vxlans(4, 4);
	harness_put_be16(gso_frame.data + IP2 + 6, 0x2000);
	assert_int_equal(cut(TSO4 | VXLAN, FIRST), -ENOTSUP);
	assert_int_equal(gso_why, CSUM_REFUSAL_FRAGMENT);
	/* EtherType of IPv6 in front of IPv4. */
	make_vxlans(4, 4);
	harness_put_be16(gso_frame.data + IP2 - 2, 0x86dd);
	assert_int_equal(cut(TSO4 | VXLAN, FIRST), -EBADMSG);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		gso_test(vxlan_in_vxlan),
		gso_test(each_checksum_by_itself),
		gso_test(gre_around_what_changes),
		gso_test(gtpu_in_ipip_and_ipip_in_gtpu),
		gso_test(fragments_in_two_tunnels),
		gso_test(three_tunnels_are_refused),
		gso_test(other_tunnel_must_be_known),
		gso_test(what_contradicts_is_refused),
	};

	gso_main(tests);
}
