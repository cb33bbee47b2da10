/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _GSO_BENCH_H_
#define _GSO_BENCH_H_

/**
 * @file
 * What the files of the segmentation benchmark share: super-packets to cut, those who cut them in
 * other ways than the library, and measuring in turns.
 */

#include <stdbool.h>

#include <csum_gso.h>

#define GSO_BENCH_MAX_SEGS 256
#define GSO_BENCH_MAX_HDR 128

/** Bytes of payload that are cut: 45 segments of 1448. */
#define GSO_BENCH_PAYLOAD 65160

/** What is cut, and what into. */
struct gso_bench_packet {
	struct csum_gso_req req;
	struct rte_mempool *pool;     /**< of segments */
	struct rte_mempool *indirect; /**< of mbufs that refer to payload */
	uint16_t l3, l4;              /**< offsets of the inner headers */
	uint16_t hdr_len;
	uint16_t prefetch;            /**< segments ahead */
	bool v6, udp, tunnel;         /**< tunnel: VXLAN over UDP and IPv4, with a checksum */
};

/** Cuts into segs[], and says how many. */
typedef int (*gso_bench_cut)(const struct gso_bench_packet *packet, struct rte_mbuf *m,
			     struct rte_mbuf **segs);

/** The others, as one set of compiler flags makes them. */
struct gso_bench_peers {
	gso_bench_cut copy_limit; /**< header template, copy of the payload; nothing is patched */
	gso_bench_cut two_pass;   /**< rte_memcpy(), then rte_ipv4_udptcp_cksum() */
	gso_bench_cut rte_gso;    /**< rte_gso_segment(), then rte_ipv4_udptcp_cksum_mbuf() */
	gso_bench_cut take_only;  /**< as many mbufs, as the pool has them, and nothing else */
};

/** -O3 for this CPU, and -O2 for DPDK's oldest. */
extern const struct gso_bench_peers gso_bench_peers_native, gso_bench_peers_corei7;

/** Where sources and segments are when they are needed. */
enum gso_bench_residency { GSO_BENCH_HOT, GSO_BENCH_L3, GSO_BENCH_DRAM };

/**
 * Super-packets of a kind, cut in rotation. Segments are freed that many cuts after they were made,
 * so that pool and sources are as far away as the residency says.
 */
struct gso_bench_set {
	struct gso_bench_packet packet;
	const char *proto;
	enum gso_bench_residency residency;
	unsigned int nb_slots, next;
	struct {
		struct rte_mbuf *source;
		struct rte_mbuf *segs[GSO_BENCH_MAX_SEGS];
		int nb_segs;
	} *slots;
	struct rte_mempool *sources;
};

/** Names of what there is: protocols end with NULL. */
extern const char *const gso_bench_protos[];
extern const char *const gso_bench_residencies[];

/** Make super-packets; ends the program where there is no memory. */
struct gso_bench_set *gso_bench_set_make(const char *proto, uint16_t segsz,
					 enum gso_bench_residency residency);

void gso_bench_set_free(struct gso_bench_set *set);

/** Free the oldest segments, and cut the next super-packet. Returns the number of segments. */
int gso_bench_step(struct gso_bench_set *set, gso_bench_cut cut);

/** Free all segments. */
void gso_bench_drain(struct gso_bench_set *set);

/** End the program unless both give the same bytes. */
void gso_bench_compare(struct gso_bench_set *set, const char *name, gso_bench_cut cut,
		       gso_bench_cut other);

/** One that takes its turn. */
struct gso_bench_lane {
	struct gso_bench_set *set;
	gso_bench_cut cut; /**< NULL: there is none for this set */
	int nb_segs;
	double *ns;        /**< a super-packet, in each round */
};

/** Measure lanes in turns. */
void gso_bench_measure(struct gso_bench_lane lanes[], unsigned int nb, unsigned int nb_rounds);

/** Give back what measuring took. */
void gso_bench_lanes_free(struct gso_bench_lane lanes[], unsigned int nb);

/** Medians over rounds: of a lane's time, and of the ratio of two. */
double gso_bench_ns(const struct gso_bench_lane *lane, unsigned int nb_rounds);
double gso_bench_ratio(const struct gso_bench_lane *lane, const struct gso_bench_lane *by,
		       unsigned int nb_rounds);

double gso_bench_median(double values[], unsigned int nb);

/** Core cycles in a nanosecond, by additions that wait for one another: median of what was seen. */
double gso_bench_ghz(void);

/** The library's two forms. */
int gso_bench_copy(const struct gso_bench_packet *packet, struct rte_mbuf *m,
		   struct rte_mbuf **segs);

int gso_bench_attach(const struct gso_bench_packet *packet, struct rte_mbuf *m,
		     struct rte_mbuf **segs);

/** Print the table of goals. */
void gso_bench_goals(unsigned int nb_rounds);

#endif /* _GSO_BENCH_H_ */
