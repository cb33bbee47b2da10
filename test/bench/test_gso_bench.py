# SPDX-License-Identifier: BSD-3-Clause
"""The segmentation benchmark runs, prints what it promises, and refuses what it does not know. What
it measures is nobody's business here."""

import os
import pathlib
import re
import subprocess

import pytest

BENCH = pathlib.Path(os.environ["CSUM_BUILD"]) / "test/bench/gso-bench"
HEADER = ("form\tproto\tsegsz\tresidency\tns\tcycles_per_segment\tvs_copy_limit\tvs_two_pass\t"
          "vs_rte_gso")
NUMBER = re.compile(r"\d+(\.\d+)?")


def run(*args):
    return subprocess.run([BENCH, *args], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("proto", ["tcp4", "tcp6", "uso4", "vxlan-tcp4"])
def test_rows(proto):
    result = run("--rounds", "1", "--proto", proto, "--segsz", "500", "--residency", "hot")
    assert result.returncode == 0, result.stderr
    header, *rows = result.stdout.splitlines()
    assert header == HEADER
    assert [row.split("\t")[:4] for row in rows] == [
        [form, proto, "500", "hot"] for form in ("copy", "attach")]
    for row in rows:
        figures = row.split("\t")[4:]
        assert len(figures) == 5
        if proto in ("tcp6", "uso4"):
            assert figures.pop() == "-"
        assert all(NUMBER.fullmatch(figure) for figure in figures)


def test_goals():
    result = run("--rounds", "1", "--goals")
    assert result.returncode == 0, result.stderr
    header, *rows = result.stdout.splitlines()
    assert header == "figure\tmeasured\tgoal\tresult"
    assert len(rows) >= 11
    for row in rows:
        _, measured, goal, verdict = row.split("\t")
        assert re.fullmatch(r"-?\d+\.\d\d", measured)
        if goal == "report":
            assert verdict == "-"
        else:
            assert re.fullmatch(r"[<>]= \d+\.\d\d", goal)
            assert verdict in ("holds", "missed")


@pytest.mark.parametrize("args, named", [
    (["--proto", "sctp"], '--proto cannot be "sctp"'),
    (["--residency", "disk"], '--residency cannot be "disk"'),
    (["--segsz", "0"], '--segsz cannot be "0"'),
    (["--segsz", "9001"], '--segsz cannot be "9001"'),
    (["--rounds", "x"], '--rounds cannot be "x"'),
    (["--unknown"], "unknown"),
    (["more"], 'an argument cannot be "more"'),
])
def test_refusals(args, named):
    result = run(*args)
    assert result.returncode == 2
    assert named in result.stderr
    assert result.stdout == ""
