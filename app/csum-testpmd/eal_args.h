/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _EAL_ARGS_H_
#define _EAL_ARGS_H_

#include "parameters.h"

/**
 * Start the EAL with the arguments given, verbatim.
 *
 * @param argc, argv
 *   The program's name and what precedes `--`.
 * @return
 *   0, or -1 when the reason has been printed to stderr.
 */
int eal_start_verbatim(int argc, char **argv);

/**
 * Start the EAL with arguments of our own, such that neither root nor huge pages are needed and
 * any number of these processes run side by side.
 *
 * @param prog
 *   The program's name.
 * @param params
 *   What it has to serve.
 * @return
 *   0, or -1 when the reason has been printed to stderr.
 */
int eal_start(const char *prog, const struct parameters *params);

/** Stop the EAL and leave nothing of it in the file system. */
void eal_stop(void);

#endif /* _EAL_ARGS_H_ */
