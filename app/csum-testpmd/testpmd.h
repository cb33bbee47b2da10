/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _TESTPMD_H_
#define _TESTPMD_H_

#include "parameters.h"

/**
 * Forward between the ports there are, at a prompt or until told to stop. The EAL must be up.
 *
 * @return
 *   The exit status: 0, or APP_EXIT_ERROR when it could not begin.
 */
int testpmd_run(const struct forward_params *params);

#endif /* _TESTPMD_H_ */
