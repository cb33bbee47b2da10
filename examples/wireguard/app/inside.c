/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <csum_pkt.h>

#include "inside.h"

/* Segments that are made at a time, and those after which the other direction has its turn. */
#define BURST  32
#define BUDGET 64

bool
inside_open(struct inside *in)
{
	/* begin: room */
	in->conf = (struct csum_gso_conf) {
		.pool = in->tun->pool,
		.headroom = OUTER_MAX_LEN + WG_HEADER_LEN,
		.tailroom = WG_PAD_MAX + WG_TAG_LEN,
	};
	/* end: room */
	in->peers = calloc(wg_device_nb_peers(in->dev), sizeof(*in->peers));
	return in->peers != NULL;
}

static void
drop_held(struct inside *in, struct inside_peer *to)
{
	rte_pktmbuf_free_bulk(to->held, to->nb_held);
	count(in->counters, COUNT_HELD_DROPPED, to->nb_held);
	to->nb_held = 0;
}

void
inside_close(struct inside *in)
{
	unsigned int i;

	for (i = 0; i < wg_device_nb_peers(in->dev); i++)
		drop_held(in, &in->peers[i]);
	rte_pktmbuf_free(in->super);
	free(in->peers);
}

static void
hold(struct inside *in, struct inside_peer *to, struct rte_mbuf *m)
{
	if (to->nb_held == INSIDE_HELD) {
		count(in->counters, COUNT_HELD_DROPPED, 1);
		rte_pktmbuf_free(m);
		return;
	}
	count(in->counters, COUNT_HELD, 1);
	to->held[to->nb_held++] = m;
}

/* Seal packets where they lie; what cannot be sealed is held or dropped. Returns what remains. */
static unsigned int
seal(struct inside *in, struct wg_peer *peer, struct rte_mbuf **pkts, unsigned int nb,
     uint64_t mono)
{
	struct inside_peer *to = &in->peers[wg_peer_id(peer)];
	uint64_t begin = work_begin();
	unsigned int i, sealed = 0;
	struct rte_mbuf *m;
	int len;

	for (i = 0; i < nb; i++) {
		m = pkts[i];
		len = wg_seal(peer, mono, rte_pktmbuf_mtod(m, uint8_t *), m->data_len,
			      in->tun->mtu);
		if (len > 0) {
			m->data_off -= WG_HEADER_LEN;
			m->data_len = (uint16_t)len;
			m->pkt_len = (uint32_t)len;
			pkts[sealed++] = m;
		} else if (len == -EAGAIN) {
			hold(in, to, m);
		} else {
			rte_pktmbuf_free(m);
		}
	}
	work_end(in->counters, WORK_SEAL, begin);
	return sealed;
}

/* Send complete packets, each in one mbuf, to a peer. */
static void
send_packets(struct inside *in, struct wg_peer *peer, struct rte_mbuf **pkts, unsigned int nb,
	     uint64_t mono)
{
	struct inside_peer *to = &in->peers[wg_peer_id(peer)];
	unsigned int i, sealed = seal(in, peer, pkts, nb, mono);
	uint64_t begin;

	if (sealed == 0)
		return;
	begin = work_begin();
	outer_path_set(in->outer, &to->path, wg_peer_endpoint(peer));
	for (i = 0; i < sealed; i++)
		outer_send(in->outer, &to->path, pkts[i], mono);
	work_end(in->counters, WORK_WRAP, begin);
}

void
inside_established(struct inside *in, struct wg_peer *peer, uint64_t mono)
{
	struct inside_peer *to = &in->peers[wg_peer_id(peer)];
	struct rte_mbuf *pkts[INSIDE_HELD];
	uint16_t nb = to->nb_held;

	/* They may be held again. */
	memcpy(pkts, to->held, nb * sizeof(pkts[0]));
	to->nb_held = 0;
	send_packets(in, peer, pkts, nb, mono);
}

void
inside_gave_up(struct inside *in, const struct wg_peer *peer)
{
	drop_held(in, &in->peers[wg_peer_id(peer)]);
}

