/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <string.h>

#include "parse_frames.h"

#define PROTO_IGMP 2
#define PROTO_DCCP 33
#define PROTO_AH   51

static const uint8_t ipv4_options[8] = { 7, 7, 4 };     /* record route, end of list */
static const uint8_t tcp_options[12] = { 1, 1, 8, 10 }; /* time stamps */

/* A header of the test's own behind the last IP header. */
static void
add_ip_payload(struct frame *f, enum frame_type ip, unsigned int nth, uint8_t proto,
	       const void *hdr, uint32_t len)
{
	frame_bytes(f, hdr, len);
	f->data[frame_off(f, ip, nth) + (ip == FRAME_IPV4 ? 9 : 6)] = proto;
}

static void
tcp_tail(struct frame *f, uint32_t payload)
{
	frame_tcp(f, 0x18, NULL, 0);
	frame_payload(f, payload);
}

static void
qinq_options(struct frame *f)
{
	frame_ether(f);
	frame_vlan(f, 0x88a8, 10);
	frame_vlan(f, 0x9100, 20);
	frame_vlan(f, 0x8100, 30);
	frame_ipv4_opts(f, "10.0.0.1", "10.0.0.2", 1, ipv4_options, sizeof(ipv4_options));
	frame_tcp(f, 0x18, tcp_options, sizeof(tcp_options));
	frame_payload(f, 101);
}

static void
mpls_extensions(struct frame *f)
{
	/* Routing type 0, two addresses, one segment left: the last one counts. */
	static const uint8_t routing[38] = { [0] = 0, [1] = 1, [6] = 0x20, [37] = 9 };

	frame_ether(f);
	frame_mpls(f, 16, 0);
	frame_mpls(f, 17, 1);
	frame_i6(f);
	frame_ipv6_ext(f, 0, NULL, 6);
	frame_ipv6_ext(f, 60, NULL, 14);
	frame_ipv6_ext(f, 43, routing, sizeof(routing));
	frame_udp(f, 1024, 4096);
	frame_payload(f, 33);
}

static void
pppoe_udplite(struct frame *f)
{
	frame_ether(f);
	frame_pppoe(f, 7);
	frame_i4(f);
	frame_udplite(f, 1024, 4096, 20);
	frame_payload(f, 40);
}

static void
snap_sctp(struct frame *f)
{
	static const uint8_t snap[8] = { 0xaa, 0xaa, 0x03, 0, 0, 0, 0x08, 0x00 };

	frame_ether(f);
	frame_bytes(f, snap, sizeof(snap));
	frame_i4(f);
	frame_sctp(f, 1, 2, 3);
	frame_sctp_data(f, 1, "abcd", 4);
	harness_put_be16(f->data + 12, (uint16_t)(f->len - 14));
}

static void
vxlan(struct frame *f)
{
	frame_ether(f);
	frame_outer6(f);
	frame_udp(f, 50000, 4789);
	frame_vxlan(f, 42);
	frame_ether_inner(f);
	frame_vlan(f, 0x8100, 5);
	frame_i4(f);
	tcp_tail(f, 77);
}

static void
vxlan_gpe(struct frame *f)
{
	static const uint8_t gpe[8] = { 0x0c, 0, 0, 2, 0, 0, 42, 0 };

	frame_ether(f);
	frame_outer4(f);
	frame_udp(f, 50000, 4790);
	frame_bytes(f, gpe, sizeof(gpe));
	frame_i6(f);
	frame_icmpv6(f);
	frame_payload(f, 25);
}

static void
geneve(struct frame *f)
{
	static const uint8_t options[12] = { 1, 2, 3, 2 };

	frame_ether(f);
	frame_outer4(f);
	frame_udp(f, 50000, 6081);
	frame_geneve(f, 42, options, sizeof(options));
	frame_ether_inner(f);
	frame_i6(f);
	frame_udp(f, 1024, 4096);
	frame_payload(f, 50);
}

