#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Estimate the inner loops of lib/csum/core on CPUs that are not at hand.

usage: mca-core.py [TRIPLET]...      default: every one that there is a compiler for

Each variant is built by the cross compiler, its inner loops are cut out of the assembly, and
llvm-mca (the newest llvm-mca-NN there is) says how many cycles they take. Prints one line a CPU
model and variant, separated by tabs, in bytes a cycle: the sum, the fused copy, a copy alone by
the same loads and stores, and how many times as long a copy and then a sum would take as the fused
one. These are estimates: data in L1, no branch mispredicted, no line crossed.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[1]
CORE = TOP / "lib/csum/core"

# triplet -> (folder of its variants, CPU models)
CPUS = {
    "x86_64-linux-gnu": ("x86", ["znver3", "znver4", "icelake-server", "sapphirerapids"]),
    "aarch64-linux-gnu": ("arm", ["neoverse-n1", "neoverse-v1", "neoverse-n2", "neoverse-v2"]),
    "powerpc64le-linux-gnu": ("ppc", ["pwr9", "pwr10"]),
    "riscv64-linux-gnu": ("riscv", ["sifive-u74", "sifive-p670"]),
    "s390x-linux-gnu": ("s390", ["z14", "z16"]),
}

# As release builds are.
FLAGS = ["-std=gnu11", "-D_GNU_SOURCE", "-O3", f"-I{TOP}/lib/csum", "-save-temps=obj"]

# Behind each variant: its loop over a copy, and nothing accumulated.
COPY_ALONE = """
void copy_alone(uint8_t *dst, const uint8_t *src, size_t off)
{
	for (off = -off; off != 0; off += QUAD) {
		vec v0 = take(dst, src, off + 0 * VEC, false);
		vec v1 = take(dst, src, off + 1 * VEC, false);
		vec v2 = take(dst, src, off + 2 * VEC, false);
		vec v3 = take(dst, src, off + 3 * VEC, false);

		put(dst, off + 0 * VEC, v0);
		put(dst, off + 1 * VEC, v1);
		put(dst, off + 2 * VEC, v2);
		put(dst, off + 3 * VEC, v3);
	}
}
"""
LOOPS = ("partial_chunk_{}", "partial_copy_even_{}", "copy_alone")

# Not those without a condition: they join what lies elsewhere.
BRANCH = re.compile(r"\s*(?!(?:j|jmp|b)\s)[bcj].*?(\.L\w+|\d+(?=b$))")

ITERATIONS = 1000


def find_mca():
    found = [tool for version in range(14, 40) if (tool := shutil.which(f"llvm-mca-{version}"))]
    if not found:
        sys.exit("mca-core.py: no llvm-mca-NN (package llvm-NN; 16 or later for all the models)")
    return found[-1]


def inner_loop(assembly, function):
    """The lines from a label of the function to the conditional branch back to it, of the shortest
    such loop; local labels, 1: and 1b, are those of loops in assembly."""
    body = re.search(rf"^\.?{function}:\n(.*?)^\t\.size\t", assembly, re.M | re.S)
    labels, found = {}, []
    lines = body[1].splitlines()
    for number, line in enumerate(lines):
        if label := re.match(r"(\.L\w+|\d+):", line.strip()):
            labels[label[1]] = number
        elif (branch := BRANCH.match(line)) and branch[1] in labels:
            found.append((number - labels[branch[1]], labels[branch[1]], number))
    if not found:
        raise LookupError(f"no loop in {function}")
    _, first, last = min(found)
    code = [line for line in lines[first:last + 1] if not re.match(r"\t\.(?!insn)|#", line)]
    return "\n".join(code) + "\n"


def cycles(mca, triplet, cpu, loop):
    """-> cycles an iteration"""
    command = [mca, f"-mtriple={triplet}", f"-mcpu={cpu}", f"-iterations={ITERATIONS}"]
    run = subprocess.run(command, input=loop, capture_output=True, text=True, check=False)
    total = re.search(r"^Total Cycles: +(\d+)", run.stdout, re.M)
    if total is None:
        raise LookupError(run.stderr.strip().splitlines()[0])
    return int(total[1]) / ITERATIONS


def build(triplet, folder, work):
    """Build a copy of the core. -> {variant: (bytes an iteration, assembly)}"""
    core = work / "core"
    shutil.copytree(CORE, core)
    sources = [core / "generic.c", core / "scalar128.c", *sorted((core / folder).glob("*.c"))]
    variants = [path for path in sources if 'sum_template.h"' in path.read_text()]
    for path in variants:
        path.write_text(path.read_text() + COPY_ALONE)
    subprocess.run([TOP / "devtools/build-core.sh", core, work, f"{triplet}-gcc", *FLAGS],
                   check=True)
    built = {}
    for path in variants:
        width = re.search(r"vector_size\((\d+)\)", path.read_text())
        assembly = (work / f"core-{path.stem}.s").read_text()
        built[path.stem] = 4 * (int(width[1]) if width else 8), assembly
    return built


def estimate(mca, triplet, cpu, variant, size, assembly):
    """-> the columns behind the variant's name"""
    try:
        took = [cycles(mca, triplet, cpu, inner_loop(assembly, name.format(variant)))
                for name in LOOPS]
    except LookupError as error:
        return [f"# {error}"]
    total, fused, alone = took
    return [f"{size / loop:.1f}" for loop in took] + [f"{(alone + total) / fused:.2f}"]


def main():
    mca = find_mca()
    wanted = sys.argv[1:] or [triplet for triplet in CPUS if shutil.which(f"{triplet}-gcc")]
    for triplet in wanted:
        if triplet not in CPUS or shutil.which(f"{triplet}-gcc") is None:
            sys.exit(f"mca-core.py: {triplet}: not known here, or no {triplet}-gcc")
    print("cpu", "variant", "sum", "fused", "copy_alone", "two_passes/fused", sep="\t")
    for triplet in wanted:
        folder, cpus = CPUS[triplet]
        with tempfile.TemporaryDirectory() as work:
            built = build(triplet, folder, pathlib.Path(work))
        for cpu in cpus:
            for variant, (size, assembly) in built.items():
                print(cpu, variant, *estimate(mca, triplet, cpu, variant, size, assembly),
                      sep="\t")


main()
