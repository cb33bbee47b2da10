/* SPDX-License-Identifier: BSD-3-Clause */

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/if_tun.h>

#include "harness.h"
#include "tun_ns.h"

/* Headers older than Linux 6.2 lack them. */
#ifndef TUN_F_USO4
#define TUN_F_USO4 0x20
#define TUN_F_USO6 0x40
#endif

/* linux/ipv6.h has it, but does not go together with netinet/in.h. */
struct in6_request {
	struct in6_addr addr;
	uint32_t prefix_len;
	int index;
};

static bool
write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return done;
}

static bool
user_ns_enter(void)
{
	unsigned int uid = geteuid(), gid = getegid();
	char map[32];

	if (unshare(CLONE_NEWUSER) != 0 || !write_file("/proc/self/setgroups", "deny"))
		return false;
	snprintf(map, sizeof(map), "0 %u 1", uid);
	if (!write_file("/proc/self/uid_map", map))
		return false;
	snprintf(map, sizeof(map), "0 %u 1", gid);
	return write_file("/proc/self/gid_map", map);
}

static int
tun_attach(const char *name, short flags)
{
	struct ifreq ifr = { .ifr_flags = flags };
	int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name);
	if (fd >= 0 && ioctl(fd, TUNSETIFF, &ifr) != 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

const char *
tun_ns_start(void)
{
	int fd;

	if (access("/dev/net/tun", R_OK | W_OK) != 0)
		return "no /dev/net/tun";
	if (geteuid() != 0 && !user_ns_enter())
		return "no user namespaces";
	if (unshare(CLONE_NEWNET) != 0)
		return "no network namespaces";
	fd = tun_attach("probe", IFF_TUN | IFF_NO_PI | IFF_VNET_HDR);
	if (fd < 0)
		return "no TUN device with IFF_VNET_HDR";
	close(fd);
	fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return "no IPv6";
	close(fd);
	return NULL;
}

void
tun_ns_make(struct tun_ns *ns)
{
	assert_int_equal(unshare(CLONE_NEWNET), 0);
	ns->fd = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	assert_true(ns->fd >= 0);
}

void
tun_ns_enter(const struct tun_ns *ns)
{
	assert_int_equal(setns(ns->fd, CLONE_NEWNET), 0);
}

void
tun_ns_close(struct tun_ns *ns)
{
	close(ns->fd);
}

/* The kernel does part of the work in its own time: the device runs, its IPv6 address is valid. */
static bool
is_ready(int fd, int fd6, struct ifreq *ifr, const struct in6_addr *addr)
{
	struct sockaddr_in6 sin6 = { .sin6_family = AF_INET6, .sin6_addr = *addr };

	assert_int_equal(ioctl(fd, SIOCGIFFLAGS, ifr), 0);
	return (ifr->ifr_flags & IFF_RUNNING) != 0 &&
	       bind(fd6, (struct sockaddr *)&sin6, sizeof(sin6)) == 0;
}

static void
address_add(const char *name, unsigned int net, unsigned int host)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	struct in6_request request = { .prefix_len = 64 };
	struct ifreq ifr = { 0 };
	char text[INET6_ADDRSTRLEN];
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int fd6 = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	unsigned int tries;

	assert_true(fd >= 0 && fd6 >= 0);
	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name);
	addr.sin_addr.s_addr = htonl(0x0a4e0000 | net << 8 | host);
	memcpy(&ifr.ifr_addr, &addr, sizeof(addr));
	assert_int_equal(ioctl(fd, SIOCSIFADDR, &ifr), 0);
	addr.sin_addr.s_addr = htonl(0xffffff00);
	memcpy(&ifr.ifr_netmask, &addr, sizeof(addr));
	assert_int_equal(ioctl(fd, SIOCSIFNETMASK, &ifr), 0);

	assert_int_equal(ioctl(fd, SIOCGIFFLAGS, &ifr), 0);
	ifr.ifr_flags |= IFF_UP;
	assert_int_equal(ioctl(fd, SIOCSIFFLAGS, &ifr), 0);
	assert_int_equal(ioctl(fd, SIOCGIFINDEX, &ifr), 0);
	request.index = ifr.ifr_ifindex;
	snprintf(text, sizeof(text), "fd00:78:%u::%u", net, host);
	assert_int_equal(inet_pton(AF_INET6, text, &request.addr), 1);
	assert_int_equal(ioctl(fd6, SIOCSIFADDR, &request), 0);
	for (tries = 0; !is_ready(fd, fd6, &ifr, &request.addr); tries++) {
		assert_true(tries < 5000);
		usleep(1000);
	}
	close(fd);
	close(fd6);
}

