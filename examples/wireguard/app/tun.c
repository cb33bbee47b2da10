/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <linux/if_tun.h>

#include <csum_pkt.h>

#include "tun.h"

/* Headers older than Linux 6.2 lack them. */
#ifndef TUN_F_USO4
#define TUN_F_USO4 0x20
#define TUN_F_USO6 0x40
#endif

/* Super-packets that may be there at a time: one that is being cut, and one to read into. */
#define NB_SUPERS 3
#define MAX_IOV   128

/* linux/ipv6.h has it, but does not go together with netinet/in.h. */
struct in6_request {
	struct in6_addr addr;
	uint32_t prefix_len;
	int index;
};

static bool
add_ipv4(int fd, struct ifreq *ifr, const struct wg_prefix *prefix)
{
	struct sockaddr_in sin = { .sin_family = AF_INET };

	memcpy(&sin.sin_addr, prefix->addr.bytes, sizeof(sin.sin_addr));
	memcpy(&ifr->ifr_addr, &sin, sizeof(sin));
	if (ioctl(fd, SIOCSIFADDR, ifr) != 0)
		return false;
	sin.sin_addr.s_addr = htonl((uint32_t)(UINT64_MAX << (32 - prefix->bits)));
	memcpy(&ifr->ifr_netmask, &sin, sizeof(sin));
	return ioctl(fd, SIOCSIFNETMASK, ifr) == 0;
}

static bool
add_ipv6(struct ifreq *ifr, const struct wg_prefix *prefix)
{
	struct in6_request request = { .prefix_len = prefix->bits };
	int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool done;

	if (fd < 0)
		return false;
	memcpy(&request.addr, prefix->addr.bytes, sizeof(request.addr));
	done = ioctl(fd, SIOCGIFINDEX, ifr) == 0;
	request.index = ifr->ifr_ifindex;
	done = done && ioctl(fd, SIOCSIFADDR, &request) == 0;
	close(fd);
	return done;
}

/* What failed, or NULL. */
static const char *
set_up(int fd, const char *name, uint16_t mtu, const struct wg_prefix *address,
       unsigned int nb_address)
{
	struct ifreq ifr = { .ifr_mtu = mtu };
	unsigned int i;

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name);
	if (ioctl(fd, SIOCSIFMTU, &ifr) != 0)
		return "its MTU cannot be set";
	for (i = 0; i < nb_address; i++)
		if (!(address[i].addr.len == 4 ? add_ipv4(fd, &ifr, &address[i]) :
						 add_ipv6(&ifr, &address[i])))
			return "an address cannot be set";
	if (ioctl(fd, SIOCGIFFLAGS, &ifr) != 0)
		return "no flags";
	ifr.ifr_flags |= IFF_UP;
	return ioctl(fd, SIOCSIFFLAGS, &ifr) == 0 ? NULL : "it does not come up";
}

/* What failed, or NULL. */
static const char *
attach(int fd, const char *name)
{
	const unsigned int tso = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN;
	struct ifreq ifr = { .ifr_flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR };
	int size = CSUM_VIRTIO_MRG_HDR_LEN;

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", name);
	if (ioctl(fd, TUNSETIFF, &ifr) != 0)
		return "it cannot be made";
	if (ioctl(fd, TUNSETVNETHDRSZ, &size) != 0)
		return "it has no long virtio-net header";
	if (ioctl(fd, TUNSETOFFLOAD, tso | TUN_F_USO4 | TUN_F_USO6) != 0 &&
	    ioctl(fd, TUNSETOFFLOAD, tso) != 0)
		return "it takes no offloads";
	return NULL;
}

bool
tun_open(struct tun *tun, const char *name, const struct wg_prefix *address,
	 unsigned int nb_address, char *error, size_t error_len)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	const char *what = NULL;

	/* No room in front: what a super-packet begins with lies in another mbuf. */
	tun->supers = rte_pktmbuf_pool_create("supers", NB_SUPERS, 0, 0, UINT16_MAX, SOCKET_ID_ANY);
	tun->fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (tun->supers == NULL)
		what = "no memory for super-packets";
	else if (fd < 0)
		what = "no socket";
	else if (tun->fd < 0)
		what = "/dev/net/tun cannot be opened";
	if (what == NULL)
		what = attach(tun->fd, name);
	if (what == NULL)
		what = set_up(fd, name, tun->mtu, address, nb_address);
	if (what != NULL)
		snprintf(error, error_len, "%s: %s: %s", name, what, strerror(errno));
	if (fd >= 0)
		close(fd);
	if (what != NULL)
		tun_close(tun);
	return what == NULL;
}

