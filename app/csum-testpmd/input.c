/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include <rte_common.h>

#include "input.h"

/* Signals are written into this pipe, so that none is lost between a look and a wait. */
static int signal_pipe[2];

static void
on_signal(int signum)
{
	const char byte = (char)signum;
	int saved = errno;

	/* A full pipe holds a signal already. */
	if (write(signal_pipe[1], &byte, 1) < 0)
		errno = saved;
}

int
input_init(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	if (pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK) != 0 ||
	    sigaction(SIGINT, &action, NULL) != 0 || sigaction(SIGTERM, &action, NULL) != 0)
		return -errno;
	return 0;
}

enum input_event
input_wait(bool input, int seconds)
{
	struct pollfd fds[] = {
		{ .fd = signal_pipe[0], .events = POLLIN },
		{ .fd = input ? STDIN_FILENO : -1, .events = POLLIN },
	};
	int ret;

	do {
		ret = poll(fds, RTE_DIM(fds), seconds < 0 ? -1 : seconds * 1000);
	} while (ret < 0 && errno == EINTR);
	if (ret == 0)
		return INPUT_TIMEOUT;
	/* The byte stays in the pipe: every later wait ends at once. */
	return fds[0].revents != 0 ? INPUT_SIGNAL : INPUT_READY;
}
