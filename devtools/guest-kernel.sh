#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Put Debian's kernel for virtual machines, and its modules for networks, into a folder, without
# installing it: for tests that need devices which the running kernel may lack.
#
# usage: guest-kernel.sh OUTDIR        OUTDIR gets vmlinuz and modules/*.ko[.xz]

set -eu
. "$(dirname "$0")/apt-private.sh"

outdir=${1:?usage: guest-kernel.sh OUTDIR}

die()
{
	echo "guest-kernel.sh: $*" >&2
	exit 1
}

# The package that the one without a version in its name stands for, by the lists that apt has.
fetch()
{
	package=$(apt-cache depends linux-image-cloud-amd64 2>/dev/null |
		sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p')
	[ -n "$package" ] &&
		(cd "$work" && apt-get -qq -o APT::Sandbox::User= download "$package" 2>/dev/null)
}

[ -s "$outdir/vmlinuz" ] && exit 0
[ "$(dpkg --print-architecture)" = amd64 ] || die "only for amd64"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The machine's lists may be missing or out of date.
fetch || {
	make_apt_conf deb "$work"
	apt-get update || die "cannot read the package lists"
	fetch || die "cannot fetch linux-image-cloud-amd64"
}
mkdir "$work/package"
dpkg-deb --fsys-tarfile "$work"/linux-image-*.deb |
	tar -x -C "$work/package" --wildcards './boot/vmlinuz-*' '*/kernel/net/*' \
		'*/kernel/drivers/net/*' '*/kernel/drivers/virtio/*' '*/kernel/crypto/*' \
		'*/kernel/lib/*' '*/kernel/arch/x86/crypto/*' || die "cannot unpack it"
mkdir -p "$outdir/modules"
find "$work/package" -name '*.ko*' -exec mv {} "$outdir/modules" \;
# Last, as the sign that all is there.
mv "$work"/package/boot/vmlinuz-* "$outdir/vmlinuz"
