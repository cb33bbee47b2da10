#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Build everything against newer DPDK releases, and run the tests: in a Debian of its own for each,
# made by debootstrap below FOLDER and kept there, so that a second run only builds what changed.
# Nothing is installed on this machine; only packages are fetched, from where its own come from.
# Needs root, and some 1.5 GB a release.
#
# usage: version-matrix.sh FOLDER [RELEASE]...       trixie (DPDK 24.11) and sid by default
#
# SUITES names the test suites, "driver gso pkt mbuf" by default. Exits with 0 if all passed.

set -eu

folder=${1:?usage: version-matrix.sh FOLDER [RELEASE]...}
shift
[ $# -gt 0 ] || set -- trixie sid
suites=${SUITES:-driver gso pkt mbuf}
top=$(cd "$(dirname "$0")/.." && pwd)
packages='gcc g++ meson ninja-build pkg-config libdpdk-dev libpcap-dev zlib1g-dev libcmocka-dev
	libssl-dev libsodium-dev dpkg-dev xz-utils python3'

mirror=$(sed -n 's/^URIs: *//p; s/^deb  *\(\[[^]]*\]  *\)\{0,1\}\([^ ]*\).*/\2/p' \
	/etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
[ -n "$mirror" ] || {
	echo "version-matrix.sh: apt has no package source" >&2
	exit 1
}

# The release in $root, with what a build needs.
make_root()
{
	[ -e "$root/.complete" ] && return
	mkdir -p "$root"
	debootstrap --variant=minbase "$release" "$root" "$mirror"
	# Services are not to be started in there.
	printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
	chmod +x "$root/usr/sbin/policy-rc.d"
	in_root "apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
		--no-install-recommends $(echo $packages)"
	touch "$root/.complete"
}

in_root()
{
	chroot "$root" /bin/sh -c "$1"
}

mount_root()
{
	mount -t proc proc "$root/proc"
	mount -t sysfs sysfs "$root/sys"
	mount --rbind /dev "$root/dev"
	mount --make-rslave "$root/dev"
}

umount_root()
{
	umount -l "$root/dev" "$root/sys" "$root/proc" 2>/dev/null || :
}

# The tree as it is in the index and the working copy, without what git ignores.
copy_tree()
{
	mkdir -p "$root/src"
	(cd "$top" && git ls-files -z --cached --others --exclude-standard |
		xargs -0 -r ls -d 2>/dev/null | tar -cf - -T -) | tar -xf - -C "$root/src"
}

build_and_test()
{
	options=
	for suite in $suites; do
		options="$options --suite $suite"
	done
	in_root "cd /src && pkg-config --modversion libdpdk &&
		{ [ -e build/build.ninja ] || meson setup -Dwerror=true build; } &&
		ninja -j2 -C build && meson test -C build --no-rebuild -q $options"
}

status=0
for release in "$@"; do
	root=$folder/$release
	trap umount_root EXIT
	echo "== $release"
	make_root
	mount_root
	copy_tree
	build_and_test && result=passed || result=failed status=1
	umount_root
	echo "== $release: $result"
done
exit $status
