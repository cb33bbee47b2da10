/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <string.h>

#include <csum.h>

#include "engines.h"
#include "traffic.h"

#define SRC_IP 0x0afe0000 /* 10.254.0.0 */
#define DST_IP 0x0afd0000 /* of the first flow; the others follow */
#define SRC_PORT 1000
#define DST_PORT 1001

/* The length that is set counts the frame check sequence, which the port adds. */
static uint16_t
frame_len(const struct fwd_stream *stream)
{
	return stream->traffic->len - RTE_ETHER_CRC_LEN;
}

static int
begin(struct fwd_stream *stream)
{
	uint16_t room = rte_pktmbuf_data_room_size(stream->pool) - RTE_PKTMBUF_HEADROOM;
	uint16_t len = frame_len(stream);

	stream->next_flow = 0;
	if (stream->rx_queue == 0)
		printf("  number of flows for port %u: %u\n", stream->rx_port,
		       stream->traffic->nb_flows);
	if (len >= sizeof(struct traffic_headers) && len <= room)
		return 0;
	fprintf(stderr, "flowgen: %u bytes are not a frame in one mbuf: %zu to %u\n", len,
		sizeof(struct traffic_headers), room);
	return -1;
}

static void
write_flow(struct rte_mbuf *m, const struct traffic_headers *first, uint32_t flow, uint16_t len)
{
	struct traffic_headers *headers = rte_pktmbuf_mtod(m, struct traffic_headers *);

	memcpy(headers, first, sizeof(*headers));
	headers->ip.dst_addr = rte_cpu_to_be_32(DST_IP + flow);
	headers->ip.hdr_checksum = csum_check_update32(first->ip.hdr_checksum,
						       first->ip.dst_addr, headers->ip.dst_addr);
	m->data_len = len;
	m->pkt_len = len;
}

static void
forward(struct fwd_stream *stream)
{
	struct traffic_headers first = {
		.eth.dst_addr = { { 0x00, 0x01, 0x02, 0x03, 0x04, 0x01 } },
		.eth.src_addr = { { 0x00, 0x01, 0x02, 0x03, 0x04, 0x00 } },
		.ip.src_addr = RTE_BE32(SRC_IP),
		.ip.dst_addr = RTE_BE32(DST_IP),
		.udp.src_port = RTE_BE16(SRC_PORT),
		.udp.dst_port = RTE_BE16(DST_PORT),
	};
	const uint32_t nb_flows = stream->traffic->nb_flows;
	uint32_t flow = stream->next_flow;
	struct rte_mbuf *pkts[APP_MAX_BURST];
	uint16_t len = frame_len(stream);
	uint16_t nb, i;

	stream_drop(stream);
	traffic_finish_headers(&first, len);
	nb = stream_alloc(stream, pkts);
	for (i = 0; i < nb; i++) {
		write_flow(pkts[i], &first, flow, len);
		flow = flow + 1 < nb_flows ? flow + 1 : 0;
	}
	/* Flows whose packets were not sent come again. */
	nb = stream_send(stream, pkts, nb);
	stream->next_flow = (stream->next_flow + nb) % nb_flows;
}

const struct fwd_engine engine_flowgen = {
	.name = "flowgen",
	.generates = true,
	.begin = begin,
	.forward = forward,
};
