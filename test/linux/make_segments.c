/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Cut super-packets of every kind for a Linux stack to judge.
 *
 * usage: make-segments FOLDER
 *
 * For each kind writes FOLDER/KIND-good.pcap, and FOLDER/KIND-bad.pcap, the same with a wrong byte
 * at the end of one frame in a hundred, and prints "KIND UNITS BAD": how many segments there are,
 * or datagrams where they come in fragments, and how many of them are wrong in the latter.
 */

#include <stdio.h>
#include <stdlib.h>

#include <csum_gso.h>

#include "frame.h"

#define BREAK_NTH 100
#define MAX_SEGS  64
#define MAX_STEPS 10

typedef uint32_t (*step)(struct frame *f);

struct kind {
	const char *name;
	step steps[MAX_STEPS];
	uint64_t flags;
	uint32_t gso_flags;
	uint32_t payload;
	uint16_t segsz;
	unsigned int nb; /* super-packets */
};

struct output {
	FILE *good, *bad;
	unsigned int frames, broken;
};

/* So that TCP sequence numbers, GRE sequence numbers and IP IDs go on from the last one. */
static unsigned int supers, segments;

static uint32_t
tcp(struct frame *f)
{
	uint32_t off = frame_tcp(f, 0x18, "\1\1\x08\x0a\0\0\0\1\0\0\0\2", 12);

	harness_put_be32(f->data + off + 4, 1000 + segments * 1400);
	return off;
}

static uint32_t
udp(struct frame *f)
{
	return frame_udp(f, 1024, 4096);
}

static uint32_t
udp_vxlan(struct frame *f)
{
	return frame_udp(f, 50000, 4789);
}

static uint32_t
vxlan(struct frame *f)
{
	return frame_vxlan(f, 42);
}

static uint32_t
udp_geneve(struct frame *f)
{
	return frame_udp(f, 50000, 6081);
}

static uint32_t
geneve(struct frame *f)
{
	return frame_geneve(f, 42, "\x01\x02\x03\x01" "abcd", 8);
}

static uint32_t
gre(struct frame *f)
{
	return frame_gre(f, 0, 0, 0);
}

static uint32_t
gre_all(struct frame *f)
{
	return frame_gre(f, 0xb000, 7, segments);
}

static uint32_t
gre_key(struct frame *f)
{
	return frame_gre(f, 0x2000, 7, 0);
}

static uint32_t
vlan(struct frame *f)
{
	return frame_vlan(f, 0x8100, 100);
}

static uint32_t
service_vlan(struct frame *f)
{
	return frame_vlan(f, 0x88a8, 200);
}

#define TX(name) RTE_MBUF_F_TX_##name
#define TSO4 (TX(IPV4) | TX(IP_CKSUM) | TX(TCP_SEG))
#define TSO6 (TX(IPV6) | TX(TCP_SEG))
#define USO4 (TX(IPV4) | TX(IP_CKSUM) | TX(UDP_SEG))
#define USO6 (TX(IPV6) | TX(UDP_SEG))
#define OUTER4 (TX(OUTER_IPV4) | TX(OUTER_IP_CKSUM))
#define OUTER6 TX(OUTER_IPV6)
#define IN(tunnel) TX(TUNNEL_##tunnel)
#define CHECKED TX(OUTER_UDP_CKSUM)

#define E  frame_ether
#define e  frame_ether_inner
#define I4 frame_i4
#define I6 frame_i6
#define O4 frame_outer4
#define O6 frame_outer6

/* Sizes of a super-packet that give more than 500 segments in all. */
#define CUT(segsz)  0, 60001, segsz, 12
#define FRAGMENTS(segsz) CSUM_GSO_F_UFO, 9001, segsz, 75

static const struct kind kinds[] = {
	{ "tcp4", { E, I4, tcp }, TSO4, CUT(1448) },
	{ "tcp6", { E, I6, tcp }, TSO6, CUT(1428) },
	{ "udp4", { E, I4, udp }, USO4, CUT(1200) },
	{ "udp6", { E, I6, udp }, USO6, CUT(1200) },
	{ "fragments4", { E, I4, udp }, USO4, FRAGMENTS(1480) },
	{ "fragments6", { E, I6, udp }, USO6, FRAGMENTS(1460) },
	{ "vxlan", { E, O4, udp_vxlan, vxlan, e, I4, tcp }, TSO4 | OUTER4 | IN(VXLAN), CUT(1398) },
	{ "vxlan_checked", { E, O4, udp_vxlan, vxlan, e, I6, tcp },
	  TSO6 | OUTER4 | IN(VXLAN) | CHECKED, CUT(1378) },
	{ "vxlan6_checked", { E, O6, udp_vxlan, vxlan, e, I4, udp },
	  USO4 | OUTER6 | IN(VXLAN) | CHECKED, CUT(1200) },
	{ "vlan", { E, vlan, I4, tcp }, TSO4, CUT(1448) },
	{ "qinq", { E, service_vlan, vlan, I6, udp }, USO6, CUT(1200) },
	{ "geneve", { E, O4, udp_geneve, geneve, e, I4, tcp }, TSO4 | OUTER4 | IN(GENEVE),
	  CUT(1390) },
	{ "geneve6_checked", { E, O6, udp_geneve, geneve, e, I6, tcp },
	  TSO6 | OUTER6 | IN(GENEVE) | CHECKED, CUT(1350) },
	{ "gre", { E, O4, gre, I4, tcp }, TSO4 | OUTER4 | IN(GRE), CUT(1424) },
	{ "gre_all", { E, O4, gre_all, I4, tcp }, TSO4 | OUTER4 | IN(GRE), CUT(1412) },
	{ "nvgre", { E, O4, gre_key, e, I6, tcp }, TSO6 | OUTER4 | IN(GRE), CUT(1386) },
	{ "gre6", { E, O6, gre_key, I6, udp }, USO6 | OUTER6 | IN(GRE), CUT(1200) },
	{ "ipip", { E, O4, I4, tcp }, TSO4 | OUTER4 | IN(IPIP), CUT(1428) },
	{ "sit", { E, O4, I6, tcp }, TSO6 | OUTER4 | IN(IPIP), CUT(1408) },
	{ "4in6", { E, O6, I4, udp }, USO4 | OUTER6 | IN(IPIP), CUT(1200) },
	{ "6in6", { E, O6, I6, tcp }, TSO6 | OUTER6 | IN(IPIP), CUT(1388) },
};

