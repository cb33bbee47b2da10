/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _REPLAY_H_
#define _REPLAY_H_

#include <stdbool.h>
#include <stdint.h>

#include "pace.h"
#include "report.h"
#include "selection.h"

/** Whether packets are judged by the reference, which reads a byte at a time. */
enum replay_judge_when {
	REPLAY_JUDGE_ON,
	REPLAY_JUDGE_OFF,
};

/** What --replay was asked to do. */
struct replay_params {
	const char *file;  /**< capture to read */
	const char *out;   /**< capture to write; NULL with a port */
	const char *port;  /**< id, name or PCI address of a port to send to; NULL: write */
	uint32_t mtu;      /**< bytes of the outermost IP packet; 0: 1500 */
	uint32_t segsz;    /**< TCP payload bytes a segment; 0: as the MTU allows */
	uint32_t uso;      /**< payload bytes a datagram for oversize UDP; 0: fragment it instead */
	bool force;        /**< overwrite an existing file */
	bool drop_refused; /**< leave out what was refused instead of writing it unchanged */
	bool fix_only;     /**< fill checksums, cut nothing */
	bool keep_bad;     /**< fill partial checksums only */
	enum report_format format; /**< of the report */
	bool quiet;        /**< no table and no progress */
	uint32_t judge;    /**< enum replay_judge_when */
	uint32_t loop;     /**< how often, with a port */
	struct pace_params pace;
	struct selection_params selection;
};

/**
 * Send a capture through a net_soft_csum port, and write what comes out or let it go to another
 * port below. The EAL must be up.
 *
 * @return
 *   The exit status: 0 clean, 1 something was refused or is not good, 2 the capture could not be
 *   read whole or the output not be written or sent.
 */
int replay_run(const struct replay_params *params);

#endif /* _REPLAY_H_ */
