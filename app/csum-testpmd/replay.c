/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "capture.h"
#include "frame.h"
#include "pace.h"
#include "packet.h"
#include "progress.h"
#include "replay.h"
#include "replay_plan.h"
#include "replay_port.h"
#include "replay_report.h"
#include "replay_wire.h"
#include "selection.h"
#include "writer.h"

#define EXIT_ERROR 2
#define DEFAULT_MTU 1500

struct replay {
	const struct replay_params *params;
	struct replay_how how;
	struct selection *selection;
	struct capture capture;
	struct replay_port port;
	struct writer *writer;   /* NULL where there is a port to send to ... */
	struct replay_wire wire; /* ... which this does */
	struct pace pace;
	bool step_said;
	uint64_t due;            /* when the packet at hand is to be sent */
	struct csum_gso_conf conf;
	struct csum_gso_iter iter;
	struct replay_stats stats;
	struct progress progress;
	struct packet packet;
	uint8_t frame_in[FRAME_MAX];
	uint8_t frame_out[FRAME_MAX];
};

static void
judge(const struct replay *r, struct report_layers *layers, const struct frame *frame)
{
	if (r->params->judge == REPLAY_JUDGE_ON)
		replay_judge(layers, frame->data, frame->caplen, frame->len);
}

static void
write_frame(struct replay *r, const struct frame *frame, uint64_t ns)
{
	judge(r, &r->stats.after, frame);
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

/* Passes a piece on; it is not the caller's any more. Returns 0 or -1. */
static int
pass_on(struct replay *r, struct rte_mbuf *m)
{
	if (r->writer == NULL)
		return replay_wire_put(&r->wire, m, 1, r->due);
	take_out(r, m);
	rte_pktmbuf_free(m);
	return 0;
}

/* Has the library cut a packet, as replay_plan() has begun it. Returns the pieces made, or -1. */
static int
cut_here(struct replay *r, struct rte_mbuf *m)
{
	struct rte_mbuf *seg;
	int nb = 0;
	int ret;

	while ((ret = csum_gso_iter_next(&r->iter, &seg)) == 1) {
		ret = pass_on(r, seg);
		if (ret != 0)
			break;
		nb++;
	}
	rte_pktmbuf_free(m);
	return ret == 0 ? nb : -1;
}

/* Sends a packet as planned. Returns the pieces it becomes, 0 if it was refused, or -1. */
static int
send_it(struct replay *r, const struct replay_plan *plan, struct rte_mbuf *m)
{
	if (plan->verb == REPLAY_CUT)
		return cut_here(r, m);
	if (r->writer != NULL)
		return replay_port_send(&r->port, m, plan->nb_pieces, take_out, r);
	return replay_wire_put(&r->wire, m, plan->nb_pieces, r->due) == 0 ? (int)plan->nb_pieces :
									    -1;
}

/* When to send a packet to the port. */
static uint64_t
due_of(struct replay *r, const struct capture_record *rec, uint32_t nb_pieces, uint32_t len)
{
	uint64_t due = pace_due(&r->pace, rec->ns, nb_pieces, len);

	if (r->pace.nb_steps != 0 && !r->step_said) {
		progress_clear(&r->progress);
		fprintf(stderr, "%s: packet %" PRIu64 ": its time is more than an hour away from "
			"the one before: this and further steps are not waited for\n",
			r->params->file, rec->frame);
		r->step_said = true;
	}
	return due;
}

static void
refuse(struct replay *r, const struct capture_record *rec, const struct frame *frame,
       unsigned int refusal)
{
	bool keep = !r->params->drop_refused && r->writer != NULL;

	/* A header was put before a record that was as long as can be. */
	if (keep && frame->caplen > CAPTURE_MAX_CAPLEN) {
		refusal = REPLAY_REFUSAL_TOO_LONG;
		keep = false;
	}
	progress_clear(&r->progress);
	fprintf(stderr, "%s: packet %" PRIu64 " refused: %s\n", r->params->file, rec->frame,
		replay_refusal_name(refusal));
	r->stats.refused[refusal]++;
	if (keep)
		write_frame(r, frame, rec->ns);
}

/* Returns 0, or -1 when the packet was lost half-way. */
static int
carry_out(struct replay *r, const struct capture_record *rec, const struct frame *frame,
	  struct replay_plan *plan, struct rte_mbuf *m)
{
	int nb;

	if (plan->verb != REPLAY_REFUSE && plan->nb_pieces == 1 && r->writer != NULL &&
	    m->pkt_len > CAPTURE_MAX_CAPLEN) {
		plan->verb = REPLAY_REFUSE;
		plan->refusal = REPLAY_REFUSAL_TOO_LONG;
	}
	if (plan->verb == REPLAY_REFUSE) {
		rte_pktmbuf_free(m);
		refuse(r, rec, frame, plan->refusal);
		return 0;
	}
	if (r->writer == NULL)
		r->due = due_of(r, rec, plan->nb_pieces, frame->len);
	nb = send_it(r, plan, m);
	if (nb == 0) {
		refuse(r, rec, frame, REPLAY_REFUSAL_PORT);
		return 0;
	}
	if (nb < 0) {
		if (replay_wire_is_stopped())
			return -1;
		fprintf(stderr, "%s: packet %" PRIu64 ": not all of it came out of the port\n",
			r->params->file, rec->frame);
		return -1;
	}
	replay_filled_add(&r->stats, &plan->pkt, plan->filled);
	if (plan->super)
		r->stats.segments_out += nb;
	return 0;
}

/*
 * Whether a packet is to be written as it is: most are. The port would return the same bytes, but
 * they would be copied twice on the way.
 */
static bool
is_idle(struct replay *r, const struct frame *frame)
{
	if (r->writer == NULL || frame->caplen < frame->len || frame->caplen > CAPTURE_MAX_CAPLEN)
		return false;
	packet_parse_frame(&r->packet, frame->data, frame->caplen, frame->len);
	return replay_plan_is_idle(&r->packet.seg[0], &r->packet.pkt, &r->how);
}

static int
replay_record(struct replay *r, const struct capture_record *rec)
{
	struct replay_plan plan;
	struct frame frame;
	struct rte_mbuf *m;

	if (r->writer != NULL && !writer_holds(r->writer, rec->ns)) {
		fprintf(stderr, "%s: packet %" PRIu64 ": the seconds of its time, %" PRIu64
			", do not fit a pcap file: write pcapng\n", r->params->file, rec->frame,
			rec->ns / 1000000000);
		return -1;
	}
	frame_of(rec, r->frame_in, &frame);
	judge(r, &r->stats.before, &frame);
	if (is_idle(r, &frame)) {
		r->stats.packets_in++;
		write_frame(r, &frame, rec->ns);
		return 0;
	}
	m = replay_port_packet(&r->port, frame.data, frame.caplen, rec->ns);
	if (m == NULL) {
		fprintf(stderr, "%s: packet %" PRIu64 ": out of mbufs\n", r->params->file,
			rec->frame);
		return -1;
	}
	replay_plan(m, frame.caplen < frame.len, &r->how, &r->conf, &r->iter, &plan);
	r->stats.packets_in++;
	r->stats.super_packets += plan.super;
	return carry_out(r, rec, &frame, &plan, m);
}

/* Returns 0, or -1 when the rest cannot be replayed. */
static int
take_in(struct replay *r, const struct capture_record *rec)
{
	int wanted;

	if (!selection_has(r->selection, rec->frame))
		return 0;
	if (capture_skips(&r->capture, rec)) {
		r->stats.packets_in++;
		r->stats.refused[REPLAY_REFUSAL_LINK_TYPE]++;
		return 0;
	}
	wanted = selection_wants(r->selection, rec);
	return wanted == 1 ? replay_record(r, rec) : wanted;
}

static int
replay_records(struct replay *r)
{
	struct capture_record rec;
	int ret;

	while ((ret = capture_next(&r->capture, &rec)) == 1) {
		if (selection_is_over(r->selection, rec.frame) || replay_wire_is_stopped())
			return 0;
		progress_tell(&r->progress, &r->capture);
		if (take_in(r, &rec) != 0)
			return replay_wire_is_stopped() ? 0 : -1;
		if (r->writer != NULL && writer_error(r->writer) != 0)
			return -1;
	}
	/* A signal breaks off reading from a pipe, too. */
	if (ret < 0 && replay_wire_is_stopped())
		return 0;
	if (ret < 0) {
		progress_clear(&r->progress);
		fprintf(stderr, "%s\n", r->capture.error);
	}
	return ret;
}

/* The capture again, from its beginning. */
static int
replay_again(struct replay *r)
{
	capture_close(&r->capture);
	if (capture_open(&r->capture, r->params->file) != 0) {
		fprintf(stderr, "%s\n", r->capture.error);
		return -1;
	}
	return replay_records(r);
}

/* With the port below, whose end nobody looks at. */
static int
send_records(struct replay *r)
{
	uint32_t i;
	int ret = 0;

	replay_wire_begin(&r->wire, r->port.id);
	for (i = 0; i < r->params->loop && ret == 0 && !replay_wire_is_stopped(); i++) {
		pace_begin(&r->pace, &r->params->pace);
		ret = i == 0 ? replay_records(r) : replay_again(r);
	}
	if (replay_wire_finish(&r->wire) != 0)
		ret = -1;
	r->stats.packets_out = r->wire.nb_out;
	r->stats.bytes_out = r->wire.nb_bytes;
	r->stats.seconds = r->wire.seconds;
	r->stats.refused[REPLAY_REFUSAL_PORT] += r->wire.nb_refused;
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

/* Returns 0 or -1. */
static int
open_port(struct replay *r)
{
	const struct replay_params *params = r->params;

	if (replay_port_open(&r->port, params->port, params->uso != 0) != 0)
		return -1;
	r->conf.pool = r->port.pool;
	r->conf.flags = CSUM_GSO_F_UDP6_ZERO | (params->uso == 0 ? CSUM_GSO_F_UFO : 0);
	return 0;
}

/* From an open capture to a complete output. Returns 0 or -1. */
static int
replay_to_file(struct replay *r)
{
	const struct replay_params *params = r->params;
	int ret;

	ret = writer_open(params->out, params->force, r->capture.nanoseconds, &r->writer);
	if (ret != 0)
		return fail_write(params->out, ret);
	if (open_port(r) != 0) {
		writer_abort(r->writer);
		return -1;
	}
	ret = replay_records(r);
	replay_port_close(&r->port);
	if (ret != 0 && writer_error(r->writer) == 0) {
		writer_abort(r->writer);
		return -1;
	}
	ret = writer_commit(r->writer);
	return ret == 0 ? 0 : fail_write(params->out, ret);
}

static int
replay_to_port(struct replay *r)
{
	int ret;

	if (open_port(r) != 0)
		return -1;
	ret = send_records(r);
	replay_port_close(&r->port);
	return ret;
}

/* Returns the exit status. */
static int
replay_capture(struct replay *r)
{
	const struct replay_params *params = r->params;
	int ret;

	progress_begin(&r->progress, params->quiet);
	ret = params->port != NULL ? replay_to_port(r) : replay_to_file(r);
	progress_clear(&r->progress);
	if (ret != 0)
		return EXIT_ERROR;
	if (!params->quiet || params->format != REPORT_TABLE)
		replay_report(params, &r->stats);
	return report_finish() == 0 ? replay_status(&r->stats) : EXIT_ERROR;
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
	r->how = (struct replay_how){
		.sizes = {
			.mtu = params->mtu != 0 ? params->mtu : DEFAULT_MTU,
			.segsz = params->segsz,
			.uso = params->uso,
		},
		.fix_only = params->fix_only,
		.keep_bad = params->keep_bad,
	};
	r->selection = selection_open(&params->selection);
	if (r->selection != NULL) {
		if (capture_open(&r->capture, params->file) == 0) {
			if (selection_check(r->selection, &r->capture) == 0)
				status = replay_capture(r);
			capture_close(&r->capture);
		} else {
			fprintf(stderr, "%s\n", r->capture.error);
		}
	}
	selection_close(r->selection);
	free(r);
	return status;
}