void
tun_dev_open(struct tun_dev *dev, uint32_t hdr_len, bool little_endian, unsigned int net,
	     unsigned int host)
{
	const unsigned int tso = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN;
	int size = (int)hdr_len, on = 1;
	char name[IFNAMSIZ];

	snprintf(name, sizeof(name), "tun%u", net);
	*dev = (struct tun_dev) { .hdr_len = hdr_len, .little_endian = little_endian };
	dev->fd = tun_attach(name, IFF_TUN | IFF_NO_PI | (hdr_len != 0 ? IFF_VNET_HDR : 0));
	assert_true(dev->fd >= 0);
	if (hdr_len != 0) {
		assert_int_equal(ioctl(dev->fd, TUNSETVNETHDRSZ, &size), 0);
		if (little_endian)
			assert_int_equal(ioctl(dev->fd, TUNSETVNETLE, &on), 0);
		dev->uso = ioctl(dev->fd, TUNSETOFFLOAD, tso | TUN_F_USO4 | TUN_F_USO6) == 0;
		if (!dev->uso)
			assert_int_equal(ioctl(dev->fd, TUNSETOFFLOAD, tso), 0);
	}
	address_add(name, net, host);
}

void
tun_dev_close(struct tun_dev *dev)
{
	close(dev->fd);
}

bool
tun_ns_sysctl(const char *path, const char *value)
{
	char full[128];

	snprintf(full, sizeof(full), "/proc/sys/net/%s", path);
	return write_file(full, value);
}

/* "Group: name name ..." and the line behind it, "Group: value value ...". */
static bool
find_column(const char *names, const char *values, const char *name, uint64_t *value)
{
	char word[64];
	int n, v;

	while (sscanf(names, "%63s%n", word, &n) == 1 && sscanf(values, "%*s%n", &v) == 0) {
		if (strcmp(word, name) == 0) {
			*value = strtoull(values, NULL, 10);
			return true;
		}
		names += n;
		values += v;
	}
	return false;
}

static bool
find_snmp(const char *group, const char *name, uint64_t *value)
{
	FILE *file = fopen("/proc/thread-self/net/snmp", "re");
	size_t len = strlen(group);
	char names[4096], values[4096];
	bool found = false;

	assert_non_null(file);
	while (!found && fgets(names, sizeof(names), file) != NULL &&
	       fgets(values, sizeof(values), file) != NULL)
		found = strncmp(names, group, len) == 0 && names[len] == ':' &&
			find_column(names + len + 1, values + len + 1, name, value);
	fclose(file);
	return found;
}

static bool
find_snmp6(const char *group, const char *name, uint64_t *value)
{
	FILE *file = fopen("/proc/thread-self/net/snmp6", "re");
	char wanted[64], word[64];
	unsigned long long number;
	bool found = false;

	assert_non_null(file);
	snprintf(wanted, sizeof(wanted), "%s%s", group, name);
	while (!found && fscanf(file, "%63s %llu", word, &number) == 2) {
		found = strcmp(word, wanted) == 0;
		*value = number;
	}
	fclose(file);
	return found;
}

uint64_t
tun_ns_counter(const char *group, const char *name)
{
	uint64_t value = 0;

	if (!find_snmp(group, name, &value) && !find_snmp6(group, name, &value))
		fail_msg("no counter %s %s", group, name);
	return value;
}

uint64_t
tun_ns_csum_errors(void)
{
	return tun_ns_counter("Tcp", "InCsumErrors") + tun_ns_counter("Udp", "InCsumErrors") +
	       tun_ns_counter("Udp6", "InCsumErrors") + tun_ns_counter("Ip", "InHdrErrors") +
	       tun_ns_counter("Ip6", "InHdrErrors");
}
