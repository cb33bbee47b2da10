#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Install what the tests need, build with gcc, with clang and under ASan+UBSan, run everything.
# The last line is "N passed, N failed, N skipped"; the exit code is 0 when nothing failed.

set -eu

top=$(cd "$(dirname "$0")" && pwd)
cd "$top"
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

devtools/install-packages.sh gcc g++ libc6-dev make clang libclang-rt-14-dev meson \
	ninja-build pkg-config libdpdk-dev dpdk-dev libpcap-dev zlib1g-dev libcmocka-dev dpkg-dev \
	xz-utils tshark python3-scapy python3-pytest python3-pytest-xdist python3-sphinx doxygen \
	iproute2 libssl-dev libsodium-dev

# For other CPUs: tests are skipped for what cannot be had.
cross='qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross
	gcc-powerpc64le-linux-gnu libc6-dev-ppc64el-cross
	gcc-powerpc64-linux-gnu libc6-dev-ppc64-cross
	gcc-riscv64-linux-gnu libc6-dev-riscv64-cross
	gcc-s390x-linux-gnu libc6-dev-s390x-cross'
devtools/install-packages.sh $cross || for package in $cross; do
	devtools/install-packages.sh "$package" || :
done
# For the Linux guest, and for WireGuard tunnels, whose tests are skipped without them.
devtools/install-packages.sh qemu-system-x86 busybox-static || :
devtools/install-packages.sh wireguard-go wireguard-tools iperf3 iputils-ping ethtool || :

# A step that keeps all others of a build from running counts as a failure.
broken()
{
	cat "$results/log"
	test/tally.py --broken "$1" "$results"
}

# One build: its C tests and the Python tests against its binaries.
# suite NAME COMPILER PYTEST_EXPRESSION [meson option]...
suite()
{
	name=$1 compiler=$2 select=$3
	shift 3
	echo "== $name"
	CC=$compiler meson setup -Dwerror=true "$@" "build-$name" >"$results/log" 2>&1 ||
		CC=$compiler meson setup --reconfigure -Dwerror=true "$@" "build-$name" \
			>"$results/log" 2>&1 ||
		{ broken "$name: meson setup"; return; }
	ninja -C "build-$name" >"$results/log" 2>&1 ||
		{ broken "$name: build"; return; }
	meson test -C "build-$name" --no-rebuild --print-errorlogs >"$results/log" 2>&1 ||
		cat "$results/log"
	cp "build-$name/meson-logs/testlog.junit.xml" "$results/$name-c.xml"
	CSUM_BUILD=$top/build-$name /usr/bin/python3 -m pytest -q -p no:cacheprovider \
		-n 3 --dist loadfile -m "$select" --junitxml "$results/$name-python.xml" test || :
}

export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

suite gcc gcc ''
suite clang clang 'not witness'
suite asan gcc 'not witness' -Db_sanitize=address,undefined -Dbuildtype=debugoptimized

test/tally.py "$results"
