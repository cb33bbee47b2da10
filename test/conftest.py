# SPDX-License-Identifier: BSD-3-Clause
"""Where the tests find what they test: CSUM_BUILD names the build folder, ./build by default."""

import os
import pathlib

TOP = pathlib.Path(__file__).parents[1]
BUILD = pathlib.Path(os.environ.setdefault("CSUM_BUILD", str(TOP / "build")))

for variable, program in (
    ("CSUM_TESTPMD", "app/csum-testpmd/dpdk-csum-testpmd"),
    ("CSUM_REF_JUDGE", "test/ref/ref-judge"),
):
    os.environ.setdefault(variable, str(BUILD / program))