static FILE *
pcap_open(const char *folder, const char *kind, const char *which)
{
	const struct {
		uint32_t magic;
		uint16_t major, minor;
		uint32_t zone, precision, snaplen, link;
	} hdr = { 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1 };
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s-%s.pcap", folder, kind, which);
	file = fopen(path, "we");
	if (file == NULL || fwrite(&hdr, sizeof(hdr), 1, file) != 1) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	return file;
}

static void
pcap_add(FILE *file, const uint8_t *data, uint32_t len)
{
	const uint32_t record[] = { segments, 0, len, len };

	if (fwrite(record, sizeof(record), 1, file) != 1 || fwrite(data, len, 1, file) != 1) {
		perror("write");
		exit(EXIT_FAILURE);
	}
}

static void
output_add(struct output *out, const struct rte_mbuf *m)
{
	static uint8_t data[65536];
	uint32_t len = harness_flatten(m, data, sizeof(data));

	pcap_add(out->good, data, len);
	if (++out->frames % BREAK_NTH == 0) {
		data[len - 1] ^= 0x10;
		out->broken++;
	}
	pcap_add(out->bad, data, len);
}

static void
build(struct frame *f, const struct kind *kind)
{
	unsigned int i;

	frame_init(f);
	for (i = 0; i < MAX_STEPS && kind->steps[i] != NULL; i++)
		kind->steps[i](f);
	frame_payload(f, kind->payload);
	frame_finish(f);
	/* Fragments of different datagrams must not be taken for one another's. */
	for (i = 0; i < f->nb_layers; i++)
		if (f->layer[i].type == FRAME_IPV4)
			harness_put_be16(f->data + f->layer[i].off + 4, supers * MAX_SEGS);
}

static void
cut(const struct kind *kind, struct rte_mempool *pools[2], struct output *out)
{
	const struct csum_gso_conf conf = { .pool = pools[1], .flags = kind->gso_flags };
	static struct frame f;
	enum csum_refusal why = CSUM_REFUSAL_NONE;
	struct rte_mbuf *segs[MAX_SEGS], *m;
	struct csum_gso_req req;
	int nb, i;

	build(&f, kind);
	m = frame_mbuf(&f, pools[0], (uint16_t[]){ 13, 40, 77, 1 }, 4);
	m->ol_flags |= kind->flags;
	m->tso_segsz = kind->segsz;
	csum_gso_req_from_mbuf(&req, m);
	nb = csum_gso_segment(m, &req, &conf, segs, MAX_SEGS, &why);
	if (nb < 2) {
		fprintf(stderr, "%s: %d (%s)\n", kind->name, nb, csum_refusal_name(why));
		exit(EXIT_FAILURE);
	}
	for (i = 0; i < nb; i++) {
		output_add(out, segs[i]);
		segments++;
	}
	rte_pktmbuf_free_bulk(segs, nb);
	rte_pktmbuf_free(m);
	supers++;
}

int
main(int argc, char **argv)
{
	struct rte_mempool *pools[2];
	unsigned int i, n;

	if (argc != 2) {
		fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
		return EXIT_FAILURE;
	}
	harness_start(0, NULL);
	pools[0] = harness_pool("in", 64, 2047);
	pools[1] = harness_pool("out", MAX_SEGS, 2048);
	for (i = 0; i < RTE_DIM(kinds); i++) {
		struct output out = {
			.good = pcap_open(argv[1], kinds[i].name, "good"),
			.bad = pcap_open(argv[1], kinds[i].name, "bad"),
		};

		supers = 0;
		segments = 0;
		for (n = 0; n < kinds[i].nb; n++)
			cut(&kinds[i], pools, &out);
		if (fclose(out.good) != 0 || fclose(out.bad) != 0) {
			perror(argv[1]);
			return EXIT_FAILURE;
		}
		printf("%s %u %u\n", kinds[i].name,
		       kinds[i].gso_flags != 0 ? kinds[i].nb : out.frames, out.broken);
	}
	return harness_finish(0);
}
