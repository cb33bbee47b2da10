/* SPDX-License-Identifier: BSD-3-Clause */

/* Pools that run dry at every allocation, in both forms, in the batch and in the iterator. */

#include <errno.h>

#include "gso_test.h"

#define ACK 0x10
#define MAX_SEGS 16

/* A super-packet whose payload lies in mbufs of a pool, and what cutting it takes. */
struct job {
	uint32_t payload;
	uint16_t segsz;
	uint32_t flags;
	unsigned int nb_segs, nb_mbufs, nb_refs;
};

/* Odd pieces, empty ones among them, so that segments of the attach form refer to several. */
static const uint16_t pieces[] = { 54, 700, 0, 301, 1, 1, 999 };

static struct rte_mbuf *
job_packet(const struct job *job, struct csum_gso_req *req)
{
	struct rte_mbuf *m;

	frame_init(&gso_frame);
	gso_frame_tcp4(ACK, job->payload);
	frame_finish(&gso_frame);
	m = frame_mbuf(&gso_frame, gso_in, pieces, RTE_DIM(pieces));
	m->ol_flags |= TSO4;
	m->tso_segsz = job->segsz;
	csum_gso_req_from_mbuf(req, m);
	return m;
}

static void
check_segs(struct rte_mbuf *const segs[], unsigned int nb, uint32_t *done)
{
	static uint8_t flat[UINT16_MAX];
	unsigned int i;
	uint32_t len;

	for (i = 0; i < nb; i++) {
		len = harness_flatten(segs[i], flat, sizeof(flat));
		harness_assert_bytes(flat + 54, gso_frame.data + 54 + *done, len - 54);
		*done += len - 54;
	}
}

/* All or none: what fails leaves both pools and the input as they were. */
static void
batch(const struct job *job, bool enough)
{
	struct rte_mbuf *segs[MAX_SEGS], *m;
	struct csum_gso_req req;
	uint32_t done = 0;
	int ret;

	m = job_packet(job, &req);
	ret = csum_gso_segment(m, &req, &gso_conf, segs, MAX_SEGS, NULL);
	assert_int_equal(ret, enough ? (int)job->nb_segs : -ENOMEM);
	if (enough) {
		check_segs(segs, job->nb_segs, &done);
		rte_pktmbuf_free_bulk(segs, job->nb_segs);
	}
	harness_assert_chain(m, gso_frame.data, gso_frame.len);
	assert_int_equal(rte_mbuf_refcnt_read(m), 1);
	rte_pktmbuf_free(m);
	assert_int_equal(harness_in_use(gso_conf.pool), 0);
	assert_int_equal(harness_in_use(gso_conf.attach_pool), 0);
	assert_int_equal(harness_in_use(gso_in), 0);
}

/* Goes on each time that what it made is freed; @p burst: most segments a call, 0: one by one. */
static void
iterate(const struct job *job, uint16_t burst)
{
	struct rte_mbuf *segs[MAX_SEGS], *m;
	unsigned int made = 0, held, left;
	struct csum_gso_iter it;
	struct csum_gso_req req;
	uint32_t done = 0;
	int ret;

	m = job_packet(job, &req);
	assert_int_equal(csum_gso_iter_init(&it, m, &req, &gso_conf, NULL), 0);
	do {
		for (held = 0;; held += (unsigned int)ret) {
			left = csum_gso_iter_left(&it);
			ret = burst == 0 ? csum_gso_iter_next(&it, &segs[held]) :
				csum_gso_iter_burst(&it, segs + held, burst);
			if (ret <= 0)
				break;
			assert_int_equal(csum_gso_iter_left(&it), left - (unsigned int)ret);
		}
		assert_int_equal(csum_gso_iter_left(&it), left);
		/* Nothing is made of many only if nothing is made of one. */
		if (ret == -ENOMEM && held == 0)
			assert_int_equal(csum_gso_iter_next(&it, segs), -ENOMEM);
		check_segs(segs, held, &done);
		made += held;
		rte_pktmbuf_free_bulk(segs, held);
		assert_int_equal(harness_in_use(gso_conf.pool), 0);
		assert_int_equal(harness_in_use(gso_conf.attach_pool), 0);
	} while (ret == -ENOMEM && held > 0);
	/* A pool too small for a single segment leaves the iterator where it is. */
	if (ret == 0) {
		assert_int_equal(made, job->nb_segs);
		assert_int_equal(done, job->payload);
	} else {
		assert_int_equal(csum_gso_iter_left(&it), job->nb_segs - made);
	}
	rte_pktmbuf_free(m);
	assert_int_equal(harness_in_use(gso_in), 0);
}

