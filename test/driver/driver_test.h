/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _DRIVER_TEST_H_
#define _DRIVER_TEST_H_

/**
 * @file
 * What the driver's tests share. The port under test is net_soft_csum0, over a port of any driver.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_ethdev.h>

#include "frame.h"
#include "harness.h"
#include "script_port.h"

#define SOFT "net_soft_csum0"
#define LOWER "net_script0"
#define OVER_LOWER "lower=" LOWER

#define TSO_OFFLOADS (RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM | \
	RTE_ETH_TX_OFFLOAD_UDP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_TSO | \
	RTE_ETH_TX_OFFLOAD_MULTI_SEGS)

#define TCP4_CKSUM (RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_CKSUM)
#define TCP4_SEG (RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_SEG)

/** The application's mbufs. */
extern struct rte_mempool *app_pool;

/** The frame that tests build in. */
extern struct frame frame;

/** Start EAL and make the pool. */
void driver_start(const char *const eal_args[]);

/** cmocka: a fresh script; net_script0 and net_soft_csum0 over it, not configured. */
int script_setup(void **state);
/** cmocka: close and remove both, and fail if an mbuf is missing. */
int script_teardown(void **state);

/** Create a vdev, and remove it. */
int port_create(const char *name, const char *args);
void port_remove(const char *name);
/** Skip the case where the driver of this name is not installed: each is a package of its own. */
void need_driver(const char *name);
/** A port's number; fails when there is none of that name. */
uint16_t port_id(const char *name);

/** Configure one queue each way, set up, start. */
void port_start(uint16_t port, uint64_t tx_offloads);
/** Stop and close. */
void port_close(uint16_t port);

/** Send one packet. */
uint16_t send_one(uint16_t port, struct rte_mbuf *m);

/** The driver's own pools: the @p i-th, the oldest first, NULL behind the last. */
struct rte_mempool *driver_pool(unsigned int i);

/** Mbufs of the driver's own pool that somebody holds. */
unsigned int driver_in_use(void);

/** An xstat by name; fails when there is none of that name. */
uint64_t xstat(uint16_t port, const char *name);

/** E/I4/T/P(n), E/I4/U/P(n), E/I6/T/P(n) in the frame, and as an mbuf with flags. */
struct rte_mbuf *tcp4(uint32_t n, uint64_t ol_flags);
struct rte_mbuf *tcp4_in_vxlan(uint32_t n, uint64_t ol_flags);
struct rte_mbuf *udp4(uint32_t n, uint64_t ol_flags);
struct rte_mbuf *tcp6(uint32_t n, uint64_t ol_flags);

/**
 * Fail unless all checksums of the frames [first, last) that went down are good once the lower port
 * has filled in what it was asked for, which the reference does here, in script.frames.
 */
void assert_good(unsigned int first, unsigned int last);
/** The same, but UDP may be without one where that is legal. */
void assert_good_or_zero(unsigned int first, unsigned int last);

/** A 16-bit field of the nth frame that went down, in CPU order. */
uint16_t field(unsigned int nth, uint32_t off);

/** The port under test, started over a lower port with these abilities. */
uint16_t started(uint64_t lower_capa, uint64_t tx_offloads);
/** The same over a lower port that takes chains and does nothing else. */
uint16_t started_plain(void);
/** Make the port under test anew, with other arguments. */
void recreate(const char *args);

#endif /* _DRIVER_TEST_H_ */
