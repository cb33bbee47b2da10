/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _SOFT_CSUM_H_
#define _SOFT_CSUM_H_

/*
 * What the driver's files share. "Lower" is the port underneath, "left" is what is left to it.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>
#include <rte_ethdev.h>
#include <rte_log.h>
#include <rte_mbuf.h>
#include <rte_spinlock.h>

#include <csum_gso.h>
#include <csum_pkt.h>

#include "compat.h"
#include "counters.h"

#define SOFT_CSUM_DRIVER "net_soft_csum"

extern int soft_csum_logtype;

/* One line of log, about one instance. */
#define SOFT_CSUM_LOG(level, name, fmt, ...) \
	rte_log(RTE_LOG_ ## level, soft_csum_logtype, "%s: " fmt "\n", name, ## __VA_ARGS__)

/* Packets handled, and segments made, at a time. */
#define SOFT_CSUM_BURST 32

/* MAC addresses of a port at most. */
#define SOFT_CSUM_MAC_ADDRS 128

/* Stands for a lower port that is not there. */
#define SOFT_CSUM_NO_PORT RTE_MAX_ETHPORTS

#define SOFT_CSUM_TX_SEG_MASK (RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_UDP_SEG)

/* Hints for whoever carries requests out: of no use once none is left. */
#define SOFT_CSUM_TX_HINT_MASK (RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6 | \
	RTE_MBUF_F_TX_OUTER_IPV4 | RTE_MBUF_F_TX_OUTER_IPV6 | RTE_MBUF_F_TX_TUNNEL_MASK)

/* Tx flags that ask for work; hints are not among them. */
#define SOFT_CSUM_TX_WORK_MASK (CSUM_PKT_TX_CKSUM_MASK | SOFT_CSUM_TX_SEG_MASK)

#define SOFT_CSUM_TX_TAG_MASK (RTE_MBUF_F_TX_VLAN | RTE_MBUF_F_TX_QINQ)

/* With any of these the outer length fields of the mbuf mean something. */
#define SOFT_CSUM_TX_OUTER_MASK (RTE_MBUF_F_TX_OUTER_IP_CKSUM | \
	RTE_MBUF_F_TX_OUTER_UDP_CKSUM | RTE_MBUF_F_TX_OUTER_IPV4 | RTE_MBUF_F_TX_OUTER_IPV6 | \
	RTE_MBUF_F_TX_TUNNEL_MASK)

/* What an mbuf's l2_len and outer_l2_len can hold. */
#define SOFT_CSUM_L2_LEN_MAX ((1u << RTE_MBUF_L2_LEN_BITS) - 1)

/* Least mbufs of the driver's own pool: two bursts, one below and one on its way. */
#define SOFT_CSUM_POOL_MIN 64

/* Who verifies checksums on the Rx side. */
enum soft_csum_rx_csum {
	SOFT_CSUM_RX_AUTO, /* the lower port, and software what that lacks */
	SOFT_CSUM_RX_ON,   /* software, all of them, whether enabled or not */
	SOFT_CSUM_RX_OFF,  /* the lower port alone */
};

/* The instance's arguments. */
struct soft_csum_args {
	char lower[RTE_ETH_NAME_MAX_LEN]; /* as given; empty with dev(...) */
	char *devargs;                    /* between the brackets of dev(...), else NULL */
	uint64_t force;                   /* RTE_ETH_TX_OFFLOAD_* never left to the lower port */
	uint32_t gso_flags;               /* CSUM_GSO_F_* */
	uint32_t pool_size;               /* mbufs; 0: as many as may be needed */
	enum soft_csum_rx_csum rx_csum;
	bool attach;                      /* segments refer to the payload where that is possible */
};

/* A set of Tx requests as mbufs make them. */
struct soft_csum_requests {
	uint64_t flags; /* RTE_MBUF_F_TX_*, without the L4 type */
	uint8_t l4;     /* soft_csum_l4_bit() of each L4 type */
};

/* The L4 type among an mbuf's flags is a number from 0 to 3; here it becomes one, and a bit. */
static inline unsigned int
soft_csum_l4_type(uint64_t ol_flags)
{
	return (ol_flags & RTE_MBUF_F_TX_L4_MASK) / RTE_MBUF_F_TX_TCP_CKSUM;
}

static inline uint8_t
soft_csum_l4_bit(uint64_t ol_flags)
{
	return 1 << soft_csum_l4_type(ol_flags);
}

