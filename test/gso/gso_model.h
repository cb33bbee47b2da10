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

/** A super-packet in gso_frame, and how it shall be cut. */
struct gso_model {
	struct csum_gso_req req;
	bool tcp;
	bool ufo;
	unsigned int nb_ip;
	struct gso_model_ip ip[2]; /**< the outer one, if there is a tunnel, first */
	uint32_t pppoe;            /**< offset, 0: none */
	uint32_t outer_udp;
	uint32_t gre_check;
	uint32_t gre_seq;
	bool zero_outer;           /**< the outer UDP checksum stays 0 */
	uint32_t l4;
	uint32_t hdr_len;
	uint32_t payload_len;
};

/** Make a random super-packet, finished, in gso_frame; sets gso_conf.flags too. */
void gso_model_make(struct gso_model *model, struct harness_rng *rng);

/** Judge the last cut. */
void gso_model_judge(const struct gso_model *model);

#endif /* _GSO_MODEL_H_ */
