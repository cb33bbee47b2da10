# SPDX-License-Identifier: BSD-3-Clause
"""The benchmarks of examples/wireguard print what they promise. Their figures are not judged."""

import re
import subprocess

import pytest
import tunnel
from conftest import BUILD, TOP

BENCH = BUILD / "test/bench/wireguard-bench"
SCRIPT = TOP / "test/bench/wireguard-tunnel.py"
WAYS = ("fused", "copy-then-sum", "copy-then-sum-adc")
CIPHERS = ("none", "null", "chacha20-poly1305")

needs_core = pytest.mark.skipif(not BENCH.exists(), reason="libcrypto or libsodium is missing")
MISSING = tunnel.missing("iperf3", "ethtool", "ping", "wireguard-go")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@needs_core
def test_every_way_has_a_line():
    done = run(BENCH, "--rounds", "1")
    assert done.returncode == 0, done.stderr
    header, *lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert header == ["cipher", "way", "cycles", "cut", "vs"]
    assert [tuple(line[:2]) for line in lines] == [(cipher, way) for cipher in CIPHERS
                                                   for way in WAYS]
    assert all(float(line[2]) > 0 for line in lines)


@needs_core
@pytest.mark.parametrize("args", [["--rounds", "0"], ["--rounds", "x"], ["--what"], ["more"]])
def test_wrong_options_are_refused(args):
    done = run(BENCH, *args)
    assert done.returncode == 2 and "--rounds" in done.stderr


@pytest.mark.witness
@pytest.mark.skipif(MISSING is not None, reason=str(MISSING))
def test_a_tunnel_is_measured():
    done = run(SCRIPT, "--rounds", "1", "--seconds", "1", "--only", "af_packet")
    assert done.returncode == 0, done.stderr
    header, row, *_ = done.stdout.splitlines()
    assert header.split("\t") == ["tunnel", "Mbit/s", "lowest", "highest", "resent"]
    assert re.fullmatch(r"DPDK, af_packet\t\d+\t\d+\t\d+\t\d+", row)
    assert re.search(r"^  sender: .*seal \d+ \(\d+ %\)", done.stdout, re.M)
