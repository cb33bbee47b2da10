#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Compile lib/csum/core, for whatever CPU a compiler makes code for, with each ISA's flags for its
# file alone, as lib/csum/core/meson.build does. For scripts that try other CPUs and other sources.
#
# usage: build-core.sh CORE OUTDIR COMPILER [FLAG]...     writes OUTDIR/core-NAME.o

set -eu

core=$1
outdir=$2
shift 2

case $("$@" -dumpmachine) in
x86_64*) isas=$core/x86 ;;
aarch64*) isas=$core/arm ;;
powerpc64*) isas=$core/ppc ;;
*) isas= ;;
esac

for source in "$core"/*.c ${isas:+"$isas"/*.c}; do
	name=$(basename "$source" .c)
	case $name in
	avx2) isa='-mavx2 -mtune=haswell' ;;
	avx512) isa='-mavx512f -mavx512bw -mtune=icelake-server' ;;
	vsx) isa=-mcpu=power9 ;;
	*) isa= ;;
	esac
	# No quotes: several flags, or none.
	"$@" $isa -c "$source" -o "$outdir/core-$name.o"
done
