/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _GSO_MODEL_H_
#define _GSO_MODEL_H_

/**
 * @file
 * A random super-packet, what is known of it, and the judge of what it is cut into. The judge
 * knows the headers from how they were made, builds for every segment what it must look like, and
 * leaves the checksums to the reference.
 */

#include "gso_test.h"

struct gso_model_ip {
	bool v6;
	uint32_t off;
	uint32_t len;       /**< extension headers included */
	uint32_t split;     /**< IPv6: behind the headers that each fragment has */
	uint32_t split_next;
	bool uncopied;      /**< IPv4: has options that belong in the first fragment alone */
};

/** What lies between an IP header and the next; offsets, 0: none. */
struct gso_model_tunnel {
	uint64_t type;       /**< RTE_MBUF_F_TX_TUNNEL_* */
	uint32_t udp;
	uint32_t gtpu;
	uint32_t gre_check;
	uint32_t seq;
	uint32_t seq_len;
	uint16_t udp_field;  /**< what its checksum held */
	bool zero;           /**< the UDP checksum stays 0 */
};

/** A super-packet in gso_frame, and how it shall be cut. */
struct gso_model {
	struct csum_gso_req req;
	bool tcp;
	bool ufo;
	unsigned int nb_ip;
	struct gso_model_ip ip[CSUM_GSO_MAX_IP]; /**< the outermost first */
	struct gso_model_tunnel tunnel[CSUM_GSO_MAX_IP - 1];
	uint32_t pppoe;            /**< offset, 0: none */
	uint32_t l4;
	uint32_t hdr_len;
	uint32_t payload_len;
};

/** Make a random super-packet, finished, in gso_frame; sets gso_conf.flags too. */
void gso_model_make(struct gso_model *model, struct harness_rng *rng);

/** Judge the last cut. */
void gso_model_judge(const struct gso_model *model);

#endif /* _GSO_MODEL_H_ */
