#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Plant bugs in lib/csum/core, one at a time and in a copy, and see whether test/core catches each.
# Prints what was caught and what was missed, and fails if anything was missed.
#
# usage: devtools/mutate-core.sh [NAME...]     all bugs, or those named

set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}
flags="-std=gnu11 -D_GNU_SOURCE -O1 -I$work/csum -I$root/test/ref -I$root/test/harness"
programs='choice numbers faults walk step'

# A name, a file below lib/csum, and indented the sed script that plants the bug there.
bugs()
{
	cat <<'BUGS'
carry-lost-in-words core/word.h
	s/return a + (a < b);/return a;/
carry-lost-in-fold core/word.h
	s/return low + (low < high);/return low;/
short-tail-shifted-wrongly core/word.h
	s/(56 - nb \* 8)/(48 - nb * 8)/
source-loaded-twice core/word.h
	s/^\treturn value; \\$/\tmemcpy(\&value, src + off, sizeof(value)); return value; \\/
odd-sum-not-swapped core/word.h
	s/(odd & 1) \* 8/0 * odd/
tail-mask-one-too-long core/sum_template.h
	s/QUAD + (nb) - (of)/QUAD + 1 + (nb) - (of)/
tail-before-its-place core/sum_template.h
	s/size_t off = len - QUAD;/size_t off = len - QUAD - 2;/
read-one-too-far core/sum_template.h
	s/word_take_odd(dst, src, len - 1, copy) &/word_take_odd(dst, src, len, copy) \&/
head-stored-before-tail core/sum_template.h
	/^\tuint64_t tail1 = /i\	uint64_t head1 = word_take64(dst, src, 8, copy);
	/^\tuint64_t head1 = /d
head-counted-whole core/sum_template.h
	s/MASK_FIRST(skip), copy/MASK_FIRST(VEC), copy/
body-aligned-by-odd-bytes core/sum_template.h
	s/-addr % VEC & ~(size_t)1;/-addr % VEC;/
odd-destination-not-swapped core/sum_template.h
	s/word_swap(rest, 1)/rest/
quad-and-tail-for-one-byte-too-many core/sum_template.h
	s/2 \* QUAD + 1/2 * QUAD + 2/
destination-left-behind core/sum_template.h
	s/copy ? dst + skip : dst,/dst,/
last-chunk-to-the-first core/sum_template.h
	s/return chunk(dst == NULL ? NULL : dst + off, src/return chunk(dst, src/
accumulators-not-reentrant core/sum_template.h
	s/^\tstruct acc acc = { 0 };/\tstatic struct acc acc; acc = (struct acc){ 0 };/
carry-not-counted core/scalar128.c
	/acc->high\[i\] += /d
second-carry-lost core/x86/adc.c
	/adc $0, %1/d
	s/adc %5, %1.*/adc %5, %1"/
carries-of-both-chains-mixed core/x86/adx.c
	s/adox %2, %1/adcx %2, %1/
flags-left-set core/x86/adx.c
	s/"xor %k2, %k2/"mov $0, %k2/
accumulator-counted-twice core/generic.c
	s/word_add(acc->sum\[3\], v3)/word_add(acc->sum[3], v2)/
too-many-vectors-for-averages core/x86/pairwise_avg.h
	s/ACC_QUADS 8000/ACC_QUADS 12000/
wraps-rounded-down core/x86/pairwise_avg.h
	s/ + 0x8000) >> 16/) >> 16/
single-vector-misjudged core/x86/pairwise_avg.h
	s/value >> 48/value >> 47/
lane-forgotten core/x86/avx2.c
	s/_mm256_extracti128_si256((__m256i)lanes, 1)/_mm256_castsi256_si128((__m256i)lanes)/
limit-ignored core/csum.c
	s/variants\[i\].variant->bits > bits || //
any-variant-used core/csum.c
	s/if (csum_variant_runs(variant) == 0)/if (0)/
blocks-joined-as-if-even csum.h
	s/(off & 1) \* 8/(off \& 0) * 8/
folded-once csum.h
	0,/sum = (sum & 0xffff) + (sum >> 16);/s///
udp-zero-corrected csum.h
	s/^\tif (check == 0)$/\tif (check == 1)/
BUGS
}

# Each bug's script in a file of its own, $work/bugs/NUMBER.NAME, its first line the file to hurt.
split_bugs()
{
	mkdir "$work/bugs"
	bugs | awk -v dir="$work/bugs" '
		/^[^\t]/ { out = sprintf("%s/%02d.%s", dir, ++nb, $1); $0 = "# " $2 }
		{ sub(/^\t/, ""); print > out }'
}

build_core()
{
	for source in "$work"/csum/core/*.c "$work"/csum/core/x86/*.c; do
		isa=-m64
		[ "${source##*/}" = avx2.c ] && isa='-mavx2 -mtune=haswell'
		[ "${source##*/}" = avx512.c ] && isa='-mavx512f -mavx512bw'
		$cc $flags $isa -c "$source" -o "$work/core-$(basename "$source" .c).o"
	done
}

# Whether a test program, left in $program, fails, hangs or crashes. They include csum.h, too.
caught()
{
	for program in $programs; do
		$cc $flags "$root/test/core/$program.c" "$root/test/core/core_test.c" \
			"$work/tests.a" "$work"/core-*.o -lcmocka -lpthread -o "$work/$program" ||
			exit 2
		timeout 60 "$work/$program" >/dev/null 2>&1 || return 0
	done
	return 1
}

fresh_copy()
{
	rm -rf "$work/csum"
	mkdir "$work/csum"
	cp -R "$root/lib/csum/csum.h" "$root/lib/csum/core" "$work/csum"
}

[ "$(uname -m)" = x86_64 ] || { echo 'mutate-core.sh: only on x86-64, for now' >&2; exit 2; }
$cc $flags -c "$root/test/ref/ref_csum.c" -o "$work/ref.o"
$cc $flags -c "$root/test/harness/guard.c" -o "$work/guard.o"
ar rc "$work/tests.a" "$work/ref.o" "$work/guard.o"
fresh_copy
build_core
if caught; then
	echo "mutate-core.sh: core-$program fails without any planted bug" >&2
	exit 2
fi

split_bugs
nb=0
nb_caught=0
for bug in "$work"/bugs/*; do
	name=${bug##*/*.}
	[ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
	file=$(sed -n '1s/^# //p' "$bug")
	fresh_copy
	sed -i -f "$bug" "$work/csum/$file"
	if cmp -s "$work/csum/$file" "$root/lib/csum/$file"; then
		echo "mutate-core.sh: $name no longer applies to $file" >&2
		exit 2
	fi
	build_core
	nb=$((nb + 1))
	if caught; then
		nb_caught=$((nb_caught + 1))
		echo "caught $name (core-$program)"
	else
		echo "MISSED $name"
	fi
done
echo "$nb_caught of $nb planted bugs caught"
[ "$nb" -gt 0 ] && [ "$nb_caught" -eq "$nb" ]
