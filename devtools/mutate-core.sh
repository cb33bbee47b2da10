#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Plant bugs in lib/csum/core, one at a time and in a copy, and see whether test/core catches each.
# Prints what was caught and what was missed, and fails if anything was missed, or if a bug can no
# longer be planted because the code has changed.
#
# usage: devtools/mutate-core.sh [-q] [NAME...]     all bugs, or those named; on x86-64
# With -q it does not look first whether the tests pass without a bug.

set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}
quick=false
if [ "${1-}" = -q ]; then
	quick=true
	shift
fi

# The scripts below leave what they were building when they are cut short: let it be found here.
export TMPDIR="$work"
export CORE_THIN="${CORE_THIN-8}"

# A name, a file below lib/csum, and how to find the bug, `plain` if nothing is said; then,
# indented, the sed script that plants it.
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
	s/(MASK + (nb) - (of))/(MASK + 1 + (nb) - (of))/
tail-before-its-place core/sum_template.h
	s/take(dst, src, len - VEC, copy)/take(dst, src, len - VEC - 2, copy)/
read-one-too-far core/sum_template.h
	s/word_take_odd(dst, src, len - 1, copy)/word_take_odd(dst, src, len, copy)/
head-stored-before-tail core/sum_template.h
	/^\tuint64_t head1 = /d
	/^\tuint64_t tail1 = /i	uint64_t head1 = word_take64(dst, src, 8, copy);
head-counted-whole core/sum_template.h
	s/MASK_NOT_LAST(off, VEC)/MASK_NOT_LAST(0, VEC)/
body-aligned-by-odd-bytes core/sum_template.h
	s/& (VEC - 2)/\& (VEC - 1)/
odd-destination-not-swapped core/sum_template.h
	s/word_swap(rest, 1)/rest/
few-for-one-byte-too-many core/sum_template.h
	s/len <= QUAD)/len <= QUAD + 1)/
body-counted-twice core/sum_template.h
	s/v1 & mask_load(mask + VEC)/v1/
odd-end-not-swapped core/sum_template.h
	s/vec_swap(last, 1 - rest % 2)/last/
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
source-not-opaque core/word.h loads
	s/^#define OPAQUE(reg, value).*/#define OPAQUE(reg, value)/
source-loaded-again-to-be-stored core/word.h loads
	s/^\tOPAQUE(reg, value); /&__asm__ volatile("" : : : "memory"); /
	s/^\t\tmemcpy(dst + off, &value,/\t\tmemcpy(dst + off, src + off,/
mask-of-part-one-too-long core/x86/avx512.c avx512
	s/len == 0 ? 0 : ~(__mmask64)0 >> (64 - len)/~(__mmask64)0 >> (len < 63 ? 63 - len : 0)/
mask-of-part-one-too-short core/x86/avx512.c avx512
	s/(64 - len)/(65 - len)/
mask-of-nothing-full core/x86/avx512.c avx512
	s/len == 0 ? 0 : //
part-loaded-again-to-be-stored core/x86/avx512.c loads
	s/^\tOPAQUE(VEC_REG, value);/&\n\t__asm__ volatile("" : : : "memory");/
	s/(dst, mask, (__m512i)value)/(dst, mask, _mm512_maskz_loadu_epi8(mask, src))/
wraps-of-wide-lanes-lost core/x86/avx512.c avx512
	s/value & 0xffffffff) + (value >> 32/value/
neon-carry-lost core/arm/neon.c neon
	s/return (vec)vpadalq_u32((uint64x2_t)sum, (uint32x4_t)value)/return sum + value/
neon-vector-counted-twice core/arm/neon.c neon
	s/add_pairs(acc->sum\[3\], v3)/add_pairs(acc->sum[3], v2)/
neon-lane-forgotten core/arm/neon.c neon
	s/vaddvq_u64((uint64x2_t)lanes)/vgetq_lane_u64((uint64x2_t)lanes, 0)/
neon-accumulator-forgotten core/arm/neon.c neon
	s/ + vec_narrow(acc->sum\[1\])//
BUGS
}

# Each bug's script in a file of its own, $work/bugs/NUMBER.NAME, its first line the file to hurt
# and how to find the bug.
split_bugs()
{
	mkdir "$work/bugs"
	bugs | awk -v dir="$work/bugs" '
		/^[^\t]/ {
			out = sprintf("%s/%02d.%s", dir, ++nb, $1)
			$0 = "# " $2 " " ($3 == "" ? "plain" : $3)
		}
		{ sub(/^\t/, ""); print > out }'
}

fresh_copy()
{
	rm -rf "$work/tree"
	mkdir -p "$work/tree/lib/csum" "$work/tree/test"
	cp -R "$root/lib/csum/csum.h" "$root/lib/csum/core" "$work/tree/lib/csum"
	cp -R "$root/devtools" "$work/tree"
	for folder in core cross harness ref; do
		cp -R "$root/test/$folder" "$work/tree/test"
	done
}

# What fails because a bug does not compile shows nothing. Only plain.sh tells.
builds()
{
	case $1 in
	plain | loads) return 0 ;;
	avx512) compiler=$cc ;;
	neon) compiler=$(command -v aarch64-linux-gnu-gcc) || return 0 ;;
	esac
	mkdir -p "$work/objects"
	"$work/tree/devtools/build-core.sh" "$work/tree/lib/csum/core" "$work/objects" "$compiler" \
		-std=gnu11 -D_GNU_SOURCE -O0 -w -I"$work/tree/lib/csum"
}

