# SPDX-License-Identifier: BSD-3-Clause
"""One copy of the driver in a process, whichever way it gets there: it is registered once."""

import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest
from replay_tools import APP, BUILD
from testpmd_tools import DEBIAN, EAL, asan_env

PLUGIN = BUILD / "drivers/net-soft-csum/librte_net_soft_csum.so"
SHIM = BUILD / "test/driver/count_drivers.so"
ONLY_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="a plugin folder must belong to root")


def registrations(tmp_path, command, env=None):
    env = dict(env or os.environ, DRIVERS_FILE=str(tmp_path / "drivers"))
    env["LD_PRELOAD"] = " ".join(filter(None, [env.get("LD_PRELOAD"), str(SHIM)]))
    env["ASAN_OPTIONS"] = env.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
    result = subprocess.run([str(word) for word in command], env=env, input="quit\n", text=True,
                            capture_output=True, timeout=30, check=False)
    names = (tmp_path / "drivers").read_text().split()
    return names.count("net_soft_csum"), result.stdout + result.stderr


def test_program_that_is_linked_with_the_driver(tmp_path):
    count, _ = registrations(tmp_path, [APP, "--help"])
    assert count == 1


@ONLY_ROOT
def test_program_that_is_linked_with_the_driver_and_told_to_load_it(tmp_path):
    count, text = registrations(tmp_path, [APP, *EAL, "-d", PLUGIN, "--vdev", "net_null0", "--",
                                           "-i"])
    assert count == 1 and "Bye" in text


@ONLY_ROOT
@pytest.mark.skipif(DEBIAN is None, reason="dpdk-testpmd is not installed")
def test_program_that_loads_the_plugin(tmp_path):
    with tempfile.TemporaryDirectory(prefix="csum-plugin-", dir="/opt") as folder:
        pathlib.Path(folder).chmod(0o755)
        for source in (PLUGIN, BUILD / "lib/csum/libdpdk_csum.so.0"):
            shutil.copy(source, folder)
        plugin = pathlib.Path(folder, PLUGIN.name)
        count, text = registrations(tmp_path, [
            DEBIAN, *EAL, "-d", plugin, "--vdev", "net_null0", "--", "-i",
            "--total-num-mbufs=4096"], asan_env(plugin))
    assert count == 1 and "Bye" in text