static void
gre(struct frame *f)
{
	frame_ether(f);
	frame_outer4(f);
	frame_gre(f, 0xb000, 7, 100);
	frame_i4(f);
	tcp_tail(f, 90);
}

static void
nvgre(struct frame *f)
{
	frame_ether(f);
	frame_outer4(f);
	frame_gre(f, 0x2000, 0x2a00, 0);
	frame_ether_inner(f);
	frame_i4(f);
	frame_icmp(f);
	frame_payload(f, 41);
}

static void
erspan(struct frame *f)
{
	static const uint8_t type_2[8] = { 0x10 };
	uint32_t off;

	frame_ether(f);
	frame_outer4(f);
	off = frame_gre(f, 0x1000, 0, 100);
	harness_put_be16(f->data + off + 2, 0x88be);
	frame_bytes(f, type_2, sizeof(type_2));
	frame_ether_inner(f);
	frame_i4(f);
	tcp_tail(f, 10);
}

static void
gtpu(struct frame *f)
{
	/* An extension header of 4 bytes behind the optional fields. */
	static const uint8_t hdr[16] = { 0x34, 255, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0x85, 1, 0, 0, 0 };
	uint32_t off;

	frame_ether(f);
	frame_outer4(f);
	frame_udp(f, 2152, 2152);
	off = frame_bytes(f, hdr, sizeof(hdr));
	frame_i4(f);
	frame_udp(f, 1024, 4096);
	frame_payload(f, 31);
	harness_put_be16(f->data + off + 2, (uint16_t)(f->len - off - 8));
}

static void
mpls_in_udp(struct frame *f)
{
	frame_ether(f);
	frame_outer6(f);
	frame_udp(f, 50000, 6635);
	frame_mpls(f, 100, 1);
	frame_i4(f);
	frame_udp(f, 1024, 4096);
	frame_payload(f, 19);
}

static void
nested(struct frame *f)
{
	frame_ether(f);
	frame_outer4(f);
	frame_i6(f);
	frame_i6(f);
	frame_gre(f, 0x8000, 0, 0);
	frame_i4(f);
	frame_i4(f);
	tcp_tail(f, 21);
}

static void
ether_in_ipv6(struct frame *f)
{
	frame_ether(f);
	frame_outer6(f);
	frame_ether_inner(f);
	frame_i4(f);
	tcp_tail(f, 11);
}

static void
authenticated(struct frame *f)
{
	static const uint8_t ah[24] = { 6, 4 };

	frame_ether(f);
	frame_i4(f);
	add_ip_payload(f, FRAME_IPV4, 0, PROTO_AH, ah, sizeof(ah));
	tcp_tail(f, 18);
}

static void
atomic_fragment(struct frame *f)
{
	frame_ether(f);
	frame_i6(f);
	frame_ipv6_ext(f, 44, NULL, 6);
	memset(f->data + f->len - 6, 0, 6);
	tcp_tail(f, 60);
}

static void
igmp(struct frame *f)
{
	static const uint8_t query[8] = { 0x11, 100 };

	frame_ether(f);
	frame_i4(f);
	add_ip_payload(f, FRAME_IPV4, 0, PROTO_IGMP, query, sizeof(query));
}

static void
dccp(struct frame *f)
{
	/* 16 bytes of header, coverage 3: two words of the data. */
	static const uint8_t hdr[36] = { 4, 0, 16, 0, 4, 3, 0, 0, 1, [16] = 1, 2, 3, 4, 5, 6, 7 };

	frame_ether(f);
	frame_i4(f);
	add_ip_payload(f, FRAME_IPV4, 0, PROTO_DCCP, hdr, sizeof(hdr));
}

