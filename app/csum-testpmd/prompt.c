/* SPDX-License-Identifier: BSD-3-Clause */

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

#include <cmdline_socket.h>

#include "commands.h"
#include "input.h"
#include "prompt.h"

#define PROMPT "testpmd> "
#define MAX_COMMANDS 128

/* Files that load files, a file that loads itself among them. */
#define MAX_LOAD_DEPTH 16

/* All commands, made from the sections; librte_cmdline wants one table, NULL at the end. */
static cmdline_parse_ctx_t all_commands[MAX_COMMANDS];

static cmdline_parse_ctx_t *
get_commands(void)
{
	static cmdline_parse_inst_t *const *const sections[] = {
		commands_control, commands_display, commands_config, commands_csum,
		commands_gso, commands_ports,
	};
	unsigned int nb = 0;
	unsigned int s, i;

	for (s = 0; s < RTE_DIM(sections); s++) {
		for (i = 0; sections[s][i] != NULL && nb < MAX_COMMANDS - 1; i++)
			all_commands[nb++] = sections[s][i];
	}
	all_commands[nb] = NULL;
	return all_commands;
}

/* librte_cmdline turns Ctrl-C into a character; to us it is a signal. */
static void
keep_signals(void)
{
	struct termios term;

	if (tcgetattr(STDIN_FILENO, &term) != 0)
		return;
	term.c_lflag |= ISIG;
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &term);
}

/* Passes on what can be read. Returns false at the end of it, and when a command quits. */
static bool
feed(struct cmdline *cl, int fd)
{
	char buf[256];
	ssize_t len = read(fd, buf, sizeof(buf));

	return len > 0 && cmdline_in(cl, buf, len) >= 0;
}

void
prompt_run(void)
{
	struct cmdline *cl = cmdline_stdin_new(get_commands(), PROMPT);

	if (cl == NULL) {
		fprintf(stderr, "Cannot use standard input\n");
		return;
	}
	keep_signals();
	while (input_wait(true, -1) == INPUT_READY && feed(cl, STDIN_FILENO))
		;
	/* Frees it too. */
	cmdline_stdin_exit(cl);
}

static void
run_file(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	struct cmdline *cl = fd < 0 ? NULL : cmdline_new(get_commands(), PROMPT, fd, -1);

	if (cl == NULL) {
		fprintf(stderr, "Failed to create file based cmdline context: %s\n", file);
		if (fd >= 0)
			close(fd);
		return;
	}
	/* A file may have no end, or load itself over and over: a signal ends it all the same. */
	while (input_wait(false, 0) != INPUT_SIGNAL && feed(cl, fd))
		;
	/* Closes the file, too. */
	cmdline_free(cl);
	printf("Read CLI commands from %s\n", file);
}

void
prompt_load(const char *file)
{
	static unsigned int depth;

	if (depth == MAX_LOAD_DEPTH) {
		fprintf(stderr, "%s: files load files more than %u deep\n", file,
			MAX_LOAD_DEPTH);
		return;
	}
	depth++;
	run_file(file);
	depth--;
}
