/* SPDX-License-Identifier: BSD-3-Clause */

#include <rte_ethdev.h>

#include "coalesce.h"
#include "outside.h"

#define BURST 64

static uint16_t
receive(const struct outside *out, struct rte_mbuf **frames)
{
	uint64_t begin = work_begin();
	uint16_t nb = rte_eth_rx_burst(out->outer->port_id, 0, frames, BURST);

	work_end(out->counters, WORK_PORT_RECEIVE, begin);
	return nb;
}

/* Find the datagrams for us; others are freed. Returns how many. */
static unsigned int
unwrap(const struct outside *out, struct rte_mbuf **frames, unsigned int nb,
       struct outer_datagram *datagrams, uint64_t mono)
{
	uint64_t begin = work_begin();
	unsigned int i, found = 0;

	for (i = 0; i < nb; i++) {
		if (outer_receive(out->outer, frames[i], &datagrams[found], mono))
			frames[found++] = frames[i];
		else
			rte_pktmbuf_free(frames[i]);
	}
	work_end(out->counters, WORK_UNWRAP, begin);
	return found;
}

/* Make the mbuf of a datagram that of the packet in it. */
static void
trim(struct rte_mbuf *m, const struct wg_received *received)
{
	m->data_off = (uint16_t)(received->packet - (uint8_t *)m->buf_addr);
	m->data_len = (uint16_t)received->len;
	m->pkt_len = received->len;
	m->ol_flags = 0;
}

/* Open datagrams; those that hold no packet are freed. Returns how many packets there are. */
static unsigned int
open_datagrams(const struct outside *out, struct rte_mbuf **pkts, unsigned int nb,
	       const struct outer_datagram *datagrams, const struct wg_now *now)
{
	uint64_t begin = work_begin();
	struct wg_received received;
	unsigned int i, opened = 0;
	enum wg_kind kind;

	for (i = 0; i < nb; i++) {
		kind = wg_receive(out->dev, now, &datagrams[i].from, datagrams[i].data,
				  datagrams[i].len, &received);
		if (received.reply.len != 0)
			outer_send_message(out->outer, &received.reply, now->mono);
		if (received.established)
			inside_established(out->inside, received.peer, now->mono);
		if (kind == WG_KIND_PACKET) {
			trim(pkts[i], &received);
			pkts[opened++] = pkts[i];
		} else {
			rte_pktmbuf_free(pkts[i]);
		}
	}
	work_end(out->counters, WORK_OPEN, begin);
	return opened;
}

static void
write_packets(const struct outside *out, struct rte_mbuf **pkts, unsigned int nb)
{
	uint64_t begin = work_begin();
	struct csum_virtio_hdr hdr;
	unsigned int i;

	for (i = 0; i < nb; i++) {
		if (csum_virtio_from_mbuf(&hdr, pkts[i], CSUM_VIRTIO_F_TO_DRIVER, NULL) == 0)
			tun_write(out->tun, &hdr, pkts[i], pkts[i]->nb_segs);
		else
			count(out->counters, COUNT_TUN_WRITE_FAILED, pkts[i]->nb_segs);
		rte_pktmbuf_free(pkts[i]);
	}
	work_end(out->counters, WORK_TUN_WRITE, begin);
}

unsigned int
outside_run(const struct outside *out, const struct wg_now *now)
{
	struct outer_datagram datagrams[BURST];
	struct rte_mbuf *pkts[BURST];
	unsigned int received = receive(out, pkts), nb;
	uint64_t begin;

	if (received == 0)
		return 0;
	nb = unwrap(out, pkts, received, datagrams, now->mono);
	nb = open_datagrams(out, pkts, nb, datagrams, now);
	if (out->coalesce) {
		begin = work_begin();
		nb = coalesce(pkts, nb);
		work_end(out->counters, WORK_COALESCE, begin);
	}
	write_packets(out, pkts, nb);
	return received;
}
