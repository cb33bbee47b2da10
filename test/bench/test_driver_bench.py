# SPDX-License-Identifier: BSD-3-Clause
"""driver-bench and testpmd_bench.py print what they promise and refuse what they do not understand.
Their figures are not judged: a round is measured, to see that it works."""

import os
import pathlib
import subprocess
import sys

import pytest
from conftest import BUILD

from testpmd_tools import DEBIAN

BENCH = BUILD / "test/bench/driver-bench"
TESTPMD_BENCH = pathlib.Path(__file__).with_name("testpmd_bench.py")
HEADER = "case lower dir size ours_cycles direct_cycles extra_cycles ratio".split()
CASES = {("pass", "null", "tx"), ("pass", "null", "rx"), ("pass", "ring", "tx"),
         ("pass", "ring", "rx"), ("checksum", "null", "tx"), ("checksum", "ring", "tx"),
         ("tso", "null", "tx"), ("tso", "ring", "tx")}
TWO = {("two-pass", "null", "tx"), ("two-checksum", "null", "tx"), ("two-tso", "null", "tx")}


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, check=False, timeout=60)


def table(done):
    """-> lines without the header"""
    assert done.returncode == 0, done.stderr
    header, *lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert header == HEADER
    for line in lines:
        assert len(line) == len(header)
        ours, direct, extra, ratio = (float(value) for value in line[4:])
        assert ours > 0
        assert abs(extra - (ours - direct)) < 0.2
        two = line[0].startswith("two-")
        assert abs(ratio - (direct / ours if two else ours / direct)) < 0.2 * ratio
    return lines


@pytest.mark.parametrize("options", [(), ("--mbuf-a-page",)], ids=["packed", "by-page"])
def test_every_case_has_a_line(options):
    done = run(BENCH, "--rounds", "1", *options)
    cases = {tuple(line[:3]) for line in table(done)}
    if len(os.sched_getaffinity(0)) > 1:
        assert cases == CASES | TWO
    else:
        assert cases == CASES
        assert done.stderr.count("skipped: two-") == len(TWO)


def test_wrong_options_are_refused():
    for args in (["--rounds", "0"], ["--rounds", "x"], ["--what"], ["more"],
                 ["--huge", "--mbuf-a-page"]):
        done = run(BENCH, *args)
        assert done.returncode == 2
        assert "--rounds" in done.stderr


@pytest.mark.witness
@pytest.mark.skipif(DEBIAN is None, reason="dpdk-testpmd is not installed")
@pytest.mark.skipif(os.geteuid() != 0, reason="a plugin folder must belong to root")
def test_testpmd_is_measured():
    done = run(sys.executable, TESTPMD_BENCH, "--rounds", "1", "--seconds", "0.05", "--size", "64")
    assert [line[:4] for line in table(done)] == [["testpmd-csum", "pcap", "both", "64"]]
