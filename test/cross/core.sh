#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Build the core and its tests for another CPU with a cross compiler and run them under an emulator.
# Prints TAP, one case a program; skips them all where the compiler or the emulator is missing.
#
# usage: core.sh TRIPLET QEMU [CPU [LESSER_CPU]]      e.g. core.sh s390x-linux-gnu s390x
#
# CPU is the emulator's model, on which every variant must run; LESSER_CPU one that lacks what a
# variant needs, which then must be neither chosen nor executed (fault B15).

set -eu

triplet=$1
qemu=qemu-$2
model=${3-}
lesser=${4-}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip_all()
{
	echo "1..0 # SKIP $triplet: $1"
	exit 0
}

cc=$(command -v "$triplet-gcc") || skip_all "no $triplet-gcc (package gcc-$triplet)"
emulator=$(command -v "$qemu" || command -v "$qemu-static") ||
	skip_all "no $qemu (package qemu-user)"
echo 'int main(void) { return 0; }' >"$work/probe.c"
"$cc" -static "$work/probe.c" -o "$work/probe" 2>/dev/null ||
	skip_all "no C library to link with"

# The stand-in for cmocka comes first.
flags="-std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Wno-unused-parameter
-Wno-missing-field-initializers -Werror -I$root/test/cross -I$root/lib/csum -I$root/test/ref
-I$root/test/harness"
programs='reference choice numbers faults walk edges live'
lesser_programs='choice faults'

build()
{
	[ -e "$work/core-csum.o" ] ||
		"$root/devtools/build-core.sh" "$root/lib/csum/core" "$work" "$cc" $flags
	"$cc" $flags -static "$root/test/core/$1.c" "$root/test/core/core_test.c" \
		"$root/test/cross/cmocka.c" "$root/test/ref/ref_csum.c" \
		"$root/test/harness/guard.c" "$work"/core-*.o -lpthread -o "$work/$1"
}

# run_case PROGRAM CPU [UNWANTED]     fails if it prints UNWANTED
run_case()
{
	nb=$((nb + 1))
	name="core-$1 on $triplet${2:+ $2}"
	if output=$({ [ -e "$work/$1" ] || build "$1"; } 2>&1 &&
			"$emulator" ${2:+-cpu "$2"} "$work/$1" 2>&1) &&
			! echo "$output" | grep -q -- "${3-no such line}"; then
		echo "ok $nb $name"
	else
		echo "$output" | sed 's/^/# /'
		echo "not ok $nb $name"
		status=1
	fi
}

[ -n "$lesser" ] || lesser_programs=
set -- $programs $lesser_programs
echo "1..$#"
nb=0
status=0
for program in $programs; do
	run_case "$program" "$model" '# SKIP'
done
for program in $lesser_programs; do
	run_case "$program" "$lesser"
done
exit $status