/* Some of the segments of the super-packet. */
static unsigned int
cut(struct inside *in, struct rte_mbuf **segs)
{
	uint64_t begin = work_begin();
	int i, nb = csum_gso_iter_burst(&in->it, segs, BURST);

	for (i = 0; in->break_nth != 0 && i < nb; i++) {
		if ((in->counters->n[COUNT_TUN_SEGMENTS] + i) % in->break_nth != 0)
			continue;
		*rte_pktmbuf_mtod_offset(segs[i], uint8_t *, segs[i]->data_len - 1) ^= 1;
		count(in->counters, COUNT_BROKEN, 1);
	}
	if (nb < 0)
		count(in->counters, COUNT_NO_MBUF, 1);
	if (csum_gso_iter_left(&in->it) == 0) {
		rte_pktmbuf_free(in->super);
		in->super = NULL;
	}
	nb = RTE_MAX(nb, 0);
	count(in->counters, COUNT_TUN_SEGMENTS, nb);
	work_end(in->counters, WORK_CUT, begin);
	return (unsigned int)nb;
}

/* Begin to cut a super-packet. */
static void
begin_to_cut(struct inside *in, struct wg_peer *peer, struct rte_mbuf *m)
{
	struct csum_gso_req req;

	csum_gso_req_from_mbuf(&req, m);
	if (csum_gso_iter_init(&in->it, m, &req, &in->conf, NULL) != 0) {
		count(in->counters, COUNT_TUN_REFUSED, 1);
		rte_pktmbuf_free(m);
	} else if (csum_gso_iter_max_len(&in->it) > in->tun->mtu) {
		count(in->counters, COUNT_TUN_TOO_LONG, 1);
		rte_pktmbuf_free(m);
	} else {
		count(in->counters, COUNT_TUN_SUPER, 1);
		in->super = m;
		in->super_peer = peer;
	}
}

/* A packet that is not to be cut. */
static void
send_single(struct inside *in, struct wg_peer *peer, struct rte_mbuf *m, uint64_t mono)
{
	uint64_t begin = work_begin();
	enum counter why = NB_COUNTERS;

	if (m->nb_segs > 1)
		why = COUNT_TUN_TOO_LONG;
	else if (csum_pkt_prepare(m, CSUM_PKT_TX_CKSUM_MASK, NULL) != 0)
		why = COUNT_TUN_REFUSED;
	work_end(in->counters, WORK_CUT, begin);
	if (why != NB_COUNTERS) {
		count(in->counters, why, 1);
		rte_pktmbuf_free(m);
		return;
	}
	send_packets(in, peer, &m, 1, mono);
}

/* The next packet from the device, if there is one: is sent, or becomes the one to cut. */
static bool
next_packet(struct inside *in, uint64_t mono)
{
	const uint64_t seg = RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_UDP_SEG;
	uint64_t begin = work_begin();
	struct wg_peer *peer;
	struct rte_mbuf *m;
	int ret = tun_read(in->tun, &m);

	work_end(in->counters, WORK_TUN_READ, begin);
	if (ret <= 0)
		return ret < 0;
	peer = wg_route(in->dev, rte_pktmbuf_mtod(m, const void *), m->data_len);
	if (peer == NULL)
		rte_pktmbuf_free(m);
	else if ((m->ol_flags & seg) != 0)
		begin_to_cut(in, peer, m);
	else
		send_single(in, peer, m, mono);
	return true;
}

unsigned int
inside_run(struct inside *in, uint64_t mono)
{
	struct rte_mbuf *segs[BURST];
	unsigned int done = 0, nb;

	while (done < BUDGET) {
		/* While the port is full, packets are better off in the device's queue. */
		if (in->outer->nb_tx >= OUTER_BURST && outer_flush(in->outer) >= OUTER_BURST)
			break;
		if (in->super == NULL && !next_packet(in, mono))
			break;
		done++;
		if (in->super == NULL)
			continue;
		nb = cut(in, segs);
		if (nb == 0)
			break;
		send_packets(in, in->super_peer, segs, nb, mono);
		done += nb;
	}
	return done;
}
