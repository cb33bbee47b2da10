#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Run test programs on a CPU that has less than the one here: what was built must neither choose
# nor execute what it lacks (fault B15). Prints TAP, one case a program.
#
# usage: emulated.sh CPU PROGRAM...

cpu=$1
shift
emulator=$(command -v qemu-x86_64 || command -v qemu-x86_64-static)
if [ -z "$emulator" ]; then
	echo "1..0 # SKIP qemu-x86_64 (package qemu-user) is not installed"
	exit 0
fi

echo "1..$#"
nb=0
status=0
for program in "$@"; do
	nb=$((nb + 1))
	name="b15 $(basename "$program") on $cpu"
	if output=$("$emulator" -cpu "$cpu" "$program" 2>&1); then
		echo "ok $nb $name"
	else
		echo "$output" | sed 's/^/# /'
		echo "not ok $nb $name"
		status=1
	fi
done
exit $status
