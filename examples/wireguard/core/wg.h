/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_H_
#define _WG_H_

/**
 * @file
 * The WireGuard protocol without I/O: datagrams and packets go in and out by pointer, the time is
 * an argument, nothing blocks. What a data path does with it:
 *
 *  - packet from inside: wg_route() gives the peer, once for all segments of a super-packet;
 *    wg_seal() makes each a datagram for wg_peer_endpoint(). -EAGAIN: there is no session yet, a
 *    handshake has been asked for; hold the packet.
 *  - datagram from outside: wg_receive() gives a packet, a reply to send, or neither.
 *    If it says `established`, packets held for that peer can go now.
 *  - after each burst, and at wg_deadline(): wg_poll() until it says WG_POLL_IDLE.
 *
 * A device and all that belongs to it is for one thread at a time. Multi-byte numbers in these
 * structures are in the CPU's byte order unless said otherwise; times are nanoseconds.
 *
 * "Whitepaper" is J. Donenfeld, "WireGuard: Next Generation Kernel Network Tunnel", and names of
 * messages, fields and constants are its.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wg_config.h"

#define WG_HEADER_LEN  16  /**< in front of a sealed packet */
#define WG_TAG_LEN     16  /**< behind it and its padding */
#define WG_PAD_MAX     15
#define WG_MESSAGE_MAX 148 /**< the longest message that the core makes itself */

#define WG_SECOND UINT64_C(1000000000)

struct wg_device;
struct wg_peer;

/** Both clocks, read at the same moment. */
struct wg_now {
	uint64_t mono; /**< never goes back, is never 0; any origin */
	uint64_t wall; /**< since 1970-01-01 UTC; goes into initiations alone */
};

/**
 * Why a datagram or packet went nowhere. Nothing is ever sent back for one. All but INNER and
 * SOURCE leave everything but the counters as it was; those two came from the peer itself, so that
 * its session lives on.
 */
enum wg_refusal {
	WG_REFUSAL_NONE,
	/* any datagram */
	WG_REFUSAL_TYPE,           /**< its first 4 bytes are no message type */
	WG_REFUSAL_LENGTH,         /**< not the length that its type has */
	/* handshake messages */
	WG_REFUSAL_MAC1,           /**< mac1 is wrong: not meant for this public key */
	WG_REFUSAL_RATE,           /**< this source, or this peer, sends too many initiations */
	WG_REFUSAL_HANDSHAKE,      /**< does not decrypt, or an ephemeral key is of low order */
	WG_REFUSAL_UNKNOWN_PEER,   /**< initiation with a static key that is no peer's */
	WG_REFUSAL_OLD_INITIATION, /**< its timestamp is not above the last one: a replay */
	WG_REFUSAL_NO_INITIATION,  /**< response or cookie reply to nothing that was sent */
	WG_REFUSAL_COOKIE,         /**< cookie reply that does not decrypt, or a second one */
	/* data messages */
	WG_REFUSAL_NO_SESSION,     /**< its receiver index is no session's */
	WG_REFUSAL_EXPIRED,        /**< session too old, or counter too high */
	WG_REFUSAL_FORGED,         /**< the tag does not match */
	WG_REFUSAL_REPLAYED,       /**< counter seen before, or too far behind */
	WG_REFUSAL_INNER,          /**< what it held is no IP packet, or a truncated one */
	WG_REFUSAL_SOURCE,         /**< the inner source is not among the peer's AllowedIPs */
	/* packets to send */
	WG_REFUSAL_TX_PACKET,      /**< no IP packet */
	WG_REFUSAL_TX_ROUTE,       /**< the destination is in nobody's AllowedIPs */
	WG_REFUSAL_TX_ENDPOINT,    /**< the peer's endpoint is not known yet */
	WG_NB_REFUSALS,
};

/** Lower-case name for a report ("bad mac1"); "none" for WG_REFUSAL_NONE, NULL out of range. */
const char *wg_refusal_name(enum wg_refusal why);

/** Counters of a device, since it was made. */
struct wg_stats {
	uint64_t refused[WG_NB_REFUSALS];
	uint64_t initiations_sent;
	uint64_t initiations_received; /**< good ones, that were answered */
	uint64_t responses_sent;
	uint64_t responses_received;   /**< good ones */
	uint64_t cookies_sent;
	uint64_t cookies_received;     /**< good ones */
	uint64_t keepalives_sent;
	uint64_t keepalives_received;
	uint64_t attempts_given_up;    /**< no answer for 90 s */
};

/** Counters of a peer. Bytes are those of whole datagrams, keepalives and handshakes included. */
struct wg_peer_stats {
	uint64_t rx_packets, rx_bytes, tx_packets, tx_bytes; /**< packets: without keepalives */
	uint64_t last_handshake; /**< mono time of the newest session; 0: never */
	uint64_t handshakes;
};

/** A datagram that the core made, to be sent to an endpoint. */
struct wg_message {
	struct wg_peer *peer; /**< NULL: a cookie reply, to someone who is nobody yet */
	struct wg_endpoint to;
	uint32_t len;         /**< 0: there is none */
	uint8_t bytes[WG_MESSAGE_MAX];
};

