/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _CSUM_GSO_H_
#define _CSUM_GSO_H_

/**
 * @file
 * Software segmentation (GSO): cuts a super-packet into segments whose lengths, IDs, sequence
 * numbers, flags and checksums are all final. There are two forms of output:
 *  - copy: payload is read once, stored once, and summed from the very load that is stored. A
 *    segment is one linear mbuf, unless it is longer than one holds.
 *  - attach (CSUM_GSO_F_ATTACH): payload is read once, to be summed. A segment is an mbuf of
 *    headers and, for each mbuf of the input that its payload lies in, one that refers to that
 *    one's data. Needs a port that takes chains (RTE_ETH_TX_OFFLOAD_MULTI_SEGS), and payload that
 *    nobody changes until the last segment is sent.
 *
 * The input, its bytes and its metadata, is never modified, and the caller frees it in every case.
 * The attach form raises the reference counts of its buffers, which live until all segments are
 * freed.
 * Different inputs may be cut at the same time in different threads if their pools allow it.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>

#include <csum_mbuf.h>
#include <csum_pkt.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Most bytes of headers, link to L4, tunnels included. */
#define CSUM_GSO_MAX_HDR 512

/** @name Flags of struct csum_gso_conf
 * @{
 */
#define CSUM_GSO_F_IPID_FIXED       0x01 /**< all segments keep the (inner) IPv4 ID; else ID + i */
#define CSUM_GSO_F_OUTER_IPID_FIXED 0x02 /**< the same for the outer IPv4 header */
#define CSUM_GSO_F_ACCECN           0x04 /**< CWR on all segments, not the first alone */
#define CSUM_GSO_F_UFO              0x08 /**< UDP_SEG means IP fragments, not datagrams (USO) */
#define CSUM_GSO_F_UDP6_ZERO        0x10 /**< a tunnel's UDP over IPv6 may keep 0 (RFC 6935) */
#define CSUM_GSO_F_ATTACH           0x20 /**< refer to the payload instead of copying it */
/** @} */

/** How to cut. Shared by any number of threads; not changed by the library. */
struct csum_gso_conf {
	struct rte_mempool *pool; /**< segments come from here; pktmbuf pool */
	uint16_t headroom;        /**< bytes kept free before each segment's first byte */
	uint16_t tailroom;        /**< bytes kept free behind the last one of each mbuf */
	uint32_t flags;           /**< CSUM_GSO_F_* */
	/**
	 * CSUM_GSO_F_ATTACH: mbufs that refer to payload come from here; their data room, which may
	 * be 0, is not used. NULL: pool.
	 */
	struct rte_mempool *attach_pool;
	/**
	 * Checksums that the port below fills, RTE_ETH_TX_OFFLOAD_* bits: IPV4_CKSUM, TCP_CKSUM,
	 * UDP_CKSUM, OUTER_IPV4_CKSUM, OUTER_UDP_CKSUM; others do not matter. Segments ask for them
	 * instead of having them: see csum_gso_iter_next(). In a tunnel only where one of the last
	 * two tells that the port looks for inner headers; never in two tunnels, where lengths do
	 * not fit an mbuf, and for the L4 checksum of fragments and behind IPv6 extension headers.
	 */
	uint64_t lower_capa;
	/**
	 * Copy form only: zero bytes are added behind a segment to make it a multiple of this many
	 * bytes, all headers included, as tunnels that encrypt want it; 0 and 1: none. They are
	 * part of data_len and pkt_len, and of nothing else: no length in a header counts them, no
	 * checksum covers them, and tailroom lies behind them.
	 */
	uint16_t pad_to;
	/** Bytes that padding makes no segment longer than: a tunnel's MTU, say. 0: no limit. */
	uint16_t pad_max;
	/**
	 * Segments ahead of the one being made whose payload, and the room for it, is fetched into
	 * the cache. 0: none, which is best as long as they stay there anyway; 2 pays where pools
	 * are larger than the last-level cache.
	 */
	uint16_t prefetch;
};

