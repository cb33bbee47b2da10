/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _WG_CONFIG_KEYS_H_
#define _WG_CONFIG_KEYS_H_

/**
 * @file
 * The keys of a configuration file.
 */

#include "wg_config.h"

enum wg_section { WG_SECTION_NONE, WG_SECTION_INTERFACE, WG_SECTION_PEER, WG_NB_SECTIONS };

/**
 * Take one key of the interface, or of the last peer.
 *
 * @param seen
 *   A bit for each key that this section had so far; 0 when it begins.
 * @param value
 *   Is cut to pieces.
 * @return
 *   NULL, or what is wrong.
 */
const char *wg_config_take(struct wg_config *config, enum wg_section section, unsigned int *seen,
			   const char *name, char *value);

/** Without blanks at either end. */
char *wg_config_strip(char *text);

#endif /* _WG_CONFIG_KEYS_H_ */
