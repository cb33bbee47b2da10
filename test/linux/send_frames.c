/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Send the frames of a capture through a network device, as they are.
 *
 * usage: send-frames FILE DEVICE [RECEIVER]...
 *
 * FILE is a pcap file in this machine's byte order. The RECEIVERs stop to coalesce what they get
 * (GRO), so that the stack counts each frame. Linked statically: it runs where there is nothing
 * else.
 */

#include <net/if.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/ethtool.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>

#define FILE_HDR   24
#define MAX_FRAME  65536
/* A device's backlog holds 1000 packets; let it be worked off now and then. */
#define BURST      64
#define PAUSE_USEC 2000
#define PATIENCE_USEC 20000000

static void
die(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static void
gro_off(int fd, const char *device)
{
	struct ethtool_value value = { .cmd = ETHTOOL_SGRO, .data = 0 };
	struct ifreq ifr = { .ifr_data = (void *)&value };

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", device);
	if (ioctl(fd, SIOCETHTOOL, &ifr) != 0)
		die(device);
}

/* A device that was set up a moment ago drops what it is given until the kernel has noticed. */
static void
wait_running(int fd, const char *device)
{
	struct ifreq ifr = { 0 };
	unsigned int waited;

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", device);
	for (waited = 0; waited < PATIENCE_USEC; waited += PAUSE_USEC) {
		if (ioctl(fd, SIOCGIFFLAGS, &ifr) != 0)
			die(device);
		if ((ifr.ifr_flags & IFF_RUNNING) != 0)
			return;
		usleep(PAUSE_USEC);
	}
	fprintf(stderr, "%s: does not run\n", device);
	exit(EXIT_FAILURE);
}

static void
send_all(int fd, FILE *file, const struct sockaddr_ll *to)
{
	static uint8_t frame[MAX_FRAME];
	uint32_t record[4];
	unsigned int n = 0;

	while (fread(record, sizeof(record), 1, file) == 1) {
		uint32_t len = record[2];

		if (len > sizeof(frame) || fread(frame, len, 1, file) != 1)
			die("frame");
		if (sendto(fd, frame, len, 0, (const struct sockaddr *)to, sizeof(*to)) !=
		    (ssize_t)len)
			die("send");
		if (++n % BURST == 0)
			usleep(PAUSE_USEC);
	}
}

int
main(int argc, char **argv)
{
	struct sockaddr_ll to = { .sll_family = AF_PACKET };
	FILE *file;
	int fd, i;

	if (argc < 3) {
		fprintf(stderr, "usage: %s FILE DEVICE [RECEIVER]...\n", argv[0]);
		return EXIT_FAILURE;
	}
	fd = socket(AF_PACKET, SOCK_RAW, 0);
	if (fd < 0)
		die("socket");
	for (i = 2; i < argc; i++)
		wait_running(fd, argv[i]);
	/* It takes the lock under which the kernel starts devices that run. */
	for (i = 3; i < argc; i++)
		gro_off(fd, argv[i]);
	to.sll_ifindex = (int)if_nametoindex(argv[2]);
	if (to.sll_ifindex == 0)
		die(argv[2]);
	file = fopen(argv[1], "re");
	if (file == NULL || fseek(file, FILE_HDR, SEEK_SET) != 0)
		die(argv[1]);
	send_all(fd, file, &to);
	return EXIT_SUCCESS;
}
