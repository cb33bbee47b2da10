# SPDX-License-Identifier: BSD-3-Clause
"""TCP of this machine's kernel through dpdk-csum-testpmd and net_vnet_tap.

A virtual port hands over what a stack made: super-packets with partial checksums. Forwarded to
a port without offloads, ICMP passes and TCP stalls; with net_soft_csum upon that port all is well.
"""

import json
import os
import pathlib
import shutil
import subprocess

import pytest
import test_linux_stack as stack
from conftest import TOP

pytestmark = pytest.mark.witness

NB_BYTES = 1_000_000
MAX_FRAME = 1514

namespaces = stack.namespaces


@pytest.fixture(name="traffic")
def make_traffic():
    for program in ("ethtool", "nsenter", "ping"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    if not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        pytest.skip("no /dev/net/tun")

    def traffic(layout):
        env = dict(os.environ, PYTHONPATH=f"{TOP}/test/app:{TOP}/test")
        done = subprocess.run(
            [*stack.UNSHARE, pathlib.Path(__file__).with_name("kernel_traffic.py"), layout,
             str(NB_BYTES)], env=env, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode != 0 and stack.LACKS_DEVICE.search(done.stderr):
            pytest.skip(f"this kernel lacks a device: {done.stderr.strip()}")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return traffic


def assert_all_well(result):
    assert result["ping"] and result["copy"] and result["copy6"] and result["back"], result
    assert result["iperf3"] in (True, None)
    assert (result["near_errors"], result["far_errors"]) == (0, 0)


def test_super_packets_leave_as_right_segments(traffic):
    result = traffic("soft")
    assert_all_well(result)
    xstats = result["xstats"]
    assert xstats["tx_segmented_packets"] > 0
    assert xstats["tx_segments"] * MAX_FRAME > NB_BYTES
    assert xstats["tx_checksummed_packets"] > 0


def test_without_net_soft_csum_icmp_passes_and_tcp_stalls(traffic):
    result = traffic("bare")
    assert result["ping"]
    assert not result["copy"]
    assert result["far_errors"] > 0


def test_super_packets_go_from_stack_to_stack_whole(traffic):
    """What is asked for is left to the kernel that they are written to."""
    result = traffic("taps")
    assert_all_well(result)
    assert result["xstats"]["tx_good_bytes"] > MAX_FRAME * result["xstats"]["tx_good_packets"]
