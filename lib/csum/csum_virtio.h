/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _CSUM_VIRTIO_H_
#define _CSUM_VIRTIO_H_

/**
 * @file
 * Offloads across virtual ports: between the virtio-net header, as virtio queues, vhost, TUN and
 * TAP devices (IFF_VNET_HDR) and packet sockets (PACKET_VNET_HDR) have it, and the metadata of an
 * mbuf; and from the Rx flags of a virtual port to the Tx requests of the next one.
 *
 * What comes from a guest or a kernel is not trusted: each value is checked against the packet.
 * Functions on different mbufs may run at the same time in different threads.
 */

#include <stdint.h>

#include <rte_mbuf.h>

#include <csum_pkt.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of the header without and with num_buffers (virtio 1.2, section 5.1.6). */
#define CSUM_VIRTIO_HDR_LEN     10
#define CSUM_VIRTIO_MRG_HDR_LEN 12

/** @name Values of flags in struct csum_virtio_hdr
 * @{
 */
#define CSUM_VIRTIO_NEEDS_CSUM 0x01 /**< the checksum at csum_start + csum_offset is partial */
#define CSUM_VIRTIO_DATA_VALID 0x02 /**< the checksum has been found good */
/** @} */

/** @name Values of gso_type in struct csum_virtio_hdr
 * @{
 */
#define CSUM_VIRTIO_GSO_NONE   0x00
#define CSUM_VIRTIO_GSO_TCPV4  0x01
#define CSUM_VIRTIO_GSO_UDP    0x03 /**< IP fragments (UFO) */
#define CSUM_VIRTIO_GSO_TCPV6  0x04
#define CSUM_VIRTIO_GSO_UDP_L4 0x05 /**< datagrams (USO) */
#define CSUM_VIRTIO_GSO_ECN    0x80 /**< with TCPV4 or TCPV6: CWR is set */
/** @} */

/** Byte order of the 16-bit fields. */
enum csum_virtio_order {
	CSUM_VIRTIO_NATIVE, /**< legacy devices; TUN and TAP unless told otherwise */
	CSUM_VIRTIO_LITTLE, /**< virtio 1.0 and later; TUNSETVNETLE */
};

/** A header's values, in CPU byte order. Not how it lies in memory. */
struct csum_virtio_hdr {
	uint8_t flags;
	uint8_t gso_type;
	uint16_t hdr_len;     /**< bytes of all headers: a hint, never relied on */
	uint16_t gso_size;    /**< payload bytes a segment */
	uint16_t csum_start;  /**< what the checksum covers begins here and ends with the packet */
	uint16_t csum_offset; /**< of the checksum field, from csum_start */
	uint16_t num_buffers; /**< 0 in the short form; not looked at */
};

/**
 * Read a header's fields. Their values are not checked: csum_virtio_to_mbuf() does that.
 *
 * @param hdr
 *   Set to the fields; untouched on error.
 * @param buf
 *   Any alignment; reads @p len bytes.
 * @param len
 *   CSUM_VIRTIO_HDR_LEN or CSUM_VIRTIO_MRG_HDR_LEN.
 * @param order
 *   Byte order of @p buf.
 * @return
 *   - 0: read.
 *   - -EINVAL: @p len is neither.
 */
int csum_virtio_hdr_read(struct csum_virtio_hdr *hdr, const void *buf, uint32_t len,
			 enum csum_virtio_order order);

/**
 * Write a header's fields; the parameters are those of csum_virtio_hdr_read().
 *
 * @return
 *   - 0: just @p len bytes are written at @p buf.
 *   - -EINVAL: @p len is neither; nothing is written.
 */
int csum_virtio_hdr_write(void *buf, uint32_t len, enum csum_virtio_order order,
			  const struct csum_virtio_hdr *hdr);

/**
 * From a virtio-net header to an mbuf's Tx requests, for a packet that came from a virtual port and
 * is to be sent: NEEDS_CSUM becomes TCP_CKSUM or UDP_CKSUM; a gso_type becomes TCP_SEG or UDP_SEG
 * with tso_segsz, and IP_CKSUM for IPv4. The Rx flags get the L4 verdict as DPDK's ports give it:
 * RX_L4_CKSUM_NONE for NEEDS_CSUM, else RX_L4_CKSUM_GOOD for DATA_VALID, else unknown.
 *
 * UDP_SEG cannot say whether IP fragments or datagrams are meant: who cuts looks at gso_type and,
 * for CSUM_VIRTIO_GSO_UDP, sets CSUM_GSO_F_UFO (csum_gso.h), for which tso_segsz is right then.
 * A payload of at most gso_size bytes needs no cut and gives no SEG request. A checksum inside
 * a tunnel is requested without a tunnel flag, all that precedes its IP header being l2_len.
 * GSO without NEEDS_CSUM, which devices SHOULD not send, is accepted: the headers tell as much.
 *
 * @param m
 *   The packet, without the virtio-net header; a chain of any shape. Reads its headers. Of its
 *   metadata, writes the requests above with their IPV4 or IPV6, the L4 verdict, and tx_offload;
 *   checksum, segmentation, IP version and tunnel requests that it had are gone.
 * @param hdr
 *   What came with it.
 * @param link
 *   CSUM_LINK_ETHER, or CSUM_LINK_IP for packets of a TUN device.
 * @param why
 *   Set to the reason when the result is not 0; NULL when it does not matter.
 * @return
 *   - 0: done; a header that asks for nothing counts.
 *   - -EINVAL: values that contradict each other (ECN without TCP, gso_size 0) or a checksum that
 *     does not lie in the packet.
 *   - -EBADMSG: the packet is not what the values say: no TCP behind TCPV4, a csum_offset that is
 *     not TCP's, a header that is cut.
 *   - -ENOTSUP: a flag or gso_type that is not listed here; GSO in a tunnel; a fragment; headers
 *     longer than the metadata can say; or csum_start is not at a TCP or UDP header, which leaves
 *     csum_pkt_complete(). On error nothing has changed.
 */
