/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _TUN_NS_H_
#define _TUN_NS_H_

/**
 * @file
 * A Linux network stack of one's own: private network namespaces, with TUN devices as their only
 * ways out. Sockets and devices stay in the namespace that they were opened in, so one thread can
 * play with several. Whatever fails here fails the running test.
 */

#include <stdbool.h>
#include <stdint.h>

/** A network namespace. */
struct tun_ns {
	int fd;
};

/** What a TUN device does besides carrying IP packets. */
struct tun_dev {
	int fd;             /**< non-blocking */
	uint32_t hdr_len;   /**< bytes of the virtio-net header in front of each packet; 0: none */
	bool little_endian; /**< of that header */
	bool uso;           /**< takes part in UDP segmentation (Linux 6.2 and later) */
};

/**
 * Find out whether there are namespaces and TUN devices here. Call it before any thread is
 * started: without root rights it goes into a user namespace.
 *
 * @return
 *   NULL, or why not.
 */
const char *tun_ns_start(void);

/** Make a namespace and go into it. */
void tun_ns_make(struct tun_ns *ns);

/** Go into a namespace; what is opened, and counters that are read, are its own from now on. */
void tun_ns_enter(const struct tun_ns *ns);

/** Close it. Devices and sockets in it go on until they are closed too. */
void tun_ns_close(struct tun_ns *ns);

/**
 * Make a TUN device in the current namespace, with addresses 10.78.@p net.@p host/24 and
 * fd00:78:@p net::@p host/64.
 *
 * @param hdr_len
 *   0 for a device without any offload, 10 or 12 for one with a virtio-net header and all of them.
 */
void tun_dev_open(struct tun_dev *dev, uint32_t hdr_len, bool little_endian, unsigned int net,
		  unsigned int host);

void tun_dev_close(struct tun_dev *dev);

/** Write a file under /proc/sys/net; false where that is not allowed. */
bool tun_ns_sysctl(const char *path, const char *value);

/** A counter of the current namespace, of /proc/net/snmp or snmp6 ("Tcp" "InCsumErrors"). */
uint64_t tun_ns_counter(const char *group, const char *name);

/** Sum of all its counters of wrong checksums. */
uint64_t tun_ns_csum_errors(void);

#endif /* _TUN_NS_H_ */