static void
run_dry(const struct job *job)
{
	bool attach = (job->flags & CSUM_GSO_F_ATTACH) != 0;
	struct rte_mempool *mbufs, *refs;
	unsigned int n, k;
	bool enough;

	gso_conf.flags = job->flags;
	for (n = 1; n <= job->nb_mbufs; n++) {
		for (k = attach ? 1 : job->nb_refs; k <= job->nb_refs; k++) {
			mbufs = harness_pool("mbufs", n, 2048);
			refs = harness_pool("refs2", RTE_MAX(k, 1u), 0);
			gso_conf.pool = mbufs;
			gso_conf.attach_pool = refs;
			enough = n == job->nb_mbufs && k == job->nb_refs;
			batch(job, enough);
			iterate(job, 0);
			iterate(job, 1);
			iterate(job, 3);
			iterate(job, MAX_SEGS / 2);
			rte_mempool_free(mbufs);
			rte_mempool_free(refs);
		}
	}
}

static void
copy_form(void **state)
{
	const struct job job = { 3500, 500, 0, 7, 7, 0 };

	(void)state;
	run_dry(&job);
}

/* 7000 and 54 bytes of headers in mbufs of 1920, 2048, 2048 and 2048 bytes. */
static void
copy_form_in_chains(void **state)
{
	const struct job job = { 14000, 7000, 0, 2, 8, 0 };

	(void)state;
	run_dry(&job);
}

/*
 * The pieces begin at 0, 700, 1001, 1002, 1003 and 2002 of the payload; 500 bytes a segment refer
 * to 1, 2, 4, 1, 2, 1 and 1 of them.
 */
static void
attach_form(void **state)
{
	const struct job job = { 3500, 500, CSUM_GSO_F_ATTACH, 7, 7, 12 };

	(void)state;
	run_dry(&job);
}

/* References may come from the pool that headers come from. */
static void
attach_form_of_one_pool(void **state)
{
	const struct job job = { 3500, 500, CSUM_GSO_F_ATTACH, 7, 19, 0 };
	unsigned int n;

	(void)state;
	gso_conf.flags = CSUM_GSO_F_ATTACH;
	for (n = 1; n <= job.nb_mbufs; n++) {
		gso_conf.pool = harness_pool("one", n, 2048);
		gso_conf.attach_pool = gso_conf.pool;
		batch(&job, n == job.nb_mbufs);
		iterate(&job, 0);
		iterate(&job, 3);
		gso_conf.attach_pool = NULL;
		assert_int_equal(harness_in_use(gso_conf.pool), 0);
		rte_mempool_free(gso_conf.pool);
	}
}

/* An iterator that is given up holds nothing. */
static void
given_up_half_way(void **state)
{
	const struct job job = { .payload = 3500, .segsz = 500 };
	struct csum_gso_req req;
	struct csum_gso_iter it;
	struct rte_mbuf *m, *segs[2];

	(void)state;
	m = job_packet(&job, &req);
	gso_conf.flags = CSUM_GSO_F_ATTACH;
	assert_int_equal(csum_gso_iter_init(&it, m, &req, &gso_conf, NULL), 0);
	assert_int_equal(csum_gso_iter_burst(&it, segs, 2), 2);
	rte_pktmbuf_free(m);
	assert_true(harness_in_use(gso_in) > 0);
	rte_pktmbuf_free_bulk(segs, 2);
	assert_int_equal(harness_in_use(gso_in), 0);
	assert_int_equal(harness_in_use(gso_out), 0);
	assert_int_equal(harness_in_use(gso_refs), 0);
}

/* More references than a count of 16 bits can tell. */
static void
too_many_references(void **state)
{
	const struct job job = { .payload = 40000, .segsz = 1 };
	enum csum_refusal why = CSUM_REFUSAL_NONE;
	struct csum_gso_req req;
	struct csum_gso_iter it;
	struct rte_mbuf *m;

	(void)state;
	m = job_packet(&job, &req);
	assert_int_equal(csum_gso_iter_init(&it, m, &req, &gso_conf, &why), 0);
	gso_conf.flags = CSUM_GSO_F_ATTACH;
	assert_int_equal(csum_gso_iter_init(&it, m, &req, &gso_conf, &why), -ENOTSUP);
	assert_int_equal(why, CSUM_REFUSAL_TOO_BIG);
	rte_pktmbuf_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		gso_test(copy_form),
		gso_test(copy_form_in_chains),
		gso_test(attach_form),
		gso_test(attach_form_of_one_pool),
		gso_test(given_up_half_way),
		gso_test(too_many_references),
	};

	gso_main(tests);
}
