/* SPDX-License-Identifier: BSD-3-Clause */

/* The table: a line for each implementation in each cell. */

#include <stdio.h>
#include <string.h>

#include "csum_bench.h"

/* What one cell needs: implementations, and those among them that others are compared with. */
struct selection {
	const struct impl *impls[NB_IMPLS_MAX];
	bool shown[NB_IMPLS_MAX];
	size_t nb;
	size_t memcpy_at, peer_at[NB_OPS];
};

static struct result results[NB_IMPLS_MAX];

static size_t
select_impl(struct selection *selection, const struct impl *impl, bool shown)
{
	size_t i;

	for (i = 0; i < selection->nb; i++)
		if (selection->impls[i] == impl)
			return i;
	selection->impls[i] = impl;
	selection->shown[i] = shown;
	selection->nb++;
	return i;
}

static void
select_impls(struct selection *selection, const struct impl *impls, size_t nb,
	     const struct options *options)
{
	size_t i;

	*selection = (struct selection){ 0 };
	for (i = 0; i < nb; i++)
		if (options->ops[impls[i].op] && list_has(options->impls, impls[i].name) &&
		    (options->impls != NULL || !impls[i].only_named))
			select_impl(selection, &impls[i], true);
	selection->memcpy_at = select_impl(selection, impl_find(impls, nb, OP_COPY, "memcpy"),
					   false);
	selection->peer_at[OP_SUM] = selection->peer_at[OP_COPY] = selection->memcpy_at;
	if (options->ops[OP_SUM])
		selection->peer_at[OP_SUM] = select_impl(selection,
			impl_find(impls, nb, OP_SUM, SUM_PEER), false);
	if (options->ops[OP_COPY])
		selection->peer_at[OP_COPY] = select_impl(selection,
			impl_find(impls, nb, OP_COPY, COPY_AND_SUM_PEER), false);
}

static void
print_line(const struct cell *cell, const struct impl *impl, double ns, double ghz,
	   double memcpy_ns, double peer_ns)
{
	char len[16];

	if (cell->len_min == cell->len_max)
		snprintf(len, sizeof(len), "%u", cell->len_min);
	else
		snprintf(len, sizeof(len), "%u-%u", cell->len_min, cell->len_max);
	printf("%s\t%s\t%s\t%u\t%u\t%s%s\t%.2f\t%.2f\t%.3f\t%.3f",
	       impl->op == OP_SUM ? "sum" : "copy", impl->name, len, cell->src_off, cell->dst_off,
	       residency_names[cell->residency], cell->ahead != 0 ? "+prefetch" : "", ns,
	       (cell->len_min + cell->len_max) / 2. / (ns * ghz), ns / memcpy_ns, peer_ns / ns);
}

static void
print_cell(const struct cell *cell, const struct selection *selection,
	   const struct options *options)
{
	double ns[NB_IMPLS_MAX], ghz;
	unsigned int rounds;
	size_t i;

	rounds = measure(cell, selection->impls, selection->nb, options->rounds, results, &ghz);
	for (i = 0; i < selection->nb; i++)
		ns[i] = median(results[i].ns, rounds);
	for (i = 0; i < selection->nb; i++) {
		if (!selection->shown[i])
			continue;
		print_line(cell, selection->impls[i], ns[i], ghz, ns[selection->memcpy_at],
			   ns[selection->peer_at[selection->impls[i]->op]]);
		/* Sorted by now. */
		if (options->minimum)
			printf("\t%.2f", results[i].ns[0]);
		printf("\n");
	}
	fflush(stdout);
}

static void
print_residency(enum residency residency, const struct selection *selection,
		const struct options *options)
{
	struct cell cell = { .residency = residency, .ahead = options->ahead,
			     .sequential = options->sequential };
	unsigned int align, len;

	for (align = 0; align < options->nb_aligns; align++)
		for (len = 0; len < options->nb_lens; len++) {
			cell.src_off = options->aligns[align].src;
			cell.dst_off = options->aligns[align].dst;
			cell.len_min = options->lens[len].min;
			cell.len_max = options->lens[len].max;
			print_cell(&cell, selection, options);
		}
}

static bool
has_impl(const struct impl *impls, size_t nb, const char *name, const struct options *options)
{
	unsigned int op;

	for (op = 0; op < NB_OPS; op++)
		if (options->ops[op] && impl_find(impls, nb, (enum op)op, name) != NULL)
			return true;
	return false;
}

/* Variants are there twice, the copy first. */
static bool
is_repeated(const struct impl *impls, size_t at, const struct options *options)
{
	return options->ops[OP_COPY] && impls[at].op == OP_SUM &&
		impl_find(impls, at, OP_COPY, impls[at].name) != NULL;
}

/* Whether all names of a list are there; says which one is not, and what there is. */
static bool
check_names(const char *list, const struct impl *impls, size_t nb, const struct options *options)
{
	char name[sizeof(impls->name)];
	const char *next = list;
	size_t len, i;
	bool found = true;

	for (; found && next != NULL; next = next[len] == ',' ? next + len + 1 : NULL) {
		len = strcspn(next, ",");
		snprintf(name, sizeof(name), "%.*s", (int)len, next);
		found = len < sizeof(name) && has_impl(impls, nb, name, options);
		if (!found)
			fprintf(stderr, "csum-bench: --impl: '%.*s' is none of", (int)len, next);
	}
	for (i = 0; !found && i < nb; i++)
		if (options->ops[impls[i].op] && !is_repeated(impls, i, options))
			fprintf(stderr, " %s", impls[i].name);
	if (!found)
		fprintf(stderr, "\n");
	return found;
}

int
table_print(const struct options *options)
{
	struct impl impls[NB_IMPLS_MAX];
	size_t nb = impls_list(impls);
	struct selection selection;
	unsigned int residency;

	if (!check_names(options->impls, impls, nb, options))
		return 2;
	select_impls(&selection, impls, nb, options);
	printf("op\timpl\tlen\tsrc_off\tdst_off\tresidency\tns\tbytes_per_cycle\tvs_memcpy\t"
	       "vs_dpdk%s\n", options->minimum ? "\tmin_ns" : "");
	for (residency = 0; residency < NB_RESIDENCIES; residency++)
		if (options->residencies[residency])
			print_residency((enum residency)residency, &selection, options);
	return 0;
}