void
tun_close(struct tun *tun)
{
	if (tun->fd >= 0)
		close(tun->fd);
	rte_pktmbuf_free(tun->first);
	rte_pktmbuf_free(tun->rest);
	rte_mempool_free(tun->supers);
}

/* Have two mbufs to read a packet into. */
static bool
prepare_room(struct tun *tun)
{
	if (tun->first == NULL)
		tun->first = rte_pktmbuf_alloc(tun->pool);
	if (tun->rest == NULL)
		tun->rest = rte_pktmbuf_alloc(tun->supers);
	if (tun->first != NULL && tun->rest != NULL)
		return true;
	count(tun->counters, COUNT_NO_MBUF, 1);
	return false;
}

/* The packet of @p len bytes that was read; the room is used up as far as it goes. */
static struct rte_mbuf *
take_packet(struct tun *tun, uint32_t len)
{
	struct rte_mbuf *m = tun->first;

	tun->first = NULL;
	rte_pktmbuf_append(m, (uint16_t)RTE_MIN(len, tun->mtu));
	if (len > tun->mtu) {
		rte_pktmbuf_append(tun->rest, (uint16_t)(len - tun->mtu));
		rte_pktmbuf_chain(m, tun->rest);
		tun->rest = NULL;
	}
	return m;
}

/* From what was read to a packet with Tx requests. */
static int
accept_packet(struct rte_mbuf *m, const struct csum_virtio_hdr *hdr)
{
	enum csum_refusal why;
	int ret = csum_virtio_to_mbuf(m, hdr, CSUM_LINK_IP, &why);

	/* Neither TCP nor UDP: no Tx flag can ask for it, but the header says where it is. */
	if (ret == -ENOTSUP && why == CSUM_REFUSAL_PROTOCOL &&
	    hdr->flags == CSUM_VIRTIO_NEEDS_CSUM && hdr->gso_type == CSUM_VIRTIO_GSO_NONE)
		ret = csum_pkt_complete(m, hdr->csum_start, hdr->csum_offset);
	return ret;
}

int
tun_read(struct tun *tun, struct rte_mbuf **m)
{
	uint8_t raw[CSUM_VIRTIO_MRG_HDR_LEN];
	struct csum_virtio_hdr hdr;
	struct iovec iov[3];
	uint32_t len;
	ssize_t n;

	if (!prepare_room(tun))
		return 0;
	iov[0] = (struct iovec) { raw, sizeof(raw) };
	iov[1] = (struct iovec) { rte_pktmbuf_mtod(tun->first, void *), tun->mtu };
	iov[2] = (struct iovec) { rte_pktmbuf_mtod(tun->rest, void *),
				  rte_pktmbuf_tailroom(tun->rest) };
	n = readv(tun->fd, iov, RTE_DIM(iov));
	if (n <= (ssize_t)sizeof(raw))
		return 0;
	len = (uint32_t)n - sizeof(raw);
	*m = take_packet(tun, len);
	count(tun->counters, COUNT_TUN_READ, 1);
	count(tun->counters, COUNT_TUN_READ_BYTES, len);
	csum_virtio_hdr_read(&hdr, raw, sizeof(raw), CSUM_VIRTIO_NATIVE);
	if (accept_packet(*m, &hdr) == 0)
		return 1;
	count(tun->counters, COUNT_TUN_REFUSED, 1);
	rte_pktmbuf_free(*m);
	return -1;
}

void
tun_write(struct tun *tun, const struct csum_virtio_hdr *hdr, const struct rte_mbuf *m,
	  unsigned int nb_packets)
{
	uint8_t raw[CSUM_VIRTIO_MRG_HDR_LEN];
	struct iovec iov[MAX_IOV];
	const struct rte_mbuf *seg;
	int nb = 0;

	csum_virtio_hdr_write(raw, sizeof(raw), CSUM_VIRTIO_NATIVE, hdr);
	iov[nb++] = (struct iovec) { raw, sizeof(raw) };
	for (seg = m; seg != NULL && nb < MAX_IOV; seg = seg->next)
		iov[nb++] = (struct iovec) { rte_pktmbuf_mtod(seg, void *), seg->data_len };
	count(tun->counters, COUNT_TUN_WRITES, 1);
	if (writev(tun->fd, iov, nb) == (ssize_t)(sizeof(raw) + m->pkt_len)) {
		count(tun->counters, COUNT_TUN_WRITTEN, nb_packets);
		count(tun->counters, COUNT_TUN_WRITTEN_BYTES, m->pkt_len);
	} else {
		count(tun->counters, COUNT_TUN_WRITE_FAILED, nb_packets);
	}
}