/* The tunnel type among an mbuf's flags is a number too; 0 stands for none. */
static inline uint16_t
soft_csum_tunnel_bit(uint64_t ol_flags)
{
	return 1 << ((ol_flags & RTE_MBUF_F_TX_TUNNEL_MASK) / RTE_MBUF_F_TX_TUNNEL_VXLAN);
}

/* In DPDK's other convention for tunnels, all that precedes the inner IP header is in l2_len. */
static inline bool
soft_csum_has_outer_lens(const struct rte_mbuf *m)
{
	return (m->ol_flags & SOFT_CSUM_TX_OUTER_MASK) != 0 && m->outer_l3_len != 0;
}

/* The length of the outermost link layer, as far as the packet's lengths tell. */
static inline unsigned int
soft_csum_link_len(const struct rte_mbuf *m)
{
	return soft_csum_has_outer_lens(m) ? m->outer_l2_len : m->l2_len;
}

/* What becomes of packets that ask for the same. */
struct soft_csum_recipe {
	uint64_t ol_flags; /* of these packets */
	uint64_t todo;     /* checksums that are filled in here */
	uint64_t sent;     /* their flags when they go down */
	uint32_t stats;    /* as in struct soft_csum_slot, */
	bool passed;       /* and this too */
	bool usual;        /* the checksums are all there is to do */
};

/* What waits behind a lower port that took only the first segments of a super-packet. */
struct soft_csum_backlog {
	/*
	 * Set by the thread that sends on the queue, which until then owns all of this; while it is
	 * set, whoever holds the lock does. So the lock is touched only while something waits.
	 */
	atomic_bool waiting;
	rte_spinlock_t lock;
	soft_csum_counter begun; /* timer cycles when it began to wait */
	soft_csum_counter most;  /* segments that waited at a time */
	uint16_t head;           /* first segment made and not yet sent */
	uint16_t nb;             /* behind the last one */
	struct rte_mbuf *source; /* the application's, consumed */
	struct rte_mbuf *segs[SOFT_CSUM_BURST];
	struct csum_gso_iter iter;
};

struct soft_csum_port;

struct soft_csum_txq {
	uint64_t work;                     /* Tx flags that make a packet need a look */
	uint64_t no_tag;                   /* tags that the lower port does not insert */
	uint16_t lower_id;
	uint16_t queue_id;
	uint16_t max_segs;                 /* longest chain the lower port takes */
	uint16_t max_super_segs;           /* the same for what it cuts itself */
	uint16_t left_seg;                 /* soft_csum_tunnel_bit() of each it cuts TCP in */
	uint16_t left_tunnels;             /* the same for checksums */
	uint16_t nb_desc;
	atomic_bool busy;                  /* a thread is inside a burst */
	uint32_t max_len;                  /* most bytes of a packet made of the pool's mbufs */
	struct soft_csum_port *port;
	struct soft_csum_requests left;    /* carried out by the lower port */
	struct soft_csum_requests enabled; /* asked for at configuration */
	struct soft_csum_recipe recipe;    /* of the last packet */
	soft_csum_counter packets;         /* frames given to the lower port */
	soft_csum_counter bytes;
	soft_csum_counter worked_packets;  /* of them, those that did not just pass; after them */
	soft_csum_counter worked_bytes;
	soft_csum_counter stat[SOFT_CSUM_STAT_MAX];
	soft_csum_counter path_bytes[SOFT_CSUM_NB_PATHS]; /* of packets as they were given */
	soft_csum_counter flag_requests[64]; /* packets that asked for it, by bit of ol_flags */
	soft_csum_counter requests[SOFT_CSUM_NB_REQUESTS];
	soft_csum_counter refused[CSUM_REFUSAL_MAX];
	struct rte_eth_txconf conf;        /* as the application gave it */
	struct soft_csum_backlog backlog;
};

struct soft_csum_rxq {
	uint16_t lower_id;
	uint16_t queue_id;
	uint16_t port_id;
	uint16_t nb_desc;
	atomic_bool busy;                  /* a thread is inside a burst */
	const struct soft_csum_port *port;
	uint64_t verify;                   /* RTE_ETH_RX_OFFLOAD_*_CKSUM that are done here */
	uint64_t stale;                    /* verdict flags that are never the lower port's */
	soft_csum_counter packets;
	soft_csum_counter bytes;
	soft_csum_counter stat[SOFT_CSUM_RX_STAT_MAX];
	struct rte_eth_rxconf conf;        /* as the application gave it */
	struct rte_mempool *pool;
};

/* How many kinds of event the application is told of; events.c has them. */
#define SOFT_CSUM_NB_EVENTS 6

/* One kind, of one port: what an alarm that tells of it needs. */
struct soft_csum_event {
	struct soft_csum_port *port;
	enum rte_eth_event_type type;
};

