/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_LAB_H_
#define _WG_LAB_H_

/**
 * @file
 * Two devices, ALICE and BOB, that know each other, on a network and with a clock of the test's.
 * Alice knows where Bob is; Bob does not know where Alice is. Alice has 10.0.0.1 and fd00::1, Bob
 * 10.0.0.2 and fd00::2.
 */

#include "device.h"
#include "harness.h"

#define LAB_MTU      1420u
#define LAB_DATAGRAM (WG_HEADER_LEN + LAB_MTU + WG_TAG_LEN)

enum lab_who { ALICE, BOB };

struct lab {
	struct wg_now now;
	struct wg_config config[2];
	struct wg_config_peer config_peer[2];
	struct wg_prefix allowed[2][2];
	struct wg_device *dev[2];
	struct wg_peer *peer[2];       /**< [ALICE] is what Alice has of Bob */
	struct wg_endpoint place[2];   /**< where each is on the network */
	struct wg_received received;   /**< of the last lab_pass() */
};

/** What a device looks like, for "nothing has changed". */
struct lab_state {
	struct wg_device dev;
	struct wg_peer peer;
	struct wg_session session[3];
	struct wg_index_entry entries[16];
};

struct lab_options {
	bool psk;
	unsigned int keepalive; /**< of both, in seconds */
	unsigned int flags;     /**< WG_DEVICE_* */
};

/** Keys are random. @p options NULL: all 0. */
void lab_init(struct lab *lab, const struct lab_options *options);
void lab_free(struct lab *lab);

static inline enum lab_who
lab_other(enum lab_who who)
{
	return who == ALICE ? BOB : ALICE;
}

void lab_sleep(struct lab *lab, uint64_t time);

/** Hand a datagram from the other one, as a copy with not a byte around it. -> lab->received */
enum wg_kind lab_pass(struct lab *lab, enum lab_who to, const void *datagram, uint32_t len);

/** wg_poll(), with an exact idea of what it has to say. */
enum wg_poll lab_poll(struct lab *lab, enum lab_who who, struct wg_message *message);

/** Fails unless it has a message of this length to send. */
void lab_poll_message(struct lab *lab, enum lab_who who, uint32_t len, struct wg_message *message);

/** An inner packet of `len` bytes from one to the other, IPv4, with bytes that differ. */
void lab_packet(uint8_t *packet, uint32_t len, enum lab_who from);

/** Seal a packet from one to the other; -> the length of the datagram, or a negative errno. */
int lab_seal(struct lab *lab, enum lab_who from, uint32_t len, uint8_t datagram[LAB_DATAGRAM]);

/** Send it, too; it has to arrive as it was. */
void lab_send(struct lab *lab, enum lab_who from, uint32_t len);

/** A whole handshake, and the keepalive that confirms it. */
void lab_handshake(struct lab *lab, enum lab_who initiator);

/** Refused for this reason, that counter is one up, there is nothing to send. */
void lab_assert_refused(struct lab *lab, enum lab_who to, const void *datagram, uint32_t len,
			enum wg_refusal why);

/** All but the counters of refusals, and how many messages of handshakes came. */
void lab_state_of(struct lab *lab, enum lab_who who, struct lab_state *state);

/** The number of refusals, of all reasons. */
uint64_t lab_refused(const struct lab *lab, enum lab_who who);

#endif /* _WG_LAB_H_ */
