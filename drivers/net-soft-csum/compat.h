/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _SOFT_CSUM_COMPAT_H_
#define _SOFT_CSUM_COMPAT_H_

/*
 * All that differs between the DPDK releases the driver builds with, 22.11 to 25.11.
 */

#include <rte_telemetry.h>
#include <rte_vect.h>
#include <rte_version.h>

#include <dev_driver.h>
#include <ethdev_driver.h>

/* 25.11 took the queues' counters out of rte_eth_stats and made them an argument of stats_get. */
#if RTE_VERSION >= RTE_VERSION_NUM(25, 11, 0, 0)
#define soft_csum_queue_stats eth_queue_stats
#define SOFT_CSUM_STATS_GET(name, fill) \
static int \
name(struct rte_eth_dev *dev, struct rte_eth_stats *stats, struct eth_queue_stats *queues) \
{ \
	return fill(dev, stats, queues); \
}
#else
#define soft_csum_queue_stats rte_eth_stats
#define SOFT_CSUM_STATS_GET(name, fill) \
static int \
name(struct rte_eth_dev *dev, struct rte_eth_stats *stats) \
{ \
	return fill(dev, stats, stats); \
}
#endif

/* 25.11 let it fail, by a negative number. */
#if RTE_VERSION >= RTE_VERSION_NUM(25, 11, 0, 0)
typedef int soft_csum_queue_count;
#else
typedef uint32_t soft_csum_queue_count;
#endif

/* 24.03 made the number of packet types a result, beside the one that ends the list. */
#if RTE_VERSION >= RTE_VERSION_NUM(24, 3, 0, 0)
#define SOFT_CSUM_PTYPES_GET(name, fill) \
static const uint32_t * \
name(struct rte_eth_dev *dev, size_t *nb) \
{ \
	return fill(dev, nb); \
}
#else
#define SOFT_CSUM_PTYPES_GET(name, fill) \
static const uint32_t * \
name(struct rte_eth_dev *dev) \
{ \
	size_t nb; \
\
	return fill(dev, &nb); \
}
#endif

/* 23.03 renamed it. */
#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0)
#define soft_csum_tel_add_uint rte_tel_data_add_dict_uint
#else
#define soft_csum_tel_add_uint rte_tel_data_add_dict_u64
#endif

/* Experimental until 23.11; stable, with the same meaning, since. */
static inline unsigned int
soft_csum_max_simd_bits(void)
{
	return rte_vect_get_max_simd_bitwidth();
}

#endif /* _SOFT_CSUM_COMPAT_H_ */
