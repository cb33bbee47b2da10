/* SPDX-License-Identifier: BSD-3-Clause */

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <rte_mbuf.h>

#include <csum.h>

#include "items.h"
#include "traffic.h"

/* Ports of the discard service (RFC 863), addresses for benchmarks (RFC 2544 appendix C.2.2). */
#define DEFAULT_PORT 9
#define DEFAULT_SRC_IP 0xc6120001 /* 198.18.0.1 */
#define DEFAULT_DST_IP 0xc6120002

#define DEFAULT_LEN 64
#define TTL 64

static struct traffic traffic;
static uint32_t seg_room; /* bytes that an mbuf has for data */

const struct traffic *
traffic_get(void)
{
	return &traffic;
}

static bool
are_segments(const uint16_t *lens, unsigned int nb)
{
	unsigned int i;

	for (i = 0; i < nb; i++) {
		if (lens[i] > seg_room)
			fprintf(stderr, "length[%u]=%u > mbuf_data_size=%u - give up\n", i,
				lens[i], seg_room);
		else if (lens[i] == 0)
			fprintf(stderr, "length[%u]=0 < 1 - give up\n", i);
		else
			continue;
		return false;
	}
	return true;
}

static bool
is_frame_len(uint32_t len)
{
	if (len < sizeof(struct traffic_headers))
		fprintf(stderr, "total packet length=%u < %zu - give up\n", len,
			sizeof(struct traffic_headers));
	else if (len > UINT16_MAX)
		fprintf(stderr, "total packet length=%u > %u - give up\n", len, UINT16_MAX);
	else
		return true;
	return false;
}

int
traffic_set_segments(const char *list)
{
	uint16_t lens[TRAFFIC_MAX_SEGS];
	unsigned int nb = items_parse(list, "segment lengths", lens, RTE_DIM(lens));
	uint32_t total = 0;
	unsigned int i;

	for (i = 0; i < nb; i++)
		total += lens[i];
	if (nb == 0 || !are_segments(lens, nb) || !is_frame_len(total))
		return -EINVAL;
	memcpy(traffic.seg_len, lens, nb * sizeof(*lens));
	traffic.nb_segs = nb;
	traffic.len = total;
	return 0;
}

void
traffic_show_segments(void)
{
	unsigned int i;

	printf("Number of segments: %u\nSegment sizes: %u", traffic.nb_segs, traffic.seg_len[0]);
	for (i = 1; i < traffic.nb_segs; i++)
		printf(",%u", traffic.seg_len[i]);
	printf("\nSplit packet: off\n");
}

/* Parses "source,destination". */
static int
parse_addresses(const char *text)
{
	char src[INET_ADDRSTRLEN];
	const char *comma = strchr(text, ',');
	struct in_addr from, to;

	if (comma != NULL && comma - text < (ptrdiff_t)sizeof(src)) {
		snprintf(src, sizeof(src), "%.*s", (int)(comma - text), text);
		if (inet_pton(AF_INET, src, &from) == 1 &&
		    inet_pton(AF_INET, comma + 1, &to) == 1) {
			traffic.src_ip = from.s_addr;
			traffic.dst_ip = to.s_addr;
			return 0;
		}
	}
	fprintf(stderr, "--tx-ip: %s is not two IPv4 addresses with a comma between them\n", text);
	return -EINVAL;
}

/* Parses "source,destination", or one port for both. */
static int
parse_ports(const char *text)
{
	uint16_t ports[2];
	unsigned int nb = items_parse(text, "UDP ports", ports, RTE_DIM(ports));

	if (nb == 0) {
		fprintf(stderr, "--tx-udp: %s is not one or two UDP ports\n", text);
		return -EINVAL;
	}
	traffic.src_port = rte_cpu_to_be_16(ports[0]);
	traffic.dst_port = rte_cpu_to_be_16(ports[nb - 1]);
	return 0;
}

int
traffic_parse(const struct forward_params *params)
{
	seg_room = params->mbuf_size - RTE_PKTMBUF_HEADROOM;
	traffic = (struct traffic){
		.len = DEFAULT_LEN,
		.nb_segs = 1,
		.seg_len = { DEFAULT_LEN },
		.src_ip = rte_cpu_to_be_32(DEFAULT_SRC_IP),
		.dst_ip = rte_cpu_to_be_32(DEFAULT_DST_IP),
		.src_port = rte_cpu_to_be_16(DEFAULT_PORT),
		.dst_port = rte_cpu_to_be_16(DEFAULT_PORT),
		.nb_flows = params->flowgen_flows,
	};
	if (params->txpkts != NULL && traffic_set_segments(params->txpkts) != 0) {
		fprintf(stderr, "--txpkts: %s is not a list of segment lengths\n", params->txpkts);
		return -EINVAL;
	}
	if (params->tx_ip != NULL && parse_addresses(params->tx_ip) != 0)
		return -EINVAL;
	if (params->tx_udp != NULL && parse_ports(params->tx_udp) != 0)
		return -EINVAL;
	return 0;
}

void
traffic_finish_headers(struct traffic_headers *headers, uint16_t len)
{
	uint16_t ip_len = len - sizeof(headers->eth);
	uint16_t udp_len = ip_len - sizeof(headers->ip);

	RTE_BUILD_BUG_ON(sizeof(*headers) != sizeof(headers->eth) + sizeof(headers->ip) +
					     sizeof(headers->udp));
	headers->eth.ether_type = rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4);
	headers->ip = (struct rte_ipv4_hdr){
		.version_ihl = RTE_IPV4_VHL_DEF,
		.total_length = rte_cpu_to_be_16(ip_len),
		.time_to_live = TTL,
		.next_proto_id = IPPROTO_UDP,
		.src_addr = headers->ip.src_addr,
		.dst_addr = headers->ip.dst_addr,
	};
	headers->ip.hdr_checksum = csum_sum_check(csum_partial(&headers->ip,
							       sizeof(headers->ip), 0));
	headers->udp.dgram_len = rte_cpu_to_be_16(udp_len);
	headers->udp.dgram_cksum = 0;
}
