/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

#include <csum_pkt.h>

#include "vnet_tap.h"

int
vnet_tap_rx_setup(struct vnet_tap_rxq *rxq, struct rte_mempool *pool)
{
	uint32_t room = rte_pktmbuf_data_room_size(pool);

	room = room > RTE_PKTMBUF_HEADROOM ? room - RTE_PKTMBUF_HEADROOM : 0;
	if (room * VNET_TAP_MAX_SEGS < VNET_TAP_MAX_FRAME)
		return -EINVAL;
	rxq->pool = pool;
	rxq->room = room;
	rxq->nb_bufs = (VNET_TAP_MAX_FRAME + room - 1) / room;
	rxq->nb_ready = 0;
	rxq->iov[0] = (struct iovec){ rxq->header, sizeof(rxq->header) };
	return 0;
}

void
vnet_tap_rx_release(struct vnet_tap_rxq *rxq)
{
	rte_pktmbuf_free_bulk(rxq->bufs, rxq->nb_ready);
	rxq->nb_ready = 0;
}

/* A packet that finds no room is cut by Linux, so there is room for any before we ask for one. */
static int
refill(struct vnet_tap_rxq *rxq)
{
	unsigned int i = rxq->nb_ready;

	if (i == rxq->nb_bufs)
		return 0;
	if (rte_pktmbuf_alloc_bulk(rxq->pool, &rxq->bufs[i], rxq->nb_bufs - i) != 0)
		return -ENOMEM;
	for (; i < rxq->nb_bufs; i++)
		rxq->iov[i + 1] = (struct iovec){ rte_pktmbuf_mtod(rxq->bufs[i], void *),
						  rxq->room };
	rxq->nb_ready = rxq->nb_bufs;
	return 0;
}

/* Makes a packet of the buffers that it is in; those behind them move to the front. */
static struct rte_mbuf *
take(struct vnet_tap_rxq *rxq, uint32_t len)
{
	struct rte_mbuf *head = rxq->bufs[0];
	unsigned int nb = (len + rxq->room - 1) / rxq->room;
	unsigned int i;

	head->port = rxq->port;
	head->pkt_len = len;
	head->nb_segs = nb;
	for (i = 0; i < nb; i++) {
		rxq->bufs[i]->data_len = RTE_MIN(len - i * rxq->room, rxq->room);
		if (i > 0)
			rxq->bufs[i - 1]->next = rxq->bufs[i];
	}
	rxq->nb_ready = rxq->nb_bufs - nb;
	memmove(&rxq->bufs[0], &rxq->bufs[nb], rxq->nb_ready * sizeof(rxq->bufs[0]));
	memmove(&rxq->iov[1], &rxq->iov[nb + 1], rxq->nb_ready * sizeof(rxq->iov[0]));
	return head;
}

/* From what the virtio-net header says to what the mbuf asks for. */
static int
read_header(const struct vnet_tap_rxq *rxq, struct rte_mbuf *m)
{
	struct csum_virtio_hdr hdr;
	int ret;

	ret = csum_virtio_hdr_read(&hdr, rxq->header, sizeof(rxq->header), CSUM_VIRTIO_NATIVE);
	if (ret == 0)
		ret = csum_virtio_to_mbuf(m, &hdr, CSUM_LINK_ETHER, NULL);
	/* A protocol that no request can name: its checksum is completed at once. */
	if (ret == -ENOTSUP && hdr.gso_type == CSUM_VIRTIO_GSO_NONE &&
	    (hdr.flags & CSUM_VIRTIO_NEEDS_CSUM) != 0)
		ret = csum_pkt_complete(m, hdr.csum_start, hdr.csum_offset);
	return ret;
}

uint16_t
vnet_tap_rx(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct vnet_tap_rxq *rxq = queue;
	uint16_t nb = 0;

	while (nb < nb_pkts) {
		struct rte_mbuf *m;
		ssize_t len;

		if (refill(rxq) != 0) {
			rxq->no_mbuf++;
			break;
		}
		len = readv(rxq->fd, rxq->iov, rxq->nb_bufs + 1);
		if (len <= (ssize_t)sizeof(rxq->header))
			break;
		m = take(rxq, len - sizeof(rxq->header));
		if (read_header(rxq, m) != 0) {
			rxq->counters.errors++;
			rte_pktmbuf_free(m);
			continue;
		}
		rxq->counters.packets++;
		rxq->counters.bytes += m->pkt_len;
		pkts[nb++] = m;
	}
	return nb;
}
