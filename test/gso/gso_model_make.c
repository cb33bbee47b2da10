/* SPDX-License-Identifier: BSD-3-Clause */

#include "gso_model.h"

static bool
coin(struct harness_rng *rng)
{
	return harness_rand_below(rng, 2) != 0;
}

static void
add_link(struct gso_model *model, struct harness_rng *rng, bool inner)
{
	if (inner)
		frame_ether_inner(&gso_frame);
	else
		frame_ether(&gso_frame);
	if (coin(rng))
		frame_vlan(&gso_frame, coin(rng) ? 0x88a8 : 0x8100, 10);
	if (!inner && harness_rand_below(rng, 8) == 0) {
		model->pppoe = frame_pppoe(&gso_frame, 7);
	} else if (!inner && harness_rand_below(rng, 8) == 0) {
		frame_mpls(&gso_frame, 16, 0);
		frame_mpls(&gso_frame, 17, 1);
	}
}

static void
add_ipv4(struct gso_model_ip *ip, struct harness_rng *rng)
{
	static const uint8_t record_route[8] = { 7, 7, 4, 0, 0, 0, 0, 1 };
	static const uint8_t router_alert[4] = { 0x94, 4, 0, 0 };
	uint16_t id = (uint16_t)harness_rand(rng);

	switch (harness_rand_below(rng, 4)) {
	case 0:
		ip->off = frame_ipv4_opts(&gso_frame, "10.0.0.1", "10.0.0.2", id, record_route, 8);
		ip->uncopied = true;
		break;
	case 1:
		ip->off = frame_ipv4_opts(&gso_frame, "10.0.0.1", "10.0.0.2", id, router_alert, 4);
		break;
	default:
		ip->off = frame_ipv4(&gso_frame, "10.0.0.1", "10.0.0.2", id);
	}
	gso_frame.data[ip->off + 1] = (uint8_t)harness_rand(rng);
}

static void
add_ext(struct gso_model_ip *ip, uint8_t type, const void *body, uint32_t len)
{
	uint32_t off = frame_ipv6_ext(&gso_frame, type, body, len);

	if (type == 60)
		return;
	ip->split = gso_frame.len;
	ip->split_next = off;
}

static void
add_ipv6(struct gso_model_ip *ip, struct harness_rng *rng)
{
	static const uint8_t route[22] = { 4, 1, [6] = 0x20, 1, 0xd, 0xb8, [21] = 99 };

	ip->v6 = true;
	ip->off = frame_ipv6(&gso_frame, "2001:db8::1", "2001:db8::2");
	harness_put_be32(gso_frame.data + ip->off, 0x60000000 | (uint32_t)harness_rand(rng) >> 4);
	ip->split = gso_frame.len;
	ip->split_next = ip->off + 6;
	if (coin(rng))
		return;
	if (coin(rng))
		add_ext(ip, 0, NULL, 0);
	if (coin(rng))
		add_ext(ip, 43, route, sizeof(route));
	if (coin(rng))
		add_ext(ip, 60, NULL, 0);
}

static void
add_ip(struct gso_model *model, struct harness_rng *rng)
{
	struct gso_model_ip *ip = &model->ip[model->nb_ip++];

	if (coin(rng))
		add_ipv4(ip, rng);
	else
		add_ipv6(ip, rng);
	ip->len = gso_frame.len - ip->off;
}

static void
add_udp(struct gso_model_tunnel *tunnel, struct harness_rng *rng, uint16_t port)
{
	static const uint16_t fields[] = { 0, 0, 0x1234 };

	tunnel->udp_field = fields[harness_rand_below(rng, RTE_DIM(fields))];
	/* To the reference that one is no tunnel, and UDP over IPv6 must have a checksum. */
	if (tunnel->type == ANY_UDP)
		tunnel->udp_field = 0x1234;
	tunnel->udp = frame_udp(&gso_frame, (uint16_t)harness_rand(rng), port);
	harness_put_be16(gso_frame.data + tunnel->udp + 6, tunnel->udp_field);
}

static void
add_gre(struct gso_model_tunnel *tunnel, struct harness_rng *rng)
{
	uint16_t flags = (uint16_t)harness_rand(rng) & 0xb000;
	uint32_t off = frame_gre(&gso_frame, flags, 7, (uint32_t)harness_rand(rng));

	if ((flags & 0x8000) != 0)
		tunnel->gre_check = off + 4;
	if ((flags & 0x1000) != 0) {
		tunnel->seq = gso_frame.len - 4;
		tunnel->seq_len = 4;
	}
}

