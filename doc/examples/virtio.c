/* SPDX-License-Identifier: BSD-3-Clause */

/* From one virtual port to another: unfinished packets stay unfinished, but not wrong. */

#include <errno.h>
#include <stdio.h>

#include <rte_eal.h>

#include <csum_virtio.h>

#include "example.h"

/* begin: take */
/* A packet from a port whose virtio-net header lay in front of it. */
static int
take(struct rte_mbuf *m, const void *header)
{
	struct csum_virtio_hdr hdr;
	enum csum_refusal why;
	int ret;

	csum_virtio_hdr_read(&hdr, header, CSUM_VIRTIO_MRG_HDR_LEN, CSUM_VIRTIO_LITTLE);
	ret = csum_virtio_to_mbuf(m, &hdr, CSUM_LINK_ETHER, &why);
	/* Neither TCP nor UDP: no Tx flag can ask for it, but the header says where it is. */
	if (ret == -ENOTSUP && why == CSUM_REFUSAL_PROTOCOL &&
	    hdr.flags == CSUM_VIRTIO_NEEDS_CSUM && hdr.gso_type == CSUM_VIRTIO_GSO_NONE)
		ret = csum_pkt_complete(m, hdr.csum_start, hdr.csum_offset);
	return ret;
}
/* end: take */

/* begin: give */
/* The same packet for a guest. */
static int
give(struct rte_mbuf *m, void *header)
{
	struct csum_virtio_hdr hdr;
	int ret;

	ret = csum_virtio_from_mbuf(&hdr, m, CSUM_VIRTIO_F_TO_DRIVER, NULL);
	if (ret != 0)
		return ret; /* -EBUSY: the caller copies it first */
	return csum_virtio_hdr_write(header, CSUM_VIRTIO_MRG_HDR_LEN, CSUM_VIRTIO_LITTLE, &hdr);
}
/* end: give */

int
main(int argc, char **argv)
{
	/* NEEDS_CSUM, TCPV4, hdr_len 54, gso_size 1460, csum_start 34, csum_offset 16. */
	static const uint8_t in[CSUM_VIRTIO_MRG_HDR_LEN] = {
		0x01, 0x01, 0x36, 0x00, 0xb4, 0x05, 0x22, 0x00, 0x10, 0x00,
	};
	struct rte_mempool *pool = example_start(argc, argv);
	struct rte_mbuf *m = example_packet(pool, 9000);
	uint8_t out[CSUM_VIRTIO_MRG_HDR_LEN];
	unsigned int i;

	if (take(m, in) != 0)
		return 1;
	printf("requests: %s, tso_segsz %u\n", (m->ol_flags & RTE_MBUF_F_TX_TCP_SEG) != 0 ?
		rte_get_tx_ol_flag_name(RTE_MBUF_F_TX_TCP_SEG) : "none", m->tso_segsz);
	if (give(m, out) != 0)
		return 1;
	for (i = 0; i < sizeof(out); i++)
		printf("%02x%c", out[i], i + 1 < sizeof(out) ? ' ' : '\n');
	rte_pktmbuf_free(m);
	rte_mempool_free(pool);
	return rte_eal_cleanup();
}
