/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>

#include <rte_ethdev.h>
#include <rte_interrupts.h>

#include "loop.h"

#define SECOND      UINT64_C(1000000000)
#define NAP_MIN     UINT64_C(20000)    /* ns, after a round without work; doubled by each more */
#define NAP_DOUBLED 6                  /* 1.28 ms would be next */
#define NAP_MAX     UINT64_C(1000000)
#define SLEEP_MAX   SECOND             /* where interrupts wake us */
#define TIMER_SLACK 1000ul             /* ns; the kernel's 50,000 would double the first naps */

static uint64_t
clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * SECOND + (uint64_t)ts.tv_nsec;
}

struct wg_now
loop_now(unsigned int clock_rate)
{
	return (struct wg_now) {
		.mono = clock_ns(CLOCK_MONOTONIC) * clock_rate,
		.wall = clock_ns(CLOCK_REALTIME),
	};
}

/* What the protocol wants by itself. */
static void
serve_timers(const struct loop *loop, const struct wg_now *now)
{
	struct inside *in = loop->inside;
	struct wg_message message;
	enum wg_poll what;

	if (now->mono < wg_deadline(in->dev))
		return;
	while ((what = wg_poll(in->dev, now, &message)) != WG_POLL_IDLE) {
		if (what == WG_POLL_SEND)
			outer_send_message(in->outer, &message, now->mono);
		else
			inside_gave_up(in, message.peer);
	}
}

/* How long there is nothing to do for the protocol. */
static uint64_t
until_deadline(const struct loop *loop)
{
	uint64_t deadline = wg_deadline(loop->inside->dev), mono = loop_now(loop->clock_rate).mono;

	return deadline <= mono ? 0 : (deadline - mono) / loop->clock_rate;
}

/* No interrupt tells of frames: look for them after short, then longer, naps. */
static void
nap(const struct loop *loop, unsigned int nb_idle)
{
	uint64_t ns = nb_idle < NAP_DOUBLED ? NAP_MIN << nb_idle : NAP_MAX;
	struct pollfd tun = { .fd = loop->inside->tun->fd, .events = POLLIN };
	struct timespec ts = { .tv_nsec = (long)RTE_MIN(ns, until_deadline(loop)) };

	ppoll(&tun, 1, &ts, NULL);
}

/* What came before the interrupt was enabled wakes nobody: hence the second look. */
static void
sleep_until_interrupt(const struct loop *loop, const struct wg_now *now)
{
	uint16_t port = loop->port->id;
	uint64_t ns = RTE_MIN(SLEEP_MAX, until_deadline(loop));
	struct rte_epoll_event events[2];

	rte_eth_dev_rx_intr_enable(port, 0);
	if (outside_run(loop->outside, now) == 0)
		rte_epoll_wait(RTE_EPOLL_PER_THREAD, events, RTE_DIM(events), (int)(ns / 1000000));
	rte_eth_dev_rx_intr_disable(port, 0);
}

static void
prepare_sleep(const struct loop *loop)
{
	static struct rte_epoll_event event = { .epdata.event = EPOLLIN };

	prctl(PR_SET_TIMERSLACK, TIMER_SLACK, 0, 0, 0);
	if (loop->port->interrupts)
		rte_epoll_ctl(RTE_EPOLL_PER_THREAD, EPOLL_CTL_ADD, loop->inside->tun->fd, &event);
}

void
loop_run(const struct loop *loop)
{
	struct outer *outer = loop->inside->outer;
	unsigned int nb_idle = 0;
	struct wg_now now;

	prepare_sleep(loop);
	while (*loop->stop == 0) {
		now = loop_now(loop->clock_rate);
		if (outside_run(loop->outside, &now) + inside_run(loop->inside, now.mono) > 0)
			nb_idle = 0;
		else
			nb_idle++;
		serve_timers(loop, &now);
		outer_flush(outer);
		if (*loop->report != 0) {
			*loop->report = 0;
			counters_print(loop->inside->counters, loop->inside->dev, stdout);
		}
		if (nb_idle > 0 && loop->port->interrupts)
			sleep_until_interrupt(loop, &now);
		else if (nb_idle > 0)
			nap(loop, nb_idle - 1);
	}
}
