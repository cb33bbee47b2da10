/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PARSE_FRAMES_H_
#define _PARSE_FRAMES_H_

/** @file Frames that together have every header the parser knows, for the tests of pkt. */

#include <csum_pkt.h>

#include "frame.h"

struct parse_frame {
	const char *name;
	void (*build)(struct frame *f);
	const char *layers; /**< what parse_layers() says of it */
};

extern const struct parse_frame parse_frames[];
extern const unsigned int nb_parse_frames;

const struct parse_frame *parse_frame_named(const char *name);

/** Build one: lengths set, checksum fields 0. */
void parse_frame_build(const struct parse_frame *pf, struct frame *f);

/** Names of a packet's layers, with spaces between them; valid until the next call. */
const char *parse_layers(const struct csum_pkt *pkt);

/** Fill all checksums, innermost first; each must succeed or have none. */
void parse_fill(struct rte_mbuf *m, const struct csum_pkt *pkt);

/** Verdict on the @p nth layer (from 0) of a type; fails when there is none. */
enum csum_verdict parse_verdict(const struct rte_mbuf *m, const struct csum_pkt *pkt,
				enum csum_layer_type type, unsigned int nth);

/** Index of the @p nth layer (from 0) of a type; fails when there is none. */
unsigned int parse_find(const struct csum_pkt *pkt, enum csum_layer_type type, unsigned int nth);

#endif /* _PARSE_FRAMES_H_ */