# Run the tests of the copy, as TAP. Only gcc at -O3 loads twice what it may, so far.
run_tests()
{
	case $1 in
	plain) "$work/tree/test/core/plain.sh" "$cc -O1 -w" \
		choice numbers faults edges walk step ;;
	loads) "$work/tree/test/core/plain.sh" "gcc -O3 -w" trace ;;
	avx512) "$work/tree/test/cross/avx512.sh" ;;
	neon) "$work/tree/test/cross/core.sh" aarch64-linux-gnu aarch64 ;;
	esac
}

# The first case of the copy that fails, or that all were skipped; nothing if all pass.
first_failure()
{
	run_tests "$1" 2>/dev/null | grep -m 1 -e '^not ok' -e '^Bail out' -e '^1\.\.0 # SKIP' || :
}

# Without a bug nothing may fail.
check_without_bug()
{
	if $quick || [ -e "$work/passes.$1" ]; then
		return 0
	fi
	fresh_copy
	found=$(first_failure "$1")
	case $found in
	'' | 1..0*) touch "$work/passes.$1" ;;
	*) echo "mutate-core.sh: $found, without any planted bug" >&2; exit 2 ;;
	esac
}

# Each command of the script must change something.
plant()
{
	fresh_copy
	victim=$work/tree/lib/csum/$2
	sed 1d "$1" | while IFS= read -r command; do
		cp "$victim" "$work/before"
		sed -i "$command" "$victim"
		if cmp -s "$victim" "$work/before"; then
			echo "mutate-core.sh: $name no longer applies to $2: $command" >&2
			exit 2
		fi
	done
	if ! builds "$3"; then
		echo "mutate-core.sh: with $name $2 does not compile" >&2
		exit 2
	fi
}

split_bugs
for name in "$@"; do
	[ -n "$(find "$work/bugs" -name "*.$name")" ] ||
		{ echo "mutate-core.sh: no bug is called $name" >&2; exit 2; }
done
nb=0
nb_caught=0
for bug in "$work"/bugs/*; do
	name=${bug##*/*.}
	[ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
	read -r _ file how <"$bug"
	check_without_bug "$how"
	plant "$bug" "$file" "$how"
	found=$(first_failure "$how")
	case $found in
	1..0*) echo "skipped $name (${found#*SKIP })"; continue ;;
	Bail*) echo "mutate-core.sh: with $name $file does not compile" >&2; exit 2 ;;
	'') echo "MISSED $name" ;;
	*) echo "caught $name (${found#not ok * })"; nb_caught=$((nb_caught + 1)) ;;
	esac
	nb=$((nb + 1))
done
echo "$nb_caught of $nb planted bugs caught"
[ "$nb_caught" -eq "$nb" ]
