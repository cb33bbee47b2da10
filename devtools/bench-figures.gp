# SPDX-License-Identifier: BSD-3-Clause
#
# Draws bench.tsv, of csum-bench, which is in the current folder. See bench-figures.sh.

set terminal svg size 800,480 font "sans-serif,13" background "white"
set datafile separator "\t"
set datafile missing "-"

# The columns of a line: op impl len src_off dst_off residency ns bytes_per_cycle vs_memcpy vs_dpdk
LEN = 3
BYTES_PER_CYCLE = 8
VS_MEMCPY = 9

# Lines of one implementation in L1, of fixed lengths that fit there.
hot(op, impl) = sprintf("< awk -F '\\t' '$1 == \"%s\" && $2 == \"%s\" && $6 == \"L1\" && \
$3 !~ /-/ && $3 <= 9000' bench.tsv", op, impl)

# One line for each residency: a column for each implementation of a list, of 1448 bytes copied.
by_residency(impls) = "< awk -F '\\t' -v impls='" . impls . "' '\
$1 == \"copy\" && $3 == 1448 { value[$6, $2] = $8 } \
END { nb = split(\"L1 L2 L3 DRAM\", places, \" \"); nb_impls = split(impls, list, \" \"); \
for (i = 1; i <= nb; i++) { printf \"%s\", places[i]; for (j = 1; j <= nb_impls; j++) \
printf \"\\t%s\", (places[i], list[j]) in value ? value[places[i], list[j]] : \"-\"; print \"\" } }\
' bench.tsv"

# Those of a list that were measured: not every CPU has them all.
measured(op, impls) = system("awk -F '\\t' -v op=" . op . " -v impls='" . impls . "' '\
BEGIN { nb = split(impls, list, \" \") } $1 == op { has[$2] = 1 } \
END { for (i = 1; i <= nb; i++) if (list[i] in has) printf \"%s \", list[i] }' bench.tsv")

COPY = "avx2 neon sse2 adc memcpy rte_memcpy/native rte_memcpy+rte_raw_cksum/native "\
    . "rte_memcpy+rte_raw_cksum/corei7 rte_memcpy+rte_raw_cksum/corei7-O2"
SUM = "avx2 neon sse2 adc rte_raw_cksum/native rte_raw_cksum/corei7 rte_raw_cksum/corei7-O2"

# One colour a name, told apart by all (Okabe and Ito); what ours are compared with is dashed.
COLOURS = "avx2 #d55e00 neon #d55e00 sse2 #0072b2 adc #009e73 memcpy #000000 "\
    . "rte_memcpy/native #999999 "\
    . "rte_memcpy+rte_raw_cksum/native #cc79a7 rte_raw_cksum/native #cc79a7 "\
    . "rte_memcpy+rte_raw_cksum/corei7 #56b4e9 rte_raw_cksum/corei7 #56b4e9 "\
    . "rte_memcpy+rte_raw_cksum/corei7-O2 #e69f00 rte_raw_cksum/corei7-O2 #e69f00"
at(list, name) = sum [i=1:words(list)] (word(list, i) eq name ? i : 0)
colour(name) = word(COLOURS, at(COLOURS, name) + 1)
dashes(name) = name[1:3] eq "mem" || name[1:3] eq "rte" ? 2 : 1

set grid
set key outside bottom center horizontal maxrows 4 noenhanced
set xlabel "bytes"
set xrange [7:10000]
set logscale x 2
set xtics (8, 20, 40, 64, 128, 256, 512, 1448, 4096, 9000)
set yrange [0:*]
set ylabel "bytes a core cycle"

set output "copy.svg"
impls = measured("copy", COPY)
plot for [i=1:words(impls)] hot("copy", word(impls, i)) using LEN:BYTES_PER_CYCLE \
    with linespoints linewidth 2 pointtype 7 pointsize 0.4 linecolor rgb colour(word(impls, i)) \
    dashtype dashes(word(impls, i)) title word(impls, i)

set output "sum.svg"
impls = measured("sum", SUM)
plot for [i=1:words(impls)] hot("sum", word(impls, i)) using LEN:BYTES_PER_CYCLE \
    with linespoints linewidth 2 pointtype 7 pointsize 0.4 linecolor rgb colour(word(impls, i)) \
    dashtype dashes(word(impls, i)) title word(impls, i)

set output "vs_memcpy.svg"
set ylabel "time / memcpy's time"
set yrange [0:5]
impls = measured("copy", "avx2 neon sse2 adc rte_memcpy/native rte_memcpy+rte_raw_cksum/native "\
    . "rte_memcpy+rte_raw_cksum/corei7")
plot 1 linewidth 2 linecolor rgb colour("memcpy") title "memcpy", \
    for [i=1:words(impls)] hot("copy", word(impls, i)) using LEN:VS_MEMCPY \
    with linespoints linewidth 2 pointtype 7 pointsize 0.4 linecolor rgb colour(word(impls, i)) \
    dashtype dashes(word(impls, i)) title word(impls, i)

set output "residency.svg"
impls = measured("copy", "avx2 neon sse2 memcpy rte_memcpy/native "\
    . "rte_memcpy+rte_raw_cksum/native")
unset logscale x
unset xlabel
set xrange [*:*]
set xtics auto
set ylabel "bytes a core cycle, 1448 bytes copied"
set yrange [0:*]
set style data histograms
set style fill solid
plot for [i=1:words(impls)] by_residency(impls) using i+1:xtic(1) linecolor rgb colour(word(impls, i)) \
    title word(impls, i)
