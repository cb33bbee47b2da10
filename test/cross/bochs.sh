#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Run the tests on the avx512 variant on a CPU that has AVX-512, which Bochs emulates and qemu does
# not: a Debian kernel whose only process runs them. Prints TAP, one case a program; skips them all
# where the packages cannot be had, and those for which the time was too short.
#
# usage: bochs.sh FOLDER     on x86-64; FOLDER is for the packages, and kept for the next time
#
# Bochs 3.0 is needed. Under 2.7, that of Debian 12, the kernel finds the saved state of AVX-512 not
# to be where it should, and switches it off. The packages of 3.0 are unpacked, not installed.

set -eu

packages=${1:?usage: bochs.sh FOLDER}
libs=$packages/root/usr/lib/x86_64-linux-gnu
release=trixie
wanted='bochs bochs-term bochsbios vgabios isolinux syslinux-common xorriso cpio
	linux-image-cloud-amd64'
limit=170
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}
programs='faults step walk edges'

skip_all()
{
	echo "1..0 # SKIP avx512 under Bochs: $1"
	exit 0
}

# The machine's own package sources, for another release, in a private apt configuration where
# nothing is installed.
make_apt_conf()
{
	codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
	mkdir -p "$work/sources" "$work/lists/partial" "$packages/cache/archives/partial"
	for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
			/etc/apt/sources.list.d/*.sources; do
		[ -s "$list" ] || continue
		sed "s/\\b$codename\\b/$release/g" "$list" >"$work/sources/$(basename "$list")"
	done
	: >"$work/status"
	cat >"$work/apt.conf" <<-CONF
		Dir::Etc::sourcelist "/dev/null";
		Dir::Etc::sourceparts "$work/sources";
		Dir::State::lists "$work/lists";
		Dir::State::status "$work/status";
		Dir::Cache "$packages/cache";
		APT::Sandbox::User "";
		APT::Install-Recommends "false";
		Debug::NoLocking "true";
		quiet "2";
	CONF
	export APT_CONFIG="$work/apt.conf"
}

unpack_packages()
{
	command -v apt-get >/dev/null || skip_all 'no apt-get to fetch the packages with'
	make_apt_conf
	{
		timeout 60 apt-get update && timeout 120 apt-get install -y --download-only $wanted
	} >"$work/apt.log" 2>&1 ||
		skip_all "no packages of $release: $(grep '^E:' "$work/apt.log" | head -n 1)"
	set -- "$packages"/cache/archives/bochs_[3-9]*.deb
	[ -e "$1" ] || skip_all "no Bochs 3.0 in $release"
	mkdir -p "$packages/root"
	for deb in "$packages"/cache/archives/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -x --no-same-owner -C "$packages/root"
	done
	rm -r "$packages/cache"
	touch "$packages/complete"
}

# A program of those packages, with their C library.
foreign()
{
	tool=$1
	shift
	"$libs/ld-linux-x86-64.so.2" --library-path "$libs" "$packages/root/usr/bin/$tool" "$@"
}

build_initrd()
{
	flags="-std=gnu11 -D_GNU_SOURCE -O3 -I$here -I$root/lib/csum -I$root/test/ref
		-I$root/test/harness"
	mkdir "$work/initrd"
	# Said each time, as set -e is off in what runs before ||.
	"$root/devtools/build-core.sh" "$root/lib/csum/core" "$work" "$cc" $flags || return
	for program in $programs; do
		$cc $flags -static -s "$root/test/core/$program.c" "$root/test/core/core_test.c" \
			"$here/cmocka.c" "$root/test/ref/ref_csum.c" "$root/test/harness/guard.c" \
			"$work"/core-*.o -lpthread -o "$work/initrd/$program" || return
	done
	$cc $flags -static -s "$here/bochs-init.c" -o "$work/initrd/init" || return
	(cd "$work/initrd" && find . | foreign cpio --quiet -o -H newc) | gzip -1 >"$1"
}

build_disc()
{
	mkdir "$work/disc"
	build_initrd "$work/disc/initrd.gz" || return
	cp "$packages"/root/boot/vmlinuz-* "$work/disc/vmlinuz"
	cp "$packages/root/usr/lib/ISOLINUX/isolinux.bin" \
		"$packages/root/usr/lib/syslinux/modules/bios/ldlinux.c32" "$work/disc"
	options='console=ttyS0 quiet panic=-1 nokaslr mitigations=off'
	options="$options acpi=off noapic nolapic tsc=reliable lpj=1000000"
	# For the environment of the tests.
	options="$options CROSS_ONLY=avx512 CORE_THIN=64${SEED:+ SEED=$SEED}"
	cat >"$work/disc/isolinux.cfg" <<-CONF
		default linux
		prompt 0
		label linux
		kernel vmlinuz
		append initrd=initrd.gz $options
	CONF
	foreign xorriso -as mkisofs -quiet -o "$work/disc.iso" -b isolinux.bin -c boot.cat \
		-no-emul-boot -boot-load-size 4 -boot-info-table "$work/disc"
}

# What the tests print goes to $work/serial. The display needs a terminal, which script makes. The
# time that the system sees goes by instructions: with fewer a second, its timer takes most of them.
run_bochs()
{
	share=$packages/root/usr/share/bochs
	cat >"$work/bochsrc" <<-CONF
		config_interface: textconfig
		display_library: term
		cpu: model=corei7_skylake_x, ips=50000000
		memory: guest=256, host=256
		romimage: file=$share/BIOS-bochs-latest
		vgaromimage: file=$share/VGABIOS-lgpl-latest
		ata0-master: type=cdrom, path=$work/disc.iso, status=inserted
		boot: cdrom
		com1: enabled=1, mode=file, dev=$work/serial
		log: $work/bochs.log
		panic: action=fatal
		error: action=ignore
		info: action=ignore
	CONF
	# Meson sets MALLOC_PERTURB_, with which Bochs 3.0 overruns a buffer.
	cat >"$work/run" <<-RUN
		unset MALLOC_PERTURB_
		export TERM=vt100 BXSHARE='$share'
		export LTDL_LIBRARY_PATH='$libs/bochs/plugins'
		exec timeout --foreground -s KILL $limit '$libs/ld-linux-x86-64.so.2' \
			--library-path '$libs' '$packages/root/usr/bin/bochs-bin' \
			-q -f '$work/bochsrc'
	RUN
	: >"$work/serial"
	timed_out=no
	# It fails in any case: Bochs takes being turned off for a panic.
	script -qec "sh '$work/run'" /dev/null >"$work/screen" 2>&1 </dev/null ||
		[ $? -ne 137 ] || timed_out=yes
}

# The lines of one program's output, the carriage returns of the serial port taken off.
output_of()
{
	tr -d '\r' <"$work/serial" | sed -n "\,^begin /$1\$,,\,^end /$1 ,p"
}

report()
{
	nb=0
	status=0
	echo "1..$(echo $programs | wc -w)"
	for program in $programs; do
		nb=$((nb + 1))
		name="core-$program with avx512 under Bochs"
		output=$(output_of "$program")
		if [ $timed_out = yes ] && ! echo "$output" | grep -q '^end \|^not ok '; then
			echo "ok $nb $name # SKIP not done within $limit s"
		elif echo "$output" | grep -q "^end .* 0\$" &&
				! echo "$output" | grep -q '# SKIP'; then
			echo "ok $nb $name"
		else
			echo "${output:-$(tail -n 5 "$work/serial" "$work/screen")}" | sed 's/^/# /'
			echo "not ok $nb $name"
			status=1
		fi
	done
	return $status
}

[ -e "$packages/complete" ] || unpack_packages
build_disc >"$work/build.log" 2>&1 || { cat "$work/build.log" >&2; exit 1; }
run_bochs
report
