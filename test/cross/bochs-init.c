/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The first and only process of the system that bochs.sh boots: runs the programs beside it.
 * They find in their environment what the kernel's command line said.
 */

#include <stdio.h>
#include <sys/io.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where Bochs takes the word that turns it off. */
#define BOCHS_PORT 0x8900

static void
run(const char *program)
{
	int status = -1;
	pid_t pid;

	printf("begin %s\n", program);
	pid = fork();
	if (pid == 0) {
		execl(program, program, (char *)NULL);
		_exit(127);
	}
	if (pid > 0)
		waitpid(pid, &status, 0);
	printf("end %s %d\n", program, status);
}

static void
turn_off(void)
{
	const char *word;

	/* The serial port is still at it. */
	sleep(1);
	iopl(3);
	for (word = "Shutdown"; *word != '\0'; word++)
		outb((unsigned char)*word, BOCHS_PORT);
}

int
main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	run("/faults");
	run("/step");
	run("/walk");
	run("/edges");
	turn_off();
	for (;;)
		pause();
}
