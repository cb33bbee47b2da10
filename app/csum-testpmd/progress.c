/* SPDX-License-Identifier: BSD-3-Clause */

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

/* The clock is read once in so many calls, and the line drawn so many times a second. */
#define CALLS_A_LOOK 1024
#define PERIOD       0.2
#define BAR_WIDTH    24

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void
progress_begin(struct progress *p, bool quiet)
{
	*p = (struct progress){ .wanted = !quiet && isatty(STDERR_FILENO) };
	p->start = p->last = now();
}

static void
draw(struct progress *p, const struct capture *capture, double elapsed)
{
	uint64_t size = capture_size(capture), done = capture_done(capture);
	double rate = (double)done / elapsed;
	int filled;

	fputs("\r\033[K", stderr);
	if (size != 0 && done <= size) {
		filled = (int)(done * BAR_WIDTH / size);
		fprintf(stderr, "[%.*s%*s] %3u%%, ", filled, "########################",
			BAR_WIDTH - filled, "", (unsigned int)(done * 100 / size));
	}
	fprintf(stderr, "%" PRIu64 " packets, %.1f MB/s", capture->nb_read, rate / 1e6);
	if (size != 0 && done <= size && done != 0)
		fprintf(stderr, ", %.0f s left", (double)(size - done) / rate);
	fflush(stderr);
	p->shown = true;
}

void
progress_tell(struct progress *p, const struct capture *capture)
{
	double time;

	if (!p->wanted || ++p->calls % CALLS_A_LOOK != 0)
		return;
	time = now();
	if (time - p->last < PERIOD)
		return;
	p->last = time;
	draw(p, capture, time - p->start);
}

void
progress_clear(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}
