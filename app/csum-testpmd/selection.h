/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _SELECTION_H_
#define _SELECTION_H_

/**
 * @file
 * Which packets of a capture are meant: by number, and by a filter in libpcap's language.
 */

#include <stdint.h>

#include "capture.h"

/** What the command line asks for. */
struct selection_params {
	const char *packets; /**< "1-5,9,100-"; NULL: all */
	const char *filter;  /**< NULL: none */
};

struct selection;

/**
 * Prepare a selection.
 *
 * @return
 *   The selection; NULL when the reason has been printed to stderr.
 */
struct selection *selection_open(const struct selection_params *params);

/**
 * Find out whether the filter makes sense, before any packet has come: for the link type of the
 * capture, or for one at least of those that are supported, where packets differ.
 *
 * @return
 *   0, or -1 when the reason has been printed to stderr.
 */
int selection_check(struct selection *s, const struct capture *capture);

/**
 * Ask for a packet whose link type is supported. A filter means the packet as it was captured, and
 * is compiled for each link type when the first packet of that comes.
 *
 * @return
 *   - 1: it is meant.
 *   - 0: it is not.
 *   - -1: the filter makes no sense for its link type; the reason has been printed to stderr.
 */
int selection_wants(struct selection *s, const struct capture_record *rec);

/** Tell whether a packet is within the ranges, whatever the filter says. */
bool selection_has(const struct selection *s, uint64_t frame);

/** Tell whether no packet from this number on can be meant. */
bool selection_is_over(const struct selection *s, uint64_t frame);

/** NULL is allowed. */
void selection_close(struct selection *s);

#endif /* _SELECTION_H_ */
