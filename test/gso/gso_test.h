/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _GSO_TEST_H_
#define _GSO_TEST_H_

/**
 * @file
 * What the segmentation tests share: one super-packet is cut, its segments are kept flat, and
 * whatever holds for every cut is checked on the way: pools, the input, the reference's judgement.
 */

#include <string.h>

#include <csum_gso.h>

#include "frame.h"
#include "harness.h"
#include "ref_judge.h"

#define TSO4 (RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_IPV4)
#define TSO6 (RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_IPV6)
#define USO4 (RTE_MBUF_F_TX_UDP_SEG | RTE_MBUF_F_TX_IPV4)
#define USO6 (RTE_MBUF_F_TX_UDP_SEG | RTE_MBUF_F_TX_IPV6)
#define OUTER4 RTE_MBUF_F_TX_OUTER_IPV4
#define OUTER6 RTE_MBUF_F_TX_OUTER_IPV6
#define OUTER_CKSUM RTE_MBUF_F_TX_OUTER_UDP_CKSUM
#define VXLAN RTE_MBUF_F_TX_TUNNEL_VXLAN
#define GENEVE RTE_MBUF_F_TX_TUNNEL_GENEVE
#define GPE RTE_MBUF_F_TX_TUNNEL_VXLAN_GPE
#define GRE RTE_MBUF_F_TX_TUNNEL_GRE
#define IPIP RTE_MBUF_F_TX_TUNNEL_IPIP
#define GTP RTE_MBUF_F_TX_TUNNEL_GTP
#define MPLSINUDP RTE_MBUF_F_TX_TUNNEL_MPLSINUDP
#define ANY_UDP RTE_MBUF_F_TX_TUNNEL_UDP
#define ANY_IP RTE_MBUF_F_TX_TUNNEL_IP

#define GSO_MAX_SEGS 2048

/** A segment of the last cut, flat. */
struct gso_seg {
	uint32_t len;
	uint32_t nb_mbufs;
	uint64_t ol_flags;
	uint8_t *data;
};

/**
 * Pools: inputs, segments (2048 bytes of room), and mbufs without room to attach payload with.
 * Large enough for GSO_MAX_SEGS segments.
 */
extern struct rte_mempool *gso_in, *gso_out, *gso_refs;

/** How gso_cut() cuts: the tests change it, gso_setup() resets it. */
extern struct csum_gso_conf gso_conf;

/** The last cut. */
extern struct gso_seg gso_segs[GSO_MAX_SEGS];
extern unsigned int gso_nb;
extern enum csum_refusal gso_why;

/** The frame that tests build in. */
extern struct frame gso_frame;

/** Start EAL and make the pools. */
void gso_start(void);

/** cmocka's set-up: conf as gso_start() left it, frame empty. */
int gso_setup(void **state);

/**
 * Cut a super-packet in both forms and free it. The attach form must give what the copy form gives,
 * and outlive the input. What is left to the port below is filled as it would. Padding is checked
 * and left out. Every segment must be good to the reference (a UDP zero counts),
 * the input must be as it was, and both pools must get back what they gave.
 *
 * @return
 *   What csum_gso_segment() returned; the segments are in gso_segs.
 */
int gso_cut_req(struct rte_mbuf *m, const struct csum_gso_req *req);

/** Fill what the flags of a segment leave to the port, in its @p len bytes at @p data. */
void gso_nic_fill(const struct rte_mbuf *m, uint8_t *data, uint32_t len);

/** gso_cut_req() with the request from metadata, which is set from flags and size here. */
int gso_cut(struct rte_mbuf *m, uint64_t ol_flags, uint16_t segsz);

/** gso_cut() of gso_frame, which is finished and made an mbuf chain of one piece. */
int gso_cut_frame(uint64_t ol_flags, uint16_t segsz);

/** Fields of segment @p i of the last cut. */
uint16_t gso_be16(unsigned int i, uint32_t off);
uint32_t gso_be32(unsigned int i, uint32_t off);

/** Fail unless a 16-bit field has these values in the segments, one by one. */
#define assert_be16s(off, ...) do { \
	const uint16_t want_[] = { __VA_ARGS__ }; \
	gso_assert_be16s(off, want_, RTE_DIM(want_), __FILE__, __LINE__); \
} while (0)

void gso_assert_be16s(uint32_t off, const uint16_t want[], unsigned int nb, const char *file,
		      int line);

/** Fail unless the segments have these lengths. */
#define assert_lens(...) do { \
	const uint32_t want_[] = { __VA_ARGS__ }; \
	gso_assert_lens(want_, RTE_DIM(want_), __FILE__, __LINE__); \
} while (0)

void gso_assert_lens(const uint32_t want[], unsigned int nb, const char *file, int line);

/** Fail unless bytes from @p off on in all segments make up P(len), as frame_payload() fills it. */
void gso_assert_payload(uint32_t off, uint32_t len);

/** E/I4/T/P(n) and the like, from an empty gso_frame. */
void gso_frame_tcp4(uint8_t flags, uint32_t n);
void gso_frame_tcp6(uint8_t flags, uint32_t n);
void gso_frame_udp4(uint32_t n);
void gso_frame_udp6(uint32_t n);

/** Ethernet, outer IP (version 4 or 6), UDP port 50000 to 4789, VXLAN 42, inner Ethernet. */
void gso_frame_vxlan(unsigned int outer);

/** What all test programs' main() is. */
#define gso_main(tests) do { \
	gso_start(); \
	return harness_finish(cmocka_run_group_tests(tests, NULL, NULL)); \
} while (0)

#define gso_test(f) cmocka_unit_test_setup(f, gso_setup)

#endif /* _GSO_TEST_H_ */
