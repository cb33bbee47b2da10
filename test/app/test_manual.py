# SPDX-License-Identifier: BSD-3-Clause
"""The manual page and the completion for bash know the options that --help-all shows."""

import re
import shutil
import subprocess

import pytest
from replay_tools import APP, TOP, run

MANUAL = TOP / "app/csum-testpmd/dpdk-csum-testpmd.1"
COMPLETION = TOP / "app/csum-testpmd/dpdk-csum-testpmd.bash"


def options():
    return set(re.findall(r"^ +(?:-., )?(--[a-z-]+)", run("--help-all").stdout, re.M))


def test_manual_has_all_options_and_no_others():
    text = re.sub(r"\\f[BRI]", "", MANUAL.read_text()).replace("\\-", "-")
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))
    assert named == options()


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_manual_is_well_formed():
    done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", MANUAL], capture_output=True,
                          text=True, check=True)
    assert done.stderr == "" and "EXIT STATUS" in re.sub(r"\x1b\[\d*m|.\x08", "", done.stdout)


def complete(*words):
    script = (f'source "{COMPLETION}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
              f'compopt() {{ :; }}; _dpdk_csum_testpmd "{APP}"; printf "%s\\n" "${{COMPREPLY[@]}}"')
    done = subprocess.run(["bash", "-c", script, "bash", *words], capture_output=True, text=True,
                          check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_completion():
    assert set(complete("dpdk-csum-testpmd", "--")) == options()
    assert complete("dpdk-csum-testpmd", "--val") == ["--validate"]
    assert complete("dpdk-csum-testpmd", "--forward-mode", "mac") == ["mac", "macswap"]
    assert complete("dpdk-csum-testpmd", "--color", "a") == ["auto", "always"]
    assert str(MANUAL) in complete("dpdk-csum-testpmd", "--validate", str(MANUAL)[:-4])
