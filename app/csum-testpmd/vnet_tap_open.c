/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/if_tun.h>

#include "vnet_tap.h"

/* Headers older than Linux 6.2 lack them. */
#ifndef TUN_F_USO4
#define TUN_F_USO4 0x20
#define TUN_F_USO6 0x40
#endif

/* Tells Linux what we take; without it there would be no super-packets. */
static int
set_offloads(int fd, bool *uso)
{
	const unsigned int tso = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN;

	*uso = ioctl(fd, TUNSETOFFLOAD, tso | TUN_F_USO4 | TUN_F_USO6) == 0;
	if (*uso || ioctl(fd, TUNSETOFFLOAD, tso) == 0)
		return 0;
	return -errno;
}

static int
set_up(int fd, char name[IFNAMSIZ], bool *uso)
{
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR };
	const int header_len = CSUM_VIRTIO_HDR_LEN;

	memcpy(ifr.ifr_name, name, IFNAMSIZ);
	if (ioctl(fd, TUNSETIFF, &ifr) != 0)
		return -errno;
	memcpy(name, ifr.ifr_name, IFNAMSIZ);
	/* A device that was there before keeps the length that its last user wanted. */
	if (ioctl(fd, TUNSETVNETHDRSZ, &header_len) != 0)
		return -errno;
	return set_offloads(fd, uso);
}

int
vnet_tap_open(char name[IFNAMSIZ], bool *uso)
{
	int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	ret = set_up(fd, name, uso);
	if (ret != 0) {
		close(fd);
		return ret;
	}
	return fd;
}