/* One instance: dev_private. All processes share it: it points to nothing of one of them alone. */
struct soft_csum_port {
	uint16_t port_id;
	uint16_t lower_id;                /* SOFT_CSUM_NO_PORT while it is absent */
	uint32_t lower_serial;            /* how many lower ports it has had */
	uint32_t removed_serial;          /* that of the one that was removed last */
	struct soft_csum_event event[SOFT_CSUM_NB_EVENTS];
	bool lower_made;                  /* by dev(...): closed with us */
	bool listening;                   /* for ports that come and go */
	atomic_bool lower_runs;           /* what is sent to its number reaches it */
	char lower_name[RTE_ETH_NAME_MAX_LEN];
	struct rte_eth_dev_owner owner;
	struct rte_ether_addr macs[SOFT_CSUM_MAC_ADDRS];
	uint64_t force;
	uint64_t lower_enabled;           /* RTE_ETH_TX_OFFLOAD_* switched on below */
	uint16_t lower_max_segs;
	uint16_t lower_max_super_segs;
	uint16_t seg_room;                /* most bytes in one mbuf of the pool */
	uint32_t pool_size;               /* as given; 0: not */
	bool attach;                      /* as given */
	enum soft_csum_rx_csum rx_csum;
	uint64_t rx_verify;               /* RTE_ETH_RX_OFFLOAD_*_CKSUM that are done here */
	uint32_t lower_ptypes[64];        /* that the lower port says it sets */
	struct csum_gso_conf gso;
	struct csum_gso_conf gso_attach;  /* the same for segments that refer to the payload */
};

/*
 * Go inside the lower port by a queue, if it is still there; then soft_csum_leave(). The compiler's
 * order is enough: see quiesce.c.
 */
