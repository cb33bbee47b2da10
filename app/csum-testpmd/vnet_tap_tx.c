/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <sys/uio.h>

#include "vnet_tap.h"

/* Writes a packet with its virtio-net header; the packet stays the caller's. */
static int
write_packet(int fd, const struct rte_mbuf *m, const struct csum_virtio_hdr *hdr)
{
	struct iovec iov[VNET_TAP_MAX_SEGS + 1];
	uint8_t header[CSUM_VIRTIO_HDR_LEN];
	int nb = 1;

	if (m->nb_segs > VNET_TAP_MAX_SEGS)
		return -ENOTSUP;
	(void)csum_virtio_hdr_write(header, sizeof(header), CSUM_VIRTIO_NATIVE, hdr);
	iov[0] = (struct iovec){ header, sizeof(header) };
	for (; m != NULL; m = m->next)
		iov[nb++] = (struct iovec){ rte_pktmbuf_mtod(m, void *), m->data_len };
	return writev(fd, iov, nb) < 0 ? -errno : 0;
}

/* The same for a packet whose headers others share: they keep theirs. */
static int
send_copy(int fd, const struct rte_mbuf *m)
{
	struct rte_mbuf *copy = rte_pktmbuf_copy(m, m->pool, 0, UINT32_MAX);
	struct csum_virtio_hdr hdr;
	int ret;

	if (copy == NULL)
		return -ENOMEM;
	ret = csum_virtio_from_mbuf(&hdr, copy, CSUM_VIRTIO_F_TO_DRIVER, NULL);
	if (ret == 0)
		ret = write_packet(fd, copy, &hdr);
	rte_pktmbuf_free(copy);
	return ret;
}

static int
send_packet(int fd, struct rte_mbuf *m)
{
	struct csum_virtio_hdr hdr;
	int ret = csum_virtio_from_mbuf(&hdr, m, CSUM_VIRTIO_F_TO_DRIVER, NULL);

	if (ret == -EBUSY)
		return send_copy(fd, m);
	return ret != 0 ? ret : write_packet(fd, m, &hdr);
}

uint16_t
vnet_tap_tx(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct vnet_tap_txq *txq = queue;
	uint16_t i;

	for (i = 0; i < nb_pkts; i++) {
		int ret = send_packet(txq->fd, pkts[i]);

		/* There may be room later; what is wrong with any other packet stays so. */
		if (ret == -EAGAIN || ret == -ENOBUFS || ret == -ENOMEM)
			break;
		if (ret == 0) {
			txq->counters.packets++;
			txq->counters.bytes += pkts[i]->pkt_len;
		} else {
			txq->counters.errors++;
		}
		rte_pktmbuf_free(pkts[i]);
	}
	return i;
}