/* ---- a device */

/** Data is not encrypted and the tag is 0: to measure with, and for nothing else. */
#define WG_DEVICE_NULL_CIPHER (1u << 0)

/**
 * Make a device from a configuration, which is copied.
 *
 * @param flags
 *   WG_DEVICE_*
 * @return
 *   The device, for wg_device_free(). NULL: errno is ENOMEM, or EIO if libcrypto or libsodium
 *   failed.
 */
struct wg_device *wg_device_new(const struct wg_config *config, unsigned int flags,
				const struct wg_now *now);

/** Zero all keys and free everything. NULL is allowed. */
void wg_device_free(struct wg_device *dev);

/** Its counters; live as long as the device. */
const struct wg_stats *wg_device_stats(const struct wg_device *dev);

/** Answer initiations with cookies whatever the load. (Under load they are in any case.) */
void wg_device_set_under_load(struct wg_device *dev, bool under_load);

/* ---- its peers, numbered as in the configuration */

unsigned int wg_device_nb_peers(const struct wg_device *dev);
struct wg_peer *wg_device_peer(struct wg_device *dev, unsigned int id);
unsigned int wg_peer_id(const struct wg_peer *peer);
const struct wg_peer_stats *wg_peer_stats(const struct wg_peer *peer);

/**
 * Where to send what is sealed for a peer. It moves with the peer: look after each burst.
 *
 * @return
 *   NULL if it is not known yet.
 */
const struct wg_endpoint *wg_peer_endpoint(const struct wg_peer *peer);

/** Whether wg_seal() would seal now. */
bool wg_peer_ready(const struct wg_peer *peer, uint64_t mono);

/* ---- from inside to outside */

/**
 * The peer among whose AllowedIPs an IP packet's destination is (the longest prefix wins).
 *
 * @param packet
 *   IPv4 or IPv6 header; the first 40 bytes at most are read.
 * @param len
 *   Bytes that may be read.
 * @return
 *   NULL: counted as WG_REFUSAL_TX_PACKET or WG_REFUSAL_TX_ROUTE.
 */
struct wg_peer *wg_route(struct wg_device *dev, const void *packet, uint32_t len);

/**
 * Make a packet a transport data message, in place: header, packet, padding, tag
 * (whitepaper 5.4.6). The padding goes to the next multiple of 16, but not beyond the MTU.
 *
 * @param packet
 *   First byte of the packet; WG_HEADER_LEN bytes in front are written, and up to WG_PAD_MAX +
 *   WG_TAG_LEN behind.
 * @param len
 *   Its bytes. 0 makes a keepalive.
 * @param mtu
 *   The inner MTU; a packet that is longer is not padded.
 * @return
 *   Length of the datagram that now begins at packet - WG_HEADER_LEN; or
 *   -EAGAIN: no session; wg_poll() has an initiation to send, or has just sent one;
 *   -EDESTADDRREQ: no endpoint (counted); -EIO: libcrypto failed. The first two write nothing.
 */
int wg_seal(struct wg_peer *peer, uint64_t mono, uint8_t *packet, uint32_t len, uint32_t mtu);

/* ---- from outside to inside */

enum wg_kind {
	WG_KIND_REFUSED,  /**< `why` says why; there is no reply */
	WG_KIND_PACKET,   /**< a packet came out */
	WG_KIND_CONSUMED, /**< handshake or keepalive: no packet */
};

struct wg_received {
	enum wg_refusal why;
	struct wg_peer *peer;    /**< who sent it; NULL if refused or not said */
	bool established;        /**< there is a new session to send with */
	uint8_t *packet;         /**< inside the datagram; from a source that is allowed */
	uint32_t len;            /**< by its IP header: the padding is taken off */
	struct wg_message reply; /**< to be sent now, if its len is not 0 */
};

/**
 * Take a UDP payload that came to the listen port.
 *
 * @param datagram
 *   Is decrypted in place; refused, it may be overwritten. Any alignment.
 * @param from
 *   Its source, which becomes the peer's endpoint once it has proved to be the peer's.
 * @param received
 *   All of it is set but reply.bytes, which is set as far as reply.len says.
 */
enum wg_kind wg_receive(struct wg_device *dev, const struct wg_now *now,
			const struct wg_endpoint *from, uint8_t *datagram, uint32_t len,
			struct wg_received *received);

/* ---- timers */

enum wg_poll {
	WG_POLL_IDLE,    /**< nothing to do until wg_deadline() */
	WG_POLL_SEND,    /**< `message` is to be sent; call again */
	WG_POLL_GAVE_UP, /**< message->peer is silent: drop what is held; call again */
};

/**
 * Do what time demands: initiations, keepalives, end of sessions. Cheap when nothing is due.
 *
 * @param message
 *   Set unless idle.
 */
enum wg_poll wg_poll(struct wg_device *dev, const struct wg_now *now, struct wg_message *message);

/**
 * The mono time from which on wg_poll() has something to do; UINT64_MAX: until something happens,
 * never. Any call of wg_seal() or wg_receive() may bring it forward.
 */
uint64_t wg_deadline(const struct wg_device *dev);

#endif /* _WG_H_ */
