/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _PROMPT_H_
#define _PROMPT_H_

/** Run commands from standard input until quit, the end of the input, or a signal. */
void prompt_run(void);

/** Run the commands in a file, up to its end or quit. */
void prompt_load(const char *file);

#endif /* _PROMPT_H_ */
