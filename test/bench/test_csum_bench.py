# SPDX-License-Identifier: BSD-3-Clause
"""csum-bench prints what it promises, for everything that runs here, and refuses what it does not
understand. Its figures are not judged: a few batches are measured, to see that it works."""

import platform
import re
import subprocess

import pytest
from conftest import BUILD

BENCH = BUILD / "test/bench/csum-bench"
HEADER = "op impl len src_off dst_off residency ns bytes_per_cycle vs_memcpy vs_dpdk".split()
FLAGS = ["native"] + ["corei7", "corei7-O2"] * (platform.machine() == "x86_64")
FEW = ("--rounds", "3")
ONE_CELL = (*FEW, "--len", "1448", "--align", "2/14", "--residency", "L1")
NUMBER = r"\d+\.\d+"


def run(*args):
    return subprocess.run([BENCH, *args], capture_output=True, text=True, check=False, timeout=60)


def table(*args):
    """-> (names of the columns, one dictionary a line)"""
    done = run(*args)
    assert done.returncode == 0, done.stderr
    header, *lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert {len(line) for line in lines} == {len(header)}
    return header, [dict(zip(header, line)) for line in lines]


def variants_that_run():
    """By the library's own example, which prints a line for each variant."""
    done = subprocess.run([BUILD / "doc/examples/variants"], capture_output=True, text=True,
                          check=True)
    return re.findall(r"^(\w+) +\d+ bits  runs here", done.stdout, re.M)


def everything():
    """{(op, impl)}"""
    copies = ["memcpy"]
    copies += [f"{name}/{flags}" for flags in FLAGS
               for name in ("rte_memcpy", "rte_memcpy+rte_raw_cksum")]
    sums = [f"rte_raw_cksum/{flags}" for flags in FLAGS]
    variants = variants_that_run()
    assert variants[0] == "generic"
    return {("copy", name) for name in copies + variants} | \
        {("sum", name) for name in sums + variants}


@pytest.fixture(scope="module")
def lines():
    header, lines = table(*ONE_CELL)
    assert header == HEADER
    return lines


def test_everything_that_runs_has_a_line(lines):
    listed = [(line["op"], line["impl"]) for line in lines]
    assert len(listed) == len(set(listed))
    assert set(listed) == everything()


def test_a_line_says_what_was_measured(lines):
    for line in lines:
        assert [line[name] for name in ("len", "src_off", "dst_off", "residency")] == \
            ["1448", "2", "14", "L1"]
        assert all(re.fullmatch(NUMBER, line[name]) and float(line[name]) > 0
                   for name in HEADER[6:])


def test_ratios_are_those_of_the_times(lines):
    ns = {(line["op"], line["impl"]): float(line["ns"]) for line in lines}
    peer = {"copy": ns["copy", "rte_memcpy+rte_raw_cksum/native"],
            "sum": ns["sum", "rte_raw_cksum/native"]}
    for line in lines:
        own = float(line["ns"])
        assert float(line["vs_memcpy"]) == pytest.approx(own / ns["copy", "memcpy"], rel=0.01)
        assert float(line["vs_dpdk"]) == pytest.approx(peer[line["op"]] / own, rel=0.02, abs=1e-3)


def test_bytes_per_cycle_are_those_of_one_clock(lines):
    ghz = [1448 / (float(line["ns"]) * float(line["bytes_per_cycle"])) for line in lines
           if float(line["bytes_per_cycle"]) > 1]
    assert 0.2 < min(ghz) and max(ghz) < min(ghz) * 1.02 < 10


def test_selections_add_up():
    _, lines = table(*FEW, "--op", "sum", "--impl", "generic,rte_raw_cksum/native",
                     "--len", "0-64,8", "--align", "0/0,63/1", "--residency", "L2,L1")
    assert [(line["impl"], line["residency"], line["src_off"], line["dst_off"], line["len"])
            for line in lines] == [
        (impl, residency, *offsets, length) for residency in ("L1", "L2")
        for offsets in (("0", "0"), ("63", "1")) for length in ("0-64", "8")
        for impl in ("rte_raw_cksum/native", "generic")]


def test_quick_is_six_lengths_in_l1():
    _, lines = table("--quick", "--rounds", "1", "--impl", "memcpy", "--align", "2/14")
    assert [(line["len"], line["residency"]) for line in lines] == \
        [(length, "L1") for length in ("20", "40", "64", "256", "1448", "9000")]


