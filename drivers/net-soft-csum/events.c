/* SPDX-License-Identifier: BSD-3-Clause */

/* What the lower port, and those that may become it, tell of themselves. */

#include <errno.h>

#include <rte_alarm.h>
#include <rte_dev.h>
#include <rte_pause.h>

#include "soft_csum.h"

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

static void
link_down(struct rte_eth_dev *dev)
{
	struct rte_eth_link link = { .link_status = RTE_ETH_LINK_DOWN };

	if (rte_eth_linkstatus_set(dev, &link) == 0)
		rte_eth_dev_callback_process(dev, RTE_ETH_EVENT_INTR_LSC, NULL);
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

	SOFT_CSUM_LOG(NOTICE, soft_csum_name(port), "the port below, %s, is gone",
		port->lower_name);
	leave_lower(port);
	port->lower_id = SOFT_CSUM_NO_PORT;
	queues_forget(dev);
	dev->intr_handle = NULL;
	link_down(dev);
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
 * can come again. In an alarm, since a port cannot be closed from within its own event; and the
 * application may close this one from within the event that it gets.
 */
static void
removal_handler(void *arg)
{
	struct soft_csum_port *port = arg;
	struct rte_eth_dev *dev = &rte_eth_devices[port->port_id];
	uint16_t id = port->lower_id;
	struct rte_device *device;

	if (id != SOFT_CSUM_NO_PORT) {
		device = rte_eth_devices[id].device;
		leave_lower(port);
		rte_eth_dev_stop(id);
		rte_eth_dev_close(id);
		if (!has_port(device))
			rte_dev_remove(device);
	}
	rte_eth_dev_callback_process(dev, RTE_ETH_EVENT_INTR_RMV, NULL);
}

static void
on_link_change(struct soft_csum_port *port)
{
	struct rte_eth_dev *dev = &rte_eth_devices[port->port_id];
	struct rte_eth_link link;

	/* While these events are on ethdev reads the link from here, and does not ask. */
	if (rte_eth_link_get_nowait(port->lower_id, &link) == 0)
		rte_eth_linkstatus_set(dev, &link);
	rte_eth_dev_callback_process(dev, RTE_ETH_EVENT_INTR_LSC, NULL);
}

static void
on_lower_event(struct soft_csum_port *port, enum rte_eth_event_type event, void *ret_param)
{
	switch (event) {
	case RTE_ETH_EVENT_DESTROY:
		lose(port);
		break;
	case RTE_ETH_EVENT_INTR_LSC:
		on_link_change(port);
		break;
	case RTE_ETH_EVENT_INTR_RMV:
		if (rte_eal_alarm_set(1, removal_handler, port) != 0)
			SOFT_CSUM_LOG(ERR, soft_csum_name(port), "no alarm: %s stays although "
				"it was removed", port->lower_name);
		break;
	default:
		rte_eth_dev_callback_process(&rte_eth_devices[port->port_id], event, ret_param);
	}
}

static int
on_port_event(uint16_t id, enum rte_eth_event_type event, void *arg, void *ret_param)
{
	struct soft_csum_port *port = arg;

	if (event == RTE_ETH_EVENT_NEW)
		soft_csum_lower_offer(port, id);
	else if (id == port->lower_id)
		on_lower_event(port, event, ret_param);
	return 0;
}

static const enum rte_eth_event_type port_events[] = {
	RTE_ETH_EVENT_NEW,
	RTE_ETH_EVENT_DESTROY,
	RTE_ETH_EVENT_INTR_LSC,
	RTE_ETH_EVENT_INTR_RMV,
	RTE_ETH_EVENT_INTR_RESET,
	RTE_ETH_EVENT_QUEUE_STATE,
	RTE_ETH_EVENT_FLOW_AGED,
	RTE_ETH_EVENT_RX_AVAIL_THRESH,
};

int
soft_csum_events_listen(struct soft_csum_port *port)
{
	unsigned int i;
	int ret;

	port->listening = true;
	for (i = 0; i < RTE_DIM(port_events); i++) {
		ret = rte_eth_dev_callback_register(RTE_ETH_ALL, port_events[i], on_port_event,
			port);
		if (ret != 0) {
			soft_csum_events_unlisten(port);
			return ret;
		}
	}
	return 0;
}

void
soft_csum_events_unlisten(struct soft_csum_port *port)
{
	unsigned int i;

	if (!port->listening)
		return;
	/* EAGAIN: another thread is just inside the callback. */
	for (i = 0; i < RTE_DIM(port_events); i++)
		while (rte_eth_dev_callback_unregister(RTE_ETH_ALL, port_events[i],
				on_port_event, port) == -EAGAIN)
			rte_pause();
	port->listening = false;
	rte_eal_alarm_cancel(removal_handler, port);
}
