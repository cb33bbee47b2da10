#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Build the core and its tests for another CPU with a cross compiler and run them under an emulator.
# Prints TAP, one case a program; skips them all where the compiler or the emulator is missing.
#
# usage: core.sh TRIPLET QEMU_CPU      e.g. core.sh s390x-linux-gnu s390x

set -eu

triplet=$1
cpu=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip_all()
{
	echo "1..0 # SKIP $triplet: $1"
	exit 0
}

cc=$(command -v "$triplet-gcc") || skip_all "no $triplet-gcc (package gcc-$triplet)"
qemu=$(command -v "qemu-$cpu" || command -v "qemu-$cpu-static") ||
	skip_all "no qemu-$cpu (package qemu-user)"
echo 'int main(void) { return 0; }' >"$work/probe.c"
"$cc" -static "$work/probe.c" -o "$work/probe" 2>/dev/null ||
	skip_all "no C library to link with"

core=$root/lib/csum/core
isa=
[ "$cpu" != aarch64 ] || isa=$(echo "$core"/arm/*.c)
programs='reference choice numbers faults walk live'

# The stand-in for cmocka comes first; the list of ISA files is several words.
build()
{
	"$cc" -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Wno-unused-parameter \
		-Wno-missing-field-initializers -Werror -static -I"$root/test/cross" \
		-I"$root/lib/csum" -I"$root/test/ref" -I"$root/test/harness" \
		"$core"/*.c $isa "$root/test/cross/cmocka.c" "$root/test/core/core_test.c" \
		"$root/test/ref/ref_csum.c" "$root/test/harness/guard.c" \
		"$root/test/core/$1.c" -lpthread -o "$work/$1"
}

set -- $programs
echo "1..$#"
nb=0
status=0
for program in "$@"; do
	nb=$((nb + 1))
	if output=$(build "$program" 2>&1 && "$qemu" "$work/$program" 2>&1); then
		echo "ok $nb core-$program on $triplet"
	else
		echo "$output" | sed 's/^/# /'
		echo "not ok $nb core-$program on $triplet"
		status=1
	fi
done
exit $status