/**
 * What to cut, for callers whose lengths do not fit an mbuf's bit fields: 7-bit l2_len cannot hold
 * a Geneve header with many options. csum_gso_req_from_mbuf() fills it from the metadata.
 */
struct csum_gso_req {
	/**
	 * TCP_SEG or UDP_SEG, IPV4 or IPV6, tunnel type, outer flags. The type is that of the
	 * tunnel whose IP header lies behind outer_l2_len, or comes first when the outer lengths
	 * are 0. TUNNEL_UDP: over UDP, with a header that is the same in all segments. TUNNEL_IP:
	 * right behind IP, with such a header unless the protocol number means IP, MPLS, Ethernet
	 * or GRE. OUTER_UDP_CKSUM is about that tunnel, too.
	 */
	uint64_t ol_flags;
	/**
	 * Bytes; both outer lengths 0: the packet begins with Ethernet, and the outer headers are
	 * in l2_len. One more tunnel may be in l2_len or, behind Ethernet, in outer_l2_len: its IP
	 * protocol and UDP destination port tell its type.
	 */
	uint16_t outer_l2_len;
	uint16_t outer_l3_len; /**< bytes, options and extension headers included */
	uint16_t l2_len;       /**< bytes; in a tunnel: outer L4 + tunnel header + inner L2 */
	uint16_t l3_len;       /**< bytes, options and extension headers included */
	uint16_t l4_len;       /**< bytes; 8 for UDP */
	/**
	 * Most payload bytes a segment. With CSUM_GSO_F_UFO: most bytes of a fragment behind its
	 * IPv4 header, or behind its IPv6 header and the extension headers that all fragments
	 * repeat, the fragment header included. Either way the MTU minus l3_len will do. What of it
	 * is a fragment's data is a multiple of 8 in all fragments but the last.
	 */
	uint16_t segsz;
};

/** Take a request from an mbuf's Tx metadata (rte_mbuf_core.h). Reads nothing else. */
void csum_gso_req_from_mbuf(struct csum_gso_req *req, const struct rte_mbuf *m);

/** Most IP headers one inside the other: those of two tunnels, and the one that they carry. */
#define CSUM_GSO_MAX_IP 3

/**
 * Most length fields outside of one another: link layer, IP and UDP, thrice, and two tunnel
 * headers'.
 */
#define CSUM_GSO_MAX_LENS 11

/** An IP header of a super-packet. The library's. */
struct csum_gso_ip {
	uint32_t sum;        /**< IPv4: partial sum of what all segments have alike */
	uint16_t off;        /**< its first byte */
	uint16_t len;        /**< bytes, options and extension headers included */
	uint16_t src;        /**< IPv6: where the source or home address is */
	uint16_t dst;        /**< IPv6: where the final destination address is */
	uint16_t split;      /**< IPv6: where a fragment header belongs (RFC 8200 section 4.5) */
	uint16_t split_next; /**< IPv6: the next header field that will name it */
	uint16_t id;         /**< IPv4: ID of the first segment */
	uint16_t id_step;    /**< IPv4: 0 or 1 */
	uint8_t proto;       /**< of what follows, extension headers skipped */
	bool v6;
	bool atomic;         /**< IPv6: at split there is a fragment header already */
};

/** The headers between an IP header and the next. The library's. */
struct csum_gso_tunnel {
	uint32_t sum;   /**< partial sum of what the checksum covers, but for the rest below */
	uint32_t seq;   /**< sequence number of the first segment */
	uint16_t off;   /**< its first byte: what the checksum covers begins here */
	uint16_t check; /**< offset of the checksum field to fill; 0: none */
	uint16_t seq_off; /**< offset of the sequence number; 0: none */
	uint8_t seq_len;  /**< bytes: 2 or 4 */
	bool udp;       /**< UDP, whose checksum has a pseudo header and is never 0 */
};

