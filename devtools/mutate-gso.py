#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plant bugs in lib/csum/gso, one at a time and in a copy, and see whether test/fuzz catches each.

Prints what was caught and what was missed, and fails if anything was missed.

usage: devtools/mutate-gso.py BUILD [NAME...]     all bugs, or those named; BUILD: a build folder
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[1]
GSO = TOP / "lib/csum/gso"
PACKETS = "1000"

# A name, a file of lib/csum/gso, what stands there once, and what stands there instead.
BUGS = [
    ("gtpu-length-counts-its-header", "tunnel.c",
     "gso_len_add(it, w->at + 2, w->at + GTPU_HDR)", "gso_len_add(it, w->at + 2, w->at)"),
    ("gtpu-sequence-repeated", "tunnel.c", "(hdr[0] & GTPU_HAS_SEQ) != 0", "0"),
    ("gre-sequence-repeated", "iter.c", "tunnel->seq + it->index", "tunnel->seq"),
    ("gre-checksum-kept-old", "tunnel.c", "put16(it->hdr + tunnel->check, 0)", "(void)0"),
    ("udp-zero-not-kept", "tunnel.c", "zero = !checked &&", "zero = checked &&"),
    ("udp-zero-kept-over-ipv6", "tunnel.c", "(!ip->v6 ||", "(true ||"),
    ("tunnel-known-by-port-alone", "tunnel.c", "	if (kind == 0)\n", "	if (true)\n"),
    ("odd-header-joined-as-even", "template.c",
     "carried = csum_sum_combine(sum, carried, len)", "carried = csum_sum_add(sum, carried)"),
    ("inner-tunnel-added-whole", "template.c", "carried = csum_sum_sub(0, pseudo)", "carried = 0"),
    ("inner-ipv6-header-not-summed", "template.c", "		if (inner->v6)\n",
     "		if (false)\n"),
    ("ipv6-extensions-not-summed", "template.c", "inner->len, carried)", "IPV6_MIN, carried)"),
    ("what-changes-inside-not-handed-on", "iter.c", "		return sum;\n	sum = ",
     "		return 0;\n	sum = "),
    ("what-changes-inside-counted-twice", "iter.c",
     "csum_sum_check_udp(sum) : csum_sum_check(sum));\n	return 0;",
     "csum_sum_check_udp(sum) : csum_sum_check(sum));\n	return sum;"),
    ("outer-id-always-increased", "template.c",
     "(conf->flags & CSUM_GSO_F_OUTER_IPID_FIXED) == 0", "1"),
    ("last-template-not-made", "iter.c", "	if (size != it->size)\n", "	if (false)\n"),
    ("fin-on-each", "iter.c", "(RTE_TCP_FIN_FLAG | RTE_TCP_PSH_FLAG)", "(RTE_TCP_PSH_FLAG)"),
    ("cwr-on-each", "iter.c", "RTE_TCP_CWR_FLAG;", "0;"),
    ("urgent-pointer-not-decreased", "iter.c", "it->urgent - it->payload_done", "it->urgent"),
    ("pppoe-length-without-protocol", "link.c", "w->at + 4, w->at + 6", "w->at + 4, w->at + 8"),
    ("snap-length-by-its-value", "link.c", "w->at + SNAP_HDR <= w->end &&",
     "w->at + SNAP_HDR <= w->end && get_be16(hdr) <= MAX_802_3_LEN &&"),
    ("route-not-followed", "ip.c", "ip->dst = off + ROUTING_FIXED_LEN", "(void)off"),
    ("jumbo-header-not-unlinked", "ip.c", "hdr[off + IPV6_NEXT] = hdr[at];", ""),
    ("fragment-not-of-8-bytes", "ufo.c", "RTE_ALIGN_FLOOR(it->segsz, FRAG_UNIT);", "it->segsz;"),
    ("option-copied-that-is-not-to-be", "ufo.c", "(*opt & OPT_COPIED) == 0", "0"),
    ("second-fragment-header", "ufo.c", "	if (!ip->atomic) {", "	if (true) {"),
    ("destination-options-in-each", "ip.c", "kind != IPPROTO_DSTOPTS && !ip->atomic",
     "!ip->atomic"),
]


def flags(*packages):
    return subprocess.run(["pkg-config", "--cflags", "--libs", *packages], check=True, text=True,
                          capture_output=True).stdout.split()


def build(work, folder):
    """Link gso-cut: the objects come first, so that nothing of the archive takes their place."""
    program = work / "gso-cut"
    includes = [f"-I{path}" for path in (work / "gso", TOP / "lib/csum", TOP / "test/harness")]
    subprocess.run(
        [os.environ.get("CC", "cc"), "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-w", *includes,
         *map(str, sorted((work / "gso").glob("*.c"))), str(TOP / "test/fuzz/gso_cut.c"),
         str(folder / "test/harness/libcsum_harness.a"),
         str(folder / "test/harness/libcsum_guard.a"), str(folder / "lib/csum/libdpdk_csum.a"),
         *flags("libdpdk", "cmocka"), "-o", str(program)], check=True)
    return program


def caught(program, folder):
    """What the test says, or None if it passes."""
    env = {**os.environ, "CSUM_BUILD": str(folder), "CSUM_GSO_CUT": str(program),
           "GSO_FUZZ_PACKETS": PACKETS}
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-x",
                           str(TOP / "test/fuzz")], env=env, cwd=TOP, text=True,
                          capture_output=True, check=False)
    if done.returncode == 0:
        return None
    lines = [line for line in done.stdout.splitlines() if line.startswith("E  ")]
    return lines[0][4:].strip()[:100] if lines else done.stdout[-200:]


def main():
    folder, names = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    bugs = [bug for bug in BUGS if not names or bug[0] in names]
    missed = 0
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(temporary)
        shutil.copytree(GSO, work / "gso")
        says = caught(build(work, folder), folder)
        if says is not None:
            sys.exit(f"mutate-gso.py: test/fuzz fails without any planted bug: {says}")
        for name, file, old, new in bugs:
            path = work / "gso" / ("gso_" + file)
            text = path.read_text()
            if text.count(old) != 1:
                sys.exit(f"mutate-gso.py: {name} no longer applies to {path.name}")
            path.write_text(text.replace(old, new))
            says = caught(build(work, folder), folder)
            path.write_text(text)
            missed += says is None
            print(f"MISSED {name}" if says is None else f"caught {name}: {says}", flush=True)
    print(f"{len(bugs) - missed} of {len(bugs)} planted bugs caught")
    sys.exit(missed != 0 or not bugs)


if __name__ == "__main__":
    main()
