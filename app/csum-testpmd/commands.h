/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _COMMANDS_H_
#define _COMMANDS_H_

/**
 * @file
 * The commands of the prompt, as librte_cmdline wants them: tables of tokens. Grammar and wording
 * are those of dpdk-testpmd, so that its scripts run here.
 */

#include <stdint.h>
#include <string.h>

#include <rte_common.h>

#include <cmdline.h>
#include <cmdline_parse.h>
#include <cmdline_parse_num.h>
#include <cmdline_parse_string.h>

/** What any command parses to: its words and its numbers, each in order, and text. */
struct command_args {
	cmdline_fixed_string_t word[8];
	uint16_t num[2];
	uint32_t wide[2];
	cmdline_multi_string_t text;
};

/** A token: word number @p i is one of @p words, with '#' between them; NULL: any. */
#define WORD(i, words) \
	(void *)&(cmdline_parse_token_string_t) \
		TOKEN_STRING_INITIALIZER(struct command_args, word[i], words)

/** A token: number @p i. */
#define NUMBER16(i) \
	(void *)&(cmdline_parse_token_num_t) \
		TOKEN_NUM_INITIALIZER(struct command_args, num[i], RTE_UINT16)

/** The same of 32 bits. */
#define NUMBER32(i) \
	(void *)&(cmdline_parse_token_num_t) \
		TOKEN_NUM_INITIALIZER(struct command_args, wide[i], RTE_UINT32)

/** The last token: the rest of the line, spaces included. */
#define TEXT \
	(void *)&(cmdline_parse_token_string_t) \
		TOKEN_STRING_INITIALIZER(struct command_args, text, TOKEN_STRING_MULTI)

/** What the last token has matched, without blanks behind it. */
static inline const char *
command_text(struct command_args *args)
{
	size_t len = strlen(args->text);

	while (len > 0 && (args->text[len - 1] == ' ' || args->text[len - 1] == '\t'))
		len--;
	args->text[len] = '\0';
	return args->text;
}

/** A command: what runs it, a non-NULL `data` for it or NULL, its help, its tokens. */
#define COMMAND(function, value, help, ...) { \
	.f = function, \
	.data = value, \
	.help_str = help, \
	.tokens = { __VA_ARGS__, NULL }, \
}

/** The commands by section of the help, NULL behind the last. */
extern cmdline_parse_inst_t *const commands_control[];
extern cmdline_parse_inst_t *const commands_display[];
extern cmdline_parse_inst_t *const commands_config[];
extern cmdline_parse_inst_t *const commands_csum[];
extern cmdline_parse_inst_t *const commands_gso[];
extern cmdline_parse_inst_t *const commands_ports[];

#endif /* _COMMANDS_H_ */
