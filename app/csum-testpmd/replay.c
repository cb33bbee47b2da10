/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_ether.h>

#include "capture.h"
#include "replay.h"
#include "replay_plan.h"
#include "replay_port.h"
#include "replay_report.h"
#include "writer.h"

#define EXIT_ERROR 2
#define DEFAULT_MTU 1500
#define FRAME_MAX (CAPTURE_MAX_CAPLEN + RTE_ETHER_HDR_LEN)

/* What follows a header is of no known EtherType: IEEE 802's "local experimental" one says so. */
#define ETHER_TYPE_UNKNOWN 0x88b5
#define ETHER_TYPE_MIN 0x0600
#define ETHER_LENGTH_MAX 1500

struct replay {
	const struct replay_params *params;
	struct request_sizes sizes;
	struct capture capture;
	struct replay_port port;
	struct writer *writer;
	struct csum_gso_conf conf;
	struct csum_gso_iter iter;
	struct replay_stats stats;
	uint8_t frame_in[FRAME_MAX];
	uint8_t frame_out[FRAME_MAX];
};

/* A record as an Ethernet frame. */
struct frame {
	const uint8_t *data;
	uint32_t caplen;
	uint32_t len;
};

static uint16_t
ether_type(const struct capture_start *start, const struct frame *rest)
{
	if (start->link == CSUM_LINK_IP) {
		switch (rest->caplen > 0 ? rest->data[0] >> 4 : 0) {
		case 4:
			return RTE_ETHER_TYPE_IPV4;
		case 6:
			return RTE_ETHER_TYPE_IPV6;
		default:
			return ETHER_TYPE_UNKNOWN;
		}
	}
	if (start->ether_type == 0)
		return ETHER_TYPE_UNKNOWN;
	/* LLC goes behind a length. */
	if (start->ether_type < ETHER_TYPE_MIN)
		return RTE_MIN(rest->len, (uint32_t)ETHER_LENGTH_MAX);
	return start->ether_type;
}

/* Put an Ethernet header before what has none; `buf` holds the frame then. */
static void
to_ethernet(const struct capture_record *rec, uint8_t *buf, struct frame *frame)
{
	static const uint8_t addresses[] = { 2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1 };
	struct capture_start start;
	uint16_t type;

	*frame = (struct frame){ rec->data, rec->caplen, rec->len };
	capture_start_of(rec, &start);
	if (start.link == CSUM_LINK_ETHER)
		return;
	frame->data += start.off;
	frame->caplen -= start.off;
	frame->len -= start.off;
	type = rte_cpu_to_be_16(ether_type(&start, frame));
	memcpy(buf, addresses, sizeof(addresses));
	memcpy(buf + sizeof(addresses), &type, sizeof(type));
	memcpy(buf + RTE_ETHER_HDR_LEN, frame->data, frame->caplen);
	frame->data = buf;
	frame->caplen += RTE_ETHER_HDR_LEN;
	frame->len += RTE_ETHER_HDR_LEN;
}

static void
write_frame(struct replay *r, const struct frame *frame, uint64_t ns)
{
	replay_judge(&r->stats.after, frame->data, frame->caplen, frame->len);
	writer_put(r->writer, frame->data, frame->caplen, frame->len, ns);
	r->stats.packets_out++;
}

/* Takes a packet that the port, or the segmenter, has made. */
static void
take_out(void *arg, struct rte_mbuf *m)
{
	struct replay *r = arg;
	struct frame frame = { .caplen = m->pkt_len, .len = m->pkt_len };

	/* No piece is longer than the longest record: there are always bytes to read. */
	frame.data = rte_pktmbuf_read(m, 0, m->pkt_len, r->frame_out);
	write_frame(r, &frame, replay_port_ns(&r->port, m));
}

/* Has the library cut a packet, as replay_plan() has begun it. Returns the pieces made, or -1. */
static int
cut_here(struct replay *r, struct rte_mbuf *m)
{
	struct rte_mbuf *seg;
	int nb = 0;
	int ret;

	while ((ret = csum_gso_iter_next(&r->iter, &seg)) == 1) {
		take_out(r, seg);
		rte_pktmbuf_free(seg);
		nb++;
	}
	rte_pktmbuf_free(m);
	return ret == 0 ? nb : -1;
}

static void
refuse(struct replay *r, const struct capture_record *rec, const struct frame *frame,
       unsigned int refusal)
{
	fprintf(stderr, "%s: packet %" PRIu64 " refused: %s\n", r->params->file, rec->frame,
		replay_refusal_name(refusal));
	r->stats.refused[refusal]++;
	if (!r->params->drop_refused)
		write_frame(r, frame, rec->ns);
}

