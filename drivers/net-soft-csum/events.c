/* SPDX-License-Identifier: BSD-3-Clause */

/* What the lower port, and those that may become it, tell of themselves. */

#include <errno.h>

#include <rte_alarm.h>
#include <rte_dev.h>
#include <rte_pause.h>

#include "soft_csum.h"

/* Those that are told on. */
static const enum rte_eth_event_type told[SOFT_CSUM_NB_EVENTS] = {
	RTE_ETH_EVENT_INTR_LSC,
	RTE_ETH_EVENT_INTR_RMV,
	RTE_ETH_EVENT_INTR_RESET,
	RTE_ETH_EVENT_QUEUE_STATE,
	RTE_ETH_EVENT_FLOW_AGED,
	RTE_ETH_EVENT_RX_AVAIL_THRESH,
};

/* Those that are of concern here alone. */
static const enum rte_eth_event_type kept[] = {
	RTE_ETH_EVENT_NEW,
	RTE_ETH_EVENT_DESTROY,
};

static void
bursts_off(struct rte_eth_dev *dev)
{
	struct rte_eth_fp_ops *fp = &rte_eth_fp_ops[dev->data->port_id];

	if (!dev->data->dev_started)
		return;
	dev->rx_pkt_burst = rte_eth_pkt_burst_dummy;
	dev->tx_pkt_burst = rte_eth_pkt_burst_dummy;
	fp->rx_pkt_burst = rte_eth_pkt_burst_dummy;
	fp->tx_pkt_burst = rte_eth_pkt_burst_dummy;
}

/* From here on nobody is inside the lower port, nor gets there. */
static void
leave_lower(struct soft_csum_port *port)
{
	bursts_off(&rte_eth_devices[port->port_id]);
	soft_csum_quiesce(port);
	soft_csum_backlog_halt(port);
}

static bool
has_port(const struct rte_device *device)
{
	uint16_t id;

	for (id = 0; id < RTE_MAX_ETHPORTS; id++)
		if (rte_eth_dev_is_valid_port(id) && rte_eth_devices[id].device == device)
			return true;
	return false;
}

/*
 * The hardware is gone: close its port, which is ours, and take its device from the bus, so that it
 * can come again. That may have happened by now, and another port be in its place.
 */
static void
remove_lower(struct soft_csum_port *port)
{
	uint16_t id = port->lower_id;
	struct rte_device *device;

	if (id == SOFT_CSUM_NO_PORT || port->removed_serial != port->lower_serial)
		return;
	device = rte_eth_devices[id].device;
	leave_lower(port);
	rte_eth_dev_stop(id);
	rte_eth_dev_close(id);
	if (!has_port(device))
		rte_dev_remove(device);
}

/* The application comes last: if it closes this port from within the event, the port is gone. */
static void
tell_handler(void *arg)
{
	const struct soft_csum_event *event = arg;
	struct soft_csum_port *port;

	soft_csum_alarm_step();
	port = event->port;
	if (event->type == RTE_ETH_EVENT_INTR_RMV)
		remove_lower(port);
	rte_eth_dev_callback_process(&rte_eth_devices[port->port_id], event->type, NULL);
	soft_csum_alarm_step();
}

/*
 * Tell the application, in an alarm: from within an event of the lower port that port cannot be
 * closed, nor can a callback be taken back, as closing this port does.
 */
static void
tell(struct soft_csum_port *port, enum rte_eth_event_type type)
{
	unsigned int i;

	for (i = 0; told[i] != type; i++)
		;
	soft_csum_alarm_step();
	if (rte_eal_alarm_set(1, tell_handler, &port->event[i]) != 0)
		SOFT_CSUM_LOG(ERR, soft_csum_name(port), "no alarm: event %u of %s is lost", type,
			port->lower_name);
}

