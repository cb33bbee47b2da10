#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Run the tests on the avx512 variant where no CPU has AVX-512: its intrinsics are replaced by plain
# C, avx512/immintrin.h. That checks the algorithm at its width, not the instructions. Prints TAP.
#
# usage: avx512.sh      on x86-64

set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}
flags="-std=gnu11 -D_GNU_SOURCE -O2 -I$work/csum -I$root/test/ref -I$root/test/harness -I$here"

# Without the registers there is no constraint for them; memory does.
mkdir "$work/csum"
cp -R "$root/lib/csum/csum.h" "$root/lib/csum/core" "$work/csum"
sed -i 's/^#define VEC_REG "v"/#define VEC_REG "m"/' "$work/csum/core/x86/avx512.c"
sed -i 's/csum_cpu_runs_avx512/runs_always/' "$work/csum/core/csum.c"

for source in "$work"/csum/core/*.c "$work"/csum/core/x86/*.c; do
	isa=
	[ "${source##*/}" != avx2.c ] || isa=-mavx2
	[ "${source##*/}" != avx512.c ] || isa="-I$here/avx512 -Wno-psabi"
	$cc $flags $isa -c "$source" -o "$work/$(basename "$source" .c).o"
done

set -- faults walk live step
echo "1..$#"
nb=0
status=0
for program in "$@"; do
	nb=$((nb + 1))
	$cc $flags "$root/test/core/$program.c" "$root/test/core/core_test.c" "$here/cmocka.c" \
		"$root/test/ref/ref_csum.c" "$root/test/harness/guard.c" "$work"/*.o \
		-lpthread -o "$work/$program"
	if output=$("$work/$program" 2>&1) && echo "$output" | grep -q '^ok .* avx512 '; then
		echo "ok $nb core-$program with avx512 in plain C"
	else
		echo "$output" | sed 's/^/# /'
		echo "not ok $nb core-$program with avx512 in plain C"
		status=1
	fi
done
exit $status