def test_two_passes_of_a_variant_are_measured_when_named():
    _, lines = table(*ONE_CELL, "--impl", "memcpy+generic")
    assert [(line["op"], line["impl"]) for line in lines] == [("copy", "memcpy+generic")]


def test_minimum_is_one_more_column():
    header, lines = table(*ONE_CELL, "--minimum")
    assert header == [*HEADER, "min_ns"]
    assert all(float(line["min_ns"]) <= float(line["ns"]) for line in lines)


def test_prefetching_shows_in_the_residency():
    _, lines = table(*FEW, "--len", "256", "--align", "2/14", "--residency", "L2", "--prefetch",
                     "2", "--impl", "memcpy,generic")
    assert {line["residency"] for line in lines} == {"L2+prefetch"}


def test_prefetching_ahead_is_measured_when_named():
    _, lines = table(*FEW, "--len", "256", "--align", "2/14", "--residency", "L2", "--sequential",
                     "--impl", "ahead/0,ahead/1024")
    assert {(line["op"], line["impl"]) for line in lines} == \
        {(op, f"ahead/{ahead}") for op in ("copy", "sum") for ahead in (0, 1024)}


def test_goals_say_whether_they_are_met():
    header, lines = table("--goals", "--residency", "L1,L2", "--passes", "3", "--rounds", "1")
    assert header == ["what", "goal", "measured", "range", "verdict"]
    assert len(lines) == (14 if platform.machine() == "x86_64" else 9)
    for line in lines:
        sense, goal = line["goal"].split()
        measured = float(line["measured"])
        low, high = map(float, line["range"].split(".."))
        assert low <= measured <= high
        if measured != float(goal):
            met = measured < float(goal) if sense == "<=" else measured > float(goal)
            assert line["verdict"] == ("met" if met else "missed")


def test_conditions_go_to_standard_error():
    done = run(*ONE_CELL, "--impl", "memcpy")
    assert re.fullmatch(rf"csum-bench: CPU \d+, core clock {NUMBER} GHz, variant in use \w+, "
                        r"compiled by \w+ [\d.]+; \d+ batches, \d+ of them disturbed\n",
                        done.stderr)


def test_help_defines_every_column():
    done = run("--help")
    assert done.returncode == 0 and done.stderr == ""
    assert [name for name in HEADER if not re.search(rf"^  .*\b{name}\b", done.stdout, re.M)] == []
    assert all(len(line) <= 100 for line in done.stdout.splitlines())


REFUSED = {
    # arguments: what the message says
    "--frobnicate": "unknown option '--frobnicate'",
    "-x": "unknown option '-x'",
    "stray": "unexpected argument 'stray'",
    "--len": "--len needs an argument",
    "--quick=yes": "--quick=yes takes no argument",
    "--op add": "--op: 'add' is neither sum nor copy",
    "--op sum --op copy": "--op is given twice",
    "--impl generic,fast": "--impl: 'fast' is none of memcpy",
    "--op sum --impl memcpy": "--impl: 'memcpy' is none of rte_raw_cksum/native",
    "--len 0": "--len: '0' is not a length from 1 to 65535, nor a range MIN-MAX",
    "--len 65536": "--len: '65536' is not",
    "--len 8,,9": "--len: '' is not",
    "--len -8": "--len: '-8' is not",
    "--len 64-64": "--len: '64-64' is not",
    "--len 1-2-3": "--len: '1-2-3' is not",
    "--len " + ",".join("8" * 33): "--len: '8' is one too many",
    "--align 2": "--align: '2' is not SRC/DST, 0 to 63 each",
    "--align 64/0": "--align: '64/0' is not",
    "--residency L4": "--residency: 'L4' is none of L1 L2 L3 DRAM",
    "--prefetch 0": "--prefetch: '0' is not a number from 1 to 64",
    "--rounds 302": "--rounds: '302' is not a number from 1 to 301",
    "--cpu one": "--cpu: 'one' is not a number from 0 to 1023",
    "--cpu 1023": "--cpu 1023: Invalid argument",
    "--passes 2": "--passes needs --goals",
    "--goals --sequential": "--sequential cannot be used with --goals",
    "--goals --op sum": "--op cannot be used with --goals",
    "--quick --len 8": "--len cannot be used with --quick",
}


@pytest.mark.parametrize("args", REFUSED)
def test_refused(args):
    done = run(*args.split())
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(f"csum-bench: {REFUSED[args]}")
    assert done.stderr.count("\n") == 1