static inline bool
soft_csum_enter(atomic_bool *busy, const struct soft_csum_port *port)
{
	atomic_store_explicit(busy, true, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	if (likely(atomic_load_explicit(&port->lower_runs, memory_order_acquire)))
		return true;
	atomic_store_explicit(busy, false, memory_order_release);
	return false;
}

static inline void
soft_csum_leave(atomic_bool *busy)
{
	atomic_store_explicit(busy, false, memory_order_release);
}

static inline struct soft_csum_port *
soft_csum_port(const struct rte_eth_dev *dev)
{
	return dev->data->dev_private;
}

/* The number of the port below. */
static inline uint16_t
soft_csum_lower(const struct rte_eth_dev *dev)
{
	return soft_csum_port(dev)->lower_id;
}

static inline const char *
soft_csum_name(const struct soft_csum_port *port)
{
	return rte_eth_devices[port->port_id].data->name;
}

/* Tell whether a chain that the pool makes for this many bytes is one that the lower port takes. */
static inline bool
soft_csum_fits(const struct soft_csum_txq *txq, uint32_t len)
{
	return len <= txq->max_len;
}

/* How many VLAN tags a packet with these flags gets here. QinQ stands for both of its tags. */
static inline unsigned int
soft_csum_nb_tags(const struct soft_csum_txq *txq, uint64_t ol_flags)
{
	if (ol_flags & RTE_MBUF_F_TX_QINQ)
		return (txq->no_tag & RTE_MBUF_F_TX_QINQ) != 0 ? 2 : 0;
	return (ol_flags & txq->no_tag) != 0 ? 1 : 0;
}

/* args.c */

/*
 * Parse the arguments of instance @p name; says on the log what is wrong. On success the caller
 * frees args->devargs.
 */
int soft_csum_args_parse(const char *name, const char *params, struct soft_csum_args *args);

/* Digits and nothing else. */
bool soft_csum_is_number(const char *s);

/* lower.c: finding, owning and giving back the lower port. */

/* A port has appeared: take it if it is the one that was absent. */
void soft_csum_lower_offer(struct soft_csum_port *port, uint16_t id);
/* Take the lower port if it is there: 0, or -ENODEV while it is absent, or why it cannot be had. */
int soft_csum_lower_take(struct soft_csum_port *port);
/* Make it by the devargs of dev(...), and take it. */
int soft_csum_lower_make(struct soft_csum_port *port, const char *devargs);
/* Tell whether the port can be configured: 0, or why not, with a message. */
int soft_csum_lower_check(const struct soft_csum_port *port);
void soft_csum_lower_give_back(struct soft_csum_port *port);

extern atomic_uint soft_csum_alarm_steps;

/*
 * Before an alarm is set, at its begin and its end, and after it was cancelled: EAL orders these
 * by a lock of its own; here it is said in C11 too, where ThreadSanitizer sees it.
 */
static inline void
soft_csum_alarm_step(void)
{
	atomic_fetch_add_explicit(&soft_csum_alarm_steps, 1, memory_order_acq_rel);
}

/* events.c: what the lower port tells; before it is taken, and until it is given back. */

int soft_csum_events_listen(struct soft_csum_port *port);
void soft_csum_events_unlisten(struct soft_csum_port *port);

/* ops.c */

extern const struct eth_dev_ops soft_csum_ops;
int soft_csum_infos_get(struct rte_eth_dev *dev, struct rte_eth_dev_info *info);
int soft_csum_stop(struct rte_eth_dev *dev);
int soft_csum_close(struct rte_eth_dev *dev);

/* secondary.c */

extern const struct eth_dev_ops soft_csum_secondary_ops;
/* Make the port usable in this process, which is a secondary one. */
void soft_csum_secondary_init(struct rte_eth_dev *dev);
int soft_csum_secondary_close(struct rte_eth_dev *dev);

/* Tell whether a port has bursts in this process: not all drivers have in a secondary one. */
static inline bool
soft_csum_sends_here(uint16_t id)
{
	return rte_eth_dev_is_valid_port(id) && rte_eth_fp_ops[id].tx_pkt_burst != NULL;
}

static inline bool
soft_csum_is_ours(const struct rte_eth_dev *dev)
{
	return dev->dev_ops == &soft_csum_ops || dev->dev_ops == &soft_csum_secondary_ops;
}

/* quiesce.c */

/* Once a process. */
void soft_csum_quiesce_init(void);
/* Turn bursts away from the lower port, and wait until none is inside it. */
void soft_csum_quiesce(struct soft_csum_port *port);

/* offload.c: which work is done where. */

/* Names of all that software does, for messages. */
#define SOFT_CSUM_OFFLOAD_NAMES_LEN 512
void soft_csum_offload_names(char *buf, size_t size);
/* The bit of a name in any case; 0 when software does not do it. "all" is all of them. */
uint64_t soft_csum_offload_by_name(const char *name);
uint64_t soft_csum_tx_capa(uint64_t lower_capa);
uint64_t soft_csum_rx_capa(const struct soft_csum_port *port, uint64_t lower_capa);
/* Of the Rx offloads that the application enables, those that are verified here. */
uint64_t soft_csum_rx_verified(const struct soft_csum_port *port, uint64_t enabled,
			       uint64_t lower_capa);
/* What to switch on below when the application enables @p enabled. */
uint64_t soft_csum_lower_offloads(const struct soft_csum_port *port, uint64_t enabled,
				  uint64_t lower_capa);
void soft_csum_txq_masks(struct soft_csum_txq *txq, uint64_t enabled);

/* queue.c */

int soft_csum_rxq_setup(struct rte_eth_dev *dev, uint16_t queue_id, uint16_t nb_desc,
			unsigned int socket, const struct rte_eth_rxconf *conf,
			struct rte_mempool *pool);
int soft_csum_txq_setup(struct rte_eth_dev *dev, uint16_t queue_id, uint16_t nb_desc,
			unsigned int socket, const struct rte_eth_txconf *conf);
void soft_csum_rxq_release(struct rte_eth_dev *dev, uint16_t queue_id);
void soft_csum_txq_release(struct rte_eth_dev *dev, uint16_t queue_id);
/* The port has started: all queues have, but for those that are to start later. */
void soft_csum_queues_started(struct rte_eth_dev *dev);
int soft_csum_rxq_start(struct rte_eth_dev *dev, uint16_t queue_id);
int soft_csum_rxq_stop(struct rte_eth_dev *dev, uint16_t queue_id);
int soft_csum_txq_start(struct rte_eth_dev *dev, uint16_t queue_id);
int soft_csum_txq_stop(struct rte_eth_dev *dev, uint16_t queue_id);

/* queue_info.c */

void soft_csum_rxq_info(struct rte_eth_dev *dev, uint16_t queue_id, struct rte_eth_rxq_info *info);
void soft_csum_txq_info(struct rte_eth_dev *dev, uint16_t queue_id, struct rte_eth_txq_info *info);
int soft_csum_rx_mode(struct rte_eth_dev *dev, uint16_t queue_id, struct rte_eth_burst_mode *mode);
int soft_csum_tx_mode(struct rte_eth_dev *dev, uint16_t queue_id, struct rte_eth_burst_mode *mode);
soft_csum_queue_count soft_csum_rxq_count(void *queue);
int soft_csum_rx_descriptor_status(void *queue, uint16_t offset);

/* pool.c */

/* Bytes that an mbuf must hold so that a segment within the MTU is linear. */
uint16_t soft_csum_room_for(uint16_t mtu);
/* Make the pool of segments, unless there is one that suits the port's MTU. */
int soft_csum_pool_make(struct rte_eth_dev *dev);
void soft_csum_pool_free(struct soft_csum_port *port);

/* rx.c */

eth_rx_burst_t soft_csum_rx_burst_pick(const struct soft_csum_port *port);

/* rx_verify.c */

/* Set the verdict flags, and the packet type if it is not known. */
void soft_csum_rx_verify(struct soft_csum_rxq *rxq, struct rte_mbuf *m);
/* Make the queue ready to verify what these RTE_ETH_RX_OFFLOAD_*_CKSUM say. */
void soft_csum_rxq_masks(struct soft_csum_rxq *rxq, uint64_t verify);

/* rx_ptype.c */

/* RTE_PTYPE_* of a packet. */
uint32_t soft_csum_ptype(const struct csum_pkt *pkt);
/* The packet types that come out of the port, RTE_PTYPE_UNKNOWN behind the last; NULL for none. */
const uint32_t *soft_csum_ptypes_fill(struct rte_eth_dev *dev, size_t *nb);

/* tx.c */

eth_tx_burst_t soft_csum_tx_burst_pick(const struct soft_csum_port *port);
/* Hand frames of *bytes in all down, count those that were taken, and set *bytes to theirs. */
uint16_t soft_csum_lower_send(struct soft_csum_txq *txq, struct rte_mbuf **pkts, uint16_t nb_pkts,
			      uint64_t *bytes);

/* backlog.c: super-packets on their way, and what waits of them. */

/* What became of a super-packet. */
enum soft_csum_fate {
	SOFT_CSUM_SENT,    /* consumed, wholly out */
	SOFT_CSUM_WAITS,   /* consumed; its rest waits in the backlog */
	SOFT_CSUM_HELD,    /* nothing is out: it is still the application's */
	SOFT_CSUM_REFUSED, /* can never be sent; still the application's */
};
enum soft_csum_fate soft_csum_super_send(struct soft_csum_txq *txq, struct rte_mbuf *m,
					 enum csum_refusal *why);
/* Begin to cut a super-packet into what the lower port takes; else why not, as csum_gso.h says. */
int soft_csum_super_begin(const struct soft_csum_txq *txq, const struct rte_mbuf *m,
			  struct csum_gso_iter *iter, enum csum_refusal *why);
/* Send what waits, as far as it goes. Returns whether the queue is free. */
bool soft_csum_backlog_drain(struct soft_csum_txq *txq);
/*
 * Come back when no alarm of this process sends what waits any more. All that is left of the port
 * may be its place in this process: the primary one may have closed it.
 */
void soft_csum_alarm_cancel(struct rte_eth_dev *dev);
/* The lower port is gone: send nothing that waits, and come back when no alarm does any more. */
void soft_csum_backlog_halt(struct soft_csum_port *port);
/* Before a queue stops: send what waits for a bounded time, then free and count the rest. */
void soft_csum_txq_flush(struct soft_csum_txq *txq);
/* The same before the port stops. */
void soft_csum_backlog_flush(struct rte_eth_dev *dev);
int soft_csum_tx_done_cleanup(void *queue, uint32_t free_cnt);
int soft_csum_tx_descriptor_status(void *queue, uint16_t offset);

/* Tell whether anything waits; then soft_csum_backlog_drain() comes first. */
static inline bool
soft_csum_backlog_waits(struct soft_csum_txq *txq)
{
	return atomic_load_explicit(&txq->backlog.waiting, memory_order_acquire);
}

/* stats.c, xstats.c */

int soft_csum_stats_fill(struct rte_eth_dev *dev, struct rte_eth_stats *stats,
			 struct soft_csum_queue_stats *queues);
int soft_csum_stats_reset(struct rte_eth_dev *dev);
int soft_csum_xstats_get(struct rte_eth_dev *dev, struct rte_eth_xstat *xstats, unsigned int n);
int soft_csum_xstats_get_names(struct rte_eth_dev *dev, struct rte_eth_xstat_name *names,
			       unsigned int n);
int soft_csum_xstats_reset(struct rte_eth_dev *dev);
/* The xstats that are not the lower port's; returns how many. Either may be NULL. */
unsigned int soft_csum_own_stats(struct rte_eth_dev *dev, struct rte_eth_xstat_name *names,
				 struct rte_eth_xstat *values);

#endif /* _SOFT_CSUM_H_ */
