/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>

#include <csum_mbuf.h>
#include <csum_virtio.h>

int
csum_pkt_complete(struct rte_mbuf *m, uint32_t start, uint32_t offset)
{
	uint64_t end = (uint64_t)start + offset + sizeof(uint16_t);
	uint32_t sum = 0;
	uint16_t check;

	if (end > m->pkt_len || (offset & 1) != 0)
		return -EINVAL;
	if (!csum_mbuf_is_writable(m, (uint32_t)end))
		return -EBUSY;
	if (csum_mbuf_partial(m, start, m->pkt_len - start, &sum) != 0)
		return -EINVAL;
	check = csum_sum_check_udp(sum);
	return csum_mbuf_write(m, start + offset, &check, sizeof(check));
}