static void
add_gtpu(struct gso_model_tunnel *tunnel, struct harness_rng *rng)
{
	uint8_t flags = (uint8_t)harness_rand_below(rng, 8);
	uint8_t opt[16] = { 0, 0, 0, 0x85, 2, [11] = 0xc0, 1 };
	uint32_t len = flags != 0 ? 4 : 0;

	harness_rand_bytes(rng, opt, 3);
	if ((flags & 4) != 0)
		len = sizeof(opt);
	tunnel->gtpu = frame_gtpu(&gso_frame, flags, opt, len);
	if ((flags & 2) != 0) {
		tunnel->seq = tunnel->gtpu + 8;
		tunnel->seq_len = 2;
	}
}

static void
add_labels(struct harness_rng *rng)
{
	uint32_t nb = harness_rand_below(rng, 3);

	while (nb-- > 0)
		frame_mpls(&gso_frame, 16, 0);
	frame_mpls(&gso_frame, 17, 1);
}

/* A header of an odd length, after which all that it covers lies at odd places. */
static void
add_opaque(struct harness_rng *rng)
{
	uint8_t bytes[31];

	harness_rand_bytes(rng, bytes, sizeof(bytes));
	frame_add(&gso_frame, FRAME_VXLAN, bytes, harness_rand_below(rng, sizeof(bytes)));
}

static void
add_over_udp(struct gso_model *model, struct gso_model_tunnel *tunnel, struct harness_rng *rng)
{
	static const uint8_t gpe[8] = { 0x0c, 0, 0, 3, 0, 0, 42, 0 };
	static const uint8_t opts[128] = { 1 };
	uint32_t words;

	switch (tunnel->type) {
	case VXLAN:
		add_udp(tunnel, rng, 4789);
		frame_vxlan(&gso_frame, 42);
		add_link(model, rng, true);
		break;
	case GPE:
		add_udp(tunnel, rng, 4790);
		frame_add(&gso_frame, FRAME_VXLAN, gpe, sizeof(gpe));
		add_link(model, rng, true);
		break;
	case GENEVE:
		add_udp(tunnel, rng, 6081);
		/* All headers are to fit CSUM_GSO_MAX_HDR, with another tunnel too. */
		words = harness_rand_below(rng, model->nb_ip > 1 ? 4 : 25);
		frame_geneve(&gso_frame, 42, opts, 4 * words);
		if (coin(rng))
			add_link(model, rng, true);
		break;
	case GTP:
		add_udp(tunnel, rng, 2152);
		add_gtpu(tunnel, rng);
		break;
	case MPLSINUDP:
		add_udp(tunnel, rng, 6635);
		add_labels(rng);
		break;
	default:
		add_udp(tunnel, rng, 30000);
		add_opaque(rng);
	}
}

/* Returns whether it may carry another tunnel: one that is not known hides it. */
static bool
add_tunnel(struct gso_model *model, struct harness_rng *rng)
{
	static const uint64_t types[] = {
		VXLAN, GPE, GENEVE, GTP, MPLSINUDP, GRE, IPIP, ANY_IP, ANY_UDP,
	};
	struct gso_model_tunnel *tunnel = &model->tunnel[model->nb_ip];
	/* Only the first may be of a kind that nothing in the headers tells. */
	uint32_t nb = RTE_DIM(types) - (model->nb_ip > 0);

	tunnel->type = types[harness_rand_below(rng, nb)];
	add_ip(model, rng);
	switch (tunnel->type) {
	case GRE:
		add_gre(tunnel, rng);
		if (coin(rng))
			add_link(model, rng, true);
		break;
	case IPIP:
		break;
	case ANY_IP:
		if (coin(rng))
			add_labels(rng);
		else
			add_link(model, rng, true);
		break;
	default:
		add_over_udp(model, tunnel, rng);
	}
	return tunnel->type != ANY_UDP;
}

static void
add_l4(struct gso_model *model, struct harness_rng *rng)
{
	uint8_t opts[40], *tcp;

	model->tcp = coin(rng);
	if (!model->tcp) {
		model->ufo = (gso_conf.flags & CSUM_GSO_F_UFO) != 0;
		model->l4 = frame_udp(&gso_frame, 1024, 4096);
		return;
	}
	memset(opts, 1, sizeof(opts));
	/* Any flags but SYN and RST, AE among them. */
	model->l4 = frame_tcp(&gso_frame, (uint8_t)harness_rand(rng) & 0xf9, opts,
			      4 * harness_rand_below(rng, 11));
	tcp = gso_frame.data + model->l4;
	tcp[12] |= (uint8_t)coin(rng);
	harness_put_be32(tcp + 4, (uint32_t)harness_rand(rng));
	harness_put_be16(tcp + 18, (uint16_t)harness_rand_below(rng, 5000));
}

