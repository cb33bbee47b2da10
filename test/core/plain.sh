#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Build the core and its tests with nothing but a compiler, at whatever level of optimization, and
# run them. Prints TAP, one case a program. The program `trace` is for devtools/count-loads.py.
#
# usage: plain.sh 'COMPILER [FLAG]...' PROGRAM...        e.g. plain.sh 'clang -O1' faults walk

set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build="$1 -std=gnu11 -D_GNU_SOURCE -I$root/lib/csum -I$root/test/ref -I$root/test/harness"
shift

if ! command -v "${build%% *}" >/dev/null; then
	echo "1..0 # SKIP no ${build%% *}"
	exit 0
fi

# No quotes around $build: it is several words.
build_shared()
{
	"$root/devtools/build-core.sh" "$root/lib/csum/core" "$work" $build
	for source in "$root/test/core/core_test.c" "$root/test/ref/ref_csum.c" \
			"$root/test/harness/guard.c"; do
		$build -c "$source" -o "$work/test-$(basename "$source" .c).o"
	done
}

build_and_run()
{
	$build "$root/test/core/$1.c" "$work"/*.o -lcmocka -lpthread -o "$work/$1" || return 1
	case $1 in
	trace) "$root/devtools/count-loads.py" "$work/trace" ;;
	*) timeout 100 "$work/$1" ;;
	esac
}

echo "1..$#"
if ! output=$(build_shared 2>&1); then
	echo "$output" | sed 's/^/# /'
	echo "Bail out! the core does not build with $build"
	exit 1
fi
nb=0
status=0
for program in "$@"; do
	nb=$((nb + 1))
	if output=$(build_and_run "$program" 2>&1); then
		echo "ok $nb core-$program"
	else
		echo "$output" | sed 's/^/# /'
		echo "not ok $nb core-$program"
		status=1
	fi
done
exit $status
