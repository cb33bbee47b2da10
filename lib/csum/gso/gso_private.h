/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _GSO_PRIVATE_H_
#define _GSO_PRIVATE_H_

/**
 * @file
 * What the files of the segmenter share.
 *
 * Set-up reads all headers into the iterator's hdr, checks them there, and turns them into a
 * template: what changes in a way of its own from segment to segment is 0, the rest is final for
 * one size of segment. gso_template_size() makes it final for another size, which happens once
 * more at most, for the last segment.
 *
 * Names: `hdr` is the template, `seg` a segment's first bytes, which begin as a copy of it.
 */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <rte_branch_prediction.h>
#include <rte_byteorder.h>

#include <csum_gso.h>

/* Offsets of fields in headers. */
enum {
	IPV4_LEN = 2,
	IPV4_ID = 4,
	IPV4_FRAG = 6,
	IPV4_PROTO = 9,
	IPV4_CHECK = 10,
	IPV4_SRC = 12,
	IPV4_MIN = 20,

	IPV6_LEN = 4,
	IPV6_NEXT = 6,
	IPV6_SRC = 8,
	IPV6_DST = 24,
	IPV6_MIN = 40,
	IPV6_FRAG_LEN = 8,

	TCP_SEQ = 4,
	TCP_FLAGS_WORD = 12,
	TCP_FLAGS = 13,
	TCP_CHECK = 16,
	TCP_URGENT = 18,
	TCP_MIN = 20,

	UDP_DST = 2,
	UDP_LEN = 4,
	UDP_CHECK = 6,
	UDP_MIN = 8,
};

#define IPV4_DF 0x4000
#define IPV4_MF 0x2000
#define IPV4_OFFSET 0x1fff
#define IPV6_OFFSET 0xfff8
#define IPV6_MORE 0x0001

