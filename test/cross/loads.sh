#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Count the loads of variants for another CPU, which an emulator logs. Prints TAP, one case a level
# of optimization; skips them all where the compiler or the emulator is missing.
#
# usage: loads.sh TRIPLET QEMU       e.g. loads.sh aarch64-linux-gnu aarch64

set -eu

triplet=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=$triplet-gcc
flags="-std=gnu11 -D_GNU_SOURCE -I$root/lib/csum"

if ! command -v "$cc" >/dev/null; then
	echo "1..0 # SKIP no $cc (package gcc-$triplet)"
	exit 0
fi
if ! emulator=$(command -v "qemu-$2" || command -v "qemu-$2-static"); then
	echo "1..0 # SKIP no qemu-$2 (package qemu-user)"
	exit 0
fi

build_and_count()
{
	"$root/devtools/build-core.sh" "$root/lib/csum/core" "$work" "$cc" "$1" $flags &&
		"$cc" $flags -O2 -static "$root/test/core/trace.c" "$work"/core-*.o \
			-o "$work/trace" &&
		"$root/devtools/count-loads.py" "$work/trace" "$emulator" "$triplet"
}

echo "1..2"
status=0
nb=0
for level in 1 3; do
	nb=$((nb + 1))
	output=$(build_and_count "-O$level" 2>&1) || { status=1; printf 'not '; }
	echo "ok $nb loads of $triplet at -O$level"
	echo "$output" | sed 's/^/# /'
done
exit $status
