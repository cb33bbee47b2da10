# SPDX-License-Identifier: BSD-3-Clause
"""Segments judged by the stack of this machine's kernel, in network namespaces."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest
import verdict
from conftest import BUILD

pytestmark = pytest.mark.witness

HERE = pathlib.Path(__file__).parent
SECONDS = 60
UNSHARE = ["unshare", "-n"] if os.geteuid() == 0 else ["unshare", "-r", "-n"]
LACKS_DEVICE = re.compile("Unknown device type|Operation not supported")


@pytest.fixture(scope="module")
def segments(tmp_path_factory):
    """Folder of captures, and {kind: (units, bad)}."""
    folder = tmp_path_factory.mktemp("segments")
    done = subprocess.run([BUILD / "test/linux/make-segments", folder], capture_output=True,
                          text=True, timeout=SECONDS, check=True)
    lines = (line.split() for line in done.stdout.splitlines())
    return folder, {kind: (int(units), int(bad)) for kind, units, bad in lines}


@pytest.fixture(scope="module", autouse=True)
def namespaces():
    if shutil.which("ip") is None:
        pytest.skip("iproute2 is not installed")
    if subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("no network namespaces here")


def judge(kind, sender, file, env=None):
    """What judge.sh prints."""
    done = subprocess.run([*UNSHARE, "sh", HERE / "judge.sh", sender, kind, file], env=env,
                          capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode != 0 and LACKS_DEVICE.search(done.stderr):
        pytest.skip(f"this kernel lacks a device: {done.stderr.strip()}")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


@pytest.mark.parametrize("which", ("good", "bad"))
@pytest.mark.parametrize("kind", verdict.PLAIN + verdict.VXLAN)
def test_stack_counts(segments, kind, which):
    folder, kinds = segments
    units, bad = kinds[kind]
    assert units >= 75 and bad >= 5
    output = judge(kind, BUILD / "test/linux/send-frames", folder / f"{kind}-{which}.pcap")
    verdict.check(kind, units, bad if which == "bad" else 0, output)


def test_every_kind_is_judged(segments):
    assert set(segments[1]) == set(verdict.PLAIN + verdict.VXLAN + verdict.MODULES)
