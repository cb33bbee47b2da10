/* SPDX-License-Identifier: BSD-3-Clause */

#ifndef _FUZZ_H_
#define _FUZZ_H_

/**
 * @file
 * What a fuzz target and a fuzzer agree upon: libFuzzer's interface, so that both it and our own
 * driver, which needs no coverage and no clang, run the same targets.
 */

#include <stddef.h>
#include <stdint.h>

/**
 * Try one input.
 *
 * @return
 *   0; what is wrong ends the process.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif /* _FUZZ_H_ */
