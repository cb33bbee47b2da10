/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include <rte_bus_vdev.h>
#include <rte_devargs.h>
#include <rte_mempool.h>

#include "driver_test.h"
#include "ref_csum.h"
#include "ref_judge.h"

#define APP_MBUFS 4096

struct rte_mempool *app_pool;
struct frame frame;

void
driver_start(const char *const eal_args[])
{
	harness_start(256, eal_args);
	app_pool = harness_pool("app", APP_MBUFS, 2048);
}

int
port_create(const char *name, const char *args)
{
	return rte_vdev_init(name, args);
}

void
port_remove(const char *name)
{
	assert_int_equal(rte_vdev_uninit(name), 0);
}

void
need_driver(const char *name)
{
	struct rte_devargs args = { 0 };
	int ret = rte_devargs_parse(&args, name);

	rte_devargs_reset(&args);
	if (ret == 0)
		return;
	print_message("# the driver of %s is not installed\n", name);
	skip();
}

uint16_t
port_id(const char *name)
{
	uint16_t id = UINT16_MAX;

	assert_int_equal(rte_eth_dev_get_port_by_name(name, &id), 0);
	return id;
}

void
port_start(uint16_t port, uint64_t tx_offloads)
{
	struct rte_eth_conf conf = { .txmode.offloads = tx_offloads };

	assert_int_equal(rte_eth_dev_configure(port, 1, 1, &conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(port, 0, 256, SOCKET_ID_ANY, NULL, app_pool), 0);
	assert_int_equal(rte_eth_tx_queue_setup(port, 0, 256, SOCKET_ID_ANY, NULL), 0);
	assert_int_equal(rte_eth_dev_start(port), 0);
}

void
port_close(uint16_t port)
{
	assert_int_equal(rte_eth_dev_stop(port), 0);
	assert_int_equal(rte_eth_dev_close(port), 0);
}

int
script_setup(void **state)
{
	(void)state;
	script_reset();
	assert_int_equal(port_create(LOWER, NULL), 0);
	assert_int_equal(port_create(SOFT, OVER_LOWER), 0);
	return 0;
}

int
script_teardown(void **state)
{
	(void)state;
	script_free_kept();
	assert_int_equal(script.overlaps, 0);
	assert_int_equal(driver_in_use(), 0);
	port_remove(SOFT);
	port_remove(LOWER);
	script_reset();
	assert_int_equal(harness_in_use(app_pool), 0);
	return 0;
}

uint16_t
send_one(uint16_t port, struct rte_mbuf *m)
{
	return rte_eth_tx_burst(port, 0, &m, 1);
}

static void
add_in_use(struct rte_mempool *pool, void *arg)
{
	unsigned int *nb = arg;

	if (strncmp(pool->name, "soft_csum_", strlen("soft_csum_")) == 0)
		*nb += rte_mempool_in_use_count(pool);
}

unsigned int
driver_in_use(void)
{
	unsigned int nb = 0;

	rte_mempool_walk(add_in_use, &nb);
	return nb;
}

struct pools {
	unsigned int nb;
	struct rte_mempool *pool[4];
};

static void
add_pool(struct rte_mempool *pool, void *arg)
{
	struct pools *pools = arg;

	if (strncmp(pool->name, "soft_csum_", strlen("soft_csum_")) == 0 &&
			pools->nb < RTE_DIM(pools->pool))
		pools->pool[pools->nb++] = pool;
}

struct rte_mempool *
driver_pool(unsigned int i)
{
	struct pools pools = { 0 };

	rte_mempool_walk(add_pool, &pools);
	return i < pools.nb ? pools.pool[i] : NULL;
}

uint64_t
xstat(uint16_t port, const char *name)
{
	uint64_t id, value = 0;

	if (rte_eth_xstats_get_id_by_name(port, name, &id) != 0)
		fail_msg("no xstat %s", name);
	assert_int_equal(rte_eth_xstats_get_by_id(port, &id, &value, 1), 1);
	return value;
}

static struct rte_mbuf *
finish(uint64_t ol_flags)
{
	struct rte_mbuf *m;

	frame_finish(&frame);
	m = frame_mbuf(&frame, app_pool, NULL, 0);
	m->ol_flags |= ol_flags;
	return m;
}

struct rte_mbuf *
tcp4(uint32_t n, uint64_t ol_flags)
{
	frame_init(&frame);
	frame_ether(&frame);
	frame_i4(&frame);
	frame_tcp(&frame, 0x10, NULL, 0);
	frame_payload(&frame, n);
	return finish(ol_flags);
}

struct rte_mbuf *
tcp4_in_vxlan(uint32_t n, uint64_t ol_flags)
{
	frame_init(&frame);
	frame_ether(&frame);
	frame_outer4(&frame);
	frame_udp(&frame, 50000, 4789);
	frame_vxlan(&frame, 42);
	frame_ether_inner(&frame);
	frame_i4(&frame);
	frame_tcp(&frame, 0x10, NULL, 0);
	frame_payload(&frame, n);
	return finish(ol_flags | RTE_MBUF_F_TX_TUNNEL_VXLAN | RTE_MBUF_F_TX_OUTER_IPV4);
}

struct rte_mbuf *
udp4(uint32_t n, uint64_t ol_flags)
{
	frame_init(&frame);
	frame_ether(&frame);
	frame_i4(&frame);
	frame_udp(&frame, 1024, 4096);
	frame_payload(&frame, n);
	return finish(ol_flags);
}

struct rte_mbuf *
tcp6(uint32_t n, uint64_t ol_flags)
{
	frame_init(&frame);
	frame_ether(&frame);
	frame_i6(&frame);
	frame_tcp(&frame, 0x10, NULL, 0);
	frame_payload(&frame, n);
	return finish(ol_flags);
}

/* Fill in a TCP or UDP checksum under an IP header without extension headers. */
static void
fill_l4(uint8_t *p, uint32_t l3, uint32_t l4, uint8_t proto)
{
	bool v6 = p[l3] >> 4 == 6;
	uint32_t end = v6 ? l3 + 40 + harness_be16(p + l3 + 4) : l3 + harness_be16(p + l3 + 2);
	uint8_t *field = p + l4 + (proto == 6 ? 16 : 6);
	struct ref_sum sum = { 0 };

	harness_put_be16(field, 0);
	ref_sum_add(&sum, p + l3 + (v6 ? 8 : 12), v6 ? 32 : 8);
	ref_sum_add16(&sum, proto);
	ref_sum_add16(&sum, (uint16_t)(end - l4));
	ref_sum_add(&sum, p + l4, end - l4);
	harness_put_be16(field, sum.raw == 0xffff && proto == 17 ? 0xffff : (uint16_t)~sum.raw);
}

static void
fill_ip(uint8_t *p)
{
	harness_put_be16(p + 10, 0);
	harness_put_be16(p + 10, ref_check(p, (p[0] & 0xf) * 4));
}

/* What the lower port was asked for: the wire sees it done, the innermost first. */
static void
carry_out_below(const struct script_frame *f)
{
	const uint64_t outer = RTE_MBUF_F_TX_OUTER_IPV4 | RTE_MBUF_F_TX_OUTER_IPV6;
	struct rte_mbuf lens = { .tx_offload = f->tx_offload };
	uint32_t outer_l4 = lens.outer_l2_len + lens.outer_l3_len;
	uint32_t l3 = lens.l2_len + ((f->ol_flags & outer) != 0 ? outer_l4 : 0);
	uint64_t l4_type = f->ol_flags & RTE_MBUF_F_TX_L4_MASK;

	if (f->ol_flags & RTE_MBUF_F_TX_IP_CKSUM)
		fill_ip(f->data + l3);
	if (l4_type == RTE_MBUF_F_TX_TCP_CKSUM)
		fill_l4(f->data, l3, l3 + lens.l3_len, 6);
	else if (l4_type == RTE_MBUF_F_TX_UDP_CKSUM)
		fill_l4(f->data, l3, l3 + lens.l3_len, 17);
	if (f->ol_flags & RTE_MBUF_F_TX_OUTER_IP_CKSUM)
		fill_ip(f->data + lens.outer_l2_len);
	if (f->ol_flags & RTE_MBUF_F_TX_OUTER_UDP_CKSUM)
		fill_l4(f->data, lens.outer_l2_len, outer_l4, 17);
}

static void
assert_verdicts(unsigned int first, unsigned int last, bool zero_too)
{
	struct ref_report report;
	unsigned int i, column, layer;
	enum ref_verdict verdict;

	assert_true(last <= script.nb_frames);
	for (i = first; i < last; i++) {
		const struct script_frame *f = &script.frames[i];

		carry_out_below(f);
		assert_int_equal(ref_judge(f->data, f->len, f->len, REF_LINK_ETHER, &report), 0);
		for (column = 0; column < REF_NB_COLUMNS; column++) {
			for (layer = 0; layer < report.count[column]; layer++) {
				verdict = report.list[column][layer];
				if (verdict != REF_GOOD && !(zero_too && verdict == REF_ZERO))
					fail_msg("frame %u: %s is %s", i,
						ref_column_name(column),
						ref_verdict_name(verdict));
			}
		}
	}
}

void
assert_good(unsigned int first, unsigned int last)
{
	assert_verdicts(first, last, false);
}

void
assert_good_or_zero(unsigned int first, unsigned int last)
{
	assert_verdicts(first, last, true);
}

uint16_t
field(unsigned int nth, uint32_t off)
{
	assert_true(nth < script.nb_frames);
	return harness_be16(script.frames[nth].data + off);
}

uint16_t
started(uint64_t lower_capa, uint64_t tx_offloads)
{
	uint16_t port = port_id(SOFT);

	script.tx_capa = lower_capa;
	port_start(port, tx_offloads);
	return port;
}

uint16_t
started_plain(void)
{
	return started(RTE_ETH_TX_OFFLOAD_MULTI_SEGS, TSO_OFFLOADS);
}

void
recreate(const char *args)
{
	port_remove(SOFT);
	assert_int_equal(port_create(SOFT, args), 0);
}
