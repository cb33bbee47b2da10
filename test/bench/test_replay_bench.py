# SPDX-License-Identifier: BSD-3-Clause
"""The capture benchmark runs, and prints what it promises; how fast things are is nobody's business
here. How much memory a stream takes is."""

import os
import pathlib
import re
import subprocess

BENCH = pathlib.Path(os.environ["CSUM_BUILD"]) / "test/bench/replay-bench"
ROWS = [("validate", "dpdk-csum-testpmd"), ("validate", "read"), ("validate", "tcpdump"),
        ("validate", "tshark"), ("rewrite", "dpdk-csum-testpmd"), ("rewrite", "cp"),
        ("rewrite", "tcprewrite"), ("topspeed", "Mpps"), ("topspeed", "Gbit/s"),
        ("stream", "validate"), ("stream", "replay")]
MEMORY_MB = 200


def test_rows(tmp_path):
    """All jobs once; a tool that is not installed has no figures."""
    done = subprocess.run([BENCH, "--quick", "--stream", "250", "--dir", tmp_path],
                          capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    header, *lines = done.stdout.splitlines()
    assert header == "job\ttool\tseconds\tratio"
    rows = [line.split("\t") for line in lines]
    assert [(row[0], row[1]) for row in rows] == ROWS
    for _, _, *figures in rows:
        assert figures == ["-", "-"] or all(re.fullmatch(r"\d+(\.\d+)?", f) for f in figures)
    assert list(tmp_path.iterdir()) == []
    if "asan" not in os.environ["CSUM_BUILD"]:
        assert all(int(row[3]) < MEMORY_MB for row in rows if row[0] == "stream")


def test_refusals():
    done = subprocess.run([BENCH, "--size", "x"], capture_output=True, text=True, timeout=60,
                          check=False)
    assert done.returncode == 2 and "--size" in done.stderr and done.stdout == ""
