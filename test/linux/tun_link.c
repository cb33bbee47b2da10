/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <csum_gso.h>

#include <ref_judge.h>

#include "tun_link.h"

/* An odd length, so that a super-packet's segments begin at odd offsets. */
#define ROOM     1999
#define MAX_READ (CSUM_VIRTIO_MRG_HDR_LEN + 65535)

static struct rte_mempool *in, *out;

void
tun_link_start(void)
{
	in = harness_pool("in", 128, ROOM);
	out = harness_pool("out", 128, 2048);
}

int
tun_link_pools_are_whole(void **state)
{
	(void)state;
	return harness_in_use(in) == 0 && harness_in_use(out) == 0 ? 0 : -1;
}

static enum csum_virtio_order
order_of(const struct tun_dev *dev)
{
	return dev->little_endian ? CSUM_VIRTIO_LITTLE : CSUM_VIRTIO_NATIVE;
}

static void
write_with_header(const struct tun_dev *to, const void *hdr, const void *data, uint32_t len)
{
	struct iovec iov[2] = {
		{ .iov_base = (void *)(uintptr_t)hdr, .iov_len = to->hdr_len },
		{ .iov_base = (void *)(uintptr_t)data, .iov_len = len },
	};

	assert_int_equal(writev(to->fd, iov, 2), to->hdr_len + len);
}

void
tun_link_write_bytes(const struct tun_dev *to, const void *data, uint32_t len)
{
	static const uint8_t none[CSUM_VIRTIO_MRG_HDR_LEN];

	write_with_header(to, none, data, len);
}

void
tun_link_write(const struct tun_dev *to, struct rte_mbuf *m, uint32_t flags)
{
	static uint8_t bytes[65535];
	uint8_t raw[CSUM_VIRTIO_MRG_HDR_LEN];
	struct csum_virtio_hdr hdr;

	assert_int_equal(csum_virtio_from_mbuf(&hdr, m, flags | CSUM_VIRTIO_F_TO_DRIVER, NULL), 0);
	assert_int_equal(csum_virtio_hdr_write(raw, to->hdr_len, order_of(to), &hdr), 0);
	write_with_header(to, raw, bytes, harness_flatten(m, bytes, sizeof(bytes)));
	rte_pktmbuf_free(m);
}

/* What is complete must be so to the reference, before the other stack judges it. */
static void
write_complete(const struct tun_dev *to, struct rte_mbuf *m, bool broken)
{
	static uint8_t bytes[65535];
	uint32_t len = harness_flatten(m, bytes, sizeof(bytes)), i;
	struct ref_report report;

	assert_int_equal(ref_judge(bytes, len, len, REF_LINK_RAW, &report), 0);
	for (i = 0; i < REF_NB_COLUMNS; i++)
		if (report.count[i] != 0)
			assert_int_equal(report.list[i][0], REF_GOOD);
	if (broken)
		bytes[len - 1] ^= 0x10;
	tun_link_write_bytes(to, bytes, len);
	rte_pktmbuf_free(m);
}

static void
cut(struct tun_link *link, const struct rte_mbuf *m)
{
	const struct csum_gso_conf conf = { .pool = out };
	struct csum_gso_req req;
	struct rte_mbuf *segs[64];
	int nb, i;

	csum_gso_req_from_mbuf(&req, m);
	nb = csum_gso_segment(m, &req, &conf, segs, RTE_DIM(segs), NULL);
	assert_true(nb > 1);
	for (i = 0; i < nb; i++) {
		bool broken;

		link->segments++;
		broken = link->break_nth != 0 && link->segments % link->break_nth == 0;
		link->broken += broken;
		write_complete(link->to, segs[i], broken);
	}
}

/* As applications leave it: no length is right, and no checksum field holds anything of use. */
static void
make_stale(struct rte_mbuf *m)
{
	static const uint8_t stale[2] = { 0xde, 0xad };
	uint32_t l4 = m->l2_len + m->l3_len;
	bool super = (m->ol_flags & (RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_UDP_SEG)) != 0;
	bool udp = (m->ol_flags & RTE_MBUF_F_TX_UDP_SEG) != 0 ||
		   (m->ol_flags & RTE_MBUF_F_TX_L4_MASK) == RTE_MBUF_F_TX_UDP_CKSUM;

	if ((m->ol_flags & (RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_UDP_SEG |
			    RTE_MBUF_F_TX_L4_MASK)) == 0)
		return;
	csum_mbuf_write(m, l4 + (udp ? 6 : 16), stale, sizeof(stale));
	if (super && (m->ol_flags & RTE_MBUF_F_TX_IPV4) != 0) {
		csum_mbuf_write(m, m->l2_len + 2, stale, sizeof(stale));
		csum_mbuf_write(m, m->l2_len + 10, stale, sizeof(stale));
	} else if (super) {
		csum_mbuf_write(m, m->l2_len + 4, stale, sizeof(stale));
	}
}

static void
send_on(struct tun_link *link, struct rte_mbuf *m)
{
	if (link->to->hdr_len != 0) {
		make_stale(m);
		tun_link_write(link->to, m, 0);
	} else if ((m->ol_flags & (RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_UDP_SEG)) != 0) {
		cut(link, m);
		rte_pktmbuf_free(m);
	} else {
		make_stale(m);
		assert_int_equal(csum_pkt_prepare(m, UINT64_MAX, NULL), 0);
		write_complete(link->to, m, false);
	}
}

static void
carry_one(struct tun_link *link, const uint8_t *bytes, uint32_t len)
{
	const struct tun_dev *from = link->from;
	struct csum_virtio_hdr hdr = { 0 };
	struct rte_mbuf *m;

	if (from->hdr_len != 0)
		assert_int_equal(csum_virtio_hdr_read(&hdr, bytes, from->hdr_len, order_of(from)),
				 0);
	bytes += from->hdr_len;
	len -= from->hdr_len;
	m = harness_chain(in, bytes, len, NULL, 0);
	assert_int_equal(csum_virtio_to_mbuf(m, &hdr, CSUM_LINK_IP, NULL), 0);
	link->packets++;
	link->supers += hdr.gso_type != CSUM_VIRTIO_GSO_NONE;
	link->partial += (hdr.flags & CSUM_VIRTIO_NEEDS_CSUM) != 0;
	link->longest = RTE_MAX(link->longest, len);
	send_on(link, m);
}

bool
tun_link_is_ours(const uint8_t *ip)
{
	uint8_t proto = ip[0] >> 4 == 4 ? ip[9] : ip[6];

	return proto == IPPROTO_TCP || proto == IPPROTO_UDP || proto == IPPROTO_FRAGMENT;
}

unsigned int
tun_link_carry(struct tun_link *link)
{
	static uint8_t bytes[MAX_READ];
	unsigned int before = link->packets;
	ssize_t n;

	while ((n = read(link->from->fd, bytes, sizeof(bytes))) > 0) {
		assert_true((size_t)n > link->from->hdr_len + 20);
		if (tun_link_is_ours(bytes + link->from->hdr_len))
			carry_one(link, bytes, (uint32_t)n);
	}
	assert_int_equal(errno, EAGAIN);
	return link->packets - before;
}