int csum_virtio_to_mbuf(struct rte_mbuf *m, const struct csum_virtio_hdr *hdr,
			enum csum_link link, enum csum_refusal *why);

/** @name Flags of csum_virtio_from_mbuf()
 * @{
 */
/** To a driver (a guest, a TUN device): DATA_VALID may be set, and num_buffers is 1. */
#define CSUM_VIRTIO_F_TO_DRIVER 0x01
/** UDP_SEG means IP fragments, gso_type UDP, and not UDP_L4: CSUM_GSO_F_UFO of csum_gso.h. */
#define CSUM_VIRTIO_F_UFO       0x02
/** @} */

/**
 * From an mbuf's Tx requests to a virtio-net header, for a packet that is to be sent through
 * a virtual port whose peer takes partial checksums and super-packets.
 *
 * A TCP or UDP checksum is left to the peer: its field gets the pseudo header's sum. With TCP_SEG
 * or UDP_SEG the IP and UDP lengths are set as well, and the IPv4 header checksum. What virtio has
 * no word for is carried out here, as by csum_pkt_prepare(): the IPv4 header checksum, SCTP, all
 * checksums of a tunnel, and checksums that do not cover all bytes to the packet's end. Requests
 * that are not about checksums and segmentation, VLAN insertion say, are the caller's business.
 *
 * @param hdr
 *   Set to the header; untouched on error.
 * @param m
 *   The packet: its metadata is not changed, and its bytes only as said. Whoever keeps a clone of
 *   it sees no change: shared data is refused where a byte would have to be written.
 * @param flags
 *   CSUM_VIRTIO_F_*.
 * @param why
 *   Set to the reason when the result is not 0; CSUM_REFUSAL_NONE for -EBUSY. NULL when it does
 *   not matter.
 * @return
 *   - 0: done.
 *   - -EINVAL, -EBADMSG, -ENOTSUP: as csum_pkt_prepare(). For a super-packet also -EINVAL:
 *     tso_segsz is 0, or too small for an IPv6 fragment header; -EBADMSG: l4_len is not what TCP
 *     says; -ENOTSUP: it is in a tunnel, or its IP packet is above 65,535 bytes.
 *   - -EBUSY: the headers are shared (csum_mbuf_is_writable()): copy the packet first. On error
 *     nothing has changed.
 */
int csum_virtio_from_mbuf(struct csum_virtio_hdr *hdr, struct rte_mbuf *m, uint32_t flags,
			  enum csum_refusal *why);

/**
 * Complete a partial checksum, of whatever protocol: the field holds the sum of what is not in the
 * packet (a pseudo header), and gets the check of that and all bytes from @p start to the packet's
 * end. A check of 0 is stored as 0xffff, its equal, because 0 would switch off UDP's.
 *
 * @param m
 *   The packet; a chain of any shape. Reads [start, pkt_len); writes the 2 bytes at
 *   @p start + @p offset, unless they are shared.
 * @param start
 *   First byte that it covers.
 * @param offset
 *   Of the field from @p start: an even number.
 * @return
 *   - 0: done.
 *   - -EINVAL: the field does not end within the packet, in a sum without overflow; @p offset is
 *     odd; or the chain is shorter than pkt_len.
 *   - -EBUSY: some of the first bytes, to the field's last, are shared (csum_mbuf_is_writable()):
 *     copy the packet first. On error nothing has changed.
 */
int csum_pkt_complete(struct rte_mbuf *m, uint32_t start, uint32_t offset);

/**
 * From Rx flags to Tx requests, for a packet that is forwarded: what a virtual port received
 * unfinished goes out finished.
 *
 *  - RX_L4_CKSUM_NONE (data right, checksum not): TCP_CKSUM, UDP_CKSUM or SCTP_CKSUM.
 *  - RX_IP_CKSUM_NONE: IP_CKSUM.
 *  - RX_LRO, with the segment size in tso_segsz: TCP_SEG or UDP_SEG, and IP_CKSUM for IPv4, so that
 *    segments of the size received leave. Payload of at most that size needs no cut.
 *
 * A checksum that is good, bad or unknown is forwarded as it is: a bad one stays bad. In a tunnel,
 * NONE is about the one checksum whose field holds its pseudo header's sum, inner or outer; where
 * that is not one and only one, it is refused.
 *
 * @param m
 *   As received, tso_segsz included. Reads its headers. If there is anything to ask for, writes the
 *   requests with their IPV4 or IPV6, and tx_offload; checksum, segmentation, IP version and tunnel
 *   requests that it had are gone. Otherwise writes nothing.
 * @param link
 *   What it begins with.
 * @param why
 *   Set to the reason when the result is not 0; NULL when it does not matter.
 * @return
 *   - 0: done; nothing to ask for counts.
 *   - -EINVAL: RX_LRO with a tso_segsz of 0.
 *   - -EBADMSG: a header is cut or makes no sense.
 *   - -ENOTSUP: no protocol that a request can name, a fragment, a super-packet in a tunnel, or
 *     headers longer than the metadata can say. On error nothing has changed.
 */
int csum_pkt_rx_to_tx(struct rte_mbuf *m, enum csum_link link, enum csum_refusal *why);

#ifdef __cplusplus
}
#endif

#endif /* _CSUM_VIRTIO_H_ */