/* What an application leaves in the fields that it wants filled does not matter. */
static void
stale(const struct gso_model *model, struct harness_rng *rng)
{
	unsigned int i;

	for (i = 0; i < model->nb_ip; i++) {
		uint8_t *ip = gso_frame.data + model->ip[i].off;

		harness_rand_bytes(rng, ip + (model->ip[i].v6 ? 4 : 2), 2);
		if (!model->ip[i].v6)
			harness_rand_bytes(rng, ip + 10, 2);
	}
	harness_rand_bytes(rng, gso_frame.data + model->l4 + (model->tcp ? 16 : 6), 2);
	for (i = 0; i < model->nb_ip - 1; i++) {
		const struct gso_model_tunnel *tunnel = &model->tunnel[i];

		if (tunnel->udp != 0)
			harness_rand_bytes(rng, gso_frame.data + tunnel->udp + 4, 2);
		if (tunnel->gtpu != 0)
			harness_rand_bytes(rng, gso_frame.data + tunnel->gtpu + 2, 2);
		if (tunnel->gre_check != 0)
			harness_rand_bytes(rng, gso_frame.data + tunnel->gre_check, 2);
	}
}

static uint32_t
random_payload(struct harness_rng *rng)
{
	static const uint32_t most[] = { 3, 1000, 6000, 30000 };

	return harness_rand_below(rng, most[harness_rand_below(rng, RTE_DIM(most))]);
}

/* Sizes that come out even, ones just beside them, and any. */
static uint16_t
random_segsz(const struct gso_model *model, struct harness_rng *rng)
{
	uint32_t size = 1 + harness_rand_below(rng, 2000);

	if (coin(rng))
		size = model->payload_len / (1 + harness_rand_below(rng, 7)) +
			harness_rand_below(rng, 3);
	size = RTE_MAX(size, model->payload_len / 300 + 1);
	/* All headers fit the first fragment. */
	return (uint16_t)(model->ufo ? RTE_MAX(size, 32u) : size);
}

/* Which tunnel the flags name, and what becomes of checksums that are 0. */
static void
set_tunnels(struct gso_model *model, unsigned int named, struct harness_rng *rng)
{
	bool checked = coin(rng);
	unsigned int i;

	model->req.ol_flags |= model->tunnel[named].type | (checked ? OUTER_CKSUM : 0);
	model->req.ol_flags |= model->ip[named].v6 ? OUTER6 : OUTER4;
	for (i = 0; i < model->nb_ip - 1; i++) {
		struct gso_model_tunnel *tunnel = &model->tunnel[i];

		tunnel->zero = tunnel->udp_field == 0 && !(checked && i == named) &&
			(!model->ip[i].v6 || (gso_conf.flags & CSUM_GSO_F_UDP6_ZERO) != 0);
	}
}

/* Wider than an mbuf's bit fields, and in either of DPDK's conventions. */
static void
set_lens(struct gso_model *model, struct harness_rng *rng)
{
	const struct gso_model_ip *inner = &model->ip[model->nb_ip - 1];
	struct csum_gso_req *req = &model->req;
	unsigned int named = 0;

	if (model->nb_ip > 1 && coin(rng)) {
		if (model->tunnel[0].type != ANY_UDP)
			named = harness_rand_below(rng, model->nb_ip - 1);
		req->outer_l2_len = (uint16_t)model->ip[named].off;
		req->outer_l3_len = (uint16_t)model->ip[named].len;
	}
	if (model->nb_ip > 1)
		set_tunnels(model, named, rng);
	req->l2_len = (uint16_t)(inner->off - req->outer_l2_len - req->outer_l3_len);
	req->l3_len = (uint16_t)inner->len;
	req->l4_len = (uint16_t)(model->hdr_len - model->l4);
}

void
gso_model_make(struct gso_model *model, struct harness_rng *rng)
{
	uint8_t payload[30000];

	memset(model, 0, sizeof(*model));
	frame_init(&gso_frame);
	gso_conf.flags = (uint32_t)harness_rand(rng) & 0x1f;
	add_link(model, rng, false);
	if (coin(rng) && add_tunnel(model, rng) && coin(rng))
		add_tunnel(model, rng);
	add_ip(model, rng);
	add_l4(model, rng);
	model->hdr_len = gso_frame.len;
	model->payload_len = random_payload(rng);
	harness_rand_bytes(rng, payload, model->payload_len);
	frame_bytes(&gso_frame, payload, model->payload_len);
	frame_finish(&gso_frame);
	stale(model, rng);
	set_lens(model, rng);
	model->req.segsz = random_segsz(model, rng);
	model->req.ol_flags |= model->tcp ? RTE_MBUF_F_TX_TCP_SEG : RTE_MBUF_F_TX_UDP_SEG;
	model->req.ol_flags |= model->ip[model->nb_ip - 1].v6 ? RTE_MBUF_F_TX_IPV6 :
		RTE_MBUF_F_TX_IPV4;
}
