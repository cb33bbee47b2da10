#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Put the four DPDK driver headers that distributions do not package into a folder, from the
# distribution's own source package of the DPDK that is installed. apt verifies signature and hash.
# The machine's apt set-up stays as it is: deb-src is enabled for this call alone. Needs no root.
#
# usage: driver-headers.sh OUTDIR

set -eu
. "$(dirname "$0")/apt-private.sh"

outdir=${1:?usage: driver-headers.sh OUTDIR}
headers='lib/ethdev/ethdev_driver.h lib/ethdev/ethdev_vdev.h
drivers/bus/vdev/bus_vdev_driver.h lib/eal/include/dev_driver.h'

die()
{
	echo "driver-headers.sh: $*" >&2
	exit 1
}

complete()
{
	for header in $headers; do
		[ -s "$outdir/$(basename "$header")" ] || return 1
	done
}

# The version on offer that suits the installed one: the same, else the newest of its year.month,
# whose driver interface is the same.
pick_version()
{
	apt-cache showsrc --only-source dpdk | sed -n 's/^Version: //p' > "$work/versions"
	grep -Fx "$1" "$work/versions" ||
		grep "^$(echo "$1" | cut -d. -f1,2)\." "$work/versions" | sort -V | tail -n 1
}

complete && exit 0
installed=$(dpkg-query -W -f '${source:Version}' libdpdk-dev 2>/dev/null) ||
	die "libdpdk-dev is not installed as a Debian package: build DPDK with" \
		"-Denable_driver_sdk=true, or put its driver headers into $outdir"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make_apt_conf deb-src "$work"
apt-get update || die "cannot read the source package lists"
version=$(pick_version "$installed")
[ -n "$version" ] || die "no source package of dpdk $installed or its series is on offer"
(cd "$work" && apt-get source --download-only "dpdk=$version") ||
	die "cannot fetch the source package dpdk $version"
mkdir -p "$outdir"
for header in $headers; do
	tar -xJf "$work"/dpdk_*.orig.tar.xz --wildcards -O "*/$header" > "$work/header" ||
		die "$header is not in dpdk $version"
	mv "$work/header" "$outdir/$(basename "$header")"
done
complete || die "the source package dpdk $version lacks a driver header"