/* What is below them is gone, whatever comes in its place. */
static void
queues_forget(const struct rte_eth_dev *dev)
{
	struct soft_csum_rxq *rxq;
	struct soft_csum_txq *txq;
	uint16_t i;

	for (i = 0; i < dev->data->nb_rx_queues; i++) {
		rxq = dev->data->rx_queues[i];
		if (rxq != NULL)
			rxq->lower_id = SOFT_CSUM_NO_PORT;
	}
	for (i = 0; i < dev->data->nb_tx_queues; i++) {
		txq = dev->data->tx_queues[i];
		if (txq != NULL)
			txq->lower_id = SOFT_CSUM_NO_PORT;
	}
}

/* The port is being released: nothing may be sent to its number any more. */
static void
lose(struct soft_csum_port *port)
{
	struct rte_eth_dev *dev = &rte_eth_devices[port->port_id];
	struct rte_eth_link link = { .link_status = RTE_ETH_LINK_DOWN };

	SOFT_CSUM_LOG(NOTICE, soft_csum_name(port), "the port below, %s, is gone",
		port->lower_name);
	leave_lower(port);
	port->lower_id = SOFT_CSUM_NO_PORT;
	queues_forget(dev);
	dev->intr_handle = NULL;
	if (rte_eth_linkstatus_set(dev, &link) == 0)
		tell(port, RTE_ETH_EVENT_INTR_LSC);
}

/* While these events are on ethdev reads the link from here, and does not ask. */
static void
link_read(struct soft_csum_port *port)
{
	struct rte_eth_link link;

	if (rte_eth_link_get_nowait(port->lower_id, &link) == 0)
		rte_eth_linkstatus_set(&rte_eth_devices[port->port_id], &link);
}

static void
on_lower_event(struct soft_csum_port *port, enum rte_eth_event_type event)
{
	if (event == RTE_ETH_EVENT_DESTROY) {
		lose(port);
		return;
	}
	if (event == RTE_ETH_EVENT_INTR_LSC)
		link_read(port);
	else if (event == RTE_ETH_EVENT_INTR_RMV)
		port->removed_serial = port->lower_serial;
	tell(port, event);
}

static int
on_port_event(uint16_t id, enum rte_eth_event_type event, void *arg, void *ret_param __rte_unused)
{
	struct soft_csum_port *port = arg;

	if (id == port->port_id)
		return 0;
	if (event == RTE_ETH_EVENT_NEW)
		soft_csum_lower_offer(port, id);
	else if (id == port->lower_id)
		on_lower_event(port, event);
	return 0;
}

static int
listen_to(struct soft_csum_port *port, const enum rte_eth_event_type types[], unsigned int nb)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < nb && ret == 0; i++)
		ret = rte_eth_dev_callback_register(RTE_ETH_ALL, types[i], on_port_event, port);
	return ret;
}

/* EAGAIN: another thread is just inside the callback. */
static void
unlisten_to(struct soft_csum_port *port, const enum rte_eth_event_type types[], unsigned int nb)
{
	unsigned int i;

	for (i = 0; i < nb; i++)
		while (rte_eth_dev_callback_unregister(RTE_ETH_ALL, types[i], on_port_event,
				port) == -EAGAIN)
			rte_pause();
}

int
soft_csum_events_listen(struct soft_csum_port *port)
{
	unsigned int i;
	int ret;

	for (i = 0; i < SOFT_CSUM_NB_EVENTS; i++)
		port->event[i] = (struct soft_csum_event){ .port = port, .type = told[i] };
	port->listening = true;
	ret = listen_to(port, kept, RTE_DIM(kept));
	if (ret == 0)
		ret = listen_to(port, told, RTE_DIM(told));
	if (ret != 0)
		soft_csum_events_unlisten(port);
	return ret;
}

void
soft_csum_events_unlisten(struct soft_csum_port *port)
{
	unsigned int i;

	if (!port->listening)
		return;
	unlisten_to(port, kept, RTE_DIM(kept));
	unlisten_to(port, told, RTE_DIM(told));
	port->listening = false;
	for (i = 0; i < SOFT_CSUM_NB_EVENTS; i++)
		rte_eal_alarm_cancel(tell_handler, &port->event[i]);
	soft_csum_alarm_step();
}