static inline uint16_t
get16(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint32_t
get32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline void
put16(uint8_t *p, uint16_t v)
{
	memcpy(p, &v, sizeof(v));
}

static inline void
put32(uint8_t *p, uint32_t v)
{
	memcpy(p, &v, sizeof(v));
}

static inline uint16_t
get_be16(const uint8_t *p)
{
	return rte_be_to_cpu_16(get16(p));
}

static inline void
put_be16(uint8_t *p, uint16_t v)
{
	put16(p, rte_cpu_to_be_16(v));
}

static inline bool
gso_is_attaching(const struct csum_gso_iter *it)
{
	return (it->conf->flags & CSUM_GSO_F_ATTACH) != 0;
}

static inline struct rte_mempool *
gso_attach_pool(const struct csum_gso_iter *it)
{
	return it->conf->attach_pool != NULL ? it->conf->attach_pool : it->conf->pool;
}

/** Zero bytes that belong behind a segment of @p len. */
static inline uint32_t
gso_padding(const struct csum_gso_iter *it, uint32_t len)
{
	uint32_t to = it->conf->pad_to, max = it->conf->pad_max, padding;

	if (likely(to <= 1) || (max != 0 && len >= max))
		return 0;
	padding = (to - len % to) % to;
	return max != 0 ? RTE_MIN(padding, max - len) : padding;
}

/** Put ID, in CPU order, and checksum into an IPv4 header; @p sum: of all else in it. */
static inline void
gso_ipv4_put(uint8_t *hdr, uint32_t sum, uint16_t id)
{
	id = rte_cpu_to_be_16(id);
	put16(hdr + IPV4_ID, id);
	put16(hdr + IPV4_CHECK, csum_sum_check(csum_sum_add(sum, id)));
}

/** Put what changes into a TCP header; @p sum: of all else, the flags, and the pseudo header. */
static inline void
gso_tcp_put(uint8_t *tcp, uint32_t sum, uint32_t seq, uint8_t flags, uint32_t payload_sum)
{
	seq = rte_cpu_to_be_32(seq);
	put32(tcp + TCP_SEQ, seq);
	tcp[TCP_FLAGS] = flags;
	/* The payload's sum is ready last: nothing else waits for it. */
	put16(tcp + TCP_CHECK, csum_sum_check(csum_sum_add(csum_sum_add(sum, seq), payload_sum)));
}

/** Put the checksum into a UDP header; @p sum: of the rest of it and the pseudo header. */
static inline void
gso_udp_put(uint8_t *udp, uint32_t sum, uint32_t payload_sum)
{
	put16(udp + UDP_CHECK, csum_sum_check_udp(csum_sum_add(sum, payload_sum)));
}

/** The checksum of a tunnel header; @p sum: of all that it covers. */
static inline uint16_t
gso_tunnel_check(const struct csum_gso_tunnel *tunnel, uint32_t sum)
{
	return tunnel->udp ? csum_sum_check_udp(sum) : csum_sum_check(sum);
}

/**
 * Bytes that headers are copied by, where as many follow them: no call, and few steps. The payload,
 * which is stored later, covers what is too much.
 */
#define GSO_HDR_STEP 32

static inline void
gso_hdr_copy(uint8_t *dst, const uint8_t *hdr, uint32_t len, uint32_t follow)
{
	uint32_t off;

	if (unlikely(follow < GSO_HDR_STEP)) {
		memcpy(dst, hdr, len);
		return;
	}
	for (off = 0; off < len; off += GSO_HDR_STEP)
		memcpy(dst + off, hdr + off, GSO_HDR_STEP);
}

/** Set a segment's metadata, but for where its data is. */
static inline void
gso_meta_put(const struct csum_gso_iter *it, struct rte_mbuf *seg, uint64_t ol_flags)
{
	const struct rte_mbuf *m = it->m;

	seg->port = m->port;
	seg->ol_flags = ol_flags;
	seg->packet_type = m->packet_type;
	seg->vlan_tci = m->vlan_tci;
	seg->hash = m->hash;
	seg->vlan_tci_outer = m->vlan_tci_outer;
	seg->tx_offload = it->tx_offload;
	seg->timesync = m->timesync;
	rte_mbuf_dynfield_copy(seg, m);
}

/** The IP header that the L4 header belongs to. */
static inline struct csum_gso_ip *
gso_inner_ip(struct csum_gso_iter *it)
{
	return &it->ip[it->nb_ip - 1];
}

static inline bool
gso_is_fragmenting(const struct csum_gso_iter *it)
{
	return it->frag != 0;
}

/**
 * Read an IP header at @p off that ends at @p end at the latest, and append it to it->ip. Extension
 * headers are read up to the first that is none. Registers its length field.
 */
enum csum_refusal gso_ip_read(struct csum_gso_iter *it, uint32_t off, uint32_t end);

/**
 * Take the jumbo payload option (RFC 2675) out of an IPv6 header at @p off that ends at @p end at
 * the latest, if there is one; a hop-by-hop header that holds nothing else goes with it.
 *
 * @return
 *   Bytes by which the headers have become shorter.
 */
uint32_t gso_jumbo_remove(struct csum_gso_iter *it, uint32_t off, uint32_t end);

/** Partial sum of an IP header's pseudo header. */
uint32_t gso_pseudo(const struct csum_gso_iter *it, const struct csum_gso_ip *ip, uint8_t proto,
		    uint32_t len);

/** How far headers have been read. */
struct gso_walk {
	uint32_t at;   /**< next header */
	uint32_t end;  /**< where the headers at hand must end */
	uint16_t type; /**< EtherType of what lies at `at`; 0: not known */
};

/**
 * Walk link-layer headers (RTE_ETHER_TYPE_TEB: an Ethernet header) to the first IP header, and
 * register the length that they have: one at most, so that CSUM_GSO_MAX_LENS holds. When something
 * unknown is in the way or w->end comes first, w->type becomes 0 and no length is registered.
 */
void gso_link_walk(struct csum_gso_iter *it, struct gso_walk *w);

/** EtherType of the IP header at @p off, by its version; 0 if there is none. */
uint16_t gso_ip_type(const struct csum_gso_iter *it, uint32_t off);

/**
 * Read the tunnel header behind the IP header that was read last.
 *
 * @param kind
 *   RTE_MBUF_F_TX_TUNNEL_*; 0: find out by IP protocol and UDP port.
 * @param checked
 *   A UDP checksum of 0 does not stay 0.
 */
enum csum_refusal gso_tunnel_read(struct csum_gso_iter *it, uint64_t kind, bool checked,
				  struct gso_walk *w);

/**
 * Read what precedes the IP header that @p req calls the inner one; without a tunnel, the only one.
 *
 * @param l3
 *   Set to where that header begins.
 */
enum csum_refusal gso_outer_read(struct csum_gso_iter *it, const struct csum_gso_req *req,
				 uint32_t *l3);

/** Register a 16-bit length field that counts from @p from to the end of a segment. */
void gso_len_add(struct csum_gso_iter *it, uint32_t off, uint32_t from);

/** Make the template from headers that have been read. */
enum csum_refusal gso_template_init(struct csum_gso_iter *it, const struct csum_gso_req *req);

/**
 * Make the template final for segments of @p size bytes behind it->hdr_len.
 *
 * @return
 *   Whether every length fits its field.
 */
bool gso_template_size(struct csum_gso_iter *it, uint32_t size);

/** Turn a template for one UDP datagram into one for its IP fragments, if there will be several. */
enum csum_refusal gso_ufo_init(struct csum_gso_iter *it);

/** After the first fragment: leave out the IPv4 options that belong in the first alone. */
void gso_ufo_drop_options(struct csum_gso_iter *it);

/** Find out what metadata the segments get. */
void gso_meta_init(struct csum_gso_iter *it);

/**
 * Make a segment of an mbuf that comes straight from the pool, with @p hdr_len bytes of headers in
 * its first mbuf and @p len of payload. All is set but the bytes in mbufs of the pool.
 *
 * @return
 *   false when a pool has too few mbufs; the segment can be freed then, and nothing else.
 */
bool gso_seg_init(const struct csum_gso_iter *it, struct rte_mbuf *seg, uint32_t hdr_len,
		  uint32_t len, bool last);

/** Find out what checksums are left to the port below. The headers have been read. */
void gso_lower_init(struct csum_gso_iter *it, const struct csum_gso_req *req);

/** Find out what goes into their fields in segments of @p total bytes. */
void gso_lower_size(struct csum_gso_iter *it, uint32_t total);

/** Put that there. */
void gso_lower_put(const struct csum_gso_iter *it, uint8_t *seg);

/** Find out whether the input's mbufs can be attached. */
enum csum_refusal gso_attach_init(const struct csum_gso_iter *it);

/**
 * Append mbufs to a segment that refer to the next @p len bytes of payload.
 *
 * @return
 *   As gso_seg_init().
 */
bool gso_attach(const struct csum_gso_iter *it, struct rte_mbuf *seg, uint32_t len);

/**
 * TCP flags of the next segment: each where it belongs, FIN and PSH at the end, CWR at the
 * beginning (RFC 3168 section 6.1.2).
 */
uint8_t gso_tcp_flags(const struct csum_gso_iter *it, bool last);

/** Find out whether segments in the middle are alike. The template is there. */
void gso_alike_init(struct csum_gso_iter *it);

/**
 * Make segments, if it->alike and the first has been made, of mbufs that come straight from the
 * pool, as long as what is next is not the last and its payload lies in one mbuf.
 *
 * @return
 *   How many; 0 is no error.
 */
uint32_t gso_alike_make(struct csum_gso_iter *it, struct rte_mbuf **segs, uint32_t nb);

#endif /* _GSO_PRIVATE_H_ */
