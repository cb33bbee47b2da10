/* SPDX-License-Identifier: BSD-3-Clause */

#include "engines.h"

const struct fwd_engine engine_rxonly = {
	.name = "rxonly",
	.forward = stream_drop,
};
