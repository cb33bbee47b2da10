/* SPDX-License-Identifier: BSD-3-Clause */

#include <string.h>

#include <rte_bus_vdev.h>
#include <rte_mempool.h>

#include "driver_test.h"
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

static void
assert_verdicts(unsigned int first, unsigned int last, bool zero_too)
{
	struct ref_report report;
	unsigned int i, column, layer;
	enum ref_verdict verdict;

	assert_true(last <= script.nb_frames);
	for (i = first; i < last; i++) {
		const struct script_frame *f = &script.frames[i];

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
