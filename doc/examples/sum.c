/* SPDX-License-Identifier: BSD-3-Clause */

/* Checksums of flat memory. Needs no DPDK. */

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

#include <csum.h>

#define IPV4_TTL 8
#define IPV4_CHECK 10

/* begin: fill */
/* Fill in the checksum of an IPv4 header. */
static void
ipv4_fill(uint8_t *hdr, size_t len)
{
	uint16_t check = 0;

	memcpy(hdr + IPV4_CHECK, &check, sizeof(check));
	check = csum_sum_check(csum_partial(hdr, len, 0));
	memcpy(hdr + IPV4_CHECK, &check, sizeof(check));
}
/* end: fill */

/* begin: update */
/* Decrease the time to live and correct the checksum without a look at the rest. */
static void
ipv4_forward(uint8_t *hdr)
{
	uint16_t before, after, check;

	memcpy(&before, hdr + IPV4_TTL, sizeof(before));
	hdr[IPV4_TTL]--;
	memcpy(&after, hdr + IPV4_TTL, sizeof(after));
	memcpy(&check, hdr + IPV4_CHECK, sizeof(check));
	check = csum_check_update16(check, before, after);
	memcpy(hdr + IPV4_CHECK, &check, sizeof(check));
}
/* end: update */

/* begin: gather */
/* Put pieces together and sum the whole in the same pass. */
static uint32_t
gather(uint8_t *dst, const struct iovec *piece, unsigned int nb_pieces)
{
	uint32_t sum = 0, block;
	size_t off = 0;
	unsigned int i;

	for (i = 0; i < nb_pieces; i++) {
		block = csum_partial_copy(dst + off, piece[i].iov_base, piece[i].iov_len, 0);
		sum = csum_sum_combine(sum, block, off);
		off += piece[i].iov_len;
	}
	return sum;
}
/* end: gather */

static void
print_header(const char *what, const uint8_t *hdr)
{
	printf("%-9s ttl %u, check %02x%02x, sum with it %04x\n", what, hdr[IPV4_TTL],
		hdr[IPV4_CHECK], hdr[IPV4_CHECK + 1], csum_sum_fold(csum_partial(hdr, 20, 0)));
}

int
main(void)
{
	uint8_t hdr[20] = {
		0x45, 0, 0, 40, 0, 1, 0, 0, 64, 6, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2,
	};
	char one[] = "odd", two[] = "pieces", whole[9];
	const struct iovec pieces[] = { { one, 3 }, { two, 6 } };
	uint32_t sum;

	ipv4_fill(hdr, sizeof(hdr));
	print_header("filled", hdr);
	ipv4_forward(hdr);
	print_header("forwarded", hdr);

	sum = gather((uint8_t *)whole, pieces, 2);
	printf("\"%.9s\": %s\n", whole,
		csum_sum_fold(sum) == csum_sum_fold(csum_partial("oddpieces", 9, 0)) ?
		"the sum of the pieces is that of the whole" : "the sums differ");
	return 0;
}
