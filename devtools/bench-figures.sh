#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Measure, and draw what the guide of the kernels shows: figures, table of goals, conditions. Takes
# 20 s, up to two minutes where the CPU is seldom quiet.
#
# usage: bench-figures.sh [BUILD [CPU]]       default: build, the last CPU
#        bench-figures.sh --draw              draw again what was measured last

set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
out=$top/doc/guides/prog_guide/bench

command -v gnuplot >/dev/null || {
	echo "bench-figures: gnuplot is not installed (Debian: gnuplot-nox)" >&2
	exit 1
}

measure()
{
	bench=$1/test/bench/csum-bench
	cpu=$2
	[ -x "$bench" ] || {
		echo "bench-figures: no $bench: build it with ninja -C $1" >&2
		exit 1
	}
	# Where it is allowed, other programs do not run on the CPU meanwhile.
	realtime=
	chrt -f 50 true 2>/dev/null && realtime="chrt -f 50"

	results=$(mktemp -d)
	trap 'rm -rf "$results"' EXIT
	run="$realtime $bench --cpu $cpu"
	$run --align 2/14 --residency L1 --minimum >"$results/bench.tsv" 2>"$results/log"
	$run --align 2/14 --residency L2,L3,DRAM --len 64,256,1448,9000 --minimum \
		2>>"$results/log" | sed 1d >>"$results/bench.tsv"
	current=$(sed -n '1s/.*variant in use \([a-z0-9]*\),.*/\1/p' "$results/log")
	$run --align 2/14 --residency L1 --impl "memcpy+$current" --minimum 2>>"$results/log" |
		sed 1d >>"$results/bench.tsv"
	$run --goals >"$results/goals.tsv" 2>>"$results/log"
	{
		lscpu | sed -n 's/^\(Model name\|CPU family\|Model\|Hypervisor vendor\): */\1: /p'
		echo "DPDK: $(pkg-config --modversion libdpdk)"
		echo "glibc: $(getconf GNU_LIBC_VERSION | sed 's/glibc //')"
		cat "$results/log"
	} >"$results/conditions.txt"
	mkdir -p "$out"
	cp "$results/bench.tsv" "$results/goals.tsv" "$results/conditions.txt" "$out"
}

# Times of copies and sums in L1, relative to memcpy()'s: a line for each length.
tabulate()
{
	awk -F '\t' '
	$6 == "L1" && $2 !~ /^rte_|^adx$|^scalar128$/ && !($1 == "copy" && $2 == "memcpy") {
		column = $1 == "copy" && $2 !~ /[+]/ ? "copy, " $2 : $2
		if ($1 == "sum")
			column = "sum, " $2
		if (!(column in columns)) { columns[column]; names[++nb] = column }
		if (!($3 in lens)) { lens[$3]; order[++nb_lens] = $3 }
		value[$3, column] = $9
	}
	END {
		printf "bytes"
		for (j = 1; j <= nb; j++) printf "\t%s", names[j]
		print ""
		for (i = 1; i <= nb_lens; i++) {
			printf "%s", order[i]
			for (j = 1; j <= nb; j++) printf "\t%.2f", value[order[i], names[j]]
			print ""
		}
	}' bench.tsv >ratios.tsv
}

if [ "${1:-}" != --draw ]; then
	measure "${1:-$top/build}" "${2:-$(($(nproc) - 1))}"
fi
cd "$out"
tabulate
gnuplot "$top/devtools/bench-figures.gp"
