/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _FRAME_PRIVATE_H_
#define _FRAME_PRIVATE_H_

#include "frame.h"

/* Tell the last layer what follows, by each of the names that it may use; 0: no such name. */
void frame_name_next(struct frame *f, uint16_t ether_type, uint16_t ppp, uint8_t proto);

/* Say how the last layer names the next one, and where in its header. */
void frame_set_next(struct frame *f, enum frame_next next, uint32_t off);

#endif /* _FRAME_PRIVATE_H_ */
