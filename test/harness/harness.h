/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _HARNESS_H_
#define _HARNESS_H_

/**
 * @file
 * What the tests share: EAL start, pools, chains cut at will, seeded random numbers, byte
 * comparison. Uses nothing of the library under test. Whatever fails here fails the running test,
 * or ends the program where no test is running yet.
 */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <rte_mbuf.h>
#include <rte_mempool.h>

/**
 * Start EAL: no huge pages but for "--in-memory", no PCI, nothing shared, quiet, no telemetry but
 * for "--telemetry"; one lcore, which floats over the CPUs that the process may use.
 *
 * @param mbytes
 *   Memory; 0 for a default of 128.
 * @param extra
 *   More EAL arguments ("--vdev", "net_ring0", ...), NULL behind the last; NULL for none.
 */
void harness_start(unsigned int mbytes, const char *const extra[]);

/**
 * End of main(): return harness_finish(cmocka_run_group_tests(...)). Names the seed again when
 * something failed, and cleans up EAL if it was started.
 *
 * @return
 *   The program's exit status.
 */
int harness_finish(int nb_failed);

/** A pool of @p nb mbufs with @p room bytes of data each, headroom not counted, and no cache. */
struct rte_mempool *harness_pool(const char *name, unsigned int nb, uint16_t room);

/** Mbufs of a pool that somebody holds: take it before and after, and compare. */
unsigned int harness_in_use(const struct rte_mempool *pool);

/** What the segments of a chain are made of. */
enum harness_kind {
	HARNESS_DIRECT,   /**< pool memory */
	HARNESS_EXTERNAL, /**< external buffers of just the bytes in them, so that ASan sees more */
	HARNESS_INDIRECT, /**< attached to direct mbufs that nobody else holds */
};

/**
 * Make a chain that holds bytes, cut as told.
 *
 * @param data
 *   The bytes; copied.
 * @param lens
 *   Segment lengths, 0 allowed. What is left of @p len behind the last one follows in as few
 *   segments as hold it; a list that is longer than @p len fails.
 * @param nb
 *   How many lengths; 0 cuts only where a segment is full.
 * @return
 *   The chain, with one segment at least.
 */
struct rte_mbuf *harness_chain(struct rte_mempool *pool, const void *data, uint32_t len,
			       const uint16_t lens[], unsigned int nb);

/** harness_chain() of a kind. External segments have neither headroom nor tailroom. */
struct rte_mbuf *harness_chain_kind(struct rte_mempool *pool, enum harness_kind kind,
				    const void *data, uint32_t len, const uint16_t lens[],
				    unsigned int nb);

/** External buffers of all chains so far that were given back. */
unsigned int harness_external_freed(void);

/** Copy a chain's bytes out by its segments alone; fails beyond @p room. Returns their number. */
uint32_t harness_flatten(const struct rte_mbuf *m, void *buf, uint32_t room);

/** Random numbers, repeatable. */
struct harness_rng {
	uint64_t state;
};

/** Begin from the environment's SEED, else from the clock; says which on stderr. */
void harness_rng_init(struct harness_rng *rng);

/** 64 random bits. */
uint64_t harness_rand(struct harness_rng *rng);

/** A number in [0, n), n above 0. */
uint32_t harness_rand_below(struct harness_rng *rng, uint32_t n);

/** Fill with random bytes. */
void harness_rand_bytes(struct harness_rng *rng, void *buf, size_t len);

/**
 * Cut @p len into random segment lengths, odd and zero ones among them.
 *
 * @return
 *   How many lengths; at most @p max, which is above 0. They add up to at most @p len.
 */
unsigned int harness_rand_lens(struct harness_rng *rng, uint32_t len, uint16_t lens[],
			       unsigned int max);

/** P(n): byte i is i mod 251. */
void harness_pattern(void *buf, size_t len);

/** Big-endian fields at any alignment. */
uint16_t harness_be16(const void *p);
uint32_t harness_be32(const void *p);
void harness_put_be16(void *p, uint16_t value);
void harness_put_be32(void *p, uint32_t value);

/** Fail, showing the surroundings of the first difference, unless the bytes are equal. */
#define harness_assert_bytes(got, want, len) \
	harness_assert_bytes_at(got, want, len, __FILE__, __LINE__)

void harness_assert_bytes_at(const void *got, const void *want, size_t len, const char *file,
			     int line);

/** Fail unless a chain holds just these bytes, and its pkt_len and nb_segs say so. */
#define harness_assert_chain(m, want, len) \
	harness_assert_chain_at(m, want, len, __FILE__, __LINE__)

void harness_assert_chain_at(const struct rte_mbuf *m, const void *want, uint32_t len,
			     const char *file, int line);

#endif /* _HARNESS_H_ */