const struct parse_frame parse_frames[] = {
	{ "qinq_options", qinq_options, "ether vlan vlan vlan ipv4 tcp" },
	{ "mpls_extensions", mpls_extensions, "ether mpls ipv6 udp" },
	{ "pppoe_udplite", pppoe_udplite, "ether pppoe ipv4 udplite" },
	{ "snap_sctp", snap_sctp, "ether ipv4 sctp" },
	{ "vxlan", vxlan, "ether ipv6 udp vxlan ether vlan ipv4 tcp" },
	{ "vxlan_gpe", vxlan_gpe, "ether ipv4 udp vxlan_gpe ipv6 icmpv6" },
	{ "geneve", geneve, "ether ipv4 udp geneve ether ipv6 udp" },
	{ "gre", gre, "ether ipv4 gre ipv4 tcp" },
	{ "nvgre", nvgre, "ether ipv4 gre ether ipv4 icmp" },
	{ "erspan", erspan, "ether ipv4 gre ether ipv4 tcp" },
	{ "gtpu", gtpu, "ether ipv4 udp gtpu ipv4 udp" },
	{ "mpls_in_udp", mpls_in_udp, "ether ipv6 udp mpls ipv4 udp" },
	{ "nested", nested, "ether ipv4 ipv6 ipv6 gre ipv4 ipv4 tcp" },
	{ "ether_in_ipv6", ether_in_ipv6, "ether ipv6 ether ipv4 tcp" },
	{ "authenticated", authenticated, "ether ipv4 tcp" },
	{ "atomic_fragment", atomic_fragment, "ether ipv6 tcp" },
	{ "igmp", igmp, "ether ipv4 igmp" },
	{ "dccp", dccp, "ether ipv4 dccp" },
};

const unsigned int nb_parse_frames = RTE_DIM(parse_frames);

const struct parse_frame *
parse_frame_named(const char *name)
{
	unsigned int i;

	for (i = 0; i < nb_parse_frames; i++)
		if (strcmp(parse_frames[i].name, name) == 0)
			return &parse_frames[i];
	fail_msg("no frame is named %s", name);
	return NULL;
}

void
parse_frame_build(const struct parse_frame *pf, struct frame *f)
{
	frame_init(f);
	pf->build(f);
	frame_finish(f);
}

const char *
parse_layers(const struct csum_pkt *pkt)
{
	static const char *const names[] = {
		"ether", "vlan", "mpls", "pppoe", "ipv4", "ipv6", "tcp", "udp", "udplite", "icmp",
		"icmpv6", "igmp", "sctp", "dccp", "gre", "vxlan", "vxlan_gpe", "geneve", "gtpu",
		"payload",
	};
	static char text[CSUM_PKT_MAX_LAYERS * 12];
	unsigned int i;
	size_t len = 0;

	RTE_BUILD_BUG_ON(RTE_DIM(names) != CSUM_LAYER_PAYLOAD + 1);
	text[0] = '\0';
	for (i = 0; i < pkt->nb_layers; i++)
		len += snprintf(text + len, sizeof(text) - len, "%s%s", i == 0 ? "" : " ",
				names[pkt->layer[i].type]);
	return text;
}

void
parse_fill(struct rte_mbuf *m, const struct csum_pkt *pkt)
{
	unsigned int i;

	for (i = pkt->nb_layers; i-- > 0;) {
		int rc = csum_pkt_fill(m, pkt, i);

		if (rc != 0 && rc != -ENOTSUP)
			fail_msg("layer %u of %s: %d", i, parse_layers(pkt), rc);
	}
}

unsigned int
parse_find(const struct csum_pkt *pkt, enum csum_layer_type type, unsigned int nth)
{
	unsigned int i;

	for (i = 0; i < pkt->nb_layers; i++)
		if (pkt->layer[i].type == type && nth-- == 0)
			return i;
	fail_msg("no such layer in %s", parse_layers(pkt));
	return 0;
}

enum csum_verdict
parse_verdict(const struct rte_mbuf *m, const struct csum_pkt *pkt, enum csum_layer_type type,
	      unsigned int nth)
{
	return csum_pkt_verify(m, pkt, parse_find(pkt, type, nth));
}