/** A super-packet being cut. Opaque: its content is the library's. */
struct csum_gso_iter {
	const struct csum_gso_conf *conf;
	const struct csum_variant *variant; /**< that sums, from set-up on */
	const struct rte_mbuf *m;
	struct csum_mbuf_pos pos;  /**< next payload byte */
	uint32_t payload_done;     /**< bytes cut */
	uint32_t payload_left;     /**< bytes not yet cut */
	uint32_t index;            /**< segments made */

	uint64_t ol_flags;         /**< of every segment */
	uint64_t first_flags;      /**< of the first alone */
	uint64_t last_flags;       /**< of the last alone */
	uint64_t tx_offload;       /**< of every segment */
	uint64_t lower_flags;      /**< of every segment: what the port below does */

	uint32_t size;             /**< bytes behind hdr_len that hdr's lengths and sums are for */
	uint16_t unit;             /**< bytes behind hdr_len in a segment that is not the last */
	uint16_t segsz;            /**< most bytes behind hdr_len in the last */
	uint16_t room;             /**< data bytes of one output mbuf that is not the first */
	uint16_t hdr_len;          /**< bytes of hdr that begin every segment */
	uint16_t first_len;        /**< bytes of hdr that follow in the first alone (UFO) */

	uint16_t l4;               /**< offset of the L4 header */
	uint16_t l4_len;
	uint16_t urgent;           /**< TCP urgent pointer of the first segment */
	uint16_t frag;             /**< UFO: where the fragment offset is; 0: none */
	uint32_t seq;              /**< TCP sequence number of the first segment */
	uint32_t l4_sum;           /**< pseudo header and what of the L4 header does not change */
	uint32_t first_sum;        /**< UFO: partial sum of the first_len bytes */
	uint8_t tcp_flags;         /**< of the super-packet */
	uint8_t nb_ip;
	uint8_t nb_lens;
	bool tunnel_varies;        /**< a tunnel's header has more than a length that changes */
	bool alike;                /**< see gso_alike.c */
	uint16_t l4_seed;          /**< what the port below wants in the L4 checksum field */
	uint16_t outer_udp_seed;   /**< the same for the outer UDP header */
	struct csum_gso_ip ip[CSUM_GSO_MAX_IP]; /**< the outermost first */
	struct csum_gso_tunnel tunnel[CSUM_GSO_MAX_IP - 1]; /**< each behind its ip */
	struct {
		uint16_t off;      /**< of the 16-bit field */
		uint16_t from;     /**< first byte that it counts; the last is the segment's last */
	} lens[CSUM_GSO_MAX_LENS];

	/** Headers of the next segment; what is patched into each is 0. */
	uint8_t hdr[CSUM_GSO_MAX_HDR];
};

/**
 * Begin to cut.
 *
 * More than two tunnels, one in the other, and ESP are out of scope, as are IP fragments, SYN and
 * RST segments that would have to be cut, and, for fragmentation, DF. An IPv6 fragment header that
 * says that nothing is missing stays (RFC 6946), and is used for fragmentation.
 *
 * @param it
 *   Caller's memory; valid until the input is freed. Its content is undefined after an error.
 * @param m
 *   Super-packet: a chain of any shape, shared, indirect and external segments included. Must
 *   outlive the iterator's use. Not modified.
 * @param req
 *   What to cut. The headers' length fields and what the checksum fields hold do not matter: the
 *   packet ends at pkt_len. Only a tunnel's UDP checksum of 0 does: it stays 0 over IPv4, and
 *   over IPv6 with CSUM_GSO_F_UDP6_ZERO, unless OUTER_UDP_CKSUM is set. Payload of at most segsz
 *   bytes, or none: one segment.
 * @param conf
 *   Must outlive the iterator's use.
 * @param why
 *   Set to the reason; CSUM_REFUSAL_NONE when the result is 0. NULL when it does not matter.
 * @return
 *   - 0: begun; nothing has been allocated.
 *   - -EINVAL: flags or lengths contradict each other or go beyond the packet; segsz is 0, or too
 *     small for a first fragment; headers, headroom and tailroom do not fit one mbuf of the pool;
 *     padding is asked for in the attach form, or a pool to attach with has mbufs with external
 *     buffers of their own.
 *   - -EBADMSG: the header bytes contradict the flags or lengths.
 *   - -ENOTSUP: a right packet that is out of scope, or one whose buffers would be referred to
 *     more often than reference counts can tell. On error nothing has changed.
 */
