# SPDX-License-Identifier: BSD-3-Clause
"""devtools/mca-core.py finds the inner loops and what they cost."""

import pathlib
import shutil
import subprocess

import pytest

SCRIPT = pathlib.Path(__file__).parents[1] / "devtools/mca-core.py"
TRIPLET = "aarch64-linux-gnu"


def run(*triplets):
    return subprocess.run([SCRIPT, *triplets], capture_output=True, text=True, check=False)


@pytest.mark.skipif(not any(shutil.which(f"llvm-mca-{version}") for version in range(14, 40)),
                    reason="no llvm-mca-NN (package llvm-NN)")
@pytest.mark.skipif(shutil.which(f"{TRIPLET}-gcc") is None, reason=f"no {TRIPLET}-gcc")
def test_loops_of_neon_are_estimated():
    lines = [line.split("\t") for line in run(TRIPLET).stdout.splitlines()]
    found = {(line[0], line[1]): line[2:] for line in lines}
    total, fused, alone, gain = map(float, found["neoverse-n1", "neon"])
    # Four loads and four stores of 16 bytes by two pipes take at least four cycles.
    assert 4 < fused <= alone <= total <= 32
    assert 1 < gain < 2.5


def test_unknown_cpu_is_named():
    done = run("vax-dec-ultrix")
    assert done.returncode == 1
    assert "vax-dec-ultrix" in done.stderr or "no llvm-mca" in done.stderr
