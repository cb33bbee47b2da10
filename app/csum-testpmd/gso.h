/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _GSO_H_
#define _GSO_H_

/**
 * @file
 * Software segmentation (GSO): for which ports packets are cut, how long pieces are. Called from
 * the main thread only, while nothing is forwarded. Every function takes a port of ours.
 */

#include <stdbool.h>
#include <stdint.h>

#include <csum_gso.h>

#include "engines.h"

/** Least bytes of a frame that can be asked for. */
extern const uint16_t gso_min_size;

void gso_enable(uint16_t port, bool on);

/** Set the most bytes of a frame, all headers included; at least gso_min_size. */
void gso_set_size(uint16_t size);

/** Print how what leaves by a port is cut. */
void gso_show(uint16_t port);

/** Have a stream cut packets for its Tx port, or not where GSO is off. */
void gso_begin(struct fwd_stream *stream);

#endif /* _GSO_H_ */
