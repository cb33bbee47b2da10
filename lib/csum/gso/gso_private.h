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
 * Allocate a segment of @p len bytes, header included, with its metadata set and its bytes not: the
 * headers will lie in the first mbuf.
 *
 * @return
 *   NULL when the pool is empty; nothing stays allocated.
 */
struct rte_mbuf *gso_seg_alloc(const struct csum_gso_iter *it, uint32_t len, bool last);

#endif /* _GSO_PRIVATE_H_ */
