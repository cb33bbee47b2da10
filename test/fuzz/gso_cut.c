/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * gso-cut: cut super-packets that come from standard input, and write the segments to standard
 * output: the library's half of a differential test. Numbers are in the machine's byte order.
 *
 * In: struct job, lens[nb_lens] (16 bits each, bytes of the input's mbufs), bytes[len]; and so on.
 * Out: the result (32 bits, signed), the refusal (32 bits), then for each segment its length
 * (32 bits) and bytes. An input must be as it was, and no mbuf may be missing: else exit code 1.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <csum_gso.h>

#include "harness.h"

#define MAX_LEN (512 * 1024)
#define MAX_PIECES 4096
#define MAX_SEGS 2048
#define NB_IN 4096

struct job {
	uint64_t ol_flags;
	uint32_t len;
	uint32_t conf_flags;
	uint16_t outer_l2_len;
	uint16_t outer_l3_len;
	uint16_t l2_len;
	uint16_t l3_len;
	uint16_t l4_len;
	uint16_t segsz;
	uint16_t headroom;
	uint16_t tailroom;
	uint16_t nb_lens;
	uint8_t kind;     /* enum harness_kind */
	uint8_t small;    /* take the pool of small mbufs */
	uint8_t iterator; /* cut one segment at a time */
	uint8_t pad[3];
};

static struct rte_mempool *in, *out[2];
static struct rte_mbuf *segs[MAX_SEGS];
static uint16_t lens[MAX_PIECES];
static uint8_t bytes[MAX_LEN], after[MAX_LEN];

static void
die(const char *what)
{
	fprintf(stderr, "gso-cut: %s\n", what);
	exit(EXIT_FAILURE);
}

static void
put(const void *data, size_t len)
{
	if (fwrite(data, 1, len, stdout) != len)
		die("cannot write");
}

static void
put32(uint32_t value)
{
	put(&value, sizeof(value));
}

static bool
job_read(struct job *job)
{
	size_t nb = fread(job, 1, sizeof(*job), stdin);

	if (nb == 0)
		return false;
	if (nb != sizeof(*job) || job->nb_lens > MAX_PIECES || job->len > MAX_LEN ||
	    fread(lens, sizeof(lens[0]), job->nb_lens, stdin) != job->nb_lens ||
	    fread(bytes, 1, job->len, stdin) != job->len)
		die("half a job");
	return true;
}

static int
cut_by_iterator(const struct rte_mbuf *m, const struct csum_gso_req *req,
		const struct csum_gso_conf *conf, enum csum_refusal *why)
{
	struct csum_gso_iter it;
	int nb = 0, ret;

	ret = csum_gso_iter_init(&it, m, req, conf, why);
	if (ret < 0)
		return ret;
	if (csum_gso_iter_left(&it) > MAX_SEGS)
		return -ENOSPC;
	while (csum_gso_iter_next(&it, &segs[nb]) > 0)
		nb++;
	return nb;
}

static int
cut(const struct job *job, const struct rte_mbuf *m, enum csum_refusal *why)
{
	const struct csum_gso_conf conf = {
		.pool = out[job->small != 0], .headroom = job->headroom, .tailroom = job->tailroom,
		.flags = job->conf_flags,
	};
	const struct csum_gso_req req = {
		.ol_flags = job->ol_flags, .outer_l2_len = job->outer_l2_len,
		.outer_l3_len = job->outer_l3_len, .l2_len = job->l2_len, .l3_len = job->l3_len,
		.l4_len = job->l4_len, .segsz = job->segsz,
	};

	if (job->iterator != 0)
		return cut_by_iterator(m, &req, &conf, why);
	return csum_gso_segment(m, &req, &conf, segs, MAX_SEGS, why);
}

static void
job_do(const struct job *job)
{
	enum csum_refusal why = CSUM_REFUSAL_NONE;
	struct rte_mbuf *m;
	int ret, i;

	m = harness_chain_kind(in, (enum harness_kind)job->kind, bytes, job->len, lens,
			       job->nb_lens);
	ret = cut(job, m, &why);
	if (harness_flatten(m, after, sizeof(after)) != job->len ||
	    memcmp(after, bytes, job->len) != 0)
		die("the input was changed");
	rte_pktmbuf_free(m);
	put32((uint32_t)ret);
	put32(why);
	for (i = 0; i < ret; i++) {
		put32(segs[i]->pkt_len);
		harness_flatten(segs[i], after, sizeof(after));
		put(after, segs[i]->pkt_len);
	}
	if (ret > 0)
		rte_pktmbuf_free_bulk(segs, (unsigned int)ret);
	if (harness_in_use(in) != 0 || harness_in_use(out[0]) != 0 || harness_in_use(out[1]) != 0)
		die("an mbuf is missing");
}

int
main(void)
{
	struct job job;

	harness_start(64, NULL);
	in = harness_pool("in", NB_IN, 2048);
	out[0] = harness_pool("out", MAX_SEGS, 2048);
	out[1] = harness_pool("small", 2 * MAX_SEGS, 768);
	while (job_read(&job))
		job_do(&job);
	if (fflush(stdout) != 0)
		die("cannot write");
	return harness_finish(0);
}
