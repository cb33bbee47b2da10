/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdlib.h>

#include "csum_bench.h"

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
median(double *values, size_t nb)
{
	qsort(values, nb, sizeof(*values), compare);
	return values[nb / 2];
}