/* Returns 0, or -1 when the packet was lost half-way. */
static int
carry_out(struct replay *r, const struct capture_record *rec, const struct frame *frame,
	  const struct replay_plan *plan, struct rte_mbuf *m)
{
	int nb;

	if (plan->verb == REPLAY_REFUSE) {
		rte_pktmbuf_free(m);
		refuse(r, rec, frame, plan->refusal);
		return 0;
	}
	nb = plan->verb == REPLAY_CUT ? cut_here(r, m) :
		replay_port_send(&r->port, m, plan->nb_pieces, take_out, r);
	if (nb == 0) {
		refuse(r, rec, frame, REPLAY_REFUSAL_PORT);
		return 0;
	}
	if (nb < 0) {
		fprintf(stderr, "%s: packet %" PRIu64 ": not all of it came out of the port\n",
			r->params->file, rec->frame);
		return -1;
	}
	replay_filled_add(&r->stats, &plan->pkt, plan->filled);
	if (plan->super)
		r->stats.segments_out += nb;
	return 0;
}

static int
replay_record(struct replay *r, const struct capture_record *rec)
{
	struct replay_plan plan;
	struct frame frame;
	struct rte_mbuf *m;

	to_ethernet(rec, r->frame_in, &frame);
	replay_judge(&r->stats.before, frame.data, frame.caplen, frame.len);
	m = replay_port_packet(&r->port, frame.data, frame.caplen, rec->ns);
	if (m == NULL) {
		fprintf(stderr, "%s: packet %" PRIu64 ": out of mbufs\n", r->params->file,
			rec->frame);
		return -1;
	}
	replay_plan(m, frame.caplen < frame.len, &r->sizes, &r->conf, &r->iter, &plan);
	r->stats.packets_in++;
	r->stats.super_packets += plan.super;
	return carry_out(r, rec, &frame, &plan, m);
}

static int
replay_records(struct replay *r)
{
	struct capture_record rec;
	int ret;

	while ((ret = capture_next(&r->capture, &rec)) == 1) {
		if (capture_skips(&r->capture, &rec)) {
			r->stats.packets_in++;
			r->stats.refused[REPLAY_REFUSAL_LINK_TYPE]++;
		} else if (replay_record(r, &rec) != 0) {
			return -1;
		}
	}
	if (ret < 0)
		fprintf(stderr, "%s\n", r->capture.error);
	return ret;
}

static int
fail_write(const char *path, int err)
{
	if (err == -EEXIST)
		fprintf(stderr, "%s exists and is kept; --force replaces a regular file\n", path);
	else if (err == -ENOTTY)
		fprintf(stderr, "standard output is a terminal, not a place for a capture\n");
	else
		fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(-err));
	return -1;
}

/* From an open capture to a complete output. Returns 0 or -1. */
static int
replay_capture(struct replay *r)
{
	const struct replay_params *params = r->params;
	int ret;

	ret = writer_open(params->out, params->force, r->capture.nanoseconds, &r->writer);
	if (ret != 0)
		return fail_write(params->out, ret);
	if (replay_port_open(&r->port, params->uso != 0) != 0) {
		writer_abort(r->writer);
		return -1;
	}
	r->conf.pool = r->port.pool;
	r->conf.flags = CSUM_GSO_F_UDP6_ZERO | (params->uso == 0 ? CSUM_GSO_F_UFO : 0);
	ret = replay_records(r);
	replay_port_close(&r->port);
	if (ret != 0) {
		writer_abort(r->writer);
		return -1;
	}
	ret = writer_commit(r->writer);
	return ret == 0 ? 0 : fail_write(params->out, ret);
}

int
replay_run(const struct replay_params *params)
{
	struct replay *r = calloc(1, sizeof(*r));
	int status = EXIT_ERROR;

	if (r == NULL) {
		fprintf(stderr, "out of memory\n");
		return EXIT_ERROR;
	}
	r->params = params;
	r->sizes = (struct request_sizes){
		.mtu = params->mtu != 0 ? params->mtu : DEFAULT_MTU,
		.segsz = params->segsz,
		.uso = params->uso,
	};
	if (capture_open(&r->capture, params->file) != 0) {
		fprintf(stderr, "%s\n", r->capture.error);
	} else {
		if (replay_capture(r) == 0) {
			replay_report(params, &r->stats);
			if (report_finish() == 0)
				status = replay_status(&r->stats);
		}
		capture_close(&r->capture);
	}
	free(r);
	return status;
}