int csum_gso_iter_init(struct csum_gso_iter *it, const struct rte_mbuf *m,
		       const struct csum_gso_req *req, const struct csum_gso_conf *conf,
		       enum csum_refusal *why);

/**
 * Make the next segment.
 *
 * @param it
 *   Begun by csum_gso_iter_init().
 * @param seg
 *   Set to a new mbuf, the caller's; in the copy form linear unless it is longer than one mbuf of
 *   the pool holds. Its headers lie in the first. Its Tx flags ask for nothing that is done
 *   already; VLAN insertion and the like stay. l2_len, l3_len, l4_len and IPV4 or IPV6 describe its
 *   outermost headers (none of them is set where l2_len cannot hold the value). Where checksums are
 *   left to the port below, flags ask for them, and all lengths, tunnel flags included, are there
 *   for it; an IPv4 header's field is 0 then, an L4 one holds the folded sum of the pseudo header
 *   with its length, as rte_net_intel_cksum_prepare() would leave it. All other metadata is the
 *   input's, but for sending at a time, which goes with the first segment, and IEEE 1588 time
 *   stamping, which goes with the last.
 * @return
 *   - 1: *seg is the next segment.
 *   - 0: there is none left.
 *   - -ENOMEM: the pool is empty; nothing has changed, call again later.
 */
int csum_gso_iter_next(struct csum_gso_iter *it, struct rte_mbuf **seg);

/**
 * Make several segments, which costs less than one at a time: their mbufs are allocated at once.
 *
 * @param it
 *   Begun by csum_gso_iter_init().
 * @param segs
 *   Set to new mbufs, as in csum_gso_iter_next(); what lies behind those made is undefined.
 * @param nb_segs
 *   How many to make at most; above 0.
 * @return
 *   - above 0: segments made. Fewer than asked for are no sign of the end.
 *   - 0: there is none left.
 *   - -ENOMEM: the pool has not even enough for one; nothing has changed, call again later.
 */
int csum_gso_iter_burst(struct csum_gso_iter *it, struct rte_mbuf **segs, uint16_t nb_segs);

/**
 * Go on with an iterator in shared memory that another process began: functions have other
 * addresses here. Its source, configuration and pools must be in shared memory as well.
 *
 * @param it
 *   Begun by csum_gso_iter_init(), with nobody else at it.
 */
void csum_gso_iter_adopt(struct csum_gso_iter *it);

/** Segments still to come. */
uint32_t csum_gso_iter_left(const struct csum_gso_iter *it);

/**
 * Bytes, headers and padding included, that no segment still to come is longer than; 0 if none is
 * left.
 */
uint32_t csum_gso_iter_max_len(const struct csum_gso_iter *it);

/**
 * Cut a super-packet whole.
 *
 * @param m, req, conf, why
 *   As in csum_gso_iter_init().
 * @param segs
 *   Set to the segments, in order, which are the caller's then.
 * @param nb_segs
 *   Room in @p segs.
 * @return
 *   - above 0: segments made.
 *   - -EINVAL, -EBADMSG, -ENOTSUP: as csum_gso_iter_init().
 *   - -ENOSPC: there would be more than @p nb_segs segments; nothing has been allocated.
 *   - -ENOMEM: the pool has too few mbufs. On error nothing stays allocated, and what @p segs
 *     holds is undefined.
 */
int csum_gso_segment(const struct rte_mbuf *m, const struct csum_gso_req *req,
		     const struct csum_gso_conf *conf, struct rte_mbuf **segs, uint32_t nb_segs,
		     enum csum_refusal *why);

#ifdef __cplusplus
}
#endif

#endif /* _CSUM_GSO_H_ */
