#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Install what is missing, build, and make a capture fit for the wire: super-packets cut, checksums
# filled, through the net_soft_csum driver. Without a file, on the bundled sample.
#
# usage: run.sh [FILE] [-o OUT] [option of dpdk-csum-testpmd --replay]...
#
# Writes OUT, by default the stem of FILE and ".fixed.pcap", in the current folder; what was there
# under that name is replaced. Exits as the application does: 0 all is well, 1 something was refused
# or is not good, 2 FILE could not be read.

set -eu

top=$(cd "$(dirname "$0")" && pwd)
app=$top/build/app/csum-testpmd/dpdk-csum-testpmd

build()
{
	"$top/devtools/install-packages.sh" gcc libc6-dev meson ninja-build pkg-config libdpdk-dev \
		libpcap-dev zlib1g-dev dpkg-dev xz-utils
	log=$(mktemp)
	{
		[ -f "$top/build/build.ninja" ] ||
			meson setup -Dtests=false "$top/build" "$top"
		ninja -C "$top/build"
	} >"$log" 2>&1 || {
		cat "$log" >&2
		rm -f "$log"
		echo "The build failed: see above." >&2
		exit 2
	}
	rm -f "$log"
}

file=$top/test/samples/sample.pcap
case ${1-} in
-h | --help)
	sed -n '4,/^$/s/^#\( \|$\)//p' "$0"
	exit 0
	;;
'' | -*) ;;
*)
	file=$1
	shift
	;;
esac

stem=$(basename "$file")
out=${stem%.*}.fixed.pcap
# -o may stand anywhere; the rest is the application's.
left=$#
while [ "$left" -gt 0 ]; do
	if [ "$1" = -o ]; then
		out=${2:?-o needs a file name}
		shift 2
		left=$((left - 2))
	else
		set -- "$@" "$1"
		shift
		left=$((left - 1))
	fi
done

build
exec "$app" --replay "$file" --write "$out" --force "$@"
