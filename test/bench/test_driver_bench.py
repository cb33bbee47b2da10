# SPDX-License-Identifier: BSD-3-Clause
"""driver-bench prints what it promises and refuses what it does not understand. Its figures are not
judged: a round is measured, to see that it works."""

import subprocess

from conftest import BUILD

BENCH = BUILD / "test/bench/driver-bench"
HEADER = "case lower dir size ours_cycles direct_cycles extra_cycles ratio".split()


def run(*args):
    return subprocess.run([BENCH, *args], capture_output=True, text=True, check=False, timeout=60)


def test_every_case_has_a_line():
    done = run("--rounds", "1")
    assert done.returncode == 0, done.stderr
    header, *lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert header == HEADER
    assert {len(line) for line in lines} == {len(header)}
    cases = {tuple(line[:3]) for line in lines}
    assert {("pass", lower, dir) for lower in ("null", "ring") for dir in ("tx", "rx")} <= cases
    assert {("checksum", "null", "tx"), ("checksum", "ring", "tx"), ("tso", "null", "tx")} <= cases
    for line in lines:
        ours, direct, _, ratio = (float(value) for value in line[4:])
        assert ours > 0
        assert abs(ratio - ours / direct) < 0.2 * ratio


def test_wrong_options_are_refused():
    for args in (["--rounds", "0"], ["--rounds", "x"], ["--what"], ["more"]):
        done = run(*args)
        assert done.returncode == 2
        assert "--rounds" in done.stderr
